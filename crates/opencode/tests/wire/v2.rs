//! The dialect of 2.x against servers that behave and misbehave.

use gavel_core::flow::{Outcome, Scope, WireEvent};
use gavel_core::rules::{Effect, Rule};
use gavel_core::{Ask, Decision, Detail, Dialect, Link, RequestKey, Route};
use gavel_opencode::Credentials;
use gavel_opencode::dialect::v2::to_wire::FormOutcome;
use serde_json::{Value, json};

use crate::support::{Answer, Fake, Seen, Watched, done, lost, tagged, whole};

const ASK: &str = "GET /api/session/ses_1/permission/per_1";
const REPLY: &str = "POST /api/session/ses_1/permission/per_1/reply";
const NOTE: &str = "POST /api/session/ses_1/synthetic";

fn ask(fake: &Fake) -> Ask {
    Ask {
        key: RequestKey::new(fake.id(), "per_1"),
        session: "ses_1".into(),
        directory: "/p".to_owned(),
        route: Route::V2,
        action: "shell".to_owned(),
        resources: vec!["touch a".to_owned()],
        save: Vec::new(),
        call: None,
        asked: None,
        detail: Detail::default(),
    }
}

async fn watching(fake: &Fake) -> Watched {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    watched
}

async fn reply(fake: &Fake, decision: &Decision) -> Outcome {
    let watched = watching(fake).await;
    let outcome = watched.connection.reply(&ask(fake), decision).await;
    watched.connection.close().await;
    outcome
}

fn lines(seen: &[Seen]) -> Vec<&str> {
    seen.iter().map(|seen| seen.line.as_str()).collect()
}

fn failed(outcome: &Outcome) -> String {
    let Outcome::Failed { why } = outcome else { panic!("{outcome:?}") };
    why.to_string()
}

async fn link(fake: &Fake) -> Link {
    let mut watched = Watched::new(&fake.url);
    assert_eq!(watched.link().await, Link::Connecting);
    watched.link().await
}

#[tokio::test]
async fn what_a_server_speaks_shows_in_what_it_does() {
    let online = |version: &str| Link::Online { version: version.to_owned(), dialect: Dialect::V2 };
    let odd = json!({ "version": "3.0.0-beta", "pid": 1, "urls": [] });
    let fake = Fake::start_v2().await;
    assert_eq!(link(&fake).await, online("2.1.2"));
    fake.on("GET /api/info", Answer::Json(200, odd));
    assert_eq!(link(&fake).await, online("3.0.0-beta"), "whatever its number");
    fake.on("GET /api/info", Answer::Page(200));
    fake.on("GET /api/health", Answer::Json(200, json!({ "healthy": true })));
    assert_eq!(link(&fake).await, online(""), "an early one only says how it is");
    let foreign = [
        Answer::Json(200, json!({})),
        Answer::Json(200, json!({ "version": "2.1.2" })),
        Answer::Json(200, json!({ "version": "2.1.2", "pid": "42" })),
        Answer::Json(200, json!({ "version": 2, "pid": 42 })),
        Answer::Json(200, json!([])),
    ];
    for info in foreign {
        fake.on("GET /api/info", info.clone());
        assert!(matches!(link(&fake).await, Link::NotOpenCode { .. }), "{info:?}");
    }
    fake.on("GET /api/info", Answer::Page(200));
    fake.on("GET /api/health", Answer::Page(200));
    assert!(matches!(link(&fake).await, Link::NotOpenCode { .. }), "web pages only");
    fake.on("GET /api/info", tagged(503, "ServiceUnavailableError"));
    assert!(matches!(link(&fake).await, Link::Offline { gone: false, .. }), "just starting");
}

#[tokio::test]
async fn a_server_that_becomes_another_is_met_anew() {
    let fake = Fake::start_v2().await;
    let mut watched = watching(&fake).await;
    fake.on("GET /api/info", Answer::Page(200));
    fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" })));
    fake.on("GET /global/event", Answer::Stream);
    fake.cut();
    watched.next("the other", |event| format!("{event:?}").contains("1.18.33").then_some(())).await;
    assert_eq!(fake.seen("GET /global/event").len(), 1);
}

