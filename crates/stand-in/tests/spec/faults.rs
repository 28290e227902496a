//! Faults on purpose.

use std::time::Duration;

use gavel_stand_in::{Fault, Options, StandIn, StandInError};
use serde_json::{Value, json};

use crate::client::{Client, DEADLINE, PROJECT, ask, http, idle, ran, session, start, start_with};

const REPLY: &str = "POST /permission/{id}/reply";

/// What a client gets that waits so long: the status and the text, or nothing.
async fn patient(time: Duration, client: &Client, path: &str, body: &Value) -> Option<(u16, String)> {
    let request = client.http.post(format!("{}{path}", client.url)).timeout(time);
    let answer = request.header("content-type", "application/json").body(body.to_string()).send().await.ok()?;
    Some((answer.status().as_u16(), answer.text().await.ok()?))
}

/// A request over a connection of its own.
async fn fresh(url: &str) -> reqwest::Result<reqwest::Response> {
    http().build()?.get(format!("{url}/global/health")).send().await
}

#[tokio::test]
async fn a_faulty_route_answers_as_told_and_only_that_route() {
    for (fault, expected, takes_effect) in [
        (Fault::Html, Some((200, "<!doctype html>")), false),
        (Fault::Status(503), Some((503, "")), false),
        (Fault::Hang, None, false),
        (Fault::Lost, None, true),
        (Fault::Truncated, Some((200, "tr")), true),
        (Fault::Slow(Duration::from_millis(20)), Some((200, "true")), true),
    ] {
        let stand_in = start().await;
        let client = Client::of(&stand_in);
        let id = session(&stand_in, "shell ls");
        let pending = ask(&stand_in).await;
        stand_in.fault(REPLY, fault.clone());
        let path = format!("/permission/{}/reply?directory={PROJECT}", pending.id);
        // Only where no answer may come is it no use to wait for long.
        let time = if expected.is_some() { DEADLINE } else { Duration::from_millis(200) };
        let answer = patient(time, &client, &path, &json!({ "reply": "once" })).await;
        match (&answer, expected) {
            (Some((status, text)), Some((expected, start))) => {
                assert_eq!(*status, expected, "{fault:?}");
                assert!(text.starts_with(start) && text.len() < 200, "{fault:?} gave {text}");
            }
            (None, None) => {}
            other => panic!("{fault:?} gave {other:?}"),
        }
        client.get("/permission").await;
        if takes_effect {
            idle(&stand_in, &id).await;
            assert_eq!(ran(&stand_in), ["ls"], "{fault:?}");
        } else {
            assert!(!stand_in.pending().is_empty() && ran(&stand_in).is_empty(), "{fault:?}");
            stand_in.heal();
            client.allow(&pending.id).await;
            idle(&stand_in, &id).await;
        }
    }
}

#[tokio::test]
async fn a_refusing_server_closes_new_connections_and_keeps_the_old() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    stand_in.refuse(true);
    assert!(fresh(&stand_in.url()).await.is_err());
    events.caught_up(&stand_in).await;
    stand_in.heal();
    assert!(fresh(&stand_in.url()).await.is_ok());
}

#[tokio::test]
async fn a_killed_server_frees_its_port_at_once_even_with_hanging_requests() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    stand_in.fault("GET /permission", Fault::Hang);
    let hanging = tokio::spawn({
        let client = client.clone();
        async move { client.http.get(format!("{}/permission", client.url)).send().await.is_err() }
    });
    client.get("/global/health").await;
    let port = stand_in.port();
    stand_in.kill().await;
    assert!(hanging.await.unwrap());
    let successor = start_with(Options { port: Some(port), ..Options::default() }).await;
    assert_eq!(successor.port(), port);
    assert!(matches!(stand_in.restart().await, Err(StandInError::Listen(_))), "the port is taken now");
    assert!(stand_in.prompt("ses_x", "say hi").is_err(), "a dead server hears nothing");
}

#[tokio::test]
async fn a_dropped_stand_in_ends() {
    let url = {
        let stand_in = start().await;
        let _other_handle = StandIn::clone(&stand_in);
        stand_in.url()
    };
    let gone = async {
        while fresh(&url).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(DEADLINE, gone).await.unwrap();
}

#[tokio::test]
async fn waiting_gives_up_at_the_deadline() {
    let stand_in = start().await;
    let waited = stand_in.wait_until(Duration::from_millis(20), |world| !world.pending().is_empty()).await;
    assert!(matches!(waited, Err(StandInError::TimedOut(_))));
}
