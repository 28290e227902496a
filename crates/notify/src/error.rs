//! What can go wrong between Gavel and the desktop.

use std::fmt;

use gavel_core::say;
use gavel_core::text::{Message, plain};

/// Why the desktop is of no use.
#[derive(Debug)]
pub enum Error {
    /// The session's D-Bus could not be reached, or refused us.
    #[cfg(all(unix, not(target_os = "macos")))]
    Connect(zbus::Error),
    /// It did not answer in time.
    Silent,
    /// The connection broke.
    Ended,
    /// A notification could not be shown.
    Refused(Box<notify_rust::error::Error>),
}

impl From<notify_rust::error::Error> for Error {
    fn from(error: notify_rust::error::Error) -> Self {
        Self::Refused(Box::new(error))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            #[cfg(all(unix, not(target_os = "macos")))]
            Self::Connect(source) => Some(source),
            Self::Refused(source) => Some(source),
            Self::Silent | Self::Ended => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

impl Error {
    /// Why, for any language.
    pub fn said(&self) -> Message {
        match self {
            #[cfg(all(unix, not(target_os = "macos")))]
            Self::Connect(source) => say!("it can't be reached: {}", plain(source.to_string())),
            Self::Silent => say!("it does not answer"),
            Self::Ended => say!("the connection ended"),
            Self::Refused(source) => say!("the desktop shows no notifications: {}", plain(source.to_string())),
        }
    }
}
