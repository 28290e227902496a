//! An OpenCode server of our own: it serves the demo, so that a newcomer without OpenCode sees real requests of every
//! kind, and it serves fast tests of the whole program.
//!
//! Three layers, each unaware of the next:
//!
//! - `world` is the state: sessions, messages, requests, what ran and what agents were told. It emits what happens in
//!   no dialect at all.
//! - `agent` plays scripts (see `script` for their format) against the world, and waits where an agent would wait.
//!   Nothing is ever executed; it is only recorded.
//! - `v1` is the wire of OpenCode 1.x, `v2` that of 2.x: routes, bodies and event streams over that world. What differs
//!   between them in the world itself is written down in `world::customs`.
//!
//! Under 1.x the behaviour is that of a real 1.18 server as it was observed, odd parts included: requests of aborted and
//! deleted runs stay listed, a reject sweeps its session, requests are only found under their directory.
//!
//! Under 2.x it is that of API 2.1.2, and where that leaves something open, that of the preview of 2.x in a real 1.18
//! server: what is looked at first in a request, what is said of a broken one, how lists are paged. What releases are
//! known to do differently can be switched (see [`Switches`]).

mod agent;
pub mod demo;
mod diff;
mod error;
mod fault;
mod form;
mod ids;
mod listener;
mod options;
mod process;
mod script;
mod shell;
mod stand_in;
mod v1;
mod v2;
mod world;

pub use error::StandInError;
pub use fault::Fault;
pub use gavel_core::rules::{Effect, Rule};
pub use options::{Dialect, Options};
pub use script::Inquiry;
pub use stand_in::StandIn;
pub use v2::switches::{FormCancel, ReplyKey, SessionRules, ShellResources, Switches};
pub use world::World;
pub use world::ask::{Ask, Question, Reply};
pub use world::record::{Executed, ProviderSettings, Received, Ruled, Toast};
pub use world::saved::Approval;
pub use world::session::{Session, Status};

/// The model every agent here is said to use, and its provider.
const MODEL: &str = "scripted-1";
const PROVIDER: &str = "stand-in";
