//! What the user chose and what is kept of it. Never secrets.

use std::collections::{BTreeMap, BTreeSet};

use gavel_core::modes::Defaults;
use serde::{Deserialize, Serialize};

use crate::api::Preferences;
use crate::toasts::ToastTimes;

mod judge;

pub use judge::{JudgeKey, JudgeSettings, Who};

/// Everything in `settings.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Servers the user added.
    pub servers: Vec<ServerSetting>,
    /// Where passwords come from, by server id. Found servers can have one too.
    pub passwords: BTreeMap<String, PasswordSetting>,
    /// The preferences.
    pub preferences: Preferences,
    /// Which modes were chosen for what.
    pub modes: Defaults,
    /// Directories of projects in which nobody is asked, and that is fine.
    pub put_aside: BTreeSet<String>,
    /// Who judges.
    pub judge: JudgeSettings,
    /// For how long something is said in terminals.
    pub toasts: ToastTimes,
}

/// A server the user added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSetting {
    /// Its base URL.
    pub url: String,
    /// What to call it; empty for host and port.
    #[serde(default)]
    pub name: String,
}

/// Where a server's password comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordSetting {
    /// User name; empty for `opencode`.
    #[serde(default)]
    pub username: String,
    /// The name of an environment variable; absent if the password is in the keychain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

impl PasswordSetting {
    /// The user name OpenCode expects unless it is told otherwise.
    pub const DEFAULT_USERNAME: &'static str = "opencode";

    /// The user name to send.
    #[must_use]
    pub fn username(&self) -> &str {
        if self.username.is_empty() { Self::DEFAULT_USERNAME } else { &self.username }
    }
}
