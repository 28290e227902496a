//! What was heard on a stream, whichever dialect it was in.

use gavel_core::SessionId;
use gavel_core::flow::WireEvent;

/// What one frame of the stream came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// Absolute path of the project directory it is about, if it is about one.
    pub directory: Option<String>,
    /// What it said.
    pub said: Said,
    /// What it said besides, where one event tells of two things.
    pub also: Option<WireEvent>,
    /// The session in which the user may have said something new, if there is one.
    pub prompted: Option<SessionId>,
    /// What was odd about it, for the log. Holds no content.
    pub diagnostics: Vec<String>,
}

/// What a frame said.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The stream is open.
    Connected,
    /// The server lives.
    Heartbeat,
    /// Something that matters.
    Event(WireEvent),
    /// Something known, of no concern.
    Nothing,
    /// A kind of event that is not known.
    Unknown(String),
    /// It could not be read, or lacks what it can't do without.
    Unreadable,
}
