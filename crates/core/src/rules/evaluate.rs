//! What a set of rules says about a request.

use serde::{Deserialize, Serialize};

use super::{Case, Effect, Pattern, Rule, Saved};

/// All rules that bear on a request, in the order in which OpenCode looks at them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rules {
    /// The acting agent's; `None` if there is no such agent, which forbids everything.
    pub agent: Option<Vec<Rule>>,
    /// The session's.
    pub session: Vec<Rule>,
    /// What the project has saved.
    pub saved: Vec<Saved>,
    /// Absolute directory against which relative paths are resolved, for rules that name absolute ones.
    pub directory: Option<String>,
}

/// What is decided about a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// The effect on the whole request.
    pub effect: Effect,
    /// What decided about each resource, in their order.
    pub decided: Vec<Decided>,
}

/// What decided about one resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The resource.
    pub resource: String,
    /// The effect on it.
    pub effect: Effect,
    /// The rule that says so.
    pub by: Origin,
}

/// Where the rule that decides comes from. Places count from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", content = "place", rename_all = "snake_case")]
pub enum Origin {
    /// A rule of the agent.
    Agent(usize),
    /// There is no such agent.
    NoAgent,
    /// A rule of the session.
    Session(usize),
    /// A saved approval.
    Saved(usize),
    /// No rule matches: somebody is asked.
    Nothing,
}

/// What `rules` say about `action` on `resources`.
///
/// First the agent's and the session's rules alone: a deny there is final. Then once more with the saved approvals
/// behind them. An empty list of resources is allowed, as OpenCode does; nobody should ask about nothing.
#[must_use]
pub fn evaluate(rules: &Rules, action: &str, resources: &[String], case: Case) -> Ruling {
    let decided: Vec<Decided> = resources.iter().map(|resource| decide(rules, action, resource, case)).collect();
    let effect = decided.iter().map(|one| one.effect).max_by_key(|effect| weight(*effect)).unwrap_or(Effect::Allow);
    Ruling { effect, decided }
}

/// Deny beats ask beats allow.
const fn weight(effect: Effect) -> u8 {
    match effect {
        Effect::Allow => 0,
        Effect::Ask => 1,
        Effect::Deny => 2,
    }
}

fn decide(rules: &Rules, action: &str, resource: &str, case: Case) -> Decided {
    let target = Target { action, resource, resolved: resolved(rules, action, resource), case };
    let base = last(&rules.session, &target)
        .map(|(place, effect)| (effect, Origin::Session(place)))
        .or_else(|| match &rules.agent {
            Some(agent) => last(agent, &target).map(|(place, effect)| (effect, Origin::Agent(place))),
            None => Some((Effect::Deny, Origin::NoAgent)),
        })
        .unwrap_or((Effect::Ask, Origin::Nothing));
    // Saved approvals come last and only ever allow; what is denied never reaches them.
    let saved = || rules.saved.iter().rposition(|saved| target.fits(&saved.action, &saved.resource));
    let (effect, by) = match base {
        (Effect::Deny, by) => (Effect::Deny, by),
        other => saved().map_or(other, |place| (Effect::Allow, Origin::Saved(place))),
    };
    Decided { resource: resource.to_owned(), effect, by }
}

fn last(rules: &[Rule], target: &Target<'_>) -> Option<(usize, Effect)> {
    let place = rules.iter().rposition(|rule| target.fits(&rule.action, &rule.resource))?;
    rules.get(place).map(|rule| (place, rule.effect))
}

/// What rules are held against.
struct Target<'a> {
    action: &'a str,
    resource: &'a str,
    /// The resource as an absolute path, where absolute rules are compared with that.
    resolved: Option<String>,
    case: Case,
}

impl Target<'_> {
    fn fits(&self, action: &str, resource: &str) -> bool {
        let compared = match &self.resolved {
            Some(path) if is_absolute(resource) => path,
            _ => self.resource,
        };
        Pattern::new(action, self.case).matches(self.action) && Pattern::new(resource, self.case).matches(compared)
    }
}

/// Only files are resolved: for everything else the text is compared as it is.
fn resolved(rules: &Rules, action: &str, resource: &str) -> Option<String> {
    let directory = rules.directory.as_deref().filter(|_| matches!(action, "read" | "edit"))?;
    let whole = if is_absolute(resource) { resource.to_owned() } else { format!("{directory}/{resource}") };
    Some(without_dots(&whole))
}

/// Whether a path, or a pattern for paths, begins at a root.
pub(crate) fn is_absolute(path: &str) -> bool {
    let drive = |path: &str| {
        let mut chars = path.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic())
            && chars.next() == Some(':')
            && matches!(chars.next(), Some('/' | '\\'))
    };
    path.starts_with(['/', '\\']) || drive(path)
}

/// The path with `.` and `..` followed and slashes only.
fn without_dots(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
