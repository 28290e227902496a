//! Native notifications: a person reads what an agent wants and answers with a click, wherever they are.
//!
//! [`compose`] and [`compose_question`] word a [`Notice`]; a [`Notifier`] shows it and tells what became of it as a [`Report`]. On Linux that is
//! [`linux`], which has buttons; elsewhere [`plain`], which has none; in tests [`Recorder`].
//!
//! What holds for all of them:
//! - Nothing that can be approved from a notification is displayed in part.
//! - A request is announced once. Its notification changes in place and makes no second sound.
//! - Putting a notification away answers nothing, and neither does anything that fails.
//! - A click counts for the request whose notification was clicked, or for none.
//! - No call waits for the desktop.
//!
//! Inside, `board` decides what should stand and `desk` what must be said to the service, both pure; `letter` fits a
//! notice to what the desktop can show; `wire` spells and reads the messages; `linux` carries them.

// What the desktop gives and takes of numbers and replies matters only where there is a bus.
#[cfg_attr(not(all(unix, not(target_os = "macos"))), allow(dead_code, reason = "only the recorder uses it here"))]
mod board;
#[cfg(all(unix, not(target_os = "macos")))]
mod desk;
mod error;
mod handle;
#[cfg(all(unix, not(target_os = "macos")))]
mod health;
mod letter;
#[cfg(all(unix, not(target_os = "macos")))]
pub mod linux;
pub mod notice;
mod notifier;
pub mod plain;
mod probe;
pub mod question;
pub mod recorder;
#[cfg(all(unix, not(target_os = "macos")))]
mod wire;

pub use error::Error;
pub use notice::{Draft, compose};
pub use notifier::{Button, Capabilities, Notice, Notifier, Report, State};
pub use question::{Query, compose_question};
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
    /// By what name the desktop knows the program, e.g. `dev.example.gavel`. For macOS and Windows, where clicks and
    /// settings go by it.
    pub app_id: Option<String>,
    /// The icon beside each notification: an absolute path, or a name of the icon theme.
    pub icon: Option<PathBuf>,
    /// How long the desktop may take to answer before it counts as unavailable.
    pub patience: Duration,
    /// How long to wait before an unavailable desktop is asked again; doubles every time, up to five minutes.
    pub retry: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bus_address: None,
            app_id: None,
            icon: None,
            patience: Duration::from_secs(2),
            retry: Duration::from_secs(10),
        }
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
    #[cfg(all(unix, not(target_os = "macos")))]
    return linux::start(options, reports);
    #[cfg(not(all(unix, not(target_os = "macos"))))]
    return plain::start(options, reports);
}
