//! The wire of OpenCode 2.x over the world, as API 2.1.2 has it; [`switches`] for what other releases do otherwise.

mod agents;
mod auth;
mod bodies;
mod errors;
mod events;
mod forms;
mod intake;
mod messages;
mod model;
mod notes;
mod paging;
mod permissions;
pub(crate) mod registration;
mod saved;
mod server;
mod sessions;
pub(crate) mod switches;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, patch, post};

use crate::agent::Agents;
use crate::fault::{self, Faults};
use switches::{FormCancel, SessionRules, Switches};

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
    pub(crate) url: String,
    pub(crate) switches: Arc<Switches>,
}

/// All routes. What is not among them, those of 1.x too, is answered with a web page, as the real server does.
pub(crate) fn router(app: App) -> Router {
    let mut routes = Router::new()
        .route("/api/info", get(server::info))
        .route("/api/event", get(events::stream))
        .route("/api/location", get(server::location))
        .route("/api/agent", get(agents::list))
        .route("/api/agent/{agent}", get(agents::one))
        .route("/api/provider", get(model::providers))
        .route("/api/provider/{provider}", get(model::provider))
        .route("/api/model/default", get(model::default))
        .route("/api/form", get(forms::everywhere))
        .route("/api/permission/request", get(permissions::everywhere))
        .route("/api/permission/saved", get(saved::list))
        .route("/api/session", get(sessions::list).post(sessions::create))
        .route("/api/session/active", get(sessions::active))
        .route("/api/session/{id}", get(sessions::one).delete(sessions::delete))
        .route("/api/session/{id}/agent", post(sessions::switch_agent))
        .route("/api/session/{id}/model", post(sessions::switch_model))
        .route("/api/session/{id}/interrupt", post(sessions::interrupt))
        .route("/api/session/{id}/prompt", post(notes::prompt))
        .route("/api/session/{id}/synthetic", post(notes::synthetic))
        .route("/api/session/{id}/inbox", get(notes::inbox))
        .route("/api/session/{id}/context", get(messages::context))
        .route("/api/session/{id}/message", get(messages::list))
        .route("/api/session/{id}/message/{message}", get(messages::one))
        .route("/api/session/{id}/permission", get(permissions::of_session).post(permissions::create))
        .route("/api/session/{id}/permission/{ask}", get(permissions::one))
        .route("/api/session/{id}/permission/{ask}/reply", post(permissions::reply))
        .route("/api/session/{id}/form", get(forms::of_session).post(forms::create))
        .route("/api/session/{id}/form/{form}/reply", post(forms::reply))
        .route("/api/session/{id}/generate", post(model::generate))
        .route("/api/session/{id}/fork", post(sessions::fork))
        .route("/api/session/{id}/move", post(sessions::relocate))
        .route("/api/experimental/generate", post(model::generate_alone))
        .route("/api/experimental/session/{id}/wait", post(sessions::wait));
    let change = patch(saved::update);
    let saved =
        if app.switches.saved_update { change.delete(saved::delete) } else { axum::routing::delete(saved::delete) };
    routes = routes.route("/api/permission/saved/{approval}", saved);
    const FORM: &str = "/api/session/{id}/form/{form}";
    routes = match app.switches.form_cancel {
        FormCancel::Delete => routes.route(FORM, get(forms::one).delete(forms::cancel)),
        FormCancel::Post => {
            routes.route(FORM, get(forms::one)).route(&format!("{FORM}/cancel"), post(forms::cancel_by_post))
        }
    };
    routes = match app.switches.session_rules {
        SessionRules::Patch => routes.route("/api/session/{id}", patch(sessions::update)),
        SessionRules::Post => routes.route("/api/session/{id}/permissions", post(sessions::replace_rules)),
        SessionRules::Neither => routes,
    };
    routes
        .fallback(page)
        .method_not_allowed_fallback(page)
        .layer(from_fn_with_state(app.faults.clone(), fault::apply))
        .layer(from_fn_with_state(app.clone(), auth::check))
        .with_state(app)
}

/// Whatever else is asked for is taken to be a page of the web interface.
async fn page() -> axum::response::Response {
    fault::page()
}
