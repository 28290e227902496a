//! Answers to requests for permission: what they do, and how wrong ones are refused.

use gavel_stand_in::Reply;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, asks, idle, ran, session, start, until};

#[tokio::test]
async fn once_lets_the_call_run_and_only_that() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell touch once.txt\nshell touch twice.txt");
    let first = ask(&stand_in).await;
    assert_eq!((first.permission.as_str(), first.session.as_str()), ("bash", id.as_str()));
    client.allow(&first.id).await;
    until(&stand_in, "second request", |world| world.pending().iter().any(|ask| ask.id != first.id)).await;
    assert_eq!(ran(&stand_in), ["touch once.txt"]);
    client.allow(&ask(&stand_in).await.id).await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["touch once.txt", "touch twice.txt"]);
    assert_eq!(stand_in.told(&id), ["(no output)", "(no output)"]);
}

#[tokio::test]
async fn a_reject_without_a_reason_stops_the_run_and_the_model_hears_nothing_until_the_next_prompt() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell touch a\nshell touch b");
    let pending = ask(&stand_in).await;
    assert_eq!(client.reply(&pending.id, json!({ "reply": "reject" })).await, (200, json!(true)));
    idle(&stand_in, &id).await;
    assert!(stand_in.executed().is_empty() && stand_in.pending().is_empty());
    assert!(stand_in.told(&id).is_empty());
    stand_in.prompt(&id, "say ok").unwrap();
    idle(&stand_in, &id).await;
    assert_eq!(stand_in.told(&id), ["The user rejected permission to use this specific tool call."]);
}

#[tokio::test]
async fn a_reject_with_a_reason_goes_on_with_the_next_step() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell rm a\ninstead\n> say You said: {reason}\n> shell git rm a\nshell touch b");
    let pending = ask(&stand_in).await;
    let body = json!({ "reply": "reject", "message": "Use git rm instead, please." });
    assert_eq!(client.reply(&pending.id, body).await, (200, json!(true)));
    for command in ["git rm a", "touch b"] {
        let pending = ask(&stand_in).await;
        assert_eq!(pending.metadata["command"], command);
        client.allow(&pending.id).await;
        until(&stand_in, "execution", |world| world.executed().iter().any(|executed| executed.what == command)).await;
    }
    idle(&stand_in, &id).await;
    let told = stand_in.told(&id);
    assert_eq!(
        told[0],
        "The user rejected permission to use this specific tool call with the following feedback: \
         Use git rm instead, please."
    );
    let messages = client.get(&format!("/session/{id}/message")).await.to_string();
    assert!(messages.contains("You said: Use git rm instead, please."), "{messages}");
}

#[tokio::test]
async fn one_reject_sweeps_its_session_and_no_other() {
    for body in [json!({ "reply": "reject" }), json!({ "reply": "reject", "message": "not this one" })] {
        let stand_in = start().await;
        let client = Client::of(&stand_in);
        let events = client.listen("/global/event").await;
        let swept = session(&stand_in, "shell touch p1\n+ shell mkdir p2\nshell touch p3");
        let both = asks(&stand_in, 2).await;
        let other = session(&stand_in, "shell touch q");
        asks(&stand_in, 3).await;
        assert_eq!(client.reply(&both[0].id, body.clone()).await, (200, json!(true)));
        idle(&stand_in, &swept).await;
        let left = ask(&stand_in).await;
        assert_eq!(left.session, other);
        events.until_heard(2, "permission.replied").await;
        for (replied, asked) in events.of_type("permission.replied").iter().zip(&both) {
            assert_eq!(*replied, json!({ "sessionID": swept, "requestID": asked.id, "reply": "reject" }));
        }
        assert_eq!(client.reply(&both[1].id, json!({ "reply": "once" })).await.0, 404);
        // Even with a reason the run stops, because the other call was declined without one.
        assert!(stand_in.told(&swept).is_empty() && stand_in.executed().is_empty());
        stand_in.prompt(&swept, "say ok").unwrap();
        idle(&stand_in, &swept).await;
        let plain = "The user rejected permission to use this specific tool call.";
        let first = if body.get("message").is_some() {
            "The user rejected permission to use this specific tool call with the following feedback: not this one"
        } else {
            plain
        };
        assert_eq!(stand_in.told(&swept), [first, plain]);
    }
}

