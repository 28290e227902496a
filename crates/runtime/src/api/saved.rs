//! What projects have saved for good, and how far it reaches.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A project that has saved approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedProject {
    /// Its id on its server.
    pub id: String,
    /// Its name: the last part of its place. Empty for what lies in no repository, which is one project together.
    pub name: String,
    /// The absolute path of where it lies, every character visible.
    pub place: String,
    /// The directories by which it is known, exactly as they are called: to be given back in calls.
    pub directories: Vec<String>,
    /// What it has saved.
    pub approvals: Vec<SavedApproval>,
}

/// An approval that a project has saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedApproval {
    /// Its id.
    pub id: String,
    /// Pattern for the action, in 2.x words, every character visible.
    pub action: String,
    /// Pattern for the resource, exactly as it is: what is changed.
    pub resource: String,
    /// The same with every character visible: what is shown.
    pub shown: String,
    /// When it was saved, in milliseconds since the Unix epoch, if the server says so.
    #[ts(type = "number | null")]
    pub created: Option<u64>,
    /// When it will be taken back, in milliseconds since the Unix epoch, if that is about to happen.
    #[ts(type = "number | null")]
    pub leaving: Option<u64>,
    /// How far it reaches.
    pub reach: WouldMatch,
}

/// How far a pattern reaches: what it would have matched of the requests on record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WouldMatch {
    /// How many requests match.
    #[ts(type = "number")]
    pub count: usize,
    /// How many of them match in part only: the rest of them would have been asked all the same.
    #[ts(type = "number")]
    pub partly: usize,
    /// How many of them delete files.
    #[ts(type = "number")]
    pub deletes: usize,
    /// How many of them were declined.
    #[ts(type = "number")]
    pub declined: usize,
    /// The latest of them, the latest first.
    pub latest: Vec<PastRequest>,
    /// Whether the pattern matches everything that its action could ever ask for.
    pub everything: bool,
    /// A line with a second command that the pattern matches where a server asks about whole lines.
    pub chained: Option<String>,
}

/// A request on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PastRequest {
    /// The number of its row in the activity.
    #[ts(type = "number")]
    pub number: u64,
    /// When it ended, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub at: u64,
    /// What was asked, in one line, every character visible.
    pub title: String,
    /// Whether only a part of it matches.
    pub partly: bool,
    /// Whether it deletes files.
    pub deletes: bool,
    /// Whether it was declined.
    pub declined: bool,
}
