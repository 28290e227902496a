//! The machine itself: one event in, effects out. Every decision about a request is made here.

use std::collections::{BTreeMap, HashSet};

use super::effect::{Effect, Happened, Record};
use super::entry::{Entry, Phase};
use super::event::{Event, Outcome, Scope, Timer, WireEvent};
use super::server::{Call, Server};
use crate::{
    Ask, CallRef, Decision, Link, Moment, Reply, RequestId, RequestKey, ServerId, Session, SessionId, Settled, display,
};

/// How long a request waits before it is notified unless the user chose otherwise, in milliseconds: many are answered
/// at once by somebody else.
pub const GRACE: u64 = 300;

/// How long after a failed delivery the second attempt is made, in milliseconds.
const RESEND: u64 = 1_000;

/// While something is pending, a server is listed again when the last listing is this old, in milliseconds:
/// the stream is known to lose events.
const RELIST: u64 = 20_000;

/// The flow machine.
#[derive(Debug, Clone)]
pub struct Flow {
    servers: BTreeMap<ServerId, Server>,
    paused: bool,
    /// How long a request waits before it is notified, in milliseconds.
    grace: u64,
    /// Number of the current event.
    tick: u64,
}

impl Default for Flow {
    fn default() -> Self {
        Self { servers: BTreeMap::new(), paused: false, grace: GRACE, tick: 0 }
    }
}

impl Flow {
    /// The watched servers by id.
    #[must_use]
    pub const fn servers(&self) -> &BTreeMap<ServerId, Server> {
        &self.servers
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

    /// Takes in what happened at `now` and says what is to be done, in order.
    #[must_use]
    pub fn step(&mut self, event: Event, now: Moment) -> Vec<Effect> {
        self.tick += 1;
        let mut step = Step { tick: self.tick, now, paused: self.paused, grace: self.grace, effects: Vec::new() };
        match event {
            Event::ServerAdded(info) => {
                let known = self.servers.entry(info.id.clone()).or_insert_with(|| Server::new(info.clone()));
                known.info = info;
                step.publish();
            }
            Event::ServerRemoved(id) => {
                if let Some(mut server) = self.servers.remove(&id) {
                    step.settle_all(&mut server, &Settled::ServerGone);
                    step.publish();
                }
            }
            Event::Pause(paused) => {
                self.paused = paused;
                step.pause(paused, &mut self.servers);
            }
            Event::Grace(millis) => self.grace = millis,
            Event::Link(id, link) => step.with(&mut self.servers, &id, |step, server| step.link(server, link)),
            Event::Heard(id) => step.with(&mut self.servers, &id, Step::heard),
            Event::Wire(id, event) => step.with(&mut self.servers, &id, |step, server| step.wire(server, event)),
            Event::Decide(key, decision) => {
                step.with(&mut self.servers, &key.server, |step, server| step.decide(server, &key.request, decision));
            }
            Event::Retry(key) => {
                step.with(&mut self.servers, &key.server, |step, server| step.retry(server, &key.request));
            }
            Event::Replied(key, outcome) => {
                step.with(&mut self.servers, &key.server, |step, server| step.outcome(server, &key.request, outcome));
            }
            Event::TimerFired(Timer::Grace(key)) => {
                step.with(&mut self.servers, &key.server, |step, server| step.grace_over(server, &key.request));
            }
            Event::TimerFired(Timer::Resend(key)) => {
                step.with(&mut self.servers, &key.server, |step, server| step.resend(server, &key.request));
            }
        }
        step.effects
    }
}

/// One step of the machine: the moment it happens at and the effects gathered so far.
struct Step {
    tick: u64,
    now: Moment,
    paused: bool,
    grace: u64,
    effects: Vec<Effect>,
}

impl Step {
    /// Events of a server that is no longer watched are late, and mean nothing.
    fn with(
        &mut self,
        servers: &mut BTreeMap<ServerId, Server>,
        id: &ServerId,
        act: impl FnOnce(&mut Self, &mut Server),
    ) {
        if let Some(server) = servers.get_mut(id) {
            act(self, server);
        }
    }

    fn publish(&mut self) {
        if !self.effects.contains(&Effect::Publish) {
            self.effects.push(Effect::Publish);
        }
    }

    // ---- the connection

    fn link(&mut self, server: &mut Server, link: Link) {
        if !link.is_online() {
            // Answers to listings of the old connection say nothing about the new one.
            server.listings.clear();
            // Nobody hears any more whether these runs end: what a later one asks is for the user to decide.
            server.stopping.clear();
        }
        if matches!(link, Link::Offline { gone: true, .. }) {
            self.settle_all(server, &Settled::ServerGone);
        }
        server.link = link;
        self.publish();
    }

