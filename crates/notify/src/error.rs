//! What can go wrong between Gavel and the desktop.

/// Why the session's D-Bus is of no use.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It could not be reached, or refused us.
    #[error("it can't be reached: {0}")]
    Connect(#[source] zbus::Error),
    /// It did not answer in time.
    #[error("it does not answer")]
    Silent,
    /// The connection broke.
    #[error("the connection ended")]
    Ended,
}
