//! Requests whose run is over: they stay listed, and what a late answer does depends on how the run ended.

use gavel_stand_in::{Options, Status};
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, asks, idle, names, payload, ran, session, start, start_with, until};

#[tokio::test]
async fn an_aborted_run_leaves_its_request_listed_and_approving_it_runs_nothing() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch ab.txt");
    let pending = ask(&stand_in).await;
    let before = events.caught_up(&stand_in).await;
    assert_eq!(client.post(&format!("/session/{id}/abort"), Value::Null).await, (200, json!(true)));
    events.until_heard(2, "session.idle").await;
    assert_eq!(
        names(&events.heard()[before..]),
        [
            "session.error",
            "session.status",
            "session.idle",
            "message.part.updated",
            "message.updated",
            "session.status",
            "session.idle",
        ]
    );
    let error = json!({ "name": "MessageAbortedError", "data": { "message": "Aborted" } });
    assert_eq!(events.of_type("session.error"), [json!({ "sessionID": id, "error": error })]);
    let part = events.of_type("message.part.updated").pop().unwrap();
    assert_eq!(part["part"]["state"]["error"], "Tool execution aborted");
    assert_eq!(part["part"]["state"]["metadata"], json!({ "interrupted": true }));
    assert_eq!(client.get(&format!("/permission?directory={PROJECT}")).await[0]["id"], pending.id);
    assert_eq!(client.get(&format!("/session/status?directory={PROJECT}")).await, json!({}));
    assert!(!stand_in.world(|world| world.is_awaited(&pending.id)));
    client.allow(&pending.id).await;
    events.until_heard(1, "permission.replied").await;
    assert!(stand_in.pending().is_empty() && stand_in.executed().is_empty());
    events.caught_up(&stand_in).await;
    assert_eq!(names(&events.heard()).last().map(String::as_str), Some("permission.replied"), "nothing follows");
}

#[tokio::test]
async fn a_later_reject_in_the_session_sweeps_its_zombie() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch ab3.txt");
    let zombie = ask(&stand_in).await;
    stand_in.abort(&id).await;
    stand_in.prompt(&id, "shell touch ab4.txt").unwrap();
    let fresh = asks(&stand_in, 2).await.remove(1);
    client.reply(&fresh.id, json!({ "reply": "reject" })).await;
    idle(&stand_in, &id).await;
    events.until_heard(2, "permission.replied").await;
    let replied: Vec<Value> = events.of_type("permission.replied").iter().map(|one| one["requestID"].clone()).collect();
    assert_eq!(replied, [json!(fresh.id), json!(zombie.id)]);
    assert!(stand_in.pending().is_empty());
}

#[tokio::test]
async fn approving_a_deleted_session_runs_the_tool_and_then_the_database_fails() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch del.txt\nshell touch never.txt");
    let pending = ask(&stand_in).await;
    let deleted = client.call(reqwest::Method::DELETE, &format!("/session/{id}"), None).await;
    assert_eq!(deleted, (200, json!(true)));
    let missing = json!({ "name": "NotFoundError", "data": { "message": format!("Session not found: {id}") } });
    assert_eq!(client.call(reqwest::Method::GET, &format!("/session/{id}"), None).await, (404, missing.clone()));
    assert_eq!(client.get(&format!("/permission?directory={PROJECT}")).await[0]["id"], pending.id);
    let status = client.get(&format!("/session/status?directory={PROJECT}")).await;
    assert_eq!(status, json!({ id.as_str(): { "type": "busy" } }), "it is still at work");
    let older = format!("/session/{id}/permissions/{}", pending.id);
    assert_eq!(client.post(&older, json!({ "response": "once" })).await, (404, missing));
    events.until_heard(1, "session.deleted").await;
    let before = events.caught_up(&stand_in).await;
    client.allow(&pending.id).await;
    idle(&stand_in, &id).await;
    events.until_heard(1, "session.idle").await;
    assert_eq!(ran(&stand_in), ["touch del.txt"]);
    assert_eq!(
        names(&events.heard()[before..]),
        [
            "permission.replied",
            "session.status",
            "session.error",
            "session.status",
            "session.idle",
            "session.status",
            "session.idle"
        ]
    );
    assert_eq!(events.of_type("session.error")[0]["error"]["name"], "UnknownError");
    let retried = |status: &Value| status["status"]["type"] == "retry";
    assert!(events.of_type("session.status").iter().any(retried));
    assert_eq!(client.get(&format!("/session/status?directory={PROJECT}")).await, json!({}));
}

#[tokio::test]
async fn rejecting_a_deleted_session_runs_nothing() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell touch del3.txt");
    let pending = ask(&stand_in).await;
    assert!(stand_in.delete(&id));
    assert_eq!(client.reply(&pending.id, json!({ "reply": "reject" })).await, (200, json!(true)));
    idle(&stand_in, &id).await;
    assert!(stand_in.executed().is_empty() && stand_in.pending().is_empty());
    assert_eq!(client.get(&format!("/session/status?directory={PROJECT}")).await, json!({}));
    assert!(!stand_in.delete(&id), "it is gone already");
}