    fn heard(&mut self, server: &mut Server) {
        server.heard = Some(self.now);
        // A moment that is still to come belongs to a clock that was put back since.
        let old = |at: Moment| at > self.now || self.now.since(at) >= RELIST;
        if server.synced.is_none_or(old) && !server.entries.is_empty() && old(server.relisted) {
            server.relisted = self.now;
            self.effects.push(Effect::Relist(server.info.id.clone()));
        }
        self.publish();
    }

    fn wire(&mut self, server: &mut Server, event: WireEvent) {
        server.heard = Some(self.now);
        match event {
            WireEvent::Asked(ask) => self.asked(server, *ask, true),
            WireEvent::Answered { request, reply } => self.answered(server, &request, reply),
            WireEvent::SessionSeen(session) => self.session_seen(server, session),
            WireEvent::SessionDeleted(session) => self.session_deleted(server, &session),
            WireEvent::RunEnded(session) => {
                server.stopping.remove(&session);
                self.ended(server, |entry| entry.ask.session == session);
            }
            WireEvent::CallStarted { session, call, command, purpose, workdir } => {
                self.call_started(server, (session, call), Call { command, purpose, workdir });
            }
            WireEvent::CallEnded { session, call } => {
                self.ended(server, |entry| entry.ask.session == session && entry.ask.call.as_ref() == Some(&call));
                server.end_call(&(session, call));
            }
            WireEvent::Disposed(directory) => {
                self.ended(server, |entry| directory.as_ref().is_none_or(|dir| *dir == entry.ask.directory));
            }
            WireEvent::ListBegan(number) => {
                server.listings.insert(number, self.tick);
            }
            WireEvent::InSync => {
                server.synced = Some(self.now);
                self.publish();
            }
            // Nothing is settled because it can't be listed. The host tells the user.
            WireEvent::Unlisted(_) => self.publish(),
            WireEvent::Listed { number, scope, asks, orphans } => self.listed(server, number, &scope, asks, orphans),
        }
    }

    // ---- a request arrives

    fn asked(&mut self, server: &mut Server, mut ask: Ask, by_stream: bool) {
        let id = ask.key.request.clone();
        if server.settled.contains(&id) {
            return;
        }
        let call = server.call_of(&ask);
        if server.entries.get(&id).is_some_and(|known| known.is_another(&ask)) {
            self.settle(server, &id, &Settled::Unseen);
        }
        if let Some(known) = server.entries.get_mut(&id) {
            known.by_stream |= by_stream;
            // The event and the listing may both bring it; each may know something that the other didn't.
            let detail = &mut ask.detail;
            let call = Call {
                command: call.command.or_else(|| detail.command.take()),
                purpose: call.purpose.or_else(|| detail.purpose.take()),
                workdir: call.workdir.or_else(|| detail.workdir.take()),
            };
            self.complete(server, &id, &call);
            return;
        }
        let key = ask.key.clone();
        let session = ask.session.clone();
        let mut entry = Entry::new(ask, self.now, self.tick);
        entry.by_stream = by_stream;
        entry.complete(&call, self.now);
        server.entries.insert(id.clone(), entry);
        self.look_up(server, &session);
        if server.stopping.contains(&session) {
            // The user stopped this run: what it asked before it heard of that is refused as well.
            self.decide(server, &id, Decision::Stop);
        } else {
            self.effects.push(Effect::Timer { at: self.now.plus(self.grace), timer: Timer::Grace(key) });
        }
        self.publish();
    }

    fn grace_over(&mut self, server: &mut Server, id: &RequestId) {
        if self.paused {
            return;
        }
        let silent = |entry: &&mut Entry| entry.phase == Phase::Waiting && !entry.announced;
        if let Some(entry) = server.entries.get_mut(id).filter(silent) {
            entry.announced = true;
            self.effects.push(Effect::Notify(entry.ask.key.clone()));
        }
    }

    fn pause(&mut self, paused: bool, servers: &mut BTreeMap<ServerId, Server>) {
        self.paused = paused;
        if !paused {
            let silent = servers.values_mut().flat_map(|server| server.entries.values_mut());
            for entry in silent.filter(|entry| entry.phase == Phase::Waiting && !entry.announced) {
                entry.announced = true;
                self.effects.push(Effect::Notify(entry.ask.key.clone()));
            }
        }
        self.publish();
    }

    // ---- the user answers

