//! What is pending, and what of it is alive.

use std::sync::Arc;
use std::time::Duration;

use gavel_core::flow::{Event, Flow, Scope, Timer, WireEvent};
use gavel_core::{Ask, Moment, Origin, Route, ServerInfo, SessionId};
use gavel_opencode::Tuning;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::support::{Answer, Fake, Watched, hurried, listed, message, not_found, session, until};

/// A listing as it was told.
#[derive(Debug)]
struct Listed {
    scope: Scope,
    asks: Vec<Ask>,
    orphans: Vec<Ask>,
    /// Sessions told of before.
    sessions: Vec<SessionId>,
}

impl Listed {
    /// The ids of the living requests, and of the orphans.
    fn ids(&self) -> (Vec<&str>, Vec<&str>) {
        let ids = |asks| <[Ask]>::iter(asks).map(|ask| ask.key.request.as_str()).collect();
        (ids(&self.asks), ids(&self.orphans))
    }
}

async fn next_listing(watched: &mut Watched, route: Route) -> Listed {
    let mut sessions = Vec::new();
    let mut began = Vec::new();
    watched
        .said("a listing", |event| match event {
            WireEvent::ListBegan(number) => {
                began.push(number);
                None
            }
            WireEvent::SessionSeen(session) => {
                sessions.push(session.id);
                None
            }
            WireEvent::Listed { number, scope, asks, orphans } if scope.route == route => {
                assert!(began.contains(&number), "a listing arrives only after it was announced");
                Some(Listed { scope, asks, orphans, sessions: std::mem::take(&mut sessions) })
            }
            _ => None,
        })
        .await
}

/// A server with one session in `/p`, which runs and has a call that waits.
async fn busy() -> Fake {
    let fake = Fake::start().await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let mut recent = session("ses_1", None);
    recent["time"] = json!({ "created": 1, "updated": now });
    fake.on("GET /experimental/session", Answer::Json(200, json!([recent])));
    fake.on("GET /permission?directory=%2Fp", Answer::Json(200, json!([listed("per_1", "ses_1")])));
    fake.on("GET /session/status", Answer::Json(200, json!({ "ses_1": { "type": "busy" } })));
    fake.on("GET /session/ses_1", Answer::Json(200, session("ses_1", Some("ses_0"))));
    fake.on("GET /session/ses_0", Answer::Json(200, session("ses_0", None)));
    fake.on("GET /session/ses_1/message/msg_1", Answer::Json(200, message("running")));
    fake
}

async fn list(fake: &Fake) -> Listed {
    let mut watched = Watched::new(&fake.url);
    let listed = next_listing(&mut watched, Route::V1).await;
    watched.connection.close().await;
    listed
}

#[tokio::test]
async fn what_is_alive_is_told_with_all_that_is_known() {
    let found = list(&busy().await).await;
    assert_eq!(found.scope, Scope { route: Route::V1, directory: "/p".to_owned() });
    assert_eq!(found.ids(), (vec!["per_1"], vec![]));
    let ask = &found.asks[0];
    assert_eq!((ask.directory.as_str(), ask.route, ask.action.as_str()), ("/p", Route::V1, "shell"));
    assert_eq!(ask.detail.purpose.as_deref(), Some("Makes a"));
    assert_eq!(ask.detail.workdir.as_deref(), Some("/p/sub"));
    let mut sessions = found.sessions;
    sessions.sort();
    // The list of sessions tells of one of them, too.
    sessions.dedup();
    assert_eq!(sessions, ["ses_0".into(), "ses_1".into()], "the session and its parents");
}

#[tokio::test]
async fn a_command_that_the_request_leaves_out_is_in_its_call() {
    let fake = busy().await;
    let mut bare = listed("per_1", "ses_1");
    bare["metadata"] = json!({});
    fake.on("GET /permission?directory=%2Fp", Answer::Json(200, json!([bare])));
    assert_eq!(list(&fake).await.asks[0].detail.command.as_deref(), Some("touch a"));
}

