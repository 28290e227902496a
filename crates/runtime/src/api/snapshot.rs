//! What is shown: a picture of everything at one moment.

use gavel_core::reach::{Hazard, Lines};
use gavel_core::rules::Saved;
use gavel_core::text::Language as Spoken;
use gavel_core::{Decision, Link, Origin, RequestKey, Settled};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::activity::Opinion;
use super::judge::JudgeRow;
use super::modes::{GrantRow, Modes};
use super::question::{Question, QuestionPhase};
use super::verdict::{Advice, Verdict};

/// Everything that is shown, at one moment. A window opened late is right at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Snapshot {
    /// Grows with every change: an older snapshot that arrives late is dropped.
    #[ts(type = "number")]
    pub revision: u64,
    /// When it was taken, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub now: u64,
    /// The language of everything in it that is not somebody else's words.
    #[ts(type = "Exclude<Language, \"system\">")]
    pub language: Spoken,
    /// Whether notifications are held back.
    pub paused: bool,
    /// Requests that are not settled, longest waiting first.
    pub requests: Vec<Request>,
    /// Questions that are not settled, longest waiting first.
    pub questions: Vec<Question>,
    /// The watched servers: those of the settings first, then those found.
    pub servers: Vec<ServerRow>,
    /// Servers that were just removed and can be watched again, in the order in which they were removed.
    pub removed: Vec<RemovedServer>,
    /// Whether and how notifications work here.
    pub notifications: Notifications,
    /// Whether passwords can be kept in a keychain.
    pub keychain: Keychain,
    /// Whether a tray shows Gavel's icon; `null` while that isn't known.
    pub tray: Option<bool>,
    /// Whether the keys that bring the inbox up are heard everywhere.
    pub shortcut: Shortcut,
    /// What the user has chosen.
    pub preferences: Preferences,
    /// Which modes are chosen for what, and what counts where.
    pub modes: Modes,
    /// What the user allowed for sessions, the latest first.
    pub grants: Vec<GrantRow>,
    /// Who judges.
    pub judge: JudgeRow,
    /// Grows when a rules file may have changed, once somebody has looked at one.
    #[ts(type = "number")]
    pub rules: u64,
}

/// A request that is not settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Request {
    /// Its key, to be given back in calls.
    #[ts(type = "RequestKey")]
    pub key: RequestKey,
    /// Name of the server that asks.
    pub server_name: String,
    /// Whether the server can be reached now.
    pub online: bool,
    /// The action in 2.x words: `shell`, `edit`, `webfetch`, … or the server's own word if it isn't known.
    pub action: String,
    /// What is asked in one line, every character visible: `Run npm test`.
    pub headline: String,
    /// The full text of what is asked, every character visible.
    pub text: String,
    /// Whether the text holds characters that had to be made visible (`⟨U+202E⟩`).
    pub deceptive: bool,
    /// The single resources the server checked, every character visible.
    pub resources: Vec<String>,
    /// What the user last asked for where this comes from, every character visible; the cut is stated. `null` while
    /// that isn't known, or where it isn't to be had.
    pub serves: Option<String>,
    /// What the agent says it is for. The agent's own words.
    pub purpose: Option<String>,
    /// What a plugin of the server says about why this is asked. The plugin's own words.
    pub note: Option<String>,
    /// Absolute directory the command runs in, if not the project's.
    pub workdir: Option<String>,
    /// Unified diff of the change, every character visible.
    pub diff: Option<String>,
    /// Everything the server sent about the action, as indented JSON, every character visible.
    pub raw: String,
    /// The project's name: the last part of its directory.
    pub project: String,
    /// The project's absolute directory.
    pub directory: String,
    /// From the root session down to the one that asks; the first title says what the user is working on.
    pub chain: Vec<SessionStep>,
    /// Since when it waits, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub since: u64,
    /// How far its answer has come.
    pub phase: Phase,
    /// How many other waiting requests of the same session a decline would sweep away as well.
    #[ts(type = "number")]
    pub siblings: usize,
    /// Grows whenever what would run turns out to be more than was known. To be given back with a decision.
    pub edition: u32,
    /// What is recommended, and why; `null` for the moment in which nobody has looked yet.
    pub verdict: Option<Verdict>,
    /// What a judge makes of it; `null` where none is asked.
    pub advice: Option<Advice>,
    /// Whether the judge refused so much in this thread that it answers nothing there any more.
    pub judge_paused: bool,
    /// The patterns that the server proposes to allow: for the session, or always.
    pub offers: Vec<Offer>,
    /// What the server asks about when a line of several commands is to run.
    #[ts(type = "Lines")]
    pub lines: Lines,
    /// How long "always" lasts on this server.
    pub always: Always,
}

/// A pattern that a server proposes to allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Offer {
    /// The pattern, exactly as it is.
    #[ts(type = "Saved")]
    pub pattern: Saved,
    /// The resource it matches, every character visible.
    pub shown: String,
    /// Why it is not to be allowed without a second thought, if there is a reason.
    #[ts(type = "Hazard | null")]
    pub hazard: Option<Hazard>,
    /// Patterns for what is asked that match less, the narrowest first. They hide nothing.
    pub narrower: Vec<String>,
}

/// How long "always" lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Always {
    /// For good, in this project. It never lifts what the configuration denies.
    Project,
    /// Until OpenCode ends, and even over what the configuration denies.
    UntilRestart,
}

/// A session in the chain of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SessionStep {
    /// Its title, every character visible.
    pub title: String,
    /// The agent that runs in it, when known.
    pub agent: Option<String>,
}

