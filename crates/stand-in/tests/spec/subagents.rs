//! Agents that start agents.

use serde_json::{Value, json};

use crate::client::{Client, PROJECT, ask, asks, idle, ran, session, start, until};

#[tokio::test]
async fn a_sub_agent_asks_under_its_own_session_and_reports_to_its_parent() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let parent =
        session(&stand_in, "agent Look around\n> shell touch from-sub.txt\n> say All done.\nshell touch after");
    let pending = ask(&stand_in).await;
    let child = pending.session.clone();
    assert_ne!(child, parent);
    let info = client.get(&format!("/session/{child}")).await;
    assert_eq!(info["parentID"], json!(parent));
    assert_eq!(info["title"], "Look around (@general subagent)");
    assert_eq!(info["agent"], "general");
    assert_eq!(info["permission"], json!([{ "permission": "task", "pattern": "*", "action": "deny" }]));
    assert_eq!(client.get(&format!("/session/{parent}/children")).await[0]["id"], json!(child));
    let status = client.get(&format!("/session/status?directory={PROJECT}")).await;
    assert_eq!(status, json!({ parent.as_str(): { "type": "busy" }, child.as_str(): { "type": "busy" } }));
    events.until_heard(2, "session.created").await;
    assert_eq!(events.of_type("session.created")[1]["info"]["parentID"], json!(parent));
    client.allow(&pending.id).await;
    until(&stand_in, "parent's request", |world| world.pending().iter().any(|ask| ask.session == parent)).await;
    let report =
        format!("<task id=\"{child}\" state=\"completed\">\n<task_result>\nAll done.\n</task_result>\n</task>");
    assert_eq!(stand_in.told(&parent), [report]);
    client.allow(&ask(&stand_in).await.id).await;
    idle(&stand_in, &parent).await;
    assert_eq!(ran(&stand_in), ["Look around", "touch from-sub.txt", "touch after"]);
    let metadata = json!({
        "parentSessionId": parent, "sessionId": child,
        "model": { "modelID": "scripted-1", "providerID": "stand-in" },
    });
    let is_task = |part: &&Value| part["part"]["tool"] == "task" && part["part"]["state"]["status"] == "running";
    let parts = events.of_type("message.part.updated");
    assert_eq!(parts.iter().find(is_task).unwrap()["part"]["state"]["metadata"], metadata);
}

#[tokio::test]
async fn a_plain_reject_stops_the_child_and_the_parent_goes_on() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let parent = session(&stand_in, "agent Look around\n> shell ls\n> shell pwd\nsay Well then.");
    let pending = ask(&stand_in).await;
    client.reply(&pending.id, json!({ "reply": "reject" })).await;
    idle(&stand_in, &parent).await;
    let report = format!(
        "Subagent failed (task_id: {}): The user rejected permission to use this specific tool call.",
        pending.session
    );
    assert_eq!(stand_in.told(&parent), [report]);
    assert!(stand_in.told(&pending.session).is_empty());
}

#[tokio::test]
async fn a_reject_with_a_reason_lets_the_child_go_on() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let parent = session(&stand_in, "agent Look around\n> shell ls\n> shell pwd");
    let pending = ask(&stand_in).await;
    client.reply(&pending.id, json!({ "reply": "reject", "message": "no need" })).await;
    until(&stand_in, "next request", |world| world.pending().iter().any(|ask| ask.id != pending.id)).await;
    let next = ask(&stand_in).await;
    assert_eq!(next.session, pending.session);
    client.allow(&next.id).await;
    idle(&stand_in, &parent).await;
    assert_eq!(ran(&stand_in), ["Look around", "pwd"]);
}

#[tokio::test]
async fn agents_nest_to_any_depth_and_a_reject_sweeps_only_one_of_them() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let root = session(
        &stand_in,
        "agent One\n> agent Two\n> > agent Three\n> > > shell deep\n> + shell middle\n+ shell shallow",
    );
    let mut all = asks(&stand_in, 3).await;
    all.sort_by_key(|ask| ask.patterns.clone());
    let chain = |mut id: String| {
        let mut length = 0;
        while let Some(parent) = stand_in.world(|world| world.session(&id).unwrap().parent.clone()) {
            (id, length) = (parent, length + 1);
        }
        (id, length)
    };
    let depths: Vec<_> = all.iter().map(|ask| chain(ask.session.clone())).collect();
    assert_eq!(depths, [(root.clone(), 3), (root.clone(), 1), (root.clone(), 0)]);
    client.reply(&all[0].id, json!({ "reply": "reject" })).await;
    for ask in &all[1..] {
        client.allow(&ask.id).await;
    }
    idle(&stand_in, &root).await;
    assert!(ran(&stand_in).ends_with(&["middle".to_owned(), "shallow".to_owned()]), "{:?}", ran(&stand_in));
}

#[tokio::test]
async fn aborting_the_parent_cancels_the_task_and_calls_the_model_once_more() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let parent = session(&stand_in, "agent Look around\n> shell touch zz.txt\nshell touch never");
    let pending = ask(&stand_in).await;
    let child = pending.session.clone();
    assert_eq!(client.post(&format!("/session/{parent}/abort"), Value::Null).await, (200, json!(true)));
    assert_eq!(stand_in.told(&parent), ["Task cancelled"]);
    let errors: Vec<Value> = events.of_type("session.error").iter().map(|one| one["sessionID"].clone()).collect();
    assert_eq!(errors, [json!(child)], "the parent itself does not fail");
    assert_eq!(client.get(&format!("/permission?directory={PROJECT}")).await[0]["id"], pending.id);
    assert_eq!(client.get(&format!("/session/status?directory={PROJECT}")).await, json!({}));
    client.allow(&pending.id).await;
    assert_eq!(ran(&stand_in), ["Look around"]);
}

#[tokio::test]
async fn aborting_the_child_cancels_the_task_and_the_parent_goes_on() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let parent = session(&stand_in, "agent Look around\n> shell touch zz.txt\nshell ls");
    let zombie = ask(&stand_in).await;
    assert_eq!(client.post(&format!("/session/{}/abort", zombie.session), Value::Null).await, (200, json!(true)));
    let both = asks(&stand_in, 2).await;
    assert_eq!((&both[0].id, &both[1].session), (&zombie.id, &parent));
    assert_eq!(stand_in.told(&parent), ["Task cancelled"]);
    client.allow(&both[1].id).await;
    idle(&stand_in, &parent).await;
    assert_eq!(ran(&stand_in), ["Look around", "ls"]);
}

#[tokio::test]
async fn starting_an_agent_is_asked_for_if_a_rule_says_so() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let rule = json!({ "permission": "task", "pattern": "*", "action": "ask" });
    let (_, created) = client.post("/session", json!({ "permission": [rule] })).await;
    let parent = created["id"].as_str().unwrap();
    stand_in.prompt(parent, "agent Look around\n> say Seen.").unwrap();
    let pending = ask(&stand_in).await;
    let listed = client.get("/permission").await[0].clone();
    assert_eq!((&listed["permission"], &listed["patterns"]), (&json!("task"), &json!(["general"])));
    assert_eq!(listed["metadata"], json!({ "description": "Look around", "subagent_type": "general" }));
    assert_eq!(listed["always"], json!(["*"]));
    assert_eq!(client.get(&format!("/session/{parent}/children")).await, json!([]), "not before it may");
    client.allow(&pending.id).await;
    idle(&stand_in, parent).await;
    assert_eq!(client.get(&format!("/session/{parent}/children")).await[0]["title"], "Look around (@general subagent)");
}
