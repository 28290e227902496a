//! Grants: what the user allowed for a session is not asked again.

use std::collections::BTreeMap;

use super::deputy::Deputy;
use super::effect::Effect;
use super::entry::Phase;
use super::event::Timer;
use super::machine::Step;
use super::server::Server;
use crate::grants::{Grant, Lasts, is_offered};
use crate::rules::Saved;
use crate::{Ask, Decision, RequestId, ServerId, SessionId, display};

impl Step {
    /// Remembers what the user allows with this request. A pattern that is wider than all the server proposed allows
    /// nothing: what is displayed to the user is what it proposed.
    pub(super) fn give(&mut self, server: &mut Server, ask: &Ask, patterns: &[Saved], children: bool, lasts: Lasts) {
        let grant = Grant {
            server: ask.key.server.clone(),
            session: ask.session.clone(),
            includes_children: children,
            patterns: patterns.iter().filter(|pattern| is_offered(ask, pattern)).cloned().collect(),
            title: display::headline(ask),
            given: self.now,
            lasts,
            used: 0,
        };
        if self.grants.give(grant).is_some() {
            self.grants_changed(server);
        }
    }

    /// Takes a grant back, or gives it again.
    pub(super) fn change_grant(
        &mut self,
        servers: &mut BTreeMap<ServerId, Server>,
        change: impl FnOnce(&mut crate::grants::Grants) -> bool,
    ) {
        if change(&mut self.grants) {
            for server in servers.values_mut() {
                self.grants_changed(server);
            }
        }
    }

    /// Some grants may have run out.
    pub(super) fn sweep_grants(&mut self, servers: &mut BTreeMap<ServerId, Server>) {
        let now = self.now;
        self.change_grant(servers, |grants| {
            // What can no longer be had back is forgotten as well, which shows.
            grants.sweep(now);
            true
        });
    }

    pub(super) fn grants_changed(&mut self, server: &mut Server) {
        self.keep_grants();
        if let Some(at) = self.grants.next_sweep() {
            self.effects.push(Effect::Timer { at, timer: Timer::Grants });
        }
        self.rule_all(server);
        self.pass_all(server);
        self.publish();
    }

    fn keep_grants(&mut self) {
        if !self.effects.contains(&Effect::KeepGrants) {
            self.effects.push(Effect::KeepGrants);
        }
    }

    /// Lets pass what waits and is covered by a grant.
    pub(super) fn pass_all(&mut self, server: &mut Server) {
        for id in server.ids(|entry| entry.phase == Phase::Waiting) {
            self.pass(server, &id);
        }
    }

    /// Lets a request pass if a grant covers the whole of it. Whether one does.
    pub(super) fn pass(&mut self, server: &mut Server, id: &RequestId) -> bool {
        let Some(entry) = server.entries.get(id).filter(|entry| entry.phase == Phase::Waiting) else { return false };
        let chain = server.sessions.chain(&entry.ask.session);
        let Some(grant) = self.grants.spend(&entry.ask, &chain, self.now) else { return false };
        let title = self.grants.find(grant).map(|grant| grant.title.clone()).unwrap_or_default();
        self.let_pass(server, id, Deputy::Grant(grant, title));
        self.keep_grants();
        true
    }

    /// Allows a request once, in the user's stead.
    pub(super) fn let_pass(&mut self, server: &mut Server, id: &RequestId, deputy: Deputy) {
        if server.entries.get(id).is_some_and(|entry| entry.phase == Phase::Waiting) {
            self.answer(server, id, Decision::AllowOnce, Some(deputy));
        }
    }

    /// The answer that a grant gave came to nothing.
    pub(super) fn unspend(&mut self, deputy: Option<Deputy>) {
        if let Some(Deputy::Grant(grant, _)) = deputy {
            self.grants.unspend(grant);
        }
    }

    /// Sessions with grants that were kept from an earlier run may have ended since.
    pub(super) fn look_up_granted(&mut self, server: &mut Server) {
        let here = self.grants.live(self.now).filter(|(_, grant)| grant.server == server.info.id);
        let sessions: Vec<(SessionId, bool)> =
            here.map(|(_, grant)| (grant.session.clone(), grant.lasts_as_session())).collect();
        for (session, has_rules) in sessions {
            if has_rules {
                // The server knows of them: what it was told must be known here, or it could not be taken back.
                server.works(&session);
                self.rule(server, &session);
            }
            self.look_up(server, &session);
        }
    }

    /// Nobody will hear any more whether the sessions of this server end.
    pub(super) fn server_removed(&mut self, id: &ServerId) {
        let before = self.grants.clone();
        self.grants.server_gone(id);
        if self.grants != before {
            self.keep_grants();
        }
    }

    pub(super) fn run_ended(&mut self, server: &mut Server, session: &SessionId) {
        server.running.remove(session);
        let before = self.grants.clone();
        self.grants.run_ended(&server.info.id, session);
        if self.grants != before {
            self.grants_changed(server);
        }
    }

    pub(super) fn session_gone(&mut self, server: &mut Server, session: &SessionId) {
        server.running.remove(session);
        server.at_work.remove(session);
        server.ruled.remove(session);
        server.breakers.remove(session);
        server.unruly.remove(session);
        self.forget_told(session);
        let before = self.grants.clone();
        self.grants.session_ended(&server.info.id, session);
        if self.grants != before {
            self.grants_changed(server);
        }
    }
}
