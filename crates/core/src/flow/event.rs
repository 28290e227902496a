//! Everything that can happen, as one closed set.

use super::away::Away;
use super::question_entry::Ending;
use super::told::Told;
use crate::grants::{GrantId, Grants};
use crate::modes::Defaults;
use crate::question::{Problem, Question, Response};
use crate::rules::Rule;
use crate::rules_file::Match;
use crate::text::Message;
use crate::{
    Ask, CallRef, Decision, Finding, Link, Opinion, Reply, RequestId, RequestKey, Route, ServerId, ServerInfo, Session,
    SessionId,
};

/// Something that happened. The driver feeds these to [`super::Flow::step`] one at a time.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A server is to be watched, or is watched already and called or known otherwise from now on.
    ServerAdded(ServerInfo),
    /// A server is no longer to be watched: it ended, or the user removed it.
    ServerRemoved(ServerId),
    /// The connection to a server changed its state.
    Link(ServerId, Link),
    /// A server was heard: a heartbeat, or any event that means nothing else.
    Heard(ServerId),
    /// A server said something.
    Wire(ServerId, WireEvent),
    /// The user decided about a request.
    Decide {
        /// The request.
        key: RequestKey,
        /// What was decided.
        decision: Decision,
        /// Which edition of the request was displayed, where the host knows: see [`super::Entry::edition`].
        edition: Option<u32>,
    },
    /// The user answered or cancelled a question.
    Respond {
        /// The question.
        key: RequestKey,
        /// How.
        response: Response,
        /// Which edition of the question was displayed, where the host knows: see [`super::QuestionEntry::edition`].
        edition: Option<u32>,
    },
    /// The user wants an undelivered reply to be sent again.
    Retry(RequestKey),
    /// What became of a reply.
    Replied(RequestKey, Outcome),
    /// What the analysis on this machine says about a request; the answer to [`super::Effect::Judge`].
    Judged {
        /// The request.
        key: RequestKey,
        /// The edition of it that was looked at: of an older one nothing is to be said.
        edition: u32,
        /// What it says.
        finding: Finding,
        /// How long that took, in milliseconds, rounded up.
        took: u64,
    },
    /// A line of the project's rules file lets a request pass; an answer to [`super::Effect::LookUpRule`].
    RuleHolds {
        /// The request.
        key: RequestKey,
        /// The edition of it that was looked up.
        edition: u32,
        /// The line.
        rule: Match,
    },
    /// No line of the project's rules file lets a request pass; the other answer to [`super::Effect::LookUpRule`].
    NoRule {
        /// The request.
        key: RequestKey,
        /// The edition of it that was looked up.
        edition: u32,
    },
    /// A judge is being asked about a request.
    JudgeAsked {
        /// The request.
        key: RequestKey,
        /// Its edition.
        edition: u32,
    },
    /// A judge has spoken, or failed to; the answer to [`super::Effect::AskJudge`].
    Advised {
        /// The request.
        key: RequestKey,
        /// The edition of it that was judged.
        edition: u32,
        /// What the judge says.
        opinion: Opinion,
    },
    /// Another judge is asked from now on, or none: what the one before said counts no more.
    JudgeChanged,
    /// The user lets judges answer again in the thread of a session, also what waits there.
    JudgeAgain(ServerId, SessionId),
    /// How many approvals of a command in a row make it learned; 0 learns nothing.
    LearnAfter(u64),
    /// A timer asked for by [`super::Effect::Timer`] is due.
    TimerFired(Timer),
    /// What the user chose for servers, projects and sessions.
    Stances(Defaults),
    /// The grants that were kept when Gavel last ended.
    Granted(Grants),
    /// What servers were told of the rules of sessions before Gavel last ended.
    Told(Told),
    /// What waited when Gavel last ended.
    Away(Away),
    /// The user takes a grant back.
    TakeBack(GrantId),
    /// The user wants a grant again that was just taken back.
    GiveAgain(GrantId),
    /// What became of an [`super::Effect::Rule`].
    Ruled {
        /// The server.
        server: ServerId,
        /// The session.
        session: SessionId,
        /// What became of it.
        outcome: RuleOutcome,
    },
    /// Notifications are wanted (`false`) or not wanted (`true`) for a while.
    Pause(bool),
    /// The user is away for a while (`true`) or back (`false`): opinions that would only be looked at are not sought.
    Unattended(bool),
    /// How long a request is to wait before it is notified, in milliseconds.
    Grace(u64),
}

