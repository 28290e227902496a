//! Sessions: what is known of them, and what becomes of them.

use std::collections::VecDeque;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use gavel_core::rules::Rule;
use serde_json::Value;

use super::World;
use super::customs::Prompts;
use super::happening::{Failure, Happening};
use super::inbox::Item;
use super::message::{Message, Part, PartBody, Role};
use crate::ids;
use crate::script::{Prompt, Script};

/// A session as it is told to clients.
#[derive(Debug, Clone)]
pub struct Session {
    /// `ses_…`
    pub id: String,
    /// Two words, as OpenCode gives them.
    pub slug: String,
    /// The absolute path it works in.
    pub directory: String,
    /// What people know it by.
    pub title: String,
    /// The session that started it, if it is a sub-agent's.
    pub parent: Option<String>,
    /// The rules it was given, in order; the last that matches holds.
    pub rules: Vec<Rule>,
    pub(crate) agent: Option<String>,
    /// The model it was told to use.
    pub(crate) model: Option<Model>,
    pub(crate) metadata: Option<Value>,
    /// How its last run ended, and when.
    pub(crate) outcome: Option<(Outcome, u64)>,
    pub(crate) archived: Option<u64>,
    /// The session it is a fork of.
    pub(crate) fork: Option<(String, Boundary)>,
    /// The model is known: it is from the first prompt on.
    pub(crate) has_model: bool,
    pub(crate) has_summary: bool,
    pub(crate) titled: bool,
    pub(crate) changes: (usize, usize, usize),
    pub(crate) tokens: (u64, u64),
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

/// A model and its variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) provider: String,
    pub(crate) variant: Option<String>,
}

/// Up to which message a fork is like its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Boundary {
    Before(String),
    Through(String),
}

/// How a run ended, as clients are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Succeeded,
    Failed(Failure),
    Interrupted(Interrupted),
}

/// Why a run was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interrupted {
    ByUser,
    /// The location was shut down, or a call was declined without a reason.
    ByShutdown,
}

/// Whether a session is at work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Nothing runs.
    Idle,
    /// Its agent is at work, or waits for an answer.
    Busy,
    /// Something failed and is tried again.
    Retry {
        /// What failed.
        message: String,
        /// When it is tried again, in milliseconds since 1970.
        next: u64,
    },
}

/// How an agent's run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RunEnd {
    /// The script is played; its last words.
    Finished(String),
    /// A call was declined without a reason, or a question dismissed; what the tool call said.
    Stopped(String),
    Aborted,
    /// The model or the database failed.
    Broken,
}

/// A session and all that belongs to it but is never sent as a part of it.
#[derive(Debug)]
pub(super) struct Thread {
    pub(super) session: Session,
    pub(super) deleted: bool,
    pub(super) status: Status,
    pub(super) messages: Vec<Message>,
    /// Number of the last durable event.
    pub(super) seq: u64,
    /// What tools gave back and the model has not seen yet.
    pub(super) untold: Vec<String>,
    pub(super) told: Vec<String>,
    /// The user's message and the script to play for it.
    pub(super) queue: VecDeque<(String, Script)>,
    /// What waits for its delivery.
    pub(super) inbox: Vec<Item>,
    /// Why the model failed, until the run has ended with that.
    pub(super) failure: Option<Failure>,
    pub(super) run: Option<(u64, CancellationToken)>,
    /// The model is called once more, and then the run ends.
    pub(super) winding_up: bool,
    pub(super) waiting: Vec<oneshot::Sender<RunEnd>>,
}

/// What a new session is given.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewSession {
    /// Its identifier, if it is given from outside.
    pub(crate) id: Option<String>,
    pub(crate) directory: String,
    pub(crate) title: Option<String>,
    pub(crate) parent: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) model: Option<Model>,
    pub(crate) metadata: Option<Value>,
}

impl World {
    pub(super) fn thread(&self, id: &str) -> Option<&Thread> {
        self.threads.iter().find(|thread| thread.session.id == id)
    }

    pub(super) fn thread_mut(&mut self, id: &str) -> Option<&mut Thread> {
        self.threads.iter_mut().find(|thread| thread.session.id == id)
    }

    /// A session that is not deleted.
    #[must_use]
    pub fn session(&self, id: &str) -> Option<&Session> {
        self.thread(id).filter(|thread| !thread.deleted).map(|thread| &thread.session)
    }

    /// All sessions that are not deleted, in the order they were made.
    pub fn sessions(&self) -> impl DoubleEndedIterator<Item = &Session> {
        self.threads.iter().filter(|thread| !thread.deleted).map(|thread| &thread.session)
    }

