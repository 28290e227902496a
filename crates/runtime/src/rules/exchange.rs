//! Rules from and for configurations of OpenCode.

use std::cell::OnceCell;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use gavel_core::Dialect;
use gavel_core::display::visible;
use gavel_core::modes::{configuration, configured, covers};
use gavel_core::reach::{Lines as Asked, hazard};
use gavel_core::rules::{Case, Effect, Pattern, Rule, Saved, may_overlap};
use gavel_core::rules_file::export::{Exported, Origin, exported, origin};
use gavel_core::rules_file::{CommandLine, Lines};
use gavel_core::say;
use gavel_core::text::{Message, plain};
use gavel_disk::system_said;
use jsonc_parser::ParseOptions;

use super::check::Bench;
use crate::api::{Code, ExportedFrom, ExportedRule, ImportFate, ImportedLine, PresetProblem, RulesExport, RulesImport};
use crate::failure::Failed;

/// A configuration of more bytes than this is not read.
const LARGEST: u64 = 1024 * 1024;

/// So many rules are exported at most: what a window sends has bounds.
const MOST_RULES: usize = 2_000;

/// So many rules are looked at in a configuration at most: each is held against those that follow it, and whoever wrote
/// the repository wrote them.
const MOST_IMPORTED: usize = 300;

/// Longer patterns than this, in bytes, are taken to cover something in common with any other.
const LONG_PATTERN: usize = 200;

/// Where a project keeps its configuration, the first that is there.
const CONFIGURATIONS: [&str; 4] =
    ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"];

/// JSON with comments and trailing commas, as OpenCode reads it.
const AS_OPENCODE: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The configuration of `project`.
pub(super) fn configuration_of(project: &Path) -> Option<PathBuf> {
    CONFIGURATIONS.iter().map(|name| project.join(name)).find(|path| path.is_file())
}

/// `lines` as a configuration, or `rules` that the user has put in another order.
pub(super) fn export(lines: &Lines, rules: Option<Vec<Rule>>) -> RulesExport {
    let Exported { rules: own, left_out, too_wide } = exported(lines);
    let mut rules = rules.unwrap_or(own);
    rules.truncate(MOST_RULES);
    let of = |rule: &Rule| match origin(rule, lines) {
        Origin::Floor => ExportedFrom::Floor,
        Origin::Preset => ExportedFrom::Preset,
        Origin::Learned => ExportedFrom::Learned,
        Origin::Exception => ExportedFrom::Exception,
    };
    let shown = |(place, rule): (usize, &Rule)| {
        let later = rules.get(place + 1..).unwrap_or_default();
        let saved = Saved { action: rule.action.clone(), resource: rule.resource.clone() };
        ExportedRule {
            rule: rule.clone(),
            from: of(rule),
            hazard: (rule.effect == Effect::Allow).then(|| hazard(&saved, Asked::Split)).flatten(),
            idle: later
                .iter()
                .any(|later| covers(&later.action, &rule.action) && covers(&later.resource, &rule.resource)),
        }
    };
    RulesExport {
        v1: configuration(Dialect::V1, &rules),
        v2: configuration(Dialect::V2, &rules),
        rules: rules.iter().enumerate().map(shown).collect(),
        left_out: left_out.iter().map(|command| visible(command)).collect(),
        too_wide: too_wide.iter().map(|line| visible(line)).collect(),
    }
}

