//! Everything the flow machine can ask the driver to do.

use serde::{Deserialize, Serialize};

use super::event::Timer;
use crate::modes::{Cause, Stance};
use crate::question::{Question, Response};
use crate::rules::{Rule, Saved};
use crate::rules_file::{Change, CommandLine};
use crate::text::Message;
use crate::{Ask, Decision, Finding, Moment, Opinions, RequestKey, ServerId, Session, SessionId, Settled};

/// Something to be done. Results come back as events.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Write to the activity log. Always before the [`Effect::Reply`] it belongs to.
    Record(Box<Record>),
    /// Answer a request; comes back as [`super::Event::Replied`].
    Reply {
        /// The request, with all that is needed to address it.
        ask: Box<Ask>,
        /// The answer.
        decision: Decision,
    },
    /// Answer a question, or cancel it; comes back as [`super::Event::Replied`].
    AnswerQuestion {
        /// The question, with all that is needed to address it.
        question: Box<Question>,
        /// The answer.
        response: Response,
    },
    /// Forget what was half typed for this question: it is settled.
    DropDraft(RequestKey),
    /// Say what this request does; comes back as [`super::Event::Judged`].
    Judge {
        /// The request, as far as it is known.
        ask: Box<Ask>,
        /// Its edition.
        edition: u32,
    },
    /// Look this command up in the rules file of its project; a line that lets it pass comes back as
    /// [`super::Event::RuleHolds`].
    LookUpRule {
        /// The request that it is.
        ask: Box<Ask>,
        /// The command.
        line: CommandLine,
        /// The request's edition.
        edition: u32,
        /// Whether the analysis on this machine proves that it only reads within the project.
        proven: bool,
    },
    /// Ask the judge about this request, if there is one that judges its kind: then [`super::Event::JudgeAsked`] comes
    /// back at once, and [`super::Event::Advised`] later.
    AskJudge {
        /// The request.
        ask: Box<Ask>,
        /// Its edition.
        edition: u32,
        /// What the analysis on this machine says of it.
        finding: Finding,
    },
    /// Ask no longer about this request: it is answered, or over.
    DropJudge(RequestKey),
    /// Make a change to the rules file of a project.
    Learn {
        /// The server that the project is on.
        server: ServerId,
        /// Absolute path of the project.
        directory: String,
        /// What is to be remembered.
        change: Change,
    },
    /// Show a notification for this request, or bring the one that is shown up to date.
    Notify(RequestKey),
    /// Take back the notification for this request.
    CloseNotification(RequestKey),
    /// Bring this request before the user: what they approved is less than what they would have approved.
    Show(RequestKey),
    /// Wake the machine at `at` with [`super::Event::TimerFired`].
    Timer {
        /// When.
        at: Moment,
        /// What for.
        timer: Timer,
    },
    /// Learn about a session nobody has told us about, so that its request can be attributed.
    LookUp {
        /// The server.
        server: ServerId,
        /// The session.
        session: SessionId,
    },
    /// See that the rules of a session end in those that `stance` and `grants` stand for; comes back as
    /// [`super::Event::Ruled`]. At most one is under way for a session.
    Rule {
        /// The server.
        server: ServerId,
        /// The session, with its directory and its agent.
        session: Session,
        /// The mode; `None` to leave it to OpenCode.
        stance: Option<Stance>,
        /// What is allowed on top of it.
        grants: Vec<Saved>,
        /// The rules in the list that are known to be Gavel's.
        previous: Vec<Rule>,
        /// Why.
        cause: Cause,
    },
    /// Keep the grants: they have changed.
    KeepGrants,
    /// Keep what servers were told of the rules of sessions: it has changed.
    KeepTold,
    /// List what is pending on a server again.
    Relist(ServerId),
    /// What is shown has changed.
    Publish,
}

/// A line of the activity log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When it happened.
    pub at: Moment,
    /// The request.
    pub key: RequestKey,
    /// What was asked, in one line, as shown to the user.
    pub title: String,
    /// The action, in 2.x words.
    pub action: String,
    /// What exactly was asked for, so that patterns can be held against it later. Empty in records of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// The full text of what was asked.
    pub text: String,
    /// The command as the rules file of the project knows it, where its answer counts for such a line: it is known to
    /// the last letter, and runs in the project itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Absolute path of the project.
    pub directory: String,
    /// Title of the root session, when known.
    pub session: Option<String>,
    /// The session that asked. Missing in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// How long the request had waited, in milliseconds.
    pub waited: u64,
    /// What was said of it by then.
    #[serde(flatten)]
    pub opinions: Opinions,
    /// What happened.
    pub what: Happened,
}

impl Record {
    /// What stands for the action where a question was asked.
    pub const QUESTION: &'static str = "question";
}

/// What a [`Record`] records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Happened {
    /// The user decided; the answer is about to be sent.
    Decided {
        /// What was decided.
        decision: Decision,
    },
    /// The user answered or cancelled a question; that is about to be sent.
    Responded {
        /// What is sent.
        response: Response,
    },
    /// The answer could not be delivered.
    Undelivered {
        /// Why, for a person.
        #[serde(flatten, with = "why")]
        why: Message,
    },
    /// The request came to its end.
    Settled {
        /// How, and by whom.
        settled: Settled,
    },
}

/// A sentence as it stands in a log: in English, and beside it what it is made of, unless it is somebody's own words.
mod why {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::text::{Message, kept};

    #[derive(Serialize, Deserialize)]
    struct Why {
        why: String,
        #[serde(default, skip_serializing_if = "Message::is_empty", with = "kept")]
        said: Message,
    }

    pub(super) fn serialize<S: Serializer>(message: &Message, serializer: S) -> Result<S::Ok, S::Error> {
        let said = if message.is_verbatim() { Message::default() } else { message.clone() };
        Why { why: message.to_string(), said }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
        let Why { why, said } = Why::deserialize(deserializer)?;
        Ok(if said.is_empty() { Message::verbatim(why) } else { said })
    }
}
