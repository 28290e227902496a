//! The places an agent may use of its own: its kept outputs, its configuration, its plans.

use super::cover::{covers, is_everything};
use super::{EDIT, OUTSIDE};
use crate::rules::{Case, Effect, Pattern, Rule, is_absolute};

/// The places that an agent's rules open by name, in their order, for going outside the project and for editing; and
/// behind each what later rules take back of it. What a later rule closes altogether is left out, and so is an
/// allowance that names no place.
///
/// Put behind a rule that asks or denies, they open nothing that the agent's own rules deny or ask about.
#[must_use]
pub fn path_allowances(rules: &[Rule]) -> Vec<Rule> {
    let mut kept: Vec<Rule> = Vec::new();
    for (place, rule) in rules.iter().enumerate() {
        let later = rules.get(place..).unwrap_or_default();
        for action in [OUTSIDE, EDIT] {
            if final_effect(later, action, &rule.resource) != Some(rule.effect) || !matches(&rule.action, action) {
                continue;
            }
            let wanted = match rule.effect {
                Effect::Allow => rule.action == action && names_a_place(&rule.resource),
                Effect::Ask | Effect::Deny => {
                    kept.iter().any(|known| known.action == action && may_overlap(&known.resource, &rule.resource))
                }
            };
            if wanted {
                kept.push(Rule { action: action.to_owned(), resource: rule.resource.clone(), effect: rule.effect });
            }
        }
    }
    kept
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
