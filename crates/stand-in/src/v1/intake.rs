//! What comes in: directories, queries and bodies, with the refusals for those that are wrong.

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::App;
use super::refusals::Refusal;

/// The directory a request is about.
pub(super) struct Directory {
    /// As the client named it, by query or header.
    pub(super) named: Option<String>,
    /// That, or the server's own.
    pub(super) path: String,
}

impl FromRequestParts<App> for Directory {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Directory, Self::Rejection> {
        let header = |headers: &HeaderMap| Some(decoded(headers.get("x-opencode-directory")?.to_str().ok()?));
        let named = query(&parts.uri, "directory").or_else(|| header(&parts.headers)).filter(|named| !named.is_empty());
        let path = named.as_deref().map_or(app.directory.as_str(), without_slash).to_owned();
        Ok(Directory { named, path })
    }
}

fn without_slash(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        trimmed => trimmed,
    }
}

/// One value of the query.
pub(super) fn query(uri: &Uri, key: &str) -> Option<String> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| decoded(name) == key).map(|(_, value)| decoded(&value.replace('+', " ")))
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Refuses bodies that say they are no JSON: what keeps a web page in a browser from posting here.
pub(super) async fn only_json(request: Request, next: Next) -> Response {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    match kind {
        Some(kind) if request.method().is_safe() || is_json(kind) => next.run(request).await,
        None => next.run(request).await,
        Some(kind) => {
            let plain = [(header::CONTENT_TYPE, "text/plain")];
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, plain, format!("Unsupported content-type: {kind}")).into_response()
        }
    }
}

fn is_json(kind: &str) -> bool {
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// A body that has to be a JSON object.
pub(super) fn object(body: &[u8]) -> Result<serde_json::Map<String, Value>, Refusal> {
    if body.is_empty() {
        return Err(Refusal::payload("Expected object, got undefined"));
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(other) => Err(Refusal::payload(&format!("Expected object, got {other}"))),
        Err(_) => Err(Refusal::Unreadable),
    }
}

/// A body that may be missing.
pub(super) fn object_or_nothing(body: &[u8]) -> Result<serde_json::Map<String, Value>, Refusal> {
    if body.is_empty() { Ok(serde_json::Map::new()) } else { object(body) }
}

/// A field that has to be there.
pub(super) fn field<'body>(body: &'body serde_json::Map<String, Value>, key: &str) -> Result<&'body Value, Refusal> {
    body.get(key).ok_or_else(|| Refusal::payload(&format!("Missing key\n  at [\"{key}\"]")))
}

/// A field that may be there, or be `null`, and is text otherwise.
pub(super) fn text<'body>(
    body: &'body serde_json::Map<String, Value>,
    key: &str,
) -> Result<Option<&'body str>, Refusal> {
    match body.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Refusal::payload(&format!("Expected string | null, got {other}\n  at [\"{key}\"]"))),
    }
}
