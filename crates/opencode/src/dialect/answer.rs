//! What the servers' answers to answers mean, in every dialect.

use gavel_core::flow::Outcome;
use gavel_core::question::{Answer, Field, Given, Problem};
use serde_json::{Value, json};

use super::failure::Failure;
use super::reply;
use crate::http;

/// An answer in the words of 1.x: texts for each question, in their order, and none for those that are skipped.
pub(super) fn in_order(fields: &[Field], answer: &Answer) -> Value {
    let texts = |field: &Field| match answer.get(&field.key) {
        Some(Given::Text(text)) => vec![text.clone()],
        Some(Given::Several(items)) => items.clone(),
        Some(Given::Number(number)) => vec![number.to_string()],
        Some(Given::Boolean(truth)) => vec![truth.to_string()],
        None => Vec::new(),
    };
    json!({ "answers": fields.iter().map(texts).collect::<Vec<_>>() })
}

/// The names of failures that mean: there is nothing left to answer.
const SETTLED: &[&str] = &["QuestionNotFoundError", "FormNotFoundError", "FormAlreadySettledError"];

/// What the server made of an answer to a question with these fields.
pub(super) fn outcome(answer: &http::Answer, fields: &[Field]) -> Outcome {
    let Some(failure) = Failure::of(answer) else { return reply::outcome(answer) };
    if SETTLED.iter().any(|name| failure.is(name)) {
        return Outcome::Lost;
    }
    if failure.is("SessionNotFoundError") {
        return Outcome::RunGone;
    }
    if failure.is("FormInvalidAnswerError") {
        let message = failure.message().unwrap_or("the server does not take this answer").to_owned();
        return Outcome::Refused(Problem { field: named(fields, &message), message });
    }
    reply::outcome(answer)
}

/// The field that a message is about: servers end it with the field's key. Empty if there is no such field.
fn named(fields: &[Field], message: &str) -> String {
    let ends = |field: &&Field| message.strip_suffix(&field.key).is_some_and(|rest| rest.ends_with(": "));
    // One key may end another.
    let longest = fields.iter().filter(ends).max_by_key(|field| field.key.len());
    longest.map(|field| field.key.clone()).unwrap_or_default()
}
