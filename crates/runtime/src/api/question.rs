//! Questions as hosts see them.

use gavel_core::RequestKey;
use gavel_core::question::{Answer, Given, Response};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::snapshot::SessionStep;

/// A question that is not settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Question {
    /// Its key, to be given back in calls.
    #[ts(type = "RequestKey")]
    pub key: RequestKey,
    /// Name of the server that asks.
    pub server_name: String,
    /// Whether the server can be reached now.
    pub online: bool,
    /// What it is called, every character visible. Often no more than `Questions`.
    pub title: String,
    /// What is asked, in one line, every character visible.
    pub headline: String,
    /// What is asked, in the server's order.
    pub fields: Vec<Field>,
    /// The answers that can be given with one click: the options of a single choice, if there are at most three, or yes
    /// and no. Otherwise empty.
    pub quick: Vec<Quick>,
    /// Whether any of its words hold characters that had to be made visible (`⟨U+202E⟩`).
    pub deceptive: bool,
    /// Whether it can be answered at all: a required field of an unknown kind stands in the way.
    pub answerable: bool,
    /// Whether the agent is told why it is cancelled, and goes on. Where it isn't, or no reason is given, its run ends.
    pub passes_reason: bool,
    /// Everything the server sent about where it comes from, as indented JSON, every character visible.
    pub raw: String,
    /// The project's name: the last part of its directory.
    pub project: String,
    /// The project's absolute directory; empty if it belongs to none.
    pub directory: String,
    /// From the root session down to the one that asks; empty if it belongs to no session.
    pub chain: Vec<SessionStep>,
    /// What the user had last said in the root session, every character visible; `null` if that isn't known.
    pub serves: Option<String>,
    /// Since when it waits, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub since: u64,
    /// How far its answer has come.
    pub phase: QuestionPhase,
    /// Grows when something else comes to be asked under the same key. To be given back with an answer.
    pub edition: u32,
    /// Why the server refused the last answer; it is still to be answered then.
    pub refused: Option<Problem>,
    /// What was half typed, as the window last kept it, and of this edition.
    pub draft: Option<String>,
}

/// One thing that is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Field {
    /// By what name the answer goes, exactly as it is.
    pub key: String,
    /// A short heading, every character visible.
    pub title: Option<String>,
    /// The question itself, every character visible.
    pub description: Option<String>,
    /// Whether it must be answered while it is asked.
    pub required: bool,
    /// Not to be shown: its default is sent for it.
    pub hidden: bool,
    /// It is asked only while all of these hold.
    pub when: Vec<When>,
    /// What is suggested; to be put into the field before anything is typed.
    #[ts(type = "Given | null")]
    pub default: Option<Given>,
    /// What kind of answer it takes.
    pub kind: FieldKind,
}

/// A condition on the answer to an earlier field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct When {
    /// The earlier field.
    pub key: String,
    /// Whether it must be this value, or must not.
    pub equal: bool,
    /// The value.
    #[ts(type = "Given")]
    pub value: Given,
}

/// What kind of answer a field takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FieldKind {
    /// A text, or one of several options.
    Text {
        /// What the text must be.
        #[ts(type = "Format | null")]
        format: Option<gavel_core::question::Format>,
        /// The shortest, in UTF-16 code units (`text.length`).
        #[ts(type = "number | null")]
        min_length: Option<u64>,
        /// The longest, in UTF-16 code units.
        #[ts(type = "number | null")]
        max_length: Option<u64>,
        /// A regular expression of JavaScript, without flags, to be found anywhere in it.
        pattern: Option<String>,
        /// What stands in the empty field, every character visible.
        placeholder: Option<String>,
        /// What is offered; `null` for a plain text.
        options: Option<Vec<Choice>>,
        /// Whether other answers than the options are taken.
        custom: bool,
    },
    /// A number.
    Number {
        /// Whether it must be a whole one.
        whole: bool,
        /// The smallest.
        minimum: Option<f64>,
        /// The largest.
        maximum: Option<f64>,
    },
    /// Yes or no.
    Boolean,
    /// Any number of options.
    Multiselect {
        /// What is offered.
        options: Vec<Choice>,
        /// The fewest.
        #[ts(type = "number | null")]
        min_items: Option<u64>,
        /// The most.
        #[ts(type = "number | null")]
        max_items: Option<u64>,
        /// Whether other answers than the options are taken.
        custom: bool,
    },
    /// Something to be done elsewhere. The answer is `true`: it was done.
    External {
        /// Where, every character visible.
        url: String,
        /// Whether it can be opened with [`super::Call::OpenLink`]: only plain `http` and `https` can.
        opens: bool,
    },
    /// A kind that is not known. It can't be answered: shown as it is.
    Unknown {
        /// The field as indented JSON, every character visible.
        raw: String,
    },
}

/// One answer that is offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Choice {
    /// What is sent, exactly as it is.
    pub value: String,
    /// What is shown, every character visible.
    pub label: String,
    /// What it means, every character visible.
    pub description: Option<String>,
}

/// An answer that can be given with one click.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Quick {
    /// What is shown, every character visible.
    pub label: String,
    /// The whole answer.
    #[ts(type = "Record<string, Given>")]
    pub answer: Answer,
}

/// How far the answer of a question has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum QuestionPhase {
    /// Nobody has answered.
    Waiting,
    /// An answer is under way.
    Replying {
        /// The answer.
        #[ts(type = "Response")]
        response: Response,
    },
    /// The answer could not be delivered.
    Undelivered {
        /// The answer.
        #[ts(type = "Response")]
        response: Response,
        /// Why not.
        why: String,
    },
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Problem {
    /// The key of the field it is about; `null` if it can't be told.
    pub field: Option<String>,
    /// What is wrong, in the server's words.
    pub message: String,
}
