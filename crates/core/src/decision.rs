//! What can be decided about a request, and how a request can come to its end.

use serde::{Deserialize, Serialize};

use crate::Source;
use crate::grants::Lasts;
use crate::question::Said;
use crate::rules::Saved;

/// What the user (or, later, a rule or a judge) decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Decision {
    /// This request only.
    AllowOnce,
    /// This request, and whatever else these patterns cover in its session.
    AllowForSession {
        /// What is allowed. Never wider than what the server proposed.
        patterns: Vec<Saved>,
        /// Whether the sessions of sub-agents are included.
        includes_children: bool,
        /// How long it lasts, if not for the whole session.
        lasts: Lasts,
    },
    /// This request, and whatever else the patterns that the server proposed cover in this project: on 2.x for good,
    /// on 1.x until the server ends.
    AllowAlways,
    /// Only this call fails; the agent is told why and goes on.
    Decline {
        /// The words the agent is told. Never empty: without words a decline would end the run.
        reason: String,
    },
    /// The request is refused and the session's run ends.
    Stop,
}

impl Decision {
    /// The words that are sent when the user declines without writing any.
    pub const DEFAULT_REASON: &'static str =
        "The user declined this. Do not try it again; ask what to do instead or find another way.";

    /// A decline with `reason`, or with [`Self::DEFAULT_REASON`] if there are no words in it.
    #[must_use]
    pub fn decline(reason: &str) -> Self {
        let reason = reason.trim();
        let reason = if reason.is_empty() { Self::DEFAULT_REASON } else { reason };
        Self::Decline { reason: reason.to_owned() }
    }

    /// The decline by which a judge refuses for `reason`. The agent must not take it for the user's.
    #[must_use]
    pub fn refusal_of_judge(reason: &str) -> Self {
        let end = reason.char_indices().nth(Self::LONGEST_REASON).map_or(reason.len(), |(at, _)| at);
        let reason = reason.get(..end).unwrap_or(reason);
        Self::Decline { reason: format!("auto-permission judge (not the human) denied this: {reason}") }
    }

    /// How many characters of a judge's reason an agent is told.
    const LONGEST_REASON: usize = 400;

    /// Whether the server will be told "no".
    #[must_use]
    pub const fn refuses(&self) -> bool {
        matches!(self, Self::Decline { .. } | Self::Stop)
    }

    /// The word that the server will announce for this decision.
    #[must_use]
    pub const fn reply(&self) -> Reply {
        match self {
            Self::AllowOnce | Self::AllowForSession { .. } => Reply::Once,
            Self::AllowAlways => Reply::Always,
            Self::Decline { .. } | Self::Stop => Reply::Reject,
        }
    }
}

/// The word by which a server announces that a request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Allowed once.
    Once,
    /// Allowed now and later.
    Always,
    /// Refused.
    Reject,
}

/// How a request ended, and by whom. Every request ends in exactly one of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Settled {
    /// The user decided here, and the server accepted it.
    You {
        /// What was decided.
        decision: Decision,
    },
    /// The user declined here, and the server took that but has no way to tell the agent the words: so the run ended.
    YouStopped {
        /// The words.
        reason: String,
    },
    /// A grant covered it: what the user had allowed earlier for its session.
    Grant {
        /// The request the grant was given for, in one line.
        title: String,
    },
    /// A line of the project's rules file let it pass.
    Rule {
        /// The line, as it stands in the file.
        line: String,
        /// [`Source::Preset`] or [`Source::Learned`].
        source: Source,
    },
    /// A judge answered, in the mode Auto.
    Judge {
        /// Whether it allowed it.
        allowed: bool,
        /// Why.
        reason: String,
    },
    /// The server refused it along with another request of the same session that the user declined or stopped here.
    Swept,
    /// Somebody else was first: a terminal, another window, another program.
    AnotherClient {
        /// What they answered, when the server said so.
        reply: Option<Reply>,
    },
    /// The user answered the question here, and the server accepted it.
    YouAnswered {
        /// What was answered.
        answers: Vec<Said>,
    },
    /// The user cancelled the question here, and the server accepted it.
    YouCancelled {
        /// What the agent was told.
        reason: Option<String>,
    },
    /// Somebody else answered the question first.
    AnsweredElsewhere {
        /// What they answered, as far as the server said so.
        answers: Vec<Said>,
    },
    /// Somebody else cancelled the question first.
    CancelledElsewhere,
    /// It was no longer listed after a gap in the connection: answered elsewhere, or its run ended unseen.
    Unseen,
    /// It waited when Gavel ended, and no longer when Gavel was back: nobody saw what became of it.
    WhileAway,
    /// Its run ended before anybody answered: aborted, deleted, disposed or restarted.
    RunEnded,
    /// Its server is gone, and the request with it.
    ServerGone,
}
