//! The dialect of OpenCode 1.x, with the preview of 2.x that 1.18 carries under `/api`.

pub mod from_wire;
mod lenient;
pub mod list;
mod place;
mod request;
pub mod to_wire;
mod wire;

use gavel_core::{Session, SessionId};

use crate::Error;
use crate::http::{Http, path};

/// The route of the one event stream that carries all directories.
pub const EVENTS: &str = "/global/event";

/// How a server answered when asked how it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Its version, e.g. `1.18.33`.
    pub version: String,
}

/// Asks the server how it is.
///
/// # Errors
/// It can't be reached, wants a password, or is no OpenCode.
pub async fn health(http: &Http) -> Result<Health, Error> {
    let answer = http.greet("/global/health").await?;
    let health: wire::Health = lenient::read(answer.json()?)?;
    if health.healthy != Some(true) {
        return Err(Error::Garbled("it does not say that it is healthy".to_owned()));
    }
    let version = health.version.ok_or_else(|| Error::Garbled("it does not name a version".to_owned()))?;
    Ok(Health { version })
}

/// What is known about a session: `None` if the server says that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Existence {
    /// It exists.
    Alive(Session),
    /// The server has no such session.
    Deleted,
}

/// Looks a session up. Its directory need not be known.
///
/// # Errors
/// There was no clear answer.
pub async fn session(http: &Http, id: &SessionId, directory: &str) -> Result<Existence, Error> {
    let query: &[(&str, &str)] = if directory.is_empty() { &[] } else { &[("directory", directory)] };
    let answer = http.get(&path(&["session", id.as_str()], query)).await?;
    if answer.status == 404 && wire::Failure::of(&answer).is_some_and(|failure| failure.is("NotFoundError")) {
        return Ok(Existence::Deleted);
    }
    let body = lenient::mend(answer.json()?);
    let found = from_wire::session(&lenient::read(&body)?).filter(|session| session.id == *id);
    found.map(Existence::Alive).ok_or_else(|| Error::Garbled("it is not the session asked for".to_owned()))
}
