//! The ways in which 2.x says no.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A value of the path, the query or the body is wrong.
    Invalid {
        message: String,
        kind: Option<&'static str>,
        field: Option<&'static str>,
    },
    Cursor(&'static str),
    FormAnswer {
        form: String,
        message: String,
    },
    NoSession(String),
    NoPermission(String),
    NoApproval(String),
    NoForm(String),
    NoLocation(String),
    NoAgent(String),
    NoProvider(String),
    NoMessage {
        session: String,
        message: String,
    },
    Conflict {
        message: String,
        resource: String,
    },
    FormSettled(String),
    /// The model can't be reached.
    NoModel,
    /// The real server fails on this: a body that is no JSON, an identifier that is taken.
    Unexpected,
}

impl Refusal {
    pub(super) fn payload(message: impl Into<String>) -> Refusal {
        Refusal::Invalid { message: message.into(), kind: Some("Payload"), field: None }
    }

    pub(super) fn query(message: impl Into<String>) -> Refusal {
        Refusal::Invalid { message: message.into(), kind: Some("Query"), field: None }
    }

    /// An identifier of the path without its prefix.
    pub(super) fn prefix(id: &str, prefix: &str, name: &str) -> Refusal {
        let message = format!("Expected a string starting with \"{prefix}\", got \"{id}\"\n  at [\"{name}\"]");
        Refusal::Invalid { message, kind: Some("Params"), field: None }
    }

    pub(super) fn status(&self) -> StatusCode {
        match self {
            Refusal::Invalid { .. } | Refusal::Cursor(_) | Refusal::FormAnswer { .. } => StatusCode::BAD_REQUEST,
            Refusal::Conflict { .. } | Refusal::FormSettled(_) => StatusCode::CONFLICT,
            Refusal::NoModel => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::Unexpected => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::NOT_FOUND,
        }
    }

    fn body(&self) -> Value {
        match self {
            Refusal::Invalid { message, kind, field } => {
                let mut body = json!({ "_tag": "InvalidRequestError", "message": message });
                for (key, value) in [("kind", kind), ("field", field)] {
                    if let (Some(value), Some(fields)) = (value, body.as_object_mut()) {
                        fields.insert(key.to_owned(), json!(value));
                    }
                }
                body
            }
            Refusal::Cursor(message) => json!({ "_tag": "InvalidCursorError", "message": message }),
            Refusal::FormAnswer { form, message } => {
                json!({ "_tag": "FormInvalidAnswerError", "id": form, "message": message })
            }
            Refusal::NoSession(id) => missing("Session", "sessionID", "Session", id),
            Refusal::NoPermission(id) => missing("Permission", "requestID", "Permission request", id),
            Refusal::NoApproval(id) => missing("PermissionSaved", "id", "Saved permission", id),
            Refusal::NoForm(id) => missing("Form", "id", "Form", id),
            Refusal::NoAgent(id) => missing("Agent", "agentID", "Agent", id),
            Refusal::NoProvider(id) => missing("Provider", "providerID", "Provider", id),
            Refusal::NoLocation(directory) => json!({
                "_tag": "LocationNotFoundError",
                "location": { "directory": directory },
                "message": format!("Location not found: {directory}"),
            }),
            Refusal::NoMessage { session, message } => json!({
                "_tag": "MessageNotFoundError",
                "sessionID": session,
                "messageID": message,
                "message": format!("Message not found: {message}"),
            }),
            Refusal::Conflict { message, resource } => {
                json!({ "_tag": "ConflictError", "message": message, "resource": resource })
            }
            Refusal::FormSettled(id) => json!({
                "_tag": "FormAlreadySettledError",
                "id": id,
                "message": format!("Form already settled: {id}"),
            }),
            Refusal::Unexpected => json!({
                "_tag": "UnknownError",
                "message": "Unexpected server error. Check server logs for details.",
                "ref": format!("err_{:08x}", rand::random::<u32>()),
            }),
            Refusal::NoModel => json!({
                "_tag": "ServiceUnavailableError",
                "message": "Model is not available",
                "service": "model",
            }),
        }
    }
}

fn missing(tag: &str, key: &str, what: &str, id: &str) -> Value {
    json!({ "_tag": format!("{tag}NotFoundError"), key: id, "message": format!("{what} not found: {id}") })
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status(), Json(self.body())).into_response()
    }
}
