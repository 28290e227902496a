//! What is said for a decision, and what the answer to it means. Nothing here ever turns an error into an approval.

use gavel_core::flow::Outcome;
use gavel_core::{Decision, say};
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::Error;
use crate::http::Answer;

/// What is said about a request.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    /// The word for it.
    pub word: &'static str,
    /// What the agent is told, if it is to go on.
    pub message: Option<&'a str>,
}

impl<'a> Body<'a> {
    /// What is said for `decision`.
    pub fn of(decision: &'a Decision) -> Self {
        match decision {
            Decision::AllowOnce | Decision::AllowForSession { .. } => Self { word: "once", message: None },
            Decision::AllowAlways => Self { word: "always", message: None },
            Decision::Decline { reason } => Self { word: "reject", message: Some(reason) },
            // Words would make the run go on.
            Decision::Stop => Self { word: "reject", message: None },
        }
    }

    /// The body, with the word under each of `keys`.
    pub fn json(self, keys: &[&str]) -> Value {
        let mut body: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), self.word.into())).collect();
        if let Some(message) = self.message {
            body.insert("message".to_owned(), message.into());
        }
        Value::Object(body)
    }
}

/// What the server made of a reply. Only a plain yes is one.
pub fn outcome(answer: &Answer) -> Outcome {
    let failure = Failure::of(answer);
    match answer.status {
        204 => Outcome::Accepted,
        200..=299 => match answer.json().map(|text| text.trim() == "true") {
            Ok(true) => Outcome::Accepted,
            Ok(false) => Outcome::Failed { why: say!("the server's answer does not say that it took the reply") },
            Err(error) => failed(&error),
        },
        404 if failure.as_ref().is_some_and(|failure| failure.is("PermissionNotFoundError")) => Outcome::Lost,
        status => {
            let message = failure.and_then(|failure| failure.message().map(str::to_owned));
            failed(&Error::Status { status, message })
        }
    }
}

/// That a reply was not delivered.
pub fn failed(error: &Error) -> Outcome {
    Outcome::Failed { why: error.said() }
}