/// How far the answer of a request has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Nobody has answered.
    Waiting,
    /// An answer is under way.
    Replying {
        /// The answer.
        #[ts(type = "Decision")]
        decision: Decision,
    },
    /// The answer could not be delivered.
    Undelivered {
        /// The answer.
        #[ts(type = "Decision")]
        decision: Decision,
        /// Why not.
        why: String,
    },
}

/// A watched server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerRow {
    /// Its id: the base URL.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// How Gavel came to know it.
    #[ts(type = "Origin")]
    pub origin: Origin,
    /// State of the connection.
    #[ts(type = "Link")]
    pub link: Link,
    /// When it was last heard, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub heard: Option<u64>,
    /// When a listing last confirmed what is pending, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub synced: Option<u64>,
    /// The last error of the connection, kept after it recovers.
    pub last_error: Option<String>,
    /// How many requests and questions of it wait.
    #[ts(type = "number")]
    pub waiting: usize,
    /// Where its password comes from.
    pub password: PasswordSource,
    /// Until when a password that was just forgotten can be had again, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub password_back_until: Option<u64>,
}

/// A server that was just removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RemovedServer {
    /// Its id: the base URL.
    pub id: String,
    /// What it was called.
    pub name: String,
    /// Until when it can be watched again, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub back_until: u64,
}

/// Where a server's password comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum PasswordSource {
    /// None is set.
    Nowhere,
    /// The keychain.
    Keychain,
    /// An environment variable.
    Variable {
        /// Its name.
        name: String,
        /// Whether it has a value in Gavel's environment.
        set: bool,
    },
}

/// Whether and how notifications work here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Notifications {
    /// Whether notifications can be shown.
    pub available: bool,
    /// Whether they can carry buttons.
    pub actions: bool,
    /// Who shows them, e.g. `dunst 1.9.0`; empty if nobody does.
    pub server: String,
    /// What is missing, in plain prose; empty if nothing is.
    pub problem: String,
    /// What the user can do about it.
    pub hint: String,
}

/// Whether passwords can be kept in a keychain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Keychain {
    /// Whether it can be used.
    pub available: bool,
    /// What is missing, in plain prose; empty if nothing is.
    pub problem: String,
}

/// What the user has chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Preferences {
    /// Whether to notify at all.
    pub notify: bool,
    /// How long a request may wait before it is notified, in milliseconds (0 to 60,000).
    #[ts(type = "number")]
    pub grace: u64,
    /// Whether to say in the terminals of 1.x servers what a judge is at, and what is for the user.
    pub toasts: bool,
    /// Whether to look for servers on this machine.
    pub discover: bool,
    /// Whether commands pass by the rules file of their project, and new ones are learned.
    pub rules: bool,
    /// What the tray icon is drawn for. Panels don't tell, and many are dark whatever the theme of the windows is.
    pub panel: Panel,
    /// In which language the window speaks.
    pub language: Language,
    /// The keys that bring the inbox up wherever the user is, such as `Ctrl+Alt+G`; empty for none.
    pub shortcut: String,
}

/// Whether the keys that bring the inbox up are heard everywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Shortcut {
    /// None were chosen, or it is not known yet.
    #[default]
    Off,
    /// They are heard.
    Heard,
    /// They are not, and none would be: under Wayland a program hears only the keys that are meant for it.
    Withheld,
    /// They are not.
    Unheard {
        /// Why not, in plain prose.
        why: String,
    },
}

impl Snapshot {
    /// What has waited longest for the user, a request or a question.
    #[must_use]
    pub fn oldest(&self) -> Option<&RequestKey> {
        let requests = self.requests.iter().filter(|request| !matches!(request.phase, Phase::Replying { .. }));
        let questions =
            self.questions.iter().filter(|question| !matches!(question.phase, QuestionPhase::Replying { .. }));
        requests
            .map(|request| (request.since, &request.key))
            .chain(questions.map(|question| (question.since, &question.key)))
            .min_by_key(|(since, _)| *since)
            .map(|(_, key)| key)
    }
}

/// A language of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// That of the system, as far as there is one for it; else English.
    #[default]
    System,
    /// English.
    English,
    /// Russian.
    Russian,
}

/// The colour of the panel that holds the tray icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Panel {
    /// Dark: the icon is drawn in light strokes.
    Dark,
    /// Light: the icon is drawn in dark strokes.
    Light,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            notify: true,
            grace: gavel_core::flow::GRACE,
            toasts: true,
            discover: true,
            rules: true,
            panel: Panel::Dark,
            language: Language::System,
            shortcut: String::new(),
        }
    }
}

/// A row of the activity: a request that came to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Activity {
    /// Grows with every row.
    #[ts(type = "number")]
    pub number: u64,
    /// When it ended, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub at: u64,
    /// What was asked, in one line.
    pub title: String,
    /// The action in 2.x words.
    pub action: String,
    /// The full text of what was asked.
    pub text: String,
    /// The project's name.
    pub project: String,
    /// The project's absolute directory.
    pub directory: String,
    /// Title of the root session, when known.
    pub session: Option<String>,
    /// The server's id.
    pub server: String,
    /// How long it had waited, in milliseconds.
    #[ts(type = "number")]
    pub waited: u64,
    /// What happened.
    pub outcome: Outcome,
    /// What the judges had said by then; the analysis on this machine comes last.
    pub opinions: Vec<Opinion>,
}

/// What happened to a request in the activity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It came to its end.
    Settled {
        /// How, and by whom.
        #[ts(type = "Settled")]
        settled: Settled,
    },
    /// An answer could not be delivered.
    Undelivered {
        /// Why not.
        why: String,
    },
}
