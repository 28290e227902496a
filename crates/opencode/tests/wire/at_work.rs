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

/// As [`watching`], but what is there is looked at only once.
async fn looking_once(fake: &Fake) -> Watched {
    let tuning = gavel_opencode::Tuning { second_look: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    in_sync(&mut watched).await;
    watched
}

async fn in_sync(watched: &mut Watched) {
    watched.said("all is listed", |event| matches!(event, WireEvent::InSync).then_some(())).await;
}

fn list_of(directory: &str) -> String {
    format!("GET /api/permission/request?location%5Bdirectory%5D={}", directory.replace('/', "%2F"))
}

#[tokio::test]
async fn a_directory_that_is_gone_is_left_alone_until_it_is_met_again() {
    let fake = Fake::start_v2().await;
    let sessions = [session("ses_1", "/p", recent()), session("ses_2", "/gone", recent())];
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": sessions, "cursor": {} })));
    let gone = list_of("/gone");
    fake.on(&gone, tagged(404, "LocationNotFoundError"));
    // Were it tried again, it would never be said that all is listed.
    let tuning = gavel_opencode::Tuning { second_look: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    let is_told = |event: WireEvent| match event {
        WireEvent::Listed { scope, .. } => {
            assert_ne!(scope.directory, "/gone", "it is no listing");
            None
        }
        WireEvent::InSync => Some(()),
        _ => None,
    };
    watched.said("all is listed", is_told).await;
    assert_eq!(watched.connection.directories(), ["/p"]);
    say(&fake, "session.idle", Some("/p"), json!({ "sessionID": "ses_1" }));
    soon(&mut watched, |event| matches!(event, WireEvent::RunEnded(_)).then_some(())).await.expect("the end");
    for _ in 0..3 {
        watched.connection.relist();
        in_sync(&mut watched).await;
    }
    assert_eq!(fake.seen(&gone).len(), 1);

    let place = json!({ "location": { "directory": "/gone" }, "data": [request("per_1")] });
    fake.on(&gone, Answer::Json(200, place));
    say(&fake, "session.idle", Some("/gone"), json!({ "sessionID": "ses_2" }));
    assert!(soon(&mut watched, asked).await.is_some(), "it is there again");
    assert_eq!(watched.connection.directories()[0], "/gone");
}

#[tokio::test]
async fn a_preview_that_does_not_find_one_directory_is_asked_about_the_others() {
    let fake = Fake::start().await;
    fake.on(&list_of("/gone"), tagged(404, "LocationNotFoundError"));
    fake.on(&list_of("/p"), Answer::Json(200, json!({ "data": [] })));
    let mut watched = looking_once(&fake).await;
    for directory in ["/gone", "/p"] {
        let payload = json!({ "type": "todo.updated", "properties": {} });
        fake.send(format!("data: {}\n\n", json!({ "directory": directory, "payload": payload })));
        until("the preview's list", || !fake.seen(&list_of(directory)).is_empty()).await;
        in_sync(&mut watched).await;
    }
    assert_eq!(watched.connection.directories(), ["/p", "/gone"], "the other route knows it");
}

#[tokio::test]
async fn a_cursor_that_leads_back_ends_the_list() {
    for (cursors, expected) in [(["a", "a"], 2), (["a", "b"], 3)] {
        let fake = Fake::start_v2().await;
        let page = move |next: &str| {
            Answer::Json(200, json!({ "data": [session("ses_1", "/p", recent())], "cursor": { "next": next } }))
        };
        fake.on("GET /api/session", page(cursors[0]));
        fake.on("GET /api/session?limit=100&cursor=a", page(cursors[1]));
        fake.on("GET /api/session?limit=100&cursor=b", page("a"));
        let watched = looking_once(&fake).await;
        assert_eq!(fake.seen("GET /api/session?").len(), expected, "{cursors:?}");
        assert_eq!(watched.connection.directories(), ["/p"]);
    }
}

#[tokio::test]
async fn of_ever_more_directories_the_latest_are_remembered() {
    const MET: usize = 1050;
    const KEPT: usize = 1000;
    let fake = Fake::start_v2().await;
    let Watched { connection, mut events } = looking_once(&fake).await;
    tokio::spawn(async move { while events.recv().await.is_some() {} });
    let last = list_of(&format!("/d{}", MET - 1));
    for number in 0..MET {
        say(&fake, "session.idle", Some(&format!("/d{number}")), json!({ "sessionID": "ses_1" }));
    }
    until("the last one to be listed", || !fake.seen(&last).is_empty()).await;
    let known = connection.directories();
    assert_eq!((known.len(), known[0].as_str()), (KEPT, &*format!("/d{}", MET - 1)));
    assert!(!known.contains(&"/d0".to_owned()), "the one met longest ago is forgotten");
    let before = fake.seen(&list_of("/d0")).len();
    say(&fake, "session.idle", Some("/d0"), json!({ "sessionID": "ses_1" }));
    until("it to be listed as if it were new", || fake.seen(&list_of("/d0")).len() > before).await;
    assert_eq!(connection.directories().len(), KEPT);
}
