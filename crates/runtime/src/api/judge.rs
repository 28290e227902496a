//! Who judges, as it is set up, tried and shown.

use gavel_core::{Recommendation, Status};
use gavel_judge::model::{Bounds, Kind, Options};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::settings::{JudgeKey, JudgeSettings, Who};

/// Who judges, as it is set up and as it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgeRow {
    /// What is chosen. Where the environment decides, what that says.
    pub choice: JudgeChoice,
    /// Whether nobody has chosen: it is so until they do.
    pub by_default: bool,
    /// The environment variable that decides who judges, if one does: then nothing but the options can be chosen.
    pub fixed: Option<String>,
    /// Whether the judge can be asked already: its key may have to be fetched first.
    pub ready: bool,
    /// What is wrong with the setup, in plain prose.
    pub problem: Option<String>,
    /// Until when a key that was just forgotten can be had again, in milliseconds since the Unix epoch.
    #[ts(type = "number | null")]
    pub key_back_until: Option<u64>,
    /// How many requests it was asked about since it was set up.
    #[ts(type = "number")]
    pub asked: u64,
    /// About how many of them it had something to say.
    #[ts(type = "number")]
    pub answered: u64,
    /// How it failed last, if it did since it was set up.
    pub failed: Option<JudgeFailure>,
    /// The threads in which it answers nothing any more, because it refused too much there.
    pub paused: Vec<PausedThread>,
    /// What the options are unless something else is chosen.
    #[ts(type = "JudgeOptions")]
    pub defaults: Options,
    /// What the numbers among the options must be within.
    #[ts(type = "JudgeBounds")]
    pub bounds: Bounds,
}

/// Who is to judge, and how. There is never a key in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgeChoice {
    /// Who is asked.
    #[ts(type = "\"off\" | \"session_model\" | \"endpoint\"")]
    pub who: Who,
    /// The API of the model that is named.
    #[ts(type = "\"openai\" | \"anthropic\"")]
    pub provider: Kind,
    /// Where it is; empty for the vendor's own address.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Where its key comes from.
    #[ts(type = "{ from: \"nowhere\" } | { from: \"keychain\" } | { from: \"variable\"; name: string }")]
    pub key: JudgeKey,
    /// What about, and with what patience.
    #[ts(type = "JudgeOptions")]
    pub options: Options,
}

/// Nobody judges.
impl Default for JudgeRow {
    fn default() -> Self {
        Self {
            choice: JudgeChoice::default(),
            by_default: false,
            fixed: None,
            ready: true,
            problem: None,
            key_back_until: None,
            asked: 0,
            answered: 0,
            failed: None,
            paused: Vec::new(),
            defaults: Options::default(),
            bounds: Bounds::ALL,
        }
    }
}

/// Nobody judges.
impl Default for JudgeChoice {
    fn default() -> Self {
        JudgeSettings::nobody().into()
    }
}

/// What is chosen in the settings, with the options as they are applied.
impl From<JudgeSettings> for JudgeChoice {
    fn from(settings: JudgeSettings) -> Self {
        let who = settings.asked();
        let JudgeSettings { who: _, provider, base_url, model, key, options, others: _ } = settings;
        Self { who, provider, base_url, model, key, options: options.bounded() }
    }
}

/// A failure of the judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgeFailure {
    /// When, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub at: u64,
    /// What went wrong, in plain prose, every character visible.
    pub why: String,
}

/// A thread in which the judge answers nothing any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PausedThread {
    /// The server's id.
    pub server: String,
    /// The root session's id.
    pub session: String,
    /// The root session's title, every character visible; empty if it is not known.
    pub title: String,
    /// The project's name; empty if it is not known.
    pub project: String,
}

/// What came of trying the judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgeTest {
    /// The command it was asked about, every character visible.
    pub command: String,
    /// Who was asked: the API and the model.
    pub who: String,
    /// What it would do; `ask` after every failure.
    #[ts(type = "Recommendation")]
    pub recommendation: Recommendation,
    /// Why, or what went wrong. Its own words, every character visible.
    pub reason: String,
    /// Whether it could do its work.
    #[ts(type = "Status")]
    pub status: Status,
    /// How long it took, in milliseconds.
    #[ts(type = "number")]
    pub took: u64,
    /// How many tokens the question took, if it says.
    #[ts(type = "number | null")]
    pub asked_tokens: Option<u64>,
    /// How many tokens the answer took, thinking included, if it says.
    #[ts(type = "number | null")]
    pub answered_tokens: Option<u64>,
    /// All that was sent and all that came back, in order.
    pub rounds: Vec<JudgeRound>,
}

/// One request to a judge, and what came back. Keys are hidden, and every character is visible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct JudgeRound {
    /// The request: its address and headers, an empty line, and its body.
    pub request: String,
    /// The HTTP status; `null` if nothing came back, or for a judge that isn't asked over HTTP.
    pub status: Option<u16>,
    /// The body that came back, as far as it was read.
    pub answer: String,
}
