//! Rules and what they lead to.

use super::World;
use crate::wildcard;

/// What a rule does with what it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The tool runs.
    Allow,
    /// The tool does not run.
    Deny,
    /// The user is asked.
    Ask,
}

impl Effect {
    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Effect::Allow => "allow",
            Effect::Deny => "deny",
            Effect::Ask => "ask",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Effect> {
        [Effect::Allow, Effect::Deny, Effect::Ask].into_iter().find(|effect| effect.name() == name)
    }
}

/// One rule of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The kind of request it is about, a pattern.
    pub permission: String,
    /// What it matches, a pattern.
    pub pattern: String,
    /// What becomes of it.
    pub effect: Effect,
}

impl Rule {
    pub(crate) fn new(permission: &str, pattern: &str, effect: Effect) -> Rule {
        Rule { permission: permission.to_owned(), pattern: pattern.to_owned(), effect }
    }

    fn is_about(&self, permission: &str, resource: &str) -> bool {
        wildcard::matches(&self.permission, permission) && wildcard::matches(&self.pattern, resource)
    }
}

/// What needs no leave unless a rule says so.
const FREE: [&str; 3] = ["read", "task", "question"];

impl World {
    /// What becomes of one resource: the session's rules, then what was allowed "always" in its directory.
    fn effect(&self, session: &str, permission: &str, resource: &str) -> Effect {
        let Some(thread) = self.thread(session) else { return Effect::Deny };
        let granted = self.granted.get(&thread.session.directory).map_or(&[][..], Vec::as_slice);
        let last = thread.session.rules.iter().chain(granted).rfind(|rule| rule.is_about(permission, resource));
        last.map_or(if FREE.contains(&permission) { Effect::Allow } else { Effect::Ask }, |rule| rule.effect)
    }

    /// What becomes of a request for several resources: the strictest of them.
    pub(super) fn effect_of_all(&self, session: &str, permission: &str, resources: &[String]) -> Effect {
        let mut whole = Effect::Allow;
        for resource in resources {
            match self.effect(session, permission, resource) {
                Effect::Deny => return Effect::Deny,
                Effect::Ask => whole = Effect::Ask,
                Effect::Allow => {}
            }
        }
        whole
    }

    /// All rules about a kind of request, those every agent here has first.
    pub(super) fn rules_about(&self, session: &str, permission: &str) -> Vec<Rule> {
        let mut all = vec![Rule::new("*", "*", Effect::Allow)];
        if !FREE.contains(&permission) {
            all.push(Rule::new(permission, "*", Effect::Ask));
        }
        let own = self.thread(session).map_or(&[][..], |thread| &thread.session.rules);
        all.extend(own.iter().filter(|rule| wildcard::matches(&rule.permission, permission)).cloned());
        all
    }

    /// Whether a rule takes a whole tool away: its last rule that speaks of everything denies.
    pub(crate) fn is_tool_absent(&self, session: &str, permission: &str) -> bool {
        let rules = self.thread(session).map_or(&[][..], |thread| &thread.session.rules);
        let last = rules.iter().rfind(|rule| wildcard::matches(&rule.permission, permission));
        last.is_some_and(|rule| rule.pattern == "*" && rule.effect == Effect::Deny)
    }
}
