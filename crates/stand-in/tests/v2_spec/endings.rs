//! What becomes of requests whose run ends before they are answered.

use reqwest::Method;
use serde_json::{Value, json};

use gavel_stand_in::Switches;

use crate::client::{Client, OTHER, PROJECT, ask, asks, idle, names, of_type, ran, session, start, start_as, until};

/// Nothing is pending, each request was rejected in front of everybody, and nothing ran.
fn all_rejected(heard: &[Value], ids: &[String]) {
    let replies = of_type(heard, "permission.replied");
    let told: Vec<&str> = replies.iter().map(|reply| reply["requestID"].as_str().unwrap()).collect();
    for id in ids {
        assert_eq!(told.iter().filter(|told| *told == id).count(), 1, "{id} among {told:?}");
    }
    assert!(replies.iter().all(|reply| reply["reply"] == "reject"), "{replies:?}");
}

#[tokio::test]
async fn an_interrupted_run_leaves_nothing() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "shell a\n+ shell b");
    let ids: Vec<String> = asks(&stand_in, 2).await.into_iter().map(|ask| ask.id).collect();
    let path = format!("/api/session/{id}/interrupt");
    assert_eq!(client.post(&path, json!({})).await.1, json!({ "interrupted": true }));
    assert_eq!(client.get("/api/permission/request").await["data"], json!([]));
    let heard = events.caught_up(&stand_in).await;
    all_rejected(&heard, &ids);
    assert_eq!(of_type(&heard, "session.execution.interrupted"), [json!({ "sessionID": id, "reason": "user" })]);
    assert_eq!(names(&heard).iter().rev().take(2).collect::<Vec<_>>(), [&"session.idle", &"session.status"]);
    let late = format!("/api/session/{id}/permission/{}/reply", ids[0]);
    assert_eq!(client.post(&late, json!({ "decision": "once" })).await.0, 404);
    assert_eq!(client.post(&path, json!({})).await.1, json!({ "interrupted": false }));
    assert!(ran(&stand_in).is_empty());
    stand_in.prompt(&id, "say again").unwrap();
    idle(&stand_in, &id).await;
}

#[tokio::test]
async fn an_interruption_takes_the_sub_agents_along() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "agent One\n> agent Two\n> > shell deep");
    let deep = ask(&stand_in).await;
    stand_in.abort(&id).await;
    let heard = events.caught_up(&stand_in).await;
    all_rejected(&heard, &[deep.id]);
    assert_eq!(of_type(&heard, "session.execution.interrupted").len(), 3);
    assert_eq!(client.get("/api/session/active").await, json!({ "data": {} }));
}

#[tokio::test]
async fn an_interrupted_sub_agent_fails_its_call_and_no_more() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "agent One\n> shell deep\nshell after");
    let deep = ask(&stand_in).await;
    assert_eq!(
        client.post(&format!("/api/session/{}/interrupt", deep.session), json!({})).await.1["interrupted"],
        true
    );
    until(&stand_in, "the parent's next request", |world| world.pending().iter().any(|ask| ask.patterns == ["after"]))
        .await;
    client.decide(&ask(&stand_in).await, "once").await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["One", "after"]);
}

#[tokio::test]
async fn a_deleted_session_takes_its_children_and_their_requests_along() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "agent One\n> shell deep\n+ shell shallow");
    let pending = asks(&stand_in, 2).await;
    let child = pending.iter().find(|ask| ask.session != id).unwrap().session.clone();
    assert_eq!(client.delete(&format!("/api/session/{id}")).await.0, 204);
    let heard = events.caught_up(&stand_in).await;
    all_rejected(&heard, &pending.iter().map(|ask| ask.id.clone()).collect::<Vec<_>>());
    let deleted = of_type(&heard, "session.deleted");
    assert_eq!(deleted, [json!({ "sessionID": child }), json!({ "sessionID": id })]);
    assert_eq!(client.delete(&format!("/api/session/{id}")).await.0, 404);
    for gone in [&id, &child] {
        let (status, body) = client.call(Method::GET, &format!("/api/session/{gone}/permission"), None).await;
        assert_eq!((status, &body["_tag"]), (404, &json!("SessionNotFoundError")));
    }
    assert!(stand_in.pending().is_empty());
}

#[tokio::test]
async fn a_request_of_a_client_goes_with_its_session() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = stand_in.create_session(PROJECT, "A session");
    assert_eq!(client.effect(&id, json!({ "action": "shell", "resources": ["ls"] })).await, "ask");
    let pending = ask(&stand_in).await;
    assert!(stand_in.delete(&id));
    all_rejected(&events.caught_up(&stand_in).await, &[pending.id]);
}

