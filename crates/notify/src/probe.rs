//! When to ask again what was no use so far. Pure.

use std::time::{Duration, Instant};

/// The longest time between two questions.
const LONGEST: Duration = Duration::from_secs(300);

/// Soon at first, then ever more seldom.
#[derive(Debug)]
pub(crate) struct Probe {
    first: Duration,
    wait: Duration,
    last: Option<Instant>,
}

impl Probe {
    pub const fn new(first: Duration) -> Self {
        Self { first, wait: Duration::ZERO, last: None }
    }

    /// It was asked.
    pub fn sent(&mut self, now: Instant) {
        self.wait = (self.wait * 2).clamp(self.first, self.first.max(LONGEST));
        self.last = Some(now);
    }

    /// Something new makes it worth asking as soon as at first.
    pub fn hasten(&mut self) {
        self.wait = self.wait.min(self.first);
    }

    /// When to ask again; `None` if it was never asked.
    pub fn at(&self) -> Option<Instant> {
        self.last.map(|last| last + self.wait)
    }

    pub fn is_due(&self, now: Instant) -> bool {
        self.at().is_none_or(|at| at <= now)
    }
}
