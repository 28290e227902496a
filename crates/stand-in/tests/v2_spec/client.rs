//! A plain client, and the waits the tests share. It takes nothing that the schema does not know.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gavel_stand_in::{Ask, Options, StandIn, Status, Switches, World};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::schema;

pub const PROJECT: &str = "/home/dev/project";
pub const OTHER: &str = "/home/dev/other";
/// Where things happen only to mark a moment.
const MARKER: &str = "/home/dev/marker";
pub const DEADLINE: Duration = Duration::from_secs(30);

pub async fn start() -> StandIn {
    start_as(Switches::default()).await
}

pub async fn start_as(switches: Switches) -> StandIn {
    StandIn::start(Options::v2(switches)).await.unwrap()
}

/// A session in the project with a script at work.
pub fn session(stand_in: &StandIn, script: &str) -> String {
    let id = stand_in.create_session(PROJECT, "A session");
    stand_in.prompt(&id, script).unwrap();
    id
}

/// Waits for so many pending requests and gives them.
pub async fn asks(stand_in: &StandIn, count: usize) -> Vec<Ask> {
    until(stand_in, &format!("{count} requests"), |world| world.pending().len() == count).await;
    stand_in.pending()
}

pub async fn ask(stand_in: &StandIn) -> Ask {
    asks(stand_in, 1).await.remove(0)
}

pub async fn idle(stand_in: &StandIn, session: &str) {
    until(stand_in, "an idle session", |world| world.status(session) == Status::Idle).await;
}

pub async fn until(stand_in: &StandIn, what: &str, holds: impl FnMut(&World) -> bool) {
    if stand_in.wait_until(DEADLINE, holds).await.is_err() {
        panic!("no {what}; pending: {:?}; executed: {:?}", stand_in.pending(), stand_in.executed());
    }
}

/// What "ran", by name only.
pub fn ran(stand_in: &StandIn) -> Vec<String> {
    stand_in.executed().into_iter().map(|executed| executed.what).collect()
}

pub fn rule(action: &str, resource: &str, effect: &str) -> Value {
    json!({ "action": action, "resource": resource, "effect": effect })
}

/// What is in a query, written so that it survives it.
pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// A client that reads no certificates and no proxy settings, which would take it longer than all the rest.
pub fn http() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap()
}

#[derive(Clone)]
pub struct Client {
    pub http: reqwest::Client,
    pub url: String,
    pub password: Option<String>,
    /// Method and route of each answer, with its status.
    pub seen: Arc<Mutex<BTreeSet<(String, String, u16)>>>,
}

impl Client {
    pub fn of(stand_in: &StandIn) -> Client {
        Client { http: http(), url: stand_in.url(), password: None, seen: Arc::default() }
    }

