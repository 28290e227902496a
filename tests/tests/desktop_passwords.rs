//! Passwords and keys on a desktop: in its keychain, or in a variable, and nowhere else.

use std::path::Path;

use axum::http::HeaderMap;
use axum::{Json, Router};
use gavel_stand_in::StandIn;
use gavel_tests::app::{self, DEADLINE};
use gavel_tests::desktop::{NotificationServer, Session, WebDriver, bus};
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::process::Process;
use gavel_tests::scripted_model::{Script, ScriptedModel};
use gavel_tests::wait::eventually;
use serde_json::json;

const PASSWORD: &str = "open sesame";

async fn protected() -> (ScriptedModel, OpenCode) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(Version::V1_18_33, Options::new(&model).password(PASSWORD)).await;
    (model, server)
}

/// An unlocked keychain on the session's bus.
async fn keychain(session: &Session) -> Process {
    let mut command = session.command("sh");
    command.args(["-c", "printf unlocked | gnome-keyring-daemon --unlock --components=secrets --foreground"]);
    let keychain = session.spawn("gnome-keyring-daemon", command);
    let connection = bus::connect(&session.bus_address()).await;
    eventually("the keychain", DEADLINE, async || {
        if bus::is_owned(&connection, "org.freedesktop.secrets").await { Ok(()) } else { Err(keychain.tail()) }
    })
    .await;
    keychain
}

async fn asks_and_is_answered(server: &OpenCode, desktop: &NotificationServer, file: &str) {
    let session = server.create_session(server.dir(0)).await;
    server.prompt_async(server.dir(0), &session, Script::new().run(&format!("touch {file}"))).await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains(file)).await;
    desktop.invoke(shown.id, shown.key("Approve").unwrap()).await;
    let path = server.dir(0).join(file);
    eventually(format!("{file} to appear"), DEADLINE, async || path.exists()).await;
}

/// Fails if `secret` is in any file under `folder`, but for the keychain's own.
fn nowhere_in(folder: &Path, secret: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            nowhere_in(&path, secret);
        } else if let Ok(bytes) = std::fs::read(&path) {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "the secret is in {}", path.display());
        }
    }
}

#[tokio::test]
async fn a_password_typed_in_the_window_is_kept_in_the_keychain() {
    let (_model, server) = protected().await;
    let session = Session::start().await;
    app::settings(&session, &[&server.url()], json!({}));
    let _keychain = keychain(&session).await;
    let desktop = NotificationServer::start(&session).await;
    let window = app::drive(&session, &[], &[]).await;
    window.wait_for_text("Inbox", DEADLINE).await;
    app::go(&window, "Servers").await;
    let field = window.wait_for_css("input[type=password]", DEADLINE).await;
    app::painted(&session).await;
    session.screenshot("needs-a-password").await;
    window.send_keys(&field, &format!("{PASSWORD}\u{E007}")).await;
    window.wait_for_text("1.18.33", DEADLINE).await;
    asks_and_is_answered(&server, &desktop, "typed.txt").await;
    app::quit(window, &session).await;

    let app = app::start(&session, &[]);
    app.wait_for_output("online, OpenCode", DEADLINE).await;
    asks_and_is_answered(&server, &desktop, "kept.txt").await;
    assert!(!app.output().contains(PASSWORD));
    nowhere_in(session.root(), PASSWORD);
}

#[tokio::test]
async fn a_variable_does_where_there_is_no_keychain() {
    let (_model, server) = protected().await;
    let session = Session::start().await;
    let passwords = json!({ "passwords": { server.url(): { "variable": "SESAME" } } });
    app::settings(&session, &[&server.url()], passwords);
    let desktop = NotificationServer::start(&session).await;
    let app = app::start_with(&session, &["--headless"], &[("SESAME", PASSWORD)]);
    app.wait_for_output("online, OpenCode", DEADLINE).await;
    asks_and_is_answered(&server, &desktop, "variable.txt").await;
    nowhere_in(session.root(), PASSWORD);
}

const KEY: &str = "sk-open-sesame";

/// A model that allows everything to whoever has the key.
async fn yielding_model() -> String {
    let router = Router::new().fallback(async |headers: HeaderMap| {
        let known = headers.get("authorization").is_some_and(|key| key == &format!("Bearer {KEY}"));
        let decision = json!({ "decision": if known { "allow" } else { "ask" }, "reason": "it fits" }).to_string();
        Json(json!({ "choices": [{ "message": { "content": decision }, "finish_reason": "stop" }] }))
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn type_in(window: &WebDriver, css: &str, text: &str) {
    let field = window.wait_for_css(css, DEADLINE).await;
    window.clear(&field).await;
    window.send_keys(&field, text).await;
}

#[tokio::test]
async fn a_judge_is_chosen_tried_and_turned_off_in_the_window() {
    let server = StandIn::start(gavel_stand_in::Options::default()).await.unwrap();
    let model = yielding_model().await;
    let session = Session::start().await;
    let auto = json!({ "mode": "auto", "plan": false, "subagents": true });
    app::settings(&session, &[&server.url()], json!({ "modes": { "servers": { server.url(): auto } } }));
    let _keychain = keychain(&session).await;
    let _desktop = NotificationServer::start(&session).await;
    let window = app::drive(&session, &[], &[]).await;
    window.wait_for_text("Inbox", DEADLINE).await;
    app::go(&window, "Judge").await;
    window.wait_for_text("Nobody judges", DEADLINE).await;
    let wants = |command: &str| {
        let asking = server.create_session("/home/dev/project", "Tidy up");
        server.prompt(&asking, &format!("shell {command}")).unwrap();
    };
    let ran = || server.executed().into_iter().map(|executed| executed.what).collect::<Vec<_>>();

    // By mouse: what waits is put before the judge as soon as there is one.
    wants("touch waiting");
    window.click_css("input[value=endpoint]", DEADLINE).await;
    type_in(&window, "input[id$=-address]", &model).await;
    type_in(&window, "input[id$=-model]", "small").await;
    type_in(&window, "input[id$=-key]", KEY).await;
    assert_eq!(ran(), Vec::<String>::new());
    window.click_css("form button[type=submit].primary", DEADLINE).await;
    window.wait_for_text(&format!("small at {model} judges"), DEADLINE).await;
    let answered = async || if ran() == ["touch waiting"] { Ok(()) } else { Err(format!("{:?}", ran())) };
    eventually("the judge to answer", DEADLINE, answered).await;

    // By keyboard: it is tried, and turned off.
    type_in(&window, "#j-command", "npm run lint\u{E007}").await;
    window.wait_for_text("It would allow it. It fits.", DEADLINE).await;
    window.click_css("#j-test ~ details summary", DEADLINE).await;
    window.wait_for_text("authorization: ***", DEADLINE).await;
    app::painted(&session).await;
    session.screenshot("judge-tried").await;
    window.execute("document.querySelector('input[value=off]').focus()", &[]).await;
    window.press(' ').await;
    window.press('\u{E007}').await;
    window.wait_for_text("Nobody judges", DEADLINE).await;
    wants("touch late");
    app::go(&window, "Inbox").await;
    window.wait_for_text("touch late", DEADLINE).await;
    assert_eq!(ran(), ["touch waiting"]);
    assert!(!window.page_text().await.contains(KEY) && !window.output().contains(KEY));
    window.quit().await;
    nowhere_in(session.root(), KEY);
    let kept = std::fs::read_to_string(app::settings_path(&session)).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((&kept["judge"]["who"], &kept["judge"]["key"]["from"]), (&json!("off"), &json!("keychain")));
}
