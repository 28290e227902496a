//! A server made of nothing but a socket and a table of answers: it can do everything a real one must not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gavel_core::flow::{Event, WireEvent};
use gavel_core::{Link, ServerId};
use gavel_opencode::http::Limits;
use gavel_opencode::{Connection, Credentials, Target, Tuning};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use url::Url;

/// How long anything is waited for before a test fails.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// A request that came.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Method and path, as in `GET /permission?directory=%2Fp`.
    pub line: String,
    /// The head, in lower case.
    pub head: String,
    /// The body, if it is JSON.
    pub body: Value,
}

/// What a request gets.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A status and JSON.
    Json(u16, Value),
    /// A status and a web page, as OpenCode gives for what it doesn't know.
    Page(u16),
    /// Exactly these bytes, and then the end.
    Raw(Vec<u8>),
    /// An event stream, open until the fake cuts it.
    Stream,
    /// Nothing, ever.
    Silence,
    /// The same once this is notified.
    Held(Arc<Notify>, Box<Answer>),
    /// The first one so often, then the next.
    Times(Arc<AtomicUsize>, Box<Answer>, Box<Answer>),
    /// What is made of the request.
    Made(Maker),
}

/// Makes an answer of a request.
#[derive(Clone)]
pub struct Maker(Arc<dyn Fn(&Seen) -> Answer + Send + Sync>);

impl std::fmt::Debug for Maker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Maker")
    }
}

impl Answer {
    /// `self` for the first `times` requests, `then` afterwards.
    pub fn times(self, times: usize, then: Answer) -> Self {
        Self::Times(Arc::new(AtomicUsize::new(times)), Box::new(self), Box::new(then))
    }

    /// What `make` makes of each request.
    pub fn made(make: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        Self::Made(Maker(Arc::new(make)))
    }

    fn pick(&self, seen: &Seen) -> Self {
        match self {
            Self::Times(left, first, then) => {
                let is_left = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
                if is_left { first.pick(seen) } else { then.pick(seen) }
            }
            Self::Made(Maker(make)) => make(seen),
            other => other.clone(),
        }
    }
}

#[derive(Default)]
struct State {
    answers: Mutex<HashMap<String, Answer>>,
    seen: Mutex<Vec<Seen>>,
    streams: Mutex<Vec<mpsc::UnboundedSender<Vec<u8>>>>,
    open: AtomicUsize,
    most_open: AtomicUsize,
    most_at_once: AtomicUsize,
    at_once: AtomicUsize,
}

/// The server.
pub struct Fake {
    pub url: Url,
    state: Arc<State>,
    task: JoinHandle<()>,
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Fake {
    /// A server that behaves like a healthy OpenCode without any session.
    pub async fn start() -> Self {
        Self::start_at("127.0.0.1:0").await
    }

    pub async fn start_at(address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let state = Arc::<State>::default();
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            let mut serving = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                serving.spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        let fake = Self { url, state, task };
        fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" })));
        fake.on("GET /global/event", Answer::Stream);
        fake.on("GET /experimental/session", Answer::Json(200, json!([])));
        fake.on("GET /session", Answer::Json(200, json!([])));
        fake.on("GET /permission", Answer::Json(200, json!([])));
        fake.on("GET /session/status", Answer::Json(200, json!({})));
        fake
    }

    /// A 2.x server without any session: it knows no route of 1.x.
    pub async fn start_v2() -> Self {
        let fake = Self::start().await;
        fake.state.answers.lock().unwrap().clear();
        fake.on("GET /api/info", Answer::Json(200, json!({ "version": "2.1.2", "pid": 42, "urls": [], "paths": {} })));
        fake.on("GET /api/event", Answer::Stream);
        fake.on("GET /api/session", Answer::Json(200, json!({ "data": [], "cursor": { "next": null } })));
        fake.on("GET /api/session/active", Answer::Json(200, json!({ "data": {} })));
        fake.on("GET /api/permission/request", Answer::Json(200, json!({ "data": [] })));
        fake
    }

    /// Answers requests of this method and path so from now on. A path with a query is matched with it, one without
    /// matches any query. What isn't known gets a web page.
    pub fn on(&self, line: &str, answer: Answer) {
        self.state.answers.lock().unwrap().insert(line.to_owned(), answer);
    }

    pub fn id(&self) -> ServerId {
        gavel_opencode::server_id(self.url.as_str()).unwrap()
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.url.port().unwrap())
    }

