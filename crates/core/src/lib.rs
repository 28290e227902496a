//! The pure heart of Gavel: no I/O, no clock, no async.
//!
//! Requests and everything said about them live here, and the flow machine that decides what happens to each one:
//! `(Event, now) -> Vec<Effect>`. Everything internal uses the words of OpenCode 2.x; dialects translate.

mod ask;
mod decision;
pub mod display;
mod finding;
pub mod flow;
pub mod grants;
mod ids;
pub mod modes;
mod opinion;
pub mod question;
pub mod reach;
pub mod rules;
pub mod rules_file;
mod server;
mod session;
pub mod text;
mod verdict;

pub use ask::{Ask, CallRef, Detail, Route};
pub use decision::{Decision, Reply, Settled};
pub use finding::{Class, Finding, Segment};
pub use ids::{CallId, RequestId, RequestKey, ServerId, SessionId};
pub use opinion::{JudgeName, Opinion, Opinions, Tokens};
pub use server::{Dialect, Link, Origin, ServerInfo};
pub use session::{Session, Sessions};
pub use verdict::{Recommendation, Source, Status, Verdict};

/// A point in time: milliseconds since the Unix epoch. The core never reads a clock; it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Moment(pub u64);

impl Moment {
    /// The moment `millis` milliseconds later.
    #[must_use]
    pub const fn plus(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this moment; zero if the clock went backwards.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
