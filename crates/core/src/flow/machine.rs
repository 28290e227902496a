//! The machine itself: one event in, effects out. Every decision about a request is made here.

use std::collections::BTreeMap;

use super::away::Away;
use super::effect::{Effect, Happened, Record};
use super::entry::{Call, Entry};
use super::event::{Event, Timer, WireEvent};
use super::question_entry::QuestionEntry;
use super::ruling::RuleState;
use super::server::Server;
use super::told::Told;
use crate::grants::Grants;
use crate::modes::Defaults;
use crate::{Dialect, Link, Moment, Origin, RequestId, RequestKey, ServerId, SessionId, Settled, display};

/// How long a request waits before it is notified unless the user chose otherwise, in milliseconds: many are answered
/// at once by somebody else.
pub const GRACE: u64 = 300;

/// How many approvals of a command in a row make it learned unless the user chose otherwise.
pub const LEARN_AFTER: u64 = 3;

/// While something is pending, a server is listed again when the last listing is this old, in milliseconds:
/// the stream is known to lose events.
const RELIST: u64 = 20_000;

/// The flow machine.
#[derive(Debug, Clone)]
pub struct Flow {
    servers: BTreeMap<ServerId, Server>,
    stances: Defaults,
    grants: Grants,
    told: Told,
    pub(super) away: Away,
    paused: bool,
    /// Whether nobody would look at an opinion.
    unattended: bool,
    /// How long a request waits before it is notified, in milliseconds.
    grace: u64,
    /// How many approvals of a command in a row make it learned.
    learn_after: u64,
    /// Number of the current event.
    tick: u64,
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            servers: BTreeMap::new(),
            stances: Defaults::default(),
            grants: Grants::default(),
            told: Told::default(),
            away: Away::default(),
            paused: false,
            unattended: false,
            grace: GRACE,
            learn_after: LEARN_AFTER,
            tick: 0,
        }
    }
}

impl Flow {
    /// The watched servers by id.
    #[must_use]
    pub const fn servers(&self) -> &BTreeMap<ServerId, Server> {
        &self.servers
    }

    /// What the user chose for servers, projects and sessions.
    #[must_use]
    pub const fn stances(&self) -> &Defaults {
        &self.stances
    }

    /// What the user allowed for sessions.
    #[must_use]
    pub const fn grants(&self) -> &Grants {
        &self.grants
    }

    /// What servers were told of the rules of sessions, for the next run.
    #[must_use]
    pub const fn told(&self) -> &Told {
        &self.told
    }

    /// Whether notifications are held back.
    #[must_use]
    pub const fn paused(&self) -> bool {
        self.paused
    }

    /// The unsettled request `key`.
    #[must_use]
    pub fn entry(&self, key: &RequestKey) -> Option<&Entry> {
        self.servers.get(&key.server)?.entries.get(&key.request)
    }

    /// All unsettled requests, longest waiting first.
    #[must_use]
    pub fn inbox(&self) -> Vec<&Entry> {
        let mut all: Vec<&Entry> = self.servers.values().flat_map(|server| server.entries.values()).collect();
        all.sort_by(|a, b| (a.since, a.arrived, &a.ask.key).cmp(&(b.since, b.arrived, &b.ask.key)));
        all
    }

    /// The unsettled question `key`.
    #[must_use]
    pub fn question(&self, key: &RequestKey) -> Option<&QuestionEntry> {
        self.servers.get(&key.server)?.questions.get(&key.request)
    }

    /// All unsettled questions, longest waiting first.
    #[must_use]
    pub fn questions(&self) -> Vec<&QuestionEntry> {
        let mut all: Vec<&QuestionEntry> = self.servers.values().flat_map(|server| server.questions.values()).collect();
        all.sort_by(|a, b| (a.since, a.arrived, &a.question.key).cmp(&(b.since, b.arrived, &b.question.key)));
        all
    }

