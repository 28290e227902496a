//! What the flow machine knows of one server.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::breaker::Breaker;
use super::entry::{Call, Entry};
use super::question_entry::QuestionEntry;
use super::ruling::Ruled;
use super::tombstones::Tombstones;
use crate::reach::{Lines, shell};
use crate::{Ask, CallRef, Link, Moment, RequestId, Route, ServerInfo, SessionId, Sessions};

/// How many running tool calls are remembered for requests that may yet name them.
const CALLS: usize = 1024;

/// For how long after a stop further requests of the session are refused, in milliseconds, if the end of its run is never
/// heard: it may have been lost, and a later run is for the user to decide about.
const STOPPED: u64 = 60_000;

/// For how long after a stop the run that was stopped may still be said to be under way, in milliseconds.
const DYING: u64 = 2_000;

/// What the flow machine knows of one server.
#[derive(Debug, Clone)]
pub struct Server {
    /// Address, name and origin.
    pub info: ServerInfo,
    /// State of the connection.
    pub link: Link,
    /// When anything was last heard from it.
    pub heard: Option<Moment>,
    /// When a listing last confirmed what is pending.
    pub synced: Option<Moment>,
    /// Its sessions, as far as they are known.
    pub sessions: Sessions,
    /// Requests that are not settled.
    pub entries: BTreeMap<RequestId, Entry>,
    /// Questions that are not settled.
    pub questions: BTreeMap<RequestId, QuestionEntry>,
    /// Sessions whose run is under way, as far as that is known.
    pub running: HashSet<SessionId>,
    /// Sessions that ran or began since it is watched, whether they run now or not: what is chosen is for them, too.
    pub(super) at_work: BTreeSet<SessionId>,
    /// What it asks about when a line of several commands is to run, as far as that was seen.
    pub(super) lines: Lines,
    /// What it was told of sessions' rules.
    pub ruled: BTreeMap<SessionId, Ruled>,
    /// Sessions whose own rules the server does not heed.
    pub(super) unruly: HashSet<SessionId>,
    /// For each listing under way, the number of the event that announced it.
    pub(super) listings: HashMap<u64, u64>,
    /// Sessions whose run the user stopped and that was not heard to end yet, and when they did.
    pub(super) stopping: HashMap<SessionId, Moment>,
    /// Sessions that were asked for with `LookUp`: once is enough.
    pub(super) looked_up: HashSet<SessionId>,
    /// When a new listing was last asked for.
    pub(super) relisted: Moment,
    pub(super) settled: Tombstones,
    /// The highest edition of a request that went out of sight: under its id, something else may come back.
    pub(super) past: u32,
    /// Requests whose run was heard to end, and the number of the event that said so.
    pub(super) ended: HashMap<RequestId, u64>,
    /// What judges refused, by root session.
    pub(super) breakers: HashMap<SessionId, Breaker>,
    calls: HashMap<(SessionId, CallRef), Call>,
}

impl Server {
    pub(super) fn new(info: ServerInfo) -> Self {
        Self {
            info,
            link: Link::Connecting,
            heard: None,
            synced: None,
            sessions: Sessions::default(),
            entries: BTreeMap::new(),
            questions: BTreeMap::new(),
            running: HashSet::new(),
            at_work: BTreeSet::new(),
            lines: Lines::Unknown,
            ruled: BTreeMap::new(),
            unruly: HashSet::new(),
            listings: HashMap::new(),
            stopping: HashMap::new(),
            looked_up: HashSet::new(),
            relisted: Moment(0),
            settled: Tombstones::default(),
            past: 0,
            ended: HashMap::new(),
            breakers: HashMap::new(),
            calls: HashMap::new(),
        }
    }

    /// What this server asks about when a line of several commands is to run, for a request like `ask`.
    #[must_use]
    pub const fn lines(&self, ask: &Ask) -> Lines {
        // 1.x takes every line apart.
        if matches!(ask.route, Route::V1) { Lines::Split } else { self.lines }
    }