/// What the configuration `text` says about commands, or, without one, that of the project.
pub(super) fn import(bench: &Bench<'_>, lines: &Lines, text: Option<String>) -> Result<RulesImport, Failed> {
    let (text, place) = match text {
        Some(text) => (text, String::new()),
        None => read(Path::new(bench.project))?,
    };
    let value: serde_json::Value = jsonc_parser::parse_to_serde_value(&text, &AS_OPENCODE).map_err(|error| Failed {
        code: Code::BadPattern,
        message: say!("This is no configuration: {}.", plain(error.to_string())),
        hint: say!("Paste the whole of an opencode.json, with its braces."),
    })?;
    let said = configured(&value);
    let shell = |rule: &&Rule| {
        let action = Pattern::new(&rule.action, Case::Sensitive);
        action.matches("shell") || action.matches("bash")
    };
    let rules: Vec<Candidate<'_>> = said.rules.iter().filter(shell).map(Candidate::from).collect();
    if rules.len() > MOST_IMPORTED {
        return Err(Failed {
            code: Code::BadPattern,
            message: say!("There are more than {} rules about commands in it.", MOST_IMPORTED),
            hint: say!("Paste only those that you want to look at."),
        });
    }
    let line = |(place, candidate): (usize, &Candidate<'_>)| ImportedLine {
        pattern: candidate.rule.resource.clone(),
        shown: visible(&candidate.rule.resource),
        effect: candidate.rule.effect,
        fate: fate(bench, lines, candidate, rules.get(place + 1..).unwrap_or_default()),
    };
    Ok(RulesImport {
        place,
        lines: rules.iter().enumerate().map(line).collect(),
        agents: said.agents.iter().map(|agent| visible(agent)).collect(),
    })
}

fn read(project: &Path) -> Result<(String, String), Failed> {
    let failed = |message: Message| Failed { code: Code::Failed, message, hint: Message::default() };
    let path = configuration_of(project)
        .ok_or_else(|| failed(say!("The project has no configuration of its own that could be read.")))?;
    let place = visible(&path.to_string_lossy());
    let mut text = String::new();
    let read = std::fs::File::open(&path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    match read {
        Ok(size) if size as u64 > LARGEST => Err(failed(say!("{} is too large.", plain(place)))),
        Ok(_) => Ok((text, place)),
        Err(error) => Err(failed(say!("{} can't be read: {}.", plain(place), system_said(&error)))),
    }
}

/// A rule of a configuration.
struct Candidate<'a> {
    rule: &'a Rule,
    /// Why no command passes by it, once that was looked at: it takes dozens of verdicts.
    never: OnceCell<Option<PresetProblem>>,
}

impl<'a> From<&'a Rule> for Candidate<'a> {
    fn from(rule: &'a Rule) -> Self {
        Self { rule, never: OnceCell::new() }
    }
}

impl Candidate<'_> {
    fn never(&self, bench: &Bench<'_>) -> Option<&PresetProblem> {
        self.never.get_or_init(|| bench.never(&self.rule.resource)).as_ref()
    }

    /// Whether some command may be covered by both.
    fn may_overlap(&self, pattern: &str) -> bool {
        let other = &self.rule.resource;
        other.len() > LONG_PATTERN || pattern.len() > LONG_PATTERN || may_overlap(other, pattern)
    }
}