    fn decide(&mut self, server: &mut Server, id: &RequestId, decision: Decision) {
        let Some(entry) = server.entries.get_mut(id).filter(|entry| entry.is_open()) else {
            return;
        };
        if decision == Decision::AllowOnce && entry.is_unread(self.now) {
            self.effects.push(Effect::Show(entry.ask.key.clone()));
            return;
        }
        // A decline without words would end the run: it gets some.
        let decision = match decision {
            Decision::Decline { reason } => Decision::decline(&reason),
            other => other,
        };
        entry.phase = Phase::Replying { decision: decision.clone(), attempt: 1 };
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
            server.stopping.insert(ask.session.clone());
        }
        self.effects.push(Effect::Reply { ask: Box::new(ask), decision });
        self.publish();
    }

    fn retry(&mut self, server: &mut Server, id: &RequestId) {
        if let Some(Entry { phase: Phase::Undelivered { decision, .. }, .. }) = server.entries.get(id) {
            let decision = decision.clone();
            self.decide(server, id, decision);
        }
    }

    fn resend(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        if let Phase::Replying { decision, attempt: attempt @ 1 } = &mut entry.phase {
            *attempt = 2;
            let decision = decision.clone();
            if entry.grown.is_some() && !decision.refuses() {
                // The user has not seen all of it, and nothing was sent yet that took effect.
                return self.undelivered(server, id, decision, "there is more to it than you approved".to_owned());
            }
            self.effects.push(Effect::Reply { ask: Box::new(entry.ask.clone()), decision });
        }
    }