#[tokio::test]
async fn a_password_is_asked_for_and_used() {
    let fake = Fake::start_v2().await;
    fake.on("GET /global/health", tagged(401, "UnauthorizedError"));
    let mut watched = Watched::new(&fake.url);
    watched.link().await;
    assert_eq!(watched.link().await, Link::NeedsPassword { refused: false });
    fake.on("GET /global/health", Answer::Page(200));
    let credentials = Credentials { username: "opencode".to_owned(), password: "pass".to_owned() };
    watched.connection.set_credentials(Some(credentials));
    watched.online().await;
    // base64 of opencode:pass, in lower case as the head is.
    assert!(fake.seen("GET /api/event")[0].head.contains("authorization: basic b3blbmnvzgu6cgfzcw=="));
}

#[tokio::test]
async fn a_decision_is_said_in_words_that_every_release_takes() {
    let cases = [
        (Decision::AllowOnce, json!({ "decision": "once", "reply": "once" })),
        (Decision::decline("not this"), json!({ "decision": "reject", "reply": "reject", "message": "not this" })),
        (Decision::Stop, json!({ "decision": "reject", "reply": "reject" })),
    ];
    for (decision, body) in cases {
        let fake = Fake::start_v2().await;
        fake.on(REPLY, done());
        assert_eq!(reply(&fake, &decision).await, Outcome::Accepted);
        assert_eq!(fake.seen(REPLY)[0].body, body);
    }
}

#[tokio::test]
async fn a_release_that_takes_one_key_only_gets_that_one() {
    for key in ["decision", "reply"] {
        let fake = Fake::start_v2().await;
        let missing = json!({ "_tag": "InvalidRequestError", "kind": "Payload",
            "message": format!("Missing key\n  at [\"{key}\"]") });
        fake.on(REPLY, Answer::Json(400, missing.clone()).times(1, done()));
        assert_eq!(reply(&fake, &Decision::AllowOnce).await, Outcome::Accepted);
        assert_eq!(fake.seen(REPLY)[1].body, json!({ key: "once" }));
        fake.on(REPLY, Answer::Json(400, missing));
        assert!(
            failed(&reply(&fake, &Decision::AllowOnce).await).contains("Missing key"),
            "it is tried only once more"
        );
    }
}

#[tokio::test]
async fn a_decline_is_explained_first_and_only_once() {
    let fake = Fake::start_v2().await;
    fake.on(ASK, Answer::Json(200, json!({ "data": { "id": "per_1" } })));
    fake.on(NOTE, Answer::Json(200, json!({ "data": { "id": "msg_1" } })));
    fake.on(REPLY, Answer::Json(503, json!({})).times(1, done()));
    let decline = Decision::decline("use the tests");
    failed(&reply(&fake, &decline).await);
    fake.on(NOTE, tagged(409, "ConflictError"));
    assert_eq!(reply(&fake, &decline).await, Outcome::Accepted);
    let sent = fake.seen("POST");
    assert_eq!(lines(&sent), [NOTE, REPLY, NOTE, REPLY]);
    assert_eq!(sent[0].body, sent[2].body, "the same note, which the server takes but once");
    let note = &sent[0].body;
    assert_eq!((&note["delivery"], &note["resume"], &note["id"]), (&json!("steer"), &json!(false), &json!("msg_1")));
    let text = note["text"].as_str().unwrap();
    assert!(text.contains("\n> touch a\n") && text.ends_with("\nuse the tests"), "{text}");
    // Only a decline has words.
    fake.on(REPLY, done());
    for decision in [Decision::AllowOnce, Decision::Stop] {
        assert_eq!(reply(&fake, &decision).await, Outcome::Accepted);
    }
    assert_eq!(fake.seen(NOTE).len(), 2);
}

