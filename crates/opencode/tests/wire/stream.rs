//! The life of a connection.

use std::time::Duration;

use gavel_core::flow::{Event, WireEvent};
use gavel_core::{Dialect, Link};
use gavel_opencode::{Credentials, Tuning};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::support::{Answer, DEADLINE, Fake, Watched, hurried, listed, until};

fn version(number: &str) -> Link {
    Link::Online { version: number.to_owned(), dialect: Dialect::V1 }
}

#[tokio::test]
async fn connects_and_hears() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    assert_eq!(watched.link().await, Link::Connecting);
    assert_eq!(watched.link().await, version("1.18.33"));
    fake.say("permission.asked", listed("per_1", "ses_1"));
    let ask =
        watched.said("the request", |event| if let WireEvent::Asked(ask) = event { Some(ask) } else { None }).await;
    assert_eq!((ask.key.server, ask.directory.as_str()), (fake.id(), "/p"));
    fake.say("permission.replied", json!({ "sessionID": "ses_1", "requestID": "per_1", "reply": "once" }));
    watched.said("the answer", |event| matches!(event, WireEvent::Answered { .. }).then_some(())).await;
    fake.send("data: {\"payload\":{\"type\":\"server.heartbeat\",\"properties\":{}}}\n\n");
    watched.next("the heartbeat", |event| matches!(event, Event::Heard(_)).then_some(())).await;
    fake.send(": heartbeat\n\n");
    watched.next("the comment", |event| matches!(event, Event::Heard(_)).then_some(())).await;
    assert_eq!(fake.most_open_streams(), 1);
}

#[tokio::test]
async fn closes_at_once_and_says_nothing_afterwards() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    assert_eq!(fake.open_streams(), 1);
    let begun = Instant::now();
    watched.connection.close().await;
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    until("the end of the stream", || fake.open_streams() == 0).await;
    drop(watched.connection);
    // What was said before is still there; then the channel ends.
    let end = async { while watched.events.recv().await.is_some() {} };
    timeout(DEADLINE, end).await.expect("the channel ends");
    assert_eq!(fake.seen("GET /global/event").len(), 1);
}

#[tokio::test]
async fn closes_when_nobody_holds_it_or_listens() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let second = watched.connection.clone();
    drop(watched.connection);
    fake.say("session.idle", json!({ "sessionID": "ses_1" }));
    let said = timeout(DEADLINE, watched.events.recv()).await.expect("in time");
    assert!(said.is_some(), "one handle is left");
    drop(second);
    until("the end of the stream", || fake.open_streams() == 0).await;

    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    drop(watched.events);
    until("the end of the stream", || fake.open_streams() == 0).await;
}

#[tokio::test]
async fn comes_back_after_a_cut_and_lists_anew() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    for round in 2..6 {
        fake.cut();
        let Link::Offline { reason, gone: false } = watched.link().await else { panic!("it is not gone") };
        assert_eq!(reason, "the connection broke off");
        assert_eq!(watched.link().await, version("1.18.33"));
        until("the listing", || fake.seen("GET /experimental/session").len() >= round).await;
    }
    assert_eq!(fake.most_open_streams(), 1, "never two streams at once");
}

#[tokio::test]
async fn tells_a_dead_server_from_one_that_cannot_be_reached() {
    let fake = Fake::start().await;
    let (url, address) = (fake.url.clone(), fake.address());
    let mut watched = Watched::new(&url);
    watched.online().await;
    drop(fake);
    let gone = watched
        .next("the end", |event| {
            if let Event::Link(_, Link::Offline { reason, gone: true }) = event { Some(reason) } else { None }
        })
        .await;
    assert_eq!(gone, "nothing listens at this address");
    let fake = Fake::start_at(&address).await;
    fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.15.13" })));
    assert_eq!(watched.link().await, version("1.15.13"), "the same state is not told again and again");
}

#[tokio::test]
async fn a_silent_stream_is_given_up() {
    let fake = Fake::start().await;
    let tuning = Tuning { silence: Some(Duration::from_millis(300)), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    watched.online().await;
    let begun = Instant::now();
    let Link::Offline { reason, gone: false } = watched.link().await else { panic!("it is not gone") };
    assert!(reason.to_string().starts_with("nothing was heard for 0.3 s"), "{reason}");
    assert!(begun.elapsed() >= Duration::from_millis(250), "{:?}", begun.elapsed());
    assert_eq!(watched.link().await, version("1.18.33"));
    assert_eq!(fake.most_open_streams(), 1);
}

#[tokio::test]
async fn a_stream_that_is_heard_is_not() {
    let fake = Fake::start().await;
    let tuning = Tuning { silence: Some(Duration::from_millis(600)), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    watched.online().await;
    for _ in 0..30 {
        fake.send(":\n\n");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(fake.seen("GET /global/event").len(), 1);
}

#[tokio::test]
async fn waits_for_a_password_and_goes_on_with_it() {
    let fake = Fake::start().await;
    fake.on("GET /global/health", Answer::Json(401, json!({})));
    let tuning = Tuning { slow_pause: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    assert_eq!(watched.link().await, Link::Connecting);
    assert_eq!(watched.link().await, Link::NeedsPassword { refused: false });
    let credentials = Credentials { username: "opencode".to_owned(), password: "wrong".to_owned() };
    watched.connection.set_credentials(Some(credentials));
    assert_eq!(watched.link().await, Link::NeedsPassword { refused: true });
    fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" })));
    watched.connection.set_credentials(Some(Credentials { username: "a".to_owned(), password: "right".to_owned() }));
    assert_eq!(watched.link().await, version("1.18.33"));
}

#[tokio::test]
async fn a_driver_that_takes_nothing_costs_the_stream_but_not_the_requests() {
    let fake = Fake::start().await;
    let (sender, mut events) = tokio::sync::mpsc::channel(4);
    let target = gavel_opencode::Target { id: fake.id(), url: fake.url.clone(), credentials: None };
    let tuning = Tuning { stall: Duration::from_millis(200), ..hurried() };
    let connection = gavel_opencode::Connection::open_with(target, sender, tuning).unwrap();
    until("the stream", || fake.open_streams() == 1).await;
    for n in 0..20 {
        fake.say("permission.asked", listed(&format!("per_{n}"), "ses_1"));
    }
    until("the stream is given up", || fake.open_streams() == 0).await;
    // As soon as somebody takes them, the state is told, the stream begins anew, and the listing follows.
    let mut links = Vec::new();
    let taking = async {
        while let Some(event) = events.recv().await {
            match event {
                Event::Link(_, link) => links.push(link),
                Event::Wire(_, WireEvent::ListBegan(_)) if links.len() >= 4 => break,
                _ => {}
            }
        }
    };
    // The second look finds the directory of the requests.
    timeout(DEADLINE, taking).await.expect("it recovers");
    let [Link::Connecting, Link::Online { .. }, Link::Offline { reason, .. }, Link::Online { .. }, ..] =
        links.as_slice()
    else {
        panic!("{links:?}")
    };
    assert_eq!(*reason, "events could not be passed on in time");
    connection.close().await;
}
