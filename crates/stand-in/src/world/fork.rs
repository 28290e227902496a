//! Sessions that are copied, and sessions that move.

use super::World;
use super::happening::Happening;
use super::message::Message;
use super::session::{Boundary, NewSession, Session};

impl World {
    /// Copies a session with its rules and its messages: those before a message, or all. `None` if there is no such
    /// session or message.
    pub(crate) fn fork(&mut self, origin: &str, before: Option<&str>) -> Option<Session> {
        let old = self.session(origin)?.clone();
        let messages = self.messages(origin);
        let end = match before {
            Some(before) => messages.iter().position(|message| message.id == before)?,
            None => messages.len(),
        };
        let mut copied: Vec<Message> = messages.get(..end).unwrap_or_default().to_vec();
        let boundary = match (before, copied.last()) {
            (Some(before), _) => Boundary::Before(before.to_owned()),
            (None, Some(last)) => Boundary::Through(last.id.clone()),
            // There is nothing to be through with: the fork of an empty session.
            (None, None) => Boundary::Through(String::new()),
        };
        let Session { directory, rules, agent, model, metadata, .. } = old;
        let title = old.titled.then(|| format!("{} (fork)", old.title));
        let new = NewSession { directory, title, rules, agent, model, metadata, ..NewSession::default() };
        let id = self.create_session(new).id;
        for message in &mut copied {
            message.id = self.mint.ascending("msg");
            message.session.clone_from(&id);
            for part in &mut message.parts {
                part.message.clone_from(&message.id);
                part.session.clone_from(&id);
            }
        }
        let fork = (origin.to_owned(), boundary.clone());
        let thread = self.thread_mut(&id)?;
        thread.messages = copied;
        thread.session.fork = Some(fork);
        let session = thread.session.clone();
        let parent = origin.to_owned();
        self.emit(&session.directory, Happening::Forked { session: id, parent, through: boundary });
        Some(session)
    }

    /// Moves a session to another directory. What it asks for stays where it was asked.
    pub(crate) fn relocate(&mut self, id: &str, directory: &str) {
        let moved = self.update_session(id, |session| directory.clone_into(&mut session.directory));
        if moved.is_some() {
            let (session, to) = (id.to_owned(), directory.to_owned());
            self.emit(directory, Happening::Moved { session, directory: to });
        }
    }
}
