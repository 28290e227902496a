//! Each view of the window does what it exists for, by mouse and by keyboard alone.

#[path = "desktop_views/answering.rs"]
mod answering;
#[path = "desktop_views/choosing.rs"]
mod choosing;
#[path = "desktop_views/looking.rs"]
mod looking;

use std::time::Duration;

use gavel_stand_in::StandIn;
use gavel_tests::app::{self, DEADLINE};
use gavel_tests::desktop::{By, Hand, NotificationServer, Session, TrayHost, WebDriver};
use gavel_tests::host::Kind;
use gavel_tests::wait::eventually;
use serde_json::{Value, json};

const PROJECT: &str = "/home/dev/project";

/// A server, and a window that shows it.
struct Scene {
    window: WebDriver,
    server: StandIn,
    session: Session,
    _tray: TrayHost,
    _desktop: NotificationServer,
}

impl Scene {
    async fn set(more: Value) -> Self {
        let server = StandIn::start(Kind::StandInV2(Default::default()).options()).await.unwrap();
        let session = Session::start().await;
        app::settings(&session, &[&server.url()], more);
        let desktop = NotificationServer::start(&session).await;
        let tray = TrayHost::start(&session).await;
        let window = app::drive(&session, &[], &[]).await;
        window.wait_for_text("Nothing waits", DEADLINE).await;
        Self { window, server, session, _tray: tray, _desktop: desktop }
    }

    fn hand(&self, by: By) -> Hand<'_> {
        Hand::on(&self.window, by)
    }

    /// An agent begins to work in a session of its own.
    fn plays(&self, script: &str) -> String {
        let asking = self.server.create_session(PROJECT, "Tidy up");
        self.server.prompt(&asking, script).unwrap();
        asking
    }

    /// Waits until exactly these commands have run.
    async fn ran(&self, commands: &[&str]) {
        eventually(format!("{commands:?} to run"), DEADLINE, async || {
            let ran: Vec<_> = self.server.executed().into_iter().map(|executed| executed.what).collect();
            if ran == commands { Ok(()) } else { Err(format!("{ran:?}")) }
        })
        .await;
    }

    /// Waits until the agent of a session has been told `words`.
    async fn hears(&self, asking: &str, words: &str) {
        eventually(format!("the agent to hear `{words}`"), DEADLINE, async || {
            let told = self.server.told(asking).concat();
            if told.contains(words) { Ok(()) } else { Err(told) }
        })
        .await;
    }

    async fn says(&self, text: &str) {
        self.window.wait_for_text(text, DEADLINE).await;
    }

    /// Waits until the settings that are kept are as wished.
    async fn keeps(&self, what: &str, wish: impl Fn(&Value) -> bool) {
        eventually(format!("settings with {what}"), DEADLINE, async || {
            let text = std::fs::read_to_string(app::settings_path(&self.session)).unwrap();
            let kept: Value = serde_json::from_str(&text).unwrap_or(json!(null));
            if wish(&kept) { Ok(()) } else { Err(text) }
        })
        .await;
    }

    async fn picture(&self, name: &str) {
        app::painted(&self.session).await;
        self.session.screenshot(name).await;
    }
}

/// How long something has to stay as it is to be believed.
const WHILE: Duration = Duration::from_millis(400);
