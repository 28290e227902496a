//! The agents of a 2.x server and their rules.

use gavel_core::rules::{Effect, Rule};

use super::World;
use super::happening::Happening;
use super::rules::rule;

/// Who acts in a session that names nobody.
pub(crate) const DEFAULT: &str = "build";

const DATA: &str = "/home/dev/.local/share/opencode";
const CONFIG: &str = "/home/dev/.config/opencode";
const PLANS: &str = "/home/dev/.opencode/plan";
/// Where OpenCode keeps what is temporary.
pub(crate) const TEMPORARY: &str = "/tmp/opencode";

/// An agent as it is listed.
#[derive(Debug, Clone)]
pub(crate) struct Agent {
    pub(crate) id: String,
    pub(crate) mode: &'static str,
    pub(crate) hidden: bool,
    pub(crate) description: Option<&'static str>,
    /// What it has by birth. The configuration's rules follow.
    built_in: Vec<Rule>,
    /// What the configuration says about this agent alone, or instead of all else.
    own: Own,
}

#[derive(Debug, Clone)]
enum Own {
    Nothing,
    /// Nothing else counts.
    Instead(Vec<Rule>),
}

/// The agents of a server and what its configuration says to all of them.
#[derive(Debug)]
pub(crate) struct Agents {
    known: Vec<Agent>,
    configured: Vec<Rule>,
}

impl Default for Agents {
    fn default() -> Agents {
        Agents { known: built_in(), configured: Vec::new() }
    }
}

/// What every agent begins with.
fn first_rules() -> Vec<Rule> {
    vec![
        rule("*", "*", Effect::Allow),
        rule("external_directory", "*", Effect::Ask),
        rule("read", "*.env", Effect::Ask),
        rule("read", "*.env.*", Effect::Ask),
        rule("read", "*.env.example", Effect::Allow),
        rule("external_directory", &format!("{DATA}/shell/*/*"), Effect::Allow),
        rule("external_directory", &format!("{DATA}/tool-output/*"), Effect::Allow),
        rule("external_directory", &format!("{TEMPORARY}/*"), Effect::Allow),
        rule("external_directory", &format!("{CONFIG}/*"), Effect::Allow),
    ]
}

fn built_in() -> Vec<Agent> {
    let agent = |id: &str, mode, hidden, description, more: Vec<Rule>| Agent {
        id: id.to_owned(),
        mode,
        hidden,
        description,
        built_in: [first_rules(), more].concat(),
        own: Own::Nothing,
    };
    let questions = || rule("question", "*", Effect::Allow);
    let nothing = || rule("*", "*", Effect::Deny);
    let allowed = |action: &str| rule(action, "*", Effect::Allow);
    let explorer = [
        vec![nothing()],
        ["shell", "grep", "glob", "webfetch", "websearch", "read"].map(allowed).to_vec(),
        vec![
            rule("read", "*.env", Effect::Ask),
            rule("read", "*.env.*", Effect::Ask),
            rule("read", "*.env.example", Effect::Allow),
            rule("subagent", "*", Effect::Deny),
            rule("external_directory", "*", Effect::Allow),
        ],
    ];
    let planner = vec![
        questions(),
        rule("edit", "*", Effect::Deny),
        rule("edit", &format!("{PLANS}/*"), Effect::Allow),
        rule("external_directory", &format!("{PLANS}/*"), Effect::Allow),
    ];
    let helper = vec![rule("question", "*", Effect::Deny), rule("subagent", "*", Effect::Deny)];
    vec![
        agent(DEFAULT, "primary", false, Some("Works on the code."), vec![questions()]),
        agent("plan", "primary", false, Some("Thinks before anything is changed."), planner),
        agent("general", "subagent", false, Some("Looks into one thing and reports."), helper),
        agent("explore", "subagent", false, Some("Finds its way through the code."), explorer.concat()),
        agent("title", "primary", true, None, vec![nothing()]),
        agent("summary", "primary", true, None, vec![nothing()]),
        agent("compaction", "primary", true, None, Vec::new()),
    ]
}

impl World {
    /// All agents, the default one first, each with all its rules.
    pub(crate) fn agents(&self) -> Vec<(Agent, Vec<Rule>)> {
        let rules = |agent: &Agent| self.agent_rules(&agent.id).unwrap_or_default();
        self.agents.known.iter().map(|agent| (agent.clone(), rules(agent))).collect()
    }

    /// The rules of an agent in order; `None` if there is no such agent.
    pub(super) fn agent_rules(&self, id: &str) -> Option<Vec<Rule>> {
        let agent = self.agents.known.iter().find(|agent| agent.id == id)?;
        Some(match &agent.own {
            Own::Nothing => [agent.built_in.as_slice(), &self.agents.configured].concat(),
            Own::Instead(rules) => rules.clone(),
        })
    }

    /// What the configuration says to all agents, behind what they have by birth.
    pub(crate) fn configure(&mut self, rules: Vec<Rule>) {
        self.agents.configured = rules;
        self.announce_everywhere(&Happening::ConfigUpdated);
    }

    /// Gives an agent these rules and no others; it is made if there is none.
    pub(crate) fn set_agent(&mut self, id: &str, rules: Vec<Rule>) {
        let own = Own::Instead(rules);
        match self.agents.known.iter_mut().find(|agent| agent.id == id) {
            Some(agent) => agent.own = own,
            None => self.agents.known.push(Agent {
                id: id.to_owned(),
                mode: "all",
                hidden: false,
                description: None,
                built_in: Vec::new(),
                own,
            }),
        }
        self.announce_everywhere(&Happening::AgentsUpdated);
    }

    /// Whether the agents of a location are loaded by now. Each look that comes too early counts.
    pub(crate) fn agents_are_loaded(&mut self, directory: &str, after: u32) -> bool {
        let looks = self.looks.entry(directory.to_owned()).or_default();
        let loaded = *looks >= after;
        *looks = looks.saturating_add(1);
        loaded
    }

    fn announce_everywhere(&mut self, what: &Happening) {
        let mut directories: Vec<String> = self.threads.iter().map(|one| one.session.directory.clone()).collect();
        directories.sort();
        directories.dedup();
        for directory in directories {
            self.emit(&directory, what.clone());
        }
    }
}