    fn undelivered(&mut self, server: &mut Server, id: &RequestId, decision: Decision, why: String) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        entry.phase = Phase::Undelivered { decision, why: why.clone() };
        entry.announced = true;
        let (key, session) = (entry.ask.key.clone(), entry.ask.session.clone());
        self.record(server, id, Happened::Undelivered { why });
        self.effects.push(Effect::Notify(key.clone()));
        self.forgive(server, &key, &session);
        self.publish();
    }

    fn outcome(&mut self, server: &mut Server, id: &RequestId, outcome: Outcome) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        let Phase::Replying { decision, attempt } = entry.phase.clone() else { return };
        let key = entry.ask.key.clone();
        let (observed, run_ended) = (entry.observed, entry.run_ended);
        // Our refusal of another request may have taken this one along before our own answer arrived.
        let swept = entry.swept_by.is_some() && observed == Some(Some(Reply::Reject));
        let other = if swept { Settled::Swept } else { Settled::AnotherClient { reply: observed.flatten() } };
        // When our own attempt may have arrived although its answer was lost, the announced word tells whose it was.
        let ours = observed == Some(Some(decision.reply()));
        // OpenCode 1.14 takes every reply, even one that comes too late and does nothing: a contrary word tells.
        let contrary = matches!(observed, Some(Some(reply)) if reply != decision.reply());
        let settled = match outcome {
            Outcome::Accepted if contrary => other,
            Outcome::Accepted => Settled::You { decision },
            Outcome::Lost if ours && attempt > 1 => Settled::You { decision },
            Outcome::Failed { .. } if ours => Settled::You { decision },
            Outcome::RunGone => Settled::RunEnded,
            Outcome::Lost if observed.is_none() && run_ended => Settled::RunEnded,
            Outcome::Lost => other,
            Outcome::Failed { .. } if observed.is_some() => other,
            Outcome::Failed { .. } if run_ended => Settled::RunEnded,
            Outcome::Failed { .. } if attempt == 1 => {
                self.effects.push(Effect::Timer { at: self.now.plus(RESEND), timer: Timer::Resend(key) });
                return;
            }
            Outcome::Failed { why } => return self.undelivered(server, id, decision, why),
        };
        if !matches!(settled, Settled::You { .. }) {
            let session = entry.ask.session.clone();
            self.forgive(server, &key, &session);
        }
        self.settle(server, id, &settled);
    }

    /// Our refusal of `key` did not take effect: it sweeps nothing and stops nothing.
    fn forgive(&self, server: &mut Server, key: &RequestKey, session: &SessionId) {
        for other in server.entries.values_mut() {
            if other.swept_by.as_ref() == Some(key) {
                other.swept_by = None;
            }
        }
        server.stopping.remove(session);
    }

    // ---- a request ends

    fn answered(&mut self, server: &mut Server, id: &RequestId, reply: Option<Reply>) {
        let Some(entry) = server.entries.get_mut(id) else {
            server.settled.insert(id.clone());
            return;
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

    fn ended(&mut self, server: &mut Server, test: impl Fn(&Entry) -> bool) {
        for id in server.ids(test) {
            match server.entries.get_mut(&id) {
                Some(entry) if !entry.is_open() => entry.run_ended = true,
                _ => self.settle(server, &id, &Settled::RunEnded),
            }
        }
    }

    fn session_deleted(&mut self, server: &mut Server, session: &SessionId) {
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
        server.sessions.remove(session);
        server.stopping.remove(session);
    }

    /// The run of a deleted session hangs on its request for ever, and would run the tool if it were approved.
    /// A refusal is the only answer that is safe, and it frees the run.
    fn release(&mut self, ask: Ask) {
        self.effects.push(Effect::Reply { ask: Box::new(ask), decision: Decision::Stop });
    }

    fn listed(&mut self, server: &mut Server, number: u64, scope: &Scope, asks: Vec<Ask>, orphans: Vec<Ask>) {
        let Some(began) = server.listings.remove(&number) else { return };
        let pending: HashSet<&RequestKey> = asks.iter().chain(&orphans).map(|ask| &ask.key).collect();
        let gone = server.ids(|entry| {
            let covered = entry.ask.route == scope.route && entry.ask.directory == scope.directory;
            covered && !pending.contains(&entry.ask.key) && entry.arrived < began && entry.is_open()
        });
        for id in gone {
            self.settle(server, &id, &Settled::Unseen);
        }
        for ask in asks {
            self.asked(server, ask, false);
        }
        for ask in orphans {
            let id = ask.key.request.clone();
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

    fn settle_all(&mut self, server: &mut Server, settled: &Settled) {
        for id in server.ids(|_| true) {
            self.settle(server, &id, settled);
        }
    }

    fn settle(&mut self, server: &mut Server, id: &RequestId, settled: &Settled) {
        self.record(server, id, Happened::Settled { settled: settled.clone() });
        let Some(mut entry) = server.entries.remove(id) else { return };
        self.close_notification(&mut entry);
        // What merely went out of sight may come back; what was seen to end may not. When a listing overtakes the
        // stream, the end that is seen may be that of an earlier run: the stream has yet to bring the request.
        let for_good = match settled {
            Settled::Unseen | Settled::ServerGone => false,
            Settled::RunEnded => entry.by_stream,
            Settled::You { .. } | Settled::Swept | Settled::AnotherClient { .. } => true,
        };
        if for_good {
            server.settled.insert(id.clone());
        }
        self.publish();
    }

    // ---- what belongs to a request

    fn session_seen(&mut self, server: &mut Server, session: Session) {
        let id = session.id.clone();
        let changed = server.sessions.get(&id) != Some(&session);
        server.sessions.insert(session);
        let concerned: Vec<SessionId> = server.entries.values().map(|entry| entry.ask.session.clone()).collect();
        for asking in &concerned {
            self.look_up(server, asking);
        }
        if changed && !concerned.is_empty() {
            self.publish();
        }
    }

    /// Asks for the next unknown session of the chain from `session` up to its root.
    fn look_up(&mut self, server: &mut Server, session: &SessionId) {
        let Some(missing) = server.sessions.missing(session).cloned() else { return };
        if server.looked_up.insert(missing.clone()) {
            self.effects.push(Effect::LookUp { server: server.info.id.clone(), session: missing });
        }
    }

    fn call_started(&mut self, server: &mut Server, at: (SessionId, CallRef), call: Call) {
        for id in server.ids(|entry| entry.ask.session == at.0 && entry.ask.call.as_ref() == Some(&at.1)) {
            self.complete(server, &id, &call);
        }
        server.begin_call(at, call);
    }

    /// What is shown must be what will run.
    fn complete(&mut self, server: &mut Server, id: &RequestId, call: &Call) {
        let Some(entry) = server.entries.get_mut(id) else { return };
        if !entry.complete(call, self.now) {
            return;
        }
        if entry.announced {
            self.effects.push(Effect::Notify(entry.ask.key.clone()));
        }
        self.publish();
    }

    fn close_notification(&mut self, entry: &mut Entry) {
        if std::mem::take(&mut entry.announced) {
            self.effects.push(Effect::CloseNotification(entry.ask.key.clone()));
        }
    }

    fn record(&mut self, server: &Server, id: &RequestId, what: Happened) {
        let Some(entry) = server.entries.get(id) else { return };
        let ask = &entry.ask;
        let root = server.sessions.root(&ask.session);
        self.effects.push(Effect::Record(Record {
            at: self.now,
            key: ask.key.clone(),
            title: display::headline(ask),
            action: ask.action.clone(),
            text: display::full_text(ask),
            directory: ask.directory.clone(),
            session: server.sessions.get(root).map(|session| session.title.clone()),
            waited: self.now.since(entry.since),
            what,
        }));
    }
}
