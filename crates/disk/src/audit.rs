//! The activity log in the format of the plugin's audit log, for whoever reads that already.
//!
//! One line for each request that came to its end, silence included: `decision` is what was decided *for* the human, and
//! `none` where it was left to them. Gavel's own keys follow those of the plugin.

use std::io::Write;
use std::path::Path;

use gavel_core::flow::{Happened, Record};
use gavel_core::rules_file::iso;
use gavel_core::{Recommendation, Reply, Settled, Source, Status};
use serde::Serialize;
use serde_json::Value;

use crate::Error;
use crate::activity::{parts, read_rows};

/// A line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditLine {
    /// When the request ended: ISO 8601, UTC, with milliseconds.
    pub time: String,
    /// The id of the session that asked; unknown in records of older versions.
    #[serde(rename = "sessionID")]
    pub session: Option<String>,
    /// The id of the request.
    #[serde(rename = "permissionID")]
    pub permission_id: String,
    /// What kind of thing was asked, in the words of OpenCode 1.
    pub permission: String,
    /// `allow` or `deny` if that was answered without the human, else `none`.
    pub decision: &'static str,
    /// Why the judge recommends what it does.
    pub reason: Option<String>,
    /// Whether the judge could do its work, in the plugin's words; `ok` if there was none to ask.
    pub status: Value,
    /// The particulars of a failure: the number of an HTTP status, or what was wrong.
    pub detail: Option<String>,
    /// Who decided or recommended, in the plugin's words, and in ours where it has none.
    pub source: Option<Value>,
    /// The model that was asked, where that is known.
    pub model: Option<String>,
    /// The command, if it was one.
    pub command: Option<String>,
    /// The server.
    pub server: String,
    /// Absolute path of the project.
    pub project: String,
    /// Title of the root session, when known.
    pub root: Option<String>,
    /// How long the judge took, in milliseconds.
    pub took_ms: Option<u64>,
    /// How many tokens the question took, as far as the judge says.
    pub tokens_prompt: Option<u64>,
    /// How many tokens the answer took, as far as the judge says.
    pub tokens_completion: Option<u64>,
    /// How long the request had waited, in milliseconds.
    pub waited_ms: u64,
    /// How the request ended, in the words of the activity log.
    pub settled_by: Value,
    /// What the server was told, by whomever, where that is known.
    pub answer: Option<Reply>,
    /// What was recommended by whom `source` names, if anything was; `ask` after every failure.
    pub recommendation: Option<Recommendation>,
    /// What the analysis on this machine recommended.
    pub offline: Option<Recommendation>,
    /// What was asked, in one line.
    pub title: String,
}

impl AuditLine {
    /// The keys of a line, in the order in which they stand.
    pub const COLUMNS: [&str; 23] = [
        "time",
        "server",
        "project",
        "root",
        "sessionID",
        "permissionID",
        "permission",
        "title",
        "command",
        "settled_by",
        "answer",
        "waited_ms",
        "decision",
        "source",
        "model",
        "recommendation",
        "offline",
        "reason",
        "status",
        "detail",
        "took_ms",
        "tokens_prompt",
        "tokens_completion",
    ];

    /// The line for `record`; `None` unless it is about the end of a request.
    #[must_use]
    pub fn of(record: &Record) -> Option<Self> {
        let Happened::Settled { settled } = &record.what else { return None };
        let model = record.opinions.model.as_ref();
        let offline = record.opinions.offline.as_ref();
        // That a model failed is what the line is to tell, although the analysis on this machine did not.
        let verdict = model.map(|opinion| &opinion.verdict).or(offline);
        let (decision, answer) = answered(settled);
        let source = match settled {
            Settled::Rule { source, .. } => Some(*source),
            Settled::Grant { .. } => Some(Source::Grant),
            _ => verdict.map(|verdict| verdict.source),
        };
        Some(Self {
            time: iso(record.at),
            session: record.session_id.as_ref().map(ToString::to_string),
            permission_id: record.key.request.to_string(),
            permission: if record.action == "shell" { "bash".to_owned() } else { record.action.clone() },
            decision,
            reason: verdict.map(|verdict| verdict.reason.clone()),
            status: status_word(verdict.map_or(Status::Ok, |verdict| verdict.status)),
            detail: model.and_then(|opinion| opinion.detail.clone()),
            source: source.map(source_word),
            model: model.and_then(|opinion| opinion.judge.as_ref()).map(|judge| judge.model.clone()),
            command: (record.action == "shell").then(|| record.text.clone()),
            server: record.key.server.to_string(),
            project: record.directory.clone(),
            root: record.session.clone(),
            took_ms: verdict.map(|verdict| verdict.took),
            tokens_prompt: model.and_then(|opinion| opinion.tokens.prompt),
            tokens_completion: model.and_then(|opinion| opinion.tokens.completion),
            waited_ms: record.waited,
            settled_by: word(settled).get("by").cloned().unwrap_or(Value::Null),
            answer,
            recommendation: verdict.map(|verdict| verdict.recommendation),
            offline: offline.map(|verdict| verdict.recommendation),
            title: record.title.clone(),
        })
    }
}

/// What was decided for the human, and what the server was told.
fn answered(settled: &Settled) -> (&'static str, Option<Reply>) {
    match settled {
        Settled::You { decision } => ("none", Some(decision.reply())),
        Settled::YouStopped { .. } => ("none", Some(Reply::Reject)),
        Settled::Grant { .. } | Settled::Rule { .. } | Settled::Judge { allowed: true, .. } => {
            ("allow", Some(Reply::Once))
        }
        Settled::Judge { allowed: false, .. } => ("deny", Some(Reply::Reject)),
        // It follows from what the human decided about another request.
        Settled::Swept => ("none", Some(Reply::Reject)),
        Settled::AnotherClient { reply } => ("none", *reply),
        // An answer to a question allows and refuses nothing.
        Settled::YouAnswered { .. }
        | Settled::YouCancelled { .. }
        | Settled::AnsweredElsewhere { .. }
        | Settled::CancelledElsewhere
        | Settled::Unseen
        | Settled::WhileAway
        | Settled::RunEnded
        | Settled::ServerGone => ("none", None),
    }
}

fn source_word(source: Source) -> Value {
    match source {
        Source::Model => Value::from("llm"),
        Source::Preset | Source::Learned | Source::Grant | Source::Cache | Source::Offline => word(&source),
    }
}

/// The plugin has no word of its own for being late.
fn status_word(status: Status) -> Value {
    word(&if status == Status::TimedOut { Status::NetworkError } else { status })
}

/// The word that stands for one of ours in the log.
fn word(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// What was exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// How many lines.
    pub lines: usize,
    /// How many lines of the activity log could not be read.
    pub unreadable: usize,
}

/// Writes the whole activity log at `path` to `out`, one JSON object a line, oldest first. Without a log there are no
/// lines.
///
/// # Errors
/// If the log can't be read, or `out` not be written.
pub fn export(path: &Path, out: &mut impl Write) -> Result<Exported, Error> {
    let mut exported = Exported { lines: 0, unreadable: 0 };
    for part in parts(path) {
        exported.unreadable += read_rows(&part, |row| {
            let Some(line) = AuditLine::of(&row.record) else { return Ok(()) };
            serde_json::to_writer(&mut *out, &line).map_err(|error| Error::Export(error.into()))?;
            out.write_all(b"\n").map_err(Error::Export)?;
            exported.lines += 1;
            Ok(())
        })?;
    }
    out.flush().map_err(Error::Export)?;
    Ok(exported)
}

#[cfg(test)]
mod tests;
