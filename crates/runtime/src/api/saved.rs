//! What projects have saved for good, and how far it reaches.

use gavel_core::reach::Hazard;
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

/// How far patterns reach, taken together: what they would have matched of the requests on record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WouldMatch {
    /// How many requests there are on record to be matched.
    #[ts(type = "number")]
    pub total: usize,
    /// How many of them match.
    #[ts(type = "number")]
    pub count: usize,
    /// How many of those match in part only: they would have been asked all the same.
    #[ts(type = "number")]
    pub partly: usize,
    /// How many of those that would have passed delete files.
    #[ts(type = "number")]
    pub deletes: usize,
    /// How many of those that would have passed were declined.
    #[ts(type = "number")]
    pub declined: usize,
    /// Some of those that match: what deletes first, then what was declined, then the latest.
    pub examples: Vec<PastRequest>,
    /// Some that ask for the same kind of thing and don't match, the latest first.
    pub others: Vec<PastRequest>,
    /// Whether a pattern matches everything that its action could ever ask for.
    pub everything: bool,
    /// A line with a second command that they match, should the server ask about whole lines. `null` where it is known
    /// whether it does: then it is among the hazards, or there is none.
    pub chained: Option<String>,
    /// For each pattern, what is the matter with it.
    #[ts(type = "Array<Hazard | null>")]
    pub hazards: Vec<Option<Hazard>>,
}

/// A request on record, or several that are alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PastRequest {
    /// The number of its row in the activity; of several, the latest one's.
    #[ts(type = "number")]
    pub number: u64,
    /// When it ended, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub at: u64,
    /// How many of them there are.
    #[ts(type = "number")]
    pub times: usize,
    /// What was asked, in one line, every character visible.
    pub title: String,
    /// Whether only a part of it matches.
    pub partly: bool,
    /// Whether it deletes files.
    pub deletes: bool,
    /// Whether it was declined.
    pub declined: bool,
}
