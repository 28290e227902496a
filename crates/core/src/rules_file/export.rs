//! The lines of a rules file as rules of OpenCode, where the pattern alone decides.
//!
//! Patterns can't do what the strict checks do. What they can do stands behind the preset lines as exceptions, because of
//! all rules that match the last one counts; learned commands come behind those, because they are known to the letter.

use super::Lines;
use crate::rules::{Case, Effect, Pattern, Rule};

/// What an exported rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// That all else is asked about.
    Floor,
    /// A preset line.
    Preset,
    /// A learned command.
    Learned,
    /// What narrows the preset lines again.
    Exception,
}

/// Lines as rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The rules, in 2.x words, in their order.
    pub rules: Vec<Rule>,
    /// Learned commands that are left out: with a wildcard in them, they would be patterns for others as well.
    pub left_out: Vec<String>,
}

/// What the strict checks refuse of any command, as far as patterns can say it.
const ANY: [&str; 21] = [
    "*;*",
    "*&*",
    "*|*",
    "*<*",
    "*>*",
    "*$*",
    "*`*",
    "*\n*",
    "* /*",
    "*..*",
    "*~*",
    "* -delete*",
    "* -exec*",
    "* -ok*",
    "* -fprint*",
    "* -fls*",
    "*.env*",
    "*id_rsa*",
    "*id_ed25519*",
    "*.pem*",
    "*credentials*",
];

/// What makes a reader write or run something, by the command that it is an exception from.
const OF_COMMANDS: [(&str, &[&str]); 9] = [
    ("git diff", &["git diff *--output*", "git diff *--ext-diff*", "git diff *--textconv*"]),
    ("git log", &["git log *--output*", "git log *--ext-diff*", "git log *--textconv*"]),
    ("git show", &["git show *--output*", "git show *--ext-diff*", "git show *--textconv*"]),
    ("git branch", &["git branch ?*"]),
    ("git remote", &["git remote ?*"]),
    ("rg", &["rg *--pre*"]),
    ("tree", &["tree *-o*"]),
    ("date", &["date *-s*"]),
    ("hostname", &["hostname ?*"]),
];

/// The rules that `lines` stand for, as near as patterns can come to them.
#[must_use]
pub fn exported(lines: &Lines) -> Exported {
    let rule = |resource: &str, effect| Rule { action: "shell".to_owned(), resource: resource.to_owned(), effect };
    let mut rules = vec![rule("*", Effect::Ask)];
    let mut add = |resource: &str, effect| {
        let rule = rule(resource, effect);
        // Of two that are the same, the later one counts.
        rules.retain(|known| known.resource != rule.resource || known.resource == "*");
        rules.push(rule);
    };
    for line in lines.preset.iter().filter(|line| !line.trim().is_empty()) {
        add(line, Effect::Allow);
    }
    let wild = |line: &&String| line.contains(['*', '?']);
    if lines.preset.iter().any(|line| wild(&line)) {
        ANY.iter().for_each(|pattern| add(pattern, Effect::Ask));
        for (command, patterns) in OF_COMMANDS {
            let covers = |line: &String| Pattern::new(line, Case::Sensitive).matches(&format!("{command} x"));
            if lines.preset.iter().any(covers) {
                patterns.iter().for_each(|pattern| add(pattern, Effect::Ask));
            }
        }
    }
    let commands = || lines.learned.iter().map(|learned| &learned.command);
    commands().filter(|command| !wild(command)).for_each(|command| add(command, Effect::Allow));
    Exported { rules, left_out: commands().filter(wild).cloned().collect() }
}

/// What `rule` comes from, when `lines` are exported.
#[must_use]
pub fn origin(rule: &Rule, lines: &Lines) -> Origin {
    match rule.effect {
        Effect::Allow if lines.preset.contains(&rule.resource) => Origin::Preset,
        Effect::Allow => Origin::Learned,
        Effect::Ask | Effect::Deny if rule.resource == "*" => Origin::Floor,
        Effect::Ask | Effect::Deny => Origin::Exception,
    }
}