#[tokio::test]
async fn a_note_that_cannot_be_left_keeps_no_refusal_back() {
    for trouble in [Answer::Page(200), tagged(404, "X"), tagged(500, "UnknownError"), Answer::Raw(Vec::new())] {
        let fake = Fake::start_v2().await;
        fake.on(NOTE, trouble.clone());
        fake.on(REPLY, done());
        assert_eq!(reply(&fake, &Decision::decline("")).await, Outcome::Accepted, "{trouble:?}");
    }
    let fake = Fake::start_v2().await;
    fake.on(ASK, Answer::Silence);
    fake.on(NOTE, Answer::Silence);
    fake.on(REPLY, done());
    let begun = tokio::time::Instant::now();
    assert_eq!(reply(&fake, &Decision::decline("")).await, Outcome::Accepted);
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "the whole explanation has one limit");
}

#[tokio::test]
async fn nothing_is_noted_about_what_somebody_else_answered() {
    for (tag, outcome) in [("PermissionNotFoundError", Outcome::Lost), ("SessionNotFoundError", Outcome::RunGone)] {
        let fake = Fake::start_v2().await;
        fake.on(ASK, tagged(404, tag));
        assert_eq!(reply(&fake, &Decision::decline("no")).await, outcome);
        assert_eq!(lines(&fake.seen("POST")), [""; 0]);
    }
}

#[tokio::test]
async fn only_a_plain_yes_is_one() {
    let cases =
        [(done(), Outcome::Accepted), (lost(), Outcome::Lost), (tagged(404, "SessionNotFoundError"), Outcome::RunGone)];
    for (answer, expected) in cases {
        let fake = Fake::start_v2().await;
        fake.on(REPLY, answer.clone());
        assert_eq!(reply(&fake, &Decision::AllowOnce).await, expected, "{answer:?}");
        assert_eq!(fake.seen("POST").len(), 1);
    }
    let failing = [
        (Answer::Page(200), "web page"),
        (Answer::Page(404), "404"),
        (Answer::Json(404, json!({})), "404"),
        (Answer::Json(200, json!({ "data": true })), "does not say that it took the reply"),
        (Answer::Raw(whole(200, "text/plain", "true")), "not JSON"),
        (tagged(400, "InvalidRequestError"), "400: InvalidRequestError it is"),
        (tagged(404, "LocationNotFoundError"), "404: LocationNotFoundError it is"),
        (tagged(403, "ForbiddenError"), "403: ForbiddenError it is"),
        (tagged(500, "UnknownError"), "500: UnknownError it is"),
        (tagged(401, "UnauthorizedError"), "wants a password"),
        (Answer::Raw(Vec::new()), "broke off"),
    ];
    for (answer, expected) in failing {
        let fake = Fake::start_v2().await;
        fake.on(REPLY, answer.clone());
        let outcome = reply(&fake, &Decision::AllowOnce).await;
        assert!(failed(&outcome).contains(expected), "{answer:?}: {outcome:?}");
        assert_eq!(fake.seen("POST").len(), 1, "{answer:?}");
    }
}

#[tokio::test]
async fn a_change_that_did_not_happen_is_not_done() {
    let fake = Fake::start_v2().await;
    let kept = |resource: &str| {
        let saved = json!({ "id": "psv_1", "projectID": "x", "action": "shell", "resource": resource });
        Answer::Json(200, json!({ "data": saved }))
    };
    let watched = watching(&fake).await;
    fake.on("PATCH /api/permission/saved/psv_1", kept("*"));
    watched.connection.change_saved("/p", "psv_1", "git *").await.expect_err("it still allows everything");
    fake.on("PATCH /api/permission/saved/psv_1", kept("git *"));
    watched.connection.change_saved("/p", "psv_1", "git *").await.expect("changed");
}

