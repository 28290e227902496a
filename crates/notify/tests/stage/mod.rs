//! A stage for the notifier: a message bus of its own, and a notification service that does as it is told.
#![allow(dead_code, reason = "not every test file uses all of the stage")]

mod bus;
mod service;

use std::sync::Arc;
use std::time::Duration;

use gavel_core::RequestKey;
use gavel_notify::{Button, Notice, Notifier, Options, Report, State, linux};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

pub use bus::Bus;
pub use service::{Manner, Service, Told};

/// Long enough for a machine that is busy with other things; what is waited for comes in milliseconds.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The notifier under test, and what it reports.
pub struct Subject {
    pub notifier: Arc<dyn Notifier>,
    pub reports: UnboundedReceiver<Report>,
}

impl Subject {
    pub fn at(address: &str) -> Self {
        Self::with(Options { bus_address: Some(address.to_owned()), ..Options::default() })
    }

    /// One that loses patience soon, for tests about losing patience.
    pub fn hasty(address: &str) -> Self {
        Self::with(Options {
            bus_address: Some(address.to_owned()),
            patience: Duration::from_millis(300),
            retry: Duration::from_millis(200),
            ..Options::default()
        })
    }

    pub fn with(options: Options) -> Self {
        let (send, reports) = unbounded_channel();
        Self { notifier: linux::start(options, send), reports }
    }

    /// The next report that is not about the state.
    pub async fn next(&mut self) -> Report {
        loop {
            let report = tokio::time::timeout(PATIENCE, self.reports.recv()).await.expect("a report").unwrap();
            if !matches!(report, Report::State(_)) {
                return report;
            }
        }
    }

    /// Waits until the state is reported to be one that fits.
    pub async fn until_state(&mut self, fits: impl Fn(&State) -> bool) -> State {
        loop {
            let report = tokio::time::timeout(PATIENCE, self.reports.recv()).await.expect("a change of state").unwrap();
            match report {
                Report::State(state) if fits(&state) => return state,
                _ => {}
            }
        }
    }

    /// Waits until notifications are reported to be unavailable for a reason that begins like this; returns the reason
    /// and the hint.
    pub async fn until_unavailable(&mut self, begins: &str) -> (String, String) {
        let fits = |state: &State| matches!(state, State::Unavailable { reason, .. } if reason.to_string().starts_with(begins));
        match self.until_state(fits).await {
            State::Unavailable { reason, hint } => (reason.to_string(), hint.to_string()),
            _ => unreachable!(),
        }
    }

    pub async fn until_ready(&mut self) {
        self.until_state(|state| matches!(state, State::Ready(_))).await;
    }

    /// What has been reported by now, states left out.
    pub fn so_far(&mut self) -> Vec<Report> {
        let all = std::iter::from_fn(|| self.reports.try_recv().ok());
        all.filter(|report| !matches!(report, Report::State(_))).collect()
    }
}

pub fn key(name: &str) -> RequestKey {
    RequestKey::new("http://127.0.0.1:4096", name)
}

/// An ordinary notice with every button.
pub fn notice(name: &str) -> Notice {
    Notice {
        key: key(name),
        title: format!("Run {name} · shop"),
        body: format!("runs {name}"),
        buttons: vec![Button::Approve, Button::Decline, Button::Review],
        choices: Vec::new(),
        urgent: false,
        language: gavel_core::text::Language::English,
    }
}

pub fn unavailable(state: &State) -> bool {
    matches!(state, State::Unavailable { .. })
}
