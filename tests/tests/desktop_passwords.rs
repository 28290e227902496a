//! Passwords on a desktop: in its keychain, or in a variable, and nowhere else.

use std::path::Path;

use gavel_tests::app::{self, DEADLINE};
use gavel_tests::desktop::{NotificationServer, Session, bus};
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

/// Fails if the password is in any file under `folder`, but for the keychain's own.
fn nowhere_in(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            nowhere_in(&path);
        } else if let Ok(bytes) = std::fs::read(&path) {
            let found = bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
            assert!(!found, "the password is in {}", path.display());
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
    window.quit().await;

    let app = app::start(&session, &[]);
    app.wait_for_output("online, OpenCode", DEADLINE).await;
    asks_and_is_answered(&server, &desktop, "kept.txt").await;
    assert!(!app.output().contains(PASSWORD));
    nowhere_in(session.root());
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
    nowhere_in(session.root());
}
