//! Messages and their parts.

use serde_json::Value;

use super::World;
use super::happening::{Failure, Happening};
use crate::diff::FileDiff;
use crate::ids;

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
    User { summarised: bool, diffs: Vec<FileDiff> },
    Assistant { answers: String, finish: Option<&'static str>, failure: Option<Failure> },
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
            let PartBody::Tool { state, .. } = &mut part.body else { continue };
            let end = ids::now();
            let (input, start) = match &**state {
                ToolState::Pending => (Value::Object(serde_json::Map::new()), end),
                ToolState::Running { input, start, .. } => (input.clone(), *start),
                ToolState::Completed { .. } | ToolState::Error { .. } => continue,
            };
            let metadata = Some(serde_json::json!({ "interrupted": true }));
            **state = ToolState::Error { input, text: "Tool execution aborted".to_owned(), metadata, start, end };
            self.put_part(part);
        }
        self.update_message(session, &last.id, |message| {
            message.completed = Some(ids::now());
            if let Role::Assistant { failure, .. } = &mut message.role {
                *failure = Some(why.clone());
            }
        });
    }
}
