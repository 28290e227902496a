//! `gavel judge`, as it is typed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use std::process::ExitCode;

use clap::Parser as _;
use gavel_runtime::cli::{Cli, Command};
use gavel_runtime::{JudgeKey, JudgeSettings, Secrets, Who};
use serde_json::Value;

struct Said {
    out: String,
    err: String,
    code: ExitCode,
}

/// What is printed for these arguments where nothing is chosen in the window.
fn judge(arguments: &[&str]) -> Result<Said, String> {
    judge_with(|| Ok((JudgeSettings::default(), Secrets::Nowhere)), arguments)
}

/// What is printed for these arguments, given what is chosen.
fn judge_with(
    chosen: impl FnOnce() -> Result<(JudgeSettings, Secrets), String>,
    arguments: &[&str],
) -> Result<Said, String> {
    let cli = Cli::try_parse_from([&["gavel", "judge"], arguments].concat()).map_err(|error| error.to_string())?;
    let Some(Command::Judge(judge)) = cli.command else { panic!("another command") };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = judge.run(chosen, &mut out, &mut err)?;
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
    let mut parts = vec![Vec::new(); commands.len()];
    for (index, (line, (recommendation, class))) in lines.iter().zip(expected).enumerate() {
        assert_eq!(line["line"], index + 1);
        assert_eq!(line["recommendation"], recommendation, "{line}");
        assert_eq!(line["class"], class, "{line}");
        assert!(!line["reason"].as_str().unwrap().is_empty());
        for segment in line["segments"].as_array().unwrap() {
            let span = segment["start"].as_u64().unwrap() as usize..segment["end"].as_u64().unwrap() as usize;
            parts[index].push(commands[index].get(span).unwrap_or_else(|| panic!("{segment}")));
        }
    }
    let marked: [&[&str]; 5] = [&["ls -la"], &["rm -rf /"], &["printf '\u{0}'"], &["cat a", "rm b"], &[]];
    assert_eq!(parts, marked);
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
    assert!(said.err.contains("no judge is chosen"));
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

/// A model's API that always says the same, and what it was sent.
struct Model {
    url: String,
    sent: std::sync::mpsc::Receiver<String>,
}

impl Model {
    fn new(status: u16, body: &Value) -> Self {
        use std::io::{BufRead as _, BufReader, Read as _, Write as _};
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (told, sent) = std::sync::mpsc::channel();
        let body = body.to_string();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut text, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).unwrap();
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    text.push_str(&line);
                    if line.trim().is_empty() {
                        break;
                    }
                }
                let mut content = vec![0; length];
                reader.read_exact(&mut content).unwrap();
                text.push_str(std::str::from_utf8(&content).unwrap());
                let head = "content-type: application/json\r\nconnection: close\r\ncontent-length";
                write!(stream, "HTTP/1.1 {status} So\r\n{head}: {}\r\n\r\n{body}", body.len()).unwrap();
                if told.send(text).is_err() {
                    break;
                }
            }
        });
        Self { url, sent }
    }

    fn sent(&self) -> Vec<String> {
        self.sent.try_iter().collect()
    }
}

fn completion(text: &str) -> Value {
    serde_json::json!({
        "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
        "usage": { "prompt_tokens": 5, "completion_tokens": 3 },
    })
}

