//! How the words are spelled on the wire. Nothing outside this module knows a field name.
//!
//! Two dialects are spoken: [`v1`], with the preview of 2.x that 1.18 carries under `/api`, and [`v2`]. Which one a
//! server speaks is found out by what it does, never by its number. What both have in common lies beside them.

pub mod agents;
mod answer;
mod directories;
mod failure;
pub mod heard;
pub mod history;
mod lenient;
pub mod list;
mod place;
pub mod provider;
mod question;
mod reply;
mod request;
pub mod rules;
mod session;
mod standing;
mod together;
pub mod v1;
pub mod v2;
mod wire;

use std::time::Duration;

use gavel_core::{Link, Moment, Route, ServerId, SessionId};

pub use self::directories::{InUse, in_use};
pub use self::heard::{Decoded, Said};
pub use self::session::Existence;
use crate::Error;
use crate::http::Http;

/// The languages servers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// OpenCode 1.x.
    V1,
    /// OpenCode 2.x.
    V2,
}

/// How a server introduced itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// What it speaks.
    pub dialect: Dialect,
    /// Its version, e.g. `1.18.33`; empty if it does not name one.
    pub version: String,
}

impl Greeting {
    /// The state of a connection to this server.
    #[must_use]
    pub fn link(&self) -> Link {
        let dialect = match self.dialect {
            Dialect::V1 => gavel_core::Dialect::V1,
            Dialect::V2 => gavel_core::Dialect::V2,
        };
        Link::Online { version: self.version.clone(), dialect }
    }
}

/// Asks a server what it is.
///
/// A 1.x server knows its health. A 2.x server answers that question with its web page, and knows its info. 1.x is
/// asked for first, because some of its releases pass on what they don't know to a site far away.
///
/// # Errors
/// It can't be reached, wants a password, or is no OpenCode.
pub async fn greet(http: &Http) -> Result<Greeting, Error> {
    match v1::health(http).await? {
        Some(version) => Ok(Greeting { dialect: Dialect::V1, version }),
        None => Ok(Greeting { dialect: Dialect::V2, version: v2::version(http).await? }),
    }
}

/// Whether `error` is OpenCode's own way of asking for a password, rather than some other program's.
#[must_use]
pub fn asks_for_password(error: &Error) -> bool {
    /// What a protected 1.x server calls itself.
    const REALM: &str = "Secure Area";
    let Error::Unauthorized { realm, said } = error else { return false };
    realm.as_deref() == Some(REALM) || said.as_deref().is_some_and(failure::is_unauthorized)
}

impl Dialect {
    /// The route of the one event stream that carries all directories.
    #[must_use]
    pub const fn events(self) -> &'static str {
        match self {
            Self::V1 => "/global/event",
            Self::V2 => "/api/event",
        }
    }

    /// The pause between two signs of life of an idle stream.
    #[must_use]
    pub const fn heartbeat(self) -> Duration {
        match self {
            Self::V1 => Duration::from_secs(10),
            Self::V2 => Duration::from_secs(15),
        }
    }

    /// The routes on which requests are listed. All but the first may be missing.
    #[must_use]
    pub const fn routes(self) -> &'static [Route] {
        match self {
            Self::V1 => &[Route::V1, Route::Preview],
            Self::V2 => &[Route::V2],
        }
    }

    /// Reads one frame of `server`'s stream, as it arrives at `now`.
    #[must_use]
    pub fn decode(self, frame: &str, now: Moment, server: &ServerId) -> Decoded {
        match self {
            Self::V1 => v1::from_wire::decode(frame, now, server),
            Self::V2 => v2::from_wire::decode(frame, now, server),
        }
    }

    /// Looks a session up. Its directory need not be known.
    ///
    /// # Errors
    /// There was no clear answer.
    pub async fn session(self, http: &Http, id: &SessionId, directory: &str) -> Result<Existence, Error> {
        match self {
            Self::V1 => v1::session(http, id, directory).await,
            Self::V2 => v2::session(http, id).await,
        }
    }
}
