//! What is said to agents: prompts, notes, and the inbox where they wait.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake::{self, Fields};
use super::{App, bodies};
use crate::ids;
use crate::script::Prompt;
use crate::world::World;
use crate::world::inbox::{Content, Delivery, Item, Note};

/// `POST /api/session/{id}/prompt`: the text is the script.
pub(super) async fn prompt(
    State(app): State<App>,
    Path(session): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    admit(&app, &session, &body, |text, fields| {
        let Prompt { words, script } = Prompt::read(text).unwrap_or_else(|why| Prompt::baffled(text, &why));
        Ok(Content::Prompt { words, metadata: fields.object("metadata")?.cloned(), script })
    })
}

/// `POST /api/session/{id}/synthetic`: a note that nobody said.
pub(super) async fn synthetic(
    State(app): State<App>,
    Path(session): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    admit(&app, &session, &body, |text, fields| {
        let description = fields.text("description")?.map(str::to_owned);
        let metadata = fields.object("metadata")?.cloned();
        Ok(Content::Note(Note { text: text.to_owned(), description, metadata }))
    })
}

fn admit(
    app: &App,
    session: &str,
    body: &[u8],
    content: impl FnOnce(&str, &Fields) -> Result<Content, Refusal>,
) -> Result<Json<Value>, Refusal> {
    intake::located(app, session)?;
    let fields = Fields::read(body)?.with_nullable(&["id", "delivery", "resume", "description"]);
    let id = fields.id("id", "msg")?;
    let what = content(fields.need_text("text")?, &fields)?;
    let delivery = match fields.text("delivery")? {
        // Both kinds were seen to be steered by.
        None | Some("steer") => Delivery::Steer,
        Some("queue") => Delivery::Queue,
        Some(other) => {
            let message = format!("Expected \"steer\" | \"queue\", got \"{other}\"\n  at [\"delivery\"]");
            return Err(Refusal::payload(message));
        }
    };
    let wakes = fields.truth("resume")?.unwrap_or(true);
    let knows = |id: &String| app.agents.stage.see(|world| world.knows_message(session, id));
    if let Some(id) = id.as_ref().filter(|id| knows(id)) {
        let message = format!("Message already exists: {id}");
        return Err(Refusal::Conflict { message, resource: id.clone() });
    }
    let id = id.unwrap_or_else(|| app.agents.stage.with(World::message_id));
    let item = Item { id, session: session.to_owned(), created: ids::now(), delivery, wakes, what };
    let data = bodies::whole_item(&item);
    app.agents.admit(item).map_err(|_| Refusal::NoSession(session.to_owned()))?;
    Ok(Json(json!({ "data": data })))
}

/// `GET /api/session/{id}/inbox`: what is not delivered yet.
pub(super) async fn inbox(State(app): State<App>, Path(session): Path<String>) -> Result<Json<Value>, Refusal> {
    intake::session(&app, &session)?;
    let data: Vec<Value> = app.agents.stage.see(|world| world.inbox(&session).iter().map(bodies::whole_item).collect());
    Ok(Json(json!({ "data": data })))
}
