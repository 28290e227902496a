//! Modes and grants as they are shown.

use std::collections::BTreeMap;

use gavel_core::display::{project_name, visible};
use gavel_core::flow::{Flow, Server};
use gavel_core::grants::{Grant, GrantId, UNDO};
use gavel_core::modes::{Defaults, Stance};
use gavel_core::rules::Saved;
use gavel_core::{Dialect, Moment, ServerId, Session};

use crate::api::{GrantRow, ModeRow, Modes, Scope, SessionRow};

/// How many sessions are listed. A window that shows more helps nobody to find one.
const SESSIONS: usize = 200;

/// Which modes are chosen for what, and what counts where.
pub(crate) fn modes(flow: &Flow) -> Modes {
    let chosen = flow.stances();
    let servers = flow.servers().values().map(|server| ModeRow {
        scope: Scope::Server { server: server.info.id.0.clone() },
        name: visible(&server.info.name),
        place: visible(server.info.id.as_str()),
        chosen: chosen.servers.get(&server.info.id).copied(),
    });
    let mut sessions: Vec<SessionRow> = flow
        .servers()
        .values()
        .flat_map(|server| server.sessions.all().map(|session| row(server, session, chosen)))
        .collect();
    sessions
        .sort_by(|one, other| (!one.runs, one.is_child, &other.scope).cmp(&(!other.runs, other.is_child, &one.scope)));
    let mut projects: BTreeMap<&str, Option<Stance>> =
        sessions.iter().map(|session| (session.directory.as_str(), None)).collect();
    projects.remove("");
    projects.extend(chosen.projects.iter().map(|(directory, stance)| (directory.as_str(), Some(*stance))));
    let projects = projects.into_iter().map(|(directory, stance)| ModeRow {
        scope: Scope::Project { directory: directory.to_owned() },
        name: project_name(directory),
        place: visible(directory),
        chosen: stance,
    });
    let (servers, projects) = (servers.collect(), projects.collect());
    sessions.truncate(SESSIONS);
    Modes { servers, projects, sessions }
}

fn row(server: &Server, session: &Session, chosen: &Defaults) -> SessionRow {
    let id = &server.info.id;
    let chain = server.sessions.chain(&session.id);
    let ruled = server.ruled.get(&session.id);
    SessionRow {
        scope: Scope::Session { server: id.0.clone(), session: session.id.0.clone() },
        name: visible(&session.title),
        server_name: visible(&server.info.name),
        project: project_name(&session.directory),
        directory: session.directory.clone(),
        agent: session.agent.as_deref().map(visible),
        is_child: session.parent.is_some(),
        runs: server.running.contains(&session.id),
        chosen: chosen.sessions.get(id).and_then(|own| own.get(&session.id)).copied(),
        counts: chosen.narrowest(id, &chain),
        counts_by: counts_by(id, &chain, chosen),
        state: ruled.map(|ruled| ruled.state.clone()),
        rules: ruled.map(|ruled| ruled.block.clone()).unwrap_or_default(),
    }
}

/// Whose choice counts. See [`Defaults::narrowest`].
fn counts_by(server: &ServerId, chain: &[&Session], chosen: &Defaults) -> Option<Scope> {
    let own = chosen.sessions.get(server);
    let nearest = chain.iter().rev().find(|session| own.is_some_and(|own| own.contains_key(&session.id)));
    if let Some(session) = nearest {
        return Some(Scope::Session { server: server.0.clone(), session: session.id.0.clone() });
    }
    let directory = chain.last().map(|session| session.directory.as_str()).unwrap_or_default();
    if chosen.projects.contains_key(directory) {
        return Some(Scope::Project { directory: directory.to_owned() });
    }
    chosen.servers.contains_key(server).then(|| Scope::Server { server: server.0.clone() })
}

/// What the user allowed for sessions, the latest first; those that were just taken back among them.
pub(crate) fn grants(flow: &Flow, now: Moment) -> Vec<GrantRow> {
    let live = flow.grants().live(now).map(|(id, grant)| (id, grant, None));
    let taken = flow.grants().taken(now).map(|taken| (taken.id, &taken.grant, Some(taken.at.plus(UNDO))));
    let mut all: Vec<(GrantId, &Grant, Option<Moment>)> = live.chain(taken).collect();
    all.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
    all.into_iter().map(|(id, grant, until)| grant_row(flow, id, grant, until)).collect()
}

fn grant_row(flow: &Flow, id: GrantId, grant: &Grant, back_until: Option<Moment>) -> GrantRow {
    let server = flow.servers().get(&grant.server);
    let session = server.and_then(|server| server.sessions.get(&grant.session));
    let passes_there = grant.lasts_as_session() && server.and_then(|known| known.link.dialect()) == Some(Dialect::V2);
    GrantRow {
        id: id.0,
        server: grant.server.0.clone(),
        server_name: server.map(|server| visible(&server.info.name)).unwrap_or_default(),
        session: session.map(|session| visible(&session.title)).unwrap_or_default(),
        project: session.map(|session| project_name(&session.directory)).unwrap_or_default(),
        patterns: grant
            .patterns
            .iter()
            .map(|Saved { action, resource }| Saved { action: visible(action), resource: visible(resource) })
            .collect(),
        includes_children: grant.includes_children,
        title: grant.title.clone(),
        given: grant.given.0,
        lasts: grant.lasts,
        used: (!passes_there).then_some(grant.used),
        back_until: back_until.map(|at| at.0),
    }
}
