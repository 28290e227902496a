//! Saved approvals.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake::{self, Fields, Location};
use super::{App, bodies};
use crate::world::saved::Unchanged;

/// `GET /api/permission/saved`: of one project, by its name or by its location.
pub(super) async fn list(State(app): State<App>, Location(directory): Location, uri: Uri) -> Json<Value> {
    let data: Vec<Value> = app.agents.stage.see(|world| {
        let project = intake::query(&uri, "projectID").unwrap_or_else(|| world.places.project(&directory).id);
        world.saved().iter().filter(|one| one.project == project).map(bodies::approval).collect()
    });
    Json(json!({ "data": data }))
}

/// `PATCH /api/permission/saved/{approval}`
pub(super) async fn update(
    State(app): State<App>,
    Path(id): Path<String>,
    _: Location,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let fields = Fields::read(&body)?;
    let text = |key: &str| Ok::<_, Refusal>(fields.text(key)?.map(str::to_owned));
    let (action, resource) = (text("action")?, text("resource")?);
    let changed = app.agents.stage.with(|world| world.change_saved(&id, action, resource));
    match changed {
        Ok(approval) => Ok(Json(json!({ "data": bodies::approval(&approval) }))),
        Err(Unchanged::NoSuch) => Err(Refusal::NoApproval(id)),
        Err(Unchanged::Duplicate) => {
            let message = "An identical saved permission already exists".to_owned();
            Err(Refusal::Conflict { message, resource: id })
        }
    }
}

/// `DELETE /api/permission/saved/{approval}`: one that is not there is gone already.
pub(super) async fn delete(State(app): State<App>, Path(id): Path<String>, _: Location) -> StatusCode {
    app.agents.stage.with(|world| world.forget_saved(&id));
    StatusCode::NO_CONTENT
}
