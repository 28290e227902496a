//! What becomes of an answer of ours: the same for requests and for questions.

use super::event::Outcome;
use crate::question::Problem;
use crate::text::Message;

/// What a server announced about a request while our answer to it was under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// Nothing.
    Nothing,
    /// An end that our answer would have.
    Ours,
    /// An end that our answer could not have.
    Contrary,
    /// An end, and not which.
    Unclear,
}

/// What becomes of an answer of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// It counts.
    Ours,
    /// Another one counts.
    Other,
    /// There was nothing left to answer.
    RunEnded,
    /// It is to be sent once more.
    Again,
    /// It was not taken, for this reason. Another one can be given.
    Refused(Problem),
    /// It did not get there.
    Undelivered(Message),
}

/// What `outcome` of the `attempt` means, with what was heard meanwhile.
pub(super) fn fate(outcome: Outcome, attempt: u8, heard: Heard, run_ended: bool) -> Fate {
    match outcome {
        // OpenCode 1.14 takes every reply, even one that comes too late and does nothing: a contrary word tells.
        Outcome::Accepted | Outcome::Wordless if heard == Heard::Contrary => Fate::Other,
        Outcome::Accepted | Outcome::Wordless => Fate::Ours,
        // When our own attempt may have arrived although its answer was lost, the announced word tells whose it was.
        Outcome::Lost if heard == Heard::Ours && attempt > 1 => Fate::Ours,
        Outcome::Failed { .. } if heard == Heard::Ours => Fate::Ours,
        Outcome::RunGone => Fate::RunEnded,
        Outcome::Lost if heard == Heard::Nothing && run_ended => Fate::RunEnded,
        Outcome::Lost => Fate::Other,
        Outcome::Failed { .. } | Outcome::Refused(_) if heard != Heard::Nothing => Fate::Other,
        Outcome::Failed { .. } | Outcome::Refused(_) if run_ended => Fate::RunEnded,
        Outcome::Refused(problem) => Fate::Refused(problem),
        Outcome::Failed { .. } if attempt == 1 => Fate::Again,
        Outcome::Failed { why } => Fate::Undelivered(why),
    }
}
