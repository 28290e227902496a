//! A session from its wire form.

use gavel_core::{Session, SessionId};

use super::lenient::{Raw, part, text, word};
use super::wire;

/// What is known about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Existence {
    /// It exists.
    Alive(Session),
    /// The server has no such session.
    Deleted,
}

/// A session from its wire form; `None` without an id.
pub fn session(wire: &wire::Session<'_>) -> Option<Session> {
    let place = || part::<wire::Location<'_>>(wire.location).and_then(|place| word(place.directory));
    Some(Session {
        id: SessionId(word(wire.id).or_else(|| word(wire.session))?),
        parent: word(wire.parent).map(SessionId),
        title: text(wire.title).unwrap_or_default(),
        directory: word(wire.directory).or_else(place).unwrap_or_default(),
        agent: word(wire.agent),
    })
}

/// Whether a session with this status has no run.
pub fn is_idle(status: Raw<'_>) -> bool {
    state(status).as_deref() == Some("idle")
}

/// Whether a session with this status has a run that is at work.
pub fn is_busy(status: Raw<'_>) -> bool {
    state(status).as_deref() == Some("busy")
}

fn state(status: Raw<'_>) -> Option<String> {
    let kind = part::<wire::Status<'_>>(status).and_then(|status| word(status.kind));
    kind.or_else(|| word(status))
}
