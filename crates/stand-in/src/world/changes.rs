//! What becomes of sessions: they are changed, handed over, deleted.

use gavel_core::rules::Rule;

use super::World;
use super::customs::{Approvals, Orphans};
use super::happening::{Failure, Happening};
use super::message::Mark;
use super::session::{Interrupted, Model, RunEnd, Session, Status};
use crate::ids;

impl World {
    /// Changes a session and tells it. `None` if there is none.
    pub(crate) fn update_session(&mut self, id: &str, change: impl FnOnce(&mut Session)) -> Option<Session> {
        let thread = self.thread_mut(id).filter(|thread| !thread.deleted)?;
        change(&mut thread.session);
        thread.session.updated = ids::now();
        let session = thread.session.clone();
        self.emit(&session.directory, Happening::SessionUpdated(session.clone()));
        Some(session)
    }

    /// Replaces all rules of a session. They count from the next look on; what is asked already stays asked.
    pub(crate) fn replace_rules(&mut self, id: &str, rules: Vec<Rule>) {
        let told = rules.clone();
        if let Some(session) = self.update_session(id, |session| session.rules = rules) {
            self.emit(&session.directory, Happening::RulesReplaced { session: session.id, rules: told });
        }
    }

    /// Sets a session's rules as its dialect does.
    pub(crate) fn set_rules(&mut self, id: &str, rules: &[Rule]) {
        match self.customs.approvals {
            Approvals::Saved => self.replace_rules(id, rules.to_vec()),
            Approvals::InMemory => drop(self.update_session(id, |session| session.rules.extend_from_slice(rules))),
        }
    }

    /// Hands a session over to another agent.
    pub(crate) fn select_agent(&mut self, id: &str, agent: &str) {
        let mut previous = None;
        let agent = agent.to_owned();
        let changed = self.update_session(id, |session| previous = session.agent.replace(agent.clone()));
        if let Some(session) = changed {
            self.put_mark(id, Mark::AgentSelected { agent: agent.clone(), previous: previous.clone() });
            let happening = Happening::AgentSelected { session: session.id, agent, previous };
            self.emit(&session.directory, happening);
        }
    }

    /// Gives a session another model.
    pub(crate) fn select_model(&mut self, id: &str, model: Model) {
        let mut previous = None;
        let changed = self.update_session(id, |session| previous = session.model.replace(model.clone()));
        if let Some(session) = changed {
            self.put_mark(id, Mark::ModelSelected { model: model.clone(), previous: previous.clone() });
            let happening = Happening::ModelSelected { session: session.id, model, previous };
            self.emit(&session.directory, happening);
        }
    }

    /// Deletes a session and its children. Under 1.x that stops no run and settles no request.
    pub(crate) fn delete_session(&mut self, id: &str) -> bool {
        if self.session(id).is_none() {
            return false;
        }
        for child in self.children(id) {
            self.delete_session(&child.id);
        }
        if self.customs.orphans != Orphans::Linger {
            self.halt(id, &Failure::Aborted, &RunEnd::Aborted, Interrupted::ByUser);
        }
        self.orphan(id);
        if let Some(thread) = self.thread_mut(id) {
            let session = thread.session.clone();
            self.emit(&session.directory, Happening::SessionDeleted(session.clone()));
        }
        if let Some(thread) = self.thread_mut(id) {
            thread.deleted = true;
        }
        true
    }

    /// Deletes a session with its children and drops all that is known of them, if none is at work or asked for.
    pub(crate) fn forget_session(&mut self, id: &str) {
        let mut family = vec![id.to_owned()];
        let mut looked_at = 0;
        while let Some(parent) = family.get(looked_at).cloned() {
            family.extend(self.children(&parent).into_iter().map(|child| child.id));
            looked_at += 1;
        }
        let is_over =
            |one: &String| self.status(one) == Status::Idle && !self.asks.iter().any(|(ask, _)| ask.session == *one);
        if family.iter().all(is_over) {
            self.delete_session(id);
            self.threads.retain(|thread| !family.contains(&thread.session.id));
        }
    }
}
