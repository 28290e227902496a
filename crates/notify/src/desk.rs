//! The conversation with a desktop's notification service: who it is, whether it answers, what it must be told.
//! Pure: it is told the time and what came in, and says what to send.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::board::{Board, Post};
use crate::handle::Command;
use crate::health::{Health, capabilities};
use crate::probe::Probe;
use crate::{Capabilities, Options, Report, State};

/// How many notifications the service may be busy with before it is told the next.
const IN_FLIGHT: usize = 4;

/// Something to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    Notify(Post),
    Close(u32),
    Ask { call: u64, what: Question },
}

/// What the service is asked about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Server,
    Capabilities,
}

/// What the service answered to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// To a Notify call: the number of the notification.
    Id(u32),
    /// Name and version.
    Server(String),
    Capabilities(Vec<String>),
    /// The bus found nobody to give the call to, or lost them before they answered.
    Nobody,
    /// The service said no, in these words.
    Refused(String),
}

#[derive(Debug)]
enum Pending {
    Notify { since: Instant, lapsed: bool },
    Ask(Question),
}

#[derive(Debug)]
pub(crate) struct Desk {
    patience: Duration,
    retry: Duration,
    board: Board,
    health: Health,
    probe: Probe,
    /// Name and version of the service.
    server: Option<String>,
    /// Why the last notification was refused, if it was.
    refusal: Option<String>,
    calls: HashMap<u64, Pending>,
    last: u64,
    /// The unique name on the bus of whoever is the service now.
    owner: Option<String>,
    out: Vec<Call>,
}

impl Desk {
    pub fn new(options: &Options) -> Self {
        Self {
            patience: options.patience,
            retry: options.retry,
            board: Board::default(),
            health: Health::default(),
            probe: Probe::new(options.retry),
            server: None,
            refusal: None,
            calls: HashMap::new(),
            last: 0,
            owner: None,
            out: Vec::new(),
        }
    }

    /// The service there is now, by its unique name.
    pub fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// What it can do, once it has told.
    pub const fn capabilities(&self) -> Option<&Capabilities> {
        if let Health::Ready(can) = &self.health { Some(can) } else { None }
    }

    pub fn state(&self) -> State {
        self.health.state(self.server.as_deref(), self.owner.is_some(), self.refusal.as_deref())
    }

    /// Whether everything asked for has been taken in, or can't be at present.
    pub fn is_idle(&self) -> bool {
        let unsure = matches!(self.health, Health::Unknown | Health::Asked { .. }) && self.board.is_open();
        let waiting = self.calls.values().any(|call| matches!(call, Pending::Notify { lapsed: false, .. }));
        self.out.is_empty() && !unsure && !waiting
    }

    /// Takes in what a caller wants.
    pub fn command(&mut self, command: Command) {
        match command {
            Command::Show(notice) => {
                self.board.show(notice);
                if !self.health.is_ready() {
                    self.probe.hasten();
                }
            }
            Command::Close(key) => self.out.extend(self.board.close(&key).map(Call::Close)),
            Command::CloseAll => self.out.extend(self.board.close_all().into_iter().map(Call::Close)),
            Command::Flush(_) => {}
        }
    }

    /// The bus can be talked to; `owner` is the service. Asking wakes one up that waits to be started by the bus.
    pub fn connected(&mut self, owner: Option<String>, now: Instant) {
        self.start_over(owner);
        self.health = Health::Asked { since: now };
        self.ask(now);
    }

    /// Somebody else is the service now, or nobody.
    pub fn owner_changed(&mut self, owner: Option<String>, now: Instant) {
        if owner.is_some() {
            self.connected(owner, now);
        } else {
            self.start_over(None);
            self.health = Health::Absent;
            // Not at once: whoever restarts it is likely to be at it.
            self.probe.sent(now);
        }
    }

    /// There is no bus, or not any more.
    pub fn disconnected(&mut self, why: String) {
        self.start_over(None);
        self.health = Health::NoBus { why };
    }

