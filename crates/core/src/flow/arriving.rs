//! A request arrives, and what becomes known about it.

use std::collections::BTreeMap;

use super::effect::Effect;
use super::entry::{Call, Entry, Phase};
use super::event::Timer;
use super::machine::Step;
use super::server::Server;
use crate::{Ask, CallRef, Decision, RequestId, Route, ServerId, Session, SessionId, Settled};

impl Step {
    pub(super) fn asked(&mut self, server: &mut Server, mut ask: Ask, by_stream: bool) {
        let id = ask.key.request.clone();
        self.met_again(&ask.key);
        if server.settled.contains(&id) {
            return;
        }
        if ask.directory.is_empty() {
            // Without one, no listing would ever speak about it.
            ask.directory = server.sessions.get(&ask.session).map(|known| known.directory.clone()).unwrap_or_default();
        }
        server.learn_lines(&ask);
        if ask.route == Route::Preview {
            self.rules_ignored(server, &ask.session);
        }
        let call = server.call_of(&ask);
        // What was displayed under this id must not stand for something else under it.
        let replaced = server.entries.get(&id).is_some_and(|known| known.is_another(&ask));
        if replaced {
            self.settle(server, &id, &Settled::Unseen);
        }
        if let Some(known) = server.entries.get_mut(&id) {
            known.by_stream |= by_stream;
            known.gone = false;
            // Its session may have moved, or the place is spelled otherwise: later listings speak of it so.
            let elsewhere = known.belongs_to(&ask.directory);
            // The event and the listing may both bring it; each may know something that the other didn't.
            let detail = &mut ask.detail;
            let call = Call {
                command: call.command.or_else(|| detail.command.take()),
                purpose: call.purpose.or_else(|| detail.purpose.take()),
                workdir: call.workdir.or_else(|| detail.workdir.take()),
                placed: call.placed || detail.placed,
            };
            if elsewhere {
                self.judge(server, &id);
            }
            self.complete(server, &id, &call);
            return;
        }
        let key = ask.key.clone();
        let session = ask.session.clone();
        let mut entry = Entry::new(ask, self.now, self.tick);
        entry.by_stream = by_stream;
        entry.edition += server.past;
        if replaced {
            entry.grown = Some(self.now);
        }
        entry.complete(&call, self.now);
        server.entries.insert(id.clone(), entry);
        self.look_up(server, &session);
        self.judge(server, &id);
        if server.is_stopped(&session, self.now) {
            // The user stopped this run: what it asked before it heard of that is refused as well.
            self.decide(server, &id, Decision::Stop);
        } else if !self.pass(server, &id) {
            self.effects.push(Effect::Timer { at: self.now.plus(self.grace), timer: Timer::Grace(key) });
        }
        self.publish();
    }

    pub(super) fn grace_over(&mut self, server: &mut Server, id: &RequestId) {
        let paused = self.paused;
        let silent = |entry: &&mut Entry| !paused && entry.phase == Phase::Waiting && !entry.announced;
        if let Some(entry) = server.entries.get_mut(id).filter(silent) {
            entry.announced = true;
            self.effects.push(Effect::Notify(entry.ask.key.clone()));
        }
        self.outlasts_grace(server, id);
    }

    pub(super) fn pause(&mut self, paused: bool, servers: &mut BTreeMap<ServerId, Server>) {
        self.paused = paused;
        if !paused {
            let silent = servers.values_mut().flat_map(|server| server.entries.values_mut());
            for entry in silent.filter(|entry| entry.phase == Phase::Waiting && !entry.announced) {
                entry.announced = true;
                self.effects.push(Effect::Notify(entry.ask.key.clone()));
            }
            let silent = servers.values_mut().flat_map(|server| server.questions.values_mut());
            for entry in silent.filter(|entry| entry.is_silent()) {
                entry.announced = true;
                self.effects.push(Effect::Notify(entry.question.key.clone()));
            }
        }
        self.publish();
    }

    pub(super) fn session_seen(&mut self, server: &mut Server, session: Session) {
        let id = session.id.clone();
        let known = server.sessions.get(&id).cloned();
        let changed = server.sessions.get(&id) != Some(&session);
        let before = server.sessions.get(&id).map(|known| known.directory.clone());
        let moved = before.is_some_and(|before| before != session.directory);
        // A 2.x server lists a request where its session is.
        let follows = |ask: &Ask| ask.directory.is_empty() || (moved && ask.route == Route::V2);
        for asking in server.ids(|entry| entry.ask.session == id && follows(&entry.ask)) {
            if server.entries.get_mut(&asking).is_some_and(|entry| entry.belongs_to(&session.directory)) {
                self.judge(server, &asking);
            }
        }
        self.questions_follow(server, &session, moved);
        server.sessions.insert(session);
        let asking = server.entries.values().map(|entry| entry.ask.session.clone());
        let questions = server.questions.values().filter_map(|entry| entry.question.session.clone());
        let concerned: Vec<SessionId> = asking.chain(questions).collect();
        for asking in &concerned {
            self.look_up(server, asking);
        }
        if changed {
            // It may be the missing link of a chain: what counts for those below it may be known only now.
            self.pass_all(server);
            self.seek_advice_all(server);
            self.take_advice_all(server);
            let moved = known.is_some_and(|known| Some(&known) != server.sessions.get(&id));
            let mut waiting: Vec<SessionId> = server.running.iter().cloned().collect();
            waiting.extend(server.at_work.contains(&id).then(|| id.clone()));
            for session in waiting {
                self.rule(server, &session);
            }
            if moved {
                self.rule_anew(server, &id);
            }
        }
        if changed && !concerned.is_empty() {
            self.publish();
        }
    }

    /// Asks for the next unknown session of the chain from `session` up to its root.
    pub(super) fn look_up(&mut self, server: &mut Server, session: &SessionId) {
        let Some(missing) = server.sessions.missing(session).cloned() else { return };
        if server.looked_up.insert(missing.clone()) {
            self.effects.push(Effect::LookUp { server: server.info.id.clone(), session: missing });
        }
    }

    pub(super) fn call_started(&mut self, server: &mut Server, at: (SessionId, CallRef), call: Call) {
        for id in server.ids(|entry| entry.ask.session == at.0 && entry.ask.call.as_ref() == Some(&at.1)) {
            self.complete(server, &id, &call);
        }
        server.begin_call(at, call);
    }

    /// What is shown must be what will run.
    pub(super) fn complete(&mut self, server: &mut Server, id: &RequestId, call: &Call) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        let before = (entry.edition, entry.ask.detail.placed);
        let changed = entry.complete(call, self.now);
        let announced = entry.announced.then(|| entry.ask.key.clone());
        if before != (entry.edition, entry.ask.detail.placed) {
            self.judge(server, id);
        }
        if changed {
            self.effects.extend(announced.map(Effect::Notify));
            self.publish();
        }
    }
}
