//! What is pending on a server, directory by directory.

use std::collections::{BTreeMap, HashSet};

use gavel_core::question::Question;
use gavel_core::{Ask, Moment, RequestId, Route, ServerId, Session, SessionId};
use serde_json::value::RawValue;

use super::failure::Failure;
use super::lenient::{self, mend, part, word};
use super::session;
use super::standing::{Checks, Standing};
use super::{question, request, wire};
use crate::Error;
use crate::http::{Answer, Http, Kind, path};

/// What is pending in one directory, of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending<T> {
    /// Absolute path of the directory, as the server spells it.
    pub directory: String,
    /// What a run asks that lives.
    pub alive: Vec<T>,
    /// What a run asks whose session is deleted: it can only be refused.
    pub orphans: Vec<T>,
    /// The sessions concerned, and their parents up to the root.
    pub sessions: Vec<Session>,
    /// How many could not be read: they are pending all the same.
    pub unreadable: usize,
    /// What was odd about it, for the log. Holds no content.
    pub diagnostics: Vec<String>,
}

impl<T> Pending<T> {
    fn new(directory: &str) -> Self {
        let (alive, orphans, sessions, diagnostics) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { directory: directory.to_owned(), alive, orphans, sessions, unreadable: 0, diagnostics }
    }
}

/// Lists the requests that are pending in `directory`. `None` if the server doesn't have this kind of listing.
///
/// # Errors
/// The listing itself could not be had, or the directory is there no longer. When only a check fails, the request counts
/// as alive: better a request too many than one that is missed.
pub async fn pending(
    http: &Http,
    server: &ServerId,
    route: Route,
    directory: &str,
    now: Moment,
) -> Result<Option<Pending<Ask>>, Error> {
    let answer = http.get(&listing_path(route, directory)).await?;
    let Some(listing) = listing(&answer, route, directory)? else {
        return match route {
            Route::Preview => Ok(None),
            Route::V1 | Route::V2 => Err(answer.json().err().unwrap_or(Error::WebPage)),
        };
    };
    let mut pending = Pending::new(&listing.directory);
    let mut listed = Vec::new();
    for item in &listing.items {
        let wire = lenient::read::<wire::Ask<'_>>(item.get()).ok();
        match wire.and_then(|wire| request::ask(&wire, server, &listing.directory, route, now)) {
            Some(ask) => listed.push(ask),
            None => pending.unreadable += 1,
        }
    }
    if listed.is_empty() {
        return Ok(Some(pending));
    }
    let mut checks = Checks::begin(http, route, &listing.directory).await;
    for mut ask in listed {
        match checks.standing(Some(&ask.session), ask.call.as_ref()).await {
            Standing::Orphan => pending.orphans.push(ask),
            Standing::Over => {}
            Standing::Alive(said) => {
                if let Some(said) = said {
                    let detail = &mut ask.detail;
                    // Before 1.18 the request itself doesn't name the command.
                    detail.command = detail.command.take().or(said.command);
                    (detail.purpose, detail.workdir, detail.placed) = (said.purpose, said.workdir, said.placed);
                }
                pending.alive.push(ask);
            }
        }
    }
    pending.sessions = checks.chains().await;
    pending.diagnostics = checks.notes;
    Ok(Some(pending))
}

/// Lists the questions that are pending in `directory`. `None` if the server doesn't have this kind of listing.
///
/// # Errors
/// As with [`pending`].
pub async fn questions(
    http: &Http,
    server: &ServerId,
    route: Route,
    directory: &str,
    now: Moment,
) -> Result<Option<Pending<Question>>, Error> {
    let answer = http.get(&questions_path(route, directory)).await?;
    let Some(listing) = listing(&answer, route, directory)? else { return Ok(None) };
    let mut pending = Pending::new(&listing.directory);
    let mut listed = Vec::new();
    for item in &listing.items {
        match question::question(item.get(), server, &listing.directory, route, now) {
            Some(question) => listed.push(question),
            None => pending.unreadable += 1,
        }
    }
    if listed.is_empty() {
        return Ok(Some(pending));
    }
    let mut checks = Checks::begin(http, route, &listing.directory).await;
    for question in listed {
        match checks.standing(question.session.as_ref(), question.call.as_ref()).await {
            Standing::Orphan => pending.orphans.push(question),
            Standing::Over => {}
            Standing::Alive(_) => pending.alive.push(question),
        }
    }
    pending.sessions = checks.chains().await;
    pending.diagnostics = checks.notes;
    Ok(Some(pending))
}

