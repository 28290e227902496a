//! The kinds of requests, field by field.

use serde_json::{Value, json};

use crate::client::{Client, PROJECT, asks, idle, ran, session, start, until};

/// Plays a script, allows everything in order, and gives what was asked, without identifiers.
async fn asked(script: &str) -> (Vec<Value>, Vec<String>) {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, script);
    let mut all = Vec::new();
    loop {
        let acted = |world: &gavel_stand_in::World| {
            !world.pending().is_empty() || world.status(&id) == gavel_stand_in::Status::Idle
        };
        until(&stand_in, "request or end", acted).await;
        let listed = client.get(&format!("/permission?directory={PROJECT}")).await;
        let Some(first) = listed.as_array().and_then(|list| list.first()).cloned() else { break };
        client.allow(first["id"].as_str().unwrap()).await;
        all.push(first);
    }
    idle(&stand_in, &id).await;
    (all, ran(&stand_in))
}

#[tokio::test]
async fn each_kind_says_what_it_is_about() {
    let diff = |file: &str, hunks: &str| {
        format!("Index: {PROJECT}/{file}\n{}\n--- {PROJECT}/{file}\n+++ {PROJECT}/{file}\n{hunks}", "=".repeat(67))
    };
    for (script, expected) in [
        (
            "shell git status --short && npm run build; echo $(whoami)",
            vec![json!({
                "permission": "bash",
                "patterns": ["git status --short", "npm run build", "echo $(whoami)", "whoami"],
                "metadata": { "command": "git status --short && npm run build; echo $(whoami)" },
                "always": ["git status *", "npm run build *", "echo *", "whoami *"],
            })],
        ),
        (
            "write new.txt\n| line one\n| line two",
            vec![json!({
                "permission": "edit",
                "patterns": ["new.txt"],
                "metadata": {
                    "filepath": format!("{PROJECT}/new.txt"),
                    "diff": diff("new.txt", "@@ -0,0 +1,2 @@\n+line one\n+line two\n"),
                },
                "always": ["*"],
            })],
        ),
        (
            "edit hello.txt\n| -hi\n| +hi there",
            vec![json!({
                "permission": "edit",
                "patterns": ["hello.txt"],
                "metadata": {
                    "filepath": format!("{PROJECT}/hello.txt"),
                    "diff": diff("hello.txt", "@@ -1,1 +1,1 @@\n-hi\n+hi there\n"),
                },
                "always": ["*"],
            })],
        ),
        (
            "fetch http://127.0.0.1:18080/fetch-me",
            vec![json!({
                "permission": "webfetch",
                "patterns": ["http://127.0.0.1:18080/fetch-me"],
                "metadata": { "url": "http://127.0.0.1:18080/fetch-me", "format": "text" },
                "always": ["*"],
            })],
        ),
        (
            "read /home/dev/outside/secret.txt",
            vec![json!({
                "permission": "external_directory",
                "patterns": ["/home/dev/outside/*"],
                "metadata": { "filepath": "/home/dev/outside/secret.txt", "parentDir": "/home/dev/outside" },
                "always": ["/home/dev/outside/*"],
            })],
        ),
        ("read src/main.rs", vec![]),
        (
            "shell cat /home/dev/outside/secret.txt\n: outside /home/dev/outside",
            vec![
                json!({
                    "permission": "external_directory",
                    "patterns": ["/home/dev/outside/*"],
                    "metadata": {
                        "command": "cat /home/dev/outside/secret.txt",
                        "directories": ["/home/dev/outside"],
                        "patterns": ["/home/dev/outside/*"],
                    },
                    "always": ["/home/dev/outside/*"],
                }),
                json!({
                    "permission": "bash",
                    "patterns": ["cat /home/dev/outside/secret.txt"],
                    "metadata": { "command": "cat /home/dev/outside/secret.txt" },
                    "always": ["cat *"],
                }),
            ],
        ),
        (
            "ask deploy_gate\n: pattern production\n: always production/*\n| {\"risk\": [\"high\", {\"cost\": 3}]}",
            vec![json!({
                "permission": "deploy_gate",
                "patterns": ["production"],
                "metadata": { "risk": ["high", { "cost": 3 }] },
                "always": ["production/*"],
            })],
        ),
    ] {
        let (mut all, ran) = asked(script).await;
        for (ask, expected) in all.iter_mut().zip(&expected) {
            for key in ["id", "sessionID"] {
                assert!(ask.as_object_mut().unwrap().remove(key).is_some(), "{key} in {script}");
            }
            let tool = ask.as_object_mut().unwrap().remove("tool").unwrap();
            assert!(tool["messageID"].as_str().unwrap().starts_with("msg_"), "{script}");
            assert_eq!(ask, expected, "{script}");
        }
        assert_eq!(all.len(), expected.len(), "{script}");
        assert_eq!(ran.len(), 1, "{script}");
    }
}

