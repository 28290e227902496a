//! What may become a line of a rules file.

use gavel_core::display::visible;
use gavel_core::reach::{Lines, hazard};
use gavel_core::rules::Saved;
use gavel_core::rules_file::{CommandLine, Content, Held, Looked, never_counts, parse};
use gavel_core::text::Language;
use gavel_core::{Class, Detail, Finding, Recommendation};
use gavel_judge::offline::{self, Subject};
use serde_json::json;

use crate::api::{HeldExample, LearnProblem, PresetCheck, PresetProblem};

/// What stands for a wildcard in an example.
const WORDS: [&str; 9] = ["", "src", "status", "README.md", "-l", "1", "HEAD", "x", "--all"];

/// What stands for a wildcard with which a line begins.
const PROGRAMS: [&str; 3] = ["ls", "cat", "git status"];

/// So many examples are shown of each kind.
const SHOWN: usize = 3;

/// What a line is checked against: a project, and what was asked about there.
pub(super) struct Bench<'a> {
    /// Absolute path of the project.
    pub project: &'a str,
    /// Absolute path of the user's home, if it is known.
    pub home: Option<&'a str>,
    /// In which language it is said what commands do.
    pub language: Language,
    /// Commands on record.
    pub commands: Vec<&'a str>,
}

impl Bench<'_> {
    /// What the analysis says of `command`, run in the project itself.
    pub(super) fn finding(&self, command: &str) -> Finding {
        let detail = Detail { command: Some(command.to_owned()), placed: true, ..Detail::default() };
        let resources = [command.to_owned()];
        let Self { project, home, .. } = *self;
        offline::verdict(&Subject { action: "shell", resources: &resources, detail: &detail, project, home })
    }

    /// Why `command` can't be learned.
    pub(super) fn learnable(&self, command: &str) -> Result<CommandLine, LearnProblem> {
        let line = CommandLine::new("shell", command).ok_or(LearnProblem::NoLine)?;
        let finding = self.finding(line.as_str());
        if finding.class == Class::Destructive || finding.recommendation == Recommendation::Deny {
            return Err(LearnProblem::Destructive { why: finding.reason_in(self.language) });
        }
        Ok(line)
    }

    /// What the strict checks make of the preset line `pattern`.
    pub(super) fn preset(&self, pattern: &str, present: bool) -> PresetCheck {
        let everything = !pattern.trim().is_empty() && pattern.trim().chars().all(|c| c == '*');
        let saved = Saved { action: "shell".to_owned(), resource: pattern.to_owned() };
        let mut check = PresetCheck {
            never: None,
            present,
            everything,
            passes: Vec::new(),
            held: Vec::new(),
            hazard: hazard(&saved, Lines::Split),
        };
        if pattern.trim().is_empty() {
            check.never = Some(PresetProblem::Empty);
        } else if let Some(held) = never_counts(pattern) {
            check.never = Some(problem(&held));
        } else {
            self.try_examples(pattern, &mut check);
        }
        check
    }

    /// Why no command passes by the preset line `pattern`, if none does.
    pub(super) fn never(&self, pattern: &str) -> Option<PresetProblem> {
        self.preset(pattern, false).never
    }

    fn try_examples(&self, pattern: &str, check: &mut PresetCheck) {
        let text = json!({ "version": 1, "preset": [pattern] }).to_string();
        let Ok(content) = parse(text.as_bytes()) else { return };
        let mut unproven = None;
        let mut seen = Vec::new();
        let examples = examples(pattern);
        for command in self.commands.iter().copied().chain(examples.iter().map(String::as_str)) {
            let Some(line) = CommandLine::new("shell", command).filter(|line| !seen.contains(line)) else { continue };
            self.try_one(&content, &line, check, &mut unproven);
            seen.push(line);
        }
        if check.passes.is_empty() {
            check.never = Some(unproven.unwrap_or(PresetProblem::Empty));
        }
    }

    fn try_one(
        &self,
        content: &Content,
        line: &CommandLine,
        check: &mut PresetCheck,
        unproven: &mut Option<PresetProblem>,
    ) {
        let finding = self.finding(line.as_str());
        let shown = visible(line.as_str());
        match content.look_up(line, || finding.recommendation == Recommendation::Allow) {
            Looked::Matches(_) if check.passes.len() < SHOWN => check.passes.push(shown),
            Looked::Held { why, .. } => {
                if why == Held::Unproven && unproven.is_none() {
                    let (example, why) = (shown.clone(), finding.reason_in(self.language));
                    *unproven = Some(PresetProblem::Unproven { example, why });
                }
                if check.held.len() < SHOWN {
                    let why = if why == Held::Unproven {
                        finding.reason_in(self.language)
                    } else {
                        why.said().in_language(self.language)
                    };
                    check.held.push(HeldExample { command: shown, why });
                }
            }
            Looked::Matches(_) | Looked::Nothing => {}
        }
    }
}

