//! What waited when Gavel last ended: what became of it meanwhile is told as far as it can be known.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::effect::{Effect, Happened, Record};
use super::event::{Scope, Timer};
use super::machine::{Flow, Step};
use crate::{Moment, Origin, RequestId, RequestKey, Route, ServerId, Settled};

/// For how long a server is waited for that nobody watches yet, in milliseconds: the search for servers takes a while.
const PATIENCE: u64 = 120_000;

/// How many are remembered, those first that wait longest.
const MOST: usize = 256;

/// What waited when Gavel last ended, and of which nothing was heard since.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Away(Vec<Left>);

/// A request or a question that waited when Gavel ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Left {
    /// Which routes list it.
    route: Route,
    /// Whether it is a question.
    question: bool,
    /// Since when it waited.
    since: Moment,
    /// The line that the log gets if it is gone when Gavel is back.
    record: Record,
}

impl Away {
    /// Which requests and questions these are.
    pub fn keys(&self) -> impl Iterator<Item = &RequestKey> {
        self.0.iter().map(|left| &left.record.key)
    }

    /// The lines that the log gets of those that are gone when Gavel is back.
    pub fn records_mut(&mut self) -> impl Iterator<Item = &mut Record> {
        self.0.iter_mut().map(|left| &mut left.record)
    }

    /// What the log tells the end of by now is not told again.
    pub fn forget_ended(&mut self, is_ended: impl Fn(&RequestKey, Moment) -> bool) {
        self.0.retain(|left| !is_ended(&left.record.key, left.since));
    }

    /// Forgets what waited on this server.
    pub(super) fn forget_server(&mut self, id: &ServerId) {
        self.0.retain(|left| left.record.key.server != *id);
    }

    fn take(&mut self, test: impl Fn(&Left) -> bool) -> Vec<Left> {
        self.0.extract_if(.., |left| test(left)).collect()
    }
}

impl Flow {
    /// What waits now, or waited when Gavel last ended and was not heard of since, by its key.
    #[must_use]
    pub fn waiting(&self) -> HashSet<&RequestKey> {
        let watched = self.servers().values().filter(|server| server.info.origin != Origin::Demo);
        let keys = watched.flat_map(|server| {
            let requests = server.entries.values().map(|entry| &entry.ask.key);
            requests.chain(server.questions.values().map(|entry| &entry.question.key))
        });
        keys.chain(self.away.0.iter().map(|left| &left.record.key)).collect()
    }

    /// The same, to be kept for a run that comes after this one. What was only played is not worth it.
    #[must_use]
    pub fn leave(&self, now: Moment) -> Away {
        let mut step = Step::at(now);
        let mut all = self.away.0.clone();
        for server in self.servers().values().filter(|server| server.info.origin != Origin::Demo) {
            for (id, entry) in &server.entries {
                step.record(server, id, gone());
                step.leave(entry.ask.route, false, entry.since, &mut all);
            }
            for (id, entry) in &server.questions {
                step.record_question(server, id, gone());
                step.leave(entry.question.route, true, entry.since, &mut all);
            }
        }
        all.sort_by_key(|left| left.since);
        all.truncate(MOST);
        Away(all)
    }
}

impl Step {
    fn leave(&mut self, route: Route, question: bool, since: Moment, all: &mut Vec<Left>) {
        for effect in self.effects.drain(..) {
            if let Effect::Record(record) = effect {
                all.push(Left { route, question, since, record: *record });
            }
        }
    }

    /// Gavel is back.
    pub(super) fn back(&mut self, away: Away) {
        if !away.0.is_empty() {
            self.effects.push(Effect::Timer { at: self.now.plus(PATIENCE), timer: Timer::Away });
        }
        self.away = away;
    }

    /// It waits again, or its end is told otherwise.
    pub(super) fn met_again(&mut self, key: &RequestKey) {
        drop(self.away.take(|left| left.record.key == *key));
    }

    /// A listing arrived: what it covers and doesn't name was settled while Gavel was away.
    pub(super) fn listed_since(
        &mut self,
        id: &ServerId,
        question: bool,
        scope: &Scope,
        pending: &HashSet<&RequestKey>,
    ) {
        let gone = self.away.take(|left| {
            let Record { key, directory, .. } = &left.record;
            key.server == *id
                && left.question == question
                && scope.covers(left.route, directory)
                && !pending.contains(key)
        });
        self.tell(gone, &Settled::WhileAway);
    }

    /// Of a request that waited when Gavel ended, the end is told after all.
    pub(super) fn ended_since(&mut self, id: &ServerId, request: &RequestId, settled: &Settled) {
        let ended = self.away.take(|left| left.record.key.server == *id && left.record.key.request == *request);
        self.tell(ended, settled);
    }

    /// Nothing of what waited on this server waits any more.
    pub(super) fn none_since(&mut self, id: &ServerId, settled: &Settled) {
        let ended = self.away.take(|left| left.record.key.server == *id);
        self.tell(ended, settled);
    }

    /// Nobody watches these servers any more: they have ended, or were removed.
    pub(super) fn unwatched_since(&mut self, is_watched: impl Fn(&ServerId) -> bool) {
        let ended = self.away.take(|left| !is_watched(&left.record.key.server));
        self.tell(ended, &Settled::ServerGone);
    }

    fn tell(&mut self, ended: Vec<Left>, settled: &Settled) {
        for Left { since, record, .. } in ended {
            let what = Happened::Settled { settled: settled.clone() };
            let (at, waited) = (self.now, self.now.since(since));
            self.effects.push(Effect::Record(Box::new(Record { at, waited, what, ..record })));
            self.publish();
        }
    }
}

/// What is told of it if nothing better is known by then.
const fn gone() -> Happened {
    Happened::Settled { settled: Settled::WhileAway }
}
