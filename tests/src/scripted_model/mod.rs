//! A language model that plays a script: deterministic on the inside, an OpenAI-compatible server on the outside.
//!
//! The last user message that contains steps is the script (see [`script`]). The model keeps no state: which step is next
//! follows from the number of assistant turns after that message. When the steps are used up it says so and ends the
//! turn. A request that offers no tools is how OpenCode asks for a session's title, and gets [`TITLE`].

pub mod answer;
pub mod script;

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{get, post},
};
pub use script::{Script, Turn};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::wait::eventually;

/// The id of the only model.
pub const MODEL: &str = "scripted-1";
/// What every session is called.
pub const TITLE: &str = "A scripted session";
/// The text of the page at [`ScriptedModel::page_url`].
pub const PAGE: &str = "A page that is there to be fetched.\n";

/// One request that the model received.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Whether it offered no tools, as the request for a session's title does.
    pub is_title: bool,
    /// Which step of the script it asked for, counted from 0; equal to the script's length when that was over.
    pub step: usize,
    /// The script as the user wrote it; empty if there was none.
    pub script: String,
    /// All messages after the script: what the model said, and what it was told in return.
    pub since: Vec<Value>,
    /// The names of the tools offered.
    pub tools: Vec<String>,
    /// The session that asked, from the header `x-session-id` where OpenCode sends it.
    pub session: Option<String>,
    /// The whole request body.
    pub body: Value,
}

impl Asked {
    /// The tool results that the model was told since the script, in order.
    pub fn told(&self) -> Vec<String> {
        self.since.iter().filter(|message| message["role"] == "tool").map(|message| text(&message["content"])).collect()
    }
}

#[derive(Debug, Default)]
struct Played {
    asked: Mutex<Vec<Asked>>,
    plain_answer: Mutex<Option<String>>,
    plain_pause: Mutex<Duration>,
    only_opencode: AtomicBool,
}

/// The server. Dropping it closes its port.
#[derive(Debug)]
pub struct ScriptedModel {
    address: SocketAddr,
    played: Arc<Played>,
    task: JoinHandle<()>,
}

impl ScriptedModel {
    /// Starts the server on a free port of 127.0.0.1, inside the caller's runtime.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("127.0.0.1 has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let played = Arc::new(Played::default());
        let router = Router::new()
            .route("/v1/chat/completions", post(chat))
            .route(
                "/v1/models",
                get(|| async { Json(json!({"object": "list", "data": [{"id": MODEL, "object": "model"}]})) }),
            )
            .route("/page", get(|| async { PAGE }))
            // A long session with its tool results easily passes axum's default of two megabytes.
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(played.clone());
        let task =
            tokio::spawn(async move { axum::serve(listener, router).await.expect("serving never ends by itself") });
        Self { address, played, task }
    }

    /// The base URL for an OpenAI-compatible client, ending in `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// A page for the fetching tool.
    pub fn page_url(&self) -> String {
        format!("http://{}/page", self.address)
    }

    /// Answers requests without tools with `text` instead of [`TITLE`]: so the server can stand in for a judge.
    pub fn set_plain_answer(&self, text: impl Into<String>) {
        *self.played.plain_answer.lock().unwrap() = Some(text.into());
    }

    /// Lets requests without tools wait so long for their answer.
    pub fn set_plain_pause(&self, pause: Duration) {
        *self.played.plain_pause.lock().unwrap() = pause;
    }

    /// Refuses whoever is not OpenCode itself, as a provider does whose key only OpenCode has.
    pub fn serve_only_opencode(&self, only: bool) {
        self.played.only_opencode.store(only, Ordering::SeqCst);
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Vec<Asked> {
        self.played.asked.lock().unwrap().clone()
    }

    /// The requests for a turn of a script that contains `script`, oldest first.
    pub fn turns_of(&self, script: impl Into<String>) -> Vec<Asked> {
        let script = script.into();
        self.requests().into_iter().filter(|asked| !asked.is_title && asked.script.contains(&script)).collect()
    }

    /// Waits for a request that fits, and returns the first that does.
    ///
    /// # Panics
    /// When none came by the deadline; the message lists what came instead.
    pub async fn wait_for_request(&self, what: &str, deadline: Duration, fits: impl Fn(&Asked) -> bool) -> Asked {
        eventually(format!("the model to be asked: {what}"), deadline, async || {
            let asked = self.requests();
            let seen = || asked.iter().map(summary).collect::<Vec<_>>().join("\n    ");
            asked
                .iter()
                .find(|one| fits(one))
                .cloned()
                .ok_or_else(|| format!("{} requests\n    {}", asked.len(), seen()))
        })
        .await
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn summary(asked: &Asked) -> String {
    if asked.is_title {
        return "(title)".into();
    }
    format!("step {} of {:?}, told {:?}", asked.step, asked.script, asked.told())
}

async fn chat(State(played): State<Arc<Played>>, headers: HeaderMap, Json(body): Json<Value>) -> Response {
    let asked = understand(&headers, body);
    let turn = if asked.is_title {
        Turn::Say(played.plain_answer.lock().unwrap().clone().unwrap_or_else(|| TITLE.into()))
    } else {
        next_turn(&asked)
    };
    let refused = asked.session.is_none() && played.only_opencode.load(Ordering::SeqCst);
    let turn = if refused { Turn::Fail(401) } else { turn };
    let pause = if asked.is_title && !refused { *played.plain_pause.lock().unwrap() } else { Duration::ZERO };
    let (model, streaming) = (asked.body["model"].clone(), asked.body["stream"] == true);
    played.asked.lock().unwrap().push(asked);
    tokio::time::sleep(pause).await;
    match turn {
        Turn::Fail(status) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, Json(json!({"error": {"message": "the script says so", "type": "scripted"}}))).into_response()
        }
        turn if streaming => answer::stream(&model, turn),
        turn => answer::whole(&model, &turn),
    }
}

fn understand(headers: &HeaderMap, body: Value) -> Asked {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let tools: Vec<String> = body["tools"]
        .as_array()
        .map(|tools| tools.iter().map(|tool| text(&tool["function"]["name"])).collect())
        .unwrap_or_default();
    let is_title = tools.is_empty();
    let has_steps =
        |message: &Value| message["role"] == "user" && !script::parse(&text(&message["content"])).is_empty();
    let at = if is_title { None } else { messages.iter().rposition(has_steps) };
    let since = at.map(|at| messages[at + 1..].to_vec()).unwrap_or_default();
    Asked {
        is_title,
        step: since.iter().filter(|message| message["role"] == "assistant").count(),
        script: at.map(|at| text(&messages[at]["content"])).unwrap_or_default(),
        since,
        tools,
        session: headers.get("x-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned),
        body,
    }
}

fn next_turn(asked: &Asked) -> Turn {
    let over = || {
        let told = asked.told();
        let last = told.last().map_or("(nothing)", String::as_str);
        Turn::Say(format!("The script is over. I was last told: {}", last.chars().take(200).collect::<String>()))
    };
    let turn = script::parse(&asked.script).into_iter().nth(asked.step).unwrap_or_else(over);
    match turn {
        Turn::Calls(calls) => {
            Turn::Calls(calls.into_iter().map(|(name, args)| (offered(&name, asked), args)).collect())
        }
        turn => turn,
    }
}

/// Later engines call the shell tool by another name.
fn offered(name: &str, asked: &Asked) -> String {
    let renamed = name == "bash" && !asked.tools.iter().any(|tool| tool == "bash");
    if renamed && asked.tools.iter().any(|tool| tool == "shell") { "shell".into() } else { name.into() }
}

/// Message content is a string, or a list of parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}