#[tokio::test]
async fn a_location_that_shuts_down_answers_all_of_its_requests_and_forms() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    session(&stand_in, "shell a");
    session(&stand_in, "question Why?\n: option So");
    let idle_one = stand_in.create_session(PROJECT, "Idle");
    client.effect(&idle_one, json!({ "action": "shell", "resources": ["ls"] })).await;
    let there = stand_in.create_session(OTHER, "There");
    stand_in.prompt(&there, "shell far").unwrap();
    let pending = asks(&stand_in, 3).await;
    events.until_heard("form.created").await;
    stand_in.dispose(PROJECT).await;
    let heard = events.caught_up(&stand_in).await;
    let here: Vec<String> = pending.iter().filter(|ask| ask.directory == PROJECT).map(|ask| ask.id.clone()).collect();
    all_rejected(&heard, &here);
    assert_eq!(of_type(&heard, "form.cancelled").len(), 1);
    let ends = of_type(&heard, "session.execution.interrupted");
    assert!(ends.len() == 2 && ends.iter().all(|end| end["reason"] == "shutdown"), "{ends:?}");
    let shutdown = heard.iter().find(|event| event["type"] == "location.shutdown").unwrap();
    assert_eq!(shutdown["location"]["directory"], json!(PROJECT));
    assert_eq!(stand_in.pending().len(), 1);
}

#[tokio::test]
async fn an_interruption_may_be_silent_about_requests_and_forms() {
    let stand_in = start_as(Switches { tells_endings: false, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let (first, second) = (session(&stand_in, "shell a"), session(&stand_in, "question Why?\n: option So"));
    let deleted = session(&stand_in, "shell b");
    let pending = asks(&stand_in, 2).await;
    events.until_heard("form.created").await;
    stand_in.abort(&first).await;
    stand_in.abort(&second).await;
    assert!(stand_in.delete(&deleted));
    assert_eq!(client.get("/api/permission/request").await["data"], json!([]));
    assert_eq!(client.get("/api/form").await["data"], json!([]));
    let asked = pending.iter().find(|ask| ask.session == first).unwrap();
    assert_eq!(client.reply(asked, json!({ "decision": "once" })).await.0, 404);
    let heard = events.caught_up(&stand_in).await;
    assert!(of_type(&heard, "permission.replied").is_empty() && of_type(&heard, "form.cancelled").is_empty());
    assert_eq!(of_type(&heard, "session.execution.interrupted").len(), 3);
    assert!(ran(&stand_in).is_empty());
}

#[tokio::test]
async fn a_killed_server_comes_back_without_requests_and_forms() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell a");
    session(&stand_in, "question Why?\n: option So");
    ask(&stand_in).await;
    until(&stand_in, "question", |world| !world.questions().is_empty()).await;
    stand_in.kill().await;
    stand_in.restart().await.unwrap();
    assert_eq!(client.get("/api/permission/request").await["data"], json!([]));
    assert_eq!(client.get("/api/form").await["data"], json!([]));
    assert_eq!(client.get("/api/session/active").await, json!({ "data": {} }));
    client.get(&format!("/api/session/{id}")).await;
    stand_in.prompt(&id, "shell b").unwrap();
    client.decide(&ask(&stand_in).await, "once").await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["b"]);
}

#[tokio::test]
async fn a_model_that_fails_ends_the_run_with_that() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "retry 5 overloaded\nfail 401 no credit left");
    events.until_heard("session.execution.failed").await;
    idle(&stand_in, &id).await;
    let heard = events.caught_up(&stand_in).await;
    let error = &of_type(&heard, "session.execution.failed")[0]["error"];
    assert_eq!((&error["message"], &error["status"]), (&json!("no credit left"), &json!(401)));
    let kinds: Vec<Value> =
        of_type(&heard, "session.status").into_iter().map(|data| data["status"]["type"].clone()).collect();
    assert_eq!(kinds, ["busy", "retry", "busy", "idle"]);
    let last = client.get(&format!("/api/session/{id}/message?order=desc&limit=2")).await;
    assert_eq!((&last["data"][0]["outcome"], &last["data"][0]["error"]["status"]), (&json!("failed"), &json!(401)));
    assert_eq!(last["data"][1]["error"]["message"], "no credit left");
}
