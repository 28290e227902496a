//! Agents.

use axum::Json;
use axum::extract::{Path, State};
use gavel_core::rules::Rule;
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake::Location;
use super::{App, bodies};
use crate::world::agents::Agent;

/// `GET /api/agent`: the default one first; none for the first moments of a location.
pub(super) async fn list(State(app): State<App>, Location(directory): Location) -> Json<Value> {
    let data: Vec<Value> = loaded(&app, &directory).iter().map(|(agent, rules)| body(agent, rules)).collect();
    Json(json!({ "location": { "directory": directory }, "data": data }))
}

/// `GET /api/agent/{agent}`
pub(super) async fn one(
    State(app): State<App>,
    Path(id): Path<String>,
    Location(directory): Location,
) -> Result<Json<Value>, Refusal> {
    let known = loaded(&app, &directory);
    let found = known.iter().find(|(agent, _)| agent.id == id);
    let (agent, rules) = found.ok_or(Refusal::NoAgent(id))?;
    Ok(Json(json!({ "location": { "directory": directory }, "data": body(agent, rules) })))
}

fn loaded(app: &App, directory: &str) -> Vec<(Agent, Vec<Rule>)> {
    app.agents.stage.with(|world| {
        if world.agents_are_loaded(directory, app.switches.agents_after) { world.agents() } else { Vec::new() }
    })
}

fn body(agent: &Agent, rules: &[Rule]) -> Value {
    let mut fields = bodies::object(json!({ "id": agent.id, "name": agent.id }));
    bodies::put(&mut fields, "description", agent.description.map(|description| json!(description)));
    fields.extend(bodies::object(json!({
        "mode": agent.mode,
        "hidden": agent.hidden,
        "request": { "settings": {}, "headers": {}, "body": {} },
        "permissions": bodies::rules(rules),
    })));
    Value::Object(fields)
}
