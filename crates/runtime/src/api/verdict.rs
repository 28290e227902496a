//! What a judge says of a request, as it is shown.

use gavel_core::{Class, Recommendation, Source, Status};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a judge recommends about a request, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Verdict {
    /// What it would do.
    #[ts(type = "Recommendation")]
    pub recommendation: Recommendation,
    /// Why, in one sentence that begins with a verb; names stand in backticks. Every character is visible.
    pub reason: String,
    /// Who says so.
    #[ts(type = "Source")]
    pub source: Source,
    /// Whether the judge could do its work.
    #[ts(type = "Status")]
    pub status: Status,
    /// How far the request reaches, where the analysis on this machine says so.
    #[ts(type = "Class | null")]
    pub class: Option<Class>,
    /// The parts of a command line, in the order of the text.
    pub parts: Vec<Part>,
}

/// What a judge makes of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Advice {
    /// It is being asked.
    Awaited,
    /// It has spoken, or failed to.
    Given {
        /// What it would do; `ask` after every failure.
        #[ts(type = "Recommendation")]
        recommendation: Recommendation,
        /// Why, or what went wrong. Its own words, every character visible.
        reason: String,
        /// Whether it could do its work.
        #[ts(type = "Status")]
        status: Status,
        /// How long it took, in milliseconds.
        #[ts(type = "number")]
        took: u64,
    },
}

/// A part of a command line, and what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Part {
    /// Where it begins in the request's `text`, in UTF-16 units.
    #[ts(type = "number")]
    pub start: usize,
    /// Where it ends there, exclusive.
    #[ts(type = "number")]
    pub end: usize,
    /// How far it reaches.
    #[ts(type = "Class")]
    pub class: Class,
    /// What would be recommended if it stood alone.
    #[ts(type = "Recommendation")]
    pub recommendation: Recommendation,
    /// What it does, beginning with a verb.
    pub why: String,
}
