//! A request comes to its end.

use std::collections::HashSet;

use super::effect::{Effect, Happened};
use super::entry::{Entry, Phase};
use super::event::{Scope, Timer};
use super::machine::Step;
use super::server::Server;
use crate::{Ask, Decision, Reply, RequestId, RequestKey, Route, SessionId, Settled};

/// How many ended requests are remembered for listings that are under way.
pub(super) const ENDED: usize = 1024;

/// How long after a listing an older event may arrive, in milliseconds.
pub(super) const HEARSAY: u64 = 500;

impl Step {
    pub(super) fn answered(&mut self, server: &mut Server, id: &RequestId, reply: Option<Reply>) {
        let Some(entry) = server.entries.get_mut(id) else {
            server.settled.insert(id.clone());
            return self.ended_since(&server.info.id, id, &Settled::AnotherClient { reply });
        };
        let settled = match &entry.phase {
            Phase::Replying { .. } => {
                // It may be our own answer: what became of that is about to arrive.
                entry.observed = Some(reply);
                return;
            }
            Phase::Undelivered { decision, .. } if reply == Some(decision.reply()) => {
                Settled::You { decision: decision.clone() }
            }
            _ if entry.swept_by.is_some() && reply == Some(Reply::Reject) => Settled::Swept,
            _ => Settled::AnotherClient { reply },
        };
        self.settle(server, id, &settled);
    }

    pub(super) fn ended(&mut self, server: &mut Server, test: impl Fn(&Entry) -> bool) {
        for id in server.ids(test) {
            match server.entries.get_mut(&id) {
                Some(entry) if !entry.is_open() => entry.run_ended = true,
                _ => self.settle(server, &id, &Settled::RunEnded),
            }
        }
    }

    pub(super) fn session_deleted(&mut self, server: &mut Server, session: &SessionId) {
        for id in server.ids(|entry| entry.ask.session == *session) {
            let Some(entry) = server.entries.get_mut(&id) else { continue };
            if entry.is_open() {
                let ask = entry.ask.clone();
                self.settle(server, &id, &Settled::RunEnded);
                self.release(ask);
            } else {
                entry.run_ended = true;
            }
        }
        self.questions_of_deleted(server, session);
        server.sessions.remove(session);
        server.stopping.remove(session);
        self.session_gone(server, session);
    }

    /// The run of a deleted session hangs on its request for ever, and would run the tool if it were approved.
    /// A refusal is the only answer that is safe, and it frees the run.
    pub(super) fn release(&mut self, ask: Ask) {
        self.effects.push(Effect::Reply { ask: Box::new(ask), decision: Decision::Stop });
    }

    pub(super) fn listed(
        &mut self,
        server: &mut Server,
        number: u64,
        scope: &Scope,
        asks: Vec<Ask>,
        orphans: Vec<Ask>,
    ) {
        let Some(began) = server.listings.remove(&number) else { return };
        let pending: HashSet<&RequestKey> = asks.iter().chain(&orphans).map(|ask| &ask.key).collect();
        let gone = server.ids(|entry| {
            scope.covers(entry.ask.route, &entry.ask.directory)
                && !pending.contains(&entry.ask.key)
                && entry.arrived < began
                && entry.is_open()
        });
        for id in gone {
            self.gone(server, &id);
        }
        self.listed_since(&server.info.id, false, scope, &pending);
        for ask in asks {
            // A listing that was begun before the end was heard says nothing about what is pending now.
            if server.ended.get(&ask.key.request).is_none_or(|ended| *ended < began) {
                self.asked(server, ask, false);
            }
        }
        for ask in orphans {
            let id = ask.key.request.clone();
            self.ended_since(&server.info.id, &id, &Settled::RunEnded);
            let open = server.entries.get(&id).map(Entry::is_open);
            if open == Some(false) || server.settled.contains(&id) {
                continue;
            }
            if open == Some(true) {
                self.settle(server, &id, &Settled::RunEnded);
            }
            server.settled.insert(id);
            self.release(ask);
        }
        self.publish();
    }

    /// A request is no longer listed. A listing may be quicker than the event that says what became of it, so that is
    /// waited for a moment.
    fn gone(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.entries.get_mut(id).filter(|entry| !entry.gone) else { return };
        entry.gone = true;
        self.effects.push(Effect::Timer { at: self.now.plus(HEARSAY), timer: Timer::Gone(entry.ask.key.clone()) });
    }

    /// Nothing was heard of what is no longer listed.
    pub(super) fn unheard(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        if std::mem::take(&mut entry.gone) && entry.is_open() {
            self.settle(server, id, &Settled::Unseen);
        }
    }

    pub(super) fn settle_all(&mut self, server: &mut Server, settled: &Settled) {
        for id in server.ids(|_| true) {
            self.settle(server, &id, settled);
        }
        for id in server.question_ids(|_| true) {
            self.settle_question(server, &id, settled);
        }
    }

    pub(super) fn settle(&mut self, server: &mut Server, id: &RequestId, settled: &Settled) {
        self.record(server, id, Happened::Settled { settled: settled.clone() });
        self.learn(server, id, settled);
        let Some(mut entry) = server.entries.remove(id) else { return };
        self.close_notification(&mut entry);
        // What merely went out of sight may come back; what was seen to end may not. When a listing overtakes the
        // stream, the end that is seen may be that of an earlier run: the stream has yet to bring the request.
        let for_good = match settled {
            Settled::Unseen | Settled::ServerGone => false,
            // A 2.x server forgets what ends with a run: what it lists afterwards is pending, whatever was heard.
            Settled::RunEnded => entry.by_stream && entry.ask.route == Route::V1,
            Settled::You { .. }
            | Settled::YouStopped { .. }
            | Settled::Grant { .. }
            | Settled::Rule { .. }
            | Settled::Judge { .. }
            | Settled::Swept
            | Settled::AnotherClient { .. } => true,
            // These are the ends of questions.
            Settled::YouAnswered { .. }
            | Settled::YouCancelled { .. }
            | Settled::AnsweredElsewhere { .. }
            | Settled::CancelledElsewhere
            // And this one that of requests which never came back.
            | Settled::WhileAway => true,
        };
        if !for_good {
            server.past = server.past.max(entry.edition);
        }
        if for_good {
            server.settled.insert(id.clone());
        } else if *settled == Settled::RunEnded {
            // Only listings that are under way can still name it; a server that never ends must not fill the memory.
            if server.ended.len() >= ENDED {
                server.ended.clear();
            }
            server.ended.insert(id.clone(), self.tick);
        }
        self.publish();
    }
}
