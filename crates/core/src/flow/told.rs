//! What servers were told of the rules of sessions, known from one run of Gavel to the next.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::machine::Step;
use super::ruling::{RuleState, Wanted};
use super::server::Server;
use crate::rules::Rule;
use crate::{ServerId, Session, SessionId};

/// How many sessions are remembered. What was told to others before them is left to them.
const SESSIONS: usize = 512;

/// How many rules are remembered in all: agents of a server may have very many.
const RULES: usize = 32_768;

/// What servers were told of the rules of sessions that are not known to be deleted.
///
/// Sessions outlive the servers that serve them, and come back under other addresses: what was told to one counts
/// wherever it is met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Told(Vec<Saying>);

/// What was told to one session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Saying {
    /// The session.
    session: SessionId,
    /// The server that was told of it.
    server: ServerId,
    /// The sessions above it, from its root down.
    above: Vec<SessionId>,
    /// Where it works.
    directory: String,
    /// What its rules say. `None` where something else was sent since, and it is not known what came of it.
    pub(super) wanted: Option<Wanted>,
    /// The rules in its list that are Gavel's.
    pub(super) block: Vec<Rule>,
    /// Whether another client insists on others.
    #[serde(default)]
    pub(super) overruled: bool,
}

impl Told {
    /// What was told to `session`.
    pub(super) fn get(&self, session: &SessionId) -> Option<&Saying> {
        self.0.iter().find(|saying| saying.session == *session)
    }

    /// Remembers what was told, in the place of what was told before. Whether that is news.
    fn remember(&mut self, saying: Saying) -> bool {
        if self.get(&saying.session) == Some(&saying) {
            return false;
        }
        self.forget(&saying.session);
        self.0.push(saying);
        let mut rules: usize = self.0.iter().map(|saying| saying.block.len()).sum();
        while self.0.len() > SESSIONS || rules > RULES {
            rules -= self.0.remove(0).block.len();
        }
        true
    }

    /// Forgets a session. Whether it was known.
    fn forget(&mut self, session: &SessionId) -> bool {
        let before = self.0.len();
        self.0.retain(|saying| saying.session != *session);
        self.0.len() != before
    }
}

impl Saying {
    /// The session and those above it, as far as that decides what was chosen for them.
    fn chain(&self) -> Vec<Session> {
        let mut parent = None;
        let ids = self.above.iter().chain([&self.session]);
        let session = |id: &SessionId| Session {
            id: id.clone(),
            parent: parent.replace(id.clone()),
            title: String::new(),
            directory: self.directory.clone(),
            agent: None,
        };
        ids.map(session).collect()
    }
}

impl Step {
    /// Remembers what the server knows of a session's rules now, as far as that is certain.
    pub(super) fn remember_told(&mut self, server: &Server, id: &SessionId) {
        let (Some(ruled), Some(session)) = (server.ruled.get(id), server.sessions.get(id)) else { return };
        if ruled.is_nothing() {
            return self.forget_told(id);
        }
        let mut above: Vec<SessionId> =
            server.sessions.chain(id).into_iter().map(|session| session.id.clone()).collect();
        above.pop();
        let saying = Saying {
            session: id.clone(),
            server: server.info.id.clone(),
            above,
            directory: session.directory.clone(),
            wanted: ruled.told.clone(),
            block: ruled.block.clone(),
            overruled: ruled.state == RuleState::Overruled,
        };
        if self.told.remember(saying) {
            self.keep_told();
        }
    }

    /// A session is being told something else.
    pub(super) fn doubt_told(&mut self, id: &SessionId) {
        let known = self.told.0.iter_mut().find(|saying| saying.session == *id);
        if known.and_then(|saying| saying.wanted.take()).is_some() {
            self.keep_told();
        }
    }

    /// What was told to a session is of no account any more.
    pub(super) fn forget_told(&mut self, id: &SessionId) {
        if self.told.forget(id) {
            self.keep_told();
        }
    }

    fn keep_told(&mut self) {
        if !self.effects.contains(&Effect::KeepTold) {
            self.effects.push(Effect::KeepTold);
        }
    }

    /// Sees to the sessions that were told something else in an earlier run than what counts now, so that they know
    /// before they work again. All others are left alone until they do.
    pub(super) fn rule_told(&mut self, server: &mut Server) {
        let Some(dialect) = server.link.dialect() else { return };
        let unmet = self.told.0.iter().filter(|saying| !server.ruled.contains_key(&saying.session));
        let due = unmet.filter(|saying| {
            let is_known = server.sessions.get(&saying.session).is_some();
            if !is_known && saying.server != server.info.id {
                return false;
            }
            let wanted = if is_known && server.sessions.missing(&saying.session).is_none() {
                self.wanted(&server.info.id, dialect, &server.sessions.chain(&saying.session))
            } else {
                self.wanted(&server.info.id, dialect, &saying.chain().iter().collect::<Vec<_>>())
            };
            Some(wanted) != saying.wanted
        });
        for session in due.map(|saying| saying.session.clone()).collect::<Vec<_>>() {
            server.works(&session);
            self.rule(server, &session);
            self.look_up(server, &session);
        }
    }
}