#[tokio::test]
async fn a_disposed_directory_forgets_its_requests_and_grants() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let granted = session(&stand_in, "shell cat a");
    client.reply(&ask(&stand_in).await.id, json!({ "reply": "always" })).await;
    idle(&stand_in, &granted).await;
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch disp.txt");
    let pending = ask(&stand_in).await;
    let elsewhere = stand_in.create_session(OTHER, "Elsewhere");
    stand_in.prompt(&elsewhere, "shell ls").unwrap();
    let kept = asks(&stand_in, 2).await.remove(1);
    let path = format!("/instance/dispose?directory={PROJECT}");
    assert_eq!(client.post(&path, Value::Null).await, (200, json!(true)));
    events.until_heard(1, "server.instance.disposed").await;
    assert_eq!(events.of_type("server.instance.disposed"), [json!({ "directory": PROJECT })]);
    assert_eq!(names(&events.heard()).last().map(String::as_str), Some("server.instance.disposed"));
    assert_eq!(events.of_type("session.error")[0]["sessionID"], json!(id));
    assert!(events.of_type("permission.replied").is_empty());
    assert_eq!(client.get(&format!("/permission?directory={PROJECT}")).await, json!([]));
    assert_eq!(client.reply(&pending.id, json!({ "reply": "once" })).await.0, 404);
    assert_eq!(ask(&stand_in).await.id, kept.id, "another directory's requests stay");
    let again = session(&stand_in, "shell cat a");
    assert_eq!(asks(&stand_in, 2).await[1].session, again, "what was allowed always is asked again");
}

#[tokio::test]
async fn a_killed_server_forgets_its_requests_and_leaves_the_call_running_for_ever() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch rs.txt");
    let pending = ask(&stand_in).await;
    let before = events.caught_up(&stand_in).await;
    stand_in.kill().await;
    events.until_closed().await;
    assert_eq!(events.heard().len(), before, "it says no last word");
    assert!(client.http.get(format!("{}/global/health", client.url)).send().await.is_err());
    stand_in.restart().await.unwrap();
    assert_eq!(client.url, stand_in.url());
    assert_eq!(client.get(&format!("/permission?directory={PROJECT}")).await, json!([]));
    assert_eq!(client.get(&format!("/session/status?directory={PROJECT}")).await, json!({}));
    assert_eq!(client.reply(&pending.id, json!({ "reply": "once" })).await.0, 404);
    let messages = client.get(&format!("/session/{id}/message")).await;
    assert_eq!(messages[1]["parts"][1]["state"]["status"], "running");
    assert_eq!(messages[1]["info"]["time"].get("completed"), None);
    assert!(stand_in.executed().is_empty());
}

#[tokio::test]
async fn an_abort_beats_an_agent_that_is_about_to_go_on() {
    // Whatever the moment, an aborted session ends idle and stays so.
    for _ in 0..20 {
        let stand_in = start_with(Options::default()).await;
        let id = session(&stand_in, "stream 50\nshell ls\n+ shell pwd");
        tokio::task::yield_now().await;
        stand_in.abort(&id).await;
        assert_eq!(stand_in.world(|world| world.status(&id)), Status::Idle);
        stand_in.prompt(&id, "say done").unwrap();
        idle(&stand_in, &id).await;
        assert!(stand_in.executed().is_empty());
    }
}

#[tokio::test]
async fn a_second_prompt_waits_and_the_request_stays() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell touch sp.txt");
    let pending = ask(&stand_in).await;
    let body = json!({ "parts": [{ "type": "text", "text": "shell touch second.txt" }] });
    assert_eq!(client.post(&format!("/session/{id}/prompt_async"), body).await.0, 204);
    assert_eq!(ask(&stand_in).await.id, pending.id);
    client.allow(&pending.id).await;
    until(&stand_in, "second request", |world| world.pending().iter().any(|ask| ask.id != pending.id)).await;
    client.allow(&ask(&stand_in).await.id).await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["touch sp.txt", "touch second.txt"]);
}

#[tokio::test]
async fn a_deleted_session_is_heard_of_no_more_except_for_its_request() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch a\n+ shell touch b");
    let both = asks(&stand_in, 2).await;
    stand_in.delete(&id);
    for ask in &both {
        client.allow(&ask.id).await;
    }
    idle(&stand_in, &id).await;
    events.until_heard(1, "session.idle").await;
    let heard = events.heard();
    let deleted = heard.iter().position(|event| payload(event)["type"] == "session.deleted").unwrap();
    for event in &heard[deleted..] {
        let kind = payload(event)["type"].as_str().unwrap();
        assert!(!kind.starts_with("message.") && kind != "session.updated", "{event}");
    }
}

#[tokio::test]
async fn a_second_prompt_is_left_unanswered_if_the_run_is_stopped() {
    for stop in ["reject", "abort"] {
        let stand_in = start().await;
        let client = Client::of(&stand_in);
        let id = session(&stand_in, "shell touch q1");
        let pending = ask(&stand_in).await;
        stand_in.prompt(&id, "shell touch q2").unwrap();
        if stop == "reject" {
            client.reply(&pending.id, json!({ "reply": "reject" })).await;
        } else {
            stand_in.abort(&id).await;
        }
        idle(&stand_in, &id).await;
        stand_in.prompt(&id, "say ok").unwrap();
        idle(&stand_in, &id).await;
        assert!(stand_in.pending().iter().all(|ask| ask.id == pending.id), "{stop}");
        assert!(stand_in.executed().is_empty(), "{stop}");
    }
}
