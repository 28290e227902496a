//! What Gavel wrote a moment ago, so that it can be told when somebody has written over it without having seen it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use gavel_core::rules_file::Content;

/// How many writes are remembered.
const MOST: usize = 64;

/// For so long, a file that bears the mark of an older write is taken for one whose writer had not seen the newer ones,
/// an editor for instance. Later it is one that somebody put back on purpose.
const KNOWN: Duration = Duration::from_secs(60);

/// For so long, a file without a mark we know is taken for that: programs write within milliseconds.
const UNKNOWN: Duration = Duration::from_secs(2);

/// The last writes, oldest first.
#[derive(Debug, Default)]
pub(super) struct Written(VecDeque<Write>);

#[derive(Debug)]
struct Write {
    before: Content,
    after: Content,
    at: Instant,
}

impl Written {
    /// A write made `after` of `before`, just now.
    pub(super) fn note(&mut self, before: Content, after: Content) {
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back(Write { before, after, at: Instant::now() });
    }

    /// Makes again in `found`, the file as it is now, what its writer had not seen.
    pub(super) fn restore(&self, found: &mut Content) {
        let mark = found.mark().map(str::to_owned);
        let known = mark.as_deref();
        if self.0.back().is_none_or(|last| last.after.mark() == known) {
            return;
        }
        let from = self.0.iter().rposition(|write| write.before.mark() == known);
        let unseen = self.0.iter().skip(from.unwrap_or(0));
        let age = if from.is_some() && known.is_some() { KNOWN } else { UNKNOWN };
        for write in unseen.filter(|write| write.at.elapsed() < age) {
            found.adopt(&write.before, &write.after);
        }
    }
}
