//! The offline verdict: what a request does, told from its letters alone, without a network, a disk or a clock.
//!
//! It answers `allow` only for what it can prove to read inside the project and nothing else; `deny` only for
//! catastrophes, which no honest work needs; and `ask` for all the rest, with one sentence that says what would happen.
//!
//! What a proof rests on: the directory of a request is the one the command runs in; programs are the ones their names
//! say; names inside the project are no links that lead out of it; and the project's own configuration of `git` is
//! honest. An agent that may edit files unasked can break the last two, so before a command passes by itself they are looked
//! at on the disk.

mod address;
mod command;
mod files;
mod finding;
mod letters;
mod phrase;
mod place;
pub(crate) mod secrets;
mod shell;
mod subject;

pub use finding::{Class, Finding, Segment};
use finding::{Deed, whole};
use gavel_core::text::Message;
use gavel_core::{Recommendation, display, say};
use place::{Places, join};
pub use subject::Subject;

/// The most bytes of a command that are looked at.
pub const MOST_BYTES: usize = 64 * 1024;

/// What `subject` does, and what is recommended.
pub fn verdict(subject: &Subject<'_>) -> Finding {
    let project = join("", subject.project).unwrap_or_default();
    let home = subject.home.and_then(|home| join("", home)).filter(|home| home != "/");
    let places = Places { project, home };
    let finding = whatever(subject, &places);
    match finding.recommendation {
        // The same words elsewhere read other files.
        Recommendation::Allow if subject.action == "shell" && !subject.detail.placed => {
            let Finding { said, segments, .. } = finding;
            let said = say!("{}, in a directory that isn't known yet", said);
            let reason = said.to_string();
            Finding { recommendation: Recommendation::Ask, class: Class::Unknown, reason, said, segments }
        }
        _ => finding,
    }
}

fn whatever(subject: &Subject<'_>, places: &Places) -> Finding {
    let detail = subject.detail;
    match subject.action {
        "shell" => match detail.command.as_deref().filter(|command| !command.trim().is_empty()) {
            Some(command) => shell::finding(command, detail.workdir.as_deref(), places),
            None => whole(Deed::ask(
                Class::Unknown,
                say!("runs a command of which only a part is known: {}", phrase::list(subject.resources)),
            )),
        },
        "edit" => files::edit(subject, places),
        "read" => files::read(subject, places),
        "webfetch" => address::finding(subject),
        "external_directory" => files::beyond(subject, places),
        other => whole(Deed::ask(kind(other), named(other, subject.resources))),
    }
}

/// How far the other kinds of requests reach.
fn kind(action: &str) -> Class {
    match action {
        "glob" | "grep" | "list" | "lsp" | "todoread" | "todowrite" | "question" => Class::Reads,
        "websearch" | "codesearch" => Class::Network,
        "subagent" | "skill" => Class::RunsCode,
        _ => Class::Unknown,
    }
}

fn named(action: &str, resources: &[String]) -> Message {
    let what = phrase::list(resources);
    match action {
        "glob" => say!("looks for files by the names {}", what),
        "grep" => say!("searches files, at times those with secrets, for {}", what),
        "list" => say!("lists {}", what),
        "websearch" => say!("sends {} to a search engine", what),
        "codesearch" => say!("sends {} to a code search", what),
        "subagent" => say!("starts the sub-agent {}, which works on by itself", what),
        "skill" => say!("loads the skill {}, which tells the agent what to do", what),
        "doom_loop" => say!("repeats the same call of {} once more", what),
        _ => say!("asks for `{}` of {}, which isn't known here", phrase::plain(display::visible(action)), what),
    }
}
