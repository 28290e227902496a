//! One message of an agent: words, then tool calls, all at the same time.

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::tools::{Prepared, Refusal};
use super::work::{Outcome, Started, declined};
use super::{Gone, Run};
use crate::ids;
use crate::script::{Call, Saying, Turn};
use crate::world::ask::{Answer, Gate, Wish};
use crate::world::happening::Failure;
use crate::world::message::PartBody;
use crate::world::session::{Interrupted, RunEnd, Status};

/// How a message ended.
pub(super) enum Ending {
    /// With words only; these.
    Spoken(String),
    /// All its calls came to an end.
    Worked,
    /// A call was declined with this reason; the agent may try something else.
    Declined(String),
    /// The run ends here.
    Over(RunEnd),
}

/// So many identical calls in one message are asked about.
const DOOM: usize = 3;

impl Run {
    /// Plays one message. A turn with nothing in it is the model's closing word.
    pub(super) async fn turn(&self, user: &str, turn: &Turn, first: bool) -> Result<Ending, Gone> {
        let message = self.act(|world| world.begin_message(&self.session, user, first))?;
        if !self.agents.manners.pace.is_zero() {
            tokio::time::sleep(self.agents.manners.pace).await;
        }
        if let Some((status, text)) = &turn.failure {
            // It has said nothing; at most it was asked more than once.
            let retries: Vec<Saying> =
                turn.words.iter().filter(|saying| matches!(saying, Saying::Retry { .. })).cloned().collect();
            self.speak(&message, &retries).await?;
            let failure = Failure::Model { status: *status, message: text.clone() };
            self.act(|world| world.fail_message(&self.session, &message, &failure))?;
            return Ok(Ending::Over(RunEnd::Broken));
        }
        let mut words = self.speak(&message, &turn.words).await?;
        if !turn.calls.is_empty() {
            return self.calls(&message, &turn.calls).await;
        }
        if words.is_empty() {
            words = self.speak(&message, &[Saying::Text("Done.".to_owned())]).await?;
        }
        self.act(|world| world.finish_message(&self.session, &message, "stop", &[]))?;
        Ok(Ending::Spoken(words))
    }

    async fn speak(&self, message: &str, sayings: &[Saying]) -> Result<String, Gone> {
        let mut whole = String::new();
        for saying in sayings {
            let pieces: Vec<String> = match saying {
                Saying::Wait(time) => {
                    tokio::time::sleep(*time).await;
                    continue;
                }
                Saying::Retry { after, why } => {
                    let next = ids::now() + u64::try_from(after.as_millis()).unwrap_or(0);
                    let retry = Status::Retry { message: why.clone(), next };
                    self.act(|world| world.set_status(&self.session, retry))?;
                    tokio::time::sleep(*after).await;
                    self.act(|world| world.set_status(&self.session, Status::Busy))?;
                    continue;
                }
                Saying::Text(text) => text.split_inclusive(' ').map(str::to_owned).collect(),
                Saying::Stream { pieces, bytes } => vec!["x".repeat(*bytes); *pieces],
            };
            let is_sent = self.agents.manners.pieces || matches!(saying, Saying::Stream { .. });
            let start = ids::now();
            let body = PartBody::Text { text: String::new(), start, end: None };
            let mut part = self.act(|world| world.add_part(&self.session, message, body))?;
            for piece in pieces.iter().filter(|_| is_sent) {
                self.act(|world| world.speak(&part, piece))?;
                // So that a long stream leaves room for everyone else.
                tokio::task::yield_now().await;
            }
            let text = pieces.concat();
            whole.push_str(&text);
            part.body = PartBody::Text { text, start, end: Some(ids::now()) };
            self.act(|world| world.put_part(part))?;
        }
        Ok(whole)
    }

    /// Starts all calls, waits for all of them, and sees what follows from how they ended.
    async fn calls(&self, message: &str, calls: &[Call]) -> Result<Ending, Gone> {
        let mut working = FuturesUnordered::new();
        let mut held: Vec<Started> = Vec::new();
        let mut doom: Option<oneshot::Receiver<Answer>> = None;
        let mut made: Vec<(String, Value)> = Vec::new();
        let asks_about_doom = self.agents.stage.see(|world| world.customs.doom);
        for (index, call) in calls.iter().enumerate() {
            let (mut started, gate) = self.start(message, index, call, doom.is_none())?;
            made.push((started.prepared.tool.clone(), started.prepared.input.clone()));
            if doom.is_some() {
                started.repeats = is_doomed(&made);
                held.push(started.clone());
            } else if asks_about_doom && is_doomed(&made) {
                doom = self.ask_about_doom(&started.prepared)?;
            }
            working.push(self.work(started, gate));
        }
        let mut held = held.into_iter();
        let mut finished: Vec<Outcome> = Vec::new();
        loop {
            // While the repetition is asked about, calls run on, but nothing of it is shown.
            if let Some(waiting) = &mut doom {
                tokio::select! {
                    answer = waiting => {
                        if let Ok(Answer::Declined(reason)) = answer {
                            return self.break_off(&declined(reason.as_deref()));
                        }
                        doom = None;
                        for started in held.by_ref() {
                            self.act(|world| {
                                started.show_pending(world);
                                started.show_running(world, false);
                            })?;
                            if started.repeats {
                                doom = self.ask_about_doom(&started.prepared)?;
                                break;
                            }
                        }
                    }
                    Some(outcome) = working.next(), if !working.is_empty() => finished.push(outcome?),
                }
                continue;
            }
            for outcome in &mut finished {
                self.act(|world| outcome.show(world))?;
            }
            match working.next().await {
                Some(outcome) => finished.push(outcome?),
                None => break,
            }
        }
        finished.sort_by_key(|outcome| outcome.index);
        self.conclude(message, finished)
    }

