//! What is pending on a server, and what of it is alive.
//!
//! A 1.x server goes on listing requests whose run was aborted or whose session was deleted, and never says so.
//! Each listed request is therefore checked against its session, the session's run and the tool call behind it.
//! A 2.x server forgets such requests; there the checks tell what the request itself leaves out.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use gavel_core::{Ask, CallRef, Moment, RequestId, Route, ServerId, Session, SessionId};
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout_at};

use super::failure::Failure;
use super::lenient::{self, mend, part, word};
use super::session::{self, Existence};
use super::{Dialect, request, wire};
use crate::Error;
use crate::http::{Answer, Http, Kind, path};

/// What is pending in one directory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pending {
    /// Absolute path of the directory, as the server spells it.
    pub directory: String,
    /// Requests of a run that lives.
    pub asks: Vec<Ask>,
    /// Requests whose session is deleted: they can only be refused.
    pub orphans: Vec<Ask>,
    /// The sessions concerned, and their parents up to the root.
    pub sessions: Vec<Session>,
    /// How many requests could not be read: they are pending all the same.
    pub unreadable: usize,
    /// What was odd about it, for the log. Holds no content.
    pub diagnostics: Vec<String>,
}

/// Chains of sessions are followed this far: a server that sends a cycle must not hold us.
const DEEPEST: usize = 64;