/// Something a server said, translated from its dialect.
#[derive(Debug, Clone, PartialEq)]
pub enum WireEvent {
    /// An agent wants permission.
    Asked(Box<Ask>),
    /// A request was answered, by whomever.
    Answered {
        /// The request.
        request: RequestId,
        /// The answer, when it was one of the known words.
        reply: Option<Reply>,
    },
    /// An agent has a question.
    QuestionAsked(Box<Question>),
    /// A question was answered or cancelled, by whomever.
    QuestionEnded {
        /// The question.
        request: RequestId,
        /// How.
        ending: Ending,
    },
    /// A session was created just now.
    SessionBegan(Session),
    /// A session was found, or something about it changed.
    SessionSeen(Session),
    /// Something about a session changed that must be looked up: its agent, or where it works.
    SessionChanged(SessionId),
    /// A session was deleted. Its run may go on, blocked at its request.
    SessionDeleted(SessionId),
    /// A session's own rules, all of them in order, as the server has them now, whoever set them.
    RulesChanged {
        /// The session.
        session: SessionId,
        /// The rules, in 2.x words.
        rules: Vec<Rule>,
    },
    /// A session is of a kind whose own rules the server takes and does not heed: none can be set for it.
    RulesIgnored(SessionId),
    /// What the agents of a directory are, or may do, changed: what was read of them is out of date. The directory is
    /// an absolute path, empty where the server doesn't say which: then it may be any.
    AgentsChanged(String),
    /// A session runs: its run began, goes on, or was found under way. It may be told more than once.
    RunBegan(SessionId),
    /// The run of a session ended: idle, aborted or failed.
    RunEnded(SessionId),
    /// A tool call began to run: what it does, what the agent says it is for, and where it runs.
    CallStarted {
        /// The session it belongs to.
        session: SessionId,
        /// The call, and its message: some models number the calls of every message anew.
        call: CallRef,
        /// The full command line, for calls that have one. Some servers don't repeat it in the request.
        command: Option<String>,
        /// The agent's description.
        purpose: Option<String>,
        /// Absolute working directory, when it differs from the project's.
        workdir: Option<String>,
        /// Whether that is known, be it that it runs in the project's.
        placed: bool,
    },
    /// A tool call is over, one way or another: nothing of it can be pending any more.
    CallEnded {
        /// The session it belongs to.
        session: SessionId,
        /// The call and its message.
        call: CallRef,
    },
    /// A directory's instance was disposed of, with everything pending in it. `None`: all of them.
    Disposed(Option<String>),
    /// A listing of pending requests is about to be fetched. What is known before this and missing from
    /// the [`WireEvent::Listed`] of the same number is no longer pending.
    ListBegan(u64),
    /// Everything there is to list has been listed: what is known is what is pending.
    InSync,
    /// A listing could not be had, and why, for a person. What is known stays as it is.
    Unlisted(Message),
    /// A listing arrived.
    Listed {
        /// The number given in [`WireEvent::ListBegan`].
        number: u64,
        /// What it covers: requests outside are not touched by it.
        scope: Scope,
        /// The requests that are pending in a run that lives.
        asks: Vec<Ask>,
        /// Requests whose session is deleted while its run hangs on them: they can only be refused.
        orphans: Vec<Ask>,
    },
    /// A listing of questions arrived.
    QuestionsListed {
        /// The number given in [`WireEvent::ListBegan`].
        number: u64,
        /// What it covers.
        scope: Scope,
        /// The questions that are pending in a run that lives.
        questions: Vec<Question>,
        /// Questions whose session is deleted while its run hangs on them: they can only be cancelled.
        orphans: Vec<Question>,
    },
}

/// The part of a server that a listing covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The routes that were asked.
    pub route: Route,
    /// The directory that was asked for.
    pub directory: String,
}

/// What became of bringing a session's rules up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleOutcome {
    /// The session's list ends in these rules now, which are Gavel's.
    Stands(Vec<Rule>),
    /// The session is gone.
    Deleted,
    /// This server can't set the rules of a session.
    Unsupported,
    /// It could not be done.
    Failed {
        /// Why, for a person.
        why: Message,
    },
}

impl Scope {
    /// Whether a listing of this scope would name what is asked in `directory` on `route` if it were still pending.
    pub(super) fn covers(&self, route: Route, directory: &str) -> bool {
        // A server that speaks another dialect than before has nothing left of what was asked in the other one.
        let spoke_otherwise = (route == Route::V2) != (self.route == Route::V2);
        // The same directory may be spelled with a slash at its end.
        let here = directory.trim_end_matches('/') == self.directory.trim_end_matches('/');
        spoke_otherwise || (route == self.route && here)
    }
}

/// What became of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The server took it.
    Accepted,
    /// The server took a decline, and its words got lost on the way: what was meant for one call ended the run.
    Wordless,
    /// The server no longer knows the request: somebody else was first, or its run ended.
    Lost,
    /// The session is gone: instead of an approval a refusal was sent, so that nothing runs.
    RunGone,
    /// The server took the answer to a question for none: it is still to be answered.
    Refused(Problem),
    /// It could not be delivered.
    Failed {
        /// Why, for a person.
        why: Message,
    },
}

/// What a timer is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Timer {
    /// The grace delay of a request is over: notify if it still waits.
    Grace(RequestKey),
    /// An undelivered reply is to be sent once more.
    Resend(RequestKey),
    /// Some grants may have run out.
    Grants,
    /// Servers that are still there should have been found by now.
    Away,
    /// The rules of a session could not be set, and are to be set again.
    Rule(ServerId, SessionId),
    /// A request was no longer listed, and what became of it should have been heard by now.
    Gone(RequestKey),
}

impl Timer {
    /// The server that it is about, if it is about one.
    #[must_use]
    pub const fn server(&self) -> Option<&ServerId> {
        match self {
            Self::Grace(key) | Self::Resend(key) | Self::Gone(key) => Some(&key.server),
            Self::Rule(server, _) => Some(server),
            Self::Grants | Self::Away => None,
        }
    }
}
