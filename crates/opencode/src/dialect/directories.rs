//! In which directories and sessions of a server work is going on.

use std::collections::{BTreeMap, HashSet};

use gavel_core::{Moment, Session, SessionId};
use serde_json::value::RawValue;

use super::lenient::{self, mend, part, word};
use super::session::{Existence, session};
use super::{Dialect, place, request, v2, wire};
use crate::Error;
use crate::http::{Answer, Http, path};

/// How many directories are taken from the lists of sessions. Listing one makes the server load that project.
const MOST: usize = 50;

/// How many sessions are told of.
const MOST_SESSIONS: usize = 100;

/// Directories and sessions where nothing happened for this long, in milliseconds, are left alone.
const RECENT: u64 = 7 * 24 * 60 * 60 * 1000;

/// How many pages of sessions are read, and how long each is: the first ones hold the latest.
const PAGES: usize = 10;
const PAGE: &str = "100";

/// What is in use on a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InUse {
    /// The directories in which sessions were used lately, the latest first.
    pub directories: Vec<String>,
    /// The sessions that were used lately, the latest first.
    pub sessions: Vec<Session>,
    /// The sessions that run, where the server says so without being asked about a directory.
    pub running: Vec<SessionId>,
}

/// What is in use on the server.
///
/// # Errors
/// No list of sessions could be had.
pub async fn in_use(http: &Http, dialect: Dialect, now: Moment) -> Result<InUse, Error> {
    let (mut used, running) = match dialect {
        Dialect::V1 => (v1_sessions(http).await?, Vec::new()),
        Dialect::V2 => v2_sessions(http, now).await?,
    };
    used.retain(|used| now.since(Moment(used.at)) <= RECENT);
    used.sort_by(|a, b| (b.at, &b.session.directory).cmp(&(a.at, &a.session.directory)));
    let (mut places, mut ids) = (HashSet::new(), HashSet::new());
    let mut found = InUse { running, ..InUse::default() };
    for Used { session, .. } in used {
        if found.directories.len() < MOST && places.insert(session.directory.clone()) {
            found.directories.push(session.directory.clone());
        }
        if found.sessions.len() < MOST_SESSIONS && ids.insert(session.id.clone()) {
            found.sessions.push(session);
        }
    }
    Ok(found)
}

/// A session, and when it was last used, in milliseconds.
struct Used {
    session: Session,
    at: u64,
}

/// Two lists, of which either may be missing.
async fn v1_sessions(http: &Http) -> Result<Vec<Used>, Error> {
    let mut sessions = Vec::new();
    let mut failure = None;
    let mut heard = false;
    for route in ["/experimental/session", "/session"] {
        let listed = http.get(route).await.and_then(|answer| {
            let body = mend(answer.json()?);
            Ok(used(lenient::read(&body)?))
        });
        match listed {
            Ok(used) => {
                heard = true;
                sessions.extend(used);
            }
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(error) if !heard => Err(error),
        _ => Ok(sessions),
    }
}

/// One list in pages, and the sessions that run now wherever they stand in it.
async fn v2_sessions(http: &Http, now: Moment) -> Result<(Vec<Used>, Vec<SessionId>), Error> {
    let mut sessions = Vec::new();
    let mut query = vec![("limit", PAGE.to_owned()), ("order", "desc".to_owned())];
    for _ in 0..PAGES {
        let pairs: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = http.get(&path(&["api", "session"], &pairs)).await?;
        let body = mend(answer.json()?);
        let whole: wire::Enveloped<'_> = lenient::read(&body)?;
        let page = used(lenient::read(whole.data.get())?);
        let stale = page.iter().all(|session| now.since(Moment(session.at)) > RECENT);
        sessions.extend(page);
        let next = part::<wire::Cursor<'_>>(whole.cursor).and_then(|cursor| word(cursor.next));
        let Some(next) = next.filter(|_| !stale) else { break };
        query = vec![("limit", PAGE.to_owned()), ("cursor", next)];
    }
    let known: HashSet<SessionId> = sessions.iter().map(|used| used.session.id.clone()).collect();
    // That this list can't be had is no reason to do without the other one.
    let running = http.get("/api/session/active").await.and_then(|answer| active(&answer)).unwrap_or_default();
    for id in running.iter().filter(|id| !known.contains(id)).take(MOST) {
        if let Ok(Existence::Alive(found)) = v2::session(http, id).await {
            sessions.push(Used { session: found, at: now.0 });
        }
    }
    Ok((sessions, running))
}

fn active(answer: &Answer) -> Result<Vec<SessionId>, Error> {
    let whole: wire::Enveloped<'_> = lenient::read(answer.json()?)?;
    let running: BTreeMap<String, &RawValue> = lenient::read(whole.data.get())?;
    Ok(running.into_keys().map(SessionId).collect())
}

fn used(items: Vec<&RawValue>) -> Vec<Used> {
    let sessions = items.into_iter().filter_map(|raw| part::<wire::Session<'_>>(Some(raw)));
    sessions
        .filter_map(|wire| {
            let time = part::<wire::Time>(wire.time)?;
            let at = request::moment(time.updated.or(time.created)?)?;
            Some(Used { session: session(&wire)?, at: at.0 })
        })
        .filter(|used| place::is_absolute(&used.session.directory))
        .collect()
}
