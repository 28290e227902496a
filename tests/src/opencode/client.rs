//! What a test does to a server: the part of the person at the desk, and of other clients.
//!
//! Deliberately not Gavel's own client: the two must not share a mistake.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use base64::Engine;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::Events;

/// The limit of one request, unless another is said.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(45);

/// A client of one server. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    port: u16,
    password: Option<String>,
    dirs: Vec<PathBuf>,
    http: reqwest::Client,
}

impl Client {
    pub(super) fn new(port: u16, password: Option<String>, dirs: Vec<PathBuf>) -> Self {
        let http = reqwest::Client::builder().no_proxy().connect_timeout(Duration::from_secs(5)).build();
        Self { port, password, dirs, http: http.expect("a client without exotic settings") }
    }

    /// The server's base URL, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The server's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The server's password, if it has one.
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// The directory of the project with this index.
    pub fn dir(&self, index: usize) -> &Path {
        &self.dirs[index]
    }

    /// Sends any request; `dir` becomes `?directory=`.
    ///
    /// # Errors
    /// When the server can't be reached or does not answer within [`REQUEST_TIMEOUT`]. Any status is an answer.
    pub async fn request(
        &self,
        method: Method,
        path: &str,
        dir: Option<&Path>,
        body: Option<Value>,
    ) -> Result<(StatusCode, Value), reqwest::Error> {
        let mut request = self.open(method, path, dir).timeout(REQUEST_TIMEOUT);
        if let Some(body) = body {
            request = request.json(&body);
        }
        read(request).await
    }

    /// GET without a directory.
    ///
    /// # Errors
    /// As [`Self::request`].
    pub async fn try_get(&self, path: &str) -> Result<(StatusCode, Value), reqwest::Error> {
        self.request(Method::GET, path, None, None).await
    }

    /// GET in a project.
    ///
    /// # Panics
    /// When the answer is no success.
    pub async fn get(&self, path: &str, dir: &Path) -> Value {
        self.succeed(Method::GET, path, Some(dir), None).await
    }

    /// POST in a project.
    ///
    /// # Panics
    /// When the answer is no success.
    pub async fn post(&self, path: &str, dir: &Path, body: Value) -> Value {
        self.succeed(Method::POST, path, Some(dir), Some(body)).await
    }

    /// Creates a session and returns its id.
    pub async fn create_session(&self, dir: &Path) -> String {
        id_of(&self.post("/session", dir, json!({})).await)
    }

    /// Creates a session with rules of its own: an array of `{permission, pattern, action}`.
    pub async fn create_session_with_rules(&self, dir: &Path, rules: Value) -> String {
        id_of(&self.post("/session", dir, json!({"permission": rules})).await)
    }

    /// Sends the user's message and returns at once.
    pub async fn prompt_async(&self, dir: &Path, session: &str, text: impl Into<String>) {
        let parts = json!({"parts": [{"type": "text", "text": text.into()}]});
        self.post(&format!("/session/{session}/prompt_async"), dir, parts).await;
    }

    /// Stops the session's run.
    pub async fn abort(&self, dir: &Path, session: &str) {
        self.post(&format!("/session/{session}/abort"), dir, json!({})).await;
    }

    /// Deletes the session, which does not stop its run.
    pub async fn delete_session(&self, dir: &Path, session: &str) {
        self.succeed(Method::DELETE, &format!("/session/{session}"), Some(dir), None).await;
    }

    /// Disposes the directory's instance.
    pub async fn dispose(&self, dir: &Path) {
        self.post("/instance/dispose", dir, json!({})).await;
    }

    /// The permissions pending in a directory.
    pub async fn permissions(&self, dir: &Path) -> Vec<Value> {
        list(self.get("/permission", dir).await)
    }

    /// The questions pending in a directory.
    pub async fn questions(&self, dir: &Path) -> Vec<Value> {
        list(self.get("/question", dir).await)
    }