#[test]
fn a_model_is_asked_and_all_that_was_said_is_shown() {
    let model = Model::new(200, &completion(r#"{"decision":"deny","reason":"it deletes"}"#));
    // Any variable will do for a key; its value must not show.
    let key = std::env::var("PATH").unwrap();
    let arguments =
        ["--base-url", &model.url, "--model", "judge-1", "--api-env", "PATH", "--header-env", "x-more=PATH"];
    let said = judge(&[&arguments[..], &["--request", "Tidy up", "--cwd", "/srv/shop", "--", "rm -rf build"]].concat());
    let said = said.unwrap();
    assert_eq!((said.err.as_str(), said.code), ("", ExitCode::SUCCESS));
    let first = said.out.lines().next().unwrap();
    assert!(first.starts_with("deny (openai judge-1, ") && first.ends_with(" ms): it deletes"), "{first}");
    for part in [
        "5 tokens asked, 3 answered",
        "--- asked\nPOST http://127.0.0.1:",
        "authorization: ***",
        "x-more: ***",
        "Tidy up",
        "| rm -rf build",
        "--- answered: HTTP status 200",
        "on this machine: ask (destructive): deletes `build` and everything under it",
    ] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    assert!(!said.out.contains(&key));
    let sent = model.sent();
    assert!(sent.len() == 1 && sent[0].contains(&format!("Bearer {key}")), "{sent:?}");
}

#[test]
fn the_model_that_was_chosen_in_the_window_is_asked_where_none_is_named() {
    let model = Model::new(200, &completion(r#"{"decision":"ask","reason":"who knows"}"#));
    let chosen = JudgeSettings {
        who: Some(Who::Endpoint),
        base_url: model.url.clone(),
        model: "chosen".to_owned(),
        key: JudgeKey::Keychain,
        ..JudgeSettings::default()
    };
    let kept = [(format!("judge:{}", model.url), "sk-planted-1234".to_owned())];
    let secrets = Secrets::Memory(std::sync::Arc::new(std::sync::Mutex::new(kept.into())));
    let with = |settings: &JudgeSettings, arguments: &[&str]| {
        let both = (settings.clone(), secrets.clone());
        judge_with(|| Ok(both), arguments)
    };
    let said = with(&chosen, &["--", "npm test"]).unwrap();
    assert_eq!((said.err.as_str(), said.code), ("", ExitCode::SUCCESS));
    assert!(said.out.starts_with("ask (openai chosen, ") && said.out.contains("authorization: ***"), "{}", said.out);
    assert!(!said.out.contains("sk-planted-1234") && model.sent()[0].contains("Bearer sk-planted-1234"));

    // One that is named comes first, with nothing of the settings, and without their key.
    let said = with(&chosen, &["--base-url", &model.url, "--model", "named", "--", "npm test"]).unwrap();
    assert!(said.out.starts_with("ask (openai named, "), "{}", said.out);
    assert!(!model.sent()[0].to_lowercase().contains("authorization:"));
    let said = with(&chosen, &["--base-url", &model.url, "--", "npm test"]).unwrap();
    assert!(said.err.contains("no judge is chosen"), "{}", said.err);

    let elsewhere = JudgeSettings { base_url: "http://127.0.0.1:9/v1".to_owned(), ..chosen.clone() };
    let why = with(&elsewhere, &["--", "ls"]).err().unwrap();
    assert!(why.contains("the keychain holds no key for http://127.0.0.1:9/v1"), "{why}");
    let why = with(&JudgeSettings { who: Some(Who::SessionModel), ..chosen }, &["--", "ls"]).err().unwrap();
    assert!(why.contains("judged by its own model"), "{why}");
    let broken = judge_with(|| Err("`settings.json` is broken".to_owned()), &["--", "ls"]);
    assert!(broken.err().unwrap().contains("is broken"));
    assert_eq!(model.sent().len(), 0);
    // Where it doesn't matter, nobody looks.
    let offline = judge_with(|| panic!("looked"), &["--offline", "--cwd", "/srv", "--", "ls"]);
    assert!(offline.unwrap().out.starts_with("allow"));
}

#[test]
fn a_model_judges_every_line_of_a_file() {
    let model = Model::new(200, &completion(r#"{"decision":"allow","reason":"fits"}"#));
    let file = file("\"npm test\"\n\"npm run build\"\n");
    let path = file.path().to_str().unwrap();
    let said = judge(&["--base-url", &model.url, "--model", "judge-1", "--cwd", "/srv/shop", "--lines", path]).unwrap();
    assert_eq!((said.err.as_str(), said.code), ("", ExitCode::SUCCESS));
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    for (line, number) in lines.iter().zip(1..) {
        assert_eq!(line["line"], number);
        assert_eq!(
            (&line["recommendation"], &line["reason"], &line["status"]),
            (&"allow".into(), &"fits".into(), &"ok".into())
        );
        assert_eq!((&line["provider"], &line["model"]), (&"openai".into(), &"judge-1".into()));
        assert_eq!((&line["usage"]["prompt"], &line["offline"]["class"]), (&5.into(), &"runs_code".into()));
    }
    // A model on this machine needs no key.
    assert!(model.sent().iter().all(|text| !text.to_lowercase().contains("authorization:")));
}

#[test]
fn no_verdict_is_told_by_the_status() {
    let model = Model::new(500, &serde_json::json!({ "error": "down" }));
    let said = judge(&["--base-url", &model.url, "--model", "m", "--", "ls"]).unwrap();
    assert_eq!(said.code, ExitCode::from(2));
    assert!(said.out.contains("no verdict: the judge answered with HTTP status 500: down"), "{}", said.out);
    let arguments = ["--provider", "anthropic", "--base-url", &model.url, "--model", "m"];
    let said = judge(&[&arguments[..], &["--api-env", "GAVEL_NO_SUCH_KEY", "--", "ls"]].concat()).unwrap();
    assert_eq!(said.code, ExitCode::from(2));
    assert!(said.out.contains("(anthropic m, ") && said.out.contains("no key is configured"), "{}", said.out);
    assert_eq!(model.sent().len(), 1);
}

#[test]
fn bad_models_get_a_clear_error() {
    for (arguments, says) in [
        (&["--offline", "--model", "m", "--", "ls"][..], "cannot be used with"),
        (&["--provider", "elsewhere", "--model", "m", "--", "ls"], "possible values: openai, anthropic"),
        (&["--model", "m", "--header-env", "x-key", "--", "ls"], "`x-key` is not of the form NAME=VARIABLE"),
        (&["--model", "m", "--header-env", "x-key=GAVEL_NO_SUCH_KEY", "--", "ls"], "`GAVEL_NO_SUCH_KEY` is not set"),
    ] {
        let error = judge(arguments).err().unwrap();
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}

#[test]
fn the_benchmark_of_the_analysis_allows_nothing_dangerous() {
    let said = judge(&["--benchmark", "--offline"]).unwrap();
    assert_eq!((said.err.as_str(), said.code), ("", ExitCode::SUCCESS));
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "the analysis on this machine");
    let dangerous: Vec<&str> =
        lines.iter().find(|line| line.starts_with("dangerous")).unwrap().split_whitespace().collect();
    assert_eq!((dangerous[1], dangerous[2]), ("50", "0"), "{}", said.out);
    assert!(said.out.contains("false allows: 0.0 % of what is dangerous"), "{}", said.out);
}

#[test]
fn the_benchmark_of_a_model_that_allows_all_names_what_it_would_let_through() {
    let model = Model::new(200, &completion(r#"{"decision":"allow","reason":"fine"}"#));
    let arguments = ["--benchmark", "--json", "--base-url", &model.url, "--model", "lax"];
    let said = judge(&arguments).unwrap();
    assert_eq!(said.code, ExitCode::SUCCESS, "whatever the model is like");
    assert!(said.err.ends_with("gavel: 120 of 120 cases\n"), "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&report["judge"], &report["false_deny"]), (&"openai lax".into(), &0.0.into()));
    let count = |of: &str, what: &str| report["counts"][of][what].as_u64().unwrap();
    // What it could not see whole is not allowed, whatever it says.
    let named = report["false_allows"].as_array().unwrap();
    assert!(named.len() as u64 == count("dangerous", "allow") && named.len() > 40, "{report}");
    assert!(named.contains(&"git push --force origin main".into()));
    assert!(report["false_allow"].as_f64().unwrap() > 0.8);
    assert_eq!((count("safe", "cases"), count("safe", "allow")), (40, 40));
    assert_eq!((&report["tokens_prompt"], &report["tokens_completion"]), (&600.into(), &360.into()));
    assert!(report["p95_ms"].as_u64() >= report["median_ms"].as_u64());
    let sent = model.sent();
    assert!(sent.len() == 120 && sent.iter().any(|text| text.contains("Round prices half to even.")));
}

#[test]
fn a_benchmark_of_a_model_that_never_answers_is_told_by_the_status() {
    let model = Model::new(401, &serde_json::json!({ "error": "who are you?" }));
    let said = judge(&["--benchmark", "--base-url", &model.url, "--model", "m"]).unwrap();
    assert_eq!(said.code, ExitCode::from(2));
    assert!(said.out.contains("no verdict, 120 times: the judge answered with HTTP status 401"), "{}", said.out);
    assert!(said.out.contains("false allows: 0.0 %"), "no verdict is no allowance: {}", said.out);
    let nobody = judge(&["--benchmark"]).unwrap();
    assert_eq!((nobody.out.as_str(), nobody.code), ("", ExitCode::from(2)));
}
