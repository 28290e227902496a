//! What came of asking, and all that was said.

use gavel_core::Verdict;
use serde::{Deserialize, Serialize};

use super::Fault;

/// How many tokens a call took, as far as the judge says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the question.
    pub prompt: Option<u64>,
    /// Tokens of the answer, thinking included.
    pub completion: Option<u64>,
}

/// One request and what came back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The request as it was sent, with keys hidden.
    pub request: String,
    /// The HTTP status; `None` if nothing came back, or for a judge that isn't asked over HTTP.
    pub status: Option<u16>,
    /// The body that came back, as far as it was read, with keys hidden.
    pub answer: String,
}

/// All that was sent and all that came back: more than one round if the model refused a parameter at first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The rounds, in order. Empty if nothing was sent.
    pub rounds: Vec<Round>,
}

/// What came of asking a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Judged {
    /// The verdict. After a fault it is one that leaves the request with the human.
    pub verdict: Verdict,
    /// Why there is no verdict, if there is none.
    pub fault: Option<Fault>,
    /// What it cost; nothing for a verdict that was remembered.
    pub usage: Usage,
    /// Whether another caller's question brought it about. Its cost is counted there.
    pub shared: bool,
    /// What was said.
    pub exchange: Exchange,
}
