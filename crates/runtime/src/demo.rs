//! The built-in demo: a server of our own whose agents ask for permissions of every kind.

use gavel_stand_in::{Options, StandIn, demo};
use tokio_util::sync::{CancellationToken, DropGuard};

/// The running demo. It ends when this is dropped.
pub struct Demo {
    server: StandIn,
    _stop: DropGuard,
}

impl Demo {
    /// Starts the demo server on a free port of this machine, and its agents.
    ///
    /// # Errors
    /// If no port can be had, in words for the user.
    pub async fn start() -> Result<Self, String> {
        let server = StandIn::start(Options::default())
            .await
            .map_err(|error| format!("the demo server can't start: {error}"))?;
        let stop = CancellationToken::new();
        tokio::spawn({
            let (server, stop) = (server.clone(), stop.clone());
            async move { demo::play(&server, stop).await }
        });
        Ok(Self { server, _stop: stop.drop_guard() })
    }

    /// The base URL of the demo server.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }
}