fn problem(held: &Held) -> PresetProblem {
    match held {
        Held::Character(c) => PresetProblem::Character { what: visible(&c.to_string()) },
        Held::Absolute(what) => PresetProblem::Absolute { what: visible(what) },
        Held::Upwards(what) => PresetProblem::Upwards { what: visible(what) },
        Held::Flag(what) => PresetProblem::Flag { what: visible(what) },
        Held::Unproven => PresetProblem::Empty,
    }
}

/// Commands that `pattern` covers.
fn examples(pattern: &str) -> Vec<String> {
    let program_is_open = pattern.split(' ').next().is_some_and(|word| word.contains(['*', '?']));
    let fill = |word: &str, program: Option<&str>| {
        let mut first = program;
        let filled = pattern.chars().map(|c| match c {
            '*' => first.take().unwrap_or(word).to_owned(),
            '?' => word.chars().find(char::is_ascii_alphanumeric).unwrap_or('x').to_string(),
            c => c.to_string(),
        });
        filled.collect::<String>()
    };
    let programs: Vec<Option<&str>> =
        if program_is_open { PROGRAMS.into_iter().map(Some).collect() } else { vec![None] };
    let all = WORDS.iter().flat_map(|word| programs.iter().map(move |program| (*word, *program)));
    all.map(|(word, program)| fill(word, program)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench(commands: Vec<&str>) -> Bench<'_> {
        Bench { project: "/home/dev/shop", home: Some("/home/dev"), language: Language::English, commands }
    }

    #[test]
    fn every_line_that_a_new_file_begins_with_may_count() {
        for line in gavel_core::rules_file::BUILT_IN {
            let check = bench(vec![]).preset(line, false);
            assert_eq!(check.never, None, "{line}");
            assert!(!check.passes.is_empty() && !check.everything, "{line}: {check:?}");
        }
    }

    #[test]
    fn what_never_counts_is_refused_with_the_reason() {
        let cases = [
            ("", "empty"),
            ("  ", "empty"),
            ("ls *; rm *", "character"),
            ("cat /etc/*", "absolute"),
            ("cat ../*", "upwards"),
            ("find * -delete", "flag"),
            ("npm *", "unproven"),
            ("npm test", "unproven"),
            ("git push *", "unproven"),
            ("rm *", "unproven"),
            ("cat .env*", "unproven"),
            ("sudo ls *", "unproven"),
            ("bash *", "unproven"),
        ];
        for (line, problem) in cases {
            let never = bench(vec![]).never(line);
            let word = serde_json::to_value(&never).unwrap()["problem"].clone();
            assert_eq!(word, problem, "{line}: {never:?}");
        }
        let Some(PresetProblem::Unproven { example, why }) = bench(vec![]).never("git push *") else { panic!() };
        assert_eq!(example, "git push");
        assert!(!why.is_empty());
    }

    #[test]
    fn what_a_wide_line_lets_pass_and_what_not_is_shown_by_what_was_asked() {
        let check = bench(vec!["git status --short", "git push", "git status --short", "ls"]).preset("git *", true);
        assert_eq!((check.never, check.present, check.everything), (None, true, false));
        assert_eq!(check.passes[0], "git status --short");
        assert_eq!(check.held[0].command, "git push");
        assert!(check.hazard.is_some(), "the plugin would let more pass");
        let check = bench(vec![]).preset("*", false);
        assert!(check.everything && check.never.is_none(), "{check:?}");
        assert!(check.passes.contains(&"ls".to_owned()));
        assert_eq!(bench(vec![]).preset("ls src/*", false).hazard, None);
    }

    #[test]
    fn what_destroys_or_is_no_line_cannot_be_learned() {
        let bench = bench(vec![]);
        assert_eq!(bench.learnable("npm  test").unwrap().as_str(), "npm test");
        for command in ["", " ", "a\nb", &"x".repeat(5_000)] {
            assert_eq!(bench.learnable(command), Err(LearnProblem::NoLine));
        }
        for command in ["rm -rf build", "git push --force", "find . -delete", "npm test && rm -rf /"] {
            assert!(matches!(bench.learnable(command), Err(LearnProblem::Destructive { .. })), "{command}");
        }
    }
}
