//! Forms: raised by tools and by clients, answered, cancelled, and what is no answer.

use gavel_stand_in::{FormCancel, StandIn, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, encoded, idle, of_type, ran, session, start, start_as, until};

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

pub fn at(form: &Value, tail: &str) -> String {
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