#[tokio::test]
async fn zombies_are_left_out() {
    let call_over = |answer| ("GET /session/ses_1/message/msg_1", answer);
    let cases = [
        ("its run ended", ("GET /session/status", Answer::Json(200, json!({}))), (vec![], vec![])),
        (
            "its run is idle",
            ("GET /session/status", Answer::Json(200, json!({ "ses_1": { "type": "idle" } }))),
            (vec![], vec![]),
        ),
        (
            "its run waits",
            ("GET /session/status", Answer::Json(200, json!({ "ses_1": { "type": "retry" } }))),
            (vec!["per_1"], vec![]),
        ),
        ("its call failed", call_over(Answer::Json(200, message("error"))), (vec![], vec![])),
        ("its call is done", call_over(Answer::Json(200, message("completed"))), (vec![], vec![])),
        ("its call begins", call_over(Answer::Json(200, message("pending"))), (vec!["per_1"], vec![])),
        ("its call is new to us", call_over(Answer::Json(200, message("dreaming"))), (vec!["per_1"], vec![])),
        ("its message is gone", call_over(not_found("Message")), (vec![], vec![])),
        ("its session is deleted", ("GET /session/ses_1", not_found("Session")), (vec![], vec!["per_1"])),
    ];
    for (name, (line, answer), expected) in cases {
        let fake = busy().await;
        fake.on(line, answer);
        assert_eq!(list(&fake).await.ids(), expected, "{name}");
    }
}

