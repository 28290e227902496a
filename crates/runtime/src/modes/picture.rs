//! Modes and grants as they are shown.

use std::collections::{BTreeMap, BTreeSet};

use gavel_core::display::{project_name, retitled, visible};
use gavel_core::flow::{Flow, RuleState, Server};
use gavel_core::grants::{Grant, GrantId, UNDO};
use gavel_core::modes::{Defaults, Mode, Stance};
use gavel_core::rules::Saved;
use gavel_core::text::{Language, Message};
use gavel_core::{Dialect, Moment, ServerId, Session};

use super::unasked::{Asking, Project};
use crate::api::{GrantRow, ModeRow, Modes, Scope, SessionRow, UnaskedRow};

/// How many sessions are listed. A window that shows more helps nobody to find one.
const SESSIONS: usize = 200;

/// Which modes are chosen for what, and what counts where.
pub(crate) fn modes(flow: &Flow, language: Language) -> Modes {
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
        .flat_map(|server| server.sessions.all().map(|session| row(server, session, chosen, language)))
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
    Modes { servers, projects, sessions, unasked: Vec::new() }
}

/// The projects in which nobody is asked, as far as they were looked into, by their names.
pub(crate) fn unasked(flow: &Flow, asking: &Asking, put_aside: &BTreeSet<String>) -> Vec<UnaskedRow> {
    let rows = asking.projects.iter().filter_map(|((id, directory), project)| {
        let server = flow.servers().get(id)?;
        let by_choice = is_unasked(server, directory, project, asking, flow.stances())?;
        Some(UnaskedRow {
            server: id.0.clone(),
            server_name: visible(&server.info.name),
            directory: directory.clone(),
            project: project_name(directory),
            place: visible(directory),
            unasked: project.unasked,
            by_choice,
            dialect: project.dialect,
            configuration: project.configuration.clone(),
            file: visible(&in_directory(directory, "opencode.json")),
            put_aside: put_aside.contains(directory),
        })
    });
    let mut rows: Vec<UnaskedRow> = rows.collect();
    rows.sort_by(|one, other| {
        (&one.project, &one.directory, &one.server).cmp(&(&other.project, &other.directory, &other.server))
    });
    rows
}

/// Whether nobody is asked in a project, and then whether that is what the user chose for it. `None`: somebody is.
fn is_unasked(server: &Server, directory: &str, project: &Project, asking: &Asking, chosen: &Defaults) -> Option<bool> {
    let id = &server.info.id;
    let by_project = chosen.projects.get(directory).or_else(|| chosen.servers.get(id)).map(|stance| stance.mode);
    if by_project == Some(Mode::FullAccess) {
        return Some(true);
    }
    if !project.unasked.leaves_nothing_to_answer() {
        return None;
    }
    let here = server.sessions.all().filter(|session| session.directory == directory);
    let ask: Vec<bool> = here.filter_map(|session| asks(server, session, asking, chosen)).collect();
    // What sessions do that are known to work counts before what new ones would.
    let silent = if ask.is_empty() { by_project.is_none() } else { ask.contains(&false) };
    silent.then_some(false)
}

/// Whether a session asks: as was chosen for it, if that is in force, or by rules of its own. `None` if nothing is known of
/// it beyond its project, or if it was chosen for it alone that it doesn't.
fn asks(server: &Server, session: &Session, asking: &Asking, chosen: &Defaults) -> Option<bool> {
    let id = &server.info.id;
    let state = server.ruled.get(&session.id).map(|ruled| &ruled.state);
    let in_force = !matches!(state, Some(RuleState::Unsupported | RuleState::Overruled));
    match chosen.narrowest(id, &server.sessions.chain(&session.id)) {
        Some(stance) if in_force => stance.mode.narrows().then_some(true),
        Some(_) => Some(asking.sessions.get(&(id.clone(), session.id.clone())).copied().unwrap_or(false)),
        None => asking.sessions.get(&(id.clone(), session.id.clone())).copied(),
    }
}

/// The path of a file in a directory, as the machine writes it that the directory is on.
fn in_directory(directory: &str, file: &str) -> String {
    let slash = if directory.contains('\\') && !directory.contains('/') { '\\' } else { '/' };
    format!("{}{slash}{file}", directory.trim_end_matches(['/', '\\']))
}

fn row(server: &Server, session: &Session, chosen: &Defaults, language: Language) -> SessionRow {
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
        state: ruled.map(|ruled| in_language(&ruled.state, language)),
        rules: ruled.map(|ruled| ruled.block.clone()).unwrap_or_default(),
    }
}

/// How far the rules of a session are, in words of `language`.
fn in_language(state: &RuleState, language: Language) -> RuleState {
    match state {
        RuleState::Failed { why } => RuleState::Failed { why: Message::verbatim(why.in_language(language)) },
        other => other.clone(),
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
pub(crate) fn grants(flow: &Flow, now: Moment, language: Language) -> Vec<GrantRow> {
    let live = flow.grants().live(now).map(|(id, grant)| (id, grant, None));
    let taken = flow.grants().taken(now).map(|taken| (taken.id, &taken.grant, Some(taken.at.plus(UNDO))));
    let mut all: Vec<(GrantId, &Grant, Option<Moment>)> = live.chain(taken).collect();
    all.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
    all.into_iter().map(|(id, grant, until)| grant_row(flow, id, grant, until, language)).collect()
}

fn grant_row(flow: &Flow, id: GrantId, grant: &Grant, back_until: Option<Moment>, language: Language) -> GrantRow {
    let server = flow.servers().get(&grant.server);
    let session = server.and_then(|server| server.sessions.get(&grant.session));
    let passes_there = grant.lasts_as_session() && server.and_then(|known| known.link.dialect()) == Some(Dialect::V2);
    // All that is allowed by a grant is of the kind that was asked for.
    let action = grant.patterns.first().map_or("", |pattern| pattern.action.as_str());
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
        title: retitled(action, &grant.title, language),
        given: grant.given.0,
        lasts: grant.lasts,
        used: (!passes_there).then_some(grant.used),
        back_until: back_until.map(|at| at.0),
    }
}
