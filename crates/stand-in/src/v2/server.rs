//! The server itself, and locations.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::intake::Location;
use crate::world::agents::TEMPORARY;

/// `GET /api/info`
pub(super) async fn info(State(app): State<App>) -> Json<Value> {
    Json(json!({
        "version": app.version,
        "pid": std::process::id(),
        "urls": [app.url],
        "paths": { "tmp": TEMPORARY },
        "capabilities": { "persistentPty": true },
    }))
}

/// `GET /api/location`
pub(super) async fn location(State(app): State<App>, Location(directory): Location) -> Json<Value> {
    let project = app.agents.stage.see(|world| world.places.project(&directory));
    Json(json!({
        "directory": directory,
        "project": { "id": project.id, "directory": project.directory, "canonical": project.directory },
    }))
}
