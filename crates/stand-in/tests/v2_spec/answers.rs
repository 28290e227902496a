//! Answers to requests and what follows from them.

use gavel_stand_in::{ReplyKey, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, asks, idle, names, of_type, ran, session, start, start_as};

#[tokio::test]
async fn once_lets_one_call_run() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell ls\nshell ls");
    client.decide(&ask(&stand_in).await, "once").await;
    client.decide(&ask(&stand_in).await, "once").await;
    idle(&stand_in, &id).await;
    assert_eq!((ran(&stand_in), stand_in.world(|world| world.saved().len())), (vec!["ls".into(), "ls".into()], 0));
}

#[tokio::test]
async fn always_is_saved_and_answers_whatever_it_covers_in_the_location() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let first = session(&stand_in, "shell git status\n+ shell git status --short\n+ shell rm x");
    let second = session(&stand_in, "shell git status -b");
    let there = stand_in.create_session(OTHER, "There");
    stand_in.prompt(&there, "shell git status").unwrap();
    let pending = asks(&stand_in, 5).await;
    let events = client.listen().await;
    let asked = pending.iter().find(|ask| ask.patterns == ["git status"] && ask.session == first).unwrap();
    client.decide(asked, "always").await;
    let mut left: Vec<String> = asks(&stand_in, 2).await.into_iter().map(|ask| ask.patterns.concat()).collect();
    left.sort();
    assert_eq!(left, ["git status", "rm x"], "another project and another command still ask");
    idle(&stand_in, &second).await;
    let replies = of_type(&events.caught_up(&stand_in).await, "permission.replied");
    assert!(replies.len() == 3 && replies.iter().all(|reply| reply["reply"] == "always"), "{replies:?}");
    assert_eq!(replies[0]["requestID"], json!(asked.id), "the one that was answered comes first");
    let saved = stand_in.world(|world| world.saved().to_vec());
    assert_eq!(saved.iter().map(|one| one.resource.as_str()).collect::<Vec<_>>(), ["git status *"]);
}

#[tokio::test]
async fn always_without_anything_to_save_is_once() {
    let stand_in = start_as(Switches { save: false, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    session(&stand_in, "shell ls\n+ shell ls");
    client.decide(&asks(&stand_in, 2).await[0], "always").await;
    asks(&stand_in, 1).await;
    assert!(stand_in.world(|world| world.saved().is_empty()));
}

#[tokio::test]
async fn always_outlives_the_server_and_the_requests_do_not() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    session(&stand_in, "shell ls");
    client.decide(&ask(&stand_in).await, "always").await;
    session(&stand_in, "shell rm x");
    let before = ask(&stand_in).await;
    stand_in.restart().await.unwrap();
    assert!(stand_in.pending().is_empty());
    assert_eq!(client.reply(&before, json!({ "decision": "once" })).await.0, 404);
    let after = session(&stand_in, "shell ls -la");
    idle(&stand_in, &after).await;
    assert_eq!(ran(&stand_in), ["ls", "ls -la"]);
}

#[tokio::test]
async fn a_decline_without_a_reason_ends_the_run_and_sweeps_the_session_only() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell a\n+ shell b\n+ agent Look\n> shell c");
    let other = session(&stand_in, "shell d");
    let pending = asks(&stand_in, 4).await;
    let events = client.listen().await;
    client.decide(pending.iter().find(|ask| ask.patterns == ["a"]).unwrap(), "reject").await;
    let left: Vec<String> = asks(&stand_in, 2).await.into_iter().map(|ask| ask.patterns.concat()).collect();
    assert!(left.contains(&"c".to_owned()) && left.contains(&"d".to_owned()), "{left:?}");
    client.decide(pending.iter().find(|ask| ask.patterns == ["c"]).unwrap(), "once").await;
    idle(&stand_in, &id).await;
    let heard = events.caught_up(&stand_in).await;
    let rejected: Vec<Value> =
        of_type(&heard, "permission.replied").into_iter().filter(|reply| reply["reply"] == "reject").collect();
    assert!(rejected.len() == 2 && rejected.iter().all(|reply| reply["sessionID"] == json!(id)), "{rejected:?}");
    let ended = of_type(&heard, "session.execution.interrupted");
    assert_eq!(ended, [json!({ "sessionID": id, "reason": "shutdown" })]);
    assert_eq!(of_type(&heard, "session.tool.failed").len(), 2);
    let info = client.get(&format!("/api/session/{id}")).await;
    assert_eq!(info["data"]["outcome"], "interrupted");
    client.decide(pending.iter().find(|ask| ask.session == other).unwrap(), "once").await;
    idle(&stand_in, &other).await;
    assert!(!ran(&stand_in).contains(&"a".to_owned()) && ran(&stand_in).contains(&"d".to_owned()));
}

