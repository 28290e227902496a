//! The words of 1.x for what 2.x calls otherwise.

use crate::rules::{Case, Effect, Pattern, Rule};

/// The actions that are called otherwise in 1.x: the word of 2.x, then that of 1.x.
const RENAMED: [(&str, &str); 2] = [("shell", "bash"), ("subagent", "task")];

/// Further words of 1.x for what is one action in 2.x.
const MERGED: [(&str, &str); 3] = [("edit", "write"), ("edit", "patch"), ("edit", "multiedit")];

/// The actions of 2.x that OpenCode itself asks about.
const KNOWN: [&str; 11] = [
    "shell",
    "edit",
    "read",
    "external_directory",
    "glob",
    "grep",
    "webfetch",
    "websearch",
    "skill",
    "subagent",
    "question",
];

/// What 2.x calls the action that 1.x calls `word`.
#[must_use]
pub fn newer_word(word: &str) -> &str {
    let mut all = RENAMED.iter().chain(&MERGED);
    all.find(|(_, older)| *older == word).map_or(word, |(newer, _)| newer)
}

/// What 1.x calls the action that 2.x calls `word`.
#[must_use]
pub fn older_word(word: &str) -> &str {
    RENAMED.iter().find(|(newer, _)| *newer == word).map_or(word, |(_, older)| older)
}

/// The action patterns that say in 1.x what `rule`'s says in 2.x. Where a wildcard can't say exactly the same, an
/// allowance becomes narrower and everything else wider.
fn older_words(rule: &Rule) -> Vec<String> {
    let action = rule.action.as_str();
    if !action.contains(['*', '?']) {
        return vec![older_word(action).to_owned()];
    }
    let pattern = Pattern::new(action, Case::Sensitive);
    let missed = RENAMED.iter().filter(|(newer, older)| pattern.matches(newer) && !pattern.matches(older));
    let missed: Vec<&str> = missed.map(|(_, older)| *older).collect();
    let strays = RENAMED.iter().any(|(newer, older)| !pattern.matches(newer) && pattern.matches(older));
    if strays && rule.effect == Effect::Allow {
        return KNOWN.iter().filter(|word| pattern.matches(word)).map(|word| older_word(word).to_owned()).collect();
    }
    std::iter::once(action).chain(missed).map(str::to_owned).collect()
}

/// `rules` in the words of 1.x, in their order. Their keys on the wire are the dialect's affair.
#[must_use]
pub fn older_rules(rules: &[Rule]) -> Vec<Rule> {
    let older = |rule: &Rule| {
        let Rule { resource, effect, .. } = rule.clone();
        older_words(rule).into_iter().map(move |action| Rule { action, resource: resource.clone(), effect })
    };
    rules.iter().flat_map(older).collect()
}
