//! The built application on a desktop of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::desktop::{Session, WebDriver, bus};
use crate::process::Process;
use crate::wait::eventually;

/// How long the application may take for anything a person would call immediate. Machines that run tests are busy.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// By which name on the bus a second start finds the first.
const NAME: &str = "dev.gavel.desktop.SingleInstance";

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
    let home = session.env().into_iter().find(|(name, _)| *name == "XDG_CONFIG_HOME");
    home.map_or_else(|| session.root().join("home/.config"), |(_, folder)| folder.into()).join("gavel/settings.json")
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

/// Ends the application, and returns once another can begin: until it has let go of its name, that would be handed over
/// to the one that ends.
pub async fn quit(window: WebDriver, session: &Session) {
    let bus = bus::connect(&session.bus_address()).await;
    let names = zbus::fdo::DBusProxy::new(&bus).await.expect("a bus");
    let name = zbus::names::BusName::try_from(NAME).expect("a name");
    let is_owned = async || names.name_has_owner(name.as_ref()).await.expect("a bus that answers");
    assert!(is_owned().await, "nobody owns {NAME}");
    window.quit().await;
    eventually("the application to end", DEADLINE, async || !is_owned().await).await;
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
