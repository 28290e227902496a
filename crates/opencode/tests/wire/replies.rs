//! What is sent for a decision, and what is made of the answer. No error may ever end in an approval.

use gavel_core::flow::Outcome;
use gavel_core::{Ask, Decision, Detail, Link, RequestKey, Route};
use gavel_opencode::Credentials;
use serde_json::{Value, json};

use crate::support::{Answer, Fake, Seen, Watched, lost, not_found, session};

const V1: &str = "POST /permission/per_1/reply";
const LEGACY: &str = "POST /session/ses_1/permissions/per_1";
const PREVIEW: &str = "POST /api/session/ses_1/permission/per_1/reply";

fn ask(fake: &Fake, route: Route) -> Ask {
    Ask {
        key: RequestKey::new(fake.id(), "per_1"),
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

/// A server on which session `ses_1` lives.
async fn living() -> Fake {
    let fake = Fake::start().await;
    fake.on("GET /session/ses_1", Answer::Json(200, session("ses_1", None)));
    fake
}

async fn reply(fake: &Fake, route: Route, decision: &Decision) -> Outcome {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let outcome = watched.connection.reply(&ask(fake, route), decision).await;
    watched.connection.close().await;
    outcome
}

fn bodies(seen: &[Seen]) -> Vec<Value> {
    seen.iter().map(|seen| seen.body.clone()).collect()
}

fn failed(outcome: &Outcome) -> String {
    let Outcome::Failed { why } = outcome else { panic!("{outcome:?}") };
    why.to_string()
}

#[tokio::test]
async fn a_decision_is_said_in_the_servers_words() {
    let decline = Decision::Decline { reason: "not \"this\"\nжук".to_owned() };
    let cases = [
        (Decision::AllowOnce, json!({ "reply": "once" })),
        (decline, json!({ "reply": "reject", "message": "not \"this\"\nжук" })),
        (Decision::Stop, json!({ "reply": "reject" })),
    ];
    for (decision, body) in cases {
        let fake = living().await;
        fake.on(V1, Answer::Json(200, json!(true)));
        assert_eq!(reply(&fake, Route::V1, &decision).await, Outcome::Accepted);
        let sent = fake.seen("POST");
        assert_eq!(bodies(&sent), [body]);
        assert_eq!(sent[0].line, format!("{V1}?directory=%2Fp"));
    }
}

#[tokio::test]
async fn only_a_plain_yes_is_one() {
    let ok = |kind, body: &str| Answer::Raw(crate::support::whole(200, kind, body));
    let cases = [
        (Answer::Json(200, json!(true)), Outcome::Accepted),
        (Answer::Raw(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_vec()), Outcome::Accepted),
        (lost(), Outcome::Lost),
    ];
    for (answer, expected) in cases {
        let fake = living().await;
        fake.on(V1, answer.clone());
        assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, expected, "{answer:?}");
    }
    let failing = [
        (Answer::Json(200, json!(false)), "does not say that it took the reply"),
        (Answer::Json(200, json!({ "ok": true })), "does not say that it took the reply"),
        (ok("text/plain", "true"), "it is not JSON"),
        (Answer::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec()), "not JSON"),
        (
            Answer::Raw(
                b"HTTP/1.1 302 Found\r\nlocation: /ok\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
            ),
            "302",
        ),
        (Answer::Json(400, json!({ "name": "BadRequest", "data": { "message": "Expected x" } })), "400: Expected x"),
        (Answer::Json(500, json!({ "name": "UnknownError", "data": { "message": "Oops" } })), "500: Oops"),
        (
            Answer::Raw(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\ntr".to_vec()),
            "broke off",
        ),
        (Answer::Raw(Vec::new()), "broke off"),
        (Answer::Json(401, json!({})), "wants a password"),
    ];
    for (answer, expected) in failing {
        let fake = living().await;
        fake.on(V1, answer.clone());
        let outcome = reply(&fake, Route::V1, &Decision::AllowOnce).await;
        assert!(failed(&outcome).contains(expected), "{answer:?}: {outcome:?}");
        assert_eq!(fake.seen("POST").len(), 1, "{answer:?}");
    }
}

#[tokio::test]
async fn the_older_route_serves_where_the_newer_is_missing() {
    for missing in [Answer::Page(200), Answer::Page(404), Answer::Json(405, json!({})), Answer::Json(404, json!({}))] {
        let fake = living().await;
        fake.on(V1, missing.clone());
        fake.on(LEGACY, Answer::Json(200, json!(true)));
        assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, Outcome::Accepted, "{missing:?}");
        assert_eq!(bodies(&fake.seen(LEGACY)), [json!({ "response": "once" })]);
        let declined = reply(&fake, Route::V1, &Decision::decline("Not now")).await;
        assert_eq!(declined, Outcome::Wordless, "that route takes no words");
        assert_eq!(reply(&fake, Route::V1, &Decision::Stop).await, Outcome::Accepted);
        fake.on(LEGACY, lost());
        assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, Outcome::Lost);
        fake.on(LEGACY, Answer::Page(200));
        assert!(failed(&reply(&fake, Route::V1, &Decision::AllowOnce).await).contains("web page"));
    }
    let fake = living().await;
    fake.on(V1, lost());
    fake.on(LEGACY, Answer::Json(200, json!(true)));
    assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, Outcome::Lost);
    assert_eq!(fake.seen(LEGACY), [], "a request that is lost is not tried on another route");
}

