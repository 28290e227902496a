//! How long to wait before the next attempt.

use std::time::Duration;

use rand::RngExt as _;

/// Pauses that double, each shortened at random so that many connections don't knock in step.
#[derive(Debug)]
pub(super) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    pub(super) const fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first }
    }

    /// The next pause.
    pub(super) fn pause(&mut self) -> Duration {
        let full = self.next.min(self.longest);
        self.next = full * 2;
        full.mul_f64(rand::rng().random_range(0.5..=1.0))
    }

    /// Things went well: start over.
    pub(super) const fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_the_longest_and_starts_over() {
        let (first, longest) = (Duration::from_millis(250), Duration::from_secs(15));
        let mut backoff = Backoff::new(first, longest);
        let mut full = first;
        for _ in 0..12 {
            let pause = backoff.pause();
            assert!(pause >= full / 2 && pause <= full, "{pause:?} of {full:?}");
            full = (full * 2).min(longest);
        }
        assert_eq!(full, longest);
        backoff.reset();
        assert!(backoff.pause() <= first);
    }
}
