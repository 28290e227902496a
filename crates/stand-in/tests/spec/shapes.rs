//! The shape of all that is sent, against shapes taken from recordings of a real 1.18.33 server.

use std::collections::{BTreeMap, BTreeSet};

use std::time::Duration;

use gavel_stand_in::Options;
use serde_json::{Value, json};

use crate::client::{Client, PROJECT, ask, asks, idle, payload, session, start_with, until};

/// By event type or route: every combination of keys and value types that was recorded.
const RECORDED: &str = include_str!("../fixtures/v1-shapes.json");

/// Objects whose keys are free.
const OPAQUE: &str = "responseHeaders";

fn shape(value: &Value) -> String {
    fn walk(value: &Value, path: &str, leaves: &mut BTreeSet<String>) {
        let kind = match value {
            Value::Object(fields) if !fields.is_empty() && !path.ends_with(OPAQUE) => {
                for (key, value) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    walk(value, &format!("{path}{dot}{key}"), leaves);
                }
                return;
            }
            Value::Array(items) if !items.is_empty() => {
                items.iter().for_each(|item| walk(item, &format!("{path}[]"), leaves));
                return;
            }
            Value::Object(_) => "object",
            Value::Array(_) => "array",
            Value::String(_) => "string",
            Value::Number(_) => "number",
            Value::Bool(_) => "boolean",
            Value::Null => "null",
        };
        leaves.insert(format!("{path}:{kind}"));
    }
    let mut leaves = BTreeSet::new();
    walk(value, "", &mut leaves);
    leaves.into_iter().collect::<Vec<_>>().join(" ")
}

/// All shapes of a stream, by type, as the recordings were taken apart.
fn shapes(heard: &[Value]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |name: &str, value: &Value| found.entry(name.to_owned()).or_default().insert(shape(value));
    for event in heard {
        let mut envelope = event.clone();
        let inner = envelope["payload"].as_object_mut().unwrap();
        if inner["type"] == "sync" {
            inner["syncEvent"].as_object_mut().unwrap().remove("data");
            add("sync", &envelope);
            continue;
        }
        inner.remove("properties");
        let place = if event.get("directory").is_some() { "envelope of a directory" } else { "envelope of the server" };
        add(place, &envelope);
        add(payload(event)["type"].as_str().unwrap(), &payload(event)["properties"]);
    }
    found
}

const QUESTION: &str = "question Why?\n: header Why\n: option So | Because";

/// Everything that can happen, once.
async fn everything() -> (Vec<Value>, BTreeMap<String, BTreeSet<String>>) {
    let stand_in = start_with(Options { heartbeat: Duration::from_millis(50), ..Options::default() }).await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    events.until_heard(1, "server.heartbeat").await;
    let scripts = [
        "shell ls\n: output a\nsay Thanks.",
        "shell pwd\n: in /home/dev/outside",
        "write new.txt\n| one",
        "edit old.txt\n| -a\n| +b",
        "read /home/dev/outside/secret.txt\n: output secret",
        "fetch http://127.0.0.1/\n: output page",
        "loop echo z",
        "agent Look around\n> shell touch sub",
    ];
    for script in scripts {
        let id = session(&stand_in, script);
        loop {
            let acted = |world: &gavel_stand_in::World| {
                !world.pending().is_empty() || world.status(&id) == gavel_stand_in::Status::Idle
            };
            until(&stand_in, "request or end", acted).await;
            let Some(next) = stand_in.pending().into_iter().next() else { break };
            client.allow(&next.id).await;
        }
    }
    let (_, ruled) = client
        .post("/session", json!({ "permission": [{ "permission": "bash", "pattern": "*", "action": "deny" }] }))
        .await;
    stand_in.prompt(ruled["id"].as_str().unwrap(), "shell ls").unwrap();
    idle(&stand_in, ruled["id"].as_str().unwrap()).await;
    for end in ["reject", "abort", "delete", "broken", "cancel", "children", "dispose"] {
        let script = match end {
            "cancel" | "children" => "agent Look around\n> shell ls",
            "broken" => "fail 401 no",
            _ => "shell ls",
        };
        let id = session(&stand_in, script);
        if end != "broken" {
            let pending = ask(&stand_in).await;
            match end {
                "abort" | "cancel" => stand_in.abort(&id).await,
                "dispose" => stand_in.dispose(PROJECT).await,
                "delete" => assert!(stand_in.delete(&id)),
                _ => {}
            }
            let reply = if end == "reject" { "reject" } else { "once" };
            client.reply(&pending.id, json!({ "reply": reply })).await;
        }
        idle(&stand_in, &id).await;
    }
    let several = format!("{QUESTION}\n: and What?\n: header W\n: option A | B\n: multiple\n: closed");
    for (script, answers) in [
        (QUESTION, json!([["So"]])),
        (QUESTION, Value::Null),
        (&several, json!([["So"], ["A"]])),
        (&several, json!([[]])),
        (&several, json!([])),
    ] {
        let id = session(&stand_in, script);
        until(&stand_in, "question", |world| !world.questions().is_empty()).await;
        let question = stand_in.world(gavel_stand_in::World::questions).remove(0).id;
        let action = if answers.is_null() { "reject" } else { "reply" };
        client.post(&format!("/question/{question}/{action}"), json!({ "answers": answers })).await;
        idle(&stand_in, &id).await;
    }
    let aborted = session(&stand_in, QUESTION);
    until(&stand_in, "question", |world| !world.questions().is_empty()).await;
    stand_in.abort(&aborted).await;
    // Bodies are taken while a call is running, as they were recorded.
    let parent = session(&stand_in, "agent Look around\n> shell ls");
    let child = asks(&stand_in, 1).await.remove(0).session;
    let mut bodies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |name: &str, value: &Value| bodies.entry(name.to_owned()).or_default().insert(shape(value));
    add("GET /session/{id}", &client.get(&format!("/session/{child}")).await);
    add("GET /session/{id}/children", &client.get(&format!("/session/{parent}/children")).await[0]);
    for message in client.get(&format!("/session/{child}/message")).await.as_array().unwrap() {
        add("GET /session/{id}/message", message);
    }
    // The list shows requests as the event does.
    add("permission.asked", &client.get("/permission").await[0]);
    events.caught_up(&stand_in).await;
    (events.heard(), bodies)
}

#[tokio::test]
async fn all_that_is_sent_has_a_shape_that_was_recorded_and_the_other_way_round() {
    let recorded: BTreeMap<String, BTreeSet<String>> = serde_json::from_str(RECORDED).unwrap();
    let (heard, bodies) = everything().await;
    let mut sent = shapes(&heard);
    for (name, found) in bodies {
        sent.entry(name).or_default().extend(found);
    }
    let mut wrong = Vec::new();
    for (name, found) in &sent {
        for shape in found.difference(recorded.get(name).unwrap_or(&BTreeSet::new())) {
            wrong.push(format!("sent but never recorded, {name}: {shape}"));
        }
    }
    for (name, found) in &recorded {
        for shape in found.difference(sent.get(name).unwrap_or(&BTreeSet::new())) {
            wrong.push(format!("recorded but never sent, {name}: {shape}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
