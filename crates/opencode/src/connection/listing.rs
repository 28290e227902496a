//! The jobs of the lister: what is asked of the server for each, and what is told of the answer.

use std::sync::atomic::{AtomicBool, Ordering};

use gavel_core::flow::{Scope, WireEvent};
use gavel_core::text::Template;
use gavel_core::{Route, SessionId, term};

use super::{Shared, now};
use crate::Error;
use crate::dialect::list::{self, Pending};
use crate::dialect::{InUse, in_use};

/// Something to be done by the lister.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Job {
    /// Find out which directories and sessions there are.
    Discover,
    /// List one of them.
    List(String),
    /// Find out which sessions run in one of them, where the server says so by directory.
    Running(String),
}

impl Job {
    /// The directory it is about, if it is about one.
    pub(super) fn directory(&self) -> Option<&str> {
        match self {
            Self::Discover => None,
            Self::List(directory) | Self::Running(directory) => Some(directory),
        }
    }
}

/// How a job ended.
pub(super) enum Done {
    /// The directories that were found, and why there may be more.
    Discovered(Vec<String>, Option<Error>),
    /// Whether anything is pending there.
    Listed(bool),
    /// It was told what there was to tell, if anything.
    Told,
    Failed(Error),
}

/// Does it.
pub(super) async fn carry_out(shared: &Shared, no_preview: &AtomicBool, job: &Job) -> Done {
    let done = match job {
        Job::Discover => discover(shared).await.map(|(found, failure)| Done::Discovered(found, failure)),
        Job::List(directory) => list_all(shared, no_preview, directory).await.map(Done::Listed),
        Job::Running(directory) => tell_running(shared, directory).await.map(|()| Done::Told),
    };
    done.unwrap_or_else(Done::Failed)
}

/// Tells of the sessions that were used lately, and gives the directories they are in.
async fn discover(shared: &Shared) -> Result<(Vec<String>, Option<Error>), Error> {
    let asked = shared.ends.now();
    let InUse { directories, sessions, running, failure } = in_use(&shared.http, shared.dialect(), now()).await?;
    for session in sessions {
        shared.outlet.wire(WireEvent::SessionSeen(session)).await?;
    }
    tell_runs(shared, running, asked).await?;
    Ok((directories, failure))
}

/// Tells which sessions run in a directory of a 1.x server. That this can't be had is not told: nothing pending is
/// missed for it, and a run that goes on will be heard.
async fn tell_running(shared: &Shared, directory: &str) -> Result<(), Error> {
    let asked = shared.ends.now();
    match list::running(&shared.http, directory).await {
        Ok(running) => tell_runs(shared, running, asked).await,
        Err(error) => {
            tracing::debug!(server = %shared.id, %error, "which sessions run is not known");
            Ok(())
        }
    }
}

/// Tells which sessions ran when that was `asked`, but for those that have ended since.
async fn tell_runs(shared: &Shared, running: impl IntoIterator<Item = SessionId>, asked: u64) -> Result<(), Error> {
    for session in running {
        if !shared.ends.ended_since(asked, &session) {
            shared.outlet.wire(WireEvent::RunBegan(session)).await?;
        }
    }
    Ok(())
}

/// Lists one directory on all routes of the server. Whether anything is pending there. One may fail without the others.
async fn list_all(shared: &Shared, no_preview: &AtomicBool, directory: &str) -> Result<bool, Error> {
    let mut any = Ok(false);
    for route in shared.dialect().routes() {
        if *route == Route::Preview && no_preview.load(Ordering::Relaxed) {
            continue;
        }
        let found = list_one(shared, *route, directory).await;
        if *route == Route::Preview && matches!(found, Ok(None)) {
            no_preview.store(true, Ordering::Relaxed);
            continue;
        }
        for found in [found, list_questions(shared, *route, directory).await] {
            if *route == Route::Preview && matches!(found, Err(Error::NoDirectory)) {
                // What counts is what the other route makes of it.
                continue;
            }
            any = match (any, found) {
                (Ok(any), Ok(found)) => Ok(any || found == Some(true)),
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
        }
    }
    any
}

async fn list_one(shared: &Shared, route: Route, directory: &str) -> Result<Option<bool>, Error> {
    let number = announce(shared).await?;
    let found = list::pending(&shared.http, &shared.id, route, directory, now()).await?;
    let Some(found) = found else { return Ok(None) };
    let any = tell_sessions(shared, &found).await?;
    let Pending { directory, alive: asks, orphans, unreadable, .. } = found;
    shared.outlet.wire(WireEvent::Listed { number, scope: Scope { route, directory }, asks, orphans }).await?;
    readable(unreadable, term!("{} of its requests have no readable id or session")).map(|()| Some(any))
}

async fn list_questions(shared: &Shared, route: Route, directory: &str) -> Result<Option<bool>, Error> {
    let number = announce(shared).await?;
    let found = list::questions(&shared.http, &shared.id, route, directory, now()).await?;
    let Some(found) = found else { return Ok(None) };
    let any = tell_sessions(shared, &found).await?;
    let Pending { directory, alive: questions, orphans, unreadable, .. } = found;
    let scope = Scope { route, directory };
    shared.outlet.wire(WireEvent::QuestionsListed { number, scope, questions, orphans }).await?;
    readable(unreadable, term!("{} of its questions have no readable id or session")).map(|()| Some(any))
}

/// Tells that a listing begins, before the request for it is sent: what the machine hears of afterwards may be younger
/// than the listing.
async fn announce(shared: &Shared) -> Result<u64, Error> {
    let number = shared.listings.fetch_add(1, Ordering::Relaxed);
    shared.outlet.wire(WireEvent::ListBegan(number)).await?;
    Ok(number)
}

/// Tells of the sessions that something listed belongs to. Whether anything is listed.
async fn tell_sessions<T>(shared: &Shared, found: &Pending<T>) -> Result<bool, Error> {
    for note in &found.diagnostics {
        tracing::warn!(server = %shared.id, note);
    }
    for session in &found.sessions {
        shared.outlet.wire(WireEvent::SessionSeen(session.clone())).await?;
    }
    Ok(!found.alive.is_empty() || !found.orphans.is_empty())
}

/// What could be read is told; that all is well is not.
fn readable(unreadable: usize, what: Template) -> Result<(), Error> {
    match unreadable {
        0 => Ok(()),
        some => Err(Error::Garbled(what.with(some))),
    }
}
