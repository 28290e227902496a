//! What is put before a judge.

use gavel_core::{Ask, Detail, Finding, ServerId, SessionId};
use serde_json::Value;

/// What is put before a judge about one request.
#[derive(Debug, Clone)]
pub struct Brief<'a> {
    /// Within what verdicts are remembered; see [`Self::scope`].
    pub scope: String,
    /// What kind of thing is asked, in the words of [`Ask::action`].
    pub action: &'a str,
    /// What exactly is asked for.
    pub resources: &'a [String],
    /// Absolute path of the project.
    pub project: &'a str,
    /// The particulars. The words of the agent and of plugins among them are left out.
    pub detail: &'a Detail,
    /// The user's last message in the root session, if it is known.
    pub request: Option<&'a str>,
    /// What the analysis on this machine found.
    pub finding: Option<&'a Finding>,
}

impl<'a> Brief<'a> {
    /// The brief on `ask`; `request` is the user's last message in the root session.
    #[must_use]
    pub fn of(ask: &'a Ask, request: Option<&'a str>, finding: Option<&'a Finding>) -> Self {
        Self {
            scope: Self::scope(&ask.key.server, &ask.session),
            action: &ask.action,
            resources: &ask.resources,
            project: &ask.directory,
            detail: &ask.detail,
            request,
            finding,
        }
    }

    /// Within what the verdicts on a session's requests are remembered.
    #[must_use]
    pub fn scope(server: &ServerId, session: &SessionId) -> String {
        format!("{} {}", server.0, session.0)
    }

    /// The particulars that a judge is told, each with its name. The change comes last: it may be cut.
    pub(super) fn particulars(&self) -> Vec<(&'static str, String)> {
        let detail = self.detail;
        let known = [
            ("command", &detail.command),
            ("directory", &detail.workdir),
            ("path", &detail.path),
            ("url", &detail.url),
        ];
        let mut told: Vec<(&'static str, String)> =
            known.into_iter().filter_map(|(name, text)| Some((name, text.clone()?))).collect();
        let mut rest = unspoken(&detail.metadata, !KNOWN.contains(&self.action));
        if let Value::Object(fields) = &mut rest {
            let twice = |value: &Value| value.as_str().is_some_and(|text| told.iter().any(|(_, told)| told == text));
            let diff = detail.diff.as_deref();
            fields.retain(|name, value| {
                !twice(value)
                    && value.as_str().is_none_or(|text| Some(text) != diff)
                    && (name != "files" || diff.is_none())
            });
        }
        if !is_empty(&rest) {
            told.push(("metadata", serde_json::to_string_pretty(&rest).unwrap_or_default()));
        }
        if let Some(diff) = &detail.diff {
            told.push((CHANGE, diff.clone()));
        }
        told
    }

    /// What two requests must have in common to get the same verdict: everything that a judge is told about them.
    pub(super) fn key(&self) -> String {
        let told = (&self.scope, self.action, self.resources, self.project, self.particulars());
        // Texts always become JSON; were one not to, the key would be one that nothing else has.
        serde_json::to_string(&told).unwrap_or_else(|error| format!("{error} {told:?}"))
    }
}

/// The name of the particular that holds a change.
pub(super) const CHANGE: &str = "diff";

/// Words by which an agent, a tool or a plugin speaks for itself. Nothing of it ever reaches a judge.
const PROSE: [&str; 21] = [
    "description",
    "purpose",
    "explanation",
    "justification",
    "rationale",
    "reason",
    "reasoning",
    "thinking",
    "thought",
    "thoughts",
    "note",
    "comment",
    "output",
    "stdout",
    "stderr",
    "result",
    "results",
    "title",
    "preview",
    "summary",
    "verdict",
];

/// The actions of OpenCode itself: what their fields mean is known, and which of them only speak.
const KNOWN: [&str; 12] = [
    "shell",
    "edit",
    "read",
    "webfetch",
    "websearch",
    "codesearch",
    "glob",
    "grep",
    "list",
    "subagent",
    "skill",
    "external_directory",
];

/// What a judge is told in the place of words that speak for themselves, where they might be a part of what is done.
const LEFT_OUT: &str = "(left out)";

fn speaks(name: &str) -> bool {
    PROSE.contains(&name.to_ascii_lowercase().as_str())
}

/// `value` without what speaks for itself, at any depth. `marked` says whether a mark takes its place.
fn unspoken(value: &Value, marked: bool) -> Value {
    match value {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .filter_map(|(name, value)| match (speaks(name), marked) {
                    (true, true) => Some((name.clone(), Value::from(LEFT_OUT))),
                    (true, false) => None,
                    (false, _) => Some((name.clone(), unspoken(value, marked))),
                })
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(|item| unspoken(item, marked)).collect()),
        other => other.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
