//! Messages and their parts.

use serde_json::Value;

use super::World;
use super::customs::Kit;
use super::happening::{CallName, CallResult, Failure, Happening};
use super::inbox::Note;
use super::session::{Model, Outcome};
use crate::diff::FileDiff;
use crate::ids;

/// What 2.x says of a call that came to no end, or was declined without a reason.
pub(crate) const INTERRUPTED: &str = "Tool execution interrupted";

/// One message of a session.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) directory: String,
    pub(crate) created: u64,
    pub(crate) completed: Option<u64>,
    pub(crate) agent: String,
    pub(crate) role: Role,
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, Clone)]
pub(crate) enum Role {
    User {
        summarised: bool,
        diffs: Vec<FileDiff>,
        metadata: Option<Value>,
    },
    Assistant {
        answers: String,
        finish: Option<&'static str>,
        failure: Option<Failure>,
    },
    /// Nobody said it; it stands among the messages of 2.x.
    Mark(Mark),
}

/// What is neither the user's nor the agent's.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    /// Told to the agent by a client.
    Note(Note),
    /// A run ended here.
    Idle(Outcome),
    AgentSelected {
        agent: String,
        previous: Option<String>,
    },
    ModelSelected {
        model: Model,
        previous: Option<Model>,
    },
}

/// One part of a message.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) message: String,
    pub(crate) session: String,
    pub(crate) body: PartBody,
}

#[derive(Debug, Clone)]
pub(crate) enum PartBody {
    /// What the user said.
    Prompt(String),
    /// What the agent says; `end` is not set while it still speaks.
    Text {
        text: String,
        start: u64,
        end: Option<u64>,
    },
    StepStart {
        snapshot: String,
    },
    StepFinish {
        reason: &'static str,
        snapshot: String,
    },
    Patch {
        hash: String,
        files: Vec<String>,
    },
    Tool {
        tool: String,
        call: String,
        state: Box<ToolState>,
    },
}

#[derive(Debug, Clone)]
pub(crate) enum ToolState {
    Pending,
    Running { input: Value, title: Option<String>, metadata: Option<Value>, start: u64 },
    Completed { input: Value, output: String, title: String, metadata: Value, start: u64, end: u64 },
    Error { input: Value, text: String, metadata: Option<Value>, start: u64, end: u64 },
}

impl World {
    /// Adds a message, or puts it in the place of its former self. The parts stay.
    pub(crate) fn put_message(&mut self, mut message: Message) {
        let Some(thread) = self.thread_mut(&message.session) else { return };
        let told = message.clone();
        match thread.messages.iter_mut().find(|known| known.id == message.id) {
            Some(known) => {
                message.parts = std::mem::take(&mut known.parts);
                *known = message;
            }
            None => thread.messages.push(message),
        }
        self.emit(&told.directory.clone(), Happening::MessageUpdated(told));
    }

    /// Puts a mark behind the messages of a session.
    pub(crate) fn put_mark(&mut self, session: &str, mark: Mark) {
        let id = self.mint.ascending("msg");
        self.put_mark_as(session, id, mark);
    }

    pub(crate) fn put_mark_as(&mut self, session: &str, id: String, mark: Mark) {
        let created = ids::now();
        self.put_message(Message {
            id,
            session: session.to_owned(),
            directory: self.directory_of(session),
            created,
            completed: Some(created),
            agent: String::new(),
            role: Role::Mark(mark),
            parts: Vec::new(),
        });
    }

    /// Changes a message and tells it.
    pub(crate) fn update_message(&mut self, session: &str, message: &str, change: impl FnOnce(&mut Message)) {
        let Some(mut found) = self.messages(session).iter().find(|known| known.id == message).cloned() else { return };
        change(&mut found);
        self.put_message(found);
    }

    /// Adds a part to its message, or puts it in the place of its former self.
    pub(crate) fn put_part(&mut self, part: Part) {
        let Some(thread) = self.thread_mut(&part.session) else { return };
        let directory = thread.session.directory.clone();
        if let Some(message) = thread.messages.iter_mut().find(|message| message.id == part.message) {
            match message.parts.iter_mut().find(|known| known.id == part.id) {
                Some(known) => *known = part.clone(),
                None => message.parts.push(part.clone()),
            }
        }
        self.emit(&directory, Happening::PartUpdated { part, at: ids::now() });
    }

    /// Whether a part was ever shown.
    pub(crate) fn has_part(&self, session: &str, message: &str, part: &str) -> bool {
        let message = self.messages(session).iter().find(|known| known.id == message);
        message.is_some_and(|message| message.parts.iter().any(|known| known.id == part))
    }

    /// Which text of its message a part is, counted from zero.
    pub(crate) fn ordinal(&self, session: &str, message: &str, part: &str) -> usize {
        let message = self.messages(session).iter().find(|known| known.id == message);
        let texts = message.map_or(&[][..], |message| &message.parts);
        texts.iter().filter(|one| matches!(one.body, PartBody::Text { .. })).take_while(|one| one.id != part).count()
    }

    /// A piece of text that is being spoken; not kept, and not durable.
    pub(crate) fn speak(&mut self, part: &Part, piece: &str) {
        let Some(directory) = self.thread(&part.session).map(|thread| thread.session.directory.clone()) else { return };
        let (session, message, part) = (part.session.clone(), part.message.clone(), part.id.clone());
        self.emit(&directory, Happening::PartDelta { session, message, part, text: piece.to_owned() });
    }

    /// Ends what a halted run left open: tool calls that never came to an end, and the message they are in.
    pub(crate) fn close_interrupted(&mut self, session: &str, why: &Failure) {
        let Some(last) = self.messages(session).iter().rev().find(|message| message.completed.is_none()).cloned()
        else {
            return;
        };
        if !matches!(last.role, Role::Assistant { .. }) {
            return;
        }
        for mut part in last.parts.clone() {
            let PartBody::Tool { state, call, .. } = &mut part.body else { continue };
            let call = CallName { session: session.to_owned(), message: last.id.clone(), id: call.clone() };
            let end = ids::now();
            let (input, start) = match &**state {
                ToolState::Pending => (Value::Object(serde_json::Map::new()), end),
                ToolState::Running { input, start, .. } => (input.clone(), *start),
                ToolState::Completed { .. } | ToolState::Error { .. } => continue,
            };
            let metadata = Some(serde_json::json!({ "interrupted": true }));
            let text = match self.customs.kit {
                Kit::First => "Tool execution aborted".to_owned(),
                Kit::Second { .. } => INTERRUPTED.to_owned(),
            };
            **state = ToolState::Error { input, text: text.clone(), metadata: metadata.clone(), start, end };
            self.put_part(part);
            self.emit(&last.directory, Happening::CallEnded { call, result: CallResult::Failed { text, metadata } });
        }
        self.update_message(session, &last.id, |message| {
            message.completed = Some(ids::now());
            if let Role::Assistant { failure, .. } = &mut message.role {
                *failure = Some(why.clone());
            }
        });
    }
}