/// What a server lists, not yet looked into.
struct Listing {
    directory: String,
    items: Vec<Box<RawValue>>,
}

/// What `answer` lists; `None` if there is no such route.
fn listing(answer: &Answer, route: Route, directory: &str) -> Result<Option<Listing>, Error> {
    if answer.status == 404 && Failure::named(answer, "LocationNotFoundError") {
        return Err(Error::NoDirectory);
    }
    if is_missing(answer) {
        return Ok(None);
    }
    let body = mend(answer.json()?);
    let (place, items) = match route {
        Route::V1 => (None, lenient::read(&body)?),
        Route::Preview | Route::V2 => {
            let whole = lenient::read::<wire::Enveloped<'_>>(&body)?;
            (part::<wire::Location<'_>>(whole.location), lenient::read(whole.data.get())?)
        }
    };
    let told = place.and_then(|place| word(place.directory)).filter(|_| route == Route::V2);
    Ok(Some(Listing { directory: told.unwrap_or_else(|| directory.to_owned()), items }))
}

/// The ids of all requests that the server lists in `directory`, alive or not.
///
/// # Errors
/// The listing could not be had.
pub(super) async fn ids(http: &Http, directory: &str) -> Result<Vec<RequestId>, Error> {
    let answer = http.get(&listing_path(Route::V1, directory)).await?;
    let items: Vec<wire::Ask<'_>> = lenient::read(answer.json()?)?;
    Ok(items.into_iter().filter_map(|wire| word(wire.id)).map(RequestId).collect())
}

/// The ids of all questions that the server lists in `directory`, alive or not.
///
/// # Errors
/// The listing could not be had.
pub(super) async fn question_ids(http: &Http, directory: &str) -> Result<Vec<RequestId>, Error> {
    let answer = http.get(&questions_path(Route::V1, directory)).await?;
    let items: Vec<wire::Ask<'_>> = lenient::read(answer.json()?)?;
    Ok(items.into_iter().filter_map(|wire| word(wire.id)).map(RequestId).collect())
}

/// The sessions whose run is under way in a directory of a 1.x server.
///
/// # Errors
/// That can't be known.
pub async fn running(http: &Http, directory: &str) -> Result<HashSet<SessionId>, Error> {
    let answer = http.get(&path(&["session", "status"], &[("directory", directory)])).await?;
    let states: BTreeMap<String, &RawValue> = lenient::read(answer.json()?)?;
    let running = states.into_iter().filter(|(_, state)| !session::is_idle(Some(state)));
    Ok(running.map(|(id, _)| SessionId(id)).collect())
}

fn listing_path(route: Route, directory: &str) -> String {
    match route {
        Route::V1 => path(&["permission"], &[("directory", directory)]),
        Route::Preview | Route::V2 => path(&["api", "permission", "request"], &[("location[directory]", directory)]),
    }
}

fn questions_path(route: Route, directory: &str) -> String {
    let segments: &[&str] = match route {
        Route::V1 => return path(&["question"], &[("directory", directory)]),
        Route::Preview => &["api", "question", "request"],
        Route::V2 => &["api", "form"],
    };
    path(segments, &[("location[directory]", directory)])
}

/// A route that a server doesn't have is answered by its web page, or plainly with "not found".
fn is_missing(answer: &Answer) -> bool {
    answer.kind == Kind::Html || matches!(answer.status, 404 | 405)
}