#[tokio::test]
async fn always_holds_for_the_directory_and_frees_only_its_own_session() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell cat a\n+ shell cat b\n+ shell ls\nshell cat c");
    let three = asks(&stand_in, 3).await;
    let other = session(&stand_in, "shell cat d");
    let fourth = asks(&stand_in, 4).await.remove(3);
    assert_eq!(client.reply(&three[0].id, json!({ "reply": "always" })).await, (200, json!(true)));
    events.until_heard(2, "permission.replied").await;
    let freed: Vec<Value> =
        three[..2].iter().map(|ask| json!({ "sessionID": id, "requestID": ask.id, "reply": "always" })).collect();
    assert_eq!(events.of_type("permission.replied"), freed);
    let left: Vec<String> = stand_in.pending().into_iter().map(|ask| ask.id).collect();
    assert_eq!(left, [three[2].id.clone(), fourth.id.clone()], "another session's matching request stays");
    client.allow(&three[2].id).await;
    idle(&stand_in, &id).await;
    assert!(ran(&stand_in).contains(&"cat c".to_owned()), "a later match is not asked for");
    client.allow(&fourth.id).await;
    idle(&stand_in, &other).await;
    let elsewhere = stand_in.create_session(OTHER, "Elsewhere");
    stand_in.prompt(&elsewhere, "shell cat e").unwrap();
    assert_eq!(ask(&stand_in).await.directory, OTHER, "another directory asks");
    let later = session(&stand_in, "shell cat f");
    idle(&stand_in, &later).await;
    stand_in.restart().await.unwrap();
    let after = session(&stand_in, "shell cat g");
    assert_eq!(ask(&stand_in).await.session, after, "a restart forgets");
}

#[tokio::test]
async fn of_several_answers_the_first_wins() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch race.txt");
    let pending = ask(&stand_in).await;
    let answers = futures_util::future::join_all((0..4).map(|_| client.reply(&pending.id, json!({ "reply": "once" }))));
    let mut statuses: Vec<u16> = answers.await.into_iter().map(|(status, _)| status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404, 404, 404]);
    idle(&stand_in, &id).await;
    events.until_heard(1, "session.idle").await;
    assert_eq!(events.of_type("permission.replied").len(), 1);
    assert_eq!(ran(&stand_in), ["touch race.txt"]);
    assert_eq!(stand_in.replies().len(), 4, "every reply is recorded");
    assert!(!stand_in.reply(&pending.id, Reply::Once, None));
}

#[tokio::test]
async fn requests_are_found_only_under_their_directory() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(OTHER, "Elsewhere");
    stand_in.prompt(&id, "shell cat a").unwrap();
    let pending = ask(&stand_in).await;
    for wrong in ["/permission", "/permission?directory=/home/dev/project", "/permission?directory=/home/dev/other/sub"]
    {
        assert_eq!(client.get(wrong).await, json!([]), "{wrong}");
    }
    for right in ["/permission?directory=/home/dev/other", "/permission?directory=%2Fhome%2Fdev%2Fother%2F"] {
        assert_eq!(client.get(right).await[0]["id"], pending.id, "{right}");
    }
    for header in [OTHER, "%2Fhome%2Fdev%2Fother"] {
        let request = client.http.get(format!("{}/permission", client.url)).header("x-opencode-directory", header);
        let listed: Value = serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap();
        assert_eq!(listed[0]["id"], pending.id, "{header}");
    }
    let once = json!({ "reply": "once" });
    for wrong in ["", "?directory=/home/dev/project"] {
        assert_eq!(client.post(&format!("/permission/{}/reply{wrong}", pending.id), once.clone()).await.0, 404);
    }
    let right = format!("/permission/{}/reply?directory={OTHER}", pending.id);
    assert_eq!(client.post(&right, once).await, (200, json!(true)));
    idle(&stand_in, &id).await;
}