    /// The lines of the requests so far that begin like this.
    pub fn seen(&self, start: &str) -> Vec<Seen> {
        self.state.seen.lock().unwrap().iter().filter(|seen| seen.line.starts_with(start)).cloned().collect()
    }

    /// Streams that are open.
    pub fn open_streams(&self) -> usize {
        self.state.open.load(Ordering::SeqCst)
    }

    /// The most streams that were open at once.
    pub fn most_open_streams(&self) -> usize {
        self.state.most_open.load(Ordering::SeqCst)
    }

    /// The most requests, besides streams, that were answered at once.
    pub fn most_at_once(&self) -> usize {
        self.state.most_at_once.load(Ordering::SeqCst)
    }

    /// Counts anew for [`Self::most_at_once`].
    pub fn count_anew(&self) {
        self.state.most_at_once.store(0, Ordering::SeqCst);
    }

    /// Sends bytes on every open stream.
    pub fn send(&self, bytes: impl Into<Vec<u8>>) {
        let bytes = bytes.into();
        self.state.streams.lock().unwrap().retain(|stream| stream.send(bytes.clone()).is_ok());
    }

    /// Sends an event of directory `/p`.
    pub fn say(&self, kind: &str, properties: Value) {
        let event = json!({ "directory": "/p", "payload": { "type": kind, "properties": properties } });
        self.send(format!("data: {event}\n\n"));
    }

    /// Ends every open stream.
    pub fn cut(&self) {
        self.state.streams.lock().unwrap().clear();
    }
}

const GREETING: &str = "data: {\"payload\":{\"type\":\"server.connected\",\"properties\":{}}}\n\n";

async fn serve(mut stream: TcpStream, state: Arc<State>) {
    let Some(seen) = read_request(&mut stream).await else { return };
    let answer = {
        let answers = state.answers.lock().unwrap();
        let path = seen.line.split('?').next().unwrap();
        let found = answers.get(&seen.line).or_else(|| answers.get(path));
        found.map_or(Answer::Page(200), |answer| answer.pick(&seen))
    };
    state.seen.lock().unwrap().push(seen);
    let answer = match answer {
        Answer::Held(until, answer) => {
            until.notified().await;
            *answer
        }
        answer => answer,
    };
    if matches!(answer, Answer::Stream) {
        serve_stream(&mut stream, &state).await;
        return;
    }
    let at_once = state.at_once.fetch_add(1, Ordering::SeqCst) + 1;
    state.most_at_once.fetch_max(at_once, Ordering::SeqCst);
    let bytes = match answer {
        Answer::Json(status, body) => whole(status, "application/json", &body.to_string()),
        Answer::Page(status) => whole(status, "text/html; charset=utf-8", "<!doctype html><title>OpenCode</title>"),
        Answer::Raw(bytes) => bytes,
        Answer::Stream | Answer::Times(..) | Answer::Held(..) | Answer::Made(_) => unreachable!("picked before"),
        Answer::Silence => {
            // Until the client gives up.
            let _ = stream.read(&mut [0; 16]).await;
            Vec::new()
        }
    };
    // A moment passes, so that what can run at the same time does.
    tokio::time::sleep(Duration::from_millis(2)).await;
    state.at_once.fetch_sub(1, Ordering::SeqCst);
    let _ = stream.write_all(&bytes).await;
    let _ = stream.shutdown().await;
}

async fn serve_stream(stream: &mut TcpStream, state: &State) {
    let (sender, mut bytes) = mpsc::unbounded_channel();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let (mut reader, mut writer) = stream.split();
    writer.write_all(head.as_bytes()).await.unwrap();
    if writer.write_all(GREETING.as_bytes()).await.is_err() {
        return;
    }
    let open = state.open.fetch_add(1, Ordering::SeqCst) + 1;
    state.most_open.fetch_max(open, Ordering::SeqCst);
    state.streams.lock().unwrap().push(sender);
    let mut buffer = [0; 16];
    loop {
        tokio::select! {
            next = bytes.recv() => match next {
                Some(chunk) => if writer.write_all(&chunk).await.is_err() { break },
                None => break,
            },
            read = reader.read(&mut buffer) => if !read.is_ok_and(|read| read > 0) { break },
        }
    }
    state.open.fetch_sub(1, Ordering::SeqCst);
}

pub fn whole(status: u16, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close");
    let head = if status == 401 { head + "\r\nwww-authenticate: Basic realm=\"Secure Area\"" } else { head };
    format!("{head}\r\n\r\n{body}").into_bytes()
}

async fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let line = head.lines().next().unwrap().rsplit_once(' ').unwrap().0.to_owned();
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let body = serde_json::from_slice(&bytes[end..]).unwrap_or(Value::Null);
    Some(Seen { line, head, body })
}

