//! From decisions to the words of a 1.x server. Nothing here ever turns an error into an approval.

use gavel_core::flow::Outcome;
use gavel_core::{Ask, Decision, Route};
use serde_json::{Map, Value, json};

use super::wire::Failure;
use super::{Existence, list, session};
use crate::Error;
use crate::http::{Answer, Http, Kind, path};

/// Sends `decision` about `ask`.
///
/// Before an approval the session is looked up: a run goes on after its session is deleted, and approving would
/// still start the tool. Then a refusal is sent instead, which frees the run.
///
/// `version` is the server's, empty if it isn't known.
pub async fn reply(http: &Http, version: &str, ask: &Ask, decision: &Decision) -> Outcome {
    let mut directory = ask.directory.clone();
    if !decision.refuses() || directory.is_empty() {
        match session(http, &ask.session, &directory).await {
            Ok(Existence::Alive(session)) if directory.is_empty() => directory = session.directory,
            Ok(Existence::Alive(_)) => {}
            Ok(Existence::Deleted) => return refuse_orphan(http, ask, &directory, decision).await,
            Err(error) => return failed(&error),
        }
    }
    if ask.route == Route::V1 && !tells_losers(version) && is_lost(http, ask, &directory).await {
        return Outcome::Lost;
    }
    send(http, ask, &directory, &Body::of(decision)).await
}

/// Whether a server of this version says so when it no longer knows a request. Before 1.15 it answered `true` to
/// anything, and only its list tells whether there is still something to reply to.
fn tells_losers(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map(str::parse::<u32>);
    matches!((numbers.next(), numbers.next()), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= (1, 15))
}

/// Whether the server's list is there and lacks the request.
async fn is_lost(http: &Http, ask: &Ask, directory: &str) -> bool {
    list::ids(http, directory).await.is_ok_and(|ids| !ids.contains(&ask.key.request))
}

async fn refuse_orphan(http: &Http, ask: &Ask, directory: &str, decision: &Decision) -> Outcome {
    let body = if decision.refuses() { Body::of(decision) } else { Body { word: "reject", message: None } };
    match send(http, ask, directory, &body).await {
        Outcome::Accepted | Outcome::Lost | Outcome::RunGone => Outcome::RunGone,
        failed @ Outcome::Failed { .. } => failed,
    }
}

/// What is said about a request.
#[derive(Debug, Clone, Copy)]
struct Body<'a> {
    word: &'static str,
    message: Option<&'a str>,
}

impl<'a> Body<'a> {
    fn of(decision: &'a Decision) -> Self {
        match decision {
            Decision::AllowOnce => Self { word: "once", message: None },
            Decision::Decline { reason } => Self { word: "reject", message: Some(reason) },
            // Words would make the run go on.
            Decision::Stop => Self { word: "reject", message: None },
        }
    }

    /// The body, with the word under each of `keys`.
    fn json(self, keys: &[&str]) -> Value {
        let mut body: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), self.word.into())).collect();
        if let Some(message) = self.message {
            body.insert("message".to_owned(), message.into());
        }
        Value::Object(body)
    }
}

async fn send(http: &Http, ask: &Ask, directory: &str, body: &Body<'_>) -> Outcome {
    match ask.route {
        Route::V1 => send_v1(http, ask, directory, *body).await,
        Route::Preview => send_preview(http, ask, *body).await,
    }
    .unwrap_or_else(|error| failed(&error))
}

async fn send_v1(http: &Http, ask: &Ask, directory: &str, body: Body<'_>) -> Result<Outcome, Error> {
    let id = ask.key.request.as_str();
    let route = path(&["permission", id, "reply"], &[("directory", directory)]);
    let answer = http.post(&route, &body.json(&["reply"])).await?;
    if !is_missing(&answer) {
        return Ok(outcome(&answer));
    }
    let route = path(&["session", ask.session.as_str(), "permissions", id], &[("directory", directory)]);
    let answer = http.post(&route, &json!({ "response": body.word })).await?;
    Ok(match Failure::of(&answer) {
        // This older route finds the request through its session. With that gone nobody can answer it any more.
        Some(failure) if answer.status == 404 && failure.is("NotFoundError") => Outcome::RunGone,
        _ => outcome(&answer),
    })
}

async fn send_preview(http: &Http, ask: &Ask, body: Body<'_>) -> Result<Outcome, Error> {
    let segments = ["api", "session", ask.session.as_str(), "permission", ask.key.request.as_str(), "reply"];
    let route = path(&segments, &[]);
    // The word moved from one key to the other between releases, and either ignores the other's.
    let keys = ["decision", "reply"];
    let answer = http.post(&route, &body.json(&keys)).await?;
    let failure = Failure::of(&answer);
    if answer.status == 404 && failure.as_ref().is_some_and(|failure| failure.is("SessionNotFoundError")) {
        // With its session gone nobody can answer the request any more, so nothing will run.
        return Ok(Outcome::RunGone);
    }
    let message = failure.and_then(|failure| failure.message().map(str::to_owned)).unwrap_or_default();
    if answer.status == 400 && message.contains("Missing key") {
        let named = keys.into_iter().find(|key| message.contains(&format!("\"{key}\"")));
        if let Some(key) = named {
            return Ok(outcome(&http.post(&route, &body.json(&[key])).await?));
        }
    }
    Ok(outcome(&answer))
}

/// Whether the server doesn't have the route at all.
fn is_missing(answer: &Answer) -> bool {
    let is_lost = || Failure::of(answer).is_some_and(|failure| failure.is("PermissionNotFoundError"));
    answer.kind == Kind::Html || answer.status == 405 || (answer.status == 404 && !is_lost())
}

/// What the server made of a reply. Only a plain yes is one.
fn outcome(answer: &Answer) -> Outcome {
    let failure = Failure::of(answer);
    match answer.status {
        204 => Outcome::Accepted,
        200..=299 => match answer.json().map(|text| text.trim() == "true") {
            Ok(true) => Outcome::Accepted,
            Ok(false) => Outcome::Failed { why: "the server's answer does not say that it took the reply".to_owned() },
            Err(error) => failed(&error),
        },
        404 if failure.as_ref().is_some_and(|failure| failure.is("PermissionNotFoundError")) => Outcome::Lost,
        status => {
            let message = failure.and_then(|failure| failure.message().map(str::to_owned));
            failed(&Error::Status { status, message })
        }
    }
}

fn failed(error: &Error) -> Outcome {
    Outcome::Failed { why: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_who_tells_losers() {
        let telling = ["1.15.0", "1.15.13", "1.18.33", "1.20.0-beta.1", "2.0.0"];
        let silent = ["1.14.41", "1.2.27", "0.5.29", "", "1", "dev", "1.x.3"];
        for version in telling {
            assert!(tells_losers(version), "{version}");
        }
        for version in silent {
            assert!(!tells_losers(version), "{version}");
        }
    }
}