#[tokio::test]
async fn the_older_route_needs_no_directory_and_takes_any_living_session() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(OTHER, "Elsewhere");
    let neighbour = stand_in.create_session(OTHER, "Neighbour");
    stand_in.prompt(&id, "shell cat a\nshell cat b").unwrap();
    let pending = ask(&stand_in).await;
    let path = |session: &str, ask: &str| format!("/session/{session}/permissions/{ask}");
    let unknown = client.post(&path("ses_nope", &pending.id), json!({ "response": "once" })).await;
    assert_eq!(
        unknown,
        (404, json!({ "name": "NotFoundError", "data": { "message": "Session not found: ses_nope" } }))
    );
    let wrong_key = client.post(&path(&id, &pending.id), json!({ "reply": "once" })).await;
    assert_eq!(wrong_key, (400, bad("Missing key\n  at [\"response\"]")));
    let body = json!({ "response": "once", "message": "ignored" });
    assert_eq!(client.post(&path(&neighbour, &pending.id), body.clone()).await, (200, json!(true)));
    assert_eq!(client.post(&path(&id, &pending.id), body).await.0, 404);
    until(&stand_in, "next request", |world| world.pending().iter().any(|ask| ask.id != pending.id)).await;
    let next = ask(&stand_in).await;
    let reject = json!({ "response": "reject", "message": "ignored" });
    assert_eq!(client.post(&path(&id, &next.id), reject).await, (200, json!(true)));
    idle(&stand_in, &id).await;
    assert_eq!(stand_in.told(&id), ["(no output)"], "a reject there carries no reason, so the run stopped");
}

fn bad(message: &str) -> Value {
    json!({ "name": "BadRequest", "data": { "message": message, "kind": "Payload" } })
}

#[tokio::test]
async fn wrong_replies_are_refused_to_the_letter() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    session(&stand_in, "shell cat a");
    let pending = ask(&stand_in).await;
    let gone = |id: &str| {
        json!({
            "_tag": "PermissionNotFoundError", "requestID": id, "message": format!("Permission request not found: {id}"),
        })
    };
    let no_prefix = json!({
        "name": "BadRequest",
        "data": { "message": "Expected a string starting with \"per\", got \"xyz\"\n  at [\"requestID\"]", "kind": "Params" },
    });
    let no_word = bad("Expected \"once\" | \"always\" | \"reject\", got \"yes\"\n  at [\"reply\"]");
    let no_number = bad("Expected \"once\" | \"always\" | \"reject\", got 5\n  at [\"reply\"]");
    let no_text = bad("Expected string | null, got 5\n  at [\"message\"]");
    for (id, body, status, answer) in [
        ("per_nope", json!({ "reply": "once" }), 404, gone("per_nope")),
        ("xyz", json!({ "reply": "once" }), 400, no_prefix),
        (&pending.id, json!({ "reply": "yes" }), 400, no_word),
        (&pending.id, json!({ "reply": 5 }), 400, no_number),
        (&pending.id, json!({ "reply": "once", "message": 5 }), 400, no_text),
        (&pending.id, json!([]), 400, bad("Expected object, got []")),
        (&pending.id, json!({}), 400, bad("Missing key\n  at [\"reply\"]")),
        (&pending.id, json!({ "response": "once" }), 400, bad("Missing key\n  at [\"reply\"]")),
    ] {
        assert_eq!(client.reply(id, body.clone()).await, (status, answer), "{body}");
    }
    let path = format!("{}/permission/{}/reply?directory={PROJECT}", client.url, pending.id);
    for (kind, body, status, start) in [
        (
            "application/json",
            "",
            400,
            "{\"name\":\"BadRequest\",\"data\":{\"message\":\"Expected object, got undefined\"",
        ),
        (
            "application/json",
            "{bad",
            500,
            "{\"name\":\"UnknownError\",\"data\":{\"message\":\"Unexpected server error.",
        ),
        ("text/plain", "{\"reply\":\"once\"}", 415, "Unsupported content-type: text/plain"),
    ] {
        let answer = client.http.post(&path).header("content-type", kind).body(body).send().await.unwrap();
        assert_eq!(answer.status(), status, "{kind}");
        let text = answer.text().await.unwrap();
        assert!(text.starts_with(start), "{text}");
    }
    assert_eq!(ask(&stand_in).await.id, pending.id, "none of this answered the request");
    assert!(stand_in.executed().is_empty());
    assert_eq!(client.reply(&pending.id, json!({ "reply": "once", "extra": 1 })).await, (200, json!(true)));
}

#[tokio::test]
async fn a_message_with_once_is_taken_and_ignored() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell cat a\n: output hi");
    let body = json!({ "reply": "once", "message": "mind the gap" });
    assert_eq!(client.reply(&ask(&stand_in).await.id, body.clone()).await, (200, json!(true)));
    idle(&stand_in, &id).await;
    assert_eq!(stand_in.told(&id), ["hi\n"]);
    let received = stand_in.replies().remove(0);
    assert_eq!((received.body, received.status, received.directory.as_deref()), (body, 200, Some(PROJECT)));
}
