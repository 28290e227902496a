//! Routes about the server itself.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use super::App;
use super::intake::Directory;
use crate::fault;

/// `GET /global/health`
pub(super) async fn health(State(app): State<App>) -> Json<Value> {
    Json(json!({ "healthy": true, "version": app.version }))
}

/// `GET /path`
pub(super) async fn path(directory: Directory) -> Json<Value> {
    Json(json!({
        "home": "/home/dev",
        "state": "/home/dev/.local/state/opencode",
        "config": "/home/dev/.config/opencode",
        "worktree": directory.path,
        "directory": directory.path,
    }))
}

/// `GET /agent`: the two agents the scripts play.
pub(super) async fn agents() -> Json<Value> {
    let rule = |permission: &str, pattern: &str, action: &str| json!({ "permission": permission, "pattern": pattern, "action": action });
    let rules = json!([
        rule("*", "*", "allow"),
        rule("doom_loop", "*", "ask"),
        rule("external_directory", "*", "ask"),
        rule("bash", "*", "ask"),
        rule("edit", "*", "ask"),
        rule("webfetch", "*", "ask"),
        rule("external_directory", "/home/dev/.local/share/opencode/tool-output/*", "allow"),
        rule("external_directory", "/tmp/opencode/*", "allow"),
    ]);
    let agent = |name: &str, mode: &str, description: &str| {
        json!({
            "name": name, "description": description, "mode": mode, "native": true, "permission": rules, "options": {},
        })
    };
    Json(json!([
        agent("build", "primary", "Works on the code."),
        agent("general", "subagent", "Looks into one thing and reports."),
    ]))
}

/// `POST /instance/dispose`: answered at once; the rest follows on the streams.
pub(super) async fn dispose(State(app): State<App>, directory: Directory) -> Json<bool> {
    tokio::spawn(async move { app.agents.dispose(&directory.path).await });
    Json(true)
}

/// Whatever else is asked for is taken to be a page of the web interface.
pub(super) async fn page() -> Response {
    fault::page()
}
