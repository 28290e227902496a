//! Forms: raised by tools and by clients, answered, cancelled, and what is no answer.

use gavel_stand_in::{FormCancel, StandIn, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, encoded, idle, of_type, ran, session, start, start_as, until};

async fn pending(stand_in: &StandIn, id: &str) -> Value {
    let client = Client::of(stand_in);
    let path = format!("/api/session/{id}/form");
    let mut list = client.get(&path).await["data"].clone();
    if list.as_array().unwrap().is_empty() {
        let events = client.listen().await;
        list = client.get(&path).await["data"].clone();
        if list.as_array().unwrap().is_empty() {
            events.until_heard("form.created").await;
            list = client.get(&path).await["data"].clone();
        }
    }
    list[0].clone()
}

fn at(form: &Value, tail: &str) -> String {
    format!("/api/session/{}/form/{}{tail}", form["sessionID"].as_str().unwrap(), form["id"].as_str().unwrap())
}

const QUESTIONS: &str = "question Which colour?
: header Colour
: option Red | A red button
: option Blue
: closed
: and Which sizes?
: header Sizes
: option S
: option L
: multiple
say Thanks.";

#[tokio::test]
async fn questions_come_as_a_form() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, QUESTIONS);
    let form = pending(&stand_in, &id).await;
    assert_eq!((&form["title"], &form["metadata"]["kind"]), (&json!("Questions"), &json!("question")));
    let red = json!({ "value": "Red", "label": "Red", "description": "A red button" });
    let expected = json!([
        {
            "key": "q0", "title": "Colour", "description": "Which colour?", "type": "string", "custom": true,
            "options": [red, { "value": "Blue", "label": "Blue" }],
        },
        {
            "key": "q1", "title": "Sizes", "description": "Which sizes?", "type": "multiselect", "custom": true,
            "options": [{ "value": "S", "label": "S" }, { "value": "L", "label": "L" }],
        },
    ]);
    assert_eq!(form["fields"], expected);
    assert_eq!(client.get("/api/form").await["data"], json!([form]));
    let question = stand_in.world(gavel_stand_in::World::questions).remove(0);
    assert_eq!((json!(question.id), question.inquiries.len()), (form["id"].clone(), 2));
    let answer = json!({ "q0": "Green", "q1": ["S", "L"] });
    assert_eq!(client.post(&at(&form, "/reply"), json!({ "answer": answer })).await.0, 204);
    idle(&stand_in, &id).await;
    let told = stand_in.told(&id).concat();
    assert!(told.contains("\"Which colour?\"=\"Green\", \"Which sizes?\"=\"S, L\""), "{told}");
    let detail = client.get(&at(&form, "")).await["data"].clone();
    assert_eq!(detail["state"], json!({ "status": "answered", "answer": answer }));
    let heard = events.caught_up(&stand_in).await;
    assert_eq!(of_type(&heard, "form.created"), [json!({ "form": form })]);
    assert_eq!(of_type(&heard, "form.replied"), [json!({ "id": form["id"], "sessionID": id, "answer": answer })]);
    let tool = &form["metadata"]["tool"];
    let named = &of_type(&heard, "session.tool.input.started")[0];
    assert_eq!((&tool["id"], &tool["messageID"]), (&named["id"], &named["assistantMessageID"]));
}

#[tokio::test]
async fn questions_may_be_skipped() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, QUESTIONS);
    let form = pending(&stand_in, &id).await;
    assert_eq!(client.post(&at(&form, "/reply"), json!({ "answer": {} })).await.0, 204);
    idle(&stand_in, &id).await;
    assert!(stand_in.told(&id).concat().contains("\"Which colour?\"=\"Unanswered\""));
}

#[tokio::test]
async fn a_cancelled_form_ends_the_run_unless_there_is_a_reason() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    for (query, outcome, told) in
        [("", "interrupted", vec![]), ("?message=not%20now%2C+please", "succeeded", vec!["not now, please".to_owned()])]
    {
        let id = session(&stand_in, "question Why?\n: option So\nsay Well.");
        let form = pending(&stand_in, &id).await;
        assert_eq!(client.delete(&at(&form, query)).await.0, 204);
        idle(&stand_in, &id).await;
        assert_eq!(client.get(&format!("/api/session/{id}")).await["data"]["outcome"], outcome, "{query}");
        assert_eq!(stand_in.told(&id), told, "{query}");
        let state = client.get(&at(&form, "")).await["data"]["state"].clone();
        assert_eq!((&state["status"], state.get("message").is_some()), (&json!("cancelled"), !query.is_empty()));
        for (status, tag) in
            [client.delete(&at(&form, "")).await, client.post(&at(&form, "/reply"), json!({ "answer": {} })).await]
                .map(|(status, body)| (status, body["_tag"].clone()))
        {
            assert_eq!((status, tag), (409, json!("FormAlreadySettledError")));
        }
    }
    assert_eq!(of_type(&events.caught_up(&stand_in).await, "form.cancelled").len(), 2);
}

