//! Sessions: made, listed, changed, interrupted.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use gavel_core::rules::Rule;
use serde_json::{Map, Value, json};

use super::errors::Refusal;
use super::intake::{self, Fields};
use super::paging::{Bounds, Page};
use super::switches::SessionRules;
use super::{App, bodies};
use crate::ids;
use crate::world::World;
use crate::world::session::{NewSession, Status};

/// `GET /api/session`: of all locations, newest first.
pub(super) async fn list(State(app): State<App>, uri: Uri) -> Result<Json<Value>, Refusal> {
    let page = Page::read(&uri, Bounds::Loose)?;
    let wanted = |key: &str| intake::query(&uri, key);
    let (directory, project, parent) = (wanted("directory"), wanted("project"), wanted("parentID"));
    let (search, archived) = (wanted("search"), wanted("archived"));
    let items = app.agents.stage.see(|world| {
        let fits = |session: &&crate::Session| {
            directory.as_ref().is_none_or(|directory| *directory == session.directory)
                && project.as_ref().is_none_or(|project| *project == world.places.project(&session.directory).id)
                && parent.as_ref().is_none_or(|parent| session.parent.as_deref().unwrap_or("null") == parent)
                && search.as_ref().is_none_or(|search| session.title.to_lowercase().contains(&search.to_lowercase()))
                && archived.as_ref().is_none_or(|archived| (archived == "true") == session.archived.is_some())
        };
        let sessions = world.sessions().filter(fits);
        sessions.map(|session| (session.id.clone(), bodies::session(world, session))).collect::<Vec<_>>()
    });
    page.cut(items).map(Json)
}

/// `POST /api/session`
pub(super) async fn create(State(app): State<App>, body: Bytes) -> Result<Json<Value>, Refusal> {
    const NULLABLE: &[&str] = &["id", "parentID", "title", "agent", "model", "location", "metadata", "permissions"];
    let fields = Fields::read(&body)?.with_nullable(NULLABLE);
    let text = |key: &str| Ok::<_, Refusal>(fields.text(key)?.map(str::to_owned));
    let (id, parent) = (fields.id("id", "ses")?, fields.id("parentID", "ses")?);
    let place = "\n  at [\"location\"][\"directory\"]";
    let location = match fields.object("location")?.map(|location| location.get("directory")) {
        None => None,
        Some(Some(Value::String(directory))) => Some(intake::absolute(directory, place)?),
        Some(None) => return Err(Refusal::payload(format!("Missing key{place}"))),
        Some(Some(other)) => return Err(intake::expected("string", other, place)),
    };
    let mut new = NewSession {
        id,
        directory: app.directory.clone(),
        title: text("title")?,
        agent: text("agent")?,
        rules: fields.rules("permissions")?.unwrap_or_default(),
        model: fields.model("model")?,
        metadata: fields.object("metadata")?.cloned(),
        parent: None,
    };
    let ruled = fields.get("permissions").is_some() && app.switches.session_rules != SessionRules::Neither;
    if !ruled {
        new.rules.clear();
    }
    if let Some(parent) = parent {
        let parent = intake::session(&app, &parent)?;
        new.directory = parent.directory;
        if !ruled {
            new.rules = parent.rules;
        }
        new.parent = Some(parent.id);
    } else if let Some(directory) = location {
        new.directory = directory;
    }
    Ok(app.agents.stage.with(|world| {
        // Made twice under the same identifier, it is the same session.
        let known = new.id.as_ref().and_then(|id| world.session(id).cloned());
        let session = known.unwrap_or_else(|| world.create_session(new));
        Json(json!({ "data": bodies::session(world, &session) }))
    }))
}

/// `GET /api/session/active`: those at work.
pub(super) async fn active(State(app): State<App>) -> Json<Value> {
    let running = app.agents.stage.see(|world| {
        let busy = world.sessions().filter(|session| world.status(&session.id) != Status::Idle);
        busy.map(|session| (session.id.clone(), json!({ "type": "running" }))).collect::<Map<_, _>>()
    });
    Json(json!({ "data": running }))
}

/// `GET /api/session/{id}`
pub(super) async fn one(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    let session = intake::session(&app, &id)?;
    Ok(app.agents.stage.see(|world| Json(json!({ "data": bodies::session(world, &session) }))))
}

