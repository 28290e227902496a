//! The model every agent uses, and its provider.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use serde_json::{Value, json};

use super::App;
use super::errors::Refusal;
use super::intake::{self, Fields, Location};
use crate::{MODEL, PROVIDER};

/// `GET /api/provider`
pub(super) async fn providers(State(app): State<App>, Location(directory): Location) -> Json<Value> {
    Json(json!({ "location": { "directory": directory }, "data": [body(&app)] }))
}

/// `GET /api/provider/{provider}`
pub(super) async fn provider(
    State(app): State<App>,
    Path(id): Path<String>,
    Location(directory): Location,
) -> Result<Json<Value>, Refusal> {
    if id != PROVIDER {
        return Err(Refusal::NoProvider(id));
    }
    Ok(Json(json!({ "location": { "directory": directory }, "data": body(&app) })))
}

/// A key is among it only if a test says so: no release promises one.
fn body(app: &App) -> Value {
    let provider = app.agents.stage.see(|world| world.generated.provider.clone());
    json!({
        "id": PROVIDER,
        "name": "Stand-in",
        "activation": "enabled",
        "package": "@ai-sdk/openai-compatible",
        "settings": provider.settings(),
        "headers": provider.headers(),
    })
}

/// `GET /api/model/default`
pub(super) async fn default(State(_): State<App>, Location(directory): Location) -> Json<Value> {
    let model = json!({
        "id": MODEL,
        "modelID": MODEL,
        "providerID": PROVIDER,
        "name": "Scripted 1",
        "capabilities": { "tools": true, "input": ["text"], "output": ["text"] },
        "variants": [],
        "time": { "released": 0 },
        "cost": [],
        "status": "active",
        "enabled": true,
        "limit": { "context": 200_000, "output": 32_000 },
    });
    Json(json!({ "location": { "directory": directory }, "data": model }))
}

/// `POST /api/session/{id}/generate`: the model speaks beside the session, in whose history nothing is changed.
pub(super) async fn generate(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    intake::located(&app, &id)?;
    said(&app, id, &body).await
}

/// `POST /api/experimental/generate`: the model speaks to whoever asks, of no session.
pub(super) async fn generate_alone(State(app): State<App>, body: Bytes) -> Result<Json<Value>, Refusal> {
    said(&app, String::new(), &body).await
}

async fn said(app: &App, session: String, body: &[u8]) -> Result<Json<Value>, Refusal> {
    let fields = Fields::read(body)?;
    let prompt = fields.need_text("prompt")?.to_owned();
    let (text, pause) = app.agents.stage.with(|world| {
        world.generated.asked.push((session, prompt));
        (world.generated.text.clone(), world.generated.pause)
    });
    tokio::time::sleep(pause).await;
    Ok(Json(json!({ "data": { "text": text.ok_or(Refusal::NoModel)? } })))
}
