//! The event stream.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, Interval};

use super::{App, bodies};
use crate::world::happening::{CallName, CallResult, Happening, Occurrence};
use crate::world::session::{Interrupted, Outcome};
use crate::world::{Stage, World};

/// `GET /api/event`: everything that happens, in every location.
pub(super) async fn stream(State(app): State<App>) -> Response {
    let heard = app.agents.stage.with(World::listen);
    // The second: the first follows the greeting at once.
    let heartbeat = tokio::time::interval_at(Instant::now() + app.heartbeat, app.heartbeat);
    let leaving = Leaving(app.agents.stage.clone());
    // Fields are dropped in order, so that the world sees the stream closed when `leaving` wakes it.
    let listening = Listening { app, heard, heartbeat, said: 0, _leaving: leaving };
    let frames = stream::unfold(listening, |mut listening| async move {
        let frame = listening.next().await?;
        Some((Ok::<_, Infallible>(frame), listening))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache, no-transform"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, [("x-accel-buffering", "no")], Body::from_stream(frames)).into_response()
}

const HEARTBEAT: &str = ": heartbeat\n\n";

/// An open stream.
struct Listening {
    app: App,
    heard: Receiver<Arc<Occurrence>>,
    heartbeat: Interval,
    /// How much of the beginning is said: the greeting, the first heartbeat.
    said: u8,
    /// Dropped with the stream: whoever waits for clients to come or go shall look again.
    _leaving: Leaving,
}

struct Leaving(Stage);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.touch();
    }
}

impl Listening {
    /// The next piece of the stream; `None` if the stream was cut.
    async fn next(&mut self) -> Option<String> {
        if self.said < 2 {
            self.said += 1;
            return Some(if self.said == 1 { self.greeting() } else { HEARTBEAT.to_owned() });
        }
        loop {
            tokio::select! {
                occurrence = self.heard.recv() => {
                    let occurrence = occurrence?;
                    if let Some(event) = self.event(&occurrence) {
                        return Some(frame(&event));
                    }
                }
                _ = self.heartbeat.tick() => return Some(HEARTBEAT.to_owned()),
            }
        }
    }

    fn greeting(&self) -> String {
        let id = self.app.agents.stage.with(World::event_id);
        frame(&json!({ "id": id, "type": "server.connected", "data": {} }))
    }

    /// `None` for what 2.x has no words for.
    fn event(&self, occurrence: &Occurrence) -> Option<Value> {
        let Occurrence { id, at, directory, durable, what } = occurrence;
        let (kind, data) = self.app.agents.stage.see(|world| tell(world, &self.app.version, what))?;
        let mut event = bodies::object(json!({ "id": id, "created": at, "type": kind }));
        let numbered = durable
            .as_ref()
            .map(|(session, number)| json!({ "aggregateID": session, "seq": number, "version": version(kind) }));
        bodies::put(&mut event, "durable", numbered);
        event.insert("location".to_owned(), json!({ "directory": directory }));
        event.insert("data".to_owned(), data);
        Some(Value::Object(event))
    }
}

fn frame(event: &Value) -> String {
    format!("data: {event}\n\n")
}

/// The version of an event that is kept.
fn version(kind: &str) -> u8 {
    match kind {
        "session.deleted" | "session.forked" | "session.tool.success" | "session.tool.failed" => 2,
        _ => 1,
    }
}