/// Lists what is pending in `directory`. `None` if the server doesn't have this kind of listing.
///
/// # Errors
/// The listing itself could not be had, or the directory is there no longer. When only a check fails, the request counts as alive: better a request too
/// many than one that is missed.
pub async fn pending(
    http: &Http,
    server: &ServerId,
    route: Route,
    directory: &str,
    now: Moment,
) -> Result<Option<Pending>, Error> {
    let answer = http.get(&listing_path(route, directory)).await?;
    if answer.status == 404 && Failure::named(&answer, "LocationNotFoundError") {
        return Err(Error::NoDirectory);
    }
    if is_missing(&answer) {
        return match route {
            Route::Preview => Ok(None),
            Route::V1 | Route::V2 => Err(answer.json().err().unwrap_or(Error::WebPage)),
        };
    }
    let body = mend(answer.json()?);
    let (place, items): (_, Vec<&RawValue>) = match route {
        Route::V1 => (None, lenient::read(&body)?),
        Route::Preview | Route::V2 => {
            let whole = lenient::read::<wire::Enveloped<'_>>(&body)?;
            (part::<wire::Location<'_>>(whole.location), lenient::read(whole.data.get())?)
        }
    };
    let told = place.and_then(|place| word(place.directory)).filter(|_| route == Route::V2);
    let directory = told.as_deref().unwrap_or(directory);
    let mut pending = Pending { directory: directory.to_owned(), ..Pending::default() };
    let mut listed = Vec::new();
    for item in items {
        let wire = lenient::read::<wire::Ask<'_>>(item.get()).ok();
        match wire.and_then(|wire| request::ask(&wire, server, directory, route, now)) {
            Some(ask) => listed.push(ask),
            None => pending.unreadable += 1,
        }
    }
    if !listed.is_empty() {
        Checks::new(http, route, directory).sort(listed, &mut pending).await;
    }
    Ok(Some(pending))
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
    let answer = http.get(&path(&["question"], &[("directory", directory)])).await?;
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

/// A route that a server doesn't have is answered by its web page, or plainly with "not found".
fn is_missing(answer: &Answer) -> bool {
    answer.kind == Kind::Html || matches!(answer.status, 404 | 405)
}

/// The questions asked about the requests of one listing, each asked once.
struct Checks<'a> {
    http: &'a Http,
    route: Route,
    directory: &'a str,
    sessions: HashMap<SessionId, Option<Existence>>,
    /// When the rest of the checks is given up.
    until: Instant,
}

/// How long all checks of one listing may take: what is pending must not wait for a session that hangs.
const PATIENCE: Duration = Duration::from_secs(5);

impl<'a> Checks<'a> {
    fn new(http: &'a Http, route: Route, directory: &'a str) -> Self {
        Self { http, route, directory, sessions: HashMap::new(), until: Instant::now() + PATIENCE }
    }

    /// What `asked` comes to, if that is soon enough.
    async fn in_time<T>(&self, asked: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        timeout_at(self.until, asked).await.unwrap_or(Err(Error::TimedOut(PATIENCE)))
    }

    async fn sort(mut self, listed: Vec<Ask>, pending: &mut Pending) {
        let running = self.running(pending).await;
        for mut ask in listed {
            if self.existence(&ask.session, pending).await == Some(&Existence::Deleted) {
                pending.orphans.push(ask);
                continue;
            }
            let runs = running.as_ref().is_none_or(|running| running.contains(&ask.session));
            if runs && !self.is_over(&mut ask, pending).await {
                pending.asks.push(ask);
            }
        }
        self.chains(pending).await;
    }

    /// The sessions whose run is under way; `None` if that can't be known.
    async fn running(&self, pending: &mut Pending) -> Option<HashSet<SessionId>> {
        if self.route != Route::V1 {
            // These routes forget the requests of a run that ends.
            return None;
        }
        noted(self.in_time(running(self.http, self.directory)).await, "which sessions run", pending)
    }

    async fn existence(&mut self, id: &SessionId, pending: &mut Pending) -> Option<&Existence> {
        if !self.sessions.contains_key(id) {
            let dialect = if self.route == Route::V2 { Dialect::V2 } else { Dialect::V1 };
            let found = noted(self.in_time(dialect.session(self.http, id, self.directory)).await, "a session", pending);
            self.sessions.insert(id.clone(), found);
        }
        self.sessions.get(id)?.as_ref()
    }

    /// Whether the tool call behind `ask` is over. Learns on the way what the agent says of the call.
    async fn is_over(&self, ask: &mut Ask, pending: &mut Pending) -> bool {
        let Some(at) = ask.call.clone() else { return false };
        let session = ask.session.as_str();
        let answer = match self.route {
            Route::V1 => {
                let query = [("directory", self.directory)];
                self.in_time(self.http.get(&path(&["session", session, "message", &at.message], &query))).await
            }
            // The other route doesn't know the messages of preview sessions.
            Route::Preview | Route::V2 => {
                self.in_time(self.http.get(&path(&["api", "session", session, "message", &at.message], &[]))).await
            }
        };
        match noted(answer.and_then(|answer| call_state(&answer, &at, ask)), "a tool call", pending) {
            Some(CallState::Over) => true,
            Some(CallState::Running | CallState::Unknown) | None => false,
        }
    }

    /// Adds what is known of the sessions, and of their parents up to the root.
    async fn chains(mut self, pending: &mut Pending) {
        let mut next: Vec<SessionId> = self.sessions.keys().cloned().collect();
        let mut told = HashSet::new();
        while let Some(id) = next.pop() {
            if told.len() >= DEEPEST * 4 || !told.insert(id.clone()) {
                continue;
            }
            if let Some(Existence::Alive(session)) = self.existence(&id, pending).await {
                next.extend(session.parent.clone());
                pending.sessions.push(session.clone());
            }
        }
    }
}

enum CallState {
    Running,
    Over,
    /// The message doesn't hold the call, or it is in a state that isn't known.
    Unknown,
}

fn call_state(answer: &Answer, at: &CallRef, ask: &mut Ask) -> Result<CallState, Error> {
    let is_gone = |failure: Failure| failure.is("NotFoundError") || failure.is("MessageNotFoundError");
    if answer.status == 404 && Failure::of(answer).is_some_and(is_gone) {
        return Ok(CallState::Over);
    }
    let body = mend(answer.json()?);
    let parts = match ask.route {
        Route::V1 => lenient::read::<wire::Message<'_>>(&body)?.parts,
        Route::Preview | Route::V2 => {
            lenient::read::<wire::ApiMessage<'_>>(lenient::read::<wire::Enveloped<'_>>(&body)?.data.get())?.content
        }
    };
    let mut parts = parts.into_iter().filter_map(|raw| part::<wire::Part<'_>>(Some(raw)));
    let Some(tool) = parts.find(|tool| word(tool.call.or(tool.id)).as_deref() == Some(at.call.as_str())) else {
        return Ok(CallState::Unknown);
    };
    let Some(state) = part::<wire::ToolState<'_>>(tool.state) else { return Ok(CallState::Unknown) };
    if let Some(input) = part::<wire::Input<'_>>(state.input) {
        let said = request::particulars(Some(&input), &ask.directory);
        let detail = &mut ask.detail;
        // Before 1.18 the request itself doesn't name the command.
        detail.command = detail.command.take().or(said.command);
        (detail.purpose, detail.workdir, detail.placed) = (said.purpose, said.workdir, said.placed);
    }
    Ok(match word(state.status).as_deref() {
        Some("completed" | "error") => CallState::Over,
        Some("pending" | "streaming" | "running") => CallState::Running,
        _ => CallState::Unknown,
    })
}

/// The result of a check; a failed one is noted, and says nothing.
fn noted<T>(result: Result<T, Error>, what: &str, pending: &mut Pending) -> Option<T> {
    result.map_err(|error| pending.diagnostics.push(format!("{what} could not be checked: {error}"))).ok()
}
