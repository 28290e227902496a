//! From decisions to the words of a 1.x server. Nothing here ever turns an error into an approval.

use gavel_core::flow::Outcome;
use gavel_core::question::{Question, Response};
use gavel_core::rules::Rule;
use gavel_core::{Ask, Decision, Route, SessionId};
use serde_json::{Value, json};

use super::session;
use crate::Error;
use crate::dialect::answer::{in_order, outcome as outcome_of_answer};
use crate::dialect::failure::{Failure, done, is_no_route};
use crate::dialect::reply::{Body, failed, outcome};
use crate::dialect::{Existence, list, v2};
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
        Outcome::Accepted | Outcome::Wordless | Outcome::Lost | Outcome::RunGone => Outcome::RunGone,
        failed @ (Outcome::Failed { .. } | Outcome::Refused(_)) => failed,
    }
}

async fn send(http: &Http, ask: &Ask, directory: &str, body: &Body<'_>) -> Outcome {
    match ask.route {
        Route::V1 => send_v1(http, ask, directory, *body).await,
        Route::Preview | Route::V2 => v2::to_wire::send(http, ask, *body).await,
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
        _ => match outcome(&answer) {
            // It passes no words on, and a refusal without any ends the run.
            Outcome::Accepted if body.message.is_some() => Outcome::Wordless,
            other => other,
        },
    })
}

/// Whether the server doesn't have the route at all.
fn is_missing(answer: &Answer) -> bool {
    let is_lost = || Failure::named(answer, "PermissionNotFoundError");
    answer.kind == Kind::Html || answer.status == 405 || (answer.status == 404 && !is_lost())
}

/// Appends `rules`, in the words of 1.x, to those of a session. `false` if this server can't.
///
/// # Errors
/// The server did not do it.
pub async fn append_session_rules(http: &Http, id: &SessionId, directory: &str, rules: &[Rule]) -> Result<bool, Error> {
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| json!({ "permission": rule.action, "pattern": rule.resource, "action": rule.effect }))
        .collect();
    let query: &[(&str, &str)] = if directory.is_empty() { &[] } else { &[("directory", directory)] };
    let answer = http.patch(&path(&["session", id.as_str()], query), &json!({ "permission": rules })).await?;
    // That the session is not there is said without a tag in this dialect.
    if is_no_route(&answer) && !Failure::named(&answer, "NotFoundError") {
        return Ok(false);
    }
    done(&answer).map(|()| true)
}

/// Answers `question`, or dismisses it. Words for the agent are not passed on in this dialect.
///
/// Before an answer the session is looked up: the run of a deleted one hangs on its question, and dismissing it is what
/// frees it.
pub async fn answer(http: &Http, version: &str, question: &Question, response: &Response) -> Outcome {
    let mut directory = question.directory.clone();
    let mut response = response.clone();
    let mut orphan = false;
    if let Some(id) = &question.session {
        match session(http, id, &directory).await {
            Ok(Existence::Alive(session)) if directory.is_empty() => directory = session.directory,
            Ok(Existence::Alive(_)) => {}
            Ok(Existence::Deleted) => {
                orphan = true;
                response = Response::Cancel { reason: None };
            }
            Err(error) => return failed(&error),
        }
    }
    if question.route == Route::V1 && !tells_losers(version) {
        let listed = list::question_ids(http, &directory).await;
        if listed.is_ok_and(|ids| !ids.contains(&question.key.request)) {
            return Outcome::Lost;
        }
    }
    match send_answer(http, question, &directory, &response).await {
        Ok(Outcome::Accepted | Outcome::Lost) if orphan => Outcome::RunGone,
        Ok(outcome) => outcome,
        Err(error) => failed(&error),
    }
}

async fn send_answer(http: &Http, question: &Question, directory: &str, response: &Response) -> Result<Outcome, Error> {
    let id = question.key.request.as_str();
    let session = question.session.as_ref().map(SessionId::as_str).unwrap_or_default();
    let (word, body) = match response {
        Response::Answer { answer } => ("reply", in_order(&question.fields, answer)),
        Response::Cancel { .. } => ("reject", json!({})),
    };
    let route = match question.route {
        Route::V1 => path(&["question", id, word], &[("directory", directory)]),
        Route::Preview | Route::V2 => path(&["api", "session", session, "question", id, word], &[]),
    };
    Ok(outcome_of_answer(&http.post(&route, &body).await?, &question.fields))
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
