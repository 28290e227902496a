//! Everything once: each route, each way to say no, each kind of event. Whether they fit the schema is seen on the way;
//! here it is seen that nothing was left out.

use std::collections::BTreeSet;

use gavel_stand_in::{FormCancel, Options, SessionRules, StandIn, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, PROJECT, ask, asks, idle, rule, session, start_as};
use crate::schema::{Body, ROUTES, event_types};

/// Refusals that no route of the contract gives.
const NEVER: [&str; 1] = ["ForbiddenError"];

const TAGS: [&str; 17] = [
    "InvalidRequestError",
    "UnauthorizedError",
    "ForbiddenError",
    "ConflictError",
    "SessionNotFoundError",
    "PermissionNotFoundError",
    "PermissionSavedNotFoundError",
    "FormNotFoundError",
    "FormAlreadySettledError",
    "FormInvalidAnswerError",
    "LocationNotFoundError",
    "AgentNotFoundError",
    "ProviderNotFoundError",
    "MessageNotFoundError",
    "InvalidCursorError",
    "ServiceUnavailableError",
    "UnknownError",
];

#[tokio::test]
async fn no_route_no_refusal_and_no_event_is_left_out() {
    let stand_in = StandIn::start(Options { password: Some("s3cret".to_owned()), ..Options::v2(Switches::default()) });
    let stand_in = stand_in.await.unwrap();
    let client = Client { password: Some("s3cret".to_owned()), ..Client::of(&stand_in) };
    let events = client.listen().await;
    let id = work(&stand_in, &client).await;
    look(&client, &id).await;
    let said = refusals(&stand_in, &client, &id).await;
    let expected: BTreeSet<String> =
        TAGS.iter().filter(|tag| !NEVER.contains(tag)).map(|tag| (*tag).to_owned()).collect();
    assert_eq!(said, expected);
    assert_eq!(client.delete(&format!("/api/session/{id}")).await.0, 204);
    stand_in.dispose(PROJECT).await;
    stand_in.configure(Vec::new());
    stand_in.set_agent("reviewer", Vec::new());
    let heard = events.caught_up(&stand_in).await;
    let kinds: BTreeSet<&str> = heard.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let missing: Vec<String> = event_types().into_iter().filter(|kind| !kinds.contains(kind.as_str())).collect();
    assert_eq!(missing, Vec::<String>::new());

    // The routes of other releases.
    let others = Switches { form_cancel: FormCancel::Post, session_rules: SessionRules::Post, ..Switches::default() };
    let stand_in = start_as(others).await;
    let other = Client { seen: client.seen.clone(), ..Client::of(&stand_in) };
    let id = stand_in.create_session(PROJECT, "A session");
    other.post(&format!("/api/session/{id}/permissions"), json!({ "permissions": [] })).await;
    let form = json!({ "id": "frm_1", "title": "T", "fields": [{ "key": "a", "type": "boolean" }] });
    other.post(&format!("/api/session/{id}/form"), form).await;
    other.post(&format!("/api/session/{id}/form/frm_1/cancel"), json!({})).await;

    let seen = client.seen.lock().unwrap().clone();
    let is_open = |(method, path, body): &&(&str, &str, Body)| {
        let fine = if matches!(body, Body::Empty) { 204 } else { 200 };
        !matches!(body, Body::Events) && !seen.contains(&((*method).to_owned(), (*path).to_owned(), fine))
    };
    let unseen: Vec<_> = ROUTES.iter().filter(is_open).map(|(method, path, _)| format!("{method} {path}")).collect();
    assert_eq!(unseen, Vec::<String>::new());
}

