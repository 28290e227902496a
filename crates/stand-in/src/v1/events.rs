//! The event streams.

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

use super::intake::Directory;
use super::{App, bodies};
use crate::world::Stage;
use crate::world::happening::{Happening, Occurrence};

/// `GET /global/event`: all directories, in envelopes, with a `sync` twin of each durable event.
pub(super) async fn global(State(app): State<App>) -> Response {
    open(app, None)
}

/// `GET /event`: one directory, bare.
pub(super) async fn of_directory(State(app): State<App>, directory: Directory) -> Response {
    open(app, Some(directory.path))
}

/// An open stream.
struct Listening {
    app: App,
    /// `None` for the stream of all directories.
    only: Option<String>,
    heard: Receiver<Arc<Occurrence>>,
    heartbeat: Interval,
    greeted: bool,
    /// Dropped with the stream: whoever waits for clients to come or go shall look again.
    _leaving: Leaving,
}

struct Leaving(Stage);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.touch();
    }
}

fn open(app: App, only: Option<String>) -> Response {
    let heard = app.agents.stage.with(crate::World::listen);
    let heartbeat = tokio::time::interval_at(Instant::now() + app.heartbeat, app.heartbeat);
    let leaving = Leaving(app.agents.stage.clone());
    // Fields are dropped in order, so that the world sees the stream closed when `leaving` wakes it.
    let listening = Listening { app, only, heard, heartbeat, greeted: false, _leaving: leaving };
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

impl Listening {
    /// The next piece of the stream; `None` if the stream was cut.
    async fn next(&mut self) -> Option<String> {
        if !std::mem::replace(&mut self.greeted, true) {
            return Some(self.own("server.connected"));
        }
        loop {
            tokio::select! {
                occurrence = self.heard.recv() => {
                    let occurrence = occurrence?;
                    let here = self.only.as_ref().is_none_or(|only| *only == occurrence.directory);
                    if let (true, Some(frames)) = (here, self.frames(&occurrence)) {
                        return Some(frames);
                    }
                }
                _ = self.heartbeat.tick() => return Some(self.own("server.heartbeat")),
            }
        }
    }

    /// An event of the server itself, which has no directory.
    fn own(&self, kind: &str) -> String {
        let id = self.app.agents.stage.with(crate::World::event_id);
        let event = json!({ "id": id, "type": kind, "properties": {} });
        frame(&if self.only.is_none() { json!({ "payload": event }) } else { event })
    }

    /// `None` for what 1.x has no words for.
    fn frames(&self, occurrence: &Occurrence) -> Option<String> {
        let (kind, properties) = event(&self.app, &occurrence.what, &occurrence.directory)?;
        if self.only.is_some() {
            return Some(frame(&json!({ "id": occurrence.id, "type": kind, "properties": properties })));
        }
        let envelope = |payload: Value| {
            let project = bodies::project_id(&occurrence.directory);
            frame(&json!({ "directory": occurrence.directory, "project": project, "payload": payload }))
        };
        let twin = occurrence.durable.as_ref().map(|(session, number)| {
            envelope(json!({
                "type": "sync",
                "syncEvent": {
                    "id": occurrence.id,
                    "type": format!("{kind}.1"),
                    "seq": number,
                    "aggregateID": session,
                    "data": properties,
                },
                "id": occurrence.id,
            }))
        });
        let event = envelope(json!({ "id": occurrence.id, "type": kind, "properties": properties }));
        Some(event + &twin.unwrap_or_default())
    }
}

fn frame(event: &Value) -> String {
    format!("data: {event}\n\n")
}

/// The name of an event and what it says.
fn event(app: &App, what: &Happening, directory: &str) -> Option<(&'static str, Value)> {
    let about_session =
        |session: &crate::Session| json!({ "sessionID": session.id, "info": bodies::session(app, session) });
    Some(match what {
        Happening::SessionCreated(session) => ("session.created", about_session(session)),
        Happening::SessionUpdated(session) => ("session.updated", about_session(session)),
        Happening::SessionDeleted(session) => ("session.deleted", about_session(session)),
        Happening::MessageUpdated(message) => {
            ("message.updated", json!({ "sessionID": message.session, "info": bodies::message(message) }))
        }
        Happening::PartUpdated { part, at } => {
            ("message.part.updated", json!({ "sessionID": part.session, "part": bodies::part(part), "time": at }))
        }
        Happening::PartDelta { session, message, part, text } => (
            "message.part.delta",
            json!({ "sessionID": session, "messageID": message, "partID": part, "field": "text", "delta": text }),
        ),
        Happening::Asked(ask) => ("permission.asked", bodies::ask(ask)),
        Happening::Replied { session, ask, reply } => {
            ("permission.replied", json!({ "sessionID": session, "requestID": ask, "reply": reply.name() }))
        }
        Happening::QuestionAsked(question) => ("question.asked", bodies::question(question)),
        Happening::QuestionAnswered { session, question, answers } => {
            ("question.replied", json!({ "sessionID": session, "requestID": question, "answers": answers }))
        }
        Happening::QuestionDismissed { session, question } => {
            ("question.rejected", json!({ "sessionID": session, "requestID": question }))
        }
        Happening::Status { session, status } => {
            ("session.status", json!({ "sessionID": session, "status": bodies::status(status) }))
        }
        Happening::Idle { session } => ("session.idle", json!({ "sessionID": session })),
        Happening::Diff { session } => ("session.diff", json!({ "sessionID": session, "diff": [] })),
        Happening::Failed { session, failure } => {
            ("session.error", json!({ "sessionID": session, "error": bodies::error(failure) }))
        }
        Happening::FileEdited { file } => ("file.edited", json!({ "file": file })),
        Happening::FileChanged { file, created } => {
            ("file.watcher.updated", json!({ "file": file, "event": if *created { "add" } else { "change" } }))
        }
        Happening::Disposed => ("server.instance.disposed", json!({ "directory": directory })),
        _ => return None,
    })
}
