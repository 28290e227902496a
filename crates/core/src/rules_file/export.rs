//! The lines of a rules file as rules of OpenCode, where the pattern alone decides.
//!
//! Patterns can't do what the strict checks do. What they can do stands behind the preset lines as exceptions, because of
//! all rules that match the last one counts; learned commands come behind those, because they are known to the letter.
//! Where exceptions can't keep out what a line would let pass, the line itself stays here.

use super::{BUILT_IN, Lines, never_counts};
use crate::rules::{Effect, Rule};

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
    /// Preset lines that are left out: patterns can't keep out what they would let pass.
    pub too_wide: Vec<String>,
}

/// What the strict checks refuse of any command, as far as patterns can say it.
///
/// A backslash is a slash to the matcher, and `*` and `?` are never only themselves. So what can be written with these is
/// asked about by what else would be there: names that begin with a dot (`.?/x` leads out), and options with a slash in them.
const ANY: [&str; 39] = [
    "*;*",
    "*&*",
    "*|*",
    "*<*",
    "*>*",
    "*$*",
    "*`*",
    "*\"*",
    "*'*",
    "*(*",
    "*{*",
    "*[*",
    "*#*",
    "*\n*",
    "*\r*",
    "*\t*",
    "*\u{b}*",
    "*\u{c}*",
    "* /*",
    "*=/*",
    "* -/*",
    "* -?/*",
    "* -??/*",
    "*..*",
    "*~*",
    "* .?*",
    "*/.*",
    "*=.*",
    "* -?.*",
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

/// What makes a reader write or run something, by the command that it is an exception from. `-*/*` is an option with a
/// backslash in its name. Of git's options a part of the name is enough.
const OF_COMMANDS: [(&str, &[&str]); 10] = [
    ("git diff", &["git diff *--ou*", "git diff *--ext*", "git diff *--textc*", "git diff *-*/*"]),
    ("git log", &["git log *--ou*", "git log *--ext*", "git log *--textc*", "git log *-*/*"]),
    ("git show", &["git show *--ou*", "git show *--ext*", "git show *--textc*", "git show *-*/*"]),
    ("git branch", &["git branch ?*"]),
    ("git remote", &["git remote ?*"]),
    ("rg", &["rg *--pre*", "rg *--hostname-bin*", "rg *--*/*"]),
    ("tree", &["tree *-o*", "tree *-*/*"]),
    ("date", &["date *-s*", "date *-*/*", "date 0*", "date 1*", "date * 0*", "date * 1*"]),
    ("file", &["file *-C*", "file *--c*", "file *-*/*"]),
    ("hostname", &["hostname ?*"]),
];

/// The command whose options run, write and delete, in more ways of writing them than patterns can tell.
const FIND: &str = "find";

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
    let preset = lines.preset.iter().filter(|line| !line.trim().is_empty());
    let (told, too_wide): (Vec<&String>, Vec<&String>) = preset.partition(|line| can_be_told(line));
    told.iter().for_each(|line| add(line, Effect::Allow));
    let wild = |line: &&String| line.contains(['*', '?']);
    if told.iter().any(wild) {
        ANY.iter().for_each(|pattern| add(pattern, Effect::Ask));
        for (command, patterns) in OF_COMMANDS {
            if told.iter().any(|line| begins_with(line, command)) {
                patterns.iter().for_each(|pattern| add(pattern, Effect::Ask));
            }
        }
    }
    let commands = || lines.learned.iter().map(|learned| &learned.command);
    commands().filter(|command| !wild(command)).for_each(|command| add(command, Effect::Allow));
    Exported {
        rules,
        left_out: commands().filter(wild).cloned().collect(),
        too_wide: too_wide.into_iter().cloned().collect(),
    }
}

/// Whether exceptions can keep out what `line` shall not let pass. That is only known of the readers that a file begins
/// with: nobody has looked at what the options of other programs do.
fn can_be_told(line: &str) -> bool {
    let known = |built_in: &&str| built_in.strip_suffix(" *").is_some_and(|command| begins_with(line, command));
    never_counts(line).is_none() && !begins_with(line, FIND) && BUILT_IN.iter().any(known)
}

/// Whether all that `line` covers is the very command `command`, with or without arguments.
fn begins_with(line: &str, command: &str) -> bool {
    line.strip_prefix(command).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
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
