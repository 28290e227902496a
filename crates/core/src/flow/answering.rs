//! The user answers, and what becomes of the answer.

use super::deputy::Deputy;
use super::effect::{Effect, Happened};
use super::entry::{Entry, Phase};
use super::event::{Outcome, Timer};
use super::fate::{Fate, Heard, fate};
use super::machine::Step;
use super::server::Server;
use crate::text::Message;
use crate::{Decision, Reply, RequestId, RequestKey, SessionId, Settled, say};

/// How long after a failed delivery the second attempt is made, in milliseconds.
pub(super) const RESEND: u64 = 1_000;

impl Step {
    /// The user decides about what was displayed: an approval of an older edition is none.
    pub(super) fn decide_as_displayed(
        &mut self,
        server: &mut Server,
        id: &RequestId,
        decision: Decision,
        edition: Option<u32>,
    ) {
        let stale = |entry: &Entry| edition.is_some_and(|displayed| displayed != entry.edition);
        match server.entries.get(id) {
            Some(entry) if !decision.refuses() && entry.is_open() && stale(entry) => {
                self.effects.push(Effect::Show(entry.ask.key.clone()));
            }
            _ => self.decide(server, id, decision),
        }
    }

    pub(super) fn decide(&mut self, server: &mut Server, id: &RequestId, decision: Decision) {
        let Some(entry) = server.entries.get_mut(id).filter(|entry| entry.is_open()) else {
            return;
        };
        if !decision.refuses() && entry.is_unread(self.now) {
            self.effects.push(Effect::Show(entry.ask.key.clone()));
            return;
        }
        // A decline without words would end the run: it gets some.
        let decision = match decision {
            Decision::Decline { reason } => Decision::decline(&reason),
            other => other,
        };
        self.answer(server, id, decision, None);
    }

    /// Answers in the user's name, or in their stead.
    pub(super) fn answer(&mut self, server: &mut Server, id: &RequestId, decision: Decision, deputy: Option<Deputy>) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        entry.phase = Phase::Replying { decision: decision.clone(), attempt: 1 };
        entry.deputy = deputy;
        entry.grown = None;
        let ask = entry.ask.clone();
        self.close_notification(entry);
        self.record(server, id, Happened::Decided { decision: decision.clone() });
        if decision.refuses() {
            // OpenCode refuses every other request of the session along with this one.
            for other in server.entries.values_mut() {
                let same_session = other.ask.session == ask.session && other.ask.route == ask.route;
                if same_session && other.is_open() && other.ask.key != ask.key {
                    other.swept_by = Some(ask.key.clone());
                }
            }
        }
        if decision == Decision::Stop {
            server.stop(&ask.session, self.now);
        }
        self.effects.push(Effect::Reply { ask: Box::new(ask.clone()), decision: decision.clone() });
        if let Decision::AllowForSession { patterns, includes_children, lasts } = decision {
            self.give(server, &ask, &patterns, includes_children, lasts);
        }
        self.publish();
    }

    pub(super) fn retry(&mut self, server: &mut Server, id: &RequestId) {
        if let Some(Entry { phase: Phase::Undelivered { decision, .. }, .. }) = server.entries.get(id) {
            let decision = decision.clone();
            self.decide(server, id, decision);
        }
    }

    pub(super) fn resend(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        if let Phase::Replying { decision, attempt: attempt @ 1 } = &mut entry.phase {
            *attempt = 2;
            let decision = decision.clone();
            if entry.grown.is_some() && !decision.refuses() {
                // The user has not seen all of it, and nothing was sent yet that took effect.
                return self.undelivered(server, id, decision, say!("there is more to it than you approved"));
            }
            self.effects.push(Effect::Reply { ask: Box::new(entry.ask.clone()), decision });
        }
    }

    pub(super) fn undelivered(&mut self, server: &mut Server, id: &RequestId, decision: Decision, why: Message) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        self.unspend(entry.deputy.take());
        entry.phase = Phase::Undelivered { decision, why: why.clone() };
        entry.announced = true;
        let (key, session) = (entry.ask.key.clone(), entry.ask.session.clone());
        self.record(server, id, Happened::Undelivered { why });
        self.effects.push(Effect::Notify(key.clone()));
        self.forgive(server, &key, &session);
        self.publish();
    }

    pub(super) fn outcome(&mut self, server: &mut Server, id: &RequestId, outcome: Outcome) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        let Phase::Replying { decision, attempt } = entry.phase.clone() else { return };
        let key = entry.ask.key.clone();
        let (observed, run_ended) = (entry.observed, entry.run_ended);
        // Our refusal of another request may have taken this one along before our own answer arrived.
        let swept = entry.swept_by.is_some() && observed == Some(Some(Reply::Reject));
        let other = if swept { Settled::Swept } else { Settled::AnotherClient { reply: observed.flatten() } };
        let heard = match observed {
            None => Heard::Nothing,
            Some(None) => Heard::Unclear,
            Some(Some(reply)) if reply == decision.reply() => Heard::Ours,
            Some(Some(_)) => Heard::Contrary,
        };
        let wordless = outcome == Outcome::Wordless;
        let settled = match fate(outcome, attempt, heard, run_ended) {
            Fate::Ours => Settled::You { decision },
            Fate::Other => other,
            Fate::RunEnded => Settled::RunEnded,
            Fate::Again => {
                self.effects.push(Effect::Timer { at: self.now.plus(RESEND), timer: Timer::Resend(key) });
                return;
            }
            Fate::Refused(problem) => return self.undelivered(server, id, decision, problem.said()),
            Fate::Undelivered(why) => return self.undelivered(server, id, decision, why),
        };
        let deputy = entry.deputy.take();
        let settled = match settled {
            Settled::You { decision } => {
                let by_user = |decision| match decision {
                    Decision::Decline { reason } if wordless => Settled::YouStopped { reason },
                    decision => Settled::You { decision },
                };
                match deputy {
                    Some(deputy) => deputy.settled(decision),
                    None => by_user(decision),
                }
            }
            lost => {
                let session = entry.ask.session.clone();
                self.unspend(deputy);
                self.forgive(server, &key, &session);
                lost
            }
        };
        self.settle(server, id, &settled);
    }

    /// Our refusal of `key` did not take effect: it sweeps nothing and stops nothing.
    pub(super) fn forgive(&self, server: &mut Server, key: &RequestKey, session: &SessionId) {
        for other in server.entries.values_mut() {
            if other.swept_by.as_ref() == Some(key) {
                other.swept_by = None;
            }
        }
        server.stopping.remove(session);
    }
}
