//! The places an agent may use of its own: its kept outputs, its configuration, its plans.

use super::cover::{covers, is_everything, without_dead};
use super::{EDIT, OUTSIDE};
use crate::rules::{Case, Effect, Pattern, Rule, is_absolute};

/// The places that an agent's rules open by name, in their order, for going outside the project and for editing; and
/// behind each what other rules of the agent take back of it. What a later rule closes altogether is left out, and so is
/// an allowance that names no place. A place that may be edited, were it not for a later rule that asks, is asked about.
///
/// Put behind a rule that denies or asks, they open nothing that the agent's own rules don't.
#[must_use]
pub fn path_allowances(rules: &[Rule]) -> Vec<Rule> {
    let mut found = Vec::new();
    let mut asked = Vec::new();
    let mut denied = Vec::new();
    for (at, rule) in rules.iter().enumerate() {
        let later = rules.get(at..).unwrap_or_default();
        for action in [OUTSIDE, EDIT].into_iter().filter(|action| matches(&rule.action, action)) {
            let told = |effect| Rule { action: action.to_owned(), resource: rule.resource.clone(), effect };
            match (rule.effect, final_effect(later, action, &rule.resource)) {
                // What is allowed for every action alike is no place of the agent's own.
                (Effect::Allow, _) if rule.action != action || !names_a_place(&rule.resource) => {}
                (Effect::Allow, Some(Effect::Allow)) => found.push(told(Effect::Allow)),
                (Effect::Allow, Some(Effect::Ask)) if action == EDIT => asked.push(told(Effect::Ask)),
                // Where all else is denied, what is taken back must not become a question.
                (Effect::Ask, Some(Effect::Ask)) if action == EDIT => found.push(told(Effect::Deny)),
                (Effect::Ask, Some(Effect::Ask)) => found.push(told(Effect::Ask)),
                (Effect::Deny, Some(Effect::Deny)) => {
                    found.push(told(Effect::Deny));
                    denied.push(told(Effect::Deny));
                }
                _ => {}
            }
        }
    }
    let takes_back = |rule: &Rule, from: &[Rule]| {
        from.iter().any(|known| known.action == rule.action && may_overlap(&known.resource, &rule.resource))
    };
    // Agents allow their places before and behind what the configuration says: once is enough.
    let mut kept: Vec<Rule> = Vec::new();
    for rule in without_dead(&found) {
        if rule.effect == Effect::Allow || takes_back(&rule, &kept) {
            kept.push(rule);
        }
    }
    let asked = without_dead(&asked);
    denied.retain(|rule| takes_back(rule, &asked));
    [kept, asked, without_dead(&denied)].concat()
}

fn matches(pattern: &str, action: &str) -> bool {
    Pattern::new(pattern, Case::Sensitive).matches(action)
}

/// What the last rule says that decides about the whole of `resource`.
fn final_effect(rules: &[Rule], action: &str, resource: &str) -> Option<Effect> {
    let decides = |rule: &&Rule| matches(&rule.action, action) && covers(&rule.resource, resource);
    rules.iter().rev().find(decides).map(|rule| rule.effect)
}

/// The part of a pattern that stands for itself, up to the first wildcard.
fn literal(pattern: &str) -> String {
    pattern.split(['*', '?']).next().unwrap_or_default().replace('\\', "/")
}

/// Whether the pattern is about a directory that it names: `/tmp/opencode/*` is, `/*`, `../*` and `*.md` are not.
fn names_a_place(pattern: &str) -> bool {
    let literal = literal(pattern);
    let Some((directory, _)) = literal.rsplit_once('/') else { return false };
    let is_drive = |part: &str| part.len() == 2 && part.ends_with(':');
    directory.split('/').any(|part| !matches!(part, "" | "." | ".." | "~") && !is_drive(part))
}

/// Whether some resource may match both. `true` may also mean that it can't be told.
fn may_overlap(one: &str, other: &str) -> bool {
    if is_everything(one) || is_everything(other) || is_absolute(one) != is_absolute(other) {
        return true;
    }
    // A tail of a space and a star is optional, and so is the space then.
    let (one, other) = (literal(one), literal(other));
    let (one, other) = (one.trim_end(), other.trim_end());
    one.starts_with(other) || other.starts_with(one)
}
