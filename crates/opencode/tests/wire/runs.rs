//! Which sessions there are and which of them run: told after connecting, and as it changes.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use gavel_core::SessionId;
use gavel_core::flow::WireEvent;
use gavel_core::rules::{Effect, Rule};
use gavel_opencode::Tuning;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::Duration;

use crate::support::{Answer, Fake, Watched, hurried, until};

const DAY: u64 = 24 * 60 * 60 * 1000;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}

/// A session used so long ago, in milliseconds; readable in both dialects.
fn used(id: &str, ago: u64) -> Value {
    json!({ "id": id, "title": format!("title of {id}"), "directory": "/p", "location": { "directory": "/p" },
        "time": { "created": 1, "updated": now() - ago } })
}

fn patient() -> Tuning {
    Tuning { second_look: Duration::from_secs(3600), ..hurried() }
}

/// What is said of sessions and runs until everything is listed.
async fn said(fake: &Fake) -> (Vec<String>, Vec<SessionId>) {
    let mut watched = Watched::tuned(&fake.url, None, patient());
    let (mut seen, mut running) = (Vec::new(), Vec::new());
    watched
        .said("everything", |event| {
            match event {
                WireEvent::SessionSeen(session) => {
                    assert_eq!(session.title, format!("title of {}", session.id));
                    seen.push(session.id.as_str().to_owned());
                }
                WireEvent::RunBegan(id) => running.push(id),
                WireEvent::InSync => return Some(()),
                _ => {}
            }
            None
        })
        .await;
    running.sort();
    (seen, running)
}

/// Sessions from the latest to one older than counts, in both dialects alike.
fn many() -> (Vec<Value>, Vec<String>) {
    let mut sessions: Vec<Value> = (0..150).map(|n| used(&format!("ses_{n:03}"), 1000 * n)).collect();
    sessions.push(used("ses_old", 8 * DAY));
    // Nothing is said about the order of the list.
    sessions.reverse();
    (sessions, (0..100).map(|n| format!("ses_{n:03}")).collect())
}

#[tokio::test]
async fn the_latest_sessions_of_1_x_are_told_without_a_request_each() {
    let fake = Fake::start().await;
    let (sessions, latest) = many();
    fake.on("GET /experimental/session", Answer::Json(200, json!(sessions)));
    // The other list repeats some.
    fake.on("GET /session", Answer::Json(200, json!([used("ses_000", 5000), used("ses_003", 3000)])));
    assert_eq!(said(&fake).await.0, latest);
    assert!(fake.seen("GET /session/ses_").is_empty());
}

#[tokio::test]
async fn the_latest_sessions_of_2_x_are_told_without_a_request_each() {
    let fake = Fake::start_v2().await;
    let (sessions, latest) = many();
    let (first, second) = sessions.split_at(60);
    let page = |sessions: &[Value], next: Value| json!({ "data": sessions, "cursor": { "next": next } });
    fake.on("GET /api/session", Answer::Json(200, page(first, json!("more"))));
    fake.on("GET /api/session?limit=100&cursor=more", Answer::Json(200, page(second, json!(null))));
    assert_eq!(said(&fake).await.0, latest);
    assert!(fake.seen("GET /api/session/ses_").is_empty());
}

#[tokio::test]
async fn a_run_that_was_under_way_is_told_on_1_x() {
    let fake = Fake::start().await;
    let mut elsewhere = used("ses_2", 0);
    elsewhere["directory"] = json!("/q");
    fake.on("GET /experimental/session", Answer::Json(200, json!([used("ses_1", 0), elsewhere])));
    let busy = json!({ "ses_1": { "type": "busy" }, "ses_5": { "type": "idle" }, "ses_6": { "type": "retry" } });
    fake.on("GET /session/status?directory=%2Fp", Answer::Json(200, busy));
    fake.on("GET /session/status?directory=%2Fq", Answer::Json(200, json!({ "ses_2": { "type": "busy" } })));
    assert_eq!(said(&fake).await.1, ["ses_1".into(), "ses_2".into(), "ses_6".into()]);
    // That this is not known leaves nothing pending unseen.
    for trouble in [Answer::Page(200), Answer::Page(404), Answer::Json(500, json!({})), Answer::Json(200, json!(7))] {
        fake.on("GET /session/status?directory=%2Fp", trouble);
        assert_eq!(said(&fake).await.1, ["ses_2".into()]);
    }
}

