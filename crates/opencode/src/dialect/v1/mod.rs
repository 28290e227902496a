//! The dialect of OpenCode 1.x, with the preview of 2.x that 1.18 carries under `/api`.

pub mod aside;
pub mod from_wire;
pub mod to_wire;
pub mod toast;

use gavel_core::SessionId;
use gavel_core::say;

use super::failure::{Failure, is_no_route};
use super::lenient::{self, mend};
use super::session::{Existence, session as read_session};
use super::wire;
use crate::Error;
use crate::http::{Http, path};

/// Asks the server how it is, and gives its version, e.g. `1.18.33`. `None` if it has no such question: then it is no
/// 1.x server.
///
/// # Errors
/// It can't be reached, wants a password, or isn't healthy.
pub async fn health(http: &Http) -> Result<Option<String>, Error> {
    let answer = http.greet("/global/health").await?;
    if is_no_route(&answer) {
        return Ok(None);
    }
    let health: wire::Health = lenient::read(answer.json()?)?;
    if health.healthy != Some(true) {
        return Err(Error::Garbled(say!("it does not say that it is healthy")));
    }
    health.version.map(Some).ok_or_else(|| Error::Garbled(say!("it does not name a version")))
}

/// Looks a session up. Its directory need not be known.
///
/// # Errors
/// There was no clear answer.
pub async fn session(http: &Http, id: &SessionId, directory: &str) -> Result<Existence, Error> {
    let found = with_session(http, id, directory, |wire| Ok(read_session(wire))).await?;
    Ok(found.flatten().map_or(Existence::Deleted, Existence::Alive))
}

/// What `read` makes of a session. `None` if it is deleted.
///
/// # Errors
/// There was no clear answer.
pub(super) async fn with_session<T>(
    http: &Http,
    id: &SessionId,
    directory: &str,
    read: impl FnOnce(&wire::Session<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let query: &[(&str, &str)] = if directory.is_empty() { &[] } else { &[("directory", directory)] };
    let answer = http.get(&path(&["session", id.as_str()], query)).await?;
    if answer.status == 404 && Failure::named(&answer, "NotFoundError") {
        return Ok(None);
    }
    let body = mend(answer.json()?);
    let wire: wire::Session<'_> = lenient::read(&body)?;
    if read_session(&wire).is_none_or(|session| session.id != *id) {
        return Err(Error::Garbled(say!("it is not the session asked for")));
    }
    read(&wire).map(Some)
}
