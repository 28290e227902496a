//! Modes: chosen by the user, brought to servers, shown, and tried out.

mod picture;
mod unasked;

use gavel_core::flow::{Event, RuleOutcome};
use gavel_core::modes::{AgentPaths, Cause, Stance, own_rules, path_allowances};
use gavel_core::rules::{Case, Origin, Rule, Rules, Saved, evaluate};
use gavel_core::text::Message as Sentence;
use gavel_core::{Dialect, ServerId, Session, SessionId, say};
use gavel_opencode::Connection;
use gavel_opencode::connection::Applied;
use gavel_opencode::dialect::agents::{Agent, AgentMode};

pub(crate) use self::picture::{grants, modes, unasked};
pub(crate) use self::unasked::{Asking, Cue, Found};
use crate::api::{Answer, Code, Scope, Trial, TrialSource};
use crate::calls::Reply;
use crate::driver::Driver;
use crate::failure::Failed;
use crate::message::Message;

/// The agent whose places a plan may write to.
const PLAN: &str = "plan";

impl Driver {
    /// Remembers what was chosen; the machine sees to the sessions.
    pub(crate) fn set_mode(&mut self, scope: Scope, stance: Option<Stance>) -> Result<Answer, Failed> {
        let chosen = &mut self.settings.modes;
        match (scope, stance) {
            (Scope::Server { server }, Some(stance)) => drop(chosen.servers.insert(server.into(), stance)),
            (Scope::Server { server }, None) => drop(chosen.servers.remove(&ServerId(server))),
            (Scope::Project { directory }, Some(stance)) => drop(chosen.projects.insert(directory, stance)),
            (Scope::Project { directory }, None) => drop(chosen.projects.remove(&directory)),
            (Scope::Session { server, session }, Some(stance)) => {
                chosen.sessions.entry(server.into()).or_default().insert(session.into(), stance);
            }
            (Scope::Session { server, session }, None) => chosen.forget_session(&server.into(), &session.into()),
        }
        self.feed(Event::Stances(self.settings.modes.clone()));
        self.keep_settings()
    }

    /// Sees that the rules of a session end in Gavel's. What became of it comes back to the machine.
    pub(crate) fn rule(
        &self,
        server: ServerId,
        session: Session,
        stance: Option<Stance>,
        grants: Vec<Saved>,
        previous: Vec<Rule>,
        cause: Cause,
    ) {
        let connection = self.servers.connection(&server);
        let dialect = self.flow.servers().get(&server).and_then(|known| known.link.dialect());
        let (messages, stay) = (self.messages.clone(), self.servers.stay(&server));
        tokio::spawn(async move {
            let outcome = match (connection, dialect) {
                (Some(connection), Some(dialect)) => {
                    let wanted = Wanted { dialect, stance, grants, gives_back: !previous.is_empty(), cause };
                    apply(&connection, &session, wanted, &previous).await
                }
                _ => RuleOutcome::Failed { why: say!("there is no connection to the server") },
            };
            let _ = messages.send(Message::Event(Some(stay), Event::Ruled { server, session: session.id, outcome }));
        });
    }

    /// Answers with the rules that `stance` stands for.
    pub(crate) fn rules_of(
        &self,
        server: &ServerId,
        directory: String,
        agent: Option<String>,
        stance: Stance,
        answer: Reply,
    ) {
        let connection = self.servers.connection(server);
        tokio::spawn(async move {
            let agents = match connection {
                Some(connection) => connection.agents(&directory).await.unwrap_or_default(),
                None => Vec::new(),
            };
            let rules = rules(Some(stance), &agents, agent.as_deref(), &[]);
            let _ = answer.send(Ok(Answer::Rules { rules, complete: !agents.is_empty() }));
        });
    }

    /// Answers with what the rules of a session decide about something that is tried.
    pub(crate) fn try_rules(
        &self,
        server: &ServerId,
        session: &SessionId,
        action: String,
        resource: String,
        answer: Reply,
    ) {
        let known = self.flow.servers().get(server).and_then(|known| known.sessions.get(session)).cloned();
        let (Some(session), Some(connection)) = (known, self.servers.connection(server)) else {
            let _ = answer.send(Err(unreachable(say!("The session is not known."))));
            return;
        };
        tokio::spawn(async move {
            let result = tried(&connection, &session, &action, resource).await;
            let _ = answer.send(result.map(|trial| Answer::Trial { trial }));
        });
    }
}

