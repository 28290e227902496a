//! `gavel explain`, as it is typed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use std::path::Path;

use clap::Parser as _;
use gavel_runtime::cli::{Cli, Command};
use serde_json::Value;

/// What is printed for these arguments, and whether all was as expected.
fn explain(arguments: &[&str]) -> Result<(String, bool), String> {
    let cli = Cli::try_parse_from([&["gavel", "explain"], arguments].concat()).map_err(|error| error.to_string())?;
    let Some(Command::Explain(explain)) = cli.command else { panic!("another command") };
    let mut out = Vec::new();
    let as_expected = explain.run(&mut out)?;
    Ok((String::from_utf8(out).unwrap(), as_expected))
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

const LIST: &str = r#"[
    {"action": "*", "resource": "*", "effect": "allow"},
    {"action": "shell", "resource": "git push *", "effect": "ask"},
    {"action": "shell", "resource": "rm *", "effect": "deny"}
]"#;

#[test]
fn people_are_told_which_rule_decides() {
    let rules = file(LIST);
    let path = rules.path().to_str().unwrap();
    let ask = |resources: &[&str]| {
        let mut arguments = vec!["--rules", path, "--action", "shell"];
        arguments.extend(resources.iter().flat_map(|resource| ["--resource", resource]));
        explain(&arguments).unwrap().0
    };
    assert_eq!(ask(&["git push"]), "shell `git push` is asked about: rule 2 of the agent, `shell git push *`\n");
    assert_eq!(
        ask(&["ls", "rm x"]),
        "shell `ls` is allowed: rule 1 of the agent, `* *`\nshell `rm x` is denied: rule 3 of the agent, `shell rm *`\n\
         The request as a whole is denied.\n"
    );
}

#[test]
fn sessions_and_saved_approvals_count_too() {
    let rules = file(
        r#"{"agent": [], "session": [{"action": "shell", "resource": "*", "effect": "ask"}],
            "saved": [{"action": "shell", "resource": "make *"}]}"#,
    );
    let path = rules.path().to_str().unwrap();
    let ask = |resource| explain(&["--rules", path, "--action", "shell", "--resource", resource]).unwrap().0;
    assert_eq!(ask("make"), "shell `make` is allowed: saved approval 1, `shell make *`\n");
    assert_eq!(ask("ls"), "shell `ls` is asked about: rule 1 of the session, `shell *`\n");
}

#[test]
fn both_kinds_of_cases_are_compared_line_by_line() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/fixtures");
    for (name, count) in [("evaluate-cases.json", 36), ("wildcard-cases.json", 66)] {
        let path = fixtures.join(name);
        let (out, as_expected) = explain(&["--cases", path.to_str().unwrap()]).unwrap();
        assert!(as_expected);
        let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), count);
        for line in lines {
            assert_eq!(line["expected"], line["actual"], "{line}");
            assert!(!line["decided_by"].is_null(), "{line}");
        }
    }
}

#[test]
fn a_case_that_differs_is_told_and_fails() {
    let wrong = file(r#"{"cases": [{"pattern": "a", "value": "b", "expected": true}]}"#);
    let (out, as_expected) = explain(&["--cases", wrong.path().to_str().unwrap()]).unwrap();
    assert!(!as_expected);
    assert_eq!(out, "{\"name\":\"a\",\"expected\":true,\"actual\":false,\"decided_by\":\"a\"}\n");
}

#[test]
fn bad_input_gets_a_clear_error() {
    let broken = file("{\"agent\": 5}");
    let path = broken.path().to_str().unwrap();
    for (arguments, says) in [
        (vec!["--rules", "/nowhere.json", "--action", "a", "--resource", "b"], "can't be read"),
        (vec!["--rules", path, "--action", "a", "--resource", "b"], "can't be understood"),
        (vec!["--cases", path], "can't be understood"),
        (vec!["--rules", path], "--action"),
        (vec!["--action", "a"], "--rules"),
        (vec![], "Usage"),
    ] {
        let error = explain(&arguments).unwrap_err();
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}
