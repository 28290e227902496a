//! The corpus of commands, and how they are judged in tests.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::Path;

use gavel_core::{Detail, Recommendation};
use gavel_judge::offline::{self, Class, Finding, Subject};
use serde::Deserialize;

pub const PROJECT: &str = "/home/ada/shop";
pub const HOME: &str = "/home/ada";

/// What a command really does, whatever it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    ReadOnly,
    Writes,
    Network,
    OtherCode,
    Destructive,
}

impl Kind {
    /// The classes that a finding may have for it.
    pub fn fits(self, class: Class) -> bool {
        match self {
            Self::ReadOnly => matches!(class, Class::Reads | Class::Outside | Class::Unknown),
            Self::Writes => matches!(class, Class::Writes | Class::Outside | Class::RunsCode | Class::Unknown),
            Self::Network => matches!(class, Class::Network | Class::RunsCode),
            Self::OtherCode => matches!(class, Class::RunsCode | Class::Unknown),
            Self::Destructive => class == Class::Destructive,
        }
    }
}

/// A command of the corpus.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub class: Kind,
    pub expect: Recommendation,
    /// Words that the sentence must hold.
    pub says: Option<String>,
    pub cwd: Option<String>,
    pub command: String,
    /// The file it stands in and its line.
    #[serde(skip)]
    pub at: String,
}

/// Every command of the corpus.
pub fn corpus() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for (index, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let at = format!("{name}:{}", index + 1);
            let case: Case = serde_json::from_str(line).unwrap_or_else(|error| panic!("{at}: {error}"));
            cases.push(Case { at, ..case });
        }
    }
    cases.sort_by(|a, b| a.at.cmp(&b.at));
    cases
}

pub fn judge_in(command: &str, cwd: Option<&str>) -> Finding {
    let detail = Detail {
        command: Some(command.to_owned()),
        workdir: cwd.map(str::to_owned),
        placed: true,
        ..Detail::default()
    };
    offline::verdict(&Subject { action: "shell", resources: &[], detail: &detail, project: PROJECT, home: Some(HOME) })
}

pub fn judge(command: &str) -> Finding {
    judge_in(command, None)
}

/// Texts of the greatest length that is looked at, made to take long.
pub fn tangled() -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(offline::MOST_BYTES / piece.len());
    let texts = vec![
        ("parentheses", fill("(")),
        ("closed parentheses", "(".repeat(30_000) + "ls" + &")".repeat(30_000)),
        ("substitutions", fill("$(")),
        ("closed substitutions", "$(".repeat(15_000) + &")".repeat(15_000)),
        ("braces", fill("{ ")),
        ("backticks", fill("`a ")),
        ("quotes", fill("\"$(")),
        ("expansions", fill("${a:-")),
        ("arithmetic", fill("$((1+")),
        ("here-documents", fill("<<a ")),
        ("one long word", fill("a")),
        ("many words", fill("a ")),
        ("many commands", fill("ls;")),
        ("many pipes", fill("ls|")),
        ("many lists", fill("ls&&")),
        ("ifs", fill("if a;then ")),
        ("cases", fill("case a in b) ")),
        ("tests", fill("[[ a =~ ")),
        ("extended globs", fill("@(a|")),
        ("assignments", fill("a=b ")),
        ("redirections", fill("> a ")),
        ("wrappers", fill("sudo ")),
        ("texts in texts", fill("sh -c 'eval ")),
        ("stars", fill("*")),
        ("variables", fill("a=b;$a;")),
        ("directories", fill("cd a&&")),
        ("errors", fill(";;)")),
        ("functions", fill("f(){ ")),
        ("loops", fill("for a in b;do ")),
        ("arrays", fill("a=(")),
        ("doubled values", fill("a=$a$a;")),
        ("long values in texts", format!("a='{}';{}", "ls;".repeat(100), fill("eval $a;"))),
        ("long words of values", format!("a='{}';{}", "x".repeat(500), fill("$a"))),
        ("Cyrillic", "сор ".repeat(offline::MOST_BYTES / 7)),
        ("invisible characters", "\u{200B}".repeat(offline::MOST_BYTES / 3)),
    ];
    // A prefix may have made one too long.
    texts.into_iter().map(|(name, text)| (name, text.chars().take(offline::MOST_BYTES).collect())).collect()
}
