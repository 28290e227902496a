//! What a rules file lets pass, how it changes, and what is kept of it.

mod any_bytes;
mod broken;
mod changing;
mod exporting;
mod matching;
mod merging;
mod rendering;
mod restoring;

use super::{CommandLine, Content, parse};

/// The file of the plugin's own description.
const PLUGINS: &str = r#"{
  "version": 1,
  "preset": ["pwd *", "ls *", "git status *"],
  "learned": [{"command": "npm run typecheck", "approvals": 3, "lastSeen": "2026-08-26T12:00:00.000Z"}],
  "pending": {"npm test": 2}
}
"#;

fn content(text: &str) -> Content {
    parse(text.as_bytes()).unwrap()
}

fn line(command: &str) -> CommandLine {
    CommandLine::new("shell", command).unwrap()
}

fn learned(content: &Content) -> Vec<&str> {
    content.lines().learned.iter().map(|learned| learned.command.as_str()).collect()
}

fn pending(content: &Content) -> Vec<(&str, u64)> {
    content.lines().pending.iter().map(|pending| (pending.command.as_str(), pending.count)).collect()
}
