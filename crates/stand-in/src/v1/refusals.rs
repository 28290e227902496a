//! The ways in which the real server says no, to the letter.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is refused.
#[derive(Debug, Clone)]
pub(super) enum Refusal {
    /// Answered already, never asked, or asked under another directory.
    NoPermission(String),
    NoQuestion(String),
    NoSession(String),
    NoMessage(String),
    /// A value of the path or the body is wrong.
    Bad {
        message: String,
        kind: &'static str,
    },
    /// The body of a new session is wrong; that route says no more than that.
    BadSession,
    /// The body is no JSON, or a session's identifier is none. The real server fails on it.
    Unreadable,
}

impl Refusal {
    pub(super) fn payload(message: &str) -> Refusal {
        Refusal::Bad { message: message.to_owned(), kind: "Payload" }
    }

    /// An identifier without its prefix, under the name the path has for it.
    pub(super) fn unless_prefixed(id: &str, prefix: &str, name: &str) -> Result<(), Refusal> {
        if id.starts_with(prefix) {
            return Ok(());
        }
        let message = format!("Expected a string starting with \"{prefix}\", got \"{id}\"\n  at [\"{name}\"]");
        Err(Refusal::Bad { message, kind: "Params" })
    }

    pub(super) fn status(&self) -> StatusCode {
        match self {
            Refusal::NoPermission(_) | Refusal::NoQuestion(_) | Refusal::NoSession(_) | Refusal::NoMessage(_) => {
                StatusCode::NOT_FOUND
            }
            Refusal::Bad { .. } | Refusal::BadSession => StatusCode::BAD_REQUEST,
            Refusal::Unreadable => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status();
        let missing = |tag: &str, what: &str, id: &str| json!({ "_tag": tag, "requestID": id, "message": format!("{what} request not found: {id}") });
        let body = match self {
            Refusal::NoPermission(id) => missing("PermissionNotFoundError", "Permission", &id),
            Refusal::NoQuestion(id) => missing("QuestionNotFoundError", "Question", &id),
            Refusal::NoSession(id) => {
                json!({ "name": "NotFoundError", "data": { "message": format!("Session not found: {id}") } })
            }
            Refusal::NoMessage(id) => {
                json!({ "name": "NotFoundError", "data": { "message": format!("Message not found: {id}") } })
            }
            Refusal::Bad { message, kind } => {
                json!({ "name": "BadRequest", "data": { "message": message, "kind": kind } })
            }
            Refusal::BadSession => json!({ "_tag": "BadRequest" }),
            Refusal::Unreadable => json!({
                "name": "UnknownError",
                "data": {
                    "message": "Unexpected server error. Check server logs for details.",
                    "ref": format!("err_{:08x}", rand::random::<u32>()),
                },
            }),
        };
        (status, Json(body)).into_response()
    }
}
