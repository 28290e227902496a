//! Answers to questions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::text::{Message, kept};

/// What is given for one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Given {
    /// Yes or no.
    Boolean(bool),
    /// A number, exactly as it was written.
    Number(Number),
    /// A text, or the value of an option.
    Text(String),
    /// Several of these.
    Several(Vec<String>),
}

/// What is given for each field that is answered. A field that is skipped is not in it.
pub type Answer = BTreeMap<String, Given>;

/// How the user settles a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "response", rename_all = "snake_case")]
pub enum Response {
    /// It is answered.
    Answer {
        /// What is sent.
        answer: Answer,
    },
    /// It is not answered.
    Cancel {
        /// What the agent is told, where the server passes that on: then it goes on. Without it the run ends.
        reason: Option<String>,
    },
}

/// What was asked in one field, and what was answered, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The same, for any language, where it is no word of the question's or the user's own.
    #[serde(default, skip_serializing_if = "Message::is_empty", with = "kept")]
    pub said: Message,
}

impl Given {
    /// The number, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// Whether it is `value`, or holds it. Numbers are the same however they are written.
    pub(super) fn is(&self, value: &Self) -> bool {
        match (self, value) {
            (Self::Several(items), Self::Text(text)) => items.contains(text),
            (Self::Number(_), Self::Number(_)) => self.as_number() == value.as_number(),
            _ => self == value,
        }
    }
}

impl From<&str> for Given {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Given {
    fn from(truth: bool) -> Self {
        Self::Boolean(truth)
    }
}