/// The clean end of a service: its file is gone, and something else takes its port.
#[tokio::test]
async fn what_takes_the_port_of_a_service_that_left_is_not_taken_for_it() {
    use gavel_opencode::discovery::{Discovery, Places, Sighting};

    let fake = Fake::start_v2().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("service.json");
    let content = json!({ "version": "2.1.2", "url": fake.url.as_str(), "pid": 42, "password": "s3cret" });
    std::fs::write(&file, content.to_string()).unwrap();
    let (sender, mut sightings) = tokio::sync::mpsc::channel(16);
    let places = Places { registrations: Some(folder.path().to_owned()), ..Places::default() };
    let _discovery = Discovery::begin(places, std::time::Duration::from_millis(50), sender).unwrap();
    let mut next = async || tokio::time::timeout(crate::support::DEADLINE, sightings.recv()).await.unwrap().unwrap();
    assert!(matches!(next().await, Sighting::Found(found) if found.credentials.is_some()));
    std::fs::remove_file(&file).unwrap();
    fake.on("GET /api/info", Answer::Json(200, json!({ "version": "2.1.2", "pid": 43 })));
    assert_eq!(next().await, Sighting::Lost(fake.id()));
}

fn recent() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0
}

fn session(id: &str, directory: &str, updated: f64) -> Value {
    json!({ "id": id, "projectID": "x", "title": format!("title of {id}"), "location": { "directory": directory },
        "time": { "created": 1, "updated": updated }, "cost": 0, "tokens": {} })
}

fn request(id: &str, session: &str) -> Value {
    json!({ "id": id, "sessionID": session, "action": "shell", "resources": ["touch a"], "save": ["touch *"],
        "source": { "type": "tool", "messageID": "msg_1", "id": "call_1" } })
}

