//! What the analysis on this machine says about a request.

use serde::{Deserialize, Serialize};

use crate::text::{Language, Message};
use crate::{Recommendation, Source, Status, Verdict};

/// How far something reaches, from the harmless to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Only reads, inside the project.
    Reads,
    /// Changes files inside the project.
    Writes,
    /// Nothing is known about it.
    Unknown,
    /// Reads or changes something outside the project.
    Outside,
    /// Talks to the network.
    Network,
    /// Runs code that can't be seen in the request.
    RunsCode,
    /// Destroys something that may not come back.
    Destructive,
}

impl Class {
    /// The word for it, as it stands in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Unknown => "unknown",
            Self::Outside => "outside",
            Self::Network => "network",
            Self::RunsCode => "runs_code",
            Self::Destructive => "destructive",
        }
    }
}

/// A part of a command line and what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Where it begins in the original text, in bytes; always on a character boundary.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// How far it reaches.
    pub class: Class,
    /// What would be recommended if it stood alone.
    pub recommendation: Recommendation,
    /// What it does, beginning with a verb: "deletes `build/` and everything under it".
    pub why: String,
    /// The same, for any language.
    #[serde(skip)]
    pub said: Message,
}

impl Segment {
    /// What it does, in `language`.
    #[must_use]
    pub fn why_in(&self, language: Language) -> String {
        self.said.or_english(&self.why, language)
    }
}

/// What the offline analysis says about a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub struct Finding {
    /// What it would do. `Allow` only for what is proven to read inside the project and nothing else.
    pub recommendation: Recommendation,
    /// Why, in one sentence, every character visible.
    pub reason: String,
    /// The same, for any language.
    #[serde(skip)]
    pub said: Message,
    /// The worst that any part does.
    pub class: Class,
    /// The parts of a command line, in the order of the text. Empty for what isn't a command line.
    pub segments: Vec<Segment>,
}

impl Finding {
    /// Why, in `language`.
    #[must_use]
    pub fn reason_in(&self, language: Language) -> String {
        self.said.or_english(&self.reason, language)
    }

    /// The finding as a verdict that took `took` milliseconds.
    #[must_use]
    pub fn verdict(self, took: u64) -> Verdict {
        Verdict {
            recommendation: self.recommendation,
            reason: self.reason,
            said: self.said,
            source: Source::Offline,
            status: Status::Ok,
            took,
        }
    }
}
