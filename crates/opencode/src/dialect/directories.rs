//! In which directories and sessions of a server work is going on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use gavel_core::{Moment, Session, SessionId};
use serde_json::value::RawValue;

use super::lenient::{self, mend, part, word};
use super::session::{Existence, session};
use super::together::together;
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

/// How long all sessions that run and are in no list may take to be looked up.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is in use on a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InUse {
    /// The directories in which sessions were used lately, the latest first.
    pub directories: Vec<String>,
    /// The sessions that were used lately, the latest first.
    pub sessions: Vec<Session>,
    /// The sessions that run, where the server says so without being asked about a directory.
    pub running: Vec<SessionId>,
    /// Why there may be more: a part of the sessions could not be had.
    pub failure: Option<Error>,
}

/// What is in use on the server.
///
/// # Errors
/// No list of sessions could be had.
pub async fn in_use(http: &Http, dialect: Dialect, now: Moment) -> Result<InUse, Error> {
    let (mut used, mut found) = match dialect {
        Dialect::V1 => (v1_sessions(http, now).await?, InUse::default()),
        Dialect::V2 => v2_sessions(http, now).await?,
    };
    let running: HashSet<&SessionId> = found.running.iter().collect();
    // What runs is in use, however long ago that began.
    for used in used.iter_mut().filter(|used| running.contains(&used.session.id)) {
        used.at = now.0;
    }
    used.retain(|used| now.since(Moment(used.at)) <= RECENT);
    used.sort_by_key(|used| {
        (!running.contains(&used.session.id), Reverse(used.at), Reverse(used.session.directory.clone()))
    });
    let (mut places, mut ids) = (HashSet::new(), HashSet::new());
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
async fn v1_sessions(http: &Http, now: Moment) -> Result<Vec<Used>, Error> {
    let mut sessions = Vec::new();
    let mut failure = None;
    let mut heard = false;
    for route in ["/experimental/session", "/session"] {
        let listed = http.get(route).await.and_then(|answer| {
            let body = mend(answer.json()?);
            Ok(used(lenient::read(&body)?, now))
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

/// One list in pages, and the sessions that run now wherever they stand in it. Neither costs the other.
async fn v2_sessions(http: &Http, now: Moment) -> Result<(Vec<Used>, InUse), Error> {
    let mut sessions = Vec::new();
    let failure = v2_pages(http, now, &mut sessions).await.err();
    let active = http.get("/api/session/active").await.and_then(|answer| active(&answer));
    let running = match (active, &failure) {
        (Ok(running), _) => running,
        (Err(_), Some(failure)) if sessions.is_empty() => return Err(failure.clone()),
        (Err(_), _) => Vec::new(),
    };
    let known: HashSet<&SessionId> = sessions.iter().map(|used| &used.session.id).collect();
    let unknown: Vec<&SessionId> = running.iter().filter(|id| !known.contains(id)).take(MOST).collect();
    let looked_up = together(unknown.into_iter().map(|id| v2::session(http, id)), PATIENCE).await;
    for found in looked_up.into_iter().flatten() {
        if let Ok(Existence::Alive(found)) = found {
            sessions.push(Used { session: found, at: now.0 });
        }
    }
    Ok((sessions, InUse { running, failure, ..InUse::default() }))
}

/// Reads the list page by page. What was read stays when a later page can't be had.
async fn v2_pages(http: &Http, now: Moment, sessions: &mut Vec<Used>) -> Result<(), Error> {
    let mut query = vec![("limit", PAGE.to_owned()), ("order", "desc".to_owned())];
    let mut turned = HashSet::new();
    for _ in 0..PAGES {
        let pairs: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = http.get(&path(&["api", "session"], &pairs)).await?;
        let body = mend(answer.json()?);
        let whole: wire::Enveloped<'_> = lenient::read(&body)?;
        let page = used(lenient::read(whole.data.get())?, now);
        let stale = page.iter().all(|session| now.since(Moment(session.at)) > RECENT);
        sessions.extend(page);
        let next = part::<wire::Cursor<'_>>(whole.cursor).and_then(|cursor| word(cursor.next));
        // A server that leads back to a page goes round in circles.
        let Some(next) = next.filter(|next| !stale && turned.insert(next.clone())) else { break };
        query = vec![("limit", PAGE.to_owned()), ("cursor", next)];
    }
    Ok(())
}

fn active(answer: &Answer) -> Result<Vec<SessionId>, Error> {
    let whole: wire::Enveloped<'_> = lenient::read(answer.json()?)?;
    let running: BTreeMap<String, &RawValue> = lenient::read(whole.data.get())?;
    Ok(running.into_keys().map(SessionId).collect())
}

fn used(items: Vec<&RawValue>, now: Moment) -> Vec<Used> {
    let sessions = items.into_iter().filter_map(|raw| part::<wire::Session<'_>>(Some(raw)));
    sessions
        .filter_map(|wire| {
            let time = part::<wire::Time>(wire.time);
            let at = time.and_then(|time| request::moment(time.updated.or(time.created)?));
            // One that doesn't say when it was used may be in use.
            Some(Used { session: session(&wire)?, at: at.unwrap_or(now).0 })
        })
        .filter(|used| place::is_absolute(&used.session.directory))
        .collect()
}
