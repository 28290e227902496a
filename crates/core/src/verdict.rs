//! What a judge recommends about a request.

use serde::{Deserialize, Serialize};

use crate::text::{Language, Message, kept};

/// A judge's recommendation and how it came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// What the judge would do.
    pub recommendation: Recommendation,
    /// Why, in one sentence.
    pub reason: String,
    /// The same, for any language; empty where it is somebody's own words.
    #[serde(default, skip_serializing_if = "Message::is_empty", with = "kept")]
    pub said: Message,
    /// Who says so.
    pub source: Source,
    /// Whether the judge could do its work.
    pub status: Status,
    /// How long it took, in milliseconds.
    pub took: u64,
}

impl Verdict {
    /// Why, in `language`.
    #[must_use]
    pub fn reason_in(&self, language: Language) -> String {
        self.said.or_english(&self.reason, language)
    }
}

/// The three things a judge can recommend. `Ask` also stands for every failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recommendation {
    /// Let it pass.
    Allow,
    /// Refuse it.
    Deny,
    /// Let the human decide.
    Ask,
}

/// Where a verdict comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A line of the rules file that came with it.
    Preset,
    /// A line of the rules file that was learned.
    Learned,
    /// A grant the user gave earlier.
    Grant,
    /// The same request, judged before.
    Cache,
    /// The analysis on this machine, without a network.
    Offline,
    /// A language model.
    Model,
}

/// Whether a judge could do its work; anything but `Ok` leaves the request with the human.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It answered.
    Ok,
    /// No key is configured for it.
    NoKey,
    /// It answered with an HTTP error.
    HttpError,
    /// It could not be reached.
    NetworkError,
    /// It was reached, or might have been, and did not answer in time.
    TimedOut,
    /// Its answer was cut off.
    Truncated,
    /// Its answer could not be understood.
    Unparsed,
}