    /// Takes in what happened at `now` and says what is to be done, in order.
    #[must_use]
    pub fn step(&mut self, event: Event, now: Moment) -> Vec<Effect> {
        self.tick += 1;
        let mut step = Step {
            tick: self.tick,
            paused: self.paused,
            unattended: self.unattended,
            grace: self.grace,
            learn_after: self.learn_after,
            stances: std::mem::take(&mut self.stances),
            grants: std::mem::take(&mut self.grants),
            told: std::mem::take(&mut self.told),
            away: std::mem::take(&mut self.away),
            ..Step::at(now)
        };
        match event {
            Event::Stances(stances) => {
                step.stances = stances;
                // Whoever chooses anew has seen what the judge refused.
                self.servers.values_mut().for_each(|server| server.breakers.clear());
                self.servers.values_mut().for_each(|server| step.rule_all(server));
                self.servers.values_mut().for_each(|server| step.seek_advice_all(server));
                step.publish();
            }
            Event::Granted(grants) => {
                step.grants = grants;
                self.servers.values_mut().for_each(|server| step.grants_changed(server));
            }
            Event::Told(told) => step.told = told,
            Event::Away(away) => step.back(away),
            Event::TimerFired(Timer::Away) => step.unwatched_since(|id| self.servers.contains_key(id)),
            Event::TakeBack(id) => step.change_grant(&mut self.servers, |grants| grants.take_back(id, now)),
            Event::GiveAgain(id) => step.change_grant(&mut self.servers, |grants| grants.undo(id, now)),
            Event::TimerFired(Timer::Grants) => step.sweep_grants(&mut self.servers),
            Event::Ruled { server, session, outcome } => {
                step.with(&mut self.servers, &server, |step, server| step.ruled(server, &session, outcome));
            }
            Event::TimerFired(Timer::Rule(server, session)) => {
                step.with(&mut self.servers, &server, |step, server| step.rule_again(server, &session));
            }
            Event::ServerAdded(info) => {
                let known = self.servers.entry(info.id.clone()).or_insert_with(|| Server::new(info.clone()));
                if info.origin == Origin::Demo {
                    // What an earlier demo played is nothing that happened.
                    step.away.forget_server(&info.id);
                }
                known.info = info;
                step.publish();
            }
            Event::ServerRemoved(id) => {
                step.none_since(&id, &Settled::ServerGone);
                if let Some(mut server) = self.servers.remove(&id) {
                    step.settle_all(&mut server, &Settled::ServerGone);
                    step.server_removed(&id);
                    step.publish();
                }
            }
            Event::Pause(paused) if paused == self.paused => {}
            Event::Pause(paused) => {
                self.paused = paused;
                step.pause(paused, &mut self.servers);
            }
            Event::Unattended(unattended) => {
                (self.unattended, step.unattended) = (unattended, unattended);
                self.servers.values_mut().for_each(|server| step.seek_advice_all(server));
            }
            Event::Grace(millis) => self.grace = millis,
            Event::Link(id, link) => step.with(&mut self.servers, &id, |step, server| step.link(server, link)),
            Event::Heard(id) => step.with(&mut self.servers, &id, Step::heard),
            Event::Wire(id, event) => step.with(&mut self.servers, &id, |step, server| step.wire(server, event)),
            Event::Decide { key, decision, edition } => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.decide_as_displayed(server, &key.request, decision, edition)
                });
            }
            Event::Respond { key, response, edition } => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.respond(server, &key.request, response, edition);
                });
            }
            Event::Retry(key) => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.retry(server, &key.request);
                    step.retry_question(server, &key.request);
                });
            }
            Event::Replied(key, outcome) => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    if server.questions.contains_key(&key.request) {
                        step.answer_outcome(server, &key.request, outcome);
                    } else {
                        step.outcome(server, &key.request, outcome);
                    }
                });
            }
            Event::Judged { key, edition, finding, took } => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.judged(server, &key.request, edition, finding, took);
                });
            }
            Event::RuleHolds { key, edition, rule } => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.rule_holds(server, &key.request, edition, rule);
                });
            }
            Event::NoRule { key, edition } => {
                step.with(&mut self.servers, &key.server, |step, server| step.no_rule(server, &key.request, edition));
            }
            Event::JudgeAsked { key, edition } => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.judge_asked(server, &key.request, edition)
                });
            }
            Event::Advised { key, edition, opinion } => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.advised(server, &key.request, edition, opinion);
                });
            }
            Event::JudgeChanged => self.servers.values_mut().for_each(|server| step.judge_changed(server)),
            Event::JudgeAgain(id, session) => {
                step.with(&mut self.servers, &id, |step, server| step.judge_again(server, &session));
            }
            Event::LearnAfter(times) => self.learn_after = times,
            Event::TimerFired(Timer::Grace(key)) => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.grace_over(server, &key.request);
                    step.question_grace_over(server, &key.request);
                });
            }
            Event::TimerFired(Timer::Gone(key)) => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.unheard(server, &key.request);
                    step.question_unheard(server, &key.request);
                });
            }
            Event::TimerFired(Timer::Resend(key)) => {
                step.with(&mut self.servers, &key.server, |step, server| {
                    step.resend(server, &key.request);
                    step.resend_answer(server, &key.request);
                });
            }
        }
        (self.stances, self.grants, self.told, self.away) = (step.stances, step.grants, step.told, step.away);
        step.effects
    }
}