#[tokio::test]
async fn a_run_that_was_under_way_is_told_on_2_x() {
    let fake = Fake::start_v2().await;
    let page = json!({ "data": [used("ses_1", 0)], "cursor": {} });
    fake.on("GET /api/session", Answer::Json(200, page));
    let active = json!({ "data": { "ses_1": { "type": "running" }, "ses_9": { "type": "running" } } });
    fake.on("GET /api/session/active", Answer::Json(200, active));
    fake.on("GET /api/session/ses_9", Answer::Json(200, json!({ "data": used("ses_9", 30 * DAY) })));
    let (seen, running) = said(&fake).await;
    assert_eq!(running, ["ses_1".into(), "ses_9".into()]);
    assert!(seen.contains(&"ses_9".to_owned()), "however old it is");
    for trouble in [Answer::Page(200), Answer::Page(404), Answer::Json(500, json!({})), Answer::Json(200, json!(7))] {
        fake.on("GET /api/session/active", trouble);
        assert_eq!(said(&fake).await, (vec!["ses_1".to_owned()], vec![]));
    }
}

#[tokio::test]
async fn a_run_that_ended_while_it_was_asked_about_is_not_told() {
    for newer in [false, true] {
        let fake = if newer { Fake::start_v2().await } else { Fake::start().await };
        let page = json!({ "data": [used("ses_1", 0)], "cursor": {} });
        fake.on("GET /api/session", Answer::Json(200, page));
        fake.on("GET /experimental/session", Answer::Json(200, json!([used("ses_1", 0)])));
        let running = json!({ "ses_1": { "type": "busy" }, "ses_2": { "type": "busy" } });
        let (line, answer) = match newer {
            true => ("GET /api/session/active", json!({ "data": running })),
            false => ("GET /session/status", running),
        };
        fake.on("GET /api/session/ses_2", Answer::Json(200, json!({ "data": used("ses_2", 0) })));
        let release = Arc::new(Notify::new());
        fake.on(line, Answer::Held(Arc::clone(&release), Box::new(Answer::Json(200, answer))));
        let mut watched = Watched::tuned(&fake.url, None, patient());
        until("the question", || !fake.seen(line).is_empty()).await;
        let ended =
            json!({ "type": "session.idle", "properties": { "sessionID": "ses_1" }, "data": { "sessionID": "ses_1" } });
        fake.send(format!("data: {}\n\n", if newer { ended } else { json!({ "directory": "/p", "payload": ended }) }));
        watched.said("the end", |event| (event == WireEvent::RunEnded("ses_1".into())).then_some(())).await;
        release.notify_one();
        let first = watched.said("a run", |event| match event {
            WireEvent::RunBegan(session) => Some(session),
            _ => None,
        });
        assert_eq!(first.await, "ses_2".into());
        watched
            .said("everything", |event| {
                assert_ne!(event, WireEvent::RunBegan("ses_1".into()), "it was over by then");
                (event == WireEvent::InSync).then_some(())
            })
            .await;
    }
}

#[tokio::test]
async fn rules_that_are_repeated_are_told_once() {
    let fake = Fake::start().await;
    let mut watched = Watched::tuned(&fake.url, None, patient());
    watched.online().await;
    let update = |session: &str, resource: &str| {
        let rules = json!([{ "permission": "bash", "pattern": resource, "action": "ask" }]);
        fake.say("session.updated", json!({ "info": { "id": session, "title": "t", "permission": rules } }));
    };
    for (session, resource) in [("s", "a"), ("s", "a"), ("t", "a"), ("s", "b"), ("s", "b"), ("s", "a")] {
        update(session, resource);
    }
    fake.say("session.status", json!({ "sessionID": "s", "status": { "type": "busy" } }));
    let mut told = Vec::new();
    watched
        .said("the run", |event| match event {
            WireEvent::RulesChanged { session, rules } => {
                told.push((session.as_str().to_owned(), rules));
                None
            }
            WireEvent::RunBegan(session) => (session.as_str() == "s").then_some(()),
            _ => None,
        })
        .await;
    let ruled = |session: &str, resource: &str| {
        let rule = Rule { action: "shell".to_owned(), resource: resource.to_owned(), effect: Effect::Ask };
        (session.to_owned(), vec![rule])
    };
    assert_eq!(told, [ruled("s", "a"), ruled("t", "a"), ruled("s", "b"), ruled("s", "a")]);
    // After a gap, who knows what was missed.
    fake.cut();
    watched.online().await;
    update("s", "a");
    watched.said("the rules", |event| matches!(event, WireEvent::RulesChanged { .. }).then_some(())).await;
}
