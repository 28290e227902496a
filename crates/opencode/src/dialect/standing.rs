//! Whether what a server lists as pending is alive.
//!
//! A 1.x server goes on listing what was asked by a run that was aborted or whose session was deleted, and never says
//! so. What is listed is therefore checked against its session, the session's run and the tool call behind it. A 2.x
//! server forgets such requests; there the checks tell what the request itself leaves out.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use gavel_core::{CallRef, Route, Session, SessionId};
use tokio::time::{Instant, timeout_at};

use super::failure::Failure;
use super::lenient::{self, mend, part, word};
use super::list::running;
use super::request::{Particulars, particulars};
use super::session::Existence;
use super::{Dialect, wire};
use crate::Error;
use crate::http::{Answer, Http, path};

/// How something listed stands.
pub(super) enum Standing {
    /// Its run lives. What the tool call behind it says, where that could be read.
    Alive(Option<Particulars>),
    /// Its session is deleted: it can only be refused.
    Orphan,
    /// Its run, or the call behind it, is over.
    Over,
}

/// Chains of sessions are followed this far: a server that sends a cycle must not hold us.
const DEEPEST: usize = 64;

/// How long all checks of one listing may take: what is pending must not wait for a session that hangs.
const PATIENCE: Duration = Duration::from_secs(5);

/// The questions asked about what is in one listing, each asked once. When a check fails, that is noted, and the thing
/// counts as alive: better one too many than one that is missed.
pub(super) struct Checks<'a> {
    http: &'a Http,
    route: Route,
    directory: &'a str,
    sessions: HashMap<SessionId, Option<Existence>>,
    /// The sessions whose run is under way; `None` if that can't be known.
    running: Option<HashSet<SessionId>>,
    /// When the rest of the checks is given up.
    until: Instant,
    /// What could not be checked, for the log.
    pub(super) notes: Vec<String>,
}

impl<'a> Checks<'a> {
    pub(super) async fn begin(http: &'a Http, route: Route, directory: &'a str) -> Self {
        let until = Instant::now() + PATIENCE;
        let (sessions, notes) = (HashMap::new(), Vec::new());
        let mut checks = Self { http, route, directory, sessions, running: None, until, notes };
        // The other routes forget the requests of a run that ends.
        if route == Route::V1 {
            let found = checks.in_time(running(http, directory)).await;
            checks.running = checks.noted(found, "which sessions run");
        }
        checks
    }

    /// How something stands that `session` asked by `call`.
    pub(super) async fn standing(&mut self, session: Option<&SessionId>, call: Option<&CallRef>) -> Standing {
        let Some(session) = session else { return Standing::Alive(None) };
        if self.existence(session).await == Some(&Existence::Deleted) {
            return Standing::Orphan;
        }
        if self.running.as_ref().is_some_and(|running| !running.contains(session)) {
            return Standing::Over;
        }
        match call {
            Some(call) => self.call(session, call).await,
            None => Standing::Alive(None),
        }
    }

    /// What `asked` comes to, if that is soon enough.
    async fn in_time<T>(&self, asked: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        timeout_at(self.until, asked).await.unwrap_or(Err(Error::TimedOut(PATIENCE)))
    }

    async fn existence(&mut self, id: &SessionId) -> Option<&Existence> {
        if !self.sessions.contains_key(id) {
            let dialect = if self.route == Route::V2 { Dialect::V2 } else { Dialect::V1 };
            let found = self.in_time(dialect.session(self.http, id, self.directory)).await;
            let found = self.noted(found, "a session");
            self.sessions.insert(id.clone(), found);
        }
        self.sessions.get(id)?.as_ref()
    }

    /// Whether a tool call is over, and what it says of itself.
    async fn call(&mut self, session: &SessionId, at: &CallRef) -> Standing {
        let session = session.as_str();
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
        let read = answer.and_then(|answer| call_standing(&answer, at, self.route, self.directory));
        self.noted(read, "a tool call").unwrap_or(Standing::Alive(None))
    }

    /// What is known of the sessions that were asked about, and of their parents up to the root.
    pub(super) async fn chains(&mut self) -> Vec<Session> {
        let mut found = Vec::new();
        let mut next: Vec<SessionId> = self.sessions.keys().cloned().collect();
        let mut told = HashSet::new();
        while let Some(id) = next.pop() {
            if told.len() >= DEEPEST * 4 || !told.insert(id.clone()) {
                continue;
            }
            if let Some(Existence::Alive(session)) = self.existence(&id).await {
                next.extend(session.parent.clone());
                found.push(session.clone());
            }
        }
        found
    }

    /// The result of a check; a failed one is noted, and says nothing.
    fn noted<T>(&mut self, result: Result<T, Error>, what: &str) -> Option<T> {
        result.map_err(|error| self.notes.push(format!("{what} could not be checked: {error}"))).ok()
    }
}

fn call_standing(answer: &Answer, at: &CallRef, route: Route, directory: &str) -> Result<Standing, Error> {
    let is_gone = |failure: Failure| failure.is("NotFoundError") || failure.is("MessageNotFoundError");
    if answer.status == 404 && Failure::of(answer).is_some_and(is_gone) {
        return Ok(Standing::Over);
    }
    let body = mend(answer.json()?);
    let parts = match route {
        Route::V1 => lenient::read::<wire::Message<'_>>(&body)?.parts,
        Route::Preview | Route::V2 => {
            lenient::read::<wire::ApiMessage<'_>>(lenient::read::<wire::Enveloped<'_>>(&body)?.data.get())?.content
        }
    };
    let mut parts = parts.into_iter().filter_map(|raw| part::<wire::Part<'_>>(Some(raw)));
    // The message may not hold the call, or in a state that isn't known: then it lives.
    let Some(tool) = parts.find(|tool| word(tool.call.or(tool.id)).as_deref() == Some(at.call.as_str())) else {
        return Ok(Standing::Alive(None));
    };
    let Some(state) = part::<wire::ToolState<'_>>(tool.state) else { return Ok(Standing::Alive(None)) };
    if matches!(word(state.status).as_deref(), Some("completed" | "error")) {
        return Ok(Standing::Over);
    }
    let input = part::<wire::Input<'_>>(state.input);
    Ok(Standing::Alive(input.map(|input| particulars(Some(&input), directory))))
}