/// What the rules of a session are to say.
struct Wanted {
    dialect: Dialect,
    stance: Option<Stance>,
    grants: Vec<Saved>,
    /// Gavel has set rules before.
    gives_back: bool,
    cause: Cause,
}

async fn apply(connection: &Connection, session: &Session, wanted: Wanted, previous: &[Rule]) -> RuleOutcome {
    let needs_agents = wanted.stance.is_some_and(|stance| stance.mode.narrows() || stance.plan);
    // A list that only grows can't have Gavel's rules taken out: the agent's own, behind them, undo them.
    let gives_back = wanted.gives_back && wanted.stance.is_none() && wanted.dialect == Dialect::V1;
    let agents = if needs_agents || gives_back {
        match connection.agents(&session.directory).await {
            Ok(agents) => agents,
            Err(error) => return RuleOutcome::Failed { why: say!("its agents can't be listed: {}", error.said()) },
        }
    } else {
        Vec::new()
    };
    let rules = if gives_back {
        match acting(&agents, session.agent.as_deref()) {
            Some(agent) => agent.rules.clone(),
            None => return RuleOutcome::Failed { why: say!("its agent is not listed") },
        }
    } else {
        rules(wanted.stance, &agents, session.agent.as_deref(), &wanted.grants)
    };
    match connection.apply_rules(&session.id, &session.directory, previous, &rules, wanted.cause).await {
        Ok(Applied::Unchanged | Applied::Written { .. }) => RuleOutcome::Stands(rules),
        Ok(Applied::Deleted) => RuleOutcome::Deleted,
        Ok(Applied::Unsupported) => RuleOutcome::Unsupported,
        Err(error) => RuleOutcome::Failed { why: error.said() },
    }
}

fn rules(stance: Option<Stance>, agents: &[Agent], agent: Option<&str>, grants: &[Saved]) -> Vec<Rule> {
    let places = |agent: Option<&Agent>| agent.map(|agent| path_allowances(&agent.rules)).unwrap_or_default();
    let own = places(acting(agents, agent));
    let plan = places(agents.iter().find(|agent| agent.id == PLAN));
    own_rules(stance, AgentPaths { acting: &own, plan: &plan }, grants)
}

/// The agent that acts in a session: the one that is named, or the server's default, which comes first.
fn acting<'a>(agents: &'a [Agent], named: Option<&str>) -> Option<&'a Agent> {
    match named {
        Some(name) => agents.iter().find(|agent| agent.id == name),
        None => agents.iter().find(|agent| !agent.hidden && agent.mode != AgentMode::Subagent),
    }
}

async fn tried(connection: &Connection, session: &Session, action: &str, resource: String) -> Result<Trial, Failed> {
    let failed =
        |error: gavel_opencode::Error| unreachable(say!("The server does not tell its rules: {}.", error.said()));
    let agents = connection.agents(&session.directory).await.map_err(failed)?;
    let own = connection.session_rules(&session.id, &session.directory).await.map_err(failed)?;
    let own = own.ok_or_else(|| unreachable(say!("The session is deleted.")))?;
    let rules = Rules {
        agent: acting(&agents, session.agent.as_deref()).map(|agent| agent.rules.clone()),
        session: own,
        saved: Vec::new(),
        directory: Some(session.directory.clone()),
    };
    let ruling = evaluate(&rules, action, &[resource], Case::Sensitive);
    let (rule, from) = match ruling.decided.first().map(|decided| decided.by) {
        Some(Origin::Agent(place)) => {
            (rules.agent.as_ref().and_then(|all| all.get(place)).cloned(), TrialSource::Agent)
        }
        Some(Origin::Session(place)) => (rules.session.get(place).cloned(), TrialSource::Session),
        Some(Origin::NoAgent | Origin::Saved(_) | Origin::Nothing) | None => (None, TrialSource::None),
    };
    Ok(Trial { effect: ruling.effect, rule, from })
}

fn unreachable(message: Sentence) -> Failed {
    Failed { code: Code::Failed, message, hint: say!("Try again when the server is online.") }
}
