//! Runs that ended, so that older news of them is not told.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gavel_core::SessionId;
use gavel_core::flow::WireEvent;

/// The most ends that are remembered. Only those count that come while the server is being asked.
const MOST: usize = 1000;

/// When runs ended, in an order of their own.
#[derive(Debug, Default)]
pub(super) struct Ends(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    clock: u64,
    at: HashMap<SessionId, u64>,
}

impl Ends {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of what a server said, before anybody else hears of it.
    pub(super) fn hear(&self, event: &WireEvent) {
        let (WireEvent::RunEnded(session) | WireEvent::SessionDeleted(session)) = event else { return };
        let mut state = self.state();
        if state.at.len() >= MOST {
            state.at.clear();
        }
        state.clock += 1;
        let now = state.clock;
        state.at.insert(session.clone(), now);
    }

    /// The present moment.
    pub(super) fn now(&self) -> u64 {
        self.state().clock
    }

    /// Whether the run of `session` was heard to end after `moment`.
    pub(super) fn ended_since(&self, moment: u64, session: &SessionId) -> bool {
        self.state().at.get(session).is_some_and(|at| *at > moment)
    }
}
