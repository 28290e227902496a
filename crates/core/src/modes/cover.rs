//! Which rules can never be the last to match, because a later one matches whatever they do.

use crate::rules::{Case, Pattern, Rule, is_absolute};

/// Whether `wide` certainly matches everything that `narrow` matches. `false` may also mean that it can't be told.
#[must_use]
pub fn covers(wide: &str, narrow: &str) -> bool {
    if wide == narrow || is_everything(wide) {
        return true;
    }
    // An absolute pattern may be compared with the resolved path and a relative one with the text as it is.
    if is_absolute(wide) != is_absolute(narrow) || wide.contains('?') {
        return false;
    }
    // The stars of the narrow one, taken as ordinary characters, can only be matched by stars of the wide one.
    let pattern = Pattern::new(wide, Case::Sensitive);
    pattern.matches(narrow) && without_optional_tail(narrow).is_none_or(|bare| pattern.matches(bare))
}

/// Whether the pattern matches every text.
pub(crate) fn is_everything(pattern: &str) -> bool {
    !pattern.is_empty() && pattern.chars().all(|c| c == '*')
}

/// How a pattern that ends in a space and one star reads without this tail, which values need not have.
fn without_optional_tail(pattern: &str) -> Option<&str> {
    pattern.strip_suffix(" *")
}

/// Whether `later` decides wherever `earlier` would.
pub(crate) fn buries(later: &Rule, earlier: &Rule) -> bool {
    covers(&later.action, &earlier.action) && covers(&later.resource, &earlier.resource)
}

/// `rules` without those that can never be the last to match. They decide exactly the same.
#[must_use]
pub fn without_dead(rules: &[Rule]) -> Vec<Rule> {
    let mut alive: Vec<&Rule> = Vec::new();
    for rule in rules.iter().rev() {
        if !alive.iter().any(|later| buries(later, rule)) {
            alive.push(rule);
        }
    }
    alive.into_iter().rev().cloned().collect()
}