#[tokio::test]
async fn a_working_directory_outside_is_asked_for_and_stands_in_the_call() {
    let (all, _) = asked("shell echo wd\n: about Print\n: in /home/dev/outside").await;
    let kinds: Vec<&str> = all.iter().map(|ask| ask["permission"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["external_directory", "bash"]);
    assert_eq!(all[0]["tool"], all[1]["tool"], "one call asks twice");
}

#[tokio::test]
async fn the_same_call_three_times_in_one_message_is_asked_about_without_a_tool() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "loop echo z\n+ shell echo z");
    let all = asks(&stand_in, 5).await;
    let kinds: Vec<&str> = all.iter().map(|ask| ask.permission.as_str()).collect();
    assert_eq!(kinds, ["bash", "bash", "bash", "doom_loop", "bash"], "the fourth call asks while the third is doubted");
    let listed = client.get(&format!("/permission?directory={PROJECT}")).await;
    let input = json!({ "command": "echo z", "description": "Runs echo z" });
    assert_eq!(
        listed[3],
        json!({
            "id": all[3].id, "sessionID": id, "permission": "doom_loop", "patterns": ["bash"],
            "metadata": { "tool": "bash", "input": input }, "always": ["bash"],
        })
    );
    for ask in &all {
        client.allow(&ask.id).await;
    }
    let again = asks(&stand_in, 1).await.remove(0);
    assert_eq!(again.permission, "doom_loop", "the fourth is doubted as well");
    let completed =
        |events: &[Value]| events.iter().filter(|part| part["part"]["state"]["status"] == "completed").count();
    assert_eq!(completed(&events.of_type("message.part.updated")), 0, "what ran is shown once that is settled");
    client.allow(&again.id).await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["echo z"; 4]);
    events.until_heard(1, "session.idle").await;
    assert_eq!(completed(&events.of_type("message.part.updated")), 4);
}

#[tokio::test]
async fn a_rejected_loop_breaks_the_run_off_even_with_a_reason() {
    let plain = "The user rejected permission to use this specific tool call";
    for (body, text) in [
        (json!({ "reply": "reject" }), format!("{plain}.")),
        (json!({ "reply": "reject", "message": "stop" }), format!("{plain} with the following feedback: stop")),
    ] {
        let stand_in = start().await;
        let client = Client::of(&stand_in);
        let events = client.listen("/global/event").await;
        let id = session(&stand_in, "loop echo z\nshell echo never");
        let doom = asks(&stand_in, 4).await.remove(3);
        assert_eq!(doom.permission, "doom_loop");
        assert_eq!(client.reply(&doom.id, body).await.0, 200);
        events.until_heard(2, "session.idle").await;
        assert!(stand_in.executed().is_empty() && stand_in.pending().is_empty());
        assert_eq!(events.of_type("permission.replied").len(), 4);
        let error = json!({ "name": "UnknownError", "data": { "message": text } });
        assert_eq!(events.of_type("session.error"), [json!({ "sessionID": id, "error": error })]);
        let last = client.get(&format!("/session/{id}/message")).await[1].clone();
        assert_eq!(last["info"]["error"], error);
        let ended = last["parts"].as_array().unwrap().iter().filter(|part| part["type"] == "tool");
        assert!(ended.map(|part| &part["state"]["error"]).all(|error| error == "Tool execution aborted"));
    }
}

#[tokio::test]
async fn six_equal_calls_in_six_messages_are_no_loop() {
    let script = "shell echo z\n".repeat(6);
    let (all, ran) = asked(&script).await;
    assert!(all.iter().all(|ask| ask["permission"] == "bash"), "{all:?}");
    assert_eq!(ran.len(), 6);
}
