//! The state of the stand-in: sessions, requests, and what the scripted agents did. It knows nothing of any wire.

pub(crate) mod agents;
pub(crate) mod ask;
mod changes;
pub(crate) mod customs;
mod ends;
mod fork;
pub(crate) mod forms;
pub(crate) mod happening;
pub(crate) mod inbox;
pub(crate) mod message;
pub(crate) mod places;
pub(crate) mod record;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod saved;
pub(crate) mod session;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use crate::StandInError;
use crate::ids::Mint;
use agents::Agents;
use ask::{Answer, Ask, Question, QuestionAnswer};
use customs::Customs;
use forms::Raised;
use gavel_core::rules::Rule;
use happening::Stream;
use places::Places;
use record::{Executed, Generated, Received, Ruled, Toast};
use saved::Approval;
use session::Thread;

/// All the stand-in knows. Tests look at it through [`StandIn::world`](crate::StandIn::world) and
/// [`StandIn::wait_until`](crate::StandIn::wait_until).
#[derive(Default)]
pub struct World {
    pub(crate) customs: Customs,
    mint: Mint,
    threads: Vec<Thread>,
    asks: Vec<(Ask, oneshot::Sender<Answer>)>,
    forms: Vec<Raised>,
    /// What the model would say to those who ask it beside the sessions; `None` if it can't be reached.
    pub(crate) generated: Generated,
    pub(crate) toasts: Vec<Toast>,
    questions: Vec<(Question, oneshot::Sender<QuestionAnswer>)>,
    /// What was allowed "always", by directory.
    granted: HashMap<String, Vec<Rule>>,
    saved: Vec<Approval>,
    agents: Agents,
    pub(crate) places: Places,
    /// How often clients looked for the agents of a location.
    looks: HashMap<String, u32>,
    executed: Vec<Executed>,
    received: Vec<Received>,
    ruled: Vec<Ruled>,
    streams: Vec<Stream>,
    runs: u64,
}

/// The world as it is shared by the routes, the agents and the tests.
#[derive(Clone)]
pub(crate) struct Stage {
    world: Arc<Mutex<World>>,
    /// Counts the changes, so that waiting needs no clock.
    changes: Arc<watch::Sender<u64>>,
}

impl Stage {
    pub(crate) fn new(customs: Customs) -> Stage {
        let world = World { customs, ..World::default() };
        Stage { world: Arc::new(Mutex::new(world)), changes: Arc::new(watch::Sender::new(0)) }
    }

    /// Looks at the world.
    pub(crate) fn see<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        look(&self.world.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the world and wakes whoever waits for a change.
    pub(crate) fn with<R>(&self, change: impl FnOnce(&mut World) -> R) -> R {
        let result = change(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner));
        self.touch();
        result
    }

    /// Wakes whoever waits: something changed that the world does not see by itself.
    pub(crate) fn touch(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Waits for the world to be as wanted.
    pub(crate) async fn until(
        &self,
        deadline: Duration,
        mut holds: impl FnMut(&World) -> bool,
    ) -> Result<(), StandInError> {
        let mut changes = self.changes.subscribe();
        let reached = async {
            loop {
                changes.borrow_and_update();
                if self.see(&mut holds) {
                    return;
                }
                if changes.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        tokio::time::timeout(deadline, reached).await.map_err(|_| StandInError::TimedOut(deadline))
    }
}
