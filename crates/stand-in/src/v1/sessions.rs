//! Sessions and their messages.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value};

use super::intake::{self, Directory};
use super::refusals::Refusal;
use super::{App, bodies, model};
use crate::script::Prompt;
use crate::world::rules::{effect_named, rule as new_rule};
use crate::world::session::NewSession;
use gavel_core::rules::Rule;

const LISTED: usize = 100;

/// `GET /session`: the newest sessions of one directory.
pub(super) async fn list(State(app): State<App>, directory: Directory, uri: Uri) -> Json<Vec<Value>> {
    let roots = intake::query(&uri, "roots").is_some_and(|roots| roots == "true");
    let limit = intake::query(&uri, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(LISTED);
    let sessions = app.agents.stage.see(|world| {
        let here = world.sessions().rev().filter(|session| session.directory == directory.path);
        here.filter(|session| !roots || session.parent.is_none()).take(limit).cloned().collect::<Vec<_>>()
    });
    Json(sessions.iter().map(|session| bodies::session(&app, session)).collect())
}

/// `GET /experimental/session`: the newest sessions of all directories.
pub(super) async fn everywhere(State(app): State<App>, uri: Uri) -> Json<Vec<Value>> {
    let limit = intake::query(&uri, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(LISTED);
    let sessions = app.agents.stage.see(|world| world.sessions().rev().take(limit).cloned().collect::<Vec<_>>());
    Json(sessions.iter().map(|session| bodies::session_of_any_project(&app, session)).collect())
}

/// `POST /session`
pub(super) async fn create(State(app): State<App>, directory: Directory, body: Bytes) -> Result<Json<Value>, Refusal> {
    let new = new_session(directory.path, &body).map_err(|refusal| match refusal {
        Refusal::Bad { .. } => Refusal::BadSession,
        other => other,
    })?;
    let session = app.agents.stage.with(|world| world.create_session(new));
    Ok(Json(bodies::session(&app, &session)))
}

fn new_session(directory: String, body: &[u8]) -> Result<NewSession, Refusal> {
    let fields = intake::object_or_nothing(body)?;
    let text = |key: &str| Ok::<_, Refusal>(intake::text(&fields, key)?.map(str::to_owned));
    let rules = rules(&fields)?;
    Ok(NewSession { directory, title: text("title")?, parent: text("parentID")?, rules, ..NewSession::default() })
}

/// `GET /session/{id}`: needs no directory.
pub(super) async fn one(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    if !id.starts_with("ses") {
        return Err(Refusal::Unreadable);
    }
    let session = app.agents.stage.see(|world| world.session(&id).cloned());
    session.map(|session| Json(bodies::session(&app, &session))).ok_or(Refusal::NoSession(id))
}

/// `PATCH /session/{id}`: a new title; rules are appended to those it has. Each is told by itself.
pub(super) async fn update(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let fields = intake::object(&body)?;
    let title = intake::text(&fields, "title")?;
    let added = rules(&fields)?;
    let session = app.agents.stage.with(|world| {
        if let Some(title) = title {
            world.update_session(&id, |session| {
                title.clone_into(&mut session.title);
                session.titled = true;
            });
        }
        if fields.contains_key("permission") {
            world.record_rules(&id, &added);
            world.update_session(&id, |session| session.rules.extend(added));
        }
        world.session(&id).cloned()
    });
    session.map(|session| Json(bodies::session(&app, &session))).ok_or(Refusal::NoSession(id))
}

/// `DELETE /session/{id}`
pub(super) async fn delete(State(app): State<App>, Path(id): Path<String>) -> Result<Json<bool>, Refusal> {
    let deleted = app.agents.stage.with(|world| world.delete_session(&id));
    if deleted { Ok(Json(true)) } else { Err(Refusal::NoSession(id)) }
}

/// `GET /session/status`: those at work in one directory.
pub(super) async fn status(State(app): State<App>, directory: Directory) -> Json<Map<String, Value>> {
    let at_work = app.agents.stage.see(|world| world.at_work(&directory.path));
    Json(at_work.iter().map(|(id, status)| (id.clone(), bodies::status(status))).collect())
}

/// `GET /session/{id}/children`
pub(super) async fn children(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Vec<Value>>, Refusal> {
    let children = app.agents.stage.see(|world| world.session(&id).map(|session| world.children(&session.id)));
    let children = children.ok_or(Refusal::NoSession(id))?;
    Ok(Json(children.iter().map(|child| bodies::session(&app, child)).collect()))
}

/// `GET /session/{id}/message`: the newest `limit`, oldest first; `before` pages on.
pub(super) async fn messages(State(app): State<App>, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let limit = intake::query(&uri, "limit").and_then(|limit| limit.parse::<usize>().ok()).unwrap_or(usize::MAX);
    let before = intake::query(&uri, "before");
    app.agents.stage.see(|world| {
        if world.session(&id).is_none() {
            return Err(Refusal::NoSession(id.clone()));
        }
        let all = world.messages(&id);
        let end = before.and_then(|before| all.iter().position(|message| message.id == before)).unwrap_or(all.len());
        let start = end.saturating_sub(limit);
        let page = all.get(start..end).unwrap_or_default();
        let mut headers = HeaderMap::new();
        if let (true, Some(first)) = (start > 0, page.first()) {
            let next = format!("<{}?limit={limit}&before={}>; rel=\"next\"", uri.path(), first.id);
            for (name, value) in [("x-next-cursor", &first.id), ("link", &next)] {
                if let Ok(value) = HeaderValue::from_str(value) {
                    headers.insert(name, value);
                }
            }
        }
        let page: Vec<Value> = page.iter().map(bodies::whole_message).collect();
        Ok((headers, Json(page)).into_response())
    })
}

/// `GET /session/{id}/message/{message}`
pub(super) async fn message(
    State(app): State<App>,
    Path((id, message)): Path<(String, String)>,
) -> Result<Json<Value>, Refusal> {
    app.agents.stage.see(|world| {
        let is_there = world.session(&id).is_some();
        let found = world.messages(&id).iter().find(|one| one.id == message);
        found
            .filter(|_| is_there)
            .map(|found| Json(bodies::whole_message(found)))
            .ok_or(Refusal::NoMessage(message.clone()))
    })
}

/// `POST /session/{id}/prompt_async`: the text is the script.
pub(super) async fn prompt_async(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    let prompt = spoken(&body)?;
    // Nobody here waits for the end of the run.
    app.agents.prompt(&id, prompt).map(drop).map_err(|_| Refusal::NoSession(id))?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /session/{id}/message`: the same, answered when the run has ended.
pub(super) async fn prompt(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let prompt = spoken(&body)?;
    let prompt = app.agents.stage.with(|world| model::thought(world, &id, &prompt.words)).unwrap_or(prompt);
    let end = app.agents.prompt(&id, prompt).map_err(|_| Refusal::NoSession(id.clone()))?;
    // However the run ended, its last message is the answer.
    let _ = end.await;
    let last = app.agents.stage.see(|world| world.messages(&id).last().map(bodies::whole_message));
    last.map(Json).ok_or(Refusal::NoSession(id))
}

/// `POST /session/{id}/abort`: answered when all is cleared away. Whether there is such a session is not looked at.
pub(super) async fn abort(State(app): State<App>, Path(id): Path<String>, directory: Directory) -> Json<bool> {
    app.agents.abort(&id, &directory.path).await;
    Json(true)
}

fn spoken(body: &[u8]) -> Result<Prompt, Refusal> {
    let fields = intake::object(body)?;
    let parts = intake::field(&fields, "parts")?;
    let texts = parts.as_array().into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
    let text = texts.collect::<Vec<_>>().join("\n");
    Ok(Prompt::read(&text).unwrap_or_else(|why| Prompt::baffled(&text, &why)))
}

fn rules(fields: &Map<String, Value>) -> Result<Vec<Rule>, Refusal> {
    let list = match fields.get("permission") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(list) => list,
    };
    let place = "\n  at [\"permission\"]";
    let wrong = || Refusal::payload(&format!("Expected PermissionRuleset | null, got {list}{place}"));
    let rule = |(index, rule): (usize, &Value)| {
        let text = |key: &str| rule.get(key).and_then(Value::as_str).ok_or_else(wrong);
        let effect = text("action")?;
        let known = effect_named(effect).ok_or_else(|| {
            Refusal::payload(&format!("Expected PermissionAction, got \"{effect}\"{place}[{index}][\"action\"]"))
        })?;
        Ok(new_rule(text("permission")?, text("pattern")?, known))
    };
    list.as_array().ok_or_else(wrong)?.iter().enumerate().map(rule).collect()
}
