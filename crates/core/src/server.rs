//! A watched server and the state of the connection to it.

use serde::{Deserialize, Serialize};

use crate::ServerId;
use crate::text::Message;

/// A server that Gavel watches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerInfo {
    /// Its base URL.
    pub id: ServerId,
    /// The name the user gave it; otherwise host and port.
    pub name: String,
    /// How Gavel came to know it.
    pub origin: Origin,
}

/// How a server came to be watched: it decides what happens when it falls silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The user added it: it stays in the list when it is offline.
    Settings,
    /// It was found running: it leaves the list when it ends.
    Discovered,
    /// It is the built-in demo.
    Demo,
}

/// The languages servers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// OpenCode 1.x.
    V1,
    /// OpenCode 2.x.
    V2,
}

/// The state of the connection to a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Link {
    /// The first attempt is under way.
    Connecting,
    /// The event stream is open.
    Online {
        /// The server's version, e.g. `1.18.33`.
        version: String,
        /// What it speaks.
        dialect: Dialect,
    },
    /// The stream is closed; attempts go on.
    Offline {
        /// Why, for a person.
        reason: Message,
        /// Nothing listens at the address any more: the process is gone, and all that was pending in it.
        gone: bool,
    },
    /// The server wants a password that Gavel doesn't have, or refuses the one it has.
    NeedsPassword {
        /// Whether one was tried and refused.
        refused: bool,
    },
    /// Something answers there, but not an OpenCode that Gavel understands.
    NotOpenCode {
        /// What it answered, for a person.
        reason: Message,
        /// It did so again and again: another program took the address over, and OpenCode is gone with all that was
        /// pending in it.
        gone: bool,
    },
}

impl Link {
    /// What the server speaks, while events arrive.
    #[must_use]
    pub const fn dialect(&self) -> Option<Dialect> {
        match self {
            Self::Online { dialect, .. } => Some(*dialect),
            _ => None,
        }
    }

    /// Whether events arrive.
    #[must_use]
    pub const fn is_online(&self) -> bool {
        matches!(self, Self::Online { .. })
    }
}
