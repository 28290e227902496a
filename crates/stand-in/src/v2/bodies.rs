//! How 2.x writes sessions, requests and what belongs to them.

use gavel_core::rules::Rule;
use serde_json::{Map, Value, json};

use crate::form::write_field;
use crate::world::World;
use crate::world::ask::Ask;
use crate::world::forms::{Form, State};
use crate::world::happening::Failure;
use crate::world::inbox::{Content, Delivery, Item, Note};
use crate::world::places::{Project, below};
use crate::world::rules::effect_name;
use crate::world::saved::Approval;
use crate::world::session::{Boundary, Model, Outcome, Session, Status};

/// What is left out when it is not there, rather than sent as `null`.
pub(super) fn put(fields: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        fields.insert(key.to_owned(), value);
    }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Text that may be missing.
pub(super) fn text(value: Option<&String>) -> Option<Value> {
    value.map(|value| json!(value))
}

pub(super) fn rules(rules: &[Rule]) -> Value {
    let one =
        |rule: &Rule| json!({ "action": rule.action, "resource": rule.resource, "effect": effect_name(rule.effect) });
    rules.iter().map(one).collect()
}

pub(super) fn model(model: &Model) -> Value {
    let mut fields = object(json!({ "id": model.id, "providerID": model.provider }));
    put(&mut fields, "variant", text(model.variant.as_ref()));
    Value::Object(fields)
}

/// What a session is and what its creation says alike.
fn common(world: &World, session: &Session, fields: &mut Map<String, Value>) {
    let project = world.places.project(&session.directory);
    fields.insert("projectID".to_owned(), json!(project.id));
    fields.insert("location".to_owned(), json!({ "directory": session.directory }));
    put(fields, "subpath", subpath(&project, &session.directory));
    put(fields, "parentID", text(session.parent.as_ref()));
    put(fields, "title", session.titled.then(|| json!(session.title)));
    put(fields, "agent", text(session.agent.as_ref()));
    put(fields, "model", session.model.as_ref().map(model));
    put(fields, "metadata", session.metadata.clone());
    put(fields, "permissions", (!session.rules.is_empty()).then(|| rules(&session.rules)));
}

/// What of a directory is below the repository it is in.
pub(super) fn subpath(project: &Project, directory: &str) -> Option<Value> {
    text(below(&project.directory, directory).as_ref())
}

/// Up to which message a fork is like its origin.
pub(super) fn boundary(fork: &Boundary) -> Value {
    match fork {
        Boundary::Before(message) => json!({ "type": "before", "messageID": message }),
        Boundary::Through(message) => json!({ "type": "through", "messageID": message }),
    }
}

pub(super) fn session(world: &World, session: &Session) -> Value {
    let (input, output) = session.tokens;
    let mut time = object(json!({ "created": session.created, "updated": session.updated }));
    let outcome = session.outcome.as_ref();
    put(&mut time, "idle", outcome.map(|(_, at)| json!(at)));
    put(&mut time, "archived", session.archived.map(|at| json!(at)));
    let mut fields = object(json!({
        "id": session.id,
        "cost": 0,
        "tokens": { "input": input, "output": output, "reasoning": 0, "cache": { "read": 0, "write": 0 } },
        "time": time,
    }));
    common(world, session, &mut fields);
    let fork = session.fork.as_ref().map(|(origin, up_to)| json!({ "sessionID": origin, "boundary": boundary(up_to) }));
    put(&mut fields, "fork", fork);
    put(&mut fields, "outcome", outcome.map(|(outcome, _)| json!(outcome_name(outcome))));
    Value::Object(fields)
}

/// What `session.created` says.
pub(super) fn creation(world: &World, version: &str, session: &Session) -> Value {
    let mut fields = object(json!({ "sessionID": session.id, "slug": session.slug, "version": version }));
    common(world, session, &mut fields);
    Value::Object(fields)
}