    /// `answer` came to `call`, from the service or about it.
    pub fn answered(&mut self, call: u64, answer: Answer, now: Instant) {
        match (self.calls.remove(&call), answer) {
            (Some(Pending::Notify { .. }), Answer::Id(id)) => {
                self.refusal = None;
                self.out.extend(self.board.posted(call, id).map(Call::Close));
            }
            (Some(Pending::Notify { .. }), Answer::Refused(why)) => {
                tracing::warn!(why, "a notification was refused");
                self.refusal = Some(why);
                self.board.refused(call, now + self.retry);
            }
            (Some(Pending::Notify { .. }), _) => {
                self.board.refused(call, now);
                if self.health.is_ready() {
                    self.health = Health::Asked { since: now };
                    self.ask(now);
                }
            }
            (Some(Pending::Ask(_)), Answer::Server(server)) => self.server = Some(server),
            (Some(Pending::Ask(Question::Capabilities)), Answer::Capabilities(words)) => {
                // Whatever was asked before has been answered before this, or never will be.
                self.board.forget_calls();
                self.calls.retain(|_, call| match call {
                    Pending::Notify { lapsed, .. } => {
                        *lapsed = true;
                        true
                    }
                    Pending::Ask(_) => false,
                });
                self.health = Health::Ready(capabilities(&words, self.server.as_deref()));
            }
            (Some(Pending::Ask(Question::Capabilities)), Answer::Nobody) if self.owner.is_none() => {
                self.health = Health::Absent;
            }
            (Some(Pending::Ask(Question::Capabilities)), Answer::Refused(why)) => self.health = Health::Odd { why },
            (Some(Pending::Ask(_)), _) | (None, _) => {}
        }
    }

    /// Something named `action` was clicked on notification `id`.
    pub fn clicked(&mut self, id: u32, action: &str) -> Option<Report> {
        self.board.clicked(id, action)
    }

    /// Notification `id` went off the screen.
    pub fn closed(&mut self, id: u32, reason: u32) -> Option<Report> {
        self.board.closed(id, reason)
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Instant) {
        self.lapse(now);
        let bus = !matches!(self.health, Health::NoBus { .. });
        if bus && !self.health.is_ready() && self.board.is_open() && self.probe.is_due(now) {
            self.ask(now);
        }
        while self.health.is_ready() && self.in_flight() < IN_FLIGHT {
            let call = self.last + 1;
            let Some(post) = self.board.post(call, now) else { break };
            self.last = call;
            self.calls.insert(call, Pending::Notify { since: now, lapsed: false });
            self.out.push(Call::Notify(post));
        }
    }

    /// What is to be sent now, in order.
    pub fn outgoing(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.out)
    }

    /// When the time for the next [`Desk::tick`] has come even if nothing happens.
    pub fn wake(&self) -> Option<Instant> {
        let lapses = self.calls.values().filter_map(|call| match call {
            Pending::Notify { since, lapsed: false } => Some(*since + self.patience),
            _ => None,
        });
        let unanswered = if let Health::Asked { since } = self.health { Some(since + self.patience) } else { None };
        let again = match self.health {
            Health::Ready(_) => self.board.due_at(),
            Health::NoBus { .. } => None,
            _ if self.board.is_open() => self.probe.at(),
            _ => None,
        };
        lapses.chain(unanswered).chain(again).min()
    }

    /// Gives up waiting, though not listening, for what has not been answered in time.
    fn lapse(&mut self, now: Instant) {
        let mut silent = matches!(self.health, Health::Asked { since } if since + self.patience <= now);
        for call in self.calls.values_mut() {
            if let Pending::Notify { since, lapsed: lapsed @ false } = call
                && *since + self.patience <= now
            {
                *lapsed = true;
                silent = true;
            }
        }
        if silent && !matches!(self.health, Health::Silent) {
            let asked = matches!(self.health, Health::Asked { .. });
            self.health = Health::Silent;
            if !asked {
                self.ask(now);
            }
        }
    }

    fn ask(&mut self, now: Instant) {
        self.probe.sent(now);
        for what in [Question::Server, Question::Capabilities] {
            self.last += 1;
            self.calls.insert(self.last, Pending::Ask(what));
            self.out.push(Call::Ask { call: self.last, what });
        }
    }

    /// Numbers and calls mean nothing to a new service.
    fn start_over(&mut self, owner: Option<String>) {
        self.owner = owner;
        self.probe = Probe::new(self.retry);
        self.server = None;
        self.board.forget_ids();
        self.calls.clear();
        self.out.clear();
        self.refusal = None;
    }

    fn in_flight(&self) -> usize {
        self.calls.values().filter(|call| matches!(call, Pending::Notify { lapsed: false, .. })).count()
    }
}

#[cfg(test)]
mod tests;
