//! How a stand-in shall be.

use std::time::Duration;

use gavel_core::rules::{Effect, Rule};

use crate::v2::switches::{ShellResources, Switches};
use crate::world::customs::{Customs, Kit, Orphans};
use crate::world::rules::rule;

/// The generation of OpenCode that is played.
#[derive(Debug, Clone)]
pub enum Dialect {
    /// 1.x, as 1.18.33.
    V1,
    /// 2.x, as 2.1.2 unless the switches say otherwise.
    V2(Switches),
}

impl Dialect {
    pub(crate) fn customs(&self) -> Customs {
        match self {
            Dialect::V1 => Customs::first(),
            Dialect::V2(switches) => {
                let raw = switches.shell == ShellResources::Raw;
                let kit = Kit::Second { raw, save: switches.save, previews: switches.previews };
                let orphans = if switches.tells_endings { Orphans::Rejected } else { Orphans::Dropped };
                Customs::second(kit, orphans)
            }
        }
    }
}

/// How the stand-in shall be.
#[derive(Debug, Clone)]
pub struct Options {
    /// What it speaks, and how it behaves.
    pub dialect: Dialect,
    /// Where to listen on 127.0.0.1; any free port if `None`.
    pub port: Option<u16>,
    /// HTTP Basic with the user name `opencode`, if set and not empty.
    pub password: Option<String>,
    /// Between two heartbeats of an event stream.
    pub heartbeat: Duration,
    /// The version it says it has.
    pub version: String,
    /// The directory it is taken to be started in: that of requests which name none.
    pub directory: String,
    /// How long an agent thinks before each of its messages.
    pub pace: Duration,
    /// How long after an abort the open tool calls are closed.
    pub clearing: Duration,
    /// Words are also sent piece by piece, as noise among the events.
    pub pieces: bool,
    /// What the configuration says to every agent of 2.x, behind the rules they have by birth. Unless it is changed,
    /// commands, edits and fetches are asked about, as 1.x does here.
    pub permissions: Vec<Rule>,
}

impl Options {
    /// A 2.x server, as 2.1.2 unless the switches say otherwise.
    #[must_use]
    pub fn v2(switches: Switches) -> Options {
        Options {
            dialect: Dialect::V2(switches),
            heartbeat: Duration::from_secs(15),
            version: "2.1.2".to_owned(),
            ..Options::default()
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialect: Dialect::V1,
            port: None,
            password: None,
            heartbeat: Duration::from_secs(10),
            version: "1.18.33".to_owned(),
            directory: "/home/dev/project".to_owned(),
            pace: Duration::ZERO,
            clearing: Duration::from_millis(300),
            pieces: true,
            permissions: ["shell", "edit", "webfetch"].map(|action| rule(action, "*", Effect::Ask)).to_vec(),
        }
    }
}