/// Sessions that ask, work, fail and are stopped; gives the one that is left.
async fn work(stand_in: &StandIn, client: &Client) -> String {
    let model = json!({ "id": "m", "providerID": "p", "variant": "high" });
    let body = json!({
        "title": "T", "agent": "build", "model": model, "metadata": { "a": 1 }, "permissions": [rule("glob", "*", "ask")],
    });
    let id = client.create(body).await["id"].as_str().unwrap().to_owned();
    let path = format!("/api/session/{id}");
    client.patch(&path, json!({ "title": "New", "metadata": {}, "archived": true, "permissions": [] })).await;
    for (route, body) in [
        ("agent", json!({ "agent": "plan" })),
        ("agent", json!({ "agent": "build" })),
        ("model", json!({ "model": model })),
        ("synthetic", json!({ "text": "N", "description": "D", "metadata": {}, "delivery": "steer", "resume": false })),
        ("generate", json!({ "prompt": "P" })),
    ] {
        client.post(&format!("{path}/{route}"), body).await;
    }
    let script = "say I try.\nretry 1 overloaded\nshell ls\n: output a\nwrite a.txt\n| a\nagent Look\n> say Seen.\nread x\n: output x";
    client.post(&format!("{path}/prompt"), json!({ "text": script, "metadata": {} })).await;
    client.decide(&ask(stand_in).await, "always").await;
    let pending = loop {
        let pending = asks(stand_in, 1).await.remove(0);
        if pending.permission == "edit" {
            break pending;
        }
    };
    let one = client.get(&format!("{path}/permission/{}", pending.id)).await;
    assert_eq!(client.get(&format!("{path}/permission")).await["data"], json!([one["data"]]));
    assert_eq!(client.get("/api/permission/request").await["data"], json!([one["data"]]));
    client.get("/api/session/active").await;
    client.decide(&pending, "once").await;
    client.post(&format!("/api/experimental/session/{id}/wait"), json!({})).await;
    idle(stand_in, &id).await;
    for (script, answer) in [("shell rm x", json!({ "decision": "reject" })), ("fail 429 slow down", Value::Null)] {
        let other = session(stand_in, script);
        if answer.is_object() {
            client.reply(&ask(stand_in).await, answer).await;
        }
        idle(stand_in, &other).await;
        client.get(&format!("/api/session/{other}")).await;
        client.get(&format!("/api/session/{other}/message")).await;
    }
    let other = session(stand_in, "shell rm x\n: in /home/dev/elsewhere");
    ask(stand_in).await;
    client.post(&format!("/api/session/{other}/interrupt"), json!({})).await;
    client.post(&format!("/api/session/{other}/move"), json!({ "directory": format!("{PROJECT}/deep") })).await;
    client.post(&format!("{path}/fork"), json!({})).await;
    let field = json!({ "key": "a", "type": "boolean" });
    for (name, message) in [("frm_1", None), ("frm_2", Some("?message=no")), ("frm_3", None)] {
        client
            .post(&format!("{path}/form"), json!({ "id": name, "title": "T", "fields": [field], "metadata": {} }))
            .await;
        let form = format!("{path}/form/{name}");
        match message {
            Some(message) => client.delete(&format!("{form}{message}")).await,
            None if name == "frm_1" => client.post(&format!("{form}/reply"), json!({ "answer": { "a": true } })).await,
            None => (200, Value::Null),
        };
        client.get(&form).await;
    }
    client.effect(&id, json!({ "action": "shell", "resources": ["rm x"], "metadata": { "a": 1 } })).await;
    id
}

async fn look(client: &Client, id: &str) {
    for path in [
        "info",
        "location",
        "agent",
        "agent/build",
        "provider",
        "provider/stand-in",
        "model/default",
        "form",
        "session",
    ] {
        client.get(&format!("/api/{path}")).await;
    }
    for path in ["context", "form", "inbox", "message", "permission"] {
        client.get(&format!("/api/session/{id}/{path}")).await;
    }
    let messages = client.get(&format!("/api/session/{id}/message?limit=200")).await;
    for message in messages["data"].as_array().unwrap() {
        client.get(&format!("/api/session/{id}/message/{}", message["id"].as_str().unwrap())).await;
    }
    let saved = client.get("/api/permission/saved").await;
    let approval = format!("/api/permission/saved/{}", saved["data"][0]["id"].as_str().unwrap());
    client.patch(&approval, json!({ "resource": "ls -la" })).await;
    client.delete(&approval).await;
}

/// Every way to say no; gives their tags.
async fn refusals(stand_in: &StandIn, client: &Client, id: &str) -> BTreeSet<String> {
    let path = format!("/api/session/{id}");
    let nowhere = "?location%5Bdirectory%5D=/nowhere";
    stand_in.set_generated(None);
    let answer = Some(json!({ "answer": {} }));
    let all = [
        (Method::GET, "/api/session/nope".to_owned(), None),
        (Method::GET, "/api/session/ses_none".to_owned(), None),
        (Method::GET, format!("{path}/permission/per_none"), None),
        (Method::PATCH, "/api/permission/saved/psv_none".to_owned(), Some(json!({}))),
        (Method::GET, format!("{path}/form/frm_none"), None),
        (Method::POST, format!("{path}/form/frm_1/reply"), answer),
        (Method::POST, format!("{path}/form/frm_3/reply"), Some(json!({ "answer": { "b": true } }))),
        (
            Method::POST,
            format!("{path}/form"),
            Some(json!({ "id": "frm_1", "title": "T", "fields": [{ "key": "a", "type": "boolean" }] })),
        ),
        (Method::GET, format!("/api/permission/request{nowhere}"), None),
        (Method::GET, "/api/agent/none".to_owned(), None),
        (Method::GET, "/api/provider/none".to_owned(), None),
        (Method::GET, format!("{path}/message/msg_none"), None),
        (Method::GET, "/api/session?cursor=none".to_owned(), None),
        (Method::POST, format!("{path}/generate"), Some(json!({ "prompt": "P" }))),
    ];
    let mut tags = BTreeSet::new();
    for (method, path, body) in all {
        let (status, refusal) = client.call(method, &path, body.as_ref()).await;
        assert!(status >= 400, "{path} gave {refusal}");
        tags.insert(refusal["_tag"].as_str().unwrap().to_owned());
    }
    let (_, broken) = client.call_with(Method::POST, "/api/session", &[], Some("{".to_owned())).await;
    tags.insert(broken["_tag"].as_str().unwrap().to_owned());
    let stranger = Client { password: None, ..client.clone() };
    tags.insert(stranger.call(Method::GET, "/api/info", None).await.1["_tag"].as_str().unwrap().to_owned());
    tags
}
