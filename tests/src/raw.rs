//! A server that says exactly what a test tells it to, in either dialect.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::{Json, Router};
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tokio_stream::wrappers::BroadcastStream;

use crate::host::Kind;

/// The server. It ends with the test's runtime.
#[derive(Clone)]
pub struct Raw {
    /// Its base URL.
    pub url: String,
    second: bool,
    events: broadcast::Sender<String>,
    /// What it lists, by directory.
    pending: Arc<Mutex<Vec<(String, Value)>>>,
    received: Arc<Mutex<Vec<String>>>,
}

impl Raw {
    /// Starts a server that speaks as `kind` does.
    pub async fn start(kind: &Kind) -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let raw = Self {
            url: format!("http://{}", socket.local_addr().unwrap()),
            second: matches!(kind, Kind::StandInV2(_)),
            events: broadcast::channel(4096).0,
            pending: Arc::default(),
            received: Arc::default(),
        };
        let app = Router::new().fallback(answer).with_state(raw.clone());
        tokio::spawn(async move { axum::serve(socket, app).await });
        raw
    }

    fn say(&self, directory: &str, kind: &str, particulars: Value) {
        let event = if self.second {
            json!({ "id": "evt_1", "created": 1, "type": kind, "location": { "directory": directory }, "data": particulars })
        } else {
            json!({ "directory": directory, "payload": { "type": kind, "properties": particulars } })
        };
        self.events.send(event.to_string()).unwrap();
    }

    /// Asks to run `command`, or something whose command is told later. Of the request that has this id already it
    /// makes another one.
    pub fn ask(&self, directory: &str, id: &str, session: &str, command: Option<&str>) {
        let metadata = command.map_or_else(|| json!({}), |command| json!({ "command": command }));
        let ask = if self.second {
            json!({
                "id": id, "sessionID": session, "action": "shell", "resources": [command.unwrap_or("ls")],
                "source": { "type": "tool", "messageID": "msg_1", "id": "call_1" },
            })
        } else {
            json!({
                "id": id, "sessionID": session, "permission": "bash", "patterns": [command.unwrap_or("ls")], "always": [],
                "metadata": metadata, "tool": { "messageID": "msg_1", "callID": "call_1" },
            })
        };
        let mut pending = self.pending.lock().unwrap();
        pending.retain(|(_, known)| known["id"] != id);
        pending.push((directory.to_owned(), ask.clone()));
        self.say(directory, "permission.asked", ask);
    }

    /// Tells the command behind the requests of `session`.
    pub fn tell_command(&self, directory: &str, session: &str, command: &str) {
        let input = json!({ "command": command });
        if self.second {
            let call = json!({ "sessionID": session, "assistantMessageID": "msg_1", "id": "call_1", "input": input,
                "executed": false });
            return self.say(directory, "session.tool.called", call);
        }
        let state = json!({ "status": "running", "input": input });
        let part =
            json!({ "type": "tool", "messageID": "msg_1", "callID": "call_1", "sessionID": session, "state": state });
        self.say(directory, "message.part.updated", json!({ "part": part }));
    }

    /// The requests that are listed for a query.
    fn listed(&self, query: &str) -> Vec<Value> {
        let is_asked_for = |directory: &str| query.ends_with(&format!("={}", directory.replace('/', "%2F")));
        let pending = self.pending.lock().unwrap();
        pending.iter().filter(|(directory, _)| is_asked_for(directory)).map(|(_, ask)| ask.clone()).collect()
    }

    /// The paths that anything was sent to.
    pub fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }

    /// How many streams are open.
    pub fn streams(&self) -> usize {
        self.events.receiver_count()
    }
}

async fn answer(State(raw): State<Raw>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if request.method() == Method::POST {
        raw.received.lock().unwrap().push(path);
        return if raw.second {
            axum::http::StatusCode::NO_CONTENT.into_response()
        } else {
            Json(true).into_response()
        };
    }
    let query = request.uri().query().unwrap_or_default();
    let rest = if raw.second { path.strip_prefix("/api") } else { Some(path.as_str()) };
    let rest = rest.unwrap_or_default();
    if rest.starts_with("/session/slow") && rest.matches('/').count() == 2 {
        return std::future::pending().await;
    }
    match rest {
        "/info" if raw.second => Json(json!({ "version": "2.1.2", "pid": 1 })).into_response(),
        "/event" if raw.second => events(&raw, json!({ "id": "evt_0", "type": "server.connected", "data": {} })),
        "/permission/request" if raw.second => Json(json!({ "data": raw.listed(query) })).into_response(),
        "/session" if raw.second => Json(json!({ "data": [], "cursor": {} })).into_response(),
        "/session/active" if raw.second => Json(json!({ "data": {} })).into_response(),
        "/global/health" => Json(json!({ "healthy": true, "version": "1.18.33" })).into_response(),
        "/global/event" => events(&raw, json!({ "payload": { "type": "server.connected", "properties": {} } })),
        "/permission" => Json(raw.listed(query)).into_response(),
        "/session" | "/experimental/session" => Json(json!([])).into_response(),
        "/session/status" => {
            let pending = raw.pending.lock().unwrap();
            let busy = |ask: &Value| (ask["sessionID"].as_str().unwrap().to_owned(), json!({ "type": "busy" }));
            let states: serde_json::Map<_, _> = pending.iter().map(|(_, ask)| busy(ask)).collect();
            Json(Value::Object(states)).into_response()
        }
        rest if rest.ends_with("/message/msg_1") && raw.second => {
            Json(json!({ "data": { "content": [] } })).into_response()
        }
        rest if rest.ends_with("/message/msg_1") => Json(json!({ "info": {}, "parts": [] })).into_response(),
        rest if rest.starts_with("/session/") && !rest.contains("/permission/") => {
            let id = rest.trim_start_matches("/session/");
            let parent = if id == "ses_1" { "ses_2" } else { "ses_1" };
            let mut session = json!({ "id": id, "parentID": parent, "title": id });
            if raw.second {
                session["location"] = json!({ "directory": "/p" });
                return Json(json!({ "data": session })).into_response();
            }
            session["directory"] = json!("/p");
            Json(session).into_response()
        }
        // What a server doesn't know is answered with its web page.
        _ => Html("<!doctype html>").into_response(),
    }
}

fn events(raw: &Raw, greeting: Value) -> Response {
    let events = BroadcastStream::new(raw.events.subscribe()).filter_map(async |event| event.ok());
    let frames = stream::iter([greeting.to_string()]).chain(events);
    let frames = frames.map(|event| Ok::<_, Infallible>(format!("data: {event}\n\n")));
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(frames)).into_response()
}
