//! A model's API made of a function: it can do everything a real one must not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Response;
use axum::{Router, body};
use futures_util::stream;
use gavel_core::Detail;
use gavel_judge::model::{Access, Backend, Brief, Endpoint, Headers, Judged, Key, Kind, Options};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How long anything is waited for before a test fails.
pub const DEADLINE: Duration = Duration::from_secs(20);

pub const KEY: &str = "sk-a-key-nobody-may-see-0123456789";

/// A request that came.
#[derive(Debug, Clone)]
pub struct Seen {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What a request gets.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A status, a kind of content and the content.
    Whole(u16, &'static str, String),
    /// Elsewhere.
    Redirect(String),
    /// A head, and a body without an end.
    Endless(&'static str),
    /// A head that promises more than comes.
    Short(&'static str),
    /// Nothing, ever.
    Silence,
    /// A head, a part of a body, and then nothing.
    Stalled,
    /// The same once this is notified.
    Held(Arc<Notify>, Box<Reply>),
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        Self::Whole(status, "application/json", body.to_string())
    }
}

/// The server. Everything that waits in it ends with it.
pub struct Fake {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    left: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Counts the requests whose client went away, or that were answered.
struct Left(Arc<AtomicUsize>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Fake {
    pub async fn start(reply: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (seen, left): (Arc<Mutex<Vec<Seen>>>, Arc<AtomicUsize>) = Default::default();
        let (reply, known, ended) = (Arc::new(reply), Arc::clone(&seen), Arc::clone(&left));
        let router = Router::new().fallback(move |request: Request| {
            let (reply, known, left) = (Arc::clone(&reply), Arc::clone(&known), Left(Arc::clone(&ended)));
            async move {
                let left = left;
                let one = take(request).await;
                let reply = reply(&one);
                known.lock().unwrap().push(one);
                let response = answer(reply).await;
                drop(left);
                response
            }
        });
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, seen, left, task }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// How many requests are over, one way or another.
    pub fn over(&self) -> usize {
        self.left.load(Ordering::SeqCst)
    }

    pub fn endpoint(&self, kind: Kind) -> Endpoint {
        Endpoint {
            kind,
            base_url: format!("{}/v1", self.url),
            model: "judge-1".to_owned(),
            access: Access::Key(Key::new(KEY).unwrap()),
            headers: Headers::default(),
        }
    }

    pub fn backend(&self, kind: Kind) -> Backend {
        Backend::Http(self.endpoint(kind))
    }
}

async fn take(request: Request) -> Seen {
    let (head, content) = request.into_parts();
    let content = body::to_bytes(content, usize::MAX).await.unwrap();
    let headers = head.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    Seen {
        path: head.uri.to_string(),
        headers: headers.collect(),
        body: serde_json::from_slice(&content).unwrap_or(Value::Null),
    }
}

async fn answer(mut reply: Reply) -> Response {
    while let Reply::Held(gate, then) = reply {
        gate.notified().await;
        reply = *then;
    }
    let head = |status: u16, kind: &str| Response::builder().status(status).header("content-type", kind);
    match reply {
        Reply::Whole(status, kind, text) => head(status, kind).body(Body::from(text)).unwrap(),
        Reply::Redirect(to) => head(307, "text/plain").header("location", to).body(Body::empty()).unwrap(),
        Reply::Endless(piece) => {
            let pieces = stream::repeat_with(move || Ok::<_, std::io::Error>(Bytes::from(piece.repeat(1_000))));
            head(200, "application/json").body(Body::from_stream(pieces)).unwrap()
        }
        Reply::Short(piece) => {
            let pieces = stream::iter([Ok(Bytes::from(piece)), Err(std::io::Error::other("the server fell"))]);
            head(200, "application/json").body(Body::from_stream(pieces)).unwrap()
        }
        Reply::Silence | Reply::Held(..) => std::future::pending().await,
        Reply::Stalled => {
            use futures_util::StreamExt as _;
            let pieces = stream::iter([Ok::<_, std::io::Error>(Bytes::from("{\"choices\":[{"))]);
            head(200, "application/json").body(Body::from_stream(pieces.chain(stream::pending()))).unwrap()
        }
    }
}

/// A successful answer in the words of either API.
pub fn said(kind: Kind, text: &str) -> Value {
    stopped(kind, text, if kind == Kind::OpenAi { "stop" } else { "end_turn" })
}

/// As [`said`], ended by `reason`.
pub fn stopped(kind: Kind, text: &str, reason: &str) -> Value {
    match kind {
        Kind::OpenAi => json!({
            "choices": [{ "index": 0, "finish_reason": reason, "message": { "role": "assistant", "content": text } }],
            "usage": { "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 },
        }),
        Kind::Anthropic => json!({
            "type": "message", "role": "assistant", "stop_reason": reason,
            "content": [{ "type": "thinking", "thinking": "{\"decision\":\"allow\"}" }, { "type": "text", "text": text }],
            "usage": { "input_tokens": 11, "output_tokens": 7 },
        }),
    }
}

pub fn decision(word: &str, reason: &str) -> String {
    json!({ "decision": word, "reason": reason }).to_string()
}

/// The verdict of a new judge on `command`.
pub async fn ask(backend: &Backend, command: &str, options: &Options) -> Judged {
    ask_of(&gavel_judge::model::Judge::new(), backend, command, options).await
}

/// The verdict of `judge` on `command`.
pub async fn ask_of(judge: &gavel_judge::model::Judge, backend: &Backend, command: &str, options: &Options) -> Judged {
    let detail = Detail { command: Some(command.to_owned()), ..Detail::default() };
    let resources = [command.to_owned()];
    let asked = judge.judge(backend, &brief(&detail, &resources, "one"), options);
    tokio::time::timeout(DEADLINE, asked).await.expect("the verdict always comes")
}

pub fn brief<'a>(detail: &'a Detail, resources: &'a [String], scope: &str) -> Brief<'a> {
    let (scope, request) = (scope.to_owned(), Some("Run the tests"));
    Brief { scope, action: "shell", resources, project: "/srv/shop", detail, request, finding: None }
}

/// Waits until `done`.
pub async fn until(what: &str, mut done: impl FnMut() -> bool) {
    let wait = async {
        while !done() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(DEADLINE, wait).await.unwrap_or_else(|_| panic!("waited in vain for {what}"));
}
