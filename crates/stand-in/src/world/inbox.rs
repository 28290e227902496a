//! The inbox of a session: what waits for its delivery to the agent.

use serde_json::Value;

use super::World;
use super::happening::Happening;
use super::message::{Mark, Message, Part, PartBody, Role};
use crate::ids;
use crate::script::{Prompt, Script};

/// Something that is to be told to an agent.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// `msg_…`, the identifier of the message it will be.
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) created: u64,
    pub(crate) delivery: Delivery,
    /// An idle session is woken for it.
    pub(crate) wakes: bool,
    pub(crate) what: Content,
}

/// When an item is delivered to an agent at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// Before its next step.
    Steer,
    /// When it is done.
    Queue,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// What the user says, and the script that is played for it.
    Prompt {
        words: String,
        metadata: Option<Value>,
        script: Script,
    },
    Note(Note),
}

/// What a client tells an agent in nobody's name.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) description: Option<String>,
    pub(crate) metadata: Option<Value>,
}

impl Item {
    /// What the user says.
    pub(crate) fn user(session: &str, id: String, prompt: Prompt) -> Item {
        let what = Content::Prompt { words: prompt.words, metadata: None, script: prompt.script };
        let session = session.to_owned();
        Item { id, session, created: ids::now(), delivery: Delivery::Queue, wakes: true, what }
    }
}

impl World {
    /// What waits in the inbox of a session, oldest first.
    pub(crate) fn inbox(&self, session: &str) -> &[Item] {
        self.thread(session).map_or(&[], |thread| &thread.inbox)
    }

    /// Whether a message of that identifier was delivered to this session or waits for it.
    pub(crate) fn knows_message(&self, session: &str, id: &str) -> bool {
        self.inbox(session).iter().any(|item| item.id == id) || self.messages(session).iter().any(|one| one.id == id)
    }

    /// Takes something into the inbox. `None` if there is no such session, else whether its agent has to be started.
    pub(crate) fn admit(&mut self, item: Item) -> Option<bool> {
        let directory = self.session(&item.session)?.directory.clone();
        let session = item.session.clone();
        let wakes = item.wakes;
        self.thread_mut(&session)?.inbox.push(item.clone());
        self.emit(&directory, Happening::Enqueued { session: session.clone(), item });
        Some(wakes && self.thread(&session)?.run.is_none())
    }

    /// Delivers what a session's agent has to work on next, if there is anything that wakes it.
    pub(super) fn deliver_next(&mut self, session: &str) -> Option<(String, Script)> {
        let is_prompt = |item: &Item| matches!(item.what, Content::Prompt { .. });
        let inbox = self.inbox(session);
        let prompt = inbox.iter().position(is_prompt).or_else(|| inbox.iter().position(|item| item.wakes))?;
        let item = self.thread_mut(session)?.inbox.remove(prompt);
        Some(self.deliver(item))
    }

    /// Delivers the notes that steer.
    pub(super) fn deliver_notes(&mut self, session: &str) {
        let steers = |item: &Item| item.delivery == Delivery::Steer && matches!(item.what, Content::Note(_));
        while let Some(at) = self.inbox(session).iter().position(steers) {
            let Some(thread) = self.thread_mut(session) else { return };
            let item = thread.inbox.remove(at);
            self.deliver(item);
        }
    }

    fn deliver(&mut self, item: Item) -> (String, Script) {
        let Item { id, session, what, .. } = item;
        let directory = self.directory_of(&session);
        self.emit(&directory, Happening::Delivered { session: session.clone(), item: id.clone() });
        match what {
            Content::Prompt { words, metadata, script } => {
                self.put_prompt(&session, &id, &directory, words, metadata);
                (id, script)
            }
            Content::Note(note) => {
                self.put_mark_as(&session, id.clone(), Mark::Note(note.clone()));
                if let Some(thread) = self.thread_mut(&session) {
                    thread.untold.push(note.text.clone());
                }
                self.emit(&directory, Happening::Noted { session, note });
                (id, Script::default())
            }
        }
    }

    fn put_prompt(&mut self, session: &str, id: &str, directory: &str, words: String, metadata: Option<Value>) {
        let agent = self.thread(session).and_then(|thread| thread.session.agent.clone());
        self.put_message(Message {
            id: id.to_owned(),
            session: session.to_owned(),
            directory: directory.to_owned(),
            created: ids::now(),
            completed: None,
            agent: agent.unwrap_or_else(|| super::agents::DEFAULT.to_owned()),
            role: Role::User { summarised: false, diffs: Vec::new(), metadata },
            parts: Vec::new(),
        });
        let part = self.mint.ascending("prt");
        let body = PartBody::Prompt(words);
        self.put_part(Part { id: part, message: id.to_owned(), session: session.to_owned(), body });
    }
}
