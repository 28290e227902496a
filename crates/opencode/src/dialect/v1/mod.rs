//! The dialect of OpenCode 1.x, with the preview of 2.x that 1.18 carries under `/api`.

pub mod from_wire;
pub mod to_wire;

use gavel_core::SessionId;

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
        return Err(Error::Garbled("it does not say that it is healthy".to_owned()));
    }
    health.version.map(Some).ok_or_else(|| Error::Garbled("it does not name a version".to_owned()))
}

/// Looks a session up. Its directory need not be known.
///
/// # Errors
/// There was no clear answer.
pub async fn session(http: &Http, id: &SessionId, directory: &str) -> Result<Existence, Error> {
    let query: &[(&str, &str)] = if directory.is_empty() { &[] } else { &[("directory", directory)] };
    let answer = http.get(&path(&["session", id.as_str()], query)).await?;
    if answer.status == 404 && Failure::named(&answer, "NotFoundError") {
        return Ok(Existence::Deleted);
    }
    let body = mend(answer.json()?);
    let found = read_session(&lenient::read(&body)?).filter(|session| session.id == *id);
    found.map(Existence::Alive).ok_or_else(|| Error::Garbled("it is not the session asked for".to_owned()))
}
