//! What happens in the world, without regard to how a dialect says it.

use std::sync::Arc;

use tokio::sync::mpsc::{self, Receiver};

use gavel_core::rules::Rule;
use serde_json::Value;

use super::World;
use super::ask::{Ask, Question, Reply};
use super::customs::History;
use super::forms::Form;
use super::inbox::{Item, Note};
use super::message::{Message, Part};
use super::session::{Boundary, Model, Outcome, Session, Status};
use crate::form::Answers;

/// One thing that happened. Each dialect tells what it has words for.
#[derive(Debug, Clone)]
pub(crate) enum Happening {
    SessionCreated(Session),
    SessionUpdated(Session),
    SessionDeleted(Session),
    MessageUpdated(Message),
    PartUpdated { part: Part, at: u64 },
    PartDelta { session: String, message: String, part: String, text: String },
    Asked(Ask),
    Replied { session: String, ask: String, reply: Reply },
    QuestionAsked(Question),
    QuestionAnswered { session: String, question: String, answers: Vec<Vec<String>> },
    QuestionDismissed { session: String, question: String },
    Status { session: String, status: Status },
    Idle { session: String },
    Diff { session: String },
    Failed { session: String, failure: Failure },
    FileEdited { file: String },
    FileChanged { file: String, created: bool },
    Disposed,
    RulesReplaced { session: String, rules: Vec<Rule> },
    AgentSelected { session: String, agent: String, previous: Option<String> },
    ModelSelected { session: String, model: Model, previous: Option<Model> },
    RunStarted { session: String },
    RunEnded { session: String, outcome: Outcome },
    CallBegan { call: CallName, tool: String },
    CallMade { call: CallName, input: Value },
    CallEnded { call: CallName, result: CallResult },
    Enqueued { session: String, item: Item },
    Delivered { session: String, item: String },
    Noted { session: String, note: Note },
    FormRaised(Form),
    FormAnswered { form: String, owner: String, answers: Answers },
    FormCancelled { form: String, owner: String },
    Forked { session: String, parent: String, through: Boundary },
    Moved { session: String, directory: String },
    AgentsUpdated,
    ConfigUpdated,
}

/// Which call of which message.
#[derive(Debug, Clone)]
pub(crate) struct CallName {
    pub(crate) session: String,
    pub(crate) message: String,
    pub(crate) id: String,
}

/// What a call came to.
#[derive(Debug, Clone)]
pub(crate) enum CallResult {
    Done { output: String, metadata: Value },
    Failed { text: String, metadata: Option<Value> },
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    Aborted,
    /// Something the server has no name for: what it says is all there is.
    Unnamed(String),
    /// The model's server answered with a status that is no success.
    Model {
        status: u16,
        message: String,
    },
}

impl Failure {
    /// The database's complaint about a part of a session it no longer has.
    pub(crate) fn orphan(session: &str) -> Failure {
        Failure::Unnamed(format!(
            "Failed query: insert into \"part\" for session {session}: FOREIGN KEY constraint failed"
        ))
    }
}

/// A happening with its place, its identifier and, if it is durable, its number in its session's history.
#[derive(Debug)]
pub(crate) struct Occurrence {
    pub(crate) id: String,
    /// In milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) directory: String,
    pub(crate) durable: Option<(String, u64)>,
    pub(crate) what: Happening,
}

impl Happening {
    /// The session in whose history this is kept; `None` for what is only announced.
    fn durable(&self, history: History) -> Option<&str> {
        match history {
            History::Rows => self.row(),
            History::Acts => self.act(),
        }
    }

    fn row(&self) -> Option<&str> {
        match self {
            Happening::SessionCreated(session)
            | Happening::SessionUpdated(session)
            | Happening::SessionDeleted(session) => Some(&session.id),
            Happening::MessageUpdated(message) => Some(&message.session),
            Happening::PartUpdated { part, .. } => Some(&part.session),
            _ => None,
        }
    }

    fn act(&self) -> Option<&str> {
        match self {
            Happening::SessionCreated(session) | Happening::SessionDeleted(session) => Some(&session.id),
            Happening::RulesReplaced { session, .. }
            | Happening::AgentSelected { session, .. }
            | Happening::ModelSelected { session, .. }
            | Happening::RunStarted { session }
            | Happening::RunEnded { session, .. }
            | Happening::Enqueued { session, .. }
            | Happening::Delivered { session, .. }
            | Happening::Forked { session, .. }
            | Happening::Moved { session, .. }
            | Happening::Noted { session, .. } => Some(session),
            Happening::CallBegan { call, .. }
            | Happening::CallMade { call, .. }
            | Happening::CallEnded { call, .. } => Some(&call.session),
            _ => None,
        }
    }

    /// What needs a row in the database, or is worked out from one, is never heard of a deleted session.
    fn needs_session(&self, history: History) -> Option<&str> {
        match self {
            Happening::Diff { session } | Happening::PartDelta { session, .. } => Some(session),
            other => other.durable(history),
        }
    }
}

/// An open event stream, as the world sees it.
pub(super) struct Stream {
    to: mpsc::Sender<Arc<Occurrence>>,
}

impl World {
    /// Opens a stream of all that happens from now on. It ends when the stream is cut, or
    /// when the client is too far behind.
    pub(crate) fn listen(&mut self) -> Receiver<Arc<Occurrence>> {
        let (to, from) = mpsc::channel(self.customs.backlog);
        self.streams.push(Stream { to });
        from
    }

    /// Ends all streams.
    pub(crate) fn cut_streams(&mut self) {
        self.streams.clear();
    }

    /// How many clients are listening.
    #[must_use]
    pub fn streams(&self) -> usize {
        self.streams.iter().filter(|stream| !stream.to.is_closed()).count()
    }

    /// Tells everyone who listens.
    pub(super) fn emit(&mut self, directory: &str, what: Happening) {
        let history = self.customs.history;
        if what.needs_session(history).is_some_and(|session| self.is_deleted(session)) {
            return;
        }
        let durable = what.durable(history).map(str::to_owned).and_then(|session| {
            let thread = self.thread_mut(&session)?;
            let number = thread.seq;
            thread.seq += 1;
            Some((session, number))
        });
        let id = self.mint.ascending("evt");
        let occurrence = Occurrence { id, at: crate::ids::now(), directory: directory.to_owned(), durable, what };
        let occurrence = Arc::new(occurrence);
        self.streams.retain(|stream| stream.to.try_send(Arc::clone(&occurrence)).is_ok());
    }

    /// The identifier for an event that only one stream hears.
    pub(crate) fn event_id(&mut self) -> String {
        self.mint.ascending("evt")
    }

    /// The identifier for a request that is made from outside.
    pub(crate) fn ask_id(&mut self) -> String {
        self.mint.ascending("per")
    }

    /// The identifier for a message that is said from outside.
    pub(crate) fn message_id(&mut self) -> String {
        self.mint.ascending("msg")
    }

    pub(crate) fn announce(&mut self, directory: &str, what: Happening) {
        self.emit(directory, what);
    }
}
