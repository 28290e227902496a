//! Native notifications.

mod board;
mod desk;
mod error;
mod handle;
mod health;
mod letter;
pub mod linux;
pub mod notice;
mod notifier;
pub mod recorder;
mod wire;

pub use error::Error;
pub use notice::{Draft, compose};
pub use notifier::{Button, Capabilities, Notice, Notifier, Report, State};
pub use recorder::Recorder;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

/// How a back-end is set up. The default is right for a person's desktop.
#[derive(Debug, Clone)]
pub struct Options {
    /// The D-Bus address to use in place of the session's. Only for Linux.
    pub bus_address: Option<String>,
    /// The icon beside each notification: an absolute path, or a name of the icon theme.
    pub icon: Option<PathBuf>,
    /// How long the desktop may take to answer before it counts as unavailable.
    pub patience: Duration,
    /// How long to wait before an unavailable desktop is asked again; doubles every time, up to five minutes.
    pub retry: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { bus_address: None, icon: None, patience: Duration::from_secs(2), retry: Duration::from_secs(10) }
    }
}

/// The platform's best notifications. What comes back goes to `reports`.
#[must_use]
pub fn desktop(reports: UnboundedSender<Report>) -> Arc<dyn Notifier> {
    desktop_with(Options::default(), reports)
}

/// [`desktop`], set up differently.
#[must_use]
pub fn desktop_with(options: Options, reports: UnboundedSender<Report>) -> Arc<dyn Notifier> {
    linux::start(options, reports)
}
