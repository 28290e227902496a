//! Forms: the lists, what a client raises itself, the answers and the refusals to answer.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake::{self, Fields, Location};
use super::{App, bodies};
use crate::form::{consistent, read_field};
use crate::world::forms::{NewForm, Unsettled};

/// The owner of forms that belong to no session.
const GLOBAL: &str = "global";

/// `GET /api/form`: what is pending in one location.
pub(super) async fn everywhere(State(app): State<App>, Location(directory): Location) -> Json<Value> {
    let data: Vec<Value> = app
        .agents
        .stage
        .see(|world| world.pending_forms().filter(|form| form.directory == directory).map(bodies::form).collect());
    Json(json!({ "location": { "directory": directory }, "data": data }))
}

/// `GET /api/session/{id}/form`
pub(super) async fn of_session(State(app): State<App>, Path(owner): Path<String>) -> Result<Json<Value>, Refusal> {
    directory_of(&app, &owner)?;
    let data: Vec<Value> = app
        .agents
        .stage
        .see(|world| world.pending_forms().filter(|form| form.owner == owner).map(bodies::form).collect());
    Ok(Json(json!({ "data": data })))
}

/// `GET /api/session/{id}/form/{form}`: settled ones too, for a while.
pub(super) async fn one(
    State(app): State<App>,
    Path((owner, id)): Path<(String, String)>,
) -> Result<Json<Value>, Refusal> {
    directory_of(&app, &owner)?;
    let found = app.agents.stage.see(|world| world.form(&owner, &id).map(bodies::form_detail));
    Ok(Json(json!({ "data": found.ok_or(Refusal::NoForm(id))? })))
}

/// `POST /api/session/{id}/form`
pub(super) async fn create(
    State(app): State<App>,
    Path(owner): Path<String>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let directory = match owner.as_str() {
        GLOBAL => intake::location(&app, &uri, &headers)?,
        session => directory_of(&app, session)?,
    };
    let fields = Fields::read(&body)?.with_nullable(&["id"]);
    let (id, title) = (fields.id("id", "frm")?, fields.need_text("title")?.to_owned());
    let metadata = fields.object("metadata")?.cloned();
    let list = fields.need("fields")?;
    let list = list.as_array().ok_or_else(|| intake::expected("array", list, "\n  at [\"fields\"]"))?;
    let wrong = |place: &str, why: &str| Refusal::payload(format!("{why}\n  at [\"fields\"]{place}"));
    let read = |(at, field): (usize, &Value)| {
        read_field(field).map_err(|one| wrong(&format!("[{at}]{}", one.place), &one.why))
    };
    let list = list.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    consistent(&list).map_err(|one| wrong(&one.place, &one.why))?;
    let new = NewForm { id: id.clone(), owner, directory, title, metadata, fields: list, asked: None };
    let raised = app.agents.stage.with(|world| world.raise(new));
    // Nobody here waits for the answer.
    let raised = raised.map(|(form, _)| json!({ "data": bodies::form(&form) }));
    let conflict = || {
        let id = id.unwrap_or_default();
        Refusal::Conflict { message: format!("Form already exists: {id}"), resource: id }
    };
    raised.map(Json).ok_or_else(conflict)
}

/// `POST /api/session/{id}/form/{form}/reply`
pub(super) async fn reply(
    State(app): State<App>,
    Path((owner, id)): Path<(String, String)>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    directory_of(&app, &owner)?;
    let fields = Fields::read(&body)?;
    fields.need("answer")?;
    let answers = bodies::object(fields.object("answer")?.cloned().unwrap_or_default());
    for (key, value) in &answers {
        let texts = value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
        if !(value.is_string() || value.is_number() || value.is_boolean() || texts) {
            let place = format!("\n  at [\"answer\"][\"{key}\"]");
            return Err(intake::expected("string | number | boolean | array", value, &place));
        }
    }
    let settled = app.agents.stage.with(|world| world.answer_form(&owner, &id, answers));
    settled.map(|()| StatusCode::NO_CONTENT).map_err(|why| refusal(id, why))
}

/// `DELETE /api/session/{id}/form/{form}`: with the reason in the query.
pub(super) async fn cancel(
    State(app): State<App>,
    Path((owner, id)): Path<(String, String)>,
    uri: Uri,
) -> Result<StatusCode, Refusal> {
    withdraw(&app, &owner, id, intake::query(&uri, "message"))
}

/// `POST /api/session/{id}/form/{form}/cancel`: there is no reason.
pub(super) async fn cancel_by_post(
    State(app): State<App>,
    Path((owner, id)): Path<(String, String)>,
) -> Result<StatusCode, Refusal> {
    withdraw(&app, &owner, id, None)
}

fn withdraw(app: &App, owner: &str, id: String, message: Option<String>) -> Result<StatusCode, Refusal> {
    directory_of(app, owner)?;
    let settled = app.agents.stage.with(|world| world.cancel_form(owner, &id, message));
    settled.map(|()| StatusCode::NO_CONTENT).map_err(|why| refusal(id, why))
}

/// Where the forms of an owner are: it is a session, or `global`.
fn directory_of(app: &App, owner: &str) -> Result<String, Refusal> {
    if owner == GLOBAL {
        return Ok(app.directory.clone());
    }
    if owner.starts_with("ses") {
        return intake::located(app, owner).map(|session| session.directory);
    }
    Err(Refusal::NoSession(owner.to_owned()))
}

fn refusal(id: String, why: Unsettled) -> Refusal {
    match why {
        Unsettled::NoSuch => Refusal::NoForm(id),
        Unsettled::Late => Refusal::FormSettled(id),
        Unsettled::Answer(message) => Refusal::FormAnswer { form: id, message },
    }
}
