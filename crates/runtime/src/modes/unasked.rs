//! Projects in which OpenCode asks nobody: found out when a session first works there, and when somebody looks.

use std::collections::HashMap;

use gavel_core::flow::{Event, WireEvent};
use gavel_core::modes::{Unasked, configuration, path_allowances};
use gavel_core::rules::Rule;
use gavel_core::{Dialect, ServerId, SessionId};
use gavel_opencode::dialect::agents::Agent;

use crate::api::Answer;
use crate::driver::Driver;
use crate::failure::Failed;
use crate::message::Message;

/// The most projects that are looked into at once because somebody looks.
const MOST_PROJECTS: usize = 50;

/// The most sessions whose own rules are remembered.
const MOST_SESSIONS: usize = 1024;

/// A project as one server has it: its absolute directory.
pub(crate) type Place = (ServerId, String);

/// What is known of the rules of projects.
#[derive(Default)]
pub(crate) struct Asking {
    pub(super) projects: HashMap<Place, Project>,
    /// Sessions that work where nothing is asked: whether rules of their own ask all the same.
    pub(super) sessions: HashMap<(ServerId, SessionId), bool>,
    /// Projects that are being looked into, and whether what is found will be out of date.
    under_way: HashMap<Place, bool>,
}

/// What is known of a project.
pub(crate) struct Project {
    agents: Vec<Agent>,
    pub(super) dialect: Dialect,
    /// What none of its agents ever asks about.
    pub(super) unasked: Unasked,
    /// What to put into its configuration so that they do.
    pub(super) configuration: String,
}

/// Something that was found out about rules.
pub(crate) enum Found {
    /// The agents of a project; none if they could not be had.
    Agents(Place, Vec<Agent>),
    /// A session's own rules; `None` if they could not be had.
    Rules(ServerId, SessionId, Option<Vec<Rule>>),
}

/// Something that may make it necessary to look.
pub(crate) enum Cue {
    /// A session began, runs, or something about it was told; and whether it began.
    Session(ServerId, SessionId, bool),
    /// The rules of a session are others now.
    Rules(ServerId, SessionId, Vec<Rule>),
    /// A session is no longer there.
    Deleted(ServerId, SessionId),
    /// The agents of a project are others now; of every project if there is none.
    Agents(ServerId, Option<String>),
    /// Nothing is known of a server any more.
    Away(ServerId),
}