/// One step of the machine: the moment it happens at and the effects gathered so far.
pub(super) struct Step {
    pub(super) tick: u64,
    pub(super) now: Moment,
    pub(super) paused: bool,
    pub(super) unattended: bool,
    pub(super) grace: u64,
    pub(super) learn_after: u64,
    pub(super) stances: Defaults,
    pub(super) grants: Grants,
    pub(super) told: Told,
    pub(super) away: Away,
    pub(super) effects: Vec<Effect>,
}

impl Step {
    /// A step that knows nothing but the time.
    pub(super) fn at(now: Moment) -> Self {
        Self {
            tick: 0,
            now,
            paused: false,
            unattended: false,
            grace: GRACE,
            learn_after: LEARN_AFTER,
            stances: Defaults::default(),
            grants: Grants::default(),
            told: Told::default(),
            away: Away::default(),
            effects: Vec::new(),
        }
    }

    /// Events of a server that is no longer watched are late, and mean nothing.
    pub(super) fn with(
        &mut self,
        servers: &mut BTreeMap<ServerId, Server>,
        id: &ServerId,
        act: impl FnOnce(&mut Self, &mut Server),
    ) {
        if let Some(server) = servers.get_mut(id) {
            act(self, server);
        }
    }

    pub(super) fn publish(&mut self) {
        if !self.effects.contains(&Effect::Publish) {
            self.effects.push(Effect::Publish);
        }
    }

    pub(super) fn link(&mut self, server: &mut Server, link: Link) {
        if !link.is_online() {
            // Answers to listings of the old connection say nothing about the new one.
            server.listings.clear();
            // Nobody hears any more whether these runs end: what a later one asks is for the user to decide.
            server.stopping.clear();
        }
        if matches!(link, Link::Offline { gone: true, .. } | Link::NotOpenCode { gone: true, .. }) {
            self.none_since(&server.info.id, &Settled::ServerGone);
            self.settle_all(server, &Settled::ServerGone);
        }
        let back = link.is_online() && !server.link.is_online();
        if !link.is_online() {
            server.running.clear();
            let unruly = &server.unruly;
            server.ruled.retain(|id, ruled| ruled.state != RuleState::Unsupported || unruly.contains(id));
        }
        if link.dialect() == Some(Dialect::V2) {
            // Another version took the place of the one that did not heed them.
            for session in std::mem::take(&mut server.unruly) {
                server.ruled.remove(&session);
            }
        }
        server.link = link;
        if back {
            self.look_up_granted(server);
            self.rule_told(server);
            // What was under way when the connection broke will not be heard of, and others may have been at it.
            let sessions: Vec<SessionId> = server.ruled.keys().cloned().collect();
            for session in sessions {
                self.rule_anew(server, &session);
            }
        }
        self.publish();
    }

    pub(super) fn heard(&mut self, server: &mut Server) {
        server.heard = Some(self.now);
        // A moment that is still to come belongs to a clock that was put back since.
        let old = |at: Moment| at > self.now || self.now.since(at) >= RELIST;
        if server.synced.is_none_or(old) && server.anything_waits() && old(server.relisted) {
            server.relisted = self.now;
            self.effects.push(Effect::Relist(server.info.id.clone()));
        }
        self.publish();
    }

