//! What Gavel wrote a moment ago, and what it displaced by that: so that it can be told, of a file that somebody else has
//! written, which of it they had not seen.
//!
//! Every write bears a mark, which others carry along with whatever they write on top of it. A file's mark thus says how
//! many of our writes its writer had seen. A writer that drops the mark is judged by what the file holds.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use gavel_core::rules_file::{Content, Difference};

/// How many writes are remembered at most. Another program may be held up between its look and its rename.
const MOST: usize = 4096;

/// For so long, a file that bears the mark of an older write is taken for one whose writer had not seen the newer ones,
/// an editor for instance. Later it is one that somebody put back on purpose.
const KNOWN: Duration = Duration::from_secs(60);

/// For so long, a file without a mark we know is taken for that: programs write within milliseconds.
const UNKNOWN: Duration = Duration::from_secs(2);

/// The last writes, oldest first.
#[derive(Debug, Default)]
pub(super) struct Written {
    writes: VecDeque<Write>,
    /// How many there were before the first one that is remembered.
    forgotten: usize,
    displaced: Vec<Displaced>,
}

/// A write. It had in it all the changes of those before.
#[derive(Debug)]
struct Write {
    /// The mark of the file that it was made from.
    over: Option<String>,
    /// Its own mark.
    mark: Option<String>,
    /// The changes that were made by it.
    changes: Difference,
    at: Instant,
}

/// What others had written, and a write of ours displaced. It is in whatever they make from theirs, and not in what anybody
/// makes from ours.
#[derive(Debug)]
struct Displaced {
    theirs: Difference,
    /// The number of the write that displaced it.
    by: usize,
    /// The number of the first write that it is in again.
    again: Option<usize>,
}

impl Written {
    /// A write of `after`, made from `before`, was put in place. `changed` is what `before` was before the changes.
    pub(super) fn note(&mut self, before: &Content, changed: &Content, after: &Content) {
        while self.writes.len() >= MOST || self.writes.front().is_some_and(|write| write.at.elapsed() > KNOWN) {
            self.writes.pop_front();
            self.forgotten += 1;
        }
        let forgotten = self.forgotten;
        self.displaced.retain(|displaced| displaced.again.is_none_or(|again| again >= forgotten));
        let number = self.count();
        for displaced in self.displaced.iter_mut().filter(|displaced| displaced.again.is_none()) {
            displaced.again = Some(number);
        }
        let mark = |content: &Content| content.mark().map(str::to_owned);
        let changes = Difference::between(changed, after);
        self.writes.push_back(Write { over: mark(before), mark: mark(after), changes, at: Instant::now() });
    }

    /// The last write displaced `theirs`, which was put in the place of `found`.
    pub(super) fn note_displaced(&mut self, found: &Content, theirs: &Content) {
        let theirs = Difference::between(found, theirs);
        self.displaced.push(Displaced { theirs, by: self.count().saturating_sub(1), again: None });
    }

    /// Makes again in `found`, a file that somebody has written, what they had not seen.
    pub(super) fn restore(&self, found: &mut Content) {
        let Some((seen, age)) = self.seen(found) else { return };
        let numbered = (self.forgotten..).zip(&self.writes);
        for (_, write) in numbered.filter(|(number, write)| *number >= seen && write.at.elapsed() < age) {
            found.adopt(&write.changes);
        }
        let unseen = |displaced: &&Displaced| displaced.by < seen && displaced.again.is_none_or(|again| again >= seen);
        for displaced in self.displaced.iter().filter(unseen) {
            found.adopt(&displaced.theirs);
        }
    }

    /// Nothing is missing in `found`: what it should have had again by now, it has.
    pub(super) fn settle(&mut self, found: &Content) {
        let Some((seen, _)) = self.seen(found) else { return };
        let missing = |again: Option<usize>| again.is_none_or(|again| again >= seen);
        for displaced in self.displaced.iter_mut().filter(|one| one.by < seen && missing(one.again)) {
            displaced.again = Some(displaced.by);
        }
    }

    /// How many of the writes had been seen by whoever wrote `found`, and how old those that had not may be at most.
    fn seen(&self, found: &Content) -> Option<(usize, Duration)> {
        let mark = found.mark();
        let written = self.writes.iter().rposition(|write| write.mark.as_deref() == mark).map(|place| place + 1);
        let over = || self.writes.iter().rposition(|write| write.over.as_deref() == mark);
        if let (Some(_), Some(place)) = (mark, written.or_else(over)) {
            return Some((self.forgotten + place, KNOWN));
        }
        if self.writes.back()?.at.elapsed() > UNKNOWN {
            return Some((self.count(), UNKNOWN));
        }
        Some((self.forgotten + self.shown(found), UNKNOWN))
    }

    /// How many of the writes that are remembered can be told from what is in `found`.
    fn shown(&self, found: &Content) -> usize {
        let mut place = self.writes.iter().rposition(|write| found.shows(&write.changes)).map_or(0, |place| place + 1);
        // What was there before and is taken out by the next ones shows by not being there.
        while let Some(write) = self.writes.get(place) {
            let number = self.forgotten + place;
            let put_back = self.displaced.iter().filter(|displaced| displaced.again == Some(number));
            let mut with_it = found.clone();
            with_it.adopt(&write.changes);
            put_back.for_each(|displaced| with_it.adopt(&displaced.theirs));
            if with_it != *found {
                break;
            }
            place += 1;
        }
        place
    }

    /// How many writes there were.
    fn count(&self) -> usize {
        self.forgotten + self.writes.len()
    }
}
