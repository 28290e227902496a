//! All grants that are good, and those that can still be had back.

use serde::{Deserialize, Serialize};

use super::{Grant, GrantId};
use crate::rules::Saved;
use crate::{Ask, Moment, ServerId, Session, SessionId};

/// For how long a grant that was taken back can be given again as it was, in milliseconds.
pub const UNDO: u64 = 10_000;

/// All grants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Grants {
    /// Those given, oldest first.
    given: Vec<(GrantId, Grant)>,
    /// Those taken back lately.
    taken: Vec<Taken>,
    last: u64,
}

/// A grant that was taken back and can still be had again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Its name.
    pub id: GrantId,
    /// The grant.
    pub grant: Grant,
    /// When it was taken back.
    pub at: Moment,
}

impl Grants {
    /// Remembers a grant. One without patterns allows nothing, and is not remembered.
    pub fn give(&mut self, grant: Grant) -> Option<GrantId> {
        if grant.patterns.is_empty() {
            return None;
        }
        self.last += 1;
        self.given.push((GrantId(self.last), grant));
        Some(GrantId(self.last))
    }

    /// Those good at `now`, oldest first.
    pub fn live(&self, now: Moment) -> impl Iterator<Item = (GrantId, &Grant)> {
        self.given.iter().filter(move |(_, grant)| grant.is_live(now)).map(|(id, grant)| (*id, grant))
    }

    /// The one called `id`, if it is good at `now`.
    #[must_use]
    pub fn get(&self, id: GrantId, now: Moment) -> Option<&Grant> {
        self.live(now).find(|(known, _)| *known == id).map(|(_, grant)| grant)
    }

    /// The one called `id`, whether it is good, over or taken back.
    #[must_use]
    pub fn find(&self, id: GrantId) -> Option<&Grant> {
        let given = self.given.iter().map(|(id, grant)| (*id, grant));
        let taken = self.taken.iter().map(|taken| (taken.id, &taken.grant));
        given.chain(taken).find(|(known, _)| *known == id).map(|(_, grant)| grant)
    }

    /// What may be told a server as rules of the last session of `chain`: what lasts as long as the session.
    #[must_use]
    pub fn as_rules(&self, server: &ServerId, chain: &[&Session], now: Moment) -> Vec<Saved> {
        let fits = |grant: &Grant| {
            let here = chain.last().is_some_and(|session| session.id == grant.session);
            let above = grant.includes_children && chain.iter().any(|session| session.id == grant.session);
            grant.server == *server && grant.lasts_as_session() && (here || above)
        };
        self.live(now).filter(|(_, grant)| fits(grant)).flat_map(|(_, grant)| grant.patterns.clone()).collect()
    }

    /// Those that can still be had back at `now`.
    pub fn taken(&self, now: Moment) -> impl Iterator<Item = &Taken> {
        self.taken.iter().filter(move |taken| taken.can_be_had_back(now))
    }

    /// The grant that allows `ask` at `now`, if there is one, counted as used. Of several, one that isn't counted comes
    /// first, then the oldest.
    pub fn spend(&mut self, ask: &Ask, chain: &[&Session], now: Moment) -> Option<GrantId> {
        let fits = |(_, grant): &&mut (GrantId, Grant)| grant.is_live(now) && grant.covers(ask, chain);
        let (id, grant) = self.given.iter_mut().filter(fits).min_by_key(|(_, grant)| grant.lasts.uses.is_some())?;
        grant.lasts.uses = grant.lasts.uses.map(|uses| uses.saturating_sub(1));
        grant.used = grant.used.saturating_add(1);
        Some(*id)
    }

    /// Takes back a use that came to nothing: the answer was not delivered, or somebody else was first.
    pub fn unspend(&mut self, id: GrantId) {
        let given = self.given.iter_mut().map(|(id, grant)| (*id, grant));
        let taken = self.taken.iter_mut().map(|taken| (taken.id, &mut taken.grant));
        for (_, grant) in given.chain(taken).filter(|(known, _)| *known == id) {
            grant.lasts.uses = grant.lasts.uses.map(|uses| uses.saturating_add(1));
            grant.used = grant.used.saturating_sub(1);
        }
    }

    /// Takes a grant back. Whether there was one.
    pub fn take_back(&mut self, id: GrantId, now: Moment) -> bool {
        let Some(place) = self.given.iter().position(|(known, _)| *known == id) else { return false };
        let (id, grant) = self.given.remove(place);
        self.taken.push(Taken { id, grant, at: now });
        true
    }

    /// Gives a grant again that was taken back at most [`UNDO`] milliseconds ago. Whether that could be done.
    pub fn undo(&mut self, id: GrantId, now: Moment) -> bool {
        let wanted = |taken: &Taken| taken.id == id && taken.can_be_had_back(now);
        let Some(place) = self.taken.iter().position(wanted) else { return false };
        let Taken { id, grant, .. } = self.taken.remove(place);
        let place = self.given.partition_point(|(known, _)| *known < id);
        self.given.insert(place, (id, grant));
        true
    }

    /// The run of a session ended: so do the grants for this run.
    pub fn run_ended(&mut self, server: &ServerId, session: &SessionId) {
        self.end(|grant| grant.lasts.for_run && grant.server == *server && grant.session == *session);
    }

    /// A session is no more: so are its grants.
    pub fn session_ended(&mut self, server: &ServerId, session: &SessionId) {
        self.end(|grant| grant.server == *server && grant.session == *session);
    }

    /// A server is no more: so are all grants for its sessions.
    pub fn server_gone(&mut self, server: &ServerId) {
        self.end(|grant| grant.server == *server);
    }

    /// Forgets what is over at `now`. Returns the grants that have run out since it was last called.
    pub fn sweep(&mut self, now: Moment) -> Vec<(GrantId, Grant)> {
        self.taken.retain(|taken| taken.can_be_had_back(now));
        self.given.extract_if(.., |(_, grant)| !grant.is_live(now)).collect()
    }

    /// When [`Self::sweep`] next has something to do, as far as that depends on the time.
    #[must_use]
    pub fn next_sweep(&self) -> Option<Moment> {
        let ends = self.given.iter().filter_map(|(_, grant)| grant.lasts.until);
        ends.chain(self.taken.iter().map(|taken| taken.at.plus(UNDO))).min()
    }

    fn end(&mut self, over: impl Fn(&Grant) -> bool) {
        self.given.retain(|(_, grant)| !over(grant));
        self.taken.retain(|taken| !over(&taken.grant));
    }
}

impl Taken {
    /// A clock that was put back must not make it last longer.
    fn can_be_had_back(&self, now: Moment) -> bool {
        (self.at..self.at.plus(UNDO)).contains(&now) && self.grant.is_live(now)
    }
}