#[tokio::test]
async fn a_check_that_fails_loses_nothing() {
    for line in ["GET /session/status", "GET /session/ses_1", "GET /session/ses_1/message/msg_1", "GET /session/ses_0"]
    {
        for answer in
            [Answer::Page(200), Answer::Json(500, json!({})), Answer::Json(200, json!("odd")), Answer::Page(404)]
        {
            let fake = busy().await;
            fake.on(line, answer.clone());
            assert_eq!(list(&fake).await.ids(), (vec!["per_1"], vec![]), "{line}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn odd_entries_are_kept_or_at_least_harmless() {
    let fake = busy().await;
    let odd = json!([
        { "id": "per_2", "sessionID": "ses_1", "permission": 7, "patterns": "x", "metadata": [1], "tool": "none" },
        { "id": "per_3" },
        "nonsense",
        listed("per_1", "ses_1"),
    ]);
    fake.on("GET /permission?directory=%2Fp", Answer::Json(200, odd));
    let found = list(&fake).await;
    assert_eq!(found.ids(), (vec!["per_2", "per_1"], vec![]));
    assert_eq!((found.asks[0].action.as_str(), found.asks[0].resources.as_slice()), ("7", &["x".to_owned()][..]));
    assert_eq!(found.asks[0].detail.metadata, json!([1]));
}

#[tokio::test]
async fn a_failed_listing_is_tried_again_and_settles_nothing() {
    let fake = busy().await;
    let ok = Answer::Json(200, json!([listed("per_1", "ses_1")]));
    fake.on("GET /permission?directory=%2Fp", Answer::Json(400, json!({})).times(2, Answer::Page(200).times(1, ok)));
    let found = list(&fake).await;
    assert_eq!(found.ids(), (vec!["per_1"], vec![]), "the first listing that is told is the one that came");
    assert!(fake.seen("GET /permission?directory=%2Fp").len() >= 4);
}

#[tokio::test]
async fn what_keeps_failing_is_tried_ever_more_seldom_but_always_again() {
    let line = "GET /permission?directory=%2Fp";
    let fake = busy().await;
    fake.on(line, Answer::Json(400, json!({})));
    let tuning = Tuning { second_look: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    watched.online().await;
    let begun = Instant::now();
    // Asking for it again and again must not multiply the attempts that are due.
    until("six attempts", || {
        watched.connection.relist();
        fake.seen(line).len() >= 6
    })
    .await;
    let tries = fake.seen(line).len();
    until("another attempt by itself", || fake.seen(line).len() > tries).await;
    assert!(begun.elapsed() > Duration::from_millis(20), "{:?}", begun.elapsed());
    fake.on(line, Answer::Json(200, json!([listed("per_1", "ses_1")])));
    let found = next_listing(&mut watched, Route::V1).await;
    assert_eq!(found.ids(), (vec!["per_1"], vec![]));
    watched.connection.close().await;
}

#[tokio::test]
async fn directories_are_taken_from_events_and_recent_sessions_only() {
    let fake = Fake::start().await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let used = |directory: String, ago: u64| json!({ "id": "ses_x", "directory": directory, "time": { "updated": now - ago } });
    let day = 24 * 60 * 60 * 1000;
    let mut sessions: Vec<_> = (0..60).map(|n| used(format!("/d{n:02}"), 1000 * n)).collect();
    sessions.push(used("/old".to_owned(), 8 * day));
    sessions.push(used("relative".to_owned(), 0));
    sessions.push(json!({ "id": "ses_y", "directory": "/timeless" }));
    fake.on("GET /experimental/session", Answer::Json(200, json!(sessions)));
    fake.on("GET /session", Answer::Json(200, json!([used("/own".to_owned(), 6 * day), used("/d00".to_owned(), 0)])));
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    fake.say("session.idle", json!({ "sessionID": "ses_1" }));
    fake.send("data: {\"directory\":\"global\",\"payload\":{\"type\":\"project.updated\",\"properties\":{}}}\n\n");
    let lines = || {
        let mut lines: Vec<String> = fake.seen("GET /permission?").into_iter().map(|seen| seen.line).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    until("fifty directories and one more", || lines().len() == 51).await;
    let lines = lines();
    assert!(lines.contains(&"GET /permission?directory=%2Fp".to_owned()), "from an event");
    assert!(lines.contains(&"GET /permission?directory=%2Ftimeless".to_owned()), "it may be in use");
    assert!(lines.contains(&"GET /permission?directory=%2Fd48".to_owned()), "the fiftieth");
    for absent in ["%2Fd49", "%2Fold", "relative", "global", "%2Fown"] {
        assert!(!lines.contains(&format!("GET /permission?directory={absent}")), "{absent}");
    }
    watched.connection.close().await;
    assert!(fake.most_at_once() <= 4, "{} at once", fake.most_at_once());
}

#[tokio::test]
async fn the_previews_list_is_read_where_there_is_one() {
    let fake = busy().await;
    let ask = json!({ "id": "per_9", "sessionID": "ses_1", "action": "bash", "resources": ["ls"], "save": ["ls"],
        "source": { "type": "tool", "messageID": "msg_1", "callID": "call_1" } });
    let line = "GET /api/permission/request?location%5Bdirectory%5D=%2Fp";
    fake.on(line, Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": [ask] })));
    let call = json!({ "type": "tool", "id": "call_1", "name": "bash",
        "state": { "status": "running", "input": { "command": "cd /q && ls", "description": "Lists" } } });
    let message = json!({ "data": { "id": "msg_1", "type": "assistant", "content": [{ "type": "text" }, call] } });
    fake.on("GET /api/session/ses_1/message/msg_1", Answer::Json(200, message));
    // The other routes know neither the messages of preview sessions nor that they run.
    fake.on("GET /session/ses_1/message/msg_1", not_found("Message"));
    fake.on("GET /session/status", Answer::Json(200, json!({})));
    let mut watched = Watched::new(&fake.url);
    let found = next_listing(&mut watched, Route::Preview).await;
    assert_eq!(found.ids(), (vec!["per_9"], vec![]));
    assert_eq!((found.asks[0].route, found.asks[0].action.as_str()), (Route::Preview, "shell"));
    assert_eq!(found.asks[0].detail.command.as_deref(), Some("cd /q && ls"));
    assert_eq!(found.asks[0].detail.purpose.as_deref(), Some("Lists"));
    let over = json!({ "data": { "content": [{ "type": "tool", "id": "call_1", "state": { "status": "error" } }] } });
    fake.on("GET /api/session/ses_1/message/msg_1", Answer::Json(200, over));
    watched.connection.relist();
    until("an empty list", || fake.seen("GET /api/session/ses_1/message/msg_1").len() > 2).await;
    while !next_listing(&mut watched, Route::Preview).await.asks.is_empty() {}
    watched.connection.close().await;

    // A request that the server can't list takes the others on its route down with it, but no more.
    fake.on("GET /permission", Answer::Json(400, json!({})));
    fake.on("GET /permission?directory=%2Fp", Answer::Json(400, json!({})));
    let mut watched = Watched::new(&fake.url);
    next_listing(&mut watched, Route::Preview).await;
    watched.connection.close().await;

    let fake = busy().await;
    let mut watched = Watched::new(&fake.url);
    next_listing(&mut watched, Route::V1).await;
    next_listing(&mut watched, Route::V1).await;
    watched.connection.relist();
    next_listing(&mut watched, Route::V1).await;
    assert_eq!(fake.seen("GET /api").len(), 1, "a server without it is asked once");
}

#[tokio::test]
async fn it_is_listed_twice_after_connecting_and_when_asked_to() {
    let fake = busy().await;
    let mut watched = Watched::new(&fake.url);
    for _ in 0..2 {
        assert_eq!(next_listing(&mut watched, Route::V1).await.ids().0, ["per_1"]);
    }
    let before = fake.seen("GET /permission?directory=%2Fp").len();
    fake.on("GET /permission?directory=%2Fp", Answer::Json(200, json!([])));
    watched.connection.relist();
    assert_eq!(next_listing(&mut watched, Route::V1).await.ids().0, [""; 0]);
    assert_eq!(fake.seen("GET /permission?directory=%2Fp").len(), before + 1);
    assert_eq!(fake.seen("GET /experimental/session").len(), 2, "sessions are listed only after connecting");
}

/// The order of things as the flow machine sees them.
#[tokio::test]
async fn a_listing_says_nothing_of_what_came_after_it_began() {
    let fake = busy().await;
    let release = Arc::new(Notify::new());
    let nothing = Answer::Json(200, json!([]));
    fake.on("GET /permission?directory=%2Fp", Answer::Held(Arc::clone(&release), Box::new(nothing.clone())));
    let tuning = Tuning { second_look: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    let mut flow = Flow::default();
    let info = ServerInfo { id: fake.id(), name: String::new(), origin: Origin::Settings };
    let _ = flow.step(Event::ServerAdded(info), Moment(1));
    let feed = async |flow: &mut Flow, watched: &mut Watched, last: fn(&WireEvent) -> bool| loop {
        let event = watched.next("anything", Some).await;
        let is_last = matches!(&event, Event::Wire(_, event) if last(event));
        let _ = flow.step(event, Moment(2));
        if is_last {
            break;
        }
    };
    feed(&mut flow, &mut watched, |event| matches!(event, WireEvent::ListBegan(_))).await;
    until("the listing under way", || !fake.seen("GET /permission?directory=%2Fp").is_empty()).await;
    fake.say("permission.asked", listed("per_7", "ses_1"));
    feed(&mut flow, &mut watched, |event| matches!(event, WireEvent::Asked(_))).await;
    release.notify_one();
    feed(&mut flow, &mut watched, |event| matches!(event, WireEvent::Listed { .. })).await;
    assert_eq!(flow.inbox().len(), 1, "it is younger than the listing");

    fake.on("GET /permission?directory=%2Fp", nothing);
    watched.connection.relist();
    feed(&mut flow, &mut watched, |event| matches!(event, WireEvent::Listed { .. })).await;
    let key = flow.inbox()[0].ask.key.clone();
    let _ = flow.step(Event::TimerFired(Timer::Gone(key)), Moment(3));
    assert_eq!(flow.inbox().len(), 0, "it is older than the next one");
}

#[tokio::test]
async fn events_that_cannot_be_read_lead_to_a_listing_but_not_to_many() {
    let fake = busy().await;
    let mut watched = Watched::new(&fake.url);
    for _ in 0..2 {
        next_listing(&mut watched, Route::V1).await;
    }
    let line = "GET /permission?directory=%2Fp";
    let before = fake.seen(line).len();
    for _ in 0..200 {
        fake.send("data: {\"directory\":\"/p\",\"payload\":{\"type\":\"permission.asked\"}}\n\n");
    }
    next_listing(&mut watched, Route::V1).await;
    watched.connection.close().await;
    let listings = fake.seen(line).len() - before;
    assert!((1..20).contains(&listings), "{listings}");
}

#[tokio::test]
async fn looking_a_session_up_tells_of_it() {
    let fake = busy().await;
    fake.on(
        "GET /session/ses_5",
        Answer::Json(500, json!({})).times(1, Answer::Json(200, session("ses_5", Some("ses_0")))),
    );
    fake.on("GET /session/ses_6", not_found("Session"));
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    watched.connection.look_up(&"ses_6".into()).await;
    watched.connection.look_up(&"ses_5".into()).await;
    let found = watched
        .said("the session", |event| match event {
            WireEvent::SessionSeen(session) if session.id.as_str() == "ses_5" => Some(session),
            WireEvent::SessionSeen(session) if session.id.as_str() == "ses_6" => panic!("there is none"),
            _ => None,
        })
        .await;
    assert_eq!((found.parent, found.agent.as_deref()), (Some("ses_0".into()), Some("build")));
    assert_eq!(fake.seen("GET /session/ses_5").len(), 2, "a failure is not the last word");
}