#[tokio::test]
async fn a_decline_with_a_reason_fails_the_call_and_the_agent_goes_on() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "write a.txt\n| a\ninstead\n> say You said: {reason}");
    let body = json!({ "decision": "reject", "message": "use b.txt" });
    assert_eq!(client.reply(&ask(&stand_in).await, body).await.0, 204);
    idle(&stand_in, &id).await;
    assert_eq!(stand_in.told(&id), ["use b.txt"]);
    let last = client.get(&format!("/api/session/{id}/message?type=assistant&order=desc&limit=1")).await;
    assert_eq!(last["data"][0]["content"][0]["text"], "You said: use b.txt");
    // The shell keeps the reason to itself.
    let id = session(&stand_in, "shell touch a\nsay So be it.");
    let body = json!({ "decision": "reject", "message": "use b" });
    assert_eq!(client.reply(&ask(&stand_in).await, body).await.0, 204);
    idle(&stand_in, &id).await;
    assert_eq!(stand_in.told(&id), ["Unable to execute command: touch a"]);
    assert!(ran(&stand_in).is_empty());
}

#[tokio::test]
async fn a_reason_for_one_is_none_for_those_swept_along() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell a\n+ shell b\nshell c");
    let body = json!({ "decision": "reject", "message": "no" });
    assert_eq!(client.reply(&asks(&stand_in, 2).await[0], body).await.0, 204);
    idle(&stand_in, &id).await;
    assert_eq!((ran(&stand_in).len(), stand_in.pending().len()), (0, 0));
    assert_eq!(client.get(&format!("/api/session/{id}")).await["data"]["outcome"], "interrupted");
}

#[tokio::test]
async fn the_answer_is_told_before_the_tool_goes_on() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "shell ls");
    client.decide(&ask(&stand_in).await, "once").await;
    idle(&stand_in, &id).await;
    let heard = events.caught_up(&stand_in).await;
    let names = names(&heard);
    let place = |name: &str| names.iter().position(|one| *one == name).unwrap();
    assert!(place("permission.replied") < place("session.tool.success"));
}

#[tokio::test]
async fn the_first_answer_wins_and_what_is_wrong_uses_nothing_up() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell ls");
    let other = stand_in.create_session(PROJECT, "Another");
    let pending = ask(&stand_in).await;
    let at = |session: &str, ask: &str| format!("/api/session/{session}/permission/{ask}/reply");
    let fine = json!({ "decision": "once" });
    let missing = json!("Missing key\n  at [\"decision\"]");
    for (path, body, status, tag, message) in [
        (at("nope", "nope"), json!({}), 400, "InvalidRequestError", json!("Invalid session ID")),
        (at("ses_none", "nope"), json!({}), 404, "SessionNotFoundError", json!("Session not found: ses_none")),
        (
            at(&id, "nope"),
            json!({}),
            400,
            "InvalidRequestError",
            json!("Expected a string starting with \"per\", got \"nope\"\n  at [\"requestID\"]"),
        ),
        (at(&id, "per_none"), json!({}), 400, "InvalidRequestError", missing.clone()),
        (at(&id, &pending.id), json!({ "reply": "once" }), 400, "InvalidRequestError", missing),
        (
            at(&id, &pending.id),
            json!({ "decision": "maybe" }),
            400,
            "InvalidRequestError",
            json!("Expected Permission.Reply, got \"maybe\"\n  at [\"decision\"]"),
        ),
        (at("ses_none", &pending.id), fine.clone(), 404, "SessionNotFoundError", json!("Session not found: ses_none")),
        (
            at(&id, "per_none"),
            fine.clone(),
            404,
            "PermissionNotFoundError",
            json!("Permission request not found: per_none"),
        ),
        (
            at(&other, &pending.id),
            fine.clone(),
            404,
            "PermissionNotFoundError",
            json!(format!("Permission request not found: {}", pending.id)),
        ),
    ] {
        let (found, refusal) = client.post(&path, body).await;
        assert_eq!((found, &refusal["_tag"], &refusal["message"]), (status, &json!(tag), &message), "{path}");
    }
    let (status, refusal) = client.call_with(Method::POST, &at(&id, &pending.id), &[], Some("{".to_owned())).await;
    assert_eq!((status, &refusal["_tag"]), (500, &json!("UnknownError")));
    assert_eq!(stand_in.pending().len(), 1);
    let generous = json!({ "decision": "once", "reply": "reject", "message": null, "colour": "red" });
    assert_eq!(client.reply(&pending, generous).await.0, 204);
    assert_eq!(client.reply(&pending, fine).await.0, 404);
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["ls"]);
    let received = stand_in.replies();
    assert_eq!(received.iter().filter(|reply| reply.status == 204).count(), 1);
    assert_eq!(received.len(), 12);
}

#[tokio::test]
async fn earlier_releases_have_the_word_under_another_key() {
    let stand_in = start_as(Switches { reply_key: ReplyKey::Reply, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    session(&stand_in, "shell ls");
    let pending = ask(&stand_in).await;
    let (status, refusal) = client.reply(&pending, json!({ "decision": "once" })).await;
    assert_eq!((status, &refusal["message"]), (400, &json!("Missing key\n  at [\"reply\"]")));
    assert_eq!(client.reply(&pending, json!({ "decision": "once", "reply": "once" })).await.0, 204);
}
