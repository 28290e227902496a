//! What a person waits for, while everything else that is asked of the server hangs.

use std::time::Duration;

use gavel_core::flow::Outcome;
use gavel_core::modes::Cause;
use gavel_core::rules::{Effect, Rule};
use gavel_core::{Ask, Decision, Detail, RequestKey, Route};
use gavel_opencode::connection::Applied;
use gavel_opencode::dialect::v2::to_wire::FormOutcome;
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::support::{Answer, Fake, Watched, done, session, until};

/// As many requests as may run at once in the background.
const ALL_TURNS: usize = 8;

/// Half of what a request that hangs is given before it is given up: whatever came by then waited for none of them.
const SOON: Duration = Duration::from_secs(5);

fn ask(fake: &Fake, route: Route, id: &str) -> Ask {
    Ask {
        key: RequestKey::new(fake.id(), id),
        session: "ses_1".into(),
        directory: "/p".to_owned(),
        route,
        action: "shell".to_owned(),
        resources: vec!["touch a".to_owned()],
        save: Vec::new(),
        call: None,
        asked: None,
        detail: Detail::default(),
    }
}

/// Lets the server hang at whatever is read in the background, until no more of that can be under way.
async fn hang(fake: &Fake, list: &str) -> Watched {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    for line in [list, "GET /api/permission/saved", "GET /session/ses_x", "GET /api/session/ses_x"] {
        fake.on(line, Answer::Silence);
    }
    fake.count_anew();
    for number in 0..20 {
        let frame = json!({ "directory": format!("/d{number}"), "location": { "directory": format!("/d{number}") },
            "payload": { "type": "todo.updated", "properties": {} }, "type": "todo.updated", "data": {} });
        fake.send(format!("data: {frame}\n\n"));
    }
    until("twenty directories", || watched.connection.directories().len() >= 20).await;
    for _ in 0..2 {
        let connection = watched.connection.clone();
        tokio::spawn(async move { connection.look_up(&"ses_x".into()).await });
    }
    for _ in 0..4 {
        let connection = watched.connection.clone();
        tokio::spawn(async move { connection.saved_approvals().await });
    }
    until("all turns to be taken", || fake.most_at_once() >= ALL_TURNS).await;
    watched
}

#[tokio::test]
async fn a_1_x_server_whose_lists_hang_holds_up_no_click() {
    let fake = Fake::start().await;
    fake.on("GET /session/ses_1", Answer::Json(200, session("ses_1", None)));
    fake.on("PATCH /session/ses_1", Answer::Json(500, json!({})));
    let agents = json!([{ "name": "build", "mode": "primary", "permission": [] }]);
    fake.on("GET /agent", Answer::Json(200, agents));
    for id in ["per_1", "per_2"] {
        fake.on(&format!("POST /permission/{id}/reply"), Answer::Json(200, json!(true)));
    }
    let watched = hang(&fake, "GET /permission").await;
    let connection = &watched.connection;
    let clicks = async {
        let first = connection.reply(&ask(&fake, Route::V1, "per_1"), &Decision::AllowOnce).await;
        let second = connection.reply(&ask(&fake, Route::V1, "per_2"), &Decision::decline("no")).await;
        assert_eq!((first, second), (Outcome::Accepted, Outcome::Accepted));
        assert_eq!(connection.agents("/p").await.unwrap().len(), 1);
        assert_eq!(connection.session_rules(&"ses_1".into(), "/p").await, Ok(Some(Vec::new())));
    };
    timeout(SOON, clicks).await.expect("a click waits for no list");
    watched.connection.close().await;
}

#[tokio::test]
async fn a_2_x_server_whose_lists_hang_holds_up_no_click() {
    let fake = Fake::start_v2().await;
    let rule = Rule { action: "shell".to_owned(), resource: "ls *".to_owned(), effect: Effect::Allow };
    let there = json!({ "data": { "id": "ses_1", "permissions": [rule] } });
    let bare = Answer::Json(200, json!({ "data": { "id": "ses_1" } }));
    fake.on("GET /api/session/ses_1", bare.times(1, Answer::Json(200, there)));
    fake.on("PATCH /api/session/ses_1", done());
    fake.on("GET /api/session/ses_1/permission/per_2", Answer::Json(200, json!({ "data": { "id": "per_2" } })));
    fake.on("POST /api/session/ses_1/synthetic", Answer::Json(200, json!({ "data": {} })));
    fake.on("DELETE /api/session/ses_1/form/frm_1", done());
    fake.on("DELETE /api/permission/saved/psv_1", done());
    for id in ["per_1", "per_2"] {
        fake.on(&format!("POST /api/session/ses_1/permission/{id}/reply"), done());
    }
    let watched = hang(&fake, "GET /api/permission/request").await;
    let connection = &watched.connection;
    let clicks = async {
        let rules = std::slice::from_ref(&rule);
        let applied = connection.apply_rules(&"ses_1".into(), "/p", &[], rules, Cause::Choice).await;
        assert_eq!(applied, Ok(Applied::Written { count: 1 }));
        let first = connection.reply(&ask(&fake, Route::V2, "per_1"), &Decision::AllowOnce).await;
        let second = connection.reply(&ask(&fake, Route::V2, "per_2"), &Decision::decline("no")).await;
        assert_eq!((first, second), (Outcome::Accepted, Outcome::Accepted));
        assert_eq!(fake.seen("POST /api/session/ses_1/synthetic").len(), 1, "the agent is told why");
        assert_eq!(connection.cancel_form("ses_1", "frm_1", None).await, Ok(FormOutcome::Accepted));
        assert_eq!(connection.remove_saved("/p", "psv_1").await, Ok(true));
    };
    timeout(SOON, clicks).await.expect("a click waits for no list");
    watched.connection.close().await;
}

#[tokio::test]
async fn a_hundred_clicks_do_not_flood_the_server() {
    let fake = Fake::start_v2().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let asks: Vec<Ask> = (0..100).map(|number| ask(&fake, Route::V2, &format!("per_{number}"))).collect();
    for ask in &asks {
        fake.on(&format!("POST /api/session/ses_1/permission/{}/reply", ask.key.request), done());
    }
    fake.count_anew();
    let mut replies = JoinSet::new();
    for ask in asks {
        let connection = watched.connection.clone();
        replies.spawn(async move { connection.reply(&ask, &Decision::AllowOnce).await });
    }
    for outcome in replies.join_all().await {
        assert_eq!(outcome, Outcome::Accepted);
    }
    assert!(fake.most_at_once() <= 2 * ALL_TURNS, "{} at once", fake.most_at_once());
    watched.connection.close().await;
}