    pub(super) fn wire(&mut self, server: &mut Server, event: WireEvent) {
        server.heard = Some(self.now);
        match event {
            WireEvent::Asked(ask) => self.asked(server, *ask, true),
            WireEvent::Answered { request, reply } => self.answered(server, &request, reply),
            WireEvent::QuestionAsked(question) => self.question_asked(server, *question, true),
            WireEvent::QuestionEnded { request, ending } => self.question_ended(server, &request, ending),
            WireEvent::QuestionsListed { number, scope, questions, orphans } => {
                self.questions_listed(server, number, &scope, questions, orphans);
            }
            WireEvent::SessionSeen(session) => self.session_seen(server, session),
            WireEvent::SessionChanged(session) => {
                self.effects.push(Effect::LookUp { server: server.info.id.clone(), session });
            }
            WireEvent::RulesIgnored(session) => self.rules_ignored(server, &session),
            WireEvent::RulesChanged { session, rules } => self.rules_changed(server, &session, &rules),
            WireEvent::AgentsChanged(directory) => self.agents_changed(server, &directory),
            WireEvent::RunBegan(session) => {
                server.running.insert(session.clone());
                server.runs_again(&session, self.now);
                server.works(&session);
                self.rule(server, &session);
                self.look_up(server, &session);
            }
            WireEvent::SessionBegan(session) => {
                let id = session.id.clone();
                self.session_seen(server, session);
                server.works(&id);
                self.rule(server, &id);
            }
            WireEvent::SessionDeleted(session) => self.session_deleted(server, &session),
            WireEvent::RunEnded(session) => {
                self.run_ended(server, &session);
                server.stopping.remove(&session);
                self.ended(server, |entry| entry.ask.session == session);
                self.questions_ended(server, |question| question.session.as_ref() == Some(&session));
            }
            WireEvent::CallStarted { session, call, command, purpose, workdir, placed } => {
                self.call_started(server, (session, call), Call { command, purpose, workdir, placed });
            }
            WireEvent::CallEnded { session, call } => {
                self.ended(server, |entry| entry.ask.session == session && entry.ask.call.as_ref() == Some(&call));
                self.questions_ended(server, |question| {
                    question.session.as_ref() == Some(&session) && question.call.as_ref() == Some(&call)
                });
                server.end_call(&(session, call));
            }
            WireEvent::Disposed(directory) => {
                self.ended(server, |entry| directory.as_ref().is_none_or(|dir| *dir == entry.ask.directory));
                self.questions_ended(server, |question| {
                    directory.as_ref().is_none_or(|dir| *dir == question.directory)
                });
            }
            WireEvent::ListBegan(number) => {
                server.listings.insert(number, self.tick);
            }
            WireEvent::InSync => {
                server.synced = Some(self.now);
                // Whatever is pending was named by now, wherever it is.
                self.none_since(&server.info.id, &Settled::WhileAway);
                self.publish();
            }
            // Nothing is settled because it can't be listed. The host tells the user.
            WireEvent::Unlisted(_) => self.publish(),
            WireEvent::Listed { number, scope, asks, orphans } => self.listed(server, number, &scope, asks, orphans),
        }
    }

    /// Nobody is to be told of this request any more, and nobody to be asked about it.
    pub(super) fn close_notification(&mut self, entry: &mut Entry) {
        if std::mem::take(&mut entry.sought) {
            self.effects.push(Effect::DropJudge(entry.ask.key.clone()));
        }
        if std::mem::take(&mut entry.announced) {
            self.effects.push(Effect::CloseNotification(entry.ask.key.clone()));
        }
    }

    pub(super) fn record(&mut self, server: &Server, id: &RequestId, what: Happened) {
        let Some(entry) = server.entries.get(id) else { return };
        let ask = &entry.ask;
        let root = server.sessions.root(&ask.session);
        self.effects.push(Effect::Record(Box::new(Record {
            at: self.now,
            key: ask.key.clone(),
            title: display::headline(ask),
            action: ask.action.clone(),
            resources: ask.resources.clone(),
            text: display::full_text(ask),
            line: super::judging::counted_line(entry),
            directory: ask.directory.clone(),
            session: server.sessions.get(root).map(|session| session.title.clone()),
            session_id: Some(ask.session.clone()),
            waited: self.now.since(entry.since),
            opinions: entry.opinions(),
            what,
        })));
    }
}
