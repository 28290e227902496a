//! Requests for permission: the lists, what a client asks for itself, and the answers.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake::{self, Fields, Location};
use super::switches::ReplyKey;
use super::{App, bodies};
use crate::world::World;
use crate::world::ask::{Ask, Gate, Reply, Wish};
use crate::world::record::Received;

/// `GET /api/permission/request`: what is pending in one location.
pub(super) async fn everywhere(State(app): State<App>, Location(directory): Location) -> Json<Value> {
    let pending = app.agents.stage.see(World::pending);
    let here = pending.iter().filter(|ask| ask.directory == directory);
    let data: Vec<Value> = here.map(bodies::ask).collect();
    Json(json!({ "location": { "directory": directory }, "data": data }))
}

/// `GET /api/session/{id}/permission`: of this session alone.
pub(super) async fn of_session(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    intake::located(&app, &id)?;
    let pending = app.agents.stage.see(World::pending);
    let data: Vec<Value> = pending.iter().filter(|ask| ask.session == id).map(bodies::ask).collect();
    Ok(Json(json!({ "data": data })))
}

/// `GET /api/session/{id}/permission/{ask}`
pub(super) async fn one(
    State(app): State<App>,
    Path((session, id)): Path<(String, String)>,
) -> Result<Json<Value>, Refusal> {
    intake::located(&app, &session)?;
    intake::ask_id(&id)?;
    let pending = app.agents.stage.see(World::pending);
    let found = pending.iter().find(|ask: &&Ask| ask.id == id && ask.session == session);
    let found = found.ok_or(Refusal::NoPermission(id))?;
    Ok(Json(json!({ "data": bodies::ask(found) })))
}

/// `POST /api/session/{id}/permission`: says what the rules say, and asks if they say so.
pub(super) async fn create(
    State(app): State<App>,
    Path(session): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    intake::located(&app, &session)?;
    let fields = Fields::read(&body)?.with_nullable(&["id", "agent"]);
    let id = fields.id("id", "per")?;
    let permission = fields.need_text("action")?.to_owned();
    fields.need("resources")?;
    let wish = Wish {
        id: id.clone(),
        permission,
        patterns: fields.texts("resources")?.unwrap_or_default(),
        metadata: fields.object("metadata")?.cloned().unwrap_or(Value::Null),
        always: fields.texts("save")?.unwrap_or_default(),
        agent: fields.text("agent")?.map(str::to_owned),
        ..Wish::default()
    };
    let tool = fields.object("source")?.map(source).transpose()?;
    app.agents.stage.with(|world| {
        if id.as_ref().is_some_and(|id| world.pending().iter().any(|ask| ask.id == *id)) {
            return Err(Refusal::Unexpected);
        }
        let fresh = id.clone().unwrap_or_else(|| world.ask_id());
        let (id, effect) = match world.wish(&session, Wish { id: Some(fresh.clone()), ..wish }, tool) {
            Gate::Open => (fresh, "allow"),
            Gate::Forbidden(_) => (fresh, "deny"),
            // Nobody here waits for the answer.
            Gate::Waiting(id, _) => (id, "ask"),
        };
        Ok(Json(json!({ "data": { "id": id, "effect": effect } })))
    })
}

fn source(source: &Value) -> Result<(String, String), Refusal> {
    let part = |key: &str| source.get(key).and_then(Value::as_str).map(str::to_owned);
    let whole = || Some((part("messageID")?, part("id")?)).filter(|_| part("type").as_deref() == Some("tool"));
    whole().ok_or_else(|| intake::expected("Permission.Source", source, "\n  at [\"source\"]"))
}

/// `POST /api/session/{id}/permission/{ask}/reply`
pub(super) async fn reply(
    State(app): State<App>,
    Path((session, id)): Path<(String, String)>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Response {
    let answer = answer(&app, &session, &id, &body);
    let status = answer.as_ref().map_or_else(Refusal::status, |()| StatusCode::NO_CONTENT);
    let named = intake::query(&uri, "location[directory]");
    let header = || headers.get("x-opencode-directory").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = serde_json::from_slice(&body).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&body)));
    let received = Received { id, directory: named.or_else(header), body, status: status.as_u16() };
    app.agents.stage.with(|world| world.record_reply(received));
    match answer {
        Ok(()) => status.into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

fn answer(app: &App, session: &str, id: &str, body: &[u8]) -> Result<(), Refusal> {
    intake::located(app, session)?;
    intake::ask_id(id)?;
    let fields = Fields::read(body)?.with_nullable(&["message"]);
    let key = match app.switches.reply_key {
        ReplyKey::Decision => "decision",
        ReplyKey::Reply => "reply",
    };
    let word = fields.need(key)?;
    let place = format!("\n  at [\"{key}\"]");
    let reply = word.as_str().and_then(Reply::named);
    let reply = reply.ok_or_else(|| intake::expected("Permission.Reply", word, &place))?;
    let reason = fields.text("message")?;
    app.agents.stage.with(|world| {
        let is_its = world.pending().iter().any(|ask| ask.id == id && ask.session == session);
        let settled = is_its.then(|| world.reply(id, None, reply, reason)).flatten();
        settled.ok_or_else(|| Refusal::NoPermission(id.to_owned()))
    })
}
