//! What nobody is ever asked about, because the rules leave no question; and what to put into a configuration against it.

use serde::{Deserialize, Serialize};

use super::cover::{covers, is_everything};
use super::{EDIT, OUTSIDE, blanket, older_rules, older_word};
use crate::Dialect;
use crate::rules::{Case, Effect, Pattern, Rule};

/// What a list of rules certainly never asks about: it is allowed or refused without a question, whatever it is.
/// Where that can't be told, it says that something may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unasked {
    /// No command.
    pub commands: bool,
    /// No change of a file.
    pub edits: bool,
    /// Nothing outside the project.
    pub outside: bool,
    /// No address that is fetched.
    pub fetches: bool,
    /// Nothing at all, whatever the tool is called.
    pub anything: bool,
}

impl Unasked {
    /// What `rules` never ask about: those of an agent, with those of a session behind them.
    #[must_use]
    pub fn by(rules: &[Rule]) -> Self {
        Self {
            commands: never_asks(rules, Some(SHELL)),
            edits: never_asks(rules, Some(EDIT)),
            outside: never_asks(rules, Some(OUTSIDE)),
            fetches: never_asks(rules, Some("webfetch")),
            anything: never_asks(rules, None),
        }
    }

    /// What is asked about under neither of the two.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            commands: self.commands && other.commands,
            edits: self.edits && other.edits,
            outside: self.outside && other.outside,
            fetches: self.fetches && other.fetches,
            anything: self.anything && other.anything,
        }
    }

    /// Whether whatever changes something goes unasked: then there is hardly anything left for anybody to answer.
    #[must_use]
    pub const fn leaves_nothing_to_answer(self) -> bool {
        self.anything || (self.commands && self.edits)
    }

    /// The rules that make it ask again, as [`super::Mode::Supervised`] does, to stand behind all others. `places` are
    /// what [`super::path_allowances`] finds: an agent's own places outside the project are not asked about.
    #[must_use]
    pub fn remedy(self, places: &[Rule]) -> Vec<Rule> {
        let asked = [(self.commands, SHELL), (self.edits, EDIT), (self.outside, OUTSIDE)];
        let mut rules: Vec<Rule> =
            asked.into_iter().filter(|(never, _)| *never).map(|(_, action)| blanket(action, Effect::Ask)).collect();
        if self.outside {
            rules.extend(places.iter().filter(|place| place.action == OUTSIDE).cloned());
        }
        rules
    }
}

/// The action of running a command.
const SHELL: &str = "shell";

/// Whether `rules` certainly never ask about `action`, whatever the resource; without one, about any action.
fn never_asks(rules: &[Rule], action: Option<&str>) -> bool {
    let matches = |rule: &Rule, word: &str, case| Pattern::new(&rule.action, case).matches(word);
    // A server on Windows takes capital letters for small ones, and a wildcard of 1.x stands for words of 1.x, so there
    // more rules may be meant, or fewer. Such a word itself has become one of 2.x before it came here.
    let may_be_meant = |rule: &Rule| {
        action.is_none_or(|one| {
            let older = older_word(one);
            matches(rule, one, Case::Folded) || (rule.action != older && matches(rule, older, Case::Folded))
        })
    };
    let is_meant = |rule: &Rule| match action {
        Some(one) => {
            rule.action == one || [one, older_word(one)].iter().all(|word| matches(rule, word, Case::Sensitive))
        }
        None => is_everything(&rule.action),
    };
    // What no rule matches is asked, so one must match everything; what stands before it never counts.
    let Some(floor) = rules.iter().rposition(|rule| is_meant(rule) && is_everything(&rule.resource)) else {
        return false;
    };
    let reaches = |later: &str, earlier: &str| {
        later == earlier || [earlier, older_word(earlier)].iter().all(|word| covers(later, word))
    };
    let buries = |later: &Rule, earlier: &Rule| {
        let meant = is_meant(later) || (action.is_none() && reaches(&later.action, &earlier.action));
        meant && covers(&later.resource, &earlier.resource)
    };
    let rules = rules.get(floor..).unwrap_or_default();
    rules.iter().enumerate().all(|(place, rule)| {
        let later = rules.get(place + 1..).unwrap_or_default();
        rule.effect != Effect::Ask || !may_be_meant(rule) || later.iter().any(|later| buries(later, rule))
    })
}

/// What to put into the file `opencode.json` of a project so that `rules`, in 2.x words, stand there; indented JSON.
///
/// 1.x holds patterns together by action, so rules about one action must stand side by side, in their order.
#[must_use]
pub fn configuration(dialect: Dialect, rules: &[Rule]) -> String {
    match dialect {
        Dialect::V1 => older_configuration(&older_rules(rules)),
        Dialect::V2 => {
            let line = |rule: &Rule| {
                let Rule { action, resource, effect } = rule;
                let (action, resource, effect) = (json(action), json(resource), json(effect));
                format!("    {{ \"action\": {action}, \"resource\": {resource}, \"effect\": {effect} }}")
            };
            let lines: Vec<String> = rules.iter().map(line).collect();
            format!("{{\n  \"permissions\": [\n{}\n  ]\n}}", lines.join(",\n"))
        }
    }
}

fn older_configuration(rules: &[Rule]) -> String {
    let member = |about: &[Rule]| {
        let action = about.first().map(|rule| json(&rule.action)).unwrap_or_default();
        match about {
            [Rule { resource, effect, .. }] if is_everything(resource) => format!("    {action}: {}", json(effect)),
            _ => {
                let pattern = |rule: &Rule| format!("      {}: {}", json(&rule.resource), json(&rule.effect));
                let patterns: Vec<String> = about.iter().map(pattern).collect();
                format!("    {action}: {{\n{}\n    }}", patterns.join(",\n"))
            }
        }
    };
    let members: Vec<String> = rules.chunk_by(|one, next| one.action == next.action).map(member).collect();
    format!("{{\n  \"permission\": {{\n{}\n  }}\n}}", members.join(",\n"))
}

/// As JSON. Texts and effects always can be.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
