//! Messages.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::Uri;
use serde_json::{Map, Value, json};

use super::errors::Refusal;
use super::intake;
use super::paging::{Bounds, Page};
use super::{App, bodies};
use crate::world::message::{Mark, Message, PartBody, Role, ToolState};
use crate::world::session::Outcome;
use crate::{MODEL, PROVIDER};

const KINDS: [&str; 11] = [
    "user",
    "synthetic",
    "system",
    "skill",
    "shell",
    "assistant",
    "agent-switched",
    "model-switched",
    "location-switched",
    "compaction",
    "idle",
];

/// `GET /api/session/{id}/message`
pub(super) async fn list(State(app): State<App>, Path(id): Path<String>, uri: Uri) -> Result<Json<Value>, Refusal> {
    let session = intake::session(&app, &id)?;
    let page = Page::read(&uri, Bounds::Tight)?;
    // Where it is unknown it is left alone, as any other key.
    let kind = intake::query(&uri, "type").filter(|_| app.switches.message_types);
    if let Some(unknown) = kind.as_ref().filter(|kind| !KINDS.contains(&kind.as_str())) {
        return Err(Refusal::query(format!("Expected a message type, got \"{unknown}\"\n  at [\"type\"]")));
    }
    let items = app.agents.stage.see(|world| {
        let all = world.messages(&id).iter().map(|one| (one.id.clone(), body(&session, one)));
        all.filter(|(_, body)| kind.is_none() || body.get("type").and_then(Value::as_str) == kind.as_deref())
            .collect::<Vec<_>>()
    });
    page.cut(items).map(Json)
}

/// `GET /api/session/{id}/context`: what the model would see next, oldest first.
pub(super) async fn context(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    let session = intake::session(&app, &id)?;
    let data: Vec<Value> =
        app.agents.stage.see(|world| world.messages(&id).iter().map(|one| body(&session, one)).collect());
    Ok(Json(json!({ "data": data })))
}

/// `GET /api/session/{id}/message/{message}`
pub(super) async fn one(
    State(app): State<App>,
    Path((id, message)): Path<(String, String)>,
) -> Result<Json<Value>, Refusal> {
    let session = intake::session(&app, &id)?;
    let found = app.agents.stage.see(|world| world.messages(&id).iter().find(|one| one.id == message).cloned());
    let found = found.ok_or_else(|| Refusal::NoMessage { session: id.clone(), message: message.clone() })?;
    Ok(Json(json!({ "data": body(&session, &found) })))
}

fn body(session: &crate::Session, message: &Message) -> Value {
    let mut time = bodies::object(json!({ "created": message.created }));
    let mut fields = bodies::object(json!({ "id": message.id }));
    match &message.role {
        Role::User { metadata, .. } => {
            bodies::put(&mut fields, "metadata", metadata.clone());
            fields.extend(bodies::object(json!({ "type": "user", "text": words(message) })));
        }
        Role::Assistant { finish, failure, .. } => {
            bodies::put(&mut time, "completed", message.completed.map(|at| json!(at)));
            let model = session
                .model
                .as_ref()
                .map_or_else(|| json!({ "id": MODEL, "providerID": PROVIDER, "variant": "default" }), bodies::model);
            fields.extend(bodies::object(json!({
                "type": "assistant",
                "agent": message.agent,
                "model": model,
                "content": message.parts.iter().filter_map(|part| content(&part.body, message)).collect::<Vec<_>>(),
            })));
            bodies::put(&mut fields, "finish", finish.map(|finish| json!(finish)));
            bodies::put(&mut fields, "error", failure.as_ref().map(bodies::failure));
        }
        Role::Mark(mark) => fields.extend(marked(mark)),
    }
    fields.insert("time".to_owned(), Value::Object(time));
    Value::Object(fields)
}

fn marked(mark: &Mark) -> Map<String, Value> {
    match mark {
        Mark::Note(note) => {
            let mut fields = bodies::note(note);
            fields.insert("type".to_owned(), json!("synthetic"));
            fields
        }
        Mark::Idle(outcome) => {
            let mut fields = bodies::object(json!({ "type": "idle", "outcome": bodies::outcome_name(outcome) }));
            if let Outcome::Failed(failure) = outcome {
                fields.insert("error".to_owned(), bodies::failure(failure));
            }
            fields
        }
        Mark::AgentSelected { agent, previous } => {
            let mut fields = bodies::object(json!({ "type": "agent-switched", "agent": agent }));
            bodies::put(&mut fields, "previous", bodies::text(previous.as_ref()));
            fields
        }
        Mark::ModelSelected { model, previous } => {
            let mut fields = bodies::object(json!({ "type": "model-switched", "model": bodies::model(model) }));
            bodies::put(&mut fields, "previous", previous.as_ref().map(bodies::model));
            fields
        }
    }
}

fn words(message: &Message) -> String {
    let spoken = message.parts.iter().filter_map(|part| match &part.body {
        PartBody::Prompt(text) => Some(text.as_str()),
        _ => None,
    });
    spoken.collect::<Vec<_>>().join("\n")
}

fn content(part: &PartBody, message: &Message) -> Option<Value> {
    match part {
        PartBody::Text { text, .. } => Some(json!({ "type": "text", "text": text })),
        PartBody::Tool { tool, call, state } => {
            let (state, ran, completed) = tool_state(state);
            let mut time = bodies::object(json!({ "created": ran.unwrap_or(message.created) }));
            bodies::put(&mut time, "ran", ran.map(|at| json!(at)));
            bodies::put(&mut time, "completed", completed.map(|at| json!(at)));
            Some(json!({ "type": "tool", "id": call, "name": tool, "state": state, "time": time }))
        }
        _ => None,
    }
}

/// The state of a call, when it began to run, and when it ended.
fn tool_state(state: &ToolState) -> (Value, Option<u64>, Option<u64>) {
    let some = |metadata: &Value| Some(metadata.clone()).filter(Value::is_object).unwrap_or_else(|| json!({}));
    match state {
        ToolState::Pending => (json!({ "status": "streaming", "input": "" }), None, None),
        ToolState::Running { input, metadata, start, .. } => {
            let metadata = metadata.as_ref().map_or_else(|| json!({}), some);
            (json!({ "status": "running", "input": input, "metadata": metadata }), Some(*start), None)
        }
        ToolState::Completed { input, output, metadata, start, end, .. } => {
            let content = json!([{ "type": "text", "text": output }]);
            let state =
                json!({ "status": "completed", "input": input, "content": content, "metadata": some(metadata) });
            (state, Some(*start), Some(*end))
        }
        ToolState::Error { input, text, metadata, start, end } => {
            let mut fields = bodies::object(json!({
                "status": "error", "input": input, "error": { "type": "unknown", "message": text },
            }));
            bodies::put(&mut fields, "metadata", metadata.clone());
            (Value::Object(fields), Some(*start), Some(*end))
        }
    }
}
