//! Rules and what they lead to.

use gavel_core::rules::{Case, Effect, Origin, Pattern, Rule, Rules, Ruling, Saved, evaluate};

use super::World;
use super::customs::Approvals;

/// The name of an effect on every wire.
pub(crate) fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Allow => "allow",
        Effect::Deny => "deny",
        Effect::Ask => "ask",
    }
}

/// The effect of that name.
pub(crate) fn effect_named(name: &str) -> Option<Effect> {
    [Effect::Allow, Effect::Deny, Effect::Ask].into_iter().find(|effect| effect_name(*effect) == name)
}

pub(crate) fn rule(action: &str, resource: &str, effect: Effect) -> Rule {
    Rule { action: action.to_owned(), resource: resource.to_owned(), effect }
}

fn matches(pattern: &str, value: &str) -> bool {
    Pattern::new(pattern, Case::Sensitive).matches(value)
}

/// What needs no leave under 1.x unless a rule says so.
const FREE: [&str; 3] = ["read", "task", "question"];

/// The place of the rule that allows everything, with which every agent of 2.x begins.
const BLANKET: Origin = Origin::Agent(0);

/// What somebody wants to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plea<'a> {
    pub(super) session: &'a str,
    /// Whose rules count, if not those of the session's agent.
    pub(super) agent: Option<&'a str>,
    pub(super) action: &'a str,
    pub(super) resources: &'a [String],
    /// A plugin wants it asked where only the blanket rule of the agent allows it.
    pub(super) insists: bool,
}

impl World {
    /// What becomes of a request: the strictest of what becomes of each resource.
    pub(super) fn effect(&self, plea: Plea<'_>) -> Effect {
        match self.customs.approvals {
            Approvals::InMemory => self.effect_in_memory(plea),
            Approvals::Saved => {
                let ruling = self.ruling(plea);
                let blanket = plea.insists && ruling.decided.iter().any(|decided| decided.by == BLANKET);
                if blanket && ruling.effect == Effect::Allow { Effect::Ask } else { ruling.effect }
            }
        }
    }

    /// 2.x: the agent's rules, the session's, and what the project has saved.
    fn ruling(&self, plea: Plea<'_>) -> Ruling {
        let thread = self.thread(plea.session);
        let own = thread.and_then(|thread| thread.session.agent.as_deref());
        let directory = self.directory_of(plea.session);
        let project = self.places.project(&directory).id;
        let saved = self.saved.iter().filter(|approval| approval.project == project);
        let rules = Rules {
            agent: self.agent_rules(plea.agent.or(own).unwrap_or(super::agents::DEFAULT)),
            session: thread.map(|thread| thread.session.rules.clone()).unwrap_or_default(),
            saved: saved
                .map(|approval| Saved { action: approval.action.clone(), resource: approval.resource.clone() })
                .collect(),
            directory: Some(directory),
        };
        evaluate(&rules, plea.action, plea.resources, Case::Sensitive)
    }

    /// 1.x: the session's rules, then what was allowed "always" in its directory.
    fn effect_in_memory(&self, plea: Plea<'_>) -> Effect {
        let Some(thread) = self.thread(plea.session) else { return Effect::Deny };
        let granted = self.granted.get(&thread.session.directory).map_or(&[][..], Vec::as_slice);
        let one = |resource: &String| {
            let fits = |rule: &&Rule| matches(&rule.action, plea.action) && matches(&rule.resource, resource);
            let last = thread.session.rules.iter().chain(granted).rfind(fits);
            last.map_or(if FREE.contains(&plea.action) { Effect::Allow } else { Effect::Ask }, |rule| rule.effect)
        };
        let effects: Vec<Effect> = plea.resources.iter().map(one).collect();
        let strictest = [Effect::Deny, Effect::Ask].into_iter().find(|effect| effects.contains(effect));
        strictest.unwrap_or(Effect::Allow)
    }

    /// All rules about a kind of request, those every agent of 1.x has first.
    pub(super) fn rules_about(&self, session: &str, action: &str) -> Vec<Rule> {
        let mut all = vec![rule("*", "*", Effect::Allow)];
        if !FREE.contains(&action) {
            all.push(rule(action, "*", Effect::Ask));
        }
        let own = self.thread(session).map_or(&[][..], |thread| &thread.session.rules);
        all.extend(own.iter().filter(|rule| matches(&rule.action, action)).cloned());
        all
    }

    /// Whether a rule takes a whole tool away: its last rule that speaks of everything denies.
    pub(crate) fn is_tool_absent(&self, session: &str, action: &str) -> bool {
        let rules = self.thread(session).map_or(&[][..], |thread| &thread.session.rules);
        let last = rules.iter().rfind(|rule| matches(&rule.action, action));
        last.is_some_and(|rule| rule.resource == "*" && rule.effect == Effect::Deny)
    }
}