async fn next_listing(watched: &mut Watched, directory: &str) -> (Vec<Ask>, Vec<Ask>) {
    let scope = Scope { route: Route::V2, directory: directory.to_owned() };
    watched
        .said("a listing", |event| match event {
            WireEvent::Listed { scope: heard, asks, orphans, .. } if heard == scope => Some((asks, orphans)),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn what_is_pending_is_found_wherever_work_goes_on() {
    let fake = Fake::start_v2().await;
    let list = |directory: &str| format!("GET /api/permission/request?location%5Bdirectory%5D={directory}");
    let old = session("ses_9", "/forgotten", 1.0);
    let first = json!({ "data": [session("ses_1", "/p", recent())], "cursor": { "previous": null, "next": "more" } });
    let second = json!({ "data": [session("ses_2", "/q", recent()), old], "cursor": { "next": null } });
    fake.on("GET /api/session", Answer::Json(200, first));
    fake.on("GET /api/session?limit=100&cursor=more", Answer::Json(200, second));
    fake.on("GET /api/session/active", Answer::Json(200, json!({ "data": { "ses_1": {}, "ses_3": {} } })));
    for (id, directory) in [("ses_1", "/p"), ("ses_2", "/q"), ("ses_3", "/r")] {
        fake.on(&format!("GET /api/session/{id}"), Answer::Json(200, json!({ "data": session(id, directory, 1.0) })));
    }
    let pending = |place: &str, id: &str, session: &str| {
        Answer::Json(200, json!({ "location": { "directory": place }, "data": [request(id, session)] }))
    };
    fake.on(&list("%2Fp"), pending("/p", "per_1", "ses_1"));
    fake.on(&list("%2Fq"), pending("/canonical/q", "per_2", "ses_gone"));
    fake.on(&list("%2Fr"), pending("/r", "per_3", "ses_3"));
    fake.on("GET /api/session/ses_gone", tagged(404, "SessionNotFoundError"));
    let input = json!({ "command": "touch a && ls", "description": "Makes a" });
    let tool =
        json!({ "type": "tool", "id": "call_1", "name": "shell", "state": { "status": "running", "input": input } });
    let message = json!({ "data": { "id": "msg_1", "type": "assistant", "content": [{ "type": "text" }, tool] } });
    fake.on("GET /api/session/ses_1/message/msg_1", Answer::Json(200, message));

    let (asks, _) = next_listing(&mut Watched::new(&fake.url), "/p").await;
    let detail = &asks[0].detail;
    assert_eq!(detail.command.as_deref(), Some("touch a && ls"), "the whole command, not its parts");
    assert_eq!(detail.purpose.as_deref(), Some("Makes a"));
    let (asks, orphans) = next_listing(&mut Watched::new(&fake.url), "/canonical/q").await;
    assert_eq!((asks.len(), orphans.len()), (0, 1), "its session is deleted");
    let (asks, _) = next_listing(&mut Watched::new(&fake.url), "/r").await;
    assert_eq!(asks.len(), 1, "a session that runs counts however old it is");
    assert!(fake.seen(&list("%2Fforgotten")).is_empty());
}

#[tokio::test]
async fn a_listing_that_is_none_settles_nothing_and_is_told() {
    let fake = Fake::start_v2().await;
    let used = json!({ "data": [session("ses_1", "/p", recent())], "cursor": {} });
    fake.on("GET /api/session", Answer::Json(200, used));
    let troubles = [
        Answer::Page(200),
        Answer::Json(200, json!([])),
        tagged(404, "SessionNotFoundError"),
        tagged(500, "UnknownError"),
    ];
    for trouble in troubles {
        fake.on("GET /api/permission/request", trouble.clone());
        let mut watched = Watched::new(&fake.url);
        let said = watched.said("what can't be listed", |event| match event {
            WireEvent::Unlisted(why) => Some(why),
            WireEvent::Listed { .. } => panic!("{trouble:?} is no listing"),
            _ => None,
        });
        assert!(said.await.to_string().contains("`/p`"));
    }
}

#[tokio::test]
async fn a_listing_of_which_something_cannot_be_read_is_not_all_there_is() {
    let fake = Fake::start_v2().await;
    let used = json!({ "data": [session("ses_1", "/p", recent())], "cursor": {} });
    fake.on("GET /api/session", Answer::Json(200, used));
    let odd = json!({ "id": 5, "sessionID": "ses_1", "action": "shell", "resources": ["ls"] });
    fake.on("GET /api/permission/request", Answer::Json(200, json!({ "data": [odd, request("per_1", "ses_1")] })));
    let mut watched = Watched::new(&fake.url);
    let mut shown = 0;
    let said = watched.said("what can't be listed", |event| match event {
        WireEvent::Listed { asks, .. } => {
            shown = asks.len();
            None
        }
        WireEvent::InSync => panic!("all is well, it says"),
        WireEvent::Unlisted(why) => Some(why),
        _ => None,
    });
    let why = said.await;
    assert!(why.to_string().contains("1 of its requests"), "{why}");
    assert_eq!(shown, 1, "what can be read is shown");
}

#[tokio::test]
async fn sessions_that_hang_hold_up_no_listing() {
    let fake = Fake::start_v2().await;
    let used = json!({ "data": [session("ses_1", "/p", recent())], "cursor": {} });
    fake.on("GET /api/session", Answer::Json(200, used));
    let asks: Vec<Value> = (0..10).map(|nth| request(&format!("per_{nth}"), &format!("ses_slow{nth}"))).collect();
    fake.on("GET /api/permission/request", Answer::Json(200, json!({ "data": asks })));
    for nth in 0..10 {
        fake.on(&format!("GET /api/session/ses_slow{nth}"), Answer::Silence);
    }
    // Asked one after the other, each for as long as a request may take, they would need far more than a test waits.
    let (asks, _) = next_listing(&mut Watched::new(&fake.url), "/p").await;
    assert_eq!(asks.len(), 10, "a check that fails loses nothing");
}

const RULES: &str = "PATCH /api/session/ses_1";
const OLDER_RULES: &str = "POST /api/session/ses_1/permissions";

async fn set_rules(watched: &Watched) -> Result<bool, gavel_opencode::Error> {
    let rule = Rule { action: "shell".to_owned(), resource: "git *".to_owned(), effect: Effect::Allow };
    watched.connection.set_session_rules(&"ses_1".into(), &[rule]).await
}

#[tokio::test]
async fn session_rules_are_set_the_way_the_server_has() {
    let body = json!({ "permissions": [{ "action": "shell", "resource": "git *", "effect": "allow" }] });
    for missing in [Answer::Page(200), Answer::Page(404), Answer::Json(405, json!({})), Answer::Json(404, json!({}))] {
        let fake = Fake::start_v2().await;
        fake.on(RULES, missing.clone());
        fake.on(OLDER_RULES, done());
        let mut watched = watching(&fake).await;
        for _ in 0..3 {
            assert_eq!(set_rules(&watched).await, Ok(true), "{missing:?}");
        }
        assert_eq!((fake.seen(RULES).len(), fake.seen(OLDER_RULES).len()), (1, 3), "what worked is remembered");
        assert_eq!(fake.seen(OLDER_RULES)[0].body, body);
        // Another release in its place may have other routes.
        fake.on("GET /api/info", Answer::Json(200, json!({ "version": "2.2.5", "pid": 43 })));
        fake.on(RULES, done());
        fake.cut();
        watched.online().await;
        assert_eq!(set_rules(&watched).await, Ok(true));
        assert_eq!(fake.seen(RULES)[1].body, body);
    }
    let fake = Fake::start_v2().await;
    let watched = watching(&fake).await;
    assert_eq!(set_rules(&watched).await, Ok(false), "neither");
    assert_eq!(set_rules(&watched).await, Ok(false));
    assert_eq!((fake.seen(RULES).len(), fake.seen(OLDER_RULES).len()), (1, 1), "that there is none is remembered");
    // It may only have been hidden by a proxy's page: the next connection looks again.
    fake.on(RULES, done());
    fake.cut();
    let mut watched = watched;
    watched.online().await;
    assert_eq!(set_rules(&watched).await, Ok(true));
}

#[tokio::test]
async fn session_rules_that_are_refused_are_not_sent_another_way() {
    for refusal in
        [tagged(404, "SessionNotFoundError"), tagged(400, "InvalidRequestError"), tagged(500, "UnknownError")]
    {
        let fake = Fake::start_v2().await;
        fake.on(RULES, refusal.clone());
        set_rules(&watching(&fake).await).await.expect_err("refused");
        assert!(fake.seen(OLDER_RULES).is_empty(), "{refusal:?}");
    }
}

#[tokio::test]
async fn forms_are_cancelled_the_way_the_server_has() {
    const NEWER: &str = "DELETE /api/session/ses_1/form/frm_1";
    const OLDER: &str = "POST /api/session/ses_1/form/frm_1/cancel";
    let cancel = async |watched: &Watched| watched.connection.cancel_form("ses_1", "frm_1", Some("not now")).await;
    let fake = Fake::start_v2().await;
    fake.on(NEWER, done());
    let watched = watching(&fake).await;
    assert_eq!(cancel(&watched).await, Ok(FormOutcome::Accepted));
    assert_eq!(fake.seen(NEWER)[0].line, format!("{NEWER}?message=not%20now"));
    for (status, tag) in [(404, "FormNotFoundError"), (409, "FormAlreadySettledError"), (404, "SessionNotFoundError")] {
        fake.on(NEWER, tagged(status, tag));
        assert_eq!(cancel(&watched).await, Ok(FormOutcome::Settled), "{tag}");
    }
    fake.on(NEWER, tagged(500, "UnknownError"));
    cancel(&watched).await.expect_err("it did not happen");
    assert!(fake.seen(OLDER).is_empty());

    for missing in [Answer::Page(200), Answer::Json(404, json!({})), Answer::Json(405, json!({}))] {
        let fake = Fake::start_v2().await;
        fake.on(NEWER, missing.clone());
        fake.on(OLDER, done());
        let watched = watching(&fake).await;
        for _ in 0..2 {
            assert_eq!(cancel(&watched).await, Ok(FormOutcome::Accepted), "{missing:?}");
        }
        assert_eq!((fake.seen(NEWER).len(), fake.seen(OLDER).len()), (1, 2));
    }
    let fake = Fake::start_v2().await;
    assert_eq!(cancel(&watching(&fake).await).await, Ok(FormOutcome::Unsupported));
}

#[tokio::test]
async fn a_session_that_is_gone_is_gone_for_older_releases_too() {
    let fake = Fake::start_v2().await;
    let missing =
        json!({ "_tag": "InvalidRequestError", "kind": "Payload", "message": "Missing key\n  at [\"reply\"]" });
    fake.on(REPLY, Answer::Json(400, missing).times(1, tagged(404, "SessionNotFoundError")));
    let watched = watching(&fake).await;
    assert_eq!(watched.connection.reply(&ask(&fake), &Decision::AllowOnce).await, Outcome::RunGone);
}

#[tokio::test]
async fn an_id_of_dots_leads_nowhere_else() {
    let fake = Fake::start_v2().await;
    let watched = watching(&fake).await;
    let ask = Ask { key: RequestKey::new(fake.id(), ".."), ..ask(&fake) };
    watched.connection.reply(&ask, &Decision::AllowOnce).await;
    let _ = watched.connection.remove_saved("/p", "..").await;
    let _ = watched.connection.remove_saved("/p", ".").await;
    let lines: Vec<String> = fake.seen("POST").into_iter().chain(fake.seen("DELETE")).map(|seen| seen.line).collect();
    assert!(lines[0].starts_with("POST /api/session/ses_1/permission/"), "{lines:?}");
    assert!(lines[1].starts_with("DELETE /api/permission/saved/"), "{lines:?}");
}

#[tokio::test]
async fn nothing_is_noted_when_it_is_not_known_to_be_pending() {
    let fake = Fake::start_v2().await;
    fake.on("GET /api/session/ses_1/permission/per_1", tagged(500, "UnknownError"));
    fake.on(NOTE, Answer::Json(200, json!({ "data": { "id": "msg_1" } })));
    fake.on(REPLY, lost());
    let watched = watching(&fake).await;
    assert_eq!(watched.connection.reply(&ask(&fake), &Decision::decline("no")).await, Outcome::Lost);
    assert!(fake.seen(NOTE).is_empty(), "{:?}", fake.seen(NOTE)[0].body["text"]);
}

#[tokio::test]
async fn an_odd_field_does_not_cost_the_name_of_a_failure() {
    for body in [
        r#"{"_tag":"PermissionNotFoundError","message":{"text":"x"}}"#,
        r#"{"_tag":"PermissionNotFoundError","message":"\ud800"}"#,
        r#"{"_tag":"PermissionNotFoundError","message":"x","data":"y"}"#,
    ] {
        let fake = Fake::start_v2().await;
        fake.on(REPLY, Answer::Raw(whole(404, "application/json", body)));
        let watched = watching(&fake).await;
        assert_eq!(watched.connection.reply(&ask(&fake), &Decision::AllowOnce).await, Outcome::Lost, "{body}");
    }
}

#[tokio::test]
async fn a_401_of_another_program_is_not_opencode() {
    let body = r#"{"name":"UnauthorizedError","message":"No authorization token was found"}"#;
    let fake = Fake::start_v2().await;
    let head = format!(
        "HTTP/1.1 401 X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    for line in ["GET /global/health", "GET /api/info"] {
        fake.on(line, Answer::Raw(head.clone().into_bytes()));
    }
    let probed = gavel_opencode::discovery::probe::Prober::new().unwrap().probe(&fake.url).await;
    assert_eq!(probed, gavel_opencode::discovery::probe::Probed::NotOpenCode);
}

#[tokio::test]
async fn no_password_is_in_what_is_said_of_an_address() {
    let mut told = Vec::new();
    for given in [
        "http://me:hunter2#x@a:4096",
        "http://me:hun/hunter2@a:4096",
        "me:hunter2@127.0.0.1:4096",
        "http:/me:hunter2@a",
        "http://me:hunter2?@a:b",
        "http:me:hunter2@a:4096",
    ] {
        let said = gavel_opencode::server_id(given).map_or_else(|error| error.to_string(), |id| id.to_string());
        if said.contains("hunter2") {
            told.push(said);
        }
    }
    assert!(told.is_empty(), "{told:#?}");
}
