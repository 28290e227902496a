//! What can go wrong with the stand-in itself. What clients do wrong is answered on the wire.

use std::time::Duration;

/// Everything the stand-in's own API may fail with.
#[derive(Debug, thiserror::Error)]
pub enum StandInError {
    /// The script has a line that is no step, or a step that lacks something.
    #[error("line {line} of the script: {why}")]
    Script {
        /// Counted from one, within the script proper.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A session that was never created, or is deleted.
    #[error("no session `{0}`")]
    NoSuchSession(String),
    /// What was waited for did not come about in time.
    #[error("what was waited for did not come about within {0:?}")]
    TimedOut(Duration),
    /// The port could not be opened.
    #[error("could not listen: {0}")]
    Listen(#[from] std::io::Error),
}
