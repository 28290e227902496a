//! Sessions and how sub-agents hang together.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::SessionId;

/// What is known about a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The session that started it as a sub-agent.
    pub parent: Option<SessionId>,
    /// Its title, in the agent's words.
    pub title: String,
    /// Absolute path of its project directory.
    pub directory: String,
    /// The agent that runs in it (`build`, `general`, …), when known.
    pub agent: Option<String>,
}

/// The sessions of one server.
#[derive(Debug, Clone, Default)]
pub struct Sessions(HashMap<SessionId, Session>);

/// Chains longer than this are cut, and so is one that comes back to itself: no server must hang the program.
const DEEPEST: usize = 64;

impl Sessions {
    /// Remembers `session`, replacing what was known. An update without an agent keeps the agent known before.
    pub fn insert(&mut self, mut session: Session) {
        if let Some(known) = self.0.get(&session.id) {
            session.agent = session.agent.or_else(|| known.agent.clone());
            session.parent = session.parent.or_else(|| known.parent.clone());
        }
        self.0.insert(session.id.clone(), session);
    }

    /// Forgets a session.
    pub fn remove(&mut self, id: &SessionId) {
        self.0.remove(id);
    }

    /// What is known about `id`.
    #[must_use]
    pub fn get(&self, id: &SessionId) -> Option<&Session> {
        self.0.get(id)
    }

    /// All of them, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Session> {
        self.0.values()
    }

    /// The sessions from the root down to `id`, as far as they are known.
    #[must_use]
    pub fn chain(&self, id: &SessionId) -> Vec<&Session> {
        let mut chain = Vec::new();
        let mut next = Some(id);
        while let Some(session) = next.and_then(|id| self.0.get(id)) {
            if chain.len() == DEEPEST || chain.iter().any(|known: &&Session| known.id == session.id) {
                break;
            }
            chain.push(session);
            next = session.parent.as_ref();
        }
        chain.reverse();
        chain
    }

    /// The session at the top of `id`'s chain; `id` itself while nothing is known about it.
    #[must_use]
    pub fn root<'a>(&'a self, id: &'a SessionId) -> &'a SessionId {
        match self.chain(id).first() {
            Some(top) => top.parent.as_ref().unwrap_or(&top.id),
            None => id,
        }
    }

    /// The first session in `id`'s chain that is not known and must be looked up before the chain is complete.
    #[must_use]
    pub fn missing<'a>(&'a self, id: &'a SessionId) -> Option<&'a SessionId> {
        match self.chain(id).first() {
            // A chain that was cut knows its next session: nothing can complete it.
            Some(top) => top.parent.as_ref().filter(|parent| !self.0.contains_key(parent)),
            None => Some(id),
        }
    }
}
