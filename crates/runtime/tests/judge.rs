//! `gavel judge`, as it is typed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use std::process::ExitCode;

use clap::Parser as _;
use gavel_runtime::cli::{Cli, Command};
use serde_json::Value;

struct Said {
    out: String,
    err: String,
    code: ExitCode,
}

/// What is printed for these arguments.
fn judge(arguments: &[&str]) -> Result<Said, String> {
    let cli = Cli::try_parse_from([&["gavel", "judge"], arguments].concat()).map_err(|error| error.to_string())?;
    let Some(Command::Judge(judge)) = cli.command else { panic!("another command") };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = judge.run(&mut out, &mut err)?;
    Ok(Said { out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap(), code })
}

fn file(text: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

fn offline(command: &str) -> String {
    let said = judge(&["--offline", "--cwd", "/srv/shop/app", "--", command]).unwrap();
    assert_eq!((said.err.as_str(), said.code), ("", ExitCode::SUCCESS));
    said.out
}

#[test]
fn people_see_each_part_marked_and_explained() {
    assert_eq!(
        offline("ls src | head -5"),
        "allow (reads): lists `src`\n\n\
         \x20 ls src | head -5\n\
         \x20 ~~~~~~ reads: lists `src`\n\
         \x20          ~~~~~~~ reads: reads a part of what it is given\n"
    );
    assert_eq!(
        offline("cd src &&\nrm -rf build/"),
        "ask (destructive): deletes `src/build/` and everything under it\n\n\
         \x20 cd src &&\n\
         \x20 ~~~~~~ reads: goes to `src`\n\
         \x20 rm -rf build/\n\
         \x20 ^^^^^^^^^^^^^ destructive: deletes `src/build/` and everything under it\n"
    );
    assert!(offline("rm -rf /").starts_with("deny (destructive): deletes everything on this machine\n"));
}

#[test]
fn marks_stand_below_what_is_shown() {
    let out = offline("echo 'a\u{202E}b' && npm test");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].contains("turns the direction of the text around (U+202E)"), "{out}");
    assert_eq!(lines[2], "  echo 'a⟨U+202E⟩b' && npm test");
    assert!(lines[4].starts_with("                       ^^^^^^^^ runs_code: "), "{out}");
}

#[test]
fn a_command_that_leaves_the_project_is_seen_to() {
    let said =
        judge(&["--offline", "--cwd", "/srv/shop/app", "--project", "/srv/shop", "--", "cat ../README.md"]).unwrap();
    assert!(said.out.starts_with("allow (reads): reads `README.md`\n"), "{}", said.out);
    assert!(offline("cat ../README.md").starts_with("ask (outside): "));
    let said = judge(&["--offline", "--cwd", "/srv", "--project", "/srv/shop", "--", "ls"]).unwrap();
    assert!(said.out.starts_with("ask ("), "{}", said.out);
}

#[test]
fn every_line_of_a_file_gets_one_object() {
    let commands = ["ls -la", "rm -rf /", "printf '\u{0}'", "cat a\nrm b", ""];
    let text: Vec<String> = commands.iter().map(|command| serde_json::to_string(command).unwrap()).collect();
    let file = file(&(text.join("\n") + "\n"));
    let said = judge(&["--offline", "--cwd", "/srv/shop", "--lines", file.path().to_str().unwrap()]).unwrap();
    assert_eq!((said.err.as_str(), said.code), ("", ExitCode::SUCCESS));
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected =
        [("allow", "reads"), ("deny", "destructive"), ("ask", "reads"), ("ask", "destructive"), ("ask", "unknown")];
    assert_eq!(lines.len(), expected.len());
    for (index, (line, (recommendation, class))) in lines.iter().zip(expected).enumerate() {
        assert_eq!(line["line"], index + 1);
        assert_eq!(line["recommendation"], recommendation, "{line}");
        assert_eq!(line["class"], class, "{line}");
        assert!(!line["reason"].as_str().unwrap().is_empty());
        for segment in line["segments"].as_array().unwrap() {
            let span = segment["start"].as_u64().unwrap() as usize..segment["end"].as_u64().unwrap() as usize;
            assert!(commands[index].get(span).is_some(), "{segment}");
        }
    }
}

#[test]
fn a_bad_line_is_told_by_its_number_and_the_others_are_judged() {
    let file = file(b"\"ls\"\nls\n\"\\ud800\"\n5\n\n\"\xFF\"\n\"pwd\"\n");
    let said = judge(&["--offline", "--cwd", "/srv/shop", "--lines", file.path().to_str().unwrap()]).unwrap();
    assert_eq!(said.code, ExitCode::from(2));
    let numbers: Vec<u64> =
        said.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 7]);
    let told: Vec<&str> = said.err.lines().collect();
    assert_eq!(told.len(), 5, "{}", said.err);
    for (line, number) in told.iter().zip(2..) {
        assert!(line.contains(&format!("line {number}: no JSON string")), "{line}");
    }
}

#[test]
fn an_empty_file_has_no_lines() {
    let file = file("");
    let said = judge(&["--offline", "--cwd", "/srv/shop", "--lines", file.path().to_str().unwrap()]).unwrap();
    assert_eq!((said.out.as_str(), said.err.as_str(), said.code), ("", "", ExitCode::SUCCESS));
}

#[test]
fn without_a_judge_nothing_is_said_but_that() {
    let said = judge(&["--", "ls"]).unwrap();
    assert_eq!((said.out.as_str(), said.code), ("", ExitCode::from(2)));
    assert!(said.err.contains("no judge is configured yet"));
}

#[test]
fn bad_input_gets_a_clear_error() {
    for (arguments, says) in [
        (&["--offline", "--lines", "/nowhere.txt"][..], "can't be read"),
        (&["--offline"], "COMMAND"),
        (&["--offline", "--lines", "x", "--", "ls"], "cannot be used with"),
        (&["--offline", "--", "ls", "-la"], "cannot be used multiple times"),
        (&[], "Usage"),
    ] {
        let error = judge(arguments).err().unwrap();
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}
