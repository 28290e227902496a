//! The matcher and the evaluator, through the server, against what a real one was seen to do.

use gavel_stand_in::{Effect, Rule, StandIn};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{Client, ask, rule, start};

const MATCHES: &str = include_str!("../../../core/tests/fixtures/wildcard-cases.json");
const DECISIONS: &str = include_str!("../../../core/tests/fixtures/evaluate-cases.json");

#[derive(Deserialize)]
struct Cases<T> {
    cases: Vec<T>,
}

#[derive(Deserialize)]
struct Match {
    pattern: String,
    value: String,
    expected: bool,
}

#[derive(Deserialize)]
struct Decision {
    name: String,
    agent: Option<Vec<Rule>>,
    session: Vec<Rule>,
    saved: Vec<Approval>,
    request: Value,
    expected: Effect,
    directory: Option<String>,
}

#[derive(Deserialize)]
struct Approval {
    action: String,
    resource: String,
}

#[tokio::test]
async fn every_recorded_match_of_resources_and_of_actions() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    stand_in.set_agent("closed", vec![Rule { action: "*".into(), resource: "*".into(), effect: Effect::Deny }]);
    let Cases { cases }: Cases<Match> = serde_json::from_str(MATCHES).unwrap();
    assert_eq!(cases.len(), 66);
    for Match { pattern, value, expected } in cases {
        let effect = if expected { "allow" } else { "deny" };
        for (opens, asks) in [
            (rule("some_tool", &pattern, "allow"), json!({ "action": "some_tool", "resources": [value] })),
            (rule(&pattern, "x", "allow"), json!({ "action": value, "resources": ["x"] })),
        ] {
            let created = client.create(json!({ "agent": "closed", "permissions": [opens] })).await;
            let found = client.effect(created["id"].as_str().unwrap(), asks).await;
            assert_eq!(found, effect, "{pattern:?} against {value:?}");
        }
    }
}

#[tokio::test]
async fn every_recorded_decision() {
    let Cases { cases }: Cases<Decision> = serde_json::from_str(DECISIONS).unwrap();
    assert_eq!(cases.len(), 36);
    for case in cases {
        let stand_in = start().await;
        decide(&stand_in, case).await;
    }
}

async fn decide(stand_in: &StandIn, case: Decision) {
    let client = Client::of(stand_in);
    let directory = case.directory.unwrap_or_else(|| "/home/dev/project".to_owned());
    stand_in.add_directory(&directory, true);
    let agent = match case.agent {
        Some(rules) => {
            stand_in.set_agent("acting", rules);
            "acting"
        }
        None => "missing",
    };
    // Whoever has no rules asks for everything, and so anything can be saved.
    stand_in.set_agent("asker", Vec::new());
    let location = json!({ "directory": directory });
    let other = client.create(json!({ "location": location })).await;
    for Approval { action, resource } in case.saved {
        let body = json!({ "action": action, "resources": ["\u{0}"], "save": [resource], "agent": "asker" });
        assert_eq!(client.effect(other["id"].as_str().unwrap(), body).await, "ask");
        client.decide(&ask(stand_in).await, "always").await;
    }
    let body = json!({ "location": location, "agent": agent, "permissions": case.session });
    let session = client.create(body).await;
    let found = client.effect(session["id"].as_str().unwrap(), case.request).await;
    assert_eq!(found, json!(case.expected), "{}", case.name);
}