    /// Answers a permission as another client would: `once`, `always` or `reject`. Losing a race is an answer too.
    pub async fn reply(&self, dir: &Path, permission: &str, reply: &str, message: Option<&str>) -> (StatusCode, Value) {
        let mut body = json!({"reply": reply});
        if let Some(message) = message {
            body["message"] = message.into();
        }
        self.answer(&format!("/permission/{permission}/reply"), dir, body).await
    }

    /// Answers a question: one list of labels or free texts per part.
    pub async fn reply_question(&self, dir: &Path, question: &str, answers: &[&[&str]]) -> (StatusCode, Value) {
        self.answer(&format!("/question/{question}/reply"), dir, json!({"answers": answers})).await
    }

    /// Dismisses a question.
    pub async fn reject_question(&self, dir: &Path, question: &str) -> (StatusCode, Value) {
        self.answer(&format!("/question/{question}/reject"), dir, json!({})).await
    }

    /// Whether the session is at work, according to the server.
    pub async fn is_busy(&self, dir: &Path, session: &str) -> bool {
        self.get("/session/status", dir).await[session]["type"] == "busy"
    }

    /// The session's newest messages, oldest first.
    pub async fn messages(&self, dir: &Path, session: &str) -> Vec<Value> {
        list(self.get(&format!("/session/{session}/message"), dir).await)
    }

    /// Every tool part of the session, oldest first.
    pub async fn tool_parts(&self, dir: &Path, session: &str) -> Vec<Value> {
        let messages = self.messages(dir, session).await;
        let parts = messages.iter().flat_map(|message| message["parts"].as_array().into_iter().flatten());
        parts.filter(|part| part["type"] == "tool").cloned().collect()
    }

    /// Opens `/global/event` and returns when the server has said that it listens.
    pub async fn events(&self) -> Events {
        Events::open(self.open(Method::GET, "/global/event", None)).await
    }

    fn open(&self, method: Method, path: &str, dir: Option<&Path>) -> reqwest::RequestBuilder {
        let mut request = self.http.request(method, self.url() + path);
        if let Some(dir) = dir {
            request = request.query(&[("directory", dir.to_string_lossy())]);
        }
        if let Some(password) = &self.password {
            let login = base64::engine::general_purpose::STANDARD.encode(format!("opencode:{password}"));
            request = request.header("authorization", format!("Basic {login}"));
        }
        request
    }

    async fn answer(&self, path: &str, dir: &Path, body: Value) -> (StatusCode, Value) {
        let answer = self.request(Method::POST, path, Some(dir), Some(body)).await;
        answer.unwrap_or_else(|error| panic!("POST {path}: {error:?}"))
    }

    async fn succeed(&self, method: Method, path: &str, dir: Option<&Path>, body: Option<Value>) -> Value {
        let answer = self.request(method.clone(), path, dir, body).await;
        let (status, body) = answer.unwrap_or_else(|error| panic!("{method} {path}: {error:?}"));
        assert!(status.is_success(), "{method} {path}: {status} {body}");
        body
    }

    /// Whether the server answers that it is well.
    ///
    /// A server that is starting accepts connections before it serves them, and never answers what came in then. So the
    /// limit is short, and it takes a new connection to try again.
    pub(super) async fn is_healthy(&self) -> Result<(), String> {
        let request = self.open(Method::GET, "/global/health", None).timeout(Duration::from_secs(1));
        match read(request).await {
            Ok((status, body)) if status == 200 && body["healthy"] == true => Ok(()),
            Ok((status, body)) => Err(format!("{status} {body}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

async fn read(request: reqwest::RequestBuilder) -> Result<(StatusCode, Value), reqwest::Error> {
    let response = request.send().await?;
    let status = response.status();
    let text = response.text().await?;
    Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        other => panic!("expected a list, got {other}"),
    }
}

fn id_of(value: &Value) -> String {
    value["id"].as_str().unwrap_or_else(|| panic!("no id in {value}")).to_owned()
}
