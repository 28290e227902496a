//! Steering notes: what an agent is told before its call is declined.
//!
//! Some tools replace the words of a refusal by their own, so that the agent never learns why it was refused and asks
//! again. A note in its session reaches it in any case.

use gavel_core::{Ask, RequestId, display};
use serde_json::json;

use crate::Error;
use crate::dialect::failure::Failure;
use crate::http::{Http, path};

/// Leaves a note in the session of `ask` that it is declined for `reason`. Telling it twice leaves one note.
///
/// # Errors
/// The server did not take it.
pub async fn declined(http: &Http, ask: &Ask, reason: &str) -> Result<(), Error> {
    let body = json!({
        "id": note_id(&ask.key.request),
        "text": format!("The user declined {}\n{reason}", named(ask)),
        "description": "declined",
        "delivery": "steer",
        // The run is under way; should it have ended, nothing shall wake it.
        "resume": false,
    });
    let answer = http.post(&path(&["api", "session", ask.session.as_str(), "synthetic"], &[]), &body).await?;
    if answer.status == 409 && Failure::named(&answer, "ConflictError") {
        return Ok(());
    }
    answer.json().map(drop)
}

/// What was declined, in words that the agent recognises as its own, and behind marks: no line of a command is to be
/// read as words of the user.
fn named(ask: &Ask) -> String {
    /// Longer texts are cut: the agent knows what it asked for.
    const LONGEST: usize = 500;
    let text: String = display::full_text(ask).chars().take(LONGEST).collect();
    let quoted: String = text.lines().map(|line| format!("\n> {line}")).collect();
    format!("this ({}):{quoted}", display::visible(&ask.action).replace('\n', " "))
}

/// The note's own id, the same for every attempt at the same request.
fn note_id(request: &RequestId) -> String {
    let id = request.as_str();
    format!("msg_{}", id.strip_prefix("per_").unwrap_or(id))
}