    /// Learns from a request what this server asks about. One whole line outweighs all that were taken apart.
    pub(super) fn learn_lines(&mut self, ask: &Ask) {
        match ask.resources.as_slice() {
            _ if ask.action != "shell" || self.lines == Lines::Whole => {}
            [line] if shell::is_whole_line(line) => self.lines = Lines::Whole,
            [_, _, ..] => self.lines = Lines::Split,
            _ => {}
        }
    }

    /// Whether judges refused so much in the thread of `session` that nobody but the user answers there any more.
    #[must_use]
    pub fn judges_no_more(&self, session: &SessionId) -> bool {
        self.breakers.get(self.sessions.root(session)).is_some_and(|breaker| breaker.is_open())
    }

    /// The root sessions of the threads in which judges answer nothing any more.
    pub fn judged_no_more(&self) -> impl Iterator<Item = &SessionId> {
        self.breakers.iter().filter(|(_, breaker)| breaker.is_open()).map(|(root, _)| root)
    }

    /// A session works.
    pub(super) fn works(&mut self, session: &SessionId) {
        // Those that run are remembered otherwise; a server that makes up sessions must not fill the memory.
        if self.at_work.len() >= CALLS {
            self.at_work.clear();
        }
        self.at_work.insert(session.clone());
    }

    /// The run of a session is stopped at `now`. What is refused because of that does not make it last longer.
    pub(super) fn stop(&mut self, session: &SessionId, now: Moment) {
        if !self.is_stopped(session, now) {
            self.stopping.insert(session.clone(), now);
        }
    }

    /// Whether the user stopped the run that is under way in a session at `now`.
    pub(super) fn is_stopped(&mut self, session: &SessionId, now: Moment) -> bool {
        // What was stopped before a clock was put back was stopped long ago.
        let holds = |at: &Moment| *at <= now && now.since(*at) < STOPPED;
        if self.stopping.get(session).is_some_and(|at| !holds(at)) {
            self.stopping.remove(session);
        }
        self.stopping.contains_key(session)
    }

    /// A run of a session is under way at `now`: soon after a stop that is still the one that was stopped, later another.
    pub(super) fn runs_again(&mut self, session: &SessionId, now: Moment) {
        if self.stopping.get(session).is_some_and(|at| now.since(*at) >= DYING) {
            self.stopping.remove(session);
        }
    }

    /// A session's own rules are not heeded. Whether that is news.
    pub(super) fn heeds_no_rules(&mut self, session: &SessionId) -> bool {
        if self.unruly.contains(session) {
            return false;
        }
        // A server that makes up sessions must not fill the memory.
        if self.unruly.len() >= CALLS {
            self.unruly.clear();
        }
        self.unruly.insert(session.clone())
    }

    pub(super) fn begin_call(&mut self, at: (SessionId, CallRef), call: Call) {
        // Calls normally leave with `CallEnded`; a server that never ends them must not fill the memory.
        if self.calls.len() >= CALLS {
            self.calls.clear();
        }
        self.calls.insert(at, call);
    }

    pub(super) fn end_call(&mut self, at: &(SessionId, CallRef)) {
        self.calls.remove(at);
    }

    pub(super) fn call_of(&self, ask: &Ask) -> Call {
        let at = ask.call.clone().map(|call| (ask.session.clone(), call));
        at.and_then(|at| self.calls.get(&at)).cloned().unwrap_or_default()
    }

    /// Whether anything of it is not settled.
    pub(super) fn anything_waits(&self) -> bool {
        !self.entries.is_empty() || !self.questions.is_empty()
    }

    /// Ids of the unsettled requests that `test` holds for.
    pub(super) fn ids(&self, test: impl Fn(&Entry) -> bool) -> Vec<RequestId> {
        self.entries.iter().filter(|(_, entry)| test(entry)).map(|(id, _)| id.clone()).collect()
    }

    /// Ids of the unsettled questions that `test` holds for.
    pub(super) fn question_ids(&self, test: impl Fn(&QuestionEntry) -> bool) -> Vec<RequestId> {
        self.questions.iter().filter(|(_, entry)| test(entry)).map(|(id, _)| id.clone()).collect()
    }
}