impl Cue {
    /// What an event is a cue for.
    pub(crate) fn of(event: &Event) -> Option<Self> {
        Some(match event {
            Event::Link(server, link) if !link.is_online() => Self::Away(server.clone()),
            Event::ServerRemoved(server) => Self::Away(server.clone()),
            Event::Wire(server, event) => match event {
                WireEvent::SessionBegan(session) => Self::Session(server.clone(), session.id.clone(), true),
                WireEvent::SessionSeen(session) => Self::Session(server.clone(), session.id.clone(), false),
                WireEvent::RunBegan(session) => Self::Session(server.clone(), session.clone(), false),
                WireEvent::RulesChanged { session, rules } => {
                    Self::Rules(server.clone(), session.clone(), rules.clone())
                }
                WireEvent::SessionDeleted(session) => Self::Deleted(server.clone(), session.clone()),
                WireEvent::AgentsChanged(directory) => {
                    Self::Agents(server.clone(), Some(directory.clone()).filter(|directory| !directory.is_empty()))
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl Project {
    fn new(dialect: Dialect, agents: Vec<Agent>) -> Self {
        let unasked = without_questions(&agents, &[]);
        // The first is the one that acts unless another is named.
        let places = agents.iter().find(|agent| !agent.hidden).map(|agent| path_allowances(&agent.rules));
        let configuration = configuration(dialect, &unasked.remedy(&places.unwrap_or_default()));
        Self { agents, dialect, unasked, configuration }
    }
}

/// What none of the agents that can be chosen asks about where these rules come behind its own.
fn without_questions(agents: &[Agent], own: &[Rule]) -> Unasked {
    let each = agents.iter().filter(|agent| !agent.hidden).map(|agent| {
        // Rules that can't be understood are none: nothing is claimed then.
        Unasked::by(&[agent.rules.as_slice(), own].concat())
    });
    each.reduce(Unasked::and).unwrap_or_else(|| Unasked::by(&[]))
}

impl Driver {
    /// Looks where the rules have to be looked at after what happened. The machine knows of it already.
    pub(crate) fn follow(&mut self, cue: Cue) {
        match cue {
            Cue::Session(server, session, began) => {
                let Some(known) = self.flow.servers().get(&server) else { return };
                let Some(found) = known.sessions.get(&session) else { return };
                if found.directory.is_empty() || !(began || known.running.contains(&session)) {
                    return;
                }
                let place = (server, found.directory.clone());
                if self.asking.projects.contains_key(&place) {
                    self.look_at_sessions(&place);
                } else {
                    self.look_at_project(place);
                }
            }
            Cue::Rules(server, session, rules) => {
                let known = self.flow.servers().get(&server).and_then(|known| known.sessions.get(&session));
                let Some(directory) = known.map(|known| known.directory.clone()) else { return };
                self.take_rules(&(server, directory), session, Some(&rules));
            }
            Cue::Deleted(server, session) => drop(self.asking.sessions.remove(&(server, session))),
            Cue::Agents(server, directory) => {
                let here = |place: &Place| place.0 == server && directory.as_ref().is_none_or(|one| *one == place.1);
                self.asking.under_way.iter_mut().filter(|(place, _)| here(place)).for_each(|(_, again)| *again = true);
                let known: Vec<Place> = self.asking.projects.keys().filter(|place| here(place)).cloned().collect();
                for place in known {
                    self.asking.projects.remove(&place);
                    self.look_at_project(place);
                }
                // What their own rules came to was said of the agents as they were.
                let flow = &self.flow;
                self.asking.sessions.retain(|(on, id), _| {
                    let session = flow.servers().get(on).and_then(|known| known.sessions.get(id));
                    !session.is_some_and(|session| here(&(on.clone(), session.directory.clone())))
                });
            }
            Cue::Away(server) => {
                self.asking.projects.retain(|place, _| place.0 != server);
                self.asking.sessions.retain(|(on, _), _| *on != server);
                self.asking.under_way.iter_mut().filter(|(place, _)| place.0 == server).for_each(|(_, again)| {
                    *again = true;
                });
            }
        }
    }

    /// Looks into all projects in which something happens and that were not looked into yet.
    pub(crate) fn look_at_projects(&mut self) {
        let online = self.flow.servers().values().filter(|server| server.link.is_online());
        let ids: Vec<ServerId> = online.map(|server| server.info.id.clone()).collect();
        for id in ids {
            // Others would have to be loaded by the server first.
            let loaded = self.servers.connection(&id).map(|connection| connection.directories()).unwrap_or_default();
            let has_sessions = |directory: &String| {
                let server = self.flow.servers().get(&id);
                server.is_some_and(|server| server.sessions.all().any(|session| session.directory == *directory))
            };
            let places: Vec<Place> = loaded
                .into_iter()
                .filter(has_sessions)
                .map(|directory| (id.clone(), directory))
                .filter(|place| !self.asking.projects.contains_key(place))
                .take(MOST_PROJECTS)
                .collect();
            places.into_iter().for_each(|place| self.look_at_project(place));
        }
    }

    /// Remembers whether the user wants to hear of a project in which nobody is asked.
    pub(crate) fn put_aside(&mut self, directory: String, aside: bool) -> Result<Answer, Failed> {
        if aside {
            self.settings.put_aside.insert(directory);
        } else {
            self.settings.put_aside.remove(&directory);
        }
        self.keep_settings()
    }

    pub(crate) fn found(&mut self, found: Found) {
        match found {
            Found::Agents(place, agents) => {
                let again = self.asking.under_way.remove(&place).unwrap_or_default();
                let Some(server) = self.flow.servers().get(&place.0) else { return };
                let Some(dialect) = server.link.dialect() else { return };
                if again {
                    self.look_at_project(place);
                } else if !agents.is_empty() {
                    self.asking.projects.insert(place.clone(), Project::new(dialect, agents));
                    self.look_at_sessions(&place);
                }
            }
            Found::Rules(server, session, rules) => {
                let known = self.flow.servers().get(&server).and_then(|known| known.sessions.get(&session));
                let Some(directory) = known.map(|known| known.directory.clone()) else { return };
                self.take_rules(&(server, directory), session, rules.as_deref());
            }
        }
    }

    fn look_at_project(&mut self, place: Place) {
        let Some(connection) = self.servers.connection(&place.0) else { return };
        if self.asking.under_way.contains_key(&place) {
            return;
        }
        self.asking.under_way.insert(place.clone(), false);
        let messages = self.messages.clone();
        tokio::spawn(async move {
            // What can't be had now is looked for again when the next session works.
            let agents = connection.agents(&place.1).await.unwrap_or_default();
            let _ = messages.send(Message::Rules(Found::Agents(place, agents)));
        });
    }

    /// Looks whether sessions that work where nothing is asked have rules of their own that ask.
    fn look_at_sessions(&mut self, place: &Place) {
        let (id, directory) = place;
        let silent = self.asking.projects.get(place).is_some_and(|known| known.unasked.leaves_nothing_to_answer());
        let (Some(server), Some(connection)) = (self.flow.servers().get(id), self.servers.connection(id)) else {
            return;
        };
        let running: Vec<SessionId> = server
            .running
            .iter()
            .filter(|session| silent && server.sessions.get(session).is_some_and(|known| known.directory == *directory))
            .filter(|session| !self.asking.sessions.contains_key(&(id.clone(), (*session).clone())))
            .cloned()
            .collect();
        for session in running {
            if self.asking.sessions.len() >= MOST_SESSIONS {
                self.asking.sessions.clear();
            }
            // Until they are known, nothing is claimed.
            self.asking.sessions.insert((id.clone(), session.clone()), true);
            let (connection, messages) = (connection.clone(), self.messages.clone());
            let (id, directory) = place.clone();
            tokio::spawn(async move {
                let rules = connection.session_rules(&session, &directory).await.ok().flatten();
                let _ = messages.send(Message::Rules(Found::Rules(id, session, rules)));
            });
        }
    }

    fn take_rules(&mut self, place: &Place, session: SessionId, rules: Option<&[Rule]>) {
        let Some(project) = self.asking.projects.get(place) else { return };
        let key = (place.0.clone(), session);
        // Nobody asked for those of sessions that don't work.
        if let Some(asks) = self.asking.sessions.get_mut(&key) {
            let unasked = rules.map(|rules| without_questions(&project.agents, rules));
            *asks = !unasked.is_some_and(Unasked::leaves_nothing_to_answer);
        }
    }
}
