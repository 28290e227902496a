//! A question that is not settled yet.

use std::collections::BTreeMap;

use super::fate::Heard;
use crate::Moment;
use crate::question::{Answer, Given, Problem, Question, Response};
use crate::text::Message;

/// A question that is not settled yet, and how far its answer has come.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionEntry {
    /// What is asked.
    pub question: Question,
    /// Since when it waits.
    pub since: Moment,
    /// How far its answer has come.
    pub phase: QuestionPhase,
    /// Grows when something else comes to be asked under the same id: what is answered must be what was displayed.
    pub edition: u32,
    /// Why the server refused the last answer.
    pub refused: Option<Problem>,
    /// Number of the event that brought it; a listing begun earlier says nothing about it.
    pub(super) arrived: u64,
    /// Whether the stream brought it; otherwise only a listing did.
    pub(super) by_stream: bool,
    /// Whether a notification was shown for it.
    pub(super) announced: bool,
    /// The server announced an end while our answer was under way.
    pub(super) observed: Option<Ending>,
    /// Its run ended while our answer was under way.
    pub(super) run_ended: bool,
    /// A listing lacked it, and no event has said why.
    pub(super) gone: bool,
}

/// How far the answer of a question has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionPhase {
    /// Nobody has answered.
    Waiting,
    /// Our answer is under way.
    Replying {
        /// The answer.
        response: Response,
        /// 1, or 2 for the second and last attempt.
        attempt: u8,
    },
    /// Our answer could not be delivered: the user must choose to try again.
    Undelivered {
        /// The answer.
        response: Response,
        /// Why it was not delivered, for a person.
        why: Message,
    },
}

/// How a server says that a question came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It was answered, and how, if the server says so.
    Answered(Option<Answer>),
    /// It was cancelled, or dismissed.
    Cancelled,
}

impl QuestionEntry {
    pub(super) fn new(question: Question, now: Moment, arrived: u64) -> Self {
        // A server whose clock is ahead must not make a question wait since the future.
        let since = question.asked.map_or(now, |asked| asked.min(now));
        Self {
            question,
            since,
            phase: QuestionPhase::Waiting,
            edition: 1,
            refused: None,
            arrived,
            by_stream: false,
            announced: false,
            observed: None,
            run_ended: false,
            gone: false,
        }
    }

    /// Whether the user can answer it now.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !matches!(self.phase, QuestionPhase::Replying { .. })
    }

    /// Whether it waits, and nobody was told of it.
    pub(super) const fn is_silent(&self) -> bool {
        matches!(self.phase, QuestionPhase::Waiting) && !self.announced
    }
}

impl Ending {
    /// Whether this is what `response` comes to.
    pub(super) fn heard(&self, response: &Response) -> Heard {
        match (self, response) {
            (Self::Answered(None), Response::Answer { .. }) => Heard::Unclear,
            (Self::Answered(Some(told)), Response::Answer { answer }) if plain(told) == plain(answer) => Heard::Ours,
            (Self::Cancelled, Response::Cancel { .. }) => Heard::Ours,
            _ => Heard::Contrary,
        }
    }
}

/// An answer as 1.x tells of it: texts for each field, none for those that are skipped.
fn plain(answer: &Answer) -> BTreeMap<&str, Vec<String>> {
    let texts = |given: &Given| match given {
        Given::Text(text) => vec![text.clone()],
        Given::Several(items) => items.clone(),
        // Numbers are the same however they are written.
        Given::Number(number) => vec![number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string())],
        Given::Boolean(truth) => vec![truth.to_string()],
    };
    let fields = answer.iter().map(|(key, given)| (key.as_str(), texts(given)));
    fields.filter(|(_, texts)| !texts.is_empty()).collect()
}
