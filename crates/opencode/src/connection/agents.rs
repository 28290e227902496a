//! The agents of the directories of one server, remembered for as long as the server would tell of a change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gavel_core::flow::WireEvent;
use tokio::time::{Instant, sleep};

use super::Connection;
use crate::Error;
use crate::dialect::agents::Agent;

/// The most directories whose agents are remembered; those used longest ago are forgotten first.
const MOST: usize = 100;

/// What is remembered.
#[derive(Debug, Default)]
pub(super) struct KnownAgents(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// Whether a stream is open: without one, nobody tells of changes.
    open: bool,
    /// Counts whatever puts lists that are on their way out of date.
    age: u64,
    /// Counts the uses.
    clock: u64,
    lists: HashMap<String, (u64, Arc<Vec<Agent>>)>,
}

impl KnownAgents {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A stream was opened (`true`) or has ended. Nothing that was known before counts.
    pub(super) fn stream(&self, open: bool) {
        let mut state = self.state();
        state.open = open;
        state.forget(None);
    }

    /// Takes note of what a server said, before anybody else hears of it.
    pub(super) fn hear(&self, event: &WireEvent) {
        match event {
            WireEvent::AgentsChanged(directory) | WireEvent::Disposed(Some(directory)) => {
                self.state().forget(Some(directory).filter(|directory| !directory.is_empty()));
            }
            WireEvent::Disposed(None) => self.state().forget(None),
            _ => {}
        }
    }

    fn get(&self, directory: &str) -> Option<Arc<Vec<Agent>>> {
        let mut state = self.state();
        state.clock += 1;
        let now = state.clock;
        let (used, agents) = state.lists.get_mut(directory)?;
        *used = now;
        Some(Arc::clone(agents))
    }

    fn age(&self) -> u64 {
        self.state().age
    }

    /// Remembers a list that was asked for when this was `age` old.
    fn put(&self, age: u64, directory: &str, agents: &Arc<Vec<Agent>>) {
        let mut state = self.state();
        if !state.open || state.age != age || agents.is_empty() {
            return;
        }
        state.clock += 1;
        let now = state.clock;
        state.lists.insert(directory.to_owned(), (now, Arc::clone(agents)));
        if state.lists.len() > MOST
            && let Some(oldest) = state.lists.iter().min_by_key(|(_, (used, _))| *used).map(|(name, _)| name.clone())
        {
            state.lists.remove(&oldest);
        }
    }
}

impl State {
    fn forget(&mut self, directory: Option<&String>) {
        self.age += 1;
        match directory {
            Some(directory) => drop(self.lists.remove(directory)),
            None => self.lists.clear(),
        }
    }
}

impl Connection {
    /// The agents that can act in `directory`, the default one first where the server keeps to that. A server has none
    /// for its first moments: it is asked again for a while. If there are still none, there are none, for now.
    ///
    /// Asking about a directory in which nothing happens makes the server load that project.
    ///
    /// # Errors
    /// The list could not be had, or the connection was closed.
    pub async fn agents(&self, directory: &str) -> Result<Vec<Agent>, Error> {
        let shared = &self.shared;
        // Whoever asks at the same time gets the same list.
        let _turn = shared.loading.take(&directory.to_owned()).await;
        let until = Instant::now() + shared.tuning.agents_patience;
        loop {
            if let Some(known) = shared.agents.get(directory) {
                return Ok(known.as_ref().clone());
            }
            let age = shared.agents.age();
            let dialect = shared.language().await?;
            let found = {
                let _turn = shared.rulings.acquire().await;
                dialect.agents(&shared.clicks, directory).await?
            };
            let found = Arc::new(found);
            shared.agents.put(age, directory, &found);
            if !found.is_empty() || Instant::now() >= until {
                return Ok(Arc::unwrap_or_clone(found));
            }
            let pause = sleep(shared.tuning.agents_pause);
            shared.closing.run_until_cancelled(pause).await.ok_or(Error::Cut)?;
        }
    }
}