    fn conclude(&self, message: &str, finished: Vec<Outcome>) -> Result<Ending, Gone> {
        let mut stopped = false;
        let mut reason = None;
        let mut last = String::new();
        let has_run = finished.iter().any(|outcome| outcome.result.is_ok());
        let mut diffs = Vec::new();
        self.act(|world| {
            for outcome in finished {
                let text = match outcome.result {
                    Ok(done) => {
                        diffs.extend(done.diff);
                        done.output
                    }
                    Err(refused) => {
                        match refused.why {
                            Refusal::Declined(Some(text)) => reason = Some(text),
                            Refusal::Declined(None) | Refusal::Dismissed => {
                                stopped = true;
                                last.clone_from(&refused.text);
                            }
                            Refusal::Failed => {}
                        }
                        refused.text
                    }
                };
                world.give_back(&self.session, text);
            }
            if world.is_deleted(&self.session) {
                // The database has lost the session, so the rest of the run fails: loudly if something ran.
                let failure = Failure::orphan(&self.session);
                if has_run {
                    let Failure::Unnamed(text) = &failure else { return Ending::Over(RunEnd::Broken) };
                    let retry = Status::Retry { message: text.clone(), next: ids::now() + 2000 };
                    world.set_status(&self.session, retry);
                }
                world.fail_session(&self.session, failure);
                world.set_status(&self.session, Status::Idle);
                return Ending::Over(RunEnd::Broken);
            }
            world.finish_message(&self.session, message, "tool-calls", &diffs);
            match reason {
                _ if stopped => Ending::Over(RunEnd::Stopped(last)),
                Some(reason) => Ending::Declined(reason),
                None => Ending::Worked,
            }
        })
    }

    /// A declined repetition is no declined call: the run breaks off, as if it were aborted.
    fn break_off(&self, text: &str) -> Result<Ending, Gone> {
        let failure = Failure::Unnamed(text.to_owned());
        self.act(|world| world.halt(&self.session, &failure, &RunEnd::Stopped(text.to_owned()), Interrupted::ByUser))?;
        let (agents, session) = (self.agents.clone(), self.session.clone());
        tokio::spawn(async move {
            tokio::time::sleep(agents.manners.clearing).await;
            agents.stage.with(|world| world.clear_away(&session, &failure));
        });
        Err(Gone)
    }

    /// Asks whether the same call may go on and on. `None` if a rule has the answer.
    fn ask_about_doom(&self, prepared: &Prepared) -> Result<Option<oneshot::Receiver<Answer>>, Gone> {
        let wish = Wish {
            permission: "doom_loop".to_owned(),
            patterns: vec![prepared.tool.clone()],
            metadata: json!({ "tool": prepared.tool, "input": prepared.input }),
            always: vec![prepared.tool.clone()],
            ..Wish::default()
        };
        Ok(match self.act(|world| world.wish(&self.session, wish, None))? {
            Gate::Waiting(_, answer) => Some(answer),
            Gate::Open | Gate::Forbidden(_) => None,
        })
    }

    /// Starts one call: its part, its first request, and its part again, now running.
    fn start(&self, message: &str, index: usize, call: &Call, shown: bool) -> Result<(Started, Gate), Gone> {
        self.act(|world| {
            let prepared = Prepared::new(world, &self.session, call);
            let mut started = Started::new(world, &self.session, message, index, prepared);
            started.announce(world);
            if shown {
                started.show_pending(world);
            }
            let gate = match started.prepared.wishes.pop_front() {
                Some(wish) => world.wish(&self.session, wish, Some((message.to_owned(), started.call.clone()))),
                None => Gate::Open,
            };
            if shown {
                started.show_running(world, matches!(gate, Gate::Waiting(..)));
            }
            (started, gate)
        })
    }
}

/// Whether the last calls are all the same.
fn is_doomed(made: &[(String, Value)]) -> bool {
    let last = made.get(made.len().saturating_sub(DOOM)..).unwrap_or_default();
    last.len() == DOOM && last.windows(2).all(|pair| pair.first() == pair.last())
}
