//! A request that is not settled yet.

use super::server::Call;
use crate::{Ask, Decision, Moment, Reply, RequestKey};

/// A request that is not settled yet, and how far its answer has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What is asked.
    pub ask: Ask,
    /// Since when it waits.
    pub since: Moment,
    /// How far its answer has come.
    pub phase: Phase,
    /// Number of the event that brought it; a listing begun earlier says nothing about it.
    pub(super) arrived: u64,
    /// Whether the stream brought it; otherwise only a listing did.
    pub(super) by_stream: bool,
    /// Whether a notification was shown for it.
    pub(super) announced: bool,
    /// The server announced an answer while ours was under way: `Some(reply)`, and which, if known.
    pub(super) observed: Option<Option<Reply>>,
    /// Its run ended while our answer was under way.
    pub(super) run_ended: bool,
    /// Our refusal of this other request of the session makes the server refuse this one too.
    pub(super) swept_by: Option<RequestKey>,
}

/// How far the answer of a request has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Nobody has answered.
    Waiting,
    /// Our answer is under way.
    Replying {
        /// The answer.
        decision: Decision,
        /// 1, or 2 for the second and last attempt.
        attempt: u8,
    },
    /// Our answer could not be delivered: the user must choose to try again.
    Undelivered {
        /// The answer.
        decision: Decision,
        /// Why it was not delivered, for a person.
        why: String,
    },
}

impl Entry {
    pub(super) fn new(ask: Ask, now: Moment, arrived: u64) -> Self {
        // A server whose clock is ahead must not make a request wait since the future.
        let since = ask.asked.map_or(now, |asked| asked.min(now));
        Self {
            ask,
            since,
            phase: Phase::Waiting,
            arrived,
            by_stream: false,
            announced: false,
            observed: None,
            run_ended: false,
            swept_by: None,
        }
    }

    /// Whether the user can decide about it now.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !matches!(self.phase, Phase::Replying { .. })
    }

    /// Fills in what a later message knew and an earlier one didn't.
    pub(super) fn complete(&mut self, call: &Call) -> bool {
        let detail = &mut self.ask.detail;
        let mut changed = false;
        for (field, value) in [
            (&mut detail.command, &call.command),
            (&mut detail.purpose, &call.purpose),
            (&mut detail.workdir, &call.workdir),
        ] {
            if field.is_none() && value.is_some() {
                field.clone_from(value);
                changed = true;
            }
        }
        changed
    }
}