#[tokio::test]
async fn a_deleted_sessions_request_is_refused_instead_of_approved() {
    for (route, path) in [(Route::V1, V1), (Route::Preview, PREVIEW)] {
        for answer in [Answer::Json(200, json!(true)), lost()] {
            let fake = Fake::start().await;
            fake.on("GET /session/ses_1", not_found("Session"));
            fake.on(path, answer);
            assert_eq!(reply(&fake, route, &Decision::AllowOnce).await, Outcome::RunGone);
            let sent = bodies(&fake.seen("POST"));
            assert_eq!(sent.len(), 1);
            assert_eq!(sent[0]["reply"], "reject");
            assert_eq!(sent[0].get("message"), None);
        }
    }
    let fake = Fake::start().await;
    fake.on("GET /session/ses_1", not_found("Session"));
    fake.on(V1, Answer::Json(500, json!({})));
    assert!(failed(&reply(&fake, Route::V1, &Decision::AllowOnce).await).contains("500"));
}

#[tokio::test]
async fn nothing_is_approved_blindly() {
    for unclear in [
        Answer::Page(200),
        Answer::Page(404),
        Answer::Json(404, json!({ "message": "route not found" })),
        Answer::Json(500, json!({})),
        Answer::Json(200, json!([])),
        Answer::Json(200, session("ses_2", None)),
        Answer::Raw(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{".to_vec()),
    ] {
        let fake = Fake::start().await;
        fake.on("GET /session/ses_1", unclear.clone());
        fake.on(V1, Answer::Json(200, json!(true)));
        failed(&reply(&fake, Route::V1, &Decision::AllowOnce).await);
        assert_eq!(fake.seen("POST"), [], "{unclear:?}");
        // A refusal can't do harm.
        assert_eq!(reply(&fake, Route::V1, &Decision::Stop).await, Outcome::Accepted, "{unclear:?}");
    }
}

#[tokio::test]
async fn a_preview_request_is_answered_under_either_key() {
    let missing = |key: &str| {
        let message = format!("Missing key\n  at [\"{key}\"]");
        Answer::Json(400, json!({ "_tag": "InvalidRequestError", "message": message, "kind": "Payload" }))
    };
    let yes = Answer::Raw(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_vec());
    let fake = living().await;
    fake.on(PREVIEW, yes.clone());
    let decline = Decision::Decline { reason: "no".to_owned() };
    assert_eq!(reply(&fake, Route::Preview, &decline).await, Outcome::Accepted);
    assert_eq!(bodies(&fake.seen("POST")), [json!({ "decision": "reject", "reply": "reject", "message": "no" })]);

    for key in ["reply", "decision"] {
        let fake = living().await;
        fake.on(PREVIEW, missing(key).times(1, yes.clone()));
        assert_eq!(reply(&fake, Route::Preview, &Decision::AllowOnce).await, Outcome::Accepted);
        assert_eq!(
            bodies(&fake.seen("POST")),
            [json!({ "decision": "once", "reply": "once" }), json!({ key: "once" })]
        );
    }
    let fake = living().await;
    fake.on(PREVIEW, missing("colour"));
    assert!(failed(&reply(&fake, Route::Preview, &Decision::AllowOnce).await).contains("Missing key"));
    assert_eq!(fake.seen("POST").len(), 1);
    fake.on(PREVIEW, Answer::Page(200));
    assert!(failed(&reply(&fake, Route::Preview, &Decision::AllowOnce).await).contains("web page"));
}

#[tokio::test]
async fn a_deleted_preview_session_takes_no_answer_at_all() {
    let fake = Fake::start().await;
    fake.on("GET /session/ses_1", not_found("Session"));
    fake.on(
        PREVIEW,
        Answer::Json(404, json!({ "_tag": "SessionNotFoundError", "sessionID": "ses_1", "message": "x" })),
    );
    for decision in [Decision::AllowOnce, Decision::Stop] {
        assert_eq!(reply(&fake, Route::Preview, &decision).await, Outcome::RunGone);
    }
    assert!(fake.seen("POST").iter().all(|seen| seen.body["reply"] == "reject"));
}

/// Before 1.15 a server says yes to a reply that comes too late.
#[tokio::test]
async fn an_old_servers_yes_is_not_taken_for_one() {
    let fake = living().await;
    fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.14.41" })));
    fake.on(V1, Answer::Json(200, json!(true)));
    assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, Outcome::Lost);
    assert_eq!(fake.seen("POST"), []);
    fake.on("GET /permission", Answer::Json(200, json!([crate::support::listed("per_1", "ses_1")])));
    assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, Outcome::Accepted);
    // A list that can't be had says nothing.
    fake.on("GET /permission", Answer::Json(400, json!({})));
    assert_eq!(reply(&fake, Route::V1, &Decision::AllowOnce).await, Outcome::Accepted);
}