#[tokio::test]
async fn earlier_releases_cancel_by_another_route() {
    let stand_in = start_as(Switches { form_cancel: FormCancel::Post, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "question Why?\n: option So");
    let form = pending(&stand_in, &id).await;
    client.is_no_route(Method::DELETE, &at(&form, "")).await;
    assert_eq!(client.get(&at(&form, "")).await["data"]["state"]["status"], "pending");
    assert_eq!(client.post(&at(&form, "/cancel"), json!({})).await.0, 204);
    assert_eq!(client.post(&at(&form, "/cancel"), json!({})).await.0, 409);
    idle(&stand_in, &id).await;
    let stand_in = start().await;
    let id = session(&stand_in, "question Why?\n: option So");
    let form = pending(&stand_in, &id).await;
    Client::of(&stand_in).is_no_route(Method::POST, &at(&form, "/cancel")).await;
}

#[tokio::test]
async fn a_tool_may_raise_a_form_of_any_fields() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let script = r#"form Where to deploy
| {"key": "env", "type": "string", "options": [{"value": "prod", "label": "Production"}], "required": true}
| {"key": "sure", "type": "boolean", "when": [{"key": "env", "op": "eq", "value": "prod"}]}"#;
    let id = session(&stand_in, script);
    let form = pending(&stand_in, &id).await;
    assert_eq!((&form["title"], &form["fields"][1]["when"][0]["op"]), (&json!("Where to deploy"), &json!("eq")));
    assert_eq!(client.post(&at(&form, "/reply"), json!({ "answer": { "env": "prod", "sure": true } })).await.0, 204);
    idle(&stand_in, &id).await;
    assert_eq!(stand_in.told(&id), [r#"{"env":"prod","sure":true}"#]);
}

/// Fields of every kind, with every key.
fn all_fields() -> Value {
    let choices = json!([{ "value": "a", "label": "A", "description": "the first" }, { "value": "b", "label": "B" }]);
    json!([
        { "key": "mail", "type": "string", "title": "T", "description": "D", "format": "email", "required": true, "hidden": false },
        { "key": "short", "type": "string", "minLength": 2, "maxLength": 3, "placeholder": "P", "default": "ab" },
        { "key": "pattern", "type": "string", "pattern": "v\\d(?!\\d)" },
        { "key": "uri", "type": "string", "format": "uri" },
        { "key": "date", "type": "string", "format": "date" },
        { "key": "time", "type": "string", "format": "date-time" },
        { "key": "closed", "type": "string", "options": choices },
        { "key": "open", "type": "string", "options": choices, "custom": true },
        { "key": "number", "type": "number", "minimum": -1.5, "maximum": 2, "default": 0.5 },
        { "key": "integer", "type": "integer", "minimum": 1, "default": 1, "maximum": "Infinity" },
        { "key": "truth", "type": "boolean", "default": true },
        { "key": "several", "type": "multiselect", "options": choices, "minItems": 1, "maxItems": 2, "default": ["a"] },
        { "key": "free", "type": "multiselect", "options": choices, "custom": true },
        { "key": "needed", "type": "multiselect", "options": [], "custom": true, "required": true, "when": [{ "key": "truth", "op": "neq", "value": true }] },
        { "key": "dependent", "type": "string", "required": true, "when": [{ "key": "closed", "op": "eq", "value": "a" }, { "key": "integer", "op": "eq", "value": 1 }] },
        { "key": "member", "type": "boolean", "when": [{ "key": "several", "op": "eq", "value": "b" }] },
        { "key": "outsider", "type": "boolean", "when": [{ "key": "several", "op": "neq", "value": "b" }] },
        { "key": "elsewhere", "type": "external", "url": "https://example.com/sign", "title": "T", "description": "D" },
    ])
}

#[tokio::test]
async fn answers_are_checked_in_order_and_the_first_thing_wrong_is_said() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = stand_in.create_session(PROJECT, "A session");
    let path = format!("/api/session/{id}/form");
    let (status, created) =
        client.post(&path, json!({ "title": "All", "fields": all_fields(), "metadata": { "a": 1 } })).await;
    assert_eq!(status, 200, "{created}");
    let form = &created["data"];
    assert_eq!(form["fields"], all_fields());
    let fine = json!({ "mail": "a@b.cd", "elsewhere": true });
    for (more, message) in [
        (json!({ "nonsense": 1, "mail": 1 }), "Unknown form field: nonsense"),
        (json!({ "elsewhere": false }), "External form field must be acknowledged: elsewhere"),
        (json!({ "elsewhere": null }), "External form field must be acknowledged: elsewhere"),
        (json!({ "mail": null }), "Missing required form field: mail"),
        (json!({ "mail": "" }), "Missing required form field: mail"),
        (json!({ "mail": 1 }), "Expected string for form field: mail"),
        (json!({ "mail": "a@b" }), "Expected email for form field: mail"),
        (json!({ "mail": "a b@c.de" }), "Expected email for form field: mail"),
        (json!({ "short": "a" }), "Form field is too short: short"),
        (json!({ "short": "😀😀" }), "Form field is too long: short"),
        (json!({ "pattern": "v12" }), "Form field does not match pattern: pattern"),
        (json!({ "uri": "nowhere" }), "Expected URI for form field: uri"),
        (json!({ "date": "2026-02-29" }), "Expected date for form field: date"),
        (json!({ "time": "2026-02-28" }), "Expected date-time for form field: time"),
        (json!({ "time": "2026-02-28T24:00:00Z" }), "Expected date-time for form field: time"),
        (json!({ "closed": "c" }), "Invalid option for form field: closed"),
        (json!({ "number": "1" }), "Expected number for form field: number"),
        (json!({ "number": -2 }), "Form field is too small: number"),
        (json!({ "number": 2.5 }), "Form field is too large: number"),
        (json!({ "integer": 1.5 }), "Expected integer for form field: integer"),
        (json!({ "integer": 0 }), "Form field is too small: integer"),
        (json!({ "truth": "yes" }), "Expected boolean for form field: truth"),
        (json!({ "several": "a" }), "Expected string array for form field: several"),
        (json!({ "several": [] }), "Too few selections for form field: several"),
        (json!({ "several": ["a", "b", "a"] }), "Too many selections for form field: several"),
        (json!({ "several": ["c"] }), "Invalid option for form field: several"),
        (json!({ "truth": false }), "Missing required form field: needed"),
        (json!({ "truth": false, "needed": [] }), "Missing required form field: needed"),
        (json!({ "needed": ["x"] }), "Form field is not active: needed"),
        (json!({ "truth": true, "needed": ["x"] }), "Form field is not active: needed"),
        (json!({ "closed": "a", "integer": 1 }), "Missing required form field: dependent"),
        (json!({ "closed": "a", "dependent": "x" }), "Form field is not active: dependent"),
        (json!({ "several": ["a"], "member": true }), "Form field is not active: member"),
        (json!({ "several": ["b"], "outsider": true }), "Form field is not active: outsider"),
        (json!({ "member": true }), "Form field is not active: member"),
        (json!({ "outsider": true }), "Form field is not active: outsider"),
    ] {
        let mut answer = fine.clone();
        for (key, value) in more.as_object().unwrap() {
            if value.is_null() {
                answer.as_object_mut().unwrap().remove(key);
            } else {
                answer[key] = value.clone();
            }
        }
        let (status, refusal) = client.post(&at(form, "/reply"), json!({ "answer": answer })).await;
        let expected = json!({ "_tag": "FormInvalidAnswerError", "id": form["id"], "message": message });
        assert_eq!((status, refusal), (400, expected), "{answer}");
    }
    let answer = json!({
        "mail": "a@b.cd", "elsewhere": true, "short": "abc", "pattern": "xxv1", "uri": "https://a.b/c", "date": "2028-02-29",
        "time": "2026-11-30T07:35:16.733+01:00", "closed": "a", "open": "c", "number": 2, "integer": 1.0, "truth": false,
        "several": ["a", "b"], "free": ["x"], "needed": ["x"], "dependent": "x", "member": true,
    });
    assert_eq!(client.post(&at(form, "/reply"), json!({ "answer": answer })).await.0, 204);
    events.until_heard("form.replied").await;
    assert_eq!(client.get("/api/form").await["data"], json!([]));
}

#[tokio::test]
async fn what_makes_no_form_is_refused() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "A session");
    let path = format!("/api/session/{id}/form");
    let text = json!({ "key": "a", "type": "string" });
    let when = |key: &str, value: Value| json!({ "key": "b", "type": "boolean", "when": [{ "key": key, "op": "eq", "value": value }] });
    let closed = json!({ "key": "a", "type": "string", "options": [{ "value": "x", "label": "X" }] });
    let several = json!({ "key": "a", "type": "multiselect", "options": [{ "value": "x", "label": "X" }] });
    let external = json!({ "key": "a", "type": "external", "url": "https://example.com" });
    for fields in [
        json!([]),
        json!([text, text]),
        json!([{ "type": "string" }]),
        json!([{ "key": "a" }]),
        json!([{ "key": "a", "type": "colour" }]),
        json!([{ "key": "a", "type": "multiselect" }]),
        json!([{ "key": "a", "type": "external" }]),
        json!([{ "key": "a", "type": "string", "format": "phone" }]),
        json!([{ "key": "a", "type": "string", "minLength": -1 }]),
        json!([{ "key": "a", "type": "string", "pattern": "(" }]),
        json!([{ "key": "a", "type": "string", "default": 1 }]),
        json!([{ "key": "a", "type": "integer", "default": 1.5 }]),
        json!([{ "key": "a", "type": "string", "options": [{ "value": "x" }] }]),
        json!([when("a", json!("x"))]),
        json!([when("a", json!("x")), text]),
        json!([external, when("a", json!(true))]),
        json!([text, when("a", json!(1))]),
        json!([closed, when("a", json!("y"))]),
        json!([several, when("a", json!("y"))]),
        json!([{ "key": "a", "type": "integer" }, when("a", json!(1.5))]),
        json!([{ "key": "a", "type": "boolean" }, when("a", json!("true"))]),
        json!("none"),
    ] {
        let (status, refusal) = client.post(&path, json!({ "title": "Odd", "fields": fields })).await;
        assert_eq!((status, &refusal["_tag"]), (400, &json!("InvalidRequestError")), "{fields}");
    }
    for fine in [json!([closed, when("a", json!("x"))]), json!([several, when("a", json!("x"))])] {
        assert_eq!(client.post(&path, json!({ "title": "Fine", "fields": fine })).await.0, 200, "{fine}");
    }
    assert_eq!(client.post(&path, json!({ "fields": [text] })).await.0, 400);
    assert_eq!(client.post(&path, json!({ "title": "T", "fields": [text], "id": "x" })).await.0, 400);
}

