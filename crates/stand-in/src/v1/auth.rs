//! HTTP Basic, as `OPENCODE_SERVER_PASSWORD` turns it on: for everything, the health check too.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::App;
use super::intake;

const USER: &str = "opencode";

/// Lets through who knows the password.
pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(password) = &app.password else { return next.run(request).await };
    let expected = STANDARD.encode(format!("{USER}:{password}"));
    let in_query = intake::query(request.uri(), "auth_token");
    if basic(request.headers()) == Some(&expected) || in_query.as_deref() == Some(&expected) {
        return next.run(request).await;
    }
    let realm = [(header::WWW_AUTHENTICATE, "Basic realm=\"Secure Area\"")];
    if request.uri().path().starts_with("/api/") {
        let body = axum::Json(json!({ "_tag": "UnauthorizedError", "message": "Authentication required" }));
        return (StatusCode::UNAUTHORIZED, realm, body).into_response();
    }
    (StatusCode::UNAUTHORIZED, realm).into_response()
}

fn basic(headers: &HeaderMap) -> Option<&str> {
    let (scheme, rest) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("basic").then_some(rest.trim())
}
