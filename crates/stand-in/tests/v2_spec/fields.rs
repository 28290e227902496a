//! The fields of forms: what makes one, and what is taken as an answer.

use serde_json::{Value, json};

use crate::client::{Client, PROJECT, start};
use crate::forms::at;

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

/// The cases that the core and the window are held against as well.
#[tokio::test]
async fn answers_are_taken_or_not_as_the_shared_cases_say() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "A session");
    let path = format!("/api/session/{id}/form");
    let cases: Value = serde_json::from_str(include_str!("../../../../tests/fixtures/forms.json")).unwrap();
    for form in cases["forms"].as_array().unwrap() {
        let create = || client.post(&path, json!({ "title": "Form", "fields": form["fields"] }));
        let (status, mut created) = create().await;
        assert_eq!(status, 200, "{created}");
        for case in form["cases"].as_array().unwrap() {
            let Some(answer) = case.get("answer").or(case.get("sends")).or(case.get("given")) else { panic!("{case}") };
            let (status, said) = client.post(&at(&created["data"], "/reply"), json!({ "answer": answer })).await;
            match case["says"].get(0) {
                Some(message) => assert_eq!((status, &said["message"]), (400, message), "{}: {case}", form["name"]),
                None => {
                    assert_eq!(status, 204, "{}: {case}: {said}", form["name"]);
                    created = create().await.1;
                }
            }
        }
    }
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
