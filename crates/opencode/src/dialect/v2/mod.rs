//! The dialect of OpenCode 2.x.

pub mod from_wire;
pub mod generate;
pub mod note;
pub mod routes;
pub mod saved;
pub mod to_wire;

use gavel_core::SessionId;
use gavel_core::say;

use super::failure::{Failure, is_no_route};
use super::lenient::{self, mend};
use super::session::{Existence, session as read_session};
use super::wire;
use crate::Error;
use crate::http::{Http, path};

/// Asks the server what it is, and gives its version: empty for early ones that only say how they are.
///
/// # Errors
/// It can't be reached, wants a password, is just starting or is no OpenCode.
pub async fn version(http: &Http) -> Result<String, Error> {
    let answer = http.greet("/api/info").await?;
    if is_no_route(&answer) {
        let health: wire::Health = lenient::read(http.greet("/api/health").await?.json()?)?;
        return match health.healthy {
            Some(true) => Ok(health.version.unwrap_or_default()),
            _ => Err(Error::Garbled(say!("it does not say that it is healthy"))),
        };
    }
    let info: wire::Health = lenient::read(answer.json()?)?;
    match (info.version, info.pid) {
        (Some(version), Some(_)) => Ok(version),
        _ => Err(Error::Garbled(say!("it does not name its version and process"))),
    }
}

/// Looks a session up.
///
/// # Errors
/// There was no clear answer.
pub async fn session(http: &Http, id: &SessionId) -> Result<Existence, Error> {
    let found = with_session(http, id, |wire| Ok(read_session(wire))).await?;
    Ok(found.flatten().map_or(Existence::Deleted, Existence::Alive))
}

/// What `read` makes of a session. `None` if it is deleted.
///
/// # Errors
/// There was no clear answer.
pub(super) async fn with_session<T>(
    http: &Http,
    id: &SessionId,
    read: impl FnOnce(&wire::Session<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let answer = http.get(&path(&["api", "session", id.as_str()], &[])).await?;
    if answer.status == 404 && Failure::named(&answer, "SessionNotFoundError") {
        return Ok(None);
    }
    let body = mend(answer.json()?);
    let whole: wire::Enveloped<'_> = lenient::read(&body)?;
    let wire: wire::Session<'_> = lenient::read(whole.data.get())?;
    if read_session(&wire).is_none_or(|session| session.id != *id) {
        return Err(Error::Garbled(say!("it is not the session asked for")));
    }
    read(&wire).map(Some)
}
