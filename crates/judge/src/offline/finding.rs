//! What the offline analysis found out.

use super::phrase;
use gavel_core::{Recommendation, Source, Status, Verdict};
use serde::{Deserialize, Serialize};

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
    pub fn word(self) -> &'static str {
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

/// One thing that a request does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deed {
    pub class: Class,
    pub recommendation: Recommendation,
    /// Begins with a verb in the third person; every character is visible.
    pub why: String,
}

impl Deed {
    /// Something for the human to decide.
    pub fn ask(class: Class, why: impl Into<String>) -> Self {
        Self { class, recommendation: Recommendation::Ask, why: why.into() }
    }

    /// A catastrophe.
    pub fn deny(why: impl Into<String>) -> Self {
        Self { class: Class::Destructive, recommendation: Recommendation::Deny, why: why.into() }
    }

    /// Proven to only read inside the project.
    pub fn allow(why: impl Into<String>) -> Self {
        Self { class: Class::Reads, recommendation: Recommendation::Allow, why: why.into() }
    }

    /// How bad it is, for choosing the one that decides.
    pub fn weight(&self) -> (u8, Class) {
        (gravity(self.recommendation), self.class)
    }
}

pub(super) fn gravity(recommendation: Recommendation) -> u8 {
    match recommendation {
        Recommendation::Allow => 0,
        Recommendation::Ask => 1,
        Recommendation::Deny => 2,
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
}

/// What the offline analysis says about a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub struct Finding {
    /// What it would do. `Allow` only for what is proven to read inside the project and nothing else.
    pub recommendation: Recommendation,
    /// Why, in one sentence, every character visible.
    pub reason: String,
    /// The worst that any part does.
    pub class: Class,
    /// The parts of a command line, in the order of the text. Empty for what isn't a command line.
    pub segments: Vec<Segment>,
}

impl Finding {
    /// A finding about something that has no parts.
    pub(super) fn whole(deed: Deed) -> Self {
        Self {
            recommendation: deed.recommendation,
            reason: phrase::visible(deed.why),
            class: deed.class,
            segments: Vec::new(),
        }
    }

    /// The finding as a verdict that took `took` milliseconds.
    #[must_use]
    pub fn verdict(self, took: u64) -> Verdict {
        Verdict {
            recommendation: self.recommendation,
            reason: self.reason,
            source: Source::Offline,
            status: Status::Ok,
            took,
        }
    }
}
