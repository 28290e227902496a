//! The scripted agents: each plays the scripts of one session, and waits where a real agent would wait.

mod forms;
mod tools;
mod turn;
mod work;

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::StandInError;
use crate::script::{Prompt, Turn};
use crate::world::Stage;
use crate::world::World;
use crate::world::customs::Interruption;
use crate::world::happening::{Failure, Happening};
use crate::world::inbox::Item;
use crate::world::session::{Interrupted, RunEnd};
pub(crate) use tools::inquiry;
use turn::Ending;

/// How agents behave, apart from their scripts.
#[derive(Debug, Clone)]
pub(crate) struct Manners {
    /// How long an agent thinks before each of its messages.
    pub(crate) pace: Duration,
    /// How long after an abort the open tool calls are closed.
    pub(crate) clearing: Duration,
    /// Words are also sent piece by piece, as they are spoken.
    pub(crate) pieces: bool,
}

/// Starts agents and stops them.
#[derive(Clone)]
pub(crate) struct Agents {
    pub(crate) stage: Stage,
    pub(crate) manners: Manners,
    /// Ends with the server's process.
    pub(crate) life: CancellationToken,
}

/// The session was taken away from the run: it was aborted, or the process ended.
pub(super) struct Gone;

/// One agent at work.
pub(super) struct Run {
    agents: Agents,
    session: String,
    number: u64,
}

impl Agents {
    /// The user says something; the session's agent is started unless it is at work already.
    pub(crate) fn prompt(&self, session: &str, prompt: Prompt) -> Result<oneshot::Receiver<RunEnd>, StandInError> {
        self.tell(session, |world| world.hear(session, prompt))
    }

    /// Puts something into a session's inbox; its agent is started if that wakes it.
    pub(crate) fn admit(&self, item: Item) -> Result<(), StandInError> {
        let session = item.session.clone();
        // Nobody here waits for the end of the run.
        self.tell(&session, |world| world.admit(item)).map(drop)
    }

    /// `hear` says whether the agent has to be started, or that there is no such session.
    fn tell(
        &self,
        session: &str,
        hear: impl FnOnce(&mut World) -> Option<bool>,
    ) -> Result<oneshot::Receiver<RunEnd>, StandInError> {
        let missing = || StandInError::NoSuchSession(session.to_owned());
        let (start, end) = self
            .stage
            .with(|world| {
                let start = hear(world)?;
                let end = world.await_end(session)?;
                if !start {
                    return Some((None, end));
                }
                let stop = self.life.child_token();
                Some((Some((world.begin_run(session, stop.clone())?, stop)), end))
            })
            .ok_or_else(missing)?;
        if let Some((number, stop)) = start {
            let run = Run { agents: self.clone(), session: session.to_owned(), number };
            // Boxed, because agents start agents: the type would contain itself.
            let playing: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
                tokio::select! {
                    biased;
                    () = stop.cancelled() => {}
                    _ = run.play() => {}
                }
            });
            tokio::spawn(playing);
        }
        Ok(end)
    }

    /// Stops a session's run, and those of its sub-agents, as `POST /session/{id}/abort` does. A run that waits for
    /// sub-agents is not taken away: its call fails, its model is called once more, and then it ends.
    /// A session that rests, or is none, is only said to be idle, in `directory`.
    ///
    /// Under 2.x a run is interrupted with all its sub-agents, and nothing is said of a session that rests.
    /// `false` if nothing was at work.
    pub(crate) async fn abort(&self, session: &str, directory: &str) -> bool {
        if self.stage.see(|world| world.customs.interruption) == Interruption::TakesAll {
            return self.stage.with(|world| {
                let mut all = world.running_under(session);
                all.push(session.to_owned());
                // Every one of them, not only up to the first.
                let halt = |one: &String| world.halt(one, &Failure::Aborted, &RunEnd::Aborted, Interrupted::ByUser);
                let halted: Vec<bool> = all.iter().map(halt).collect();
                halted.contains(&true)
            });
        }
        let (halted, last) = self.stage.with(|world| {
            let below = world.running_under(session);
            if below.is_empty() {
                if world.halt(session, &Failure::Aborted, &RunEnd::Aborted, Interrupted::ByUser) {
                    return (vec![session.to_owned()], None);
                }
                world.say_idle(session, directory);
                return (Vec::new(), None);
            }
            world.wind_up(session);
            let last = world.await_end(session);
            for one in &below {
                world.halt(one, &Failure::Aborted, &RunEnd::Aborted, Interrupted::ByUser);
            }
            (below, last)
        });
        if halted.is_empty() {
            return false;
        }
        tokio::time::sleep(self.manners.clearing).await;
        self.clear_away(&halted);
        if let Some(last) = last {
            // An error means that the process ended meanwhile.
            let _ = last.await;
            self.stage.with(|world| world.clear_away(session, &Failure::Aborted));
        }
        true
    }

    /// Takes all runs of a directory away, and forgets its requests, as `POST /instance/dispose` does.
    pub(crate) async fn dispose(&self, directory: &str) {
        let halted = self.stage.with(|world| {
            let running = world.running_in(directory);
            running
                .into_iter()
                .filter(|session| world.halt(session, &Failure::Aborted, &RunEnd::Aborted, Interrupted::ByShutdown))
                .collect::<Vec<_>>()
        });
        if !halted.is_empty() {
            tokio::time::sleep(self.manners.clearing).await;
            self.clear_away(&halted);
        }
        self.stage.with(|world| {
            world.forget_directory(directory);
            world.announce(directory, Happening::Disposed);
        });
    }

    fn clear_away(&self, sessions: &[String]) {
        self.stage.with(|world| {
            for session in sessions {
                world.clear_away(session, &Failure::Aborted);
            }
        });
    }
}

impl Run {
    /// Changes the world, as long as the session is this run's.
    fn act<R>(&self, change: impl FnOnce(&mut World) -> R) -> Result<R, Gone> {
        self.agents.stage.with(
            |world| {
                if world.is_running(&self.session, self.number) { Ok(change(world)) } else { Err(Gone) }
            },
        )
    }

    /// Plays all the user asks for, until nothing is left or the run is stopped.
    async fn play(&self) -> Result<(), Gone> {
        let mut last_words = String::new();
        loop {
            // In one go, so that nothing the user says in between is lost.
            let next = self.act(|world| {
                let next = world.next_prompt(&self.session);
                if next.is_none() {
                    world.end_run(&self.session, &RunEnd::Finished(last_words.clone()));
                }
                next
            })?;
            let Some((user, script)) = next else { return Ok(()) };
            match self.perform(&user, script.turns.into()).await? {
                Ok(words) => last_words = words,
                Err(end) => return self.act(|world| world.end_run(&self.session, &end)),
            }
        }
    }

    /// Plays one script. Gives its last words, or how the run ended before its time.
    async fn perform(&self, user: &str, mut turns: VecDeque<Turn>) -> Result<Result<String, RunEnd>, Gone> {
        let mut first = true;
        loop {
            if self.agents.stage.see(|world| world.is_winding_up(&self.session)) {
                turns.clear();
            }
            let turn = turns.pop_front().unwrap_or_default();
            match self.turn(user, &turn, first).await? {
                Ending::Spoken(words) => {
                    if turns.is_empty() {
                        return Ok(Ok(words));
                    }
                }
                Ending::Worked => {}
                Ending::Declined(reason) => {
                    for other in turn.instead.unwrap_or_default().knowing(&reason).turns.into_iter().rev() {
                        turns.push_front(other);
                    }
                }
                Ending::Over(end) => return Ok(Err(end)),
            }
            first = false;
        }
    }
}
