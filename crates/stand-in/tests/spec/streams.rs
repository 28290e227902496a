//! Event streams.

use std::time::Duration;

use gavel_stand_in::Options;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, idle, names, payload, session, start, start_with, until};

#[tokio::test]
async fn a_run_is_told_in_the_order_of_the_real_server() {
    let stand_in = start_with(Options { pieces: false, ..Options::default() }).await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch a");
    client.allow(&ask(&stand_in).await.id).await;
    idle(&stand_in, &id).await;
    events.caught_up(&stand_in).await;
    let message = ["session.status", "message.updated", "session.updated", "session.diff"];
    let expected: Vec<&str> = [
        &["server.connected", "session.created", "session.updated", "message.updated", "message.part.updated"][..],
        &["session.updated"],
        &message,
        &["message.updated", "session.status", "message.part.updated"],
        &["message.part.updated", "permission.asked", "message.part.updated", "permission.replied"],
        &["message.part.updated", "message.part.updated"],
        &["message.part.updated", "message.updated", "message.updated"],
        &message,
        &["message.updated", "session.status", "message.part.updated"],
        &["message.part.updated", "message.part.updated"],
        &["message.part.updated", "message.updated", "message.updated"],
        &["session.status", "session.status", "session.idle", "session.updated", "session.diff", "message.updated"],
    ]
    .concat();
    assert_eq!(names(&events.heard()), expected);
    let states: Vec<Value> = events
        .of_type("message.part.updated")
        .iter()
        .filter_map(|one| one["part"].get("state").map(|state| state["status"].clone()))
        .collect();
    assert_eq!(states, ["pending", "running", "running", "completed"]);
}

#[tokio::test]
async fn durable_events_have_a_numbered_twin_and_requests_have_none() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "shell touch a");
    client.allow(&ask(&stand_in).await.id).await;
    idle(&stand_in, &id).await;
    events.caught_up(&stand_in).await;
    let heard = events.heard();
    let mut number = 0;
    for (index, event) in heard.iter().enumerate() {
        assert_eq!(event.get("directory").is_none(), index == 0, "{event}");
        let kind = payload(event)["type"].as_str().unwrap();
        let durable = ["session.created", "session.updated", "message.updated", "message.part.updated"].contains(&kind);
        if !durable || event["directory"] != PROJECT {
            continue;
        }
        let twin = payload(&heard[index + 1]);
        let properties = &payload(event)["properties"];
        let expected = json!({
            "id": payload(event)["id"], "type": format!("{kind}.1"), "seq": number, "aggregateID": id, "data": properties,
        });
        assert_eq!(twin["syncEvent"], expected);
        number += 1;
    }
    assert!(number > 10);
    let twins = heard.iter().filter(|event| payload(event)["type"] == "sync" && event["directory"] == PROJECT).count();
    assert_eq!(twins, number);
}

#[tokio::test]
async fn the_stream_of_one_directory_hears_only_that_and_without_envelopes() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let here = client.listen("/event").await;
    let there = client.listen(&format!("/event?directory={OTHER}")).await;
    let everywhere = client.listen("/global/event").await;
    let (mine, other) = (session(&stand_in, "shell ls"), stand_in.create_session(OTHER, "Elsewhere"));
    stand_in.prompt(&other, "shell pwd").unwrap();
    for (stream, id) in [(&here, &mine), (&there, &other)] {
        stream.until_heard(1, "permission.asked").await;
        let asked = stream.of_type("permission.asked");
        assert_eq!((asked.len(), &asked[0]["sessionID"]), (1, &json!(id)));
        assert!(stream.heard().iter().all(|event| event.get("payload").is_none() && event["type"] != "sync"));
    }
    everywhere.until_heard(2, "permission.asked").await;
}

#[tokio::test]
async fn nothing_is_replayed_after_a_cut() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let first = client.listen("/global/event").await;
    let pending = {
        session(&stand_in, "shell ls");
        ask(&stand_in).await
    };
    stand_in.cut_streams();
    first.until_closed().await;
    let second = client.listen("/global/event").await;
    client.allow(&pending.id).await;
    second.until_heard(1, "permission.replied").await;
    assert!(second.of_type("permission.asked").is_empty());
    assert_eq!(stand_in.world(gavel_stand_in::World::streams), 1);
}

#[tokio::test]
async fn the_server_notices_when_a_client_leaves() {
    let stand_in = start().await;
    let answer = Client::of(&stand_in).http.get(format!("{}/global/event", stand_in.url())).send().await.unwrap();
    until(&stand_in, "client", |world| world.streams() == 1).await;
    drop(answer);
    until(&stand_in, "leave", |world| world.streams() == 0).await;
}

#[tokio::test]
async fn an_idle_stream_has_a_heartbeat() {
    let stand_in = start_with(Options { heartbeat: Duration::from_millis(20), ..Options::default() }).await;
    for path in ["/global/event", "/event"] {
        let events = Client::of(&stand_in).listen(path).await;
        events.until_heard(2, "server.heartbeat").await;
    }
}

#[tokio::test]
async fn words_come_in_pieces_and_a_long_stream_is_possible() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "say one two three\nstream 2000 16\nshell ls");
    events.until_heard(1, "permission.asked").await;
    let pieces = events.of_type("message.part.delta");
    assert_eq!(pieces.len(), 2003);
    assert_eq!((&pieces[1]["delta"], &pieces[1]["field"]), (&json!("two "), &json!("text")));
    assert_eq!(pieces[1]["sessionID"], json!(id));
}

#[tokio::test]
async fn a_large_edit_arrives_uncut() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let body = format!("| {}\n", "x".repeat(99)).repeat(2400);
    session(&stand_in, &format!("write big.txt\n{body}"));
    events.until_heard(1, "permission.asked").await;
    let diff = events.of_type("permission.asked").remove(0)["metadata"]["diff"].as_str().unwrap().len();
    assert!(diff > 240_000, "{diff}");
}
