//! Where the supported versions of OpenCode differ on the wire. Whoever drops one of these facts from Gavel learns here
//! whether it still holds.

use std::{path::Path, time::Duration};

use gavel_tests::{
    on_every_version,
    opencode::{Envelope, Events, OpenCode, Options, Version},
    scripted_model::ScriptedModel,
    wait::eventually,
};
use reqwest::Method;
use serde_json::{Value, json};

const DEADLINE: Duration = Duration::from_secs(90);

on_every_version! {
    the_command_of_a_shell_ask,
    an_answer_that_comes_too_late,
    a_list_with_a_page_to_fetch,
    the_session_listing_of_the_preview,
    an_unknown_path_of_the_preview,
    a_run_that_is_aborted,
    a_session_deleted_while_it_asks,
    an_instance_disposed_while_it_asks,
    one_message_of_a_session,
    sessions_of_all_projects,
}

async fn asking(server: &OpenCode, script: &str) -> (String, Value, Events) {
    let (dir, events) = (server.dir(0), server.events().await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, script).await;
    let asked = events.wait_for("an ask", DEADLINE, |event| event.kind() == "permission.asked").await;
    (session, asked.properties().clone(), events)
}

fn id(ask: &Value) -> &str {
    ask["id"].as_str().unwrap()
}

fn of<'a>(kind: &'a str, session: &'a str) -> impl Fn(&Envelope) -> bool {
    move |event| event.kind() == kind && event.properties()["sessionID"] == session
}

async fn the_command_of_a_shell_ask(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (session, ask, _events) = asking(&server, "run: cd . && touch x").await;
    let told = if version == Version::NEWEST { json!({"command": "cd . && touch x"}) } else { json!({}) };
    assert_eq!(ask["metadata"], told);
    // The way that works everywhere: the tool part with the same call id.
    let parts = server.tool_parts(server.dir(0), &session).await;
    let part = parts.iter().find(|part| part["callID"] == ask["tool"]["callID"]).unwrap();
    assert_eq!(part["state"]["input"]["command"], "cd . && touch x");
}

async fn an_answer_that_comes_too_late(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model).projects(&["alpha", "beta"])).await;
    let (session, ask, events) = asking(&server, "run: touch x").await;
    let (here, elsewhere) = (server.dir(0), server.dir(1));
    // The oldest accepts whatever it is sent.
    let refusal = if version == Version::V1_14_41 { 200 } else { 404 };
    assert_eq!(server.reply(elsewhere, id(&ask), "once", None).await.0, refusal);
    assert_eq!(server.permissions(here).await.len(), 1);
    assert_eq!(server.reply(here, id(&ask), "once", None).await.0, 200);
    events.wait_for("the reply", DEADLINE, of("permission.replied", &session)).await;
    assert_eq!(server.reply(here, id(&ask), "reject", None).await.0, refusal);
    assert_eq!(server.reply(here, "per_unheard_of", "once", None).await.0, refusal);
    let legacy = format!("/session/{session}/permissions/{}", id(&ask));
    let answer = server.request(Method::POST, &legacy, None, Some(json!({"response": "once"}))).await.unwrap();
    assert_eq!(answer.0, refusal);
    let replies = events.all().into_iter().filter(|event| event.kind() == "permission.replied");
    assert_eq!(replies.count(), 1, "only the answer that counted is announced");
}

/// Later versions check their own answer, and a webfetch ask without a time-out does not pass: the whole list is refused.
async fn a_list_with_a_page_to_fetch(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let dir = server.dir(0);
    let (session, ask, _events) = asking(&server, &format!("fetch: {}", model.page_url())).await;
    assert_eq!(ask["metadata"], json!({"url": model.page_url(), "format": "text"}));
    let readable = if version == Version::V1_14_41 { 200 } else { 400 };
    let list = async || server.request(Method::GET, "/permission", Some(dir), None).await.unwrap();
    assert_eq!(list().await.0, readable);
    // An aborted run leaves its ask behind, and with it the unreadable list.
    server.abort(dir, &session).await;
    eventually("the run to end", DEADLINE, async || !server.is_busy(dir, &session).await).await;
    assert_eq!(list().await.0, readable);
    assert_eq!(server.reply(dir, id(&ask), "reject", None).await.0, 200);
    assert_eq!(list().await, (reqwest::StatusCode::OK, json!([])));
}

async fn the_session_listing_of_the_preview(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let session = server.create_session(server.dir(0)).await;
    let listing = server.get("/api/session", server.dir(0)).await;
    if version == Version::NEWEST {
        assert_eq!(listing["data"][0]["id"], session.as_str());
        assert_eq!(listing["data"][0]["location"]["directory"], server.dir(0).to_str().unwrap());
    } else {
        assert_eq!(listing["items"][0]["id"], session.as_str());
        assert!(listing["items"][0]["directory"].is_null() && listing["items"][0]["location"].is_null());
    }
}

