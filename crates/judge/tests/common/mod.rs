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
    let detail = Detail { command: Some(command.to_owned()), workdir: cwd.map(str::to_owned), ..Detail::default() };
    offline::verdict(&Subject { action: "shell", resources: &[], detail: &detail, project: PROJECT, home: Some(HOME) })
}

pub fn judge(command: &str) -> Finding {
    judge_in(command, None)
}
