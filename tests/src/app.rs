//! The built application on a desktop of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::desktop::{Session, WebDriver};
use crate::process::Process;
use crate::wait::eventually;

/// How long the application may take for anything a person would call immediate. Machines that run tests are busy.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// How many pixels a ticking clock changes at most.
const CLOCK: usize = 1_500;

/// The program that `cargo build -p gavel` makes.
///
/// # Panics
/// When it has not been built; the message says how.
pub fn binary() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("target"), Into::into);
    let binary = target.join("debug/gavel");
    assert!(binary.exists(), "{} is missing: run `cargo build -p gavel` first", binary.display());
    binary
}

/// Writes the settings that Gavel will start with: these servers and no search for others.
pub fn settings(session: &Session, servers: &[&str], more: Value) {
    let servers: Vec<Value> = servers.iter().map(|url| json!({ "url": url, "name": "" })).collect();
    let mut settings = json!({
        "servers": servers,
        "preferences": { "notify": true, "grace": 100, "discover": false, "panel": "dark" },
        // What a scenario counts is what its agents ask, not what a judge is asked besides.
        "judge": { "who": "off" },
    });
    for (key, value) in more.as_object().unwrap() {
        settings[key] = value.clone();
    }
    let path = settings_path(session);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, settings.to_string()).unwrap();
}

/// Where the settings are.
pub fn settings_path(session: &Session) -> PathBuf {
    folder(session, "XDG_CONFIG_HOME", ".config").join("gavel/settings.json")
}

/// Where programs keep their data.
pub fn data_path(session: &Session) -> PathBuf {
    folder(session, "XDG_DATA_HOME", ".local/share")
}

fn folder(session: &Session, variable: &str, otherwise: &str) -> PathBuf {
    let named = session.env().into_iter().find(|(name, _)| *name == variable);
    named.map_or_else(|| session.root().join("home").join(otherwise), |(_, folder)| folder.into())
}

/// Starts the application.
pub fn start(session: &Session, arguments: &[&str]) -> Process {
    start_with(session, arguments, &[])
}

/// Starts the application with more in its environment.
pub fn start_with(session: &Session, arguments: &[&str], env: &[(&str, &str)]) -> Process {
    let mut command = session.command(binary());
    command.args(arguments).envs(env.iter().copied()).env("GAVEL_LOG", "gavel=debug");
    session.spawn("gavel", command)
}

/// Starts the application with its window open and under control.
pub async fn drive(session: &Session, arguments: &[&str], env: &[(&str, &str)]) -> WebDriver {
    let mut all = vec!["--window"];
    all.extend(arguments);
    let mut env = env.to_vec();
    env.push(("GAVEL_LOG", "gavel=debug"));
    WebDriver::start(session, &binary(), &all, &env).await
}

/// Ends the application, and returns once it has ended and all that it keeps is kept.
pub async fn quit(window: WebDriver, session: &Session) {
    let path = data_path(session).join("gavel/running.lock");
    let is_running = || {
        let lock = fs::File::open(&path).expect("the lock of whoever runs");
        lock.try_lock().is_err()
    };
    assert!(is_running(), "nobody holds {}", path.display());
    window.quit().await;
    eventually("the application to end", DEADLINE, async || !is_running()).await;
}

/// Goes to the view that the window calls `name`.
pub async fn go(window: &WebDriver, name: &str) {
    let find = format!(
        "const entries = [...document.querySelectorAll('nav button, nav a')];
        const entry = entries.find((entry) => entry.textContent.trim().startsWith('{name}'));
        entry?.click();
        return entry !== undefined;"
    );
    eventually(format!("the way to {name}"), DEADLINE, async || window.execute(&find, &[]).await == Value::Bool(true))
        .await;
}

/// Waits until the screen has stopped changing, but for a clock that ticks: what the page says is painted a little later.
pub async fn painted(session: &Session) {
    let mut last = session.picture().await;
    let mut same = 0;
    eventually("the screen to settle", DEADLINE, async || {
        tokio::time::sleep(Duration::from_millis(150)).await;
        let now = session.picture().await;
        same = if now.difference(&last) < CLOCK { same + 1 } else { 0 };
        last = now;
        same >= 3
    })
    .await;
}