/// An unknown path is never a 404: it is the page of the web client.
async fn an_unknown_path_of_the_preview(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (status, body) = server.try_get("/api/permission/request").await.unwrap();
    assert_eq!(status, 200);
    assert_eq!(body["data"].is_array(), version == Version::NEWEST, "{body}");
    let (status, body) = server.try_get("/api/surely/not/there").await.unwrap();
    assert!(status == 200 && body.is_string(), "{status} {body}");
}

async fn a_run_that_is_aborted(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let dir = server.dir(0);
    let (session, ask, events) = asking(&server, "run: touch x").await;
    server.abort(dir, &session).await;
    let error = events.wait_for("the error", DEADLINE, of("session.error", &session)).await;
    assert_eq!(error.properties()["error"]["name"], "MessageAbortedError");
    events.wait_for("idleness", DEADLINE, of("session.idle", &session)).await;
    assert_eq!(server.permissions(dir).await, std::slice::from_ref(&ask), "the ask stays behind");
    assert_eq!(server.get("/session/status", dir).await, json!({}));
    assert!(!events.kinds().contains(&"permission.replied".to_owned()));
    // Whether an approval that comes so late still runs the call is a race inside the server: both were seen.
    assert_eq!(server.reply(dir, id(&ask), "once", None).await.0, 200);
    assert_eq!(server.permissions(dir).await, [] as [Value; 0]);
}

async fn a_session_deleted_while_it_asks(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let dir = server.dir(0);
    let (session, ask, events) = asking(&server, "run: touch x").await;
    server.delete_session(dir, &session).await;
    events.wait_for("the deletion", DEADLINE, |event| event.kind() == "session.deleted").await;
    assert_eq!(server.permissions(dir).await, std::slice::from_ref(&ask), "the ask stays behind");
    assert!(server.is_busy(dir, &session).await, "and so does the run");
    let gone = server.request(Method::GET, &format!("/session/{session}"), Some(dir), None).await.unwrap();
    assert_eq!(gone.0, 404);
    assert_eq!(server.reply(dir, id(&ask), "once", None).await.0, 200);
    eventually("the command of a session that is no more", DEADLINE, async || dir.join("x").exists()).await;
}

async fn an_instance_disposed_while_it_asks(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let dir = server.dir(0);
    let (session, _ask, events) = asking(&server, "run: touch x").await;
    server.dispose(dir).await;
    let disposed = |event: &Envelope| event.kind() == "server.instance.disposed" && names(event, dir);
    events.wait_for("the disposal", DEADLINE, disposed).await;
    let kinds = events.kinds();
    let place =
        |kind: &str| kinds.iter().position(|other| other == kind).unwrap_or_else(|| panic!("{kind}: {kinds:?}"));
    assert!(place("session.error") < place("server.instance.disposed"));
    assert!(events.all().iter().any(of("session.idle", &session)));
    assert!(server.permissions(dir).await.is_empty());
    assert!(!events.is_closed());
}

fn names(event: &Envelope, dir: &Path) -> bool {
    event.properties()["directory"] == dir.to_str().unwrap()
}

async fn one_message_of_a_session(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (session, ask, _events) = asking(&server, "run: touch x").await;
    let message = ask["tool"]["messageID"].as_str().unwrap();
    let (status, body) = server.try_get(&format!("/session/{session}/message/{message}")).await.unwrap();
    assert_eq!(status, 200);
    assert_eq!((&body["info"]["id"], &body["info"]["role"]), (&json!(message), &json!("assistant")));
    assert!(body["parts"].as_array().unwrap().iter().any(|part| part["callID"] == ask["tool"]["callID"]));
}

async fn sessions_of_all_projects(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model).projects(&["alpha", "beta"])).await;
    for index in [0, 1] {
        server.create_session(server.dir(index)).await;
    }
    let (_, sessions) = server.try_get("/experimental/session").await.unwrap();
    let mut dirs: Vec<_> =
        sessions.as_array().unwrap().iter().map(|session| session["directory"].as_str().unwrap()).collect();
    dirs.sort_unstable();
    assert_eq!(dirs, [server.dir(0).to_str().unwrap(), server.dir(1).to_str().unwrap()]);
    // Without a directory the statuses are those of the server's own.
    let (session, _ask, _events) = asking(&server, "run: touch x").await;
    let (_, status) = server.try_get("/session/status").await.unwrap();
    assert_eq!(status[&session]["type"], "busy");
}