/// What can become of `candidate`, which `later` ones follow.
fn fate(bench: &Bench<'_>, lines: &Lines, candidate: &Candidate<'_>, later: &[Candidate<'_>]) -> ImportFate {
    let rule = candidate.rule;
    let pattern = rule.resource.as_str();
    if rule.effect != Effect::Allow {
        return ImportFate::NoAllowance;
    }
    if !pattern.is_empty() && pattern.chars().all(|c| c == '*') {
        return ImportFate::Everything;
    }
    if lines.preset.iter().any(|line| line == pattern) || lines.learned.iter().any(|one| one.command == pattern) {
        return ImportFate::Present;
    }
    let refused = |later: &&Candidate<'_>| later.rule.effect != Effect::Allow;
    let taken_back = |by: &Candidate<'_>| ImportFate::TakenBack { by: visible(&by.rule.resource) };
    let never = candidate.never(bench);
    if pattern.contains(['*', '?']) || never.is_none() {
        if let Some(why) = never {
            return ImportFate::Never { why: why.clone() };
        }
        // Where nothing that both cover can pass the strict checks, the later one takes nothing back.
        let takes = |later: &&Candidate<'_>| later.never(bench).is_none() && later.may_overlap(pattern);
        return later.iter().filter(refused).find(takes).map_or(ImportFate::Preset, taken_back);
    }
    let takes = |later: &&Candidate<'_>| Pattern::new(&later.rule.resource, Case::Sensitive).matches(pattern);
    if let Some(by) = later.iter().filter(refused).find(takes) {
        return taken_back(by);
    }
    match bench.learnable(pattern) {
        Ok(line) if CommandLine::as_str(&line).is_empty() => ImportFate::NoAllowance,
        Ok(_) => ImportFate::Learned,
        Err(why) => ImportFate::NotLearned { why },
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::rules_file::parse;

    use super::*;
    use crate::api::LearnProblem;

    const FILE: &str = r#"{"version": 1, "preset": ["ls *"], "learned": [{"command": "npm run x"}]}"#;

    fn lines() -> Lines {
        parse(FILE.as_bytes()).unwrap().lines().clone()
    }

    fn bench(project: &str) -> Bench<'_> {
        Bench { project, home: None, language: gavel_core::text::Language::English, commands: Vec::new() }
    }

    fn fates(text: &str) -> Vec<(String, String)> {
        let found = import(&bench("/p"), &lines(), Some(text.to_owned())).unwrap();
        let word = |fate: &ImportFate| serde_json::to_value(fate).unwrap()["fate"].as_str().unwrap().to_owned();
        found.lines.iter().map(|line| (line.pattern.clone(), word(&line.fate))).collect()
    }

    #[test]
    fn no_configuration_is_too_large_to_look_at() {
        let many = |count: usize| {
            let allowed = (0..count / 2).map(|nth| format!("\"cat *{nth}*\": \"allow\""));
            let refused = (0..count - count / 2).map(|nth| format!("\"cat .env*{nth}*\": \"deny\""));
            let rules: Vec<String> = allowed.chain(refused).collect();
            format!(r#"{{"permission": {{"bash": {{{}}}}}}}"#, rules.join(","))
        };
        assert_eq!(fates(&many(MOST_IMPORTED)).len(), MOST_IMPORTED);
        let failed = import(&bench("/p"), &lines(), Some(many(MOST_IMPORTED + 1))).unwrap_err();
        assert!(failed.to_string().contains("more than 300 rules"));
        // Each is looked at once, whatever it is held against.
        let rules: Vec<Rule> = [("cat *", Effect::Allow), ("cat *x*", Effect::Deny)]
            .map(|(resource, effect)| Rule { action: "bash".into(), resource: resource.into(), effect })
            .into();
        let candidates: Vec<Candidate<'_>> = rules.iter().map(Candidate::from).collect();
        let _ = fate(&bench("/p"), &lines(), &candidates[0], &candidates[1..]);
        assert!(candidates.iter().all(|one| one.never.get().is_some()), "it is kept what was found out");
    }

    fn expect(text: &str, expected: &[(&str, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect();
        assert_eq!(fates(text), expected, "{text}");
    }

    #[test]
    fn lines_of_both_versions_are_sorted_by_what_can_become_of_them() {
        expect(
            r#"{
              // as people write it
              "permission": { "edit": "allow", "bash": {
                "*": "allow", "ls *": "allow", "git status*": "allow", "npm *": "allow", "npm test": "allow",
                "npm run x": "allow", "git status": "allow", "cat /etc/*": "allow", "rm -rf build": "allow",
                "git push *": "deny", "make *": "ask",
              } },
            }"#,
            &[
                ("*", "everything"),
                ("ls *", "present"),
                ("git status*", "preset"),
                ("npm *", "never"),
                ("npm test", "learned"),
                ("npm run x", "present"),
                ("git status", "preset"),
                ("cat /etc/*", "never"),
                ("rm -rf build", "not_learned"),
                ("git push *", "no_allowance"),
                ("make *", "no_allowance"),
            ],
        );
        expect(
            r#"{"permissions": [{"action": "shell", "resource": "wc *", "effect": "allow"},
                {"action": "edit", "resource": "wc *", "effect": "allow"},
                {"action": "*", "resource": "du *", "effect": "allow"}]}"#,
            &[("wc *", "preset"), ("du *", "preset")],
        );
        expect(r#"{"permission": "allow"}"#, &[("*", "everything")]);
        expect(r#"{"permission": {"bash": "sometimes"}}"#, &[("*", "no_allowance")]);
    }

    /// The user wants to be asked about part of it: a line here would take that from them.
    #[test]
    fn what_a_later_rule_asks_about_is_not_taken_as_allowed() {
        expect(
            r#"{"permission": {"bash": {"cat *": "allow", "cat *plan*": "ask"}}}"#,
            &[("cat *", "taken_back"), ("cat *plan*", "no_allowance")],
        );
        expect(
            r#"{"permission": {"bash": {"npm test": "allow", "npm *": "deny"}}}"#,
            &[("npm test", "taken_back"), ("npm *", "no_allowance")],
        );
        expect(
            r#"{"permission": {"bash": {"npm *": "deny", "npm test": "allow"}}}"#,
            &[("npm *", "no_allowance"), ("npm test", "learned")],
        );
        // Pushing never passes by a preset line, so asking about it takes nothing back.
        expect(
            r#"{"permission": {"bash": {"git *": "allow", "git push *": "ask"}}}"#,
            &[("git *", "preset"), ("git push *", "no_allowance")],
        );
        expect(
            r#"{"permission": {"bash": {"git *": "allow", "*": "ask"}}}"#,
            &[("git *", "taken_back"), ("*", "no_allowance")],
        );
    }

    #[test]
    fn a_configuration_is_read_from_the_project_and_never_written() {
        let project = tempfile::tempdir().unwrap();
        let bench = bench(project.path().to_str().unwrap());
        assert!(import(&bench, &lines(), None).unwrap_err().message.to_string().contains("no configuration"));
        let path = project.path().join("opencode.jsonc");
        let text = "{ /* mine */ \"permission\": {\"bash\": {\"wc *\": \"allow\"}}, \"agent\": {\"plan\": {\"permission\": {}}} }";
        std::fs::write(&path, text).unwrap();
        let found = import(&bench, &lines(), None).unwrap();
        assert_eq!((found.lines.len(), found.agents.as_slice()), (1, &["plan".to_owned()][..]));
        assert_eq!(found.place, path.to_str().unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        for nonsense in ["{ nonsense", "{'a': 1}", "{} {}", "", &"[".repeat(100_000)] {
            std::fs::write(&path, nonsense).unwrap();
            let found = import(&bench, &lines(), None);
            assert!(found.is_err() || found.is_ok_and(|found| found.lines.is_empty()), "{nonsense:.20}");
        }
    }

    #[test]
    fn the_reasons_are_told() {
        let text = r#"{"permission": {"bash": {"npm *": "allow", "rm -rf x": "allow"}}}"#;
        let found = import(&bench("/p"), &lines(), Some(text.to_owned())).unwrap();
        assert!(matches!(&found.lines[0].fate, ImportFate::Never { why: PresetProblem::Unproven { .. } }));
        assert!(matches!(&found.lines[1].fate, ImportFate::NotLearned { why: LearnProblem::Destructive { .. } }));
    }

    #[test]
    fn what_is_exported_can_be_put_in_another_order_and_shows_what_does_nothing_then() {
        let export = |rules| export(&lines(), rules);
        let first = export(None);
        assert!(first.rules.iter().all(|rule| !rule.idle), "{first:?}");
        let mut rules: Vec<Rule> = first.rules.iter().map(|rule| rule.rule.clone()).collect();
        rules.rotate_left(1);
        let turned = export(Some(rules));
        assert!(turned.rules.iter().take(turned.rules.len() - 1).all(|rule| rule.idle), "the floor covers all");
        assert_eq!(turned.rules.last().unwrap().from, ExportedFrom::Floor);
        assert!(turned.v1.contains("\"bash\"") && turned.v2.contains("\"shell\""));
    }
}
