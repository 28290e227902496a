//! Questions: what an agent wants to know from a person. 2.x calls them forms; those of 1.x are forms of a simple kind.

mod check;
mod condition;
mod effort;
mod format;
mod given;
mod quick;
pub(crate) mod words;

pub use check::{Problem, check, problems};
pub use condition::{active, complete};
pub use given::{Answer, Given, Response, Said};
pub use quick::{quick, quick_in};
pub use words::{full_text, headline, headline_in, prompt, said};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallRef, Moment, RequestKey, Route, SessionId};

/// A question as the server sent it: one or more fields that belong together and are answered at once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Server and request id.
    pub key: RequestKey,
    /// The session that asks; `None` for a form that belongs to no session.
    pub session: Option<SessionId>,
    /// Absolute path of the project directory it lives in. The reply must name it on 1.x.
    pub directory: String,
    /// Which routes list and answer it.
    pub route: Route,
    /// What it is called. The agent's or the server's own words.
    pub title: String,
    /// What is asked, in the order of the server.
    pub fields: Vec<Field>,
    /// The tool call behind it, when the server names one.
    pub call: Option<CallRef>,
    /// When it was asked, if the server's id tells.
    pub asked: Option<Moment>,
    /// Everything the server sent about where it comes from.
    pub metadata: Value,
}

/// One thing that is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// By what name the answer goes.
    pub key: String,
    /// A short heading.
    pub title: Option<String>,
    /// The question itself.
    pub description: Option<String>,
    /// Whether the form can't be answered without it, where it is active.
    pub required: bool,
    /// Not to be shown; its default is sent for it.
    pub hidden: bool,
    /// It is asked only while all of these hold.
    pub when: Vec<When>,
    /// What is suggested. The server fills nothing in.
    pub default: Option<Given>,
    /// What kind of answer it takes.
    pub kind: Kind,
}

/// A condition on the answer to an earlier field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct When {
    /// The earlier field.
    pub key: String,
    /// Whether it must be this value, or must not.
    pub equal: bool,
    /// The value. Of several answers one must be it, or none.
    pub value: Given,
}

/// What kind of answer a field takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// A text, or one of several options.
    Text {
        /// What the text must be.
        format: Option<Format>,
        /// The shortest, in UTF-16 code units as JavaScript counts.
        min_length: Option<u64>,
        /// The longest, in UTF-16 code units.
        max_length: Option<u64>,
        /// A regular expression of JavaScript that must be found somewhere in it.
        pattern: Option<String>,
        /// What stands in the empty field.
        placeholder: Option<String>,
        /// What is offered; `None` for a plain text.
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
        min_items: Option<u64>,
        /// The most.
        max_items: Option<u64>,
        /// Whether other answers than the options are taken.
        custom: bool,
    },
    /// Something to be done elsewhere; that it was done is the answer.
    External {
        /// Where.
        url: String,
    },
    /// A kind that is not known. It can't be answered.
    Unknown {
        /// What the server calls it.
        name: String,
        /// The field, whole.
        raw: Value,
    },
}

/// What a text must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// An address for mail.
    Email,
    /// An address of anything.
    Uri,
    /// `2026-11-30`
    Date,
    /// `2026-11-30T19:43:00Z`
    DateTime,
}

/// One answer that is offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

impl Field {
    /// What an answer is limited to; `None` if it is not.
    #[must_use]
    pub fn closed_options(&self) -> Option<&[Choice]> {
        match &self.kind {
            Kind::Text { options: Some(options), custom: false, .. }
            | Kind::Multiselect { options, custom: false, .. } => Some(options),
            _ => None,
        }
    }

    /// What is offered, if anything is.
    #[must_use]
    pub fn options(&self) -> &[Choice] {
        match &self.kind {
            Kind::Text { options: Some(options), .. } | Kind::Multiselect { options, .. } => options,
            _ => &[],
        }
    }
}

impl Question {
    /// Whether it can be answered at all: a field of an unknown kind that must be answered stands in the way.
    #[must_use]
    pub fn is_answerable(&self) -> bool {
        let blocks = |field: &Field| matches!(field.kind, Kind::Unknown { .. }) && field.required;
        !self.fields.is_empty() && !self.fields.iter().any(blocks)
    }

    /// Whether the agent is told why its question is cancelled, as far as is known without trying.
    #[must_use]
    pub const fn passes_reason(&self) -> bool {
        matches!(self.route, Route::V2)
    }

    /// Whether `other`, which has the same id, asks for something else: the server has begun anew, and numbers as before.
    #[must_use]
    pub fn is_another(&self, other: &Self) -> bool {
        self.route == other.route
            && (&self.session, &self.title, &self.fields) != (&other.session, &other.title, &other.fields)
    }
}