/// A connection under test, and what it says.
pub struct Watched {
    pub connection: Connection,
    pub events: mpsc::Receiver<Event>,
}

/// Patience for tests: everything happens soon, but nothing so soon that a busy machine fails it.
pub fn hurried() -> Tuning {
    Tuning {
        limits: Limits {
            connect: Duration::from_secs(5),
            request: Duration::from_secs(10),
            greeting: Duration::from_secs(5),
        },
        silence: None,
        first_pause: Duration::from_millis(20),
        longest_pause: Duration::from_millis(80),
        slow_pause: Duration::from_millis(50),
        stable: Duration::from_secs(30),
        second_look: Duration::from_millis(50),
        retry_listing: Duration::from_millis(20),
        agents_pause: Duration::from_millis(10),
        agents_patience: Duration::from_millis(300),
        stall: Duration::from_secs(10),
        left_behind: Duration::from_secs(900),
    }
}

impl Watched {
    pub fn new(url: &Url) -> Self {
        Self::tuned(url, None, hurried())
    }

    pub fn tuned(url: &Url, credentials: Option<Credentials>, tuning: Tuning) -> Self {
        let (sender, events) = mpsc::channel(1024);
        let id = gavel_opencode::server_id(url.as_str()).unwrap();
        let target = Target { id, url: url.clone(), credentials };
        Self { connection: Connection::open_with(target, sender, tuning).unwrap(), events }
    }

    /// The next event that `pick` wants.
    pub async fn next<T>(&mut self, what: &str, mut pick: impl FnMut(Event) -> Option<T>) -> T {
        let looking = async {
            loop {
                let event = self.events.recv().await.unwrap_or_else(|| panic!("closed while waiting for {what}"));
                if let Some(found) = pick(event) {
                    return found;
                }
            }
        };
        timeout(DEADLINE, looking).await.unwrap_or_else(|_| panic!("{what} did not come"))
    }

    /// The next state of the connection.
    pub async fn link(&mut self) -> Link {
        self.next("a state", |event| if let Event::Link(_, link) = event { Some(link) } else { None }).await
    }

    /// Waits until the connection is open.
    pub async fn online(&mut self) {
        self.next("the connection", |event| matches!(event, Event::Link(_, Link::Online { .. })).then_some(())).await;
    }

    /// The next thing the server said that `pick` wants.
    pub async fn said<T>(&mut self, what: &str, mut pick: impl FnMut(WireEvent) -> Option<T>) -> T {
        self.next(what, |event| if let Event::Wire(_, event) = event { pick(event) } else { None }).await
    }
}

/// Waits until `test` holds.
pub async fn until(what: &str, mut test: impl FnMut() -> bool) {
    let waiting = async {
        while !test() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(DEADLINE, waiting).await.unwrap_or_else(|_| panic!("{what} did not happen"));
}

/// A request as `/permission` lists it.
pub fn listed(id: &str, session: &str) -> Value {
    json!({
        "id": id, "sessionID": session, "permission": "bash", "patterns": ["touch a"], "metadata": { "command": "touch a" },
        "always": ["touch *"], "tool": { "messageID": "msg_1", "callID": "call_1" }
    })
}

pub fn session(id: &str, parent: Option<&str>) -> Value {
    let mut session = json!({ "id": id, "title": format!("title of {id}"), "directory": "/p", "agent": "build" });
    if let Some(parent) = parent {
        session["parentID"] = parent.into();
    }
    session
}

pub fn message(status: &str) -> Value {
    let input = json!({ "command": "touch a", "description": "Makes a", "workdir": "/p/sub" });
    json!({ "info": { "id": "msg_1" }, "parts": [
        { "type": "text", "text": "x" },
        { "type": "tool", "callID": "call_1", "tool": "bash", "state": { "status": status, "input": input } },
    ]})
}

/// The answer to what doesn't exist.
pub fn not_found(what: &str) -> Answer {
    Answer::Json(404, json!({ "name": "NotFoundError", "data": { "message": format!("{what} not found") } }))
}

pub fn lost() -> Answer {
    tagged(404, "PermissionNotFoundError")
}

/// A failure as the `/api` routes tell it.
pub fn tagged(status: u16, tag: &str) -> Answer {
    Answer::Json(status, json!({ "_tag": tag, "message": format!("{tag} it is") }))
}

/// "It is done", without a body.
pub fn done() -> Answer {
    Answer::Raw(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_vec())
}
