//! Agents and their rules.

use gavel_stand_in::{Effect, Rule, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, encoded, names, of_type, rule, session, start, start_as};

#[tokio::test]
async fn they_are_listed_with_all_their_rules() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let list = client.get("/api/agent").await;
    let agents = list["data"].as_array().unwrap();
    let shape = |one: &Value| {
        (
            one["id"].as_str().unwrap().to_owned(),
            one["mode"].as_str().unwrap().to_owned(),
            one["hidden"].as_bool().unwrap(),
        )
    };
    let expected = [
        ("build", "primary", false),
        ("plan", "primary", false),
        ("general", "subagent", false),
        ("explore", "subagent", false),
        ("title", "primary", true),
        ("summary", "primary", true),
        ("compaction", "primary", true),
    ];
    let found: Vec<_> = agents.iter().map(shape).collect();
    assert_eq!(found, expected.map(|(id, mode, hidden)| (id.to_owned(), mode.to_owned(), hidden)));
    let rules = agents[0]["permissions"].as_array().unwrap();
    assert_eq!(
        rules[..3],
        [rule("*", "*", "allow"), rule("external_directory", "*", "ask"), rule("read", "*.env", "ask")]
    );
    let paths = |rules: &[Value]| {
        let allows = |one: &&Value| one["action"] == "external_directory" && one["effect"] == "allow";
        rules.iter().filter(allows).count()
    };
    assert_eq!(paths(rules), 4);
    let end = rules.len() - 4;
    let configured = [
        rule("question", "*", "allow"),
        rule("shell", "*", "ask"),
        rule("edit", "*", "ask"),
        rule("webfetch", "*", "ask"),
    ];
    assert_eq!(rules[end..], configured, "the configuration comes behind what an agent has by birth");
    let one = client.get("/api/agent/plan").await;
    assert_eq!(one["data"], agents[1]);
    assert_eq!(paths(one["data"]["permissions"].as_array().unwrap()), 5);
    let (status, body) = client.call(Method::GET, "/api/agent/none", None).await;
    assert_eq!((status, &body["_tag"]), (404, &json!("AgentNotFoundError")));
}

#[tokio::test]
async fn for_the_first_looks_there_are_none() {
    let stand_in = start_as(Switches { agents_after: 2, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    let _ = stand_in.create_session(OTHER, "known");
    let count = async |path: &str| client.get(path).await["data"].as_array().unwrap().len();
    let there = format!("/api/agent?location%5Bdirectory%5D={}", encoded(OTHER));
    assert_eq!((count("/api/agent").await, count("/api/agent").await), (0, 0));
    assert_eq!((count("/api/agent").await, count(&there).await), (7, 0), "each location takes its own time");
    stand_in.restart().await.unwrap();
    assert_eq!(count("/api/agent").await, 0);
}

#[tokio::test]
async fn changes_are_told_and_count_at_once() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "say hello");
    let events = client.listen().await;
    let read = json!({ "action": "read", "resources": ["notes.md"] });
    assert_eq!(client.effect(&id, read.clone()).await, "allow");
    let ask_all = Rule { action: "*".to_owned(), resource: "*".to_owned(), effect: Effect::Ask };
    stand_in.configure(vec![ask_all.clone()]);
    assert_eq!(client.effect(&id, read.clone()).await, "ask");
    stand_in.set_agent("reviewer", vec![Rule { effect: Effect::Deny, ..ask_all }]);
    let path = format!("/api/session/{id}/agent");
    assert_eq!(client.post(&path, json!({ "agent": "reviewer" })).await.0, 204);
    assert_eq!(client.effect(&id, read).await, "deny");
    assert_eq!(client.post(&path, json!({ "agent": "build" })).await.0, 204);
    let heard = events.caught_up(&stand_in).await;
    let names = names(&heard);
    assert!(names.contains(&"config.updated") && names.contains(&"agent.updated"), "{names:?}");
    let selected = of_type(&heard, "session.agent.selected");
    let first = json!({ "sessionID": id, "agent": "reviewer" });
    assert_eq!(selected, [first, json!({ "sessionID": id, "agent": "build", "previous": "reviewer" })]);
    assert_eq!(client.post(&path, json!({})).await.0, 400);
}

#[tokio::test]
async fn a_model_can_be_chosen() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "say hello");
    let path = format!("/api/session/{id}/model");
    let (first, second) =
        (json!({ "id": "a", "providerID": "p" }), json!({ "id": "b", "providerID": "p", "variant": "high" }));
    for model in [&first, &second] {
        assert_eq!(client.post(&path, json!({ "model": model })).await.0, 204);
    }
    assert_eq!(client.get(&format!("/api/session/{id}")).await["data"]["model"], second);
    let selected = of_type(&events.caught_up(&stand_in).await, "session.model.selected");
    assert_eq!(selected[1], json!({ "sessionID": id, "model": second, "previous": first }));
    for body in [json!({}), json!({ "model": { "id": "a" } }), json!({ "model": "a" })] {
        assert_eq!(client.post(&path, body).await.0, 400);
    }
}
