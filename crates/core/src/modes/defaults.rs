//! Which stance a session begins with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Stance;
use crate::{ServerId, Session, SessionId};

/// What was chosen for servers, projects and sessions. The narrowest counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Defaults {
    /// By server.
    pub servers: BTreeMap<ServerId, Stance>,
    /// By absolute project directory, whichever server it is open on.
    pub projects: BTreeMap<String, Stance>,
    /// By session.
    pub sessions: BTreeMap<ServerId, BTreeMap<SessionId, Stance>>,
}

impl Defaults {
    /// What counts for the last session of `chain`, which leads down from its root: its own stance, else that of the
    /// nearest session above it, else its project's, else its server's. `None`: Gavel sets no rules.
    #[must_use]
    pub fn narrowest(&self, server: &ServerId, chain: &[&Session]) -> Option<Stance> {
        let chosen = |session: &&Session| self.sessions.get(server)?.get(&session.id).copied();
        let project = || self.projects.get(chain.last()?.directory.as_str()).copied();
        chain.iter().rev().find_map(chosen).or_else(project).or_else(|| self.servers.get(server).copied())
    }

    /// Forgets what was chosen for a session that no longer exists.
    pub fn forget_session(&mut self, server: &ServerId, session: &SessionId) {
        if let Some(sessions) = self.sessions.get_mut(server) {
            sessions.remove(session);
            if sessions.is_empty() {
                self.sessions.remove(server);
            }
        }
    }
}
