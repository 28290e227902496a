//! A background service made of one answer, and the files it would write.

use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, LOCATION};
use axum::response::Response;
use gavel_core::ServerId;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::http::Credentials;

/// What `fake` services are protected with, and how that travels.
pub const PASSWORD: &str = "s3cret-and-longer";
pub const TRAVELLING: &str = "Basic b3BlbmNvZGU6czNjcmV0LWFuZC1sb25nZXI=";

/// What a service answers.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A status and JSON.
    Json(u16, Value),
    /// A status, a kind of content, and a text.
    Text(u16, &'static str, String),
    /// JSON, to who knows the password; the others are turned away.
    To(String, Value),
    /// JSON where a server is asked who it is, and its web page elsewhere, as 2.x does.
    Info(Value),
    /// "It is over there."
    Elsewhere(String),
    /// Nothing, ever.
    Silence,
}

/// A question that came: the path, and what was told about who asks.
pub type Asked = (String, Option<String>);

#[derive(Debug)]
pub struct Service {
    pub id: ServerId,
    reply: Arc<Mutex<Reply>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: JoinHandle<()>,
}

impl Service {
    /// Starts one that says `reply`, at a port of its own.
    pub async fn start(reply: Reply) -> Self {
        Self::start_at("127.0.0.1:0", reply).await
    }

    pub async fn start_at(address: &str, reply: Reply) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let id = ServerId(format!("http://{}", listener.local_addr().unwrap()));
        let reply = Arc::new(Mutex::new(reply));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (says, notes) = (Arc::clone(&reply), Arc::clone(&asked));
        let router = Router::new().fallback(move |request: Request| {
            let authorization = request.headers().get(AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned());
            let path = request.uri().to_string();
            notes.lock().unwrap().push((path.clone(), authorization.clone()));
            let reply = match says.lock().unwrap().clone() {
                Reply::Info(info) if path == "/api/info" => Reply::Json(200, info),
                Reply::Info(_) => Reply::Text(200, "text/html", "<html>".to_owned()),
                other => other,
            };
            async move { answer(reply, authorization).await }
        });
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { id, reply, asked, task }
    }

    pub fn say(&self, reply: Reply) {
        *self.reply.lock().unwrap() = reply;
    }

    /// Every question so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Stops it, and gives its address.
    pub async fn stop(self) -> String {
        self.task.abort();
        assert!(self.task.await.unwrap_err().is_cancelled());
        self.id.as_str().strip_prefix("http://").unwrap().to_owned()
    }
}

async fn answer(reply: Reply, authorization: Option<String>) -> Response {
    // Each question gets a connection of its own, so that nobody answers any more for a service that has stopped.
    let build = |status| Response::builder().status(status).header(CONNECTION, "close");
    let json = |status, body: &Value| {
        build(status).header(CONTENT_TYPE, "application/json").body(Body::from(body.to_string())).unwrap()
    };
    match reply {
        Reply::Json(status, body) => json(status, &body),
        Reply::Text(status, kind, text) => build(status).header(CONTENT_TYPE, kind).body(Body::from(text)).unwrap(),
        Reply::To(told, body) if authorization.as_deref() == Some(&*told) => json(200, &body),
        Reply::To(..) => json(401, &json!({ "_tag": "UnauthorizedError", "message": "Authentication required" })),
        Reply::Elsewhere(url) => build(307).header(LOCATION, url).body(Body::empty()).unwrap(),
        Reply::Info(_) | Reply::Silence => std::future::pending().await,
    }
}

/// What a service of process `pid` says about itself.
pub fn info(pid: u64) -> Value {
    json!({ "version": "2.1.2", "pid": pid, "urls": [], "paths": { "tmp": "/tmp/opencode" } })
}

/// The registration of the service at `id`, protected by [`PASSWORD`].
pub fn registration(id: &ServerId, pid: u64) -> Value {
    json!({ "id": "0b6c", "version": "2.1.2", "url": id.as_str(), "pid": pid, "password": PASSWORD })
}

pub fn credentials() -> Option<Credentials> {
    Some(Credentials { username: "opencode".to_owned(), password: PASSWORD.to_owned() })
}

/// Writes a file as OpenCode does: beside it first, and then in its place.
pub fn write(folder: &Path, name: &str, content: &Value) {
    let beside = folder.join(format!("{name}.4242.tmp"));
    std::fs::write(&beside, content.to_string()).unwrap();
    std::fs::rename(beside, folder.join(name)).unwrap();
}
