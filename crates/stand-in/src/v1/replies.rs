//! Requests for permission: the list, and both ways to answer.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

use super::intake::{self, Directory};
use super::refusals::Refusal;
use super::{App, bodies};
use crate::world::ask::Reply;
use crate::world::record::Received;

/// `GET /permission`: what is pending in one directory.
pub(super) async fn list(State(app): State<App>, directory: Directory) -> Json<Vec<Value>> {
    let pending = app.agents.stage.see(crate::World::pending);
    Json(pending.iter().filter(|ask| ask.directory == directory.path).map(bodies::ask).collect())
}

/// `POST /permission/{id}/reply`: only under the directory of the request.
pub(super) async fn reply(
    State(app): State<App>,
    Path(id): Path<String>,
    directory: Directory,
    body: Bytes,
) -> Response {
    let answer = || {
        Refusal::unless_prefixed(&id, "per", "requestID")?;
        let (reply, reason) = read(&body, "reply", true)?;
        let settled = |world: &mut crate::World| world.reply(&id, Some(&directory.path), reply, reason.as_deref());
        app.agents.stage.with(settled).ok_or_else(|| Refusal::NoPermission(id.clone()))
    };
    let answer = answer();
    record(&app, &id, directory.named, &body, answer)
}

/// `POST /session/{session}/permissions/{ask}`: the session only has to exist; it takes no reason.
pub(super) async fn legacy(
    State(app): State<App>,
    Path((session, id)): Path<(String, String)>,
    directory: Directory,
    body: Bytes,
) -> Response {
    let answer = || {
        Refusal::unless_prefixed(&id, "per", "permissionID")?;
        let (reply, _) = read(&body, "response", false)?;
        app.agents.stage.with(|world| {
            let place = world.session(&session).map(|session| session.directory.clone());
            let place = place.ok_or_else(|| Refusal::NoSession(session.clone()))?;
            world.reply(&id, Some(&place), reply, None).ok_or_else(|| Refusal::NoPermission(id.clone()))
        })
    };
    let answer = answer();
    record(&app, &id, directory.named, &body, answer)
}

fn read(body: &[u8], key: &str, with_reason: bool) -> Result<(Reply, Option<String>), Refusal> {
    let fields = intake::object(body)?;
    let value = intake::field(&fields, key)?;
    let reply = value.as_str().and_then(Reply::named).ok_or_else(|| {
        let message = format!("Expected \"once\" | \"always\" | \"reject\", got {value}\n  at [\"{key}\"]");
        Refusal::payload(&message)
    })?;
    let reason = if with_reason { intake::text(&fields, "message")?.map(str::to_owned) } else { None };
    Ok((reply, reason))
}

fn record(app: &App, id: &str, directory: Option<String>, body: &[u8], answer: Result<(), Refusal>) -> Response {
    let status = answer.as_ref().map_or_else(|refusal| refusal.status().as_u16(), |()| 200);
    let body = serde_json::from_slice(body).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(body)));
    app.agents.stage.with(|world| world.record_reply(Received { id: id.to_owned(), directory, body, status }));
    match answer {
        Ok(()) => Json(true).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}
