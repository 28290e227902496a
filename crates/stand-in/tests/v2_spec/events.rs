//! The event stream: its framing, and what is told in which order.

use std::time::{Duration, Instant};

use gavel_stand_in::{Options, StandIn, Switches};
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, http, idle, names, of_type, session, start};

#[tokio::test]
async fn it_greets_and_beats_at_once_and_then_by_the_clock() {
    let heartbeat = Duration::from_millis(150);
    let stand_in = StandIn::start(Options { heartbeat, ..Options::v2(Switches::default()) }).await.unwrap();
    let began = Instant::now();
    let mut answer = http().get(format!("{}/api/event", stand_in.url())).send().await.unwrap();
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-cache, no-transform"),
        ("x-accel-buffering", "no"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(answer.headers()[name], value);
    }
    let mut text = String::new();
    while text.matches(": heartbeat\n\n").count() < 3 {
        text.push_str(std::str::from_utf8(&answer.chunk().await.unwrap().unwrap()).unwrap());
    }
    assert!(began.elapsed() >= heartbeat * 2, "{:?}", began.elapsed());
    let (greeting, rest) = text.split_once("\n\n").unwrap();
    let event: Value = serde_json::from_str(greeting.strip_prefix("data: ").unwrap()).unwrap();
    let keys: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((keys, &event["type"]), (vec!["id", "type", "data"], &json!("server.connected")));
    assert!(event["id"].as_str().unwrap().starts_with("evt_") && event["data"] == json!({}));
    assert_eq!(rest, ": heartbeat\n\n".repeat(3));
}

#[tokio::test]
async fn a_run_is_told_from_its_prompt_to_its_end() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "shell ls\n: output a\nsay Thanks.");
    let pending = ask(&stand_in).await;
    client.decide(&pending, "once").await;
    idle(&stand_in, &id).await;
    let heard = events.caught_up(&stand_in).await;
    let expected = [
        "server.connected",
        "session.created",
        "session.inbox.enqueued",
        "session.execution.started",
        "session.status",
        "session.inbox.delivered",
        "session.tool.input.started",
        "session.tool.called",
        "permission.asked",
        "permission.replied",
        "session.tool.success",
        "session.execution.succeeded",
        "session.status",
        "session.idle",
    ];
    assert_eq!(names(&heard), expected);
    assert!(
        heard[1..]
            .iter()
            .all(|event| event["location"] == json!({ "directory": PROJECT }) && event["created"].is_number())
    );
    // The tool's name is told in one place only, and is found by the source of the request.
    let source = &of_type(&heard, "permission.asked")[0]["source"];
    let named = &of_type(&heard, "session.tool.input.started")[0];
    assert_eq!((&source["id"], &source["messageID"]), (&named["id"], &named["assistantMessageID"]));
    assert_eq!(named["name"], "shell");
    let reply = &of_type(&heard, "permission.replied")[0];
    assert_eq!(*reply, json!({ "sessionID": id, "requestID": pending.id, "reply": "once" }));
}

#[tokio::test]
async fn stored_events_are_numbered_session_by_session_without_a_gap() {
    let stand_in = start().await;
    let events = Client::of(&stand_in).listen().await;
    let (first, second) = (session(&stand_in, "say one"), session(&stand_in, "say two"));
    idle(&stand_in, &first).await;
    idle(&stand_in, &second).await;
    assert!(stand_in.delete(&first));
    let heard = events.caught_up(&stand_in).await;
    for id in [&first, &second] {
        let own: Vec<&Value> = heard.iter().filter(|event| event["data"]["sessionID"] == json!(id)).collect();
        let numbers: Vec<u64> = own.iter().filter_map(|event| event["durable"]["seq"].as_u64()).collect();
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
        assert!(own.iter().all(|event| event.get("durable").is_none_or(|durable| durable["aggregateID"] == json!(id))));
    }
    let deleted = heard.iter().find(|event| event["type"] == "session.deleted").unwrap();
    assert_eq!(deleted["durable"]["version"], 2);
    let ids: Vec<&str> = heard.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "identifiers sort by time: {ids:?}");
}

#[tokio::test]
async fn one_stream_carries_every_location_and_nothing_is_replayed() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let before = session(&stand_in, "shell early");
    ask(&stand_in).await;
    let events = client.listen().await;
    let there = stand_in.create_session(OTHER, "There");
    stand_in.prompt(&there, "shell late").unwrap();
    events.until_heard("permission.asked").await;
    let heard = events.caught_up(&stand_in).await;
    assert!(heard.iter().all(|event| event["data"]["sessionID"] != json!(before)));
    let asked = heard.iter().find(|event| event["type"] == "permission.asked").unwrap();
    assert_eq!((&asked["location"]["directory"], &asked["data"]["sessionID"]), (&json!(OTHER), &json!(there)));
}

#[tokio::test]
async fn streams_end_when_they_are_cut_and_when_the_server_dies() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    stand_in.cut_streams();
    events.until_closed().await;
    let events = client.listen().await;
    stand_in.kill().await;
    events.until_closed().await;
    stand_in.restart().await.unwrap();
    client.listen().await;
}
