//! A plain client for the stand-in, and the waits the tests share.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use gavel_stand_in::{Ask, Options, StandIn, World};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;

pub const PROJECT: &str = "/home/dev/project";
/// Where things happen only to mark a moment.
const MARKER: &str = "/home/dev/marker";
pub const OTHER: &str = "/home/dev/other";
pub const DEADLINE: Duration = Duration::from_secs(30);

/// A stand-in with which nothing takes longer than it must.
pub async fn start() -> StandIn {
    start_with(Options::default()).await
}

pub async fn start_with(options: Options) -> StandIn {
    StandIn::start(Options { clearing: Duration::from_millis(20), ..options }).await.unwrap()
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
    let rests = |world: &World| world.status(session) == gavel_stand_in::Status::Idle;
    until(stand_in, "an idle session", rests).await;
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

/// A client that reads no certificates and no proxy settings, which would take it longer than all the rest.
pub fn http() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy().tls_certs_only([])
}

#[derive(Clone)]
pub struct Client {
    pub http: reqwest::Client,
    pub url: String,
}

impl Client {
    pub fn of(stand_in: &StandIn) -> Client {
        Client { http: http().timeout(DEADLINE).build().unwrap(), url: stand_in.url() }
    }

    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.call(Method::GET, path, None).await;
        assert_eq!(status, 200, "GET {path} gave {body}");
        body
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.call(Method::POST, path, Some(&body)).await
    }

    /// Answers a request under the project's directory.
    pub async fn reply(&self, ask: &str, body: Value) -> (u16, Value) {
        self.post(&format!("/permission/{ask}/reply?directory={PROJECT}"), body).await
    }

    /// Allows one request and expects that to be taken.
    pub async fn allow(&self, ask: &str) {
        assert_eq!(self.reply(ask, json!({ "reply": "once" })).await, (200, json!(true)));
    }

    /// Opens the event stream and waits until it is open.
    pub async fn listen(&self, path: &str) -> Listener {
        let http = http().build().unwrap();
        let mut answer = http.get(format!("{}{path}", self.url)).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let heard: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (changes, changed) = watch::channel(false);
        let listener = Listener { heard: Arc::clone(&heard), changed };
        tokio::spawn(async move {
            let mut rest = String::new();
            while let Ok(Some(bytes)) = answer.chunk().await {
                rest.push_str(std::str::from_utf8(&bytes).unwrap());
                let Some(end) = rest.rfind("\n\n") else { continue };
                let after = rest.split_off(end + 2);
                for frame in rest.split_terminator("\n\n") {
                    let event = serde_json::from_str(frame.strip_prefix("data: ").unwrap()).unwrap();
                    heard.lock().unwrap().push(event);
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
    pub fn heard(&self) -> Vec<Value> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits until all that happened so far is heard, by making something else happen; gives how much that is.
    pub async fn caught_up(&self, stand_in: &StandIn) -> usize {
        let marker = stand_in.create_session(MARKER, "marker");
        let is_marker = |event: &Value| payload(event)["properties"]["sessionID"] == json!(marker);
        self.until("the marker", |heard| heard.iter().any(is_marker)).await;
        self.heard().len()
    }

    /// Waits for so many events of a type.
    pub async fn until_heard(&self, count: usize, kind: &str) {
        let (mut seen, mut found) = (0, 0);
        let enough = |heard: &[Value]| {
            // Each event is looked at once, for there may be thousands.
            found += heard[seen..].iter().filter(|event| payload(event)["type"] == kind).count();
            seen = heard.len();
            found >= count
        };
        self.until(&format!("{count} {kind}"), enough).await;
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

    /// Waits until the server ends the stream.
    pub async fn until_closed(&self) {
        let mut changed = self.changed.clone();
        let closed = tokio::time::timeout(DEADLINE, async { changed.wait_for(|closed| *closed).await.map(drop) }).await;
        assert!(closed.is_ok(), "the stream is still open");
    }

    /// The payloads of one type, `sync` twins left out.
    pub fn of_type(&self, kind: &str) -> Vec<Value> {
        let properties = |event: &Value| payload(event)["properties"].clone();
        self.heard().iter().filter(|event| payload(event)["type"] == kind).map(properties).collect()
    }
}

/// The event in its envelope, or without one.
pub fn payload(event: &Value) -> &Value {
    event.get("payload").unwrap_or(event)
}

/// The types of events, in order, twins and markers left out.
pub fn names(heard: &[Value]) -> Vec<String> {
    let heard = heard.iter().filter(|event| event["directory"] != MARKER);
    let names = heard.map(|event| payload(event)["type"].as_str().unwrap().to_owned());
    names.filter(|name| name != "sync").collect()
}
