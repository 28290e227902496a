//! One at a time for each of many things.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

/// Hands out turns. Only things that somebody has a turn for, or waits for one, are held.
#[derive(Debug)]
pub(super) struct Turns<K>(Mutex<HashMap<K, Arc<tokio::sync::Mutex<()>>>>);

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash + Clone> Turns<K> {
    /// Waits until nobody else has a turn for `key`. The turn lasts until it is dropped.
    pub(super) async fn take(&self, key: &K) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever has a turn or waits for one holds on to it, too.
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(key.clone()).or_default())
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_at_a_time_and_nothing_is_kept() {
        let turns = Turns::default();
        for round in 0..100 {
            drop(turns.take(&round).await);
        }
        let first = turns.take(&200).await_now().expect("nobody has it");
        assert!(turns.take(&200).await_now().is_none(), "it is taken");
        assert!(turns.take(&201).await_now().is_some(), "another thing");
        drop(first);
        assert!(turns.take(&200).await_now().is_some());
        assert_eq!(turns.0.lock().unwrap().len(), 1);
    }

    trait Now: Future + Sized {
        /// What comes of it at once.
        fn await_now(self) -> Option<Self::Output> {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            match std::pin::pin!(self).poll(&mut context) {
                std::task::Poll::Ready(done) => Some(done),
                std::task::Poll::Pending => None,
            }
        }
    }

    impl<F: Future> Now for F {}
}