    /// What a session is doing. A deleted one may still be at work.
    #[must_use]
    pub fn status(&self, id: &str) -> Status {
        self.thread(id).map_or(Status::Idle, |thread| thread.status.clone())
    }

    /// The sessions of a directory that are not idle, deleted ones too.
    pub(crate) fn at_work(&self, directory: &str) -> Vec<(String, Status)> {
        let here = self.threads.iter().filter(|thread| thread.session.directory == directory);
        let busy = here.filter(|thread| thread.status != Status::Idle);
        busy.map(|thread| (thread.session.id.clone(), thread.status.clone())).collect()
    }

    pub(crate) fn is_deleted(&self, id: &str) -> bool {
        self.thread(id).is_none_or(|thread| thread.deleted)
    }

    pub(crate) fn messages(&self, id: &str) -> &[Message] {
        self.thread(id).map_or(&[], |thread| &thread.messages)
    }

    pub(crate) fn create_session(&mut self, new: NewSession) -> Session {
        let created = ids::now();
        let session = Session {
            id: new.id.unwrap_or_else(|| self.mint.descending("ses")),
            slug: ids::slug(),
            directory: new.directory,
            titled: new.title.is_some(),
            title: new.title.unwrap_or_else(|| {
                let kind = if new.parent.is_some() { "Child" } else { "New" };
                format!("{kind} session - {}", ids::iso(created))
            }),
            parent: new.parent,
            rules: new.rules,
            agent: new.agent,
            model: new.model,
            metadata: new.metadata,
            outcome: None,
            archived: None,
            fork: None,
            has_model: false,
            has_summary: false,
            changes: (0, 0, 0),
            tokens: (0, 0),
            created,
            updated: created,
        };
        self.threads.push(Thread {
            session: session.clone(),
            deleted: false,
            status: Status::Idle,
            messages: Vec::new(),
            seq: 0,
            untold: Vec::new(),
            told: Vec::new(),
            queue: VecDeque::new(),
            inbox: Vec::new(),
            failure: None,
            run: None,
            winding_up: false,
            waiting: Vec::new(),
        });
        self.emit(&session.directory, Happening::SessionCreated(session.clone()));
        session
    }

    pub(crate) fn children(&self, id: &str) -> Vec<Session> {
        self.sessions().filter(|session| session.parent.as_deref() == Some(id)).cloned().collect()
    }

    /// Sets the status and tells it.
    pub(crate) fn set_status(&mut self, id: &str, status: Status) {
        let repeats = self.customs.repeats_status;
        let Some(thread) = self.thread_mut(id) else { return };
        if thread.status == status && !repeats {
            return;
        }
        thread.status = status.clone();
        let (session, directory) = (thread.session.id.clone(), thread.session.directory.clone());
        if status == Status::Idle {
            return self.say_idle(&session, &directory);
        }
        self.emit(&directory, Happening::Status { session, status });
    }

    /// Says that a session is idle, whatever it is.
    pub(crate) fn say_idle(&mut self, session: &str, directory: &str) {
        let session = session.to_owned();
        self.emit(directory, Happening::Status { session: session.clone(), status: Status::Idle });
        self.emit(directory, Happening::Idle { session });
    }

    pub(crate) fn fail_session(&mut self, id: &str, failure: Failure) {
        let Some(thread) = self.thread_mut(id) else { return };
        thread.failure = Some(failure.clone());
        let directory = thread.session.directory.clone();
        self.emit(&directory, Happening::Failed { session: id.to_owned(), failure });
    }

    /// The user says something. `None` if there is no such session, else whether its agent has to be started.
    pub(crate) fn hear(&mut self, id: &str, prompt: Prompt) -> Option<bool> {
        if self.customs.prompts == Prompts::Inbox {
            let message = self.mint.ascending("msg");
            return self.admit(Item::user(id, message, prompt));
        }
        let agent = self.session(id)?.agent.clone().unwrap_or_else(|| "build".to_owned());
        self.update_session(id, |session| {
            session.agent.get_or_insert_with(|| agent.clone());
            session.has_model = true;
        });
        let (message, part) = (self.mint.ascending("msg"), self.mint.ascending("prt"));
        let body = PartBody::Prompt(prompt.words);
        let spoken = Part { id: part, message: message.clone(), session: id.to_owned(), body };
        self.put_message(Message {
            id: message.clone(),
            session: id.to_owned(),
            directory: self.session(id)?.directory.clone(),
            created: ids::now(),
            completed: None,
            agent,
            role: Role::User { summarised: false, diffs: Vec::new(), metadata: None },
            parts: Vec::new(),
        });
        self.put_part(spoken);
        self.update_session(id, |_| ());
        let thread = self.thread_mut(id)?;
        thread.queue.push_back((message, prompt.script));
        Some(thread.run.is_none())
    }
}
