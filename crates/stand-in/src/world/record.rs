//! What tests look at afterwards.

use std::time::Duration;

use gavel_core::rules::Rule;
use serde_json::{Map, Value};

use super::World;

/// A tool that "ran". Nothing is ever really executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// The session whose agent ran it.
    pub session: String,
    /// The tool's name on the wire: `bash`, `write`, `edit`, … under 1.x, `shell` and so on under 2.x.
    pub tool: String,
    /// The command, the path, the address, or the title of the sub-agent's task.
    pub what: String,
}

/// A reply that came in over the wire, whatever became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The request it names.
    pub id: String,
    /// The directory that was named, by query or header.
    pub directory: Option<String>,
    /// The body; text if it was no JSON.
    pub body: Value,
    /// The status it was answered with.
    pub status: u16,
}

/// A request to set the rules of a session that came in over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled {
    /// The session.
    pub session: String,
    /// What was sent: the whole list under 2.x, what is to be appended under 1.x.
    pub rules: Vec<Rule>,
}

/// What the model says beside the sessions, and what it was asked.
#[derive(Debug, Default)]
pub(crate) struct Generated {
    /// `None` if it can't be reached.
    pub(crate) text: Option<String>,
    pub(crate) asked: Vec<(String, String)>,
    /// How long it thinks first.
    pub(crate) pause: Duration,
    /// How its provider is reached.
    pub(crate) provider: ProviderSettings,
}

/// How the provider of the model is reached, as clients are told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderSettings {
    /// Its base URL, if it is told.
    pub base_url: Option<String>,
    /// Its key, if it is told. Under 2.x it may be a template.
    pub key: Option<String>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
}

impl ProviderSettings {
    /// Where it is and its key, as far as they are told, by their names on the wire.
    pub(crate) fn settings(&self) -> Map<String, Value> {
        let told = [("baseURL", &self.base_url), ("apiKey", &self.key)];
        told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::from(value.clone()?)))).collect()
    }

    /// The further headers.
    pub(crate) fn headers(&self) -> Map<String, Value> {
        self.headers.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect()
    }
}

/// Something that was shown in the terminal interface of 1.x.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// In which directory.
    pub directory: String,
    /// What it says.
    pub message: String,
    /// Its kind.
    pub variant: String,
    /// For how long, in milliseconds.
    pub duration: u64,
}

impl World {
    /// What clients asked the model beside the sessions, each with the session whose context it has; empty for none.
    #[must_use]
    pub fn asked_of_model(&self) -> &[(String, String)] {
        &self.generated.asked
    }

    /// What was shown in the terminal interface, in order.
    #[must_use]
    pub fn toasts(&self) -> &[Toast] {
        &self.toasts
    }

    /// All that ran, in order.
    #[must_use]
    pub fn executed(&self) -> &[Executed] {
        &self.executed
    }

    /// Every reply that was received, in order.
    #[must_use]
    pub fn replies(&self) -> &[Received] {
        &self.received
    }

    /// Every request to set a session's rules, in order.
    #[must_use]
    pub fn ruled(&self) -> &[Ruled] {
        &self.ruled
    }

    /// What the model of a session was told about its calls, in order. What it has not seen yet, because the run was
    /// stopped, is not among it.
    #[must_use]
    pub fn told(&self, session: &str) -> Vec<String> {
        self.thread(session).map(|thread| thread.told.clone()).unwrap_or_default()
    }

    pub(crate) fn record_execution(&mut self, session: &str, tool: &str, what: &str) {
        self.executed.push(Executed { session: session.to_owned(), tool: tool.to_owned(), what: what.to_owned() });
    }

    pub(crate) fn record_reply(&mut self, received: Received) {
        self.received.push(received);
    }

    pub(crate) fn record_rules(&mut self, session: &str, rules: &[Rule]) {
        self.ruled.push(Ruled { session: session.to_owned(), rules: rules.to_vec() });
    }
}
