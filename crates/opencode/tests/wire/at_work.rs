//! Where work goes on, on servers that tell only half of it.

use std::time::Duration;

use gavel_core::Ask;
use gavel_core::flow::{Event, WireEvent};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::{Answer, Fake, Watched, hurried, tagged, until};

fn recent() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0
}

const DAY: f64 = 24.0 * 3600.0 * 1000.0;

fn session(id: &str, directory: &str, updated: f64) -> Value {
    json!({ "id": id, "projectID": "x", "title": id, "location": { "directory": directory },
        "time": { "created": 1, "updated": updated }, "cost": 0, "tokens": {} })
}

fn say(fake: &Fake, kind: &str, place: Option<&str>, data: Value) {
    let mut event = json!({ "id": "evt_1", "created": 1, "type": kind, "data": data });
    if let Some(place) = place {
        event["location"] = json!({ "directory": place });
    }
    fake.send(format!("data: {event}\n\n"));
}

fn request(id: &str) -> Value {
    json!({ "id": id, "sessionID": "ses_1", "action": "shell", "resources": ["touch a"] })
}

/// Waits two seconds for what `pick` wants.
async fn soon<T>(watched: &mut Watched, mut pick: impl FnMut(WireEvent) -> Option<T>) -> Option<T> {
    let looking = async {
        loop {
            if let Event::Wire(_, event) = watched.events.recv().await.unwrap()
                && let Some(found) = pick(event)
            {
                return found;
            }
        }
    };
    timeout(Duration::from_secs(2), looking).await.ok()
}

fn asked(event: WireEvent) -> Option<Ask> {
    match event {
        WireEvent::Asked(ask) => Some(*ask),
        WireEvent::Listed { asks, .. } => asks.into_iter().next(),
        _ => None,
    }
}

fn impatient() -> gavel_opencode::Tuning {
    let limits = gavel_opencode::http::Limits { request: Duration::from_secs(1), ..hurried().limits };
    gavel_opencode::Tuning { limits, ..hurried() }
}

async fn watching(fake: &Fake) -> Watched {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    watched
}

#[tokio::test]
async fn a_session_that_runs_counts_however_old_it_is() {
    let fake = Fake::start_v2().await;
    let old = session("ses_1", "/p", recent() - 8.0 * DAY);
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": [old.clone()], "cursor": {} })));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": old })));
    fake.on("GET /api/session/active", Answer::Json(200, json!({ "data": { "ses_1": { "type": "running" } } })));
    let place = json!({ "location": { "directory": "/p" }, "data": [request("per_1")] });
    fake.on("GET /api/permission/request", Answer::Json(200, place));
    let found = soon(&mut Watched::new(&fake.url), asked).await;
    assert!(found.is_some(), "asked for: {:?}", fake.seen("GET /api/permission").len());
}

#[tokio::test]
async fn where_something_runs_comes_before_where_something_ran() {
    let fake = Fake::start_v2().await;
    let mut all: Vec<Value> =
        (0..60).map(|n| session(&format!("ses_x{n}"), &format!("/d{n}"), recent() - f64::from(n) * 1000.0)).collect();
    all.push(session("ses_1", "/p", recent() - DAY));
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": all, "cursor": {} })));
    fake.on("GET /api/session/active", Answer::Json(200, json!({ "data": { "ses_1": {} } })));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": session("ses_1", "/p", 1.0) })));
    let place = json!({ "location": { "directory": "/p" }, "data": [request("per_1")] });
    fake.on("GET /api/permission/request?location%5Bdirectory%5D=%2Fp", Answer::Json(200, place));
    assert!(soon(&mut Watched::new(&fake.url), asked).await.is_some());
}

#[tokio::test]
async fn sessions_that_hang_hold_up_no_discovery() {
    let fake = Fake::start_v2().await;
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": [session("ses_1", "/p", recent())], "cursor": {} })));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": session("ses_1", "/p", recent()) })));
    let mut active = serde_json::Map::new();
    for n in 0..20 {
        fake.on(&format!("GET /api/session/old_{n}"), Answer::Silence);
        active.insert(format!("old_{n}"), json!({}));
    }
    fake.on("GET /api/session/active", Answer::Json(200, json!({ "data": active })));
    fake.on(
        "GET /api/permission/request",
        Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": [request("per_1")] })),
    );
    let mut watched = Watched::tuned(&fake.url, None, impatient());
    let looking = watched.said("it", asked);
    assert!(timeout(Duration::from_secs(4), looking).await.is_ok());
}

#[tokio::test]
async fn a_session_without_a_time_has_a_place_all_the_same() {
    let fake = Fake::start_v2().await;
    let mut bare = session("ses_1", "/p", recent());
    bare["time"] = json!({ "created": "2026-11-30T10:00:00Z" });
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": [bare.clone()], "cursor": {} })));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": bare })));
    fake.on(
        "GET /api/permission/request",
        Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": [request("per_1")] })),
    );
    assert!(soon(&mut Watched::new(&fake.url), asked).await.is_some());
}

#[tokio::test]
async fn a_page_that_cannot_be_had_does_not_cost_the_others() {
    let fake = Fake::start_v2().await;
    let first = json!({ "data": [session("ses_1", "/p", recent())], "cursor": { "next": "more" } });
    fake.on("GET /api/session", Answer::Json(200, first));
    fake.on("GET /api/session?limit=100&cursor=more", tagged(400, "InvalidCursorError"));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": session("ses_1", "/p", recent()) })));
    fake.on(
        "GET /api/permission/request",
        Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": [request("per_1")] })),
    );
    assert!(soon(&mut Watched::new(&fake.url), asked).await.is_some());
}

#[tokio::test]
async fn without_the_list_of_sessions_what_runs_is_looked_into() {
    let fake = Fake::start_v2().await;
    fake.on("GET /api/session", tagged(500, "UnknownError"));
    fake.on("GET /api/session/active", Answer::Json(200, json!({ "data": { "ses_1": {} } })));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": session("ses_1", "/p", recent()) })));
    fake.on(
        "GET /api/permission/request",
        Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": [request("per_1")] })),
    );
    assert!(soon(&mut Watched::new(&fake.url), asked).await.is_some());
}

#[tokio::test]
async fn an_unknown_event_about_permissions_is_looked_into() {
    let fake = Fake::start_v2().await;
    let mut watched = watching(&fake).await;
    until("the listings of the beginning", || fake.seen("GET /api/session/active").len() >= 2).await;
    soon(&mut watched, |event| matches!(event, WireEvent::InSync).then_some(())).await;
    let place = json!({ "location": { "directory": "/p" }, "data": [request("per_1")] });
    // A directory that is known already: nothing but this event tells.
    say(&fake, "session.idle", Some("/p"), json!({ "sessionID": "ses_9" }));
    until("the first listing", || !fake.seen("GET /api/permission/request").is_empty()).await;
    soon(&mut watched, |event| matches!(event, WireEvent::InSync).then_some(())).await;
    fake.on("GET /api/permission/request", Answer::Json(200, place));
    say(&fake, "permission.v2.asked", Some("/p"), request("per_1"));
    assert!(soon(&mut watched, asked).await.is_some(), "{} listings", fake.seen("GET /api/permission/request").len());
}