/// The name of an event and what it says.
fn tell(world: &World, version: &str, what: &Happening) -> Option<(&'static str, Value)> {
    let alone = |session: &String| json!({ "sessionID": session });
    Some(match what {
        Happening::SessionCreated(session) => ("session.created", bodies::creation(world, version, session)),
        Happening::SessionDeleted(session) => ("session.deleted", alone(&session.id)),
        Happening::Asked(ask) => ("permission.asked", bodies::ask(ask)),
        Happening::Replied { session, ask, reply } => {
            ("permission.replied", json!({ "sessionID": session, "requestID": ask, "reply": reply.name() }))
        }
        Happening::RulesReplaced { session, rules } => {
            ("session.permissions", json!({ "sessionID": session, "permissions": bodies::rules(rules) }))
        }
        Happening::AgentSelected { session, agent, previous } => {
            let mut data = bodies::object(json!({ "sessionID": session, "agent": agent }));
            bodies::put(&mut data, "previous", bodies::text(previous.as_ref()));
            ("session.agent.selected", Value::Object(data))
        }
        Happening::ModelSelected { session, model, previous } => {
            let mut data = bodies::object(json!({ "sessionID": session, "model": bodies::model(model) }));
            bodies::put(&mut data, "previous", previous.as_ref().map(bodies::model));
            ("session.model.selected", Value::Object(data))
        }
        Happening::RunStarted { session } => ("session.execution.started", alone(session)),
        Happening::RunEnded { session, outcome } => match outcome {
            Outcome::Succeeded => ("session.execution.succeeded", alone(session)),
            Outcome::Failed(failure) => {
                let error = bodies::failure(failure);
                ("session.execution.failed", json!({ "sessionID": session, "error": error }))
            }
            Outcome::Interrupted(why) => {
                let reason = match why {
                    Interrupted::ByUser => "user",
                    Interrupted::ByShutdown => "shutdown",
                };
                ("session.execution.interrupted", json!({ "sessionID": session, "reason": reason }))
            }
        },
        Happening::Status { session, status } => {
            ("session.status", json!({ "sessionID": session, "status": bodies::status(status) }))
        }
        Happening::Idle { session } => ("session.idle", alone(session)),
        Happening::CallBegan { call, tool } => ("session.tool.input.started", about(call, json!({ "name": tool }))),
        Happening::CallMade { call, input } => {
            ("session.tool.called", about(call, json!({ "input": input, "executed": false })))
        }
        Happening::CallEnded { call, result } => call_ended(call, result),
        Happening::Enqueued { session, item } => {
            ("session.inbox.enqueued", json!({ "sessionID": session, "inboxID": item.id, "item": bodies::item(item) }))
        }
        Happening::Delivered { session, item } => {
            ("session.inbox.delivered", json!({ "sessionID": session, "inboxID": item }))
        }
        Happening::Noted { session, note } => {
            let mut data = bodies::note(note);
            data.insert("sessionID".to_owned(), json!(session));
            ("session.synthetic", Value::Object(data))
        }
        Happening::PartDelta { session, message, part, text } => {
            let ordinal = world.ordinal(session, message, part);
            let data =
                json!({ "sessionID": session, "assistantMessageID": message, "ordinal": ordinal, "delta": text });
            ("session.text.delta", data)
        }
        Happening::FormRaised(form) => ("form.created", json!({ "form": bodies::form(form) })),
        Happening::FormAnswered { form, owner, answers } => {
            ("form.replied", json!({ "id": form, "sessionID": owner, "answer": answers }))
        }
        Happening::FormCancelled { form, owner } => ("form.cancelled", json!({ "id": form, "sessionID": owner })),
        Happening::Forked { session, parent, through } => (
            "session.forked",
            json!({ "sessionID": session, "parentID": parent, "boundary": bodies::boundary(through) }),
        ),
        Happening::Moved { session, directory } => {
            let project = world.places.project(directory);
            let mut data = bodies::object(json!({
                "sessionID": session, "location": { "directory": directory }, "projectID": project.id,
            }));
            bodies::put(&mut data, "subpath", bodies::subpath(&project, directory));
            ("session.moved", Value::Object(data))
        }
        Happening::Disposed => ("location.shutdown", json!({})),
        Happening::AgentsUpdated => ("agent.updated", json!({})),
        Happening::ConfigUpdated => ("config.updated", json!({})),
        _ => return None,
    })
}

fn about(call: &CallName, more: Value) -> Value {
    let name = json!({ "sessionID": call.session, "assistantMessageID": call.message, "id": call.id });
    let mut data = bodies::object(name);
    data.extend(bodies::object(more));
    Value::Object(data)
}

fn call_ended(call: &CallName, result: &CallResult) -> (&'static str, Value) {
    match result {
        CallResult::Done { output, metadata } => {
            let content = json!([{ "type": "text", "text": output }]);
            let more = json!({ "content": content, "metadata": metadata, "executed": false });
            ("session.tool.success", about(call, more))
        }
        CallResult::Failed { text, metadata } => {
            let mut more =
                bodies::object(json!({ "error": { "type": "unknown", "message": text }, "executed": false }));
            bodies::put(&mut more, "metadata", metadata.clone());
            ("session.tool.failed", about(call, Value::Object(more)))
        }
    }
}
