//! A judge is asked for its opinion. In the mode Auto, a plain opinion is an answer; all else is for the user.

use super::deputy::Deputy;
use super::effect::Effect;
use super::entry::{Advice, Entry, Phase};
use super::machine::Step;
use super::server::Server;
use crate::modes::Mode;
use crate::{Ask, Decision, Opinion, Origin, Recommendation, RequestId, SessionId, Status, Verdict};

impl Step {
    /// No rule lets this edition of the request pass: a judge may be asked.
    pub(super) fn open_to_judges(&mut self, server: &mut Server, id: &RequestId) {
        if let Some(entry) = server.entries.get_mut(id) {
            entry.open_to_judges = true;
            self.seek_advice(server, id);
        }
    }

    /// Has a judge asked about the request, once for each edition, as soon as its opinion is of use: at once where it may
    /// be the answer, and elsewhere when the request would be notified. What is settled before that costs nothing.
    fn seek_advice(&mut self, server: &mut Server, id: &RequestId) {
        let may_answer = self.is_auto(server, id);
        // What is only played costs nothing.
        let Some(entry) = server.entries.get_mut(id).filter(|_| server.info.origin != Origin::Demo) else { return };
        let is_of_use = may_answer || (entry.lasts && !self.unattended);
        let is_due = is_of_use && entry.open_to_judges && !entry.sought && entry.phase == Phase::Waiting;
        let Some(finding) = entry.finding.clone().filter(|_| is_due) else { return };
        entry.sought = true;
        let (ask, edition) = (Box::new(entry.ask.clone()), entry.edition);
        self.effects.push(Effect::AskJudge { ask, edition, finding });
    }

    /// The grace delay of a request is over.
    pub(super) fn outlasts_grace(&mut self, server: &mut Server, id: &RequestId) {
        if let Some(entry) = server.entries.get_mut(id) {
            entry.lasts = true;
            self.seek_advice(server, id);
        }
    }

    /// Has a judge asked about whatever waits, if its opinion has become of use meanwhile.
    pub(super) fn seek_advice_all(&mut self, server: &mut Server) {
        for id in server.ids(|entry| entry.open_to_judges && !entry.sought) {
            self.seek_advice(server, &id);
        }
    }

    /// No rule lets the request pass.
    pub(super) fn no_rule(&mut self, server: &mut Server, id: &RequestId, edition: u32) {
        if server.entries.get(id).is_some_and(|entry| entry.edition == edition) {
            self.open_to_judges(server, id);
        }
    }

    /// A judge is being asked.
    pub(super) fn judge_asked(&mut self, server: &mut Server, id: &RequestId, edition: u32) {
        let waits = |entry: &&mut Entry| entry.edition == edition && entry.phase == Phase::Waiting;
        if let Some(entry) = server.entries.get_mut(id).filter(waits) {
            entry.advice = Advice::Awaited;
            self.publish();
        }
    }

    /// A judge has spoken.
    pub(super) fn advised(&mut self, server: &mut Server, id: &RequestId, edition: u32, opinion: Opinion) {
        let waits = |entry: &&mut Entry| entry.edition == edition && entry.phase == Phase::Waiting;
        let Some(entry) = server.entries.get_mut(id).filter(waits) else { return };
        entry.advice = Advice::Given(opinion);
        let announced = entry.announced.then(|| entry.ask.key.clone());
        self.take_advice(server, id);
        if server.entries.get(id).is_some_and(|entry| entry.phase == Phase::Waiting) {
            self.effects.extend(announced.map(Effect::Notify));
        }
        self.publish();
    }

    /// Another judge is asked from now on, also about what waits already.
    pub(super) fn judge_changed(&mut self, server: &mut Server) {
        // It has refused nothing yet.
        server.breakers.clear();
        for id in server.ids(|entry| entry.sought) {
            if let Some(entry) = server.entries.get_mut(&id) {
                entry.sought = false;
                entry.advice = Advice::None;
            }
            self.seek_advice(server, &id);
        }
        self.publish();
    }

    /// Lets judges answer again in a thread in which they refused too much.
    pub(super) fn judge_again(&mut self, server: &mut Server, session: &SessionId) {
        let root = server.sessions.root(session).clone();
        if server.breakers.get(&root).is_some_and(|breaker| breaker.is_open()) {
            server.breakers.remove(&root);
            self.take_advice_all(server);
            self.publish();
        }
    }

    /// Lets the judge answer what waits, where the chain of its sessions has become known meanwhile.
    pub(super) fn take_advice_all(&mut self, server: &mut Server) {
        for id in server.ids(|entry| entry.phase == Phase::Waiting) {
            self.take_advice(server, &id);
        }
    }

    /// Lets the judge answer, if the mode is Auto and its opinion is a plain one.
    pub(super) fn take_advice(&mut self, server: &mut Server, id: &RequestId) {
        let Some((root, verdict)) = self.answer_of_judge(server, id) else { return };
        let reason = verdict.reason;
        let breaker = server.breakers.entry(root).or_default();
        let decision = if verdict.recommendation == Recommendation::Allow {
            breaker.allowed();
            Decision::AllowOnce
        } else {
            breaker.refused();
            Decision::refusal_of_judge(&reason)
        };
        self.answer(server, id, decision, Some(Deputy::Judge(reason)));
    }

    /// Whether the request is asked where the user chose the mode Auto, for certain.
    fn is_auto(&self, server: &Server, id: &RequestId) -> bool {
        let Some(entry) = server.entries.get(id) else { return false };
        // A session above it that isn't known yet may have another mode.
        if server.sessions.missing(&entry.ask.session).is_some() {
            return false;
        }
        let chain = server.sessions.chain(&entry.ask.session);
        self.stances.narrowest(&server.info.id, &chain).is_some_and(|stance| stance.mode == Mode::Auto)
    }

    /// What the judge may answer in the user's stead, and in which thread. `None` whenever it is for the user.
    fn answer_of_judge(&self, server: &Server, id: &RequestId) -> Option<(SessionId, Verdict)> {
        let entry = server.entries.get(id).filter(|entry| entry.phase == Phase::Waiting)?;
        let Advice::Given(Opinion { verdict, .. }) = &entry.advice else { return None };
        if verdict.status != Status::Ok || entry.is_unread(self.now) || entry.swept_by.is_some() {
            return None;
        }
        if !self.is_auto(server, id) || server.judges_no_more(&entry.ask.session) {
            return None;
        }
        let root = server.sessions.root(&entry.ask.session).clone();
        // A catastrophe is never allowed without the user, whatever a judge makes of it.
        let catastrophe = entry.finding.as_ref().is_none_or(|found| found.recommendation == Recommendation::Deny);
        match verdict.recommendation {
            Recommendation::Allow if !catastrophe && is_known_whole(&entry.ask) => Some((root, verdict.clone())),
            Recommendation::Deny => Some((root, verdict.clone())),
            Recommendation::Allow | Recommendation::Ask => None,
        }
    }
}

/// Whether all that would happen is known: nobody can judge what servers have yet to tell, or never do.
fn is_known_whole(ask: &Ask) -> bool {
    match ask.action.as_str() {
        "shell" => ask.detail.command.is_some() && ask.detail.placed,
        "edit" => ask.detail.diff.is_some(),
        _ => true,
    }
}