    /// A request as it is, whatever comes back: status, content type, body.
    pub async fn raw(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> (u16, String, String) {
        let mut request = self.http.request(method, format!("{}{path}", self.url)).timeout(DEADLINE);
        if let Some(password) = &self.password {
            request = request.basic_auth("opencode", Some(password));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let kind = answer.headers().get("content-type").map_or("", |kind| kind.to_str().unwrap()).to_owned();
        (status, kind, answer.text().await.unwrap())
    }

    /// A request to a route that is there; the answer is held against the schema.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
        self.call_with(method, path, &[], body.map(Value::to_string)).await
    }

    pub async fn call_with(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> (u16, Value) {
        let (status, kind, text) = self.raw(method.clone(), path, headers, body).await;
        assert!(status == 204 || kind == "application/json", "{method} {path} gave {kind}: {text}");
        let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        let wrong = schema::answer_complaints(method.as_str(), path, status, &value);
        assert!(wrong.is_empty(), "{method} {path} gave {status} {value}\n{wrong:#?}");
        let (verb, pattern, _) = schema::route(method.as_str(), path).unwrap();
        self.seen.lock().unwrap().insert(((*verb).to_owned(), (*pattern).to_owned(), status));
        (status, value)
    }

    /// The way in which a server says that there is no such route.
    pub async fn is_no_route(&self, method: Method, path: &str) {
        let (status, kind, text) = self.raw(method.clone(), path, &[], Some("{}".to_owned())).await;
        assert!(
            status == 200 && kind == "text/html" && text.contains("<html>"),
            "{method} {path} gave {status} {text}"
        );
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.call(Method::GET, path, None).await;
        assert_eq!(status, 200, "GET {path} gave {body}");
        body
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::POST, path, Some(&body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::PATCH, path, Some(&body)).await
    }

    pub async fn delete(&self, path: &str) -> (u16, Value) {
        self.call(Method::DELETE, path, None).await
    }

    /// A new session; gives its body.
    pub async fn create(&self, body: Value) -> Value {
        let (status, created) = self.post("/api/session", body).await;
        assert_eq!(status, 200, "{created}");
        created["data"].clone()
    }

    pub async fn reply(&self, ask: &Ask, body: Value) -> (u16, Value) {
        self.post(&format!("/api/session/{}/permission/{}/reply", ask.session, ask.id), body).await
    }

    /// Answers and expects that to be taken.
    pub async fn decide(&self, ask: &Ask, decision: &str) {
        assert_eq!(self.reply(ask, json!({ "decision": decision })).await.0, 204);
    }

    /// The effect of asking for something.
    pub async fn effect(&self, session: &str, body: Value) -> Value {
        let (status, answer) = self.post(&format!("/api/session/{session}/permission"), body).await;
        assert_eq!(status, 200, "{answer}");
        answer["data"]["effect"].clone()
    }

    /// Opens the event stream and waits until it is open.
    pub async fn listen(&self) -> Listener {
        let mut request = self.http.get(format!("{}/api/event", self.url));
        if let Some(password) = &self.password {
            request = request.basic_auth("opencode", Some(password));
        }
        let mut answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let heard: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (changes, changed) = watch::channel(false);
        let listener = Listener { heard: Arc::clone(&heard), changed };
        tokio::spawn(async move {
            let mut rest = Vec::new();
            while let Ok(Some(bytes)) = answer.chunk().await {
                rest.extend_from_slice(&bytes);
                let Some(end) = rest.windows(2).rposition(|pair| pair == b"\n\n") else { continue };
                let after = rest.split_off(end + 2);
                for frame in std::str::from_utf8(&rest).unwrap().split_terminator("\n\n") {
                    if let Some(event) = frame.strip_prefix("data: ") {
                        heard.lock().unwrap().push(serde_json::from_str(event).unwrap());
                    } else {
                        assert_eq!(frame, ": heartbeat");
                    }
                }
                rest = after;
                changes.send_replace(false);
            }
            changes.send_replace(true);
        });
        listener.until("server.connected", |heard| !heard.is_empty()).await;
        listener
    }
}

/// An open event stream and all it has said.
pub struct Listener {
    heard: Arc<Mutex<Vec<Value>>>,
    changed: watch::Receiver<bool>,
}

impl Listener {
    /// All that was heard, each held against the schema.
    pub fn heard(&self) -> Vec<Value> {
        let heard = self.heard.lock().unwrap().clone();
        for event in &heard {
            let wrong = schema::event_complaints(event);
            assert!(wrong.is_empty(), "{event}\n{wrong:#?}");
        }
        heard
    }

    /// Waits until all that happened so far is heard, by making something else happen; gives what was heard before.
    pub async fn caught_up(&self, stand_in: &StandIn) -> Vec<Value> {
        let marker = stand_in.create_session(MARKER, "marker");
        let is_marker = |event: &Value| event["data"]["sessionID"] == json!(marker);
        self.until("the marker", |heard| heard.iter().any(is_marker)).await;
        self.heard().into_iter().filter(|event| event["location"]["directory"] != MARKER).collect()
    }

    pub async fn until(&self, what: &str, mut holds: impl FnMut(&[Value]) -> bool) {
        let mut changed = self.changed.clone();
        let reached = async {
            let mut heard = || holds(&self.heard.lock().unwrap());
            while !heard() {
                if changed.changed().await.is_err() {
                    assert!(heard(), "the stream ended before {what}");
                    return;
                }
            }
        };
        let reached = tokio::time::timeout(DEADLINE, reached).await;
        assert!(reached.is_ok(), "no {what} among {:?}", names(&self.heard()));
    }

    pub async fn until_heard(&self, kind: &str) {
        self.until(kind, |heard| heard.iter().any(|event| event["type"] == kind)).await;
    }

    /// Waits until the server ends the stream.
    pub async fn until_closed(&self) {
        let mut changed = self.changed.clone();
        let closed = tokio::time::timeout(DEADLINE, async { changed.wait_for(|closed| *closed).await.map(drop) }).await;
        assert!(closed.is_ok(), "the stream is still open");
    }
}

/// The types of events, in order; pieces of text are left out.
pub fn names(heard: &[Value]) -> Vec<&str> {
    let names = heard.iter().map(|event| event["type"].as_str().unwrap());
    names.filter(|name| *name != "session.text.delta").collect()
}

/// The data of all events of a type.
pub fn of_type(heard: &[Value], kind: &str) -> Vec<Value> {
    heard.iter().filter(|event| event["type"] == kind).map(|event| event["data"].clone()).collect()
}
