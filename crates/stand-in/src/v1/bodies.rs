//! How 1.x writes sessions, messages, parts and requests.

use serde_json::{Map, Value, json};

use super::App;
use crate::agent::inquiry;
use crate::diff::FileDiff;
use crate::ids;
use crate::world::ask::{Ask, Question};
use crate::world::happening::Failure;
use crate::world::message::{Message, Part, PartBody, Role, ToolState};
use crate::world::rules::effect_name;
use crate::world::session::{Session, Status};
use crate::{MODEL, PROVIDER};
use gavel_core::rules::Rule;

/// What is left out when it is not there, rather than sent as `null`.
fn put(fields: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        fields.insert(key.to_owned(), value);
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

pub(super) fn session(app: &App, session: &Session) -> Value {
    let (input, output) = session.tokens;
    let mut fields = object(json!({
        "id": session.id,
        "slug": session.slug,
        "projectID": project_id(&session.directory),
        "directory": session.directory,
        "path": "",
    }));
    put(&mut fields, "parentID", session.parent.as_ref().map(|parent| json!(parent)));
    let (additions, deletions, files) = session.changes;
    let summary = json!({ "additions": additions, "deletions": deletions, "files": files });
    put(&mut fields, "summary", session.has_summary.then_some(summary));
    fields.extend(object(json!({
        "cost": 0,
        "tokens": { "input": input, "output": output, "reasoning": 0, "cache": { "read": 0, "write": 0 } },
        "title": session.title,
    })));
    put(&mut fields, "agent", session.agent.as_ref().map(|agent| json!(agent)));
    let model = json!({ "id": MODEL, "providerID": PROVIDER, "variant": "default" });
    put(&mut fields, "model", session.has_model.then_some(model));
    fields.extend(object(json!({
        "version": app.version,
        "time": { "created": session.created, "updated": session.updated },
    })));
    put(&mut fields, "permission", (!session.rules.is_empty()).then(|| session.rules.iter().map(rule).collect()));
    Value::Object(fields)
}

/// A session as the list of all directories has it.
pub(super) fn session_of_any_project(app: &App, one: &Session) -> Value {
    let mut fields = object(session(app, one));
    let project = json!({ "id": project_id(&one.directory), "worktree": one.directory });
    fields.insert("project".to_owned(), project);
    Value::Object(fields)
}

/// Every directory is a project of its own here.
pub(super) fn project_id(directory: &str) -> String {
    ids::fingerprint(directory)
}

fn rule(rule: &Rule) -> Value {
    json!({ "permission": rule.action, "pattern": rule.resource, "action": effect_name(rule.effect) })
}

pub(super) fn status(status: &Status) -> Value {
    match status {
        Status::Idle => json!({ "type": "idle" }),
        Status::Busy => json!({ "type": "busy" }),
        Status::Retry { message, next } => json!({ "type": "retry", "attempt": 1, "message": message, "next": next }),
    }
}

/// The head of a message, without its parts.
pub(super) fn message(message: &Message) -> Value {
    let mut time = object(json!({ "created": message.created }));
    put(&mut time, "completed", message.completed.map(|at| json!(at)));
    let mut fields = object(json!({ "id": message.id, "sessionID": message.session }));
    match &message.role {
        Role::User { summarised, diffs, .. } => {
            fields.extend(object(json!({ "role": "user", "time": time, "agent": message.agent })));
            let diffs: Vec<Value> = diffs.iter().map(|diff| file_diff(&message.directory, diff)).collect();
            put(&mut fields, "summary", summarised.then(|| json!({ "diffs": diffs })));
            fields.insert("model".to_owned(), json!({ "providerID": PROVIDER, "modelID": MODEL }));
        }
        Role::Assistant { answers, finish, failure } => {
            let counts = |input: u8, output: u8| json!({ "input": input, "output": output, "reasoning": 0, "cache": { "read": 0, "write": 0 } });
            let mut tokens = object(if finish.is_some() { counts(100, 20) } else { counts(0, 0) });
            put(&mut tokens, "total", finish.map(|_| json!(120)));
            fields.extend(object(json!({
                "role": "assistant",
                "parentID": answers,
                "mode": message.agent,
                "agent": message.agent,
                "path": { "cwd": message.directory, "root": message.directory },
                "cost": 0,
                "tokens": tokens,
                "modelID": MODEL,
                "providerID": PROVIDER,
                "time": time,
            })));
            put(&mut fields, "finish", finish.map(|reason| json!(reason)));
            put(&mut fields, "error", failure.as_ref().map(error));
        }
        // Only the customs of 2.x put marks among the messages.
        Role::Mark(_) => {}
    }
    Value::Object(fields)
}

fn file_diff(directory: &str, diff: &FileDiff) -> Value {
    let file = diff.file.strip_prefix(directory).map_or(diff.file.as_str(), |rest| rest.trim_start_matches('/'));
    json!({
        "file": file,
        "patch": diff.patch,
        "additions": diff.additions,
        "deletions": diff.deletions,
        "status": if diff.created { "added" } else { "modified" },
    })
}

/// A message with its parts, as it is listed.
pub(super) fn whole_message(one: &Message) -> Value {
    json!({ "info": message(one), "parts": one.parts.iter().map(part).collect::<Vec<_>>() })
}

pub(super) fn part(part: &Part) -> Value {
    let mut fields = object(json!({ "id": part.id, "sessionID": part.session, "messageID": part.message }));
    fields.extend(object(match &part.body {
        PartBody::Prompt(text) => json!({ "type": "text", "text": text }),
        PartBody::Text { text, start, end } => {
            let mut time = object(json!({ "start": start }));
            put(&mut time, "end", end.map(|end| json!(end)));
            json!({ "type": "text", "text": text, "time": time })
        }
        PartBody::StepStart { snapshot } => json!({ "type": "step-start", "snapshot": snapshot }),
        PartBody::StepFinish { reason, snapshot } => json!({
            "type": "step-finish",
            "reason": reason,
            "snapshot": snapshot,
            "tokens": {
                "total": 120, "input": 100, "output": 20, "reasoning": 0, "cache": { "write": 0, "read": 0 },
            },
            "cost": 0,
        }),
        PartBody::Patch { hash, files } => json!({ "type": "patch", "hash": hash, "files": files }),
        PartBody::Tool { tool, call, state } => {
            json!({ "type": "tool", "callID": call, "tool": tool, "state": tool_state(state) })
        }
    }));
    Value::Object(fields)
}

fn tool_state(state: &ToolState) -> Value {
    match state {
        ToolState::Pending => json!({ "status": "pending", "input": {}, "raw": "" }),
        ToolState::Running { input, title, metadata, start } => {
            let mut fields = object(json!({ "status": "running", "input": input, "time": { "start": start } }));
            put(&mut fields, "title", title.as_ref().map(|title| json!(title)));
            put(&mut fields, "metadata", metadata.clone());
            Value::Object(fields)
        }
        ToolState::Completed { input, output, title, metadata, start, end } => json!({
            "status": "completed",
            "input": input,
            "output": output,
            "title": title,
            "metadata": metadata,
            "time": { "start": start, "end": end },
        }),
        ToolState::Error { input, text, metadata, start, end } => {
            let time = json!({ "start": start, "end": end });
            let mut fields = object(json!({ "status": "error", "input": input, "error": text, "time": time }));
            put(&mut fields, "metadata", metadata.clone());
            Value::Object(fields)
        }
    }
}

pub(super) fn error(failure: &Failure) -> Value {
    match failure {
        Failure::Aborted => json!({ "name": "MessageAbortedError", "data": { "message": "Aborted" } }),
        Failure::Unnamed(message) => json!({ "name": "UnknownError", "data": { "message": message } }),
        Failure::Model { status, message } => {
            let body = json!({ "error": { "message": message } }).to_string();
            json!({
                "name": "APIError",
                "data": {
                    "message": message,
                    "statusCode": status,
                    "isRetryable": false,
                    "responseHeaders": { "content-type": "application/json" },
                    "responseBody": body,
                    "metadata": { "url": "http://127.0.0.1/v1/chat/completions" },
                },
            })
        }
    }
}

pub(super) fn ask(ask: &Ask) -> Value {
    let mut fields = object(json!({
        "id": ask.id,
        "sessionID": ask.session,
        "permission": ask.permission,
        "patterns": ask.patterns,
        "metadata": ask.metadata,
        "always": ask.always,
    }));
    let tool = ask.tool.as_ref().map(|(message, call)| json!({ "messageID": message, "callID": call }));
    put(&mut fields, "tool", tool);
    Value::Object(fields)
}

pub(super) fn question(question: &Question) -> Value {
    let (message, call) = &question.tool;
    json!({
        "id": question.id,
        "sessionID": question.session,
        "questions": question.inquiries.iter().map(inquiry).collect::<Vec<_>>(),
        "tool": { "messageID": message, "callID": call },
    })
}
