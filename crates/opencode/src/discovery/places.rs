//! Where servers are looked for.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use etcetera::base_strategy::Xdg;
use gavel_core::ServerId;

/// Where to look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Addresses that are always tried.
    pub addresses: Vec<ServerId>,
    /// Whether to look for processes named `opencode` (Linux only).
    pub processes: bool,
    /// The folder in which OpenCode 2.x says where its background service runs. It need not exist yet.
    pub registrations: Option<PathBuf>,
}

impl Places {
    /// Where the servers of the current user are. `opencode serve` takes port 4096, or the next one that is free.
    #[must_use]
    pub fn of_user() -> Self {
        // Where processes can be seen, their own word on their ports is better than a guess.
        let ports = if cfg!(target_os = "linux") { 4096..=4096 } else { 4096..=4099 };
        Self {
            addresses: ports.map(|port| ServerId(format!("http://127.0.0.1:{port}"))).collect(),
            processes: true,
            registrations: registrations(),
        }
    }
}

/// `opencode` under `XDG_STATE_HOME`. OpenCode follows XDG on every platform. Without a home there is none.
fn registrations() -> Option<PathBuf> {
    Some(Xdg::new().ok()?.state_dir()?.join("opencode"))
}