/// `PATCH /api/session/{id}`: what is not named stays as it is; rules are replaced.
pub(super) async fn update(State(app): State<App>, Path(id): Path<String>, body: Bytes) -> Result<StatusCode, Refusal> {
    intake::located(&app, &id)?;
    let fields = Fields::read(&body)?.with_nullable(&["title", "metadata", "permissions", "archived"]);
    let (title, metadata) = (fields.text("title")?, fields.object("metadata")?.cloned());
    let (rules, archived) = (fields.rules("permissions")?, fields.truth("archived")?);
    app.agents.stage.with(|world| {
        world.update_session(&id, |session| {
            if let Some(title) = title {
                title.clone_into(&mut session.title);
                session.titled = true;
            }
            if metadata.is_some() {
                session.metadata = metadata;
            }
            if let Some(archived) = archived {
                session.archived = archived.then(ids::now);
            }
        });
        if let Some(rules) = rules {
            world.record_rules(&id, &rules);
            world.replace_rules(&id, rules);
        }
    });
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/session/{id}/permissions`: what `PATCH` does with rules, in the words of earlier releases.
pub(super) async fn replace_rules(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    intake::located(&app, &id)?;
    let fields = Fields::read(&body)?;
    fields.need("permissions")?;
    let rules: Vec<Rule> = fields.rules("permissions")?.unwrap_or_default();
    app.agents.stage.with(|world| {
        world.record_rules(&id, &rules);
        world.replace_rules(&id, rules);
    });
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /api/session/{id}`
pub(super) async fn delete(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    intake::session(&app, &id)?;
    let deleted = app.agents.stage.with(|world| world.delete_session(&id));
    if deleted { Ok(StatusCode::NO_CONTENT) } else { Err(Refusal::NoSession(id)) }
}

/// `POST /api/session/{id}/agent`
pub(super) async fn switch_agent(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    intake::located(&app, &id)?;
    let fields = Fields::read(&body)?;
    let agent = fields.need_text("agent")?;
    app.agents.stage.with(|world| world.select_agent(&id, agent));
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/session/{id}/model`
pub(super) async fn switch_model(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    intake::located(&app, &id)?;
    let fields = Fields::read(&body)?;
    fields.need("model")?;
    let model = fields.model("model")?;
    if let Some(model) = model {
        app.agents.stage.with(|world| world.select_model(&id, model));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/session/{id}/interrupt`
pub(super) async fn interrupt(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    let session = intake::located(&app, &id)?;
    let interrupted = app.agents.abort(&session.id, &session.directory).await;
    Ok(Json(json!({ "interrupted": interrupted })))
}

/// `POST /api/experimental/session/{id}/wait`: answered when the session has nothing more to do.
pub(super) async fn wait(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    const A_YEAR: std::time::Duration = std::time::Duration::from_secs(365 * 24 * 3600);
    intake::located(&app, &id)?;
    let rests = |world: &World| world.status(&id) == Status::Idle;
    // It lasts as long as the client waits; a year is for ever.
    let _ = app.agents.stage.until(A_YEAR, rests).await;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/session/{id}/fork`: with the messages before one, or with all.
pub(super) async fn fork(State(app): State<App>, Path(id): Path<String>, body: Bytes) -> Result<Json<Value>, Refusal> {
    intake::located(&app, &id)?;
    let fields = Fields::read(&body)?.with_nullable(&["before"]);
    let before = fields.text("before")?;
    let forked = app
        .agents
        .stage
        .with(|world| world.fork(&id, before).map(|session| json!({ "data": bodies::session(world, &session) })));
    let missing = || Refusal::NoMessage { session: id.clone(), message: before.unwrap_or_default().to_owned() };
    forked.map(Json).ok_or_else(missing)
}

/// `POST /api/session/{id}/move`
pub(super) async fn relocate(
    State(app): State<App>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    intake::session(&app, &id)?;
    let fields = Fields::read(&body)?;
    let directory = intake::absolute(fields.need_text("directory")?, "\n  at [\"directory\"]")?;
    app.agents.stage.with(|world| world.relocate(&id, &directory));
    Ok(StatusCode::NO_CONTENT)
}
