//! What is said to agents, and when they hear it.

use serde_json::{Value, json};

use crate::client::{Client, PROJECT, ask, asks, idle, names, of_type, ran, session, start, until};

fn note(text: &str, delivery: &str) -> Value {
    json!({ "text": text, "description": "declined", "delivery": delivery, "resume": false })
}

#[tokio::test]
async fn a_note_that_steers_is_heard_at_the_next_step() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "shell touch a\ninstead\n> say So be it.");
    let pending = ask(&stand_in).await;
    let path = format!("/api/session/{id}/synthetic");
    let (status, answer) = client.post(&path, note("The user declined `touch a`: do not retry it.", "steer")).await;
    assert_eq!(
        (status, &answer["data"]["type"], &answer["data"]["delivery"]),
        (200, &json!("synthetic"), &json!("steer"))
    );
    assert_eq!(client.get(&format!("/api/session/{id}/inbox")).await["data"], json!([answer["data"]]));
    assert_eq!(client.reply(&pending, json!({ "decision": "reject", "message": "no" })).await.0, 204);
    idle(&stand_in, &id).await;
    let told = ["Unable to execute command: touch a", "The user declined `touch a`: do not retry it."];
    assert_eq!(stand_in.told(&id), told);
    assert_eq!(client.get(&format!("/api/session/{id}/inbox")).await["data"], json!([]));
    let heard = events.caught_up(&stand_in).await;
    let order: Vec<&str> =
        names(&heard).into_iter().filter(|name| name.contains("inbox") || name.contains("synthetic")).collect();
    assert_eq!(
        order,
        [
            "session.inbox.enqueued",
            "session.inbox.delivered",
            "session.inbox.enqueued",
            "session.inbox.delivered",
            "session.synthetic"
        ]
    );
    let messages = client.get(&format!("/api/session/{id}/message?type=synthetic")).await;
    assert_eq!((&messages["data"][0]["text"], &messages["data"][0]["id"]), (&json!(told[1]), &answer["data"]["id"]));
}

#[tokio::test]
async fn a_note_to_a_run_that_stops_waits_for_the_next() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell touch a");
    let pending = ask(&stand_in).await;
    client.post(&format!("/api/session/{id}/synthetic"), note("Leave it.", "steer")).await;
    client.decide(&pending, "reject").await;
    idle(&stand_in, &id).await;
    assert!(stand_in.told(&id).is_empty());
    stand_in.prompt(&id, "say Yes?").unwrap();
    until(&stand_in, "the note", |world| world.told(&id).contains(&"Leave it.".to_owned())).await;
}

#[tokio::test]
async fn a_note_wakes_a_session_only_if_it_shall() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "A session");
    let path = format!("/api/session/{id}/synthetic");
    client.post(&path, note("Quietly.", "steer")).await;
    assert_eq!(client.get("/api/session/active").await, json!({ "data": {} }));
    assert!(stand_in.told(&id).is_empty());
    let metadata = json!({ "by": "a test" });
    client.post(&path, json!({ "text": "Wake up.", "delivery": "queue", "resume": true, "metadata": metadata })).await;
    until(&stand_in, "both notes", |world| world.told(&id).len() == 2).await;
    idle(&stand_in, &id).await;
    let messages = client.get(&format!("/api/session/{id}/context")).await;
    let kinds: Vec<&str> =
        messages["data"].as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert!(
        kinds.contains(&"assistant") && kinds.iter().filter(|kind| **kind == "synthetic").count() == 2,
        "{kinds:?}"
    );
}

#[tokio::test]
async fn prompts_wait_in_the_inbox() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell a");
    let pending = ask(&stand_in).await;
    let path = format!("/api/session/{id}/prompt");
    let body =
        json!({ "id": "msg_mine", "text": "Then b.\n---\nshell b", "delivery": "queue", "metadata": { "n": 1 } });
    let (status, answer) = client.post(&path, body.clone()).await;
    assert_eq!(
        (status, &answer["data"]["payload"]["text"], &answer["data"]["id"]),
        (200, &json!("Then b."), &json!("msg_mine"))
    );
    assert_eq!(client.get(&format!("/api/session/{id}/inbox")).await["data"].as_array().unwrap().len(), 1);
    let users = format!("/api/session/{id}/message?type=user&order=desc&limit=1");
    assert_eq!(client.get(&users).await["data"][0]["text"], "shell a");
    let (status, refusal) = client.post(&path, body.clone()).await;
    assert_eq!((status, &refusal["_tag"]), (409, &json!("ConflictError")));
    client.decide(&pending, "once").await;
    until(&stand_in, "the second request", |world| world.pending().iter().any(|ask| ask.patterns == ["b"])).await;
    let last = client.get(&users).await["data"][0].clone();
    assert_eq!(
        (&last["text"], &last["id"], &last["metadata"]),
        (&json!("Then b."), &json!("msg_mine"), &json!({ "n": 1 }))
    );
    assert_eq!(client.post(&path, body).await.0, 409);
    client.decide(&asks(&stand_in, 1).await[0], "once").await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["a", "b"]);
}

#[tokio::test]
async fn what_is_wrong_is_refused_once_the_session_is_found() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "A session");
    for route in ["prompt", "synthetic"] {
        let path = format!("/api/session/{id}/{route}");
        for body in [
            json!({}),
            json!({ "text": 1 }),
            json!({ "text": "a", "delivery": "soon" }),
            json!({ "text": "a", "resume": "no" }),
            json!({ "text": "a", "id": "x" }),
            json!({ "text": "a", "metadata": [] }),
            json!({ "text": "a", "metadata": null }),
        ] {
            assert_eq!(client.post(&path, body.clone()).await.0, 400, "{body}");
        }
        assert_eq!(client.post(&format!("/api/session/ses_none/{route}"), json!({})).await.0, 404);
        assert_eq!(client.post(&format!("/api/session/x/{route}"), json!({ "text": "a" })).await.0, 400);
        let quiet = json!({ "text": "say hi", "id": null, "delivery": null, "resume": false });
        assert_eq!(client.post(&path, quiet).await.1["data"]["delivery"], "steer");
    }
}

#[tokio::test]
async fn a_script_that_is_none_is_answered_with_that() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = stand_in.create_session(PROJECT, "A session");
    client.post(&format!("/api/session/{id}/prompt"), json!({ "text": "dance now" })).await;
    events.until_heard("session.execution.succeeded").await;
    let last = client.get(&format!("/api/session/{id}/message?type=assistant")).await;
    let said = last["data"][0]["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("`dance` is no step"), "{said}");
    assert!(!of_type(&events.heard(), "session.text.delta").is_empty(), "words come piece by piece");
}
