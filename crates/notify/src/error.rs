//! What can go wrong between Gavel and the desktop.

/// Why the desktop is of no use.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The session's D-Bus could not be reached, or refused us.
    #[cfg(all(unix, not(target_os = "macos")))]
    #[error("it can't be reached: {0}")]
    Connect(#[source] zbus::Error),
    /// It did not answer in time.
    #[error("it does not answer")]
    Silent,
    /// The connection broke.
    #[error("the connection ended")]
    Ended,
    /// A notification could not be shown.
    #[error("the desktop shows no notifications: {0}")]
    Refused(#[source] Box<notify_rust::error::Error>),
}

impl From<notify_rust::error::Error> for Error {
    fn from(error: notify_rust::error::Error) -> Self {
        Self::Refused(Box::new(error))
    }
}