#[tokio::test]
async fn forms_have_names_and_owners() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(OTHER, "A session");
    let body = json!({ "id": "frm_mine", "title": "T", "fields": [{ "key": "a", "type": "boolean" }] });
    let path = format!("/api/session/{id}/form");
    assert_eq!(client.post(&path, body.clone()).await.1["data"]["id"], "frm_mine");
    let (status, refusal) = client.post(&path, body.clone()).await;
    assert_eq!((status, &refusal["_tag"]), (409, &json!("ConflictError")));
    let there = format!("/api/form?location%5Bdirectory%5D={}", encoded(OTHER));
    assert_eq!(client.get(&there).await["data"].as_array().unwrap().len(), 1);
    assert_eq!(client.get("/api/form").await["data"], json!([]));
    let another = stand_in.create_session(OTHER, "Another");
    for (owner, form, tag) in [
        (another.as_str(), "frm_mine", "FormNotFoundError"),
        (id.as_str(), "frm_none", "FormNotFoundError"),
        ("ses_none", "frm_mine", "SessionNotFoundError"),
    ] {
        let one = format!("/api/session/{owner}/form/{form}");
        for (status, found) in [
            client.call(Method::GET, &one, None).await,
            client.delete(&one).await,
            client.post(&format!("{one}/reply"), json!({ "answer": {} })).await,
        ] {
            assert_eq!((status, &found["_tag"]), (404, &json!(tag)), "{one}");
        }
    }
    // A form that belongs to no session.
    let (status, global) = client
        .post("/api/session/global/form", json!({ "title": "G", "fields": [{ "key": "a", "type": "boolean" }] }))
        .await;
    assert_eq!((status, &global["data"]["sessionID"]), (200, &json!("global")));
    assert_eq!(client.get("/api/session/global/form").await["data"], json!([global["data"]]));
    assert_eq!(client.get("/api/form").await["data"], json!([global["data"]]));
    for body in
        [json!({}), json!({ "answer": 1 }), json!({ "answer": { "a": null } }), json!({ "answer": { "a": [1] } })]
    {
        let (status, refusal) = client.post(&at(&global["data"], "/reply"), body.clone()).await;
        assert_eq!((status, &refusal["_tag"]), (400, &json!("InvalidRequestError")), "{body}");
    }
    assert_eq!(client.post(&at(&global["data"], "/reply"), json!({ "answer": { "a": true } })).await.0, 204);
    assert!(stand_in.delete(&id));
    until(&stand_in, "nothing", |world| world.questions().is_empty()).await;
    assert_eq!(client.get(&there).await["data"], json!([]));
}

#[tokio::test]
async fn an_interrupted_run_cancels_its_form() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "question Why?\n: option So\nshell after");
    let form = pending(&stand_in, &id).await;
    stand_in.abort(&id).await;
    let told = of_type(&events.caught_up(&stand_in).await, "form.cancelled");
    assert_eq!(told, [json!({ "id": form["id"], "sessionID": id })]);
    assert_eq!(client.post(&at(&form, "/reply"), json!({ "answer": {} })).await.0, 409);
    assert!(ran(&stand_in).is_empty());
}
