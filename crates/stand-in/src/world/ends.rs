//! How runs end: by themselves, with a failure, taken away from their agents, or with the process.

use super::World;
use super::customs::{Orphans, Prompts};
use super::happening::{Failure, Happening};
use super::message::{Mark, Role};
use super::session::{Interrupted, Outcome, RunEnd, Status};
use crate::ids;

impl World {
    /// Ends a run by itself. Whatever the user said meanwhile is left unanswered unless the run finished.
    pub(crate) fn end_run(&mut self, session: &str, end: &RunEnd) {
        let Some(thread) = self.thread_mut(session) else { return };
        thread.run = None;
        thread.winding_up = false;
        thread.queue.clear();
        let waiting = std::mem::take(&mut thread.waiting);
        let directory = thread.session.directory.clone();
        let user = thread.messages.iter().rfind(|message| matches!(message.role, Role::User { .. }));
        let user = user.map(|message| message.id.clone()).unwrap_or_default();
        if let RunEnd::Finished(_) = end {
            self.set_status(session, Status::Busy);
        }
        self.conclude(session, end, Interrupted::ByShutdown);
        self.set_status(session, Status::Idle);
        if *end != RunEnd::Broken {
            self.update_session(session, |_| ());
            self.emit(&directory, Happening::Diff { session: session.to_owned() });
            self.summarise(session, &user);
        }
        for one in waiting {
            // Whoever waited may have left.
            let _ = one.send(end.clone());
        }
    }

    /// The model's server refused: the message and the run end with that.
    pub(crate) fn fail_message(&mut self, session: &str, id: &str, failure: &Failure) {
        self.fail_session(session, failure.clone());
        if self.customs.repeats_status {
            self.set_status(session, Status::Idle);
        }
        self.update_message(session, id, |message| {
            message.completed = Some(ids::now());
            if let Role::Assistant { failure: place, .. } = &mut message.role {
                *place = Some(failure.clone());
            }
        });
    }

    /// How a run ended, for those who are told of runs.
    fn conclude(&mut self, session: &str, end: &RunEnd, why: Interrupted) {
        let Some(thread) = self.thread_mut(session) else { return };
        let outcome = match end {
            RunEnd::Finished(_) => Outcome::Succeeded,
            RunEnd::Stopped(_) | RunEnd::Aborted => Outcome::Interrupted(why),
            RunEnd::Broken => {
                let unknown = || Failure::Unnamed("the run broke off".to_owned());
                Outcome::Failed(thread.failure.take().unwrap_or_else(unknown))
            }
        };
        thread.session.outcome = Some((outcome.clone(), ids::now()));
        let directory = thread.session.directory.clone();
        if self.customs.prompts == Prompts::Inbox {
            self.put_mark(session, Mark::Idle(outcome.clone()));
        }
        self.emit(&directory, Happening::RunEnded { session: session.to_owned(), outcome });
    }

    /// Takes a run away from its agent. Its pending requests stay, with nobody left to wait for the answers, or are
    /// rejected, as it is the custom.
    pub(crate) fn halt(&mut self, session: &str, failure: &Failure, end: &RunEnd, why: Interrupted) -> bool {
        let Some(thread) = self.thread_mut(session) else { return false };
        let Some((_, stop)) = thread.run.take() else { return false };
        stop.cancel();
        thread.queue.clear();
        thread.untold.clear();
        thread.winding_up = false;
        let waiting = std::mem::take(&mut thread.waiting);
        self.fail_session(session, failure.clone());
        self.orphan(session);
        if self.customs.orphans != Orphans::Linger {
            self.close_interrupted(session, failure);
        }
        self.conclude(session, end, why);
        self.set_status(session, Status::Idle);
        for one in waiting {
            let _ = one.send(end.clone());
        }
        true
    }

    /// What a halted run left open is closed a little later, unless a new run has begun.
    pub(crate) fn clear_away(&mut self, session: &str, failure: &Failure) {
        if self.thread(session).is_some_and(|thread| thread.run.is_some()) {
            return;
        }
        self.close_interrupted(session, failure);
        self.set_status(session, Status::Idle);
    }

    /// The process ends: what was only in memory is gone, what was in the database stays as it is.
    pub(crate) fn crash(&mut self) {
        for thread in &mut self.threads {
            if let Some((_, stop)) = thread.run.take() {
                stop.cancel();
            }
            thread.status = Status::Idle;
            thread.queue.clear();
            thread.untold.clear();
            thread.waiting.clear();
            thread.winding_up = false;
        }
        self.asks.clear();
        self.questions.clear();
        self.forms.clear();
        self.granted.clear();
        self.looks.clear();
        self.streams.clear();
    }
}
