//! A recording of everything a server says on its global stream.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::StreamExt;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::wait::eventually;

/// One event with what was wrapped around it.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// The event itself.
    pub payload: Value,
    /// Everything that came, the event included.
    pub raw: Value,
}

impl Envelope {
    /// The event's type.
    pub fn kind(&self) -> &str {
        self.payload["type"].as_str().unwrap_or_default()
    }

    /// The event's properties.
    pub fn properties(&self) -> &Value {
        &self.payload["properties"]
    }
}

/// The recording, which goes on until it is dropped.
#[derive(Debug)]
pub struct Events {
    seen: Arc<Mutex<Vec<Envelope>>>,
    task: JoinHandle<()>,
}

impl Events {
    pub(super) async fn open(request: reqwest::RequestBuilder) -> Self {
        let response = request.header("accept", "text/event-stream").send().await.expect("the stream opens");
        assert!(response.status().is_success(), "the stream was refused: {}", response.status());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(record(response, seen.clone()));
        let events = Self { seen, task };
        events.wait_for("server.connected", Duration::from_secs(45), |event| event.kind() == "server.connected").await;
        events
    }

    /// Everything so far, oldest first.
    pub fn all(&self) -> Vec<Envelope> {
        self.seen.lock().unwrap().clone()
    }

    /// The types of everything so far except heartbeats and the `sync` twins, oldest first.
    pub fn kinds(&self) -> Vec<String> {
        let all = self.all();
        let kinds = all.iter().map(Envelope::kind).filter(|kind| !matches!(*kind, "server.heartbeat" | "sync"));
        kinds.map(str::to_owned).collect()
    }

    /// Whether the server has closed the stream.
    pub fn is_closed(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits for an event that fits, and returns the first that does.
    ///
    /// # Panics
    /// When none came by the deadline; the message lists the types of those that did.
    pub async fn wait_for(&self, what: &str, deadline: Duration, fits: impl Fn(&Envelope) -> bool) -> Envelope {
        eventually(format!("the event: {what}"), deadline, async || {
            self.all().into_iter().find(|event| fits(event)).ok_or_else(|| format!("{:?}", self.kinds()))
        })
        .await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn record(response: reqwest::Response, seen: Arc<Mutex<Vec<Envelope>>>) {
    let mut bytes = response.bytes_stream();
    let mut pending = Vec::new();
    while let Some(Ok(chunk)) = bytes.next().await {
        pending.extend_from_slice(&chunk);
        while let Some(end) = pending.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = pending.drain(..=end).collect();
            let Some(data) = line.strip_prefix(b"data:") else { continue };
            let raw: Value = serde_json::from_slice(data).expect("an event is JSON");
            let payload = if raw["payload"].is_object() { raw["payload"].clone() } else { raw.clone() };
            seen.lock().unwrap().push(Envelope { payload, raw });
        }
    }
}