#[tokio::test]
async fn a_request_without_a_directory_is_found_through_its_session() {
    let fake = living().await;
    fake.on(V1, Answer::Json(200, json!(true)));
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let ask = Ask { directory: String::new(), ..ask(&fake, Route::V1) };
    assert_eq!(watched.connection.reply(&ask, &Decision::Stop).await, Outcome::Accepted);
    assert_eq!(fake.seen("POST")[0].line, format!("{V1}?directory=%2Fp"));
}

#[tokio::test]
async fn a_password_goes_along() {
    let fake = living().await;
    fake.on(V1, Answer::Json(200, json!(true)));
    let credentials = Credentials { username: "opencode".to_owned(), password: "пароль".to_owned() };
    let mut watched = Watched::tuned(&fake.url, Some(credentials), crate::support::hurried());
    watched.online().await;
    assert_eq!(watched.connection.reply(&ask(&fake, Route::V1), &Decision::AllowOnce).await, Outcome::Accepted);
    let all = fake.seen("");
    assert!(all.len() > 3);
    for seen in all {
        assert!(seen.head.contains("authorization: basic b3blbmnvzgu60l/qsnga0l7qu9gm"), "{}", seen.head);
    }
}

/// What is pending on a server is of no other program that answers in its place: it hears no decision. One look is not
/// enough to know that the server is gone, for a proxy may answer so for a moment.
#[tokio::test]
async fn another_program_in_the_place_of_a_server_is_told_nothing() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let connection = watched.connection.clone();
    fake.on("GET /global/health", Answer::Page(404));
    fake.cut();
    let mut states = Vec::new();
    while !matches!(states.last(), Some(Link::NotOpenCode { gone: true, .. })) {
        states.push(watched.link().await);
        if let Some(Link::NotOpenCode { gone: false, .. }) = states.last() {
            let outcome = connection.reply(&ask(&fake, Route::V1), &Decision::Stop).await;
            let Outcome::Failed { why } = outcome else { panic!("{outcome:?}") };
            assert_eq!(why.to_string(), "another program answers at the server's address");
        }
    }
    assert!(states.iter().any(|state| matches!(state, Link::NotOpenCode { gone: false, .. })), "{states:?}");
    assert_eq!(fake.seen("POST ").len(), 0);

    let healthy = Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" }));
    fake.on("GET /global/health", healthy);
    watched.online().await;
}
