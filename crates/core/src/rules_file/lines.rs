//! What the file says, in our own types.

use serde::Serialize;

use super::object::Object;

/// The lines of a file, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Lines {
    /// Patterns for commands that only read.
    pub preset: Vec<String>,
    /// Commands that were allowed often enough.
    pub learned: Vec<Learned>,
    /// Commands that were allowed, but not often enough yet.
    pub pending: Vec<Pending>,
}

/// A command that passes because it was allowed often enough, or because the user said so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Learned {
    /// The exact command line.
    pub command: String,
    /// How often it was allowed, by the judge or by the human. Zero if it was put there by hand.
    pub approvals: u64,
    /// How often of these by the human.
    pub by_human: u64,
    /// When it was last allowed or let through: ISO 8601, UTC, with milliseconds.
    pub last_seen: Option<String>,
    /// The entry as it was read, with what is not understood in it.
    #[serde(skip)]
    pub(super) entry: Object,
}

/// A command that was allowed, but not often enough to be learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// The exact command line.
    pub command: String,
    /// How often it was allowed in a row, by the judge or by the human.
    pub count: u64,
    /// How often of these by the human.
    pub by_human: u64,
}

/// What Gavel keeps in the file for itself, below a key that the plugin ignores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Own {
    /// The project that the file was written for.
    pub project: Option<String>,
    /// The mark of the last write.
    pub write: Option<String>,
}