pub(super) fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Succeeded => "succeeded",
        Outcome::Failed(_) => "failed",
        Outcome::Interrupted(_) => "interrupted",
    }
}

pub(super) fn failure(failure: &Failure) -> Value {
    match failure {
        Failure::Aborted => json!({ "type": "unknown", "message": "Aborted" }),
        Failure::Unnamed(message) => json!({ "type": "unknown", "message": message }),
        Failure::Model { status, message } => {
            let body = json!({ "error": { "message": message } }).to_string();
            json!({ "type": "provider", "message": message, "status": status, "response": { "body": body } })
        }
    }
}

pub(super) fn status(status: &Status) -> Value {
    match status {
        Status::Idle => json!({ "type": "idle" }),
        Status::Busy => json!({ "type": "busy" }),
        Status::Retry { message, next } => json!({ "type": "retry", "attempt": 1, "message": message, "next": next }),
    }
}

pub(super) fn ask(ask: &Ask) -> Value {
    let mut fields = object(json!({
        "id": ask.id,
        "sessionID": ask.session,
        "action": ask.permission,
        "resources": ask.patterns,
    }));
    put(&mut fields, "save", (!ask.always.is_empty()).then(|| json!(ask.always)));
    put(&mut fields, "metadata", Some(ask.metadata.clone()).filter(Value::is_object));
    let source = |(message, call): &(String, String)| json!({ "type": "tool", "messageID": message, "id": call });
    put(&mut fields, "source", ask.tool.as_ref().map(source));
    put(&mut fields, "message", text(ask.message.as_ref()));
    Value::Object(fields)
}

pub(super) fn approval(one: &Approval) -> Value {
    json!({
        "id": one.id,
        "projectID": one.project,
        "action": one.action,
        "resource": one.resource,
        "time": { "created": one.created, "updated": one.updated },
    })
}

pub(super) fn note(note: &Note) -> Map<String, Value> {
    let mut fields = object(json!({ "text": note.text }));
    put(&mut fields, "description", text(note.description.as_ref()));
    put(&mut fields, "metadata", note.metadata.clone());
    fields
}

/// An item of the inbox as an event has it: what it is, and when it is delivered.
pub(super) fn item(item: &Item) -> Map<String, Value> {
    let (kind, payload) = match &item.what {
        Content::Prompt { words, metadata, .. } => {
            let mut payload = object(json!({ "text": words }));
            put(&mut payload, "metadata", metadata.clone());
            ("user", payload)
        }
        Content::Note(one) => ("synthetic", note(one)),
    };
    let delivery = match item.delivery {
        Delivery::Steer => "steer",
        Delivery::Queue => "queue",
    };
    object(json!({ "type": kind, "payload": payload, "delivery": delivery }))
}

/// An item of the inbox as it is listed.
pub(super) fn whole_item(one: &Item) -> Value {
    let mut fields = object(json!({ "id": one.id, "sessionID": one.session, "time": { "created": one.created } }));
    fields.extend(item(one));
    Value::Object(fields)
}

pub(super) fn form(form: &Form) -> Value {
    let mut fields = object(json!({ "id": form.id, "sessionID": form.owner, "title": form.title }));
    put(&mut fields, "metadata", form.metadata.clone());
    fields.insert("fields".to_owned(), form.fields.iter().map(write_field).collect());
    Value::Object(fields)
}

/// A form with what became of it.
pub(super) fn form_detail(one: &Form) -> Value {
    let mut fields = object(form(one));
    let state = match &one.state {
        State::Pending => json!({ "status": "pending" }),
        State::Answered(answers) => json!({ "status": "answered", "answer": answers }),
        State::Cancelled(None) => json!({ "status": "cancelled" }),
        State::Cancelled(Some(message)) => json!({ "status": "cancelled", "message": message }),
    };
    fields.insert("state".to_owned(), state);
    Value::Object(fields)
}
