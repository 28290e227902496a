//! HTTP Basic for everything, as 2.x has it.

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::App;

const USER: &str = "opencode";

/// Lets through who knows the password.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(password) = &app.password else { return next.run(request).await };
    let expected = STANDARD.encode(format!("{USER}:{password}"));
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.split_once(' '));
    if given.is_some_and(|(scheme, rest)| scheme.eq_ignore_ascii_case("basic") && rest.trim() == expected) {
        return next.run(request).await;
    }
    let body = Json(json!({ "_tag": "UnauthorizedError", "message": "Authentication required" }));
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Basic realm=\"Secure Area\"")], body).into_response()
}
