//! Who answers in the user's stead.

use crate::grants::GrantId;
use crate::rules_file::Match;
use crate::{Decision, Settled};

/// Who answered, when it wasn't the user.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deputy {
    /// A grant, and what it was given for: it may be forgotten before the answer has arrived.
    Grant(GrantId, String),
    /// A line of the project's rules file.
    Rule(Match),
    /// A judge, in the mode Auto, with its reason.
    Judge(String),
}

impl Deputy {
    /// How a request ended that was answered so, and took `decision`.
    pub(super) fn settled(self, decision: Decision) -> Settled {
        match (self, decision) {
            (Self::Grant(_, title), Decision::AllowOnce) => Settled::Grant { title },
            (Self::Rule(found), Decision::AllowOnce) => Settled::Rule { line: found.line, source: found.source },
            (Self::Judge(reason), Decision::AllowOnce) => Settled::Judge { allowed: true, reason },
            (Self::Judge(reason), Decision::Decline { .. }) => Settled::Judge { allowed: false, reason },
            // Nobody but the user decides otherwise.
            (_, decision) => Settled::You { decision },
        }
    }
}
