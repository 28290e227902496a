//! Runs: what an agent does to its session while it plays a script.

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::World;
use super::customs::Prompts;
use super::happening::Happening;
use super::message::{Message, Part, PartBody, Role};
use super::session::{RunEnd, Status};
use crate::diff::FileDiff;
use crate::ids;
use crate::script::Script;

/// What a model call costs, in and out. Every call costs the same here.
const TOKENS: (u64, u64) = (100, 20);

impl World {
    /// Marks a session as run by a new agent; gives the run's number. It is busy from now on, and says so with its
    /// first message.
    pub(crate) fn begin_run(&mut self, session: &str, stop: CancellationToken) -> Option<u64> {
        self.runs += 1;
        let number = self.runs;
        let thread = self.thread_mut(session)?;
        thread.run = Some((number, stop));
        thread.failure = None;
        let directory = thread.session.directory.clone();
        self.emit(&directory, Happening::RunStarted { session: session.to_owned() });
        if self.customs.repeats_status {
            self.thread_mut(session)?.status = Status::Busy;
        } else {
            self.set_status(session, Status::Busy);
        }
        Some(number)
    }

    /// Whether the run of that number still has its session.
    pub(crate) fn is_running(&self, session: &str, number: u64) -> bool {
        self.thread(session).and_then(|thread| thread.run.as_ref()).is_some_and(|(running, _)| *running == number)
    }

    pub(crate) fn is_winding_up(&self, session: &str) -> bool {
        self.thread(session).is_some_and(|thread| thread.winding_up)
    }

    /// A run ends after one more model call.
    pub(crate) fn wind_up(&mut self, session: &str) {
        if let Some(thread) = self.thread_mut(session) {
            thread.winding_up = true;
            thread.queue.clear();
        }
    }

    /// Whoever waits for the end of a session's run.
    pub(crate) fn await_end(&mut self, session: &str) -> Option<oneshot::Receiver<RunEnd>> {
        let (end, waiting) = oneshot::channel();
        self.thread_mut(session)?.waiting.push(end);
        Some(waiting)
    }

    /// The next prompt of a session, if the user said anything that is not yet worked on.
    pub(crate) fn next_prompt(&mut self, session: &str) -> Option<(String, Script)> {
        match self.customs.prompts {
            Prompts::Message => self.thread_mut(session)?.queue.pop_front(),
            Prompts::Inbox => self.deliver_next(session),
        }
    }

    /// Begins a message of the agent: the model is called, and sees all that tools gave back so far.
    pub(crate) fn begin_message(&mut self, session: &str, answers: &str, first: bool) -> String {
        self.deliver_notes(session);
        let id = self.mint.ascending("msg");
        let Some(thread) = self.thread_mut(session) else { return id };
        let seen = std::mem::take(&mut thread.untold);
        thread.told.extend(seen);
        let (directory, titled) = (thread.session.directory.clone(), thread.session.titled);
        let agent = thread.session.agent.clone().unwrap_or_else(|| "build".to_owned());
        self.set_status(session, Status::Busy);
        self.put_message(Message {
            id: id.clone(),
            session: session.to_owned(),
            directory: directory.clone(),
            created: ids::now(),
            completed: None,
            agent,
            role: Role::Assistant { answers: answers.to_owned(), finish: None, failure: None },
            parts: Vec::new(),
        });
        if first && !titled {
            let title = self.made_up_title(session, answers);
            self.update_session(session, |session| {
                session.titled = !title.is_empty();
                session.title = title;
            });
        }
        self.update_session(session, |session| session.has_summary = true);
        self.emit(&directory, Happening::Diff { session: session.to_owned() });
        self.summarise(session, answers);
        self.set_status(session, Status::Busy);
        let snapshot = self.snapshot(&directory);
        self.add_part(session, &id, PartBody::StepStart { snapshot });
        id
    }

    /// Adds a new part to a message.
    pub(crate) fn add_part(&mut self, session: &str, message: &str, body: PartBody) -> Part {
        let id = self.mint.ascending("prt");
        let part = Part { id, message: message.to_owned(), session: session.to_owned(), body };
        self.put_part(part.clone());
        part
    }

    /// Identifiers for a tool call and its part.
    pub(crate) fn call_ids(&mut self) -> (String, String) {
        (self.mint.call(), self.mint.ascending("prt"))
    }

    /// The directory a session works in, deleted or not.
    pub(crate) fn directory_of(&self, session: &str) -> String {
        self.thread(session).map(|thread| thread.session.directory.clone()).unwrap_or_default()
    }

    /// Ends a message of the agent.
    pub(crate) fn finish_message(&mut self, session: &str, id: &str, reason: &'static str, diffs: &[FileDiff]) {
        let Some(thread) = self.thread_mut(session) else { return };
        let directory = thread.session.directory.clone();
        thread.session.tokens.0 += TOKENS.0;
        thread.session.tokens.1 += TOKENS.1;
        let changes = &mut thread.session.changes;
        for diff in diffs {
            *changes = (changes.0 + diff.additions, changes.1 + diff.deletions, changes.2 + 1);
        }
        let user = thread.messages.iter_mut().rfind(|message| matches!(message.role, Role::User { .. }));
        if let Some(Role::User { diffs: known, .. }) = user.map(|message| &mut message.role) {
            known.extend_from_slice(diffs);
        }
        let snapshot = self.snapshot(&directory);
        self.add_part(session, id, PartBody::StepFinish { reason, snapshot: snapshot.clone() });
        self.update_message(session, id, |message| {
            if let Role::Assistant { finish, .. } = &mut message.role {
                *finish = Some(reason);
            }
        });
        if !diffs.is_empty() {
            let files = diffs.iter().map(|diff| diff.file.clone()).collect();
            self.add_part(session, id, PartBody::Patch { hash: snapshot, files });
        }
        self.update_message(session, id, |message| message.completed = Some(ids::now()));
    }

    /// What a tool gave back; the model sees it when it is called next.
    pub(crate) fn give_back(&mut self, session: &str, text: String) {
        if let Some(thread) = self.thread_mut(session) {
            thread.untold.push(text);
        }
    }

    /// The sessions of a directory whose agents are at work.
    pub(crate) fn running_in(&self, directory: &str) -> Vec<String> {
        let here = self.threads.iter().filter(|thread| thread.session.directory == directory && thread.run.is_some());
        here.map(|thread| thread.session.id.clone()).collect()
    }

    /// The sub-agents at work under a session, the deepest first.
    pub(crate) fn running_under(&self, session: &str) -> Vec<String> {
        let mut found = Vec::new();
        for thread in self.threads.iter().filter(|thread| thread.session.parent.as_deref() == Some(session)) {
            found.extend(self.running_under(&thread.session.id));
            if thread.run.is_some() {
                found.push(thread.session.id.clone());
            }
        }
        found
    }

    pub(super) fn summarise(&mut self, session: &str, user: &str) {
        self.update_message(session, user, |message| {
            if let Role::User { summarised, .. } = &mut message.role {
                *summarised = true;
            }
        });
    }

    /// The first words of what the user said.
    fn made_up_title(&self, session: &str, message: &str) -> String {
        let spoken = self.messages(session).iter().find(|one| one.id == message).and_then(|one| one.parts.first());
        let text = spoken.map_or("", |part| if let PartBody::Prompt(text) = &part.body { text } else { "" });
        let words: Vec<&str> = text.split_whitespace().take(6).collect();
        words.join(" ")
    }

    /// Changes with every file that changes.
    fn snapshot(&self, directory: &str) -> String {
        ids::fingerprint(&format!("{directory}#{}", self.executed.len()))
    }
}
