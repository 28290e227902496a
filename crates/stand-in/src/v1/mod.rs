//! The wire of OpenCode 1.x over the world.

mod auth;
mod bodies;
mod events;
mod intake;
mod model;
mod questions;
mod refusals;
mod replies;
mod routes;
mod sessions;

use std::time::Duration;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};

use crate::agent::Agents;
use crate::fault::{self, Faults};

/// What the routes need.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) agents: Agents,
    pub(crate) faults: Faults,
    pub(crate) heartbeat: Duration,
    pub(crate) version: String,
    /// The directory of requests that name none.
    pub(crate) directory: String,
    pub(crate) password: Option<String>,
}

/// All routes. What is not among them is answered with a web page, as the real server does.
pub(crate) fn router(app: App) -> Router {
    let with_body = Router::new()
        .route("/permission/{id}/reply", post(replies::reply))
        .route("/question/{id}/reply", post(questions::reply))
        .route("/tui/show-toast", post(model::toast))
        .route("/session", get(sessions::list).post(sessions::create))
        .route("/session/{id}", get(sessions::one).patch(sessions::update).delete(sessions::delete))
        .route("/session/{id}/message", get(sessions::messages).post(sessions::prompt))
        .route("/session/{id}/prompt_async", post(sessions::prompt_async))
        .route("/session/{id}/permissions/{ask}", post(replies::legacy))
        .layer(from_fn(intake::only_json));
    Router::new()
        .route("/global/health", get(routes::health))
        .route("/global/event", get(events::global))
        .route("/event", get(events::of_directory))
        .route("/path", get(routes::path))
        .route("/agent", get(routes::agents))
        .route("/config/providers", get(model::providers))
        .route("/instance/dispose", post(routes::dispose))
        .route("/permission", get(replies::list))
        .route("/question", get(questions::list))
        .route("/question/{id}/reject", post(questions::reject))
        .route("/session/status", get(sessions::status))
        .route("/session/{id}/children", get(sessions::children))
        .route("/session/{id}/message/{message}", get(sessions::message))
        .route("/session/{id}/abort", post(sessions::abort))
        .route("/experimental/session", get(sessions::everywhere))
        .merge(with_body)
        .fallback(routes::page)
        .method_not_allowed_fallback(routes::page)
        .layer(from_fn_with_state(app.faults.clone(), fault::apply))
        .layer(from_fn_with_state(app.clone(), auth::check))
        .with_state(app)
}
