//! From decisions to the words of a 2.x server. Nothing here ever turns an error into an approval.

use std::time::Duration;

use gavel_core::flow::Outcome;
use gavel_core::question::{Question, Response};
use gavel_core::rules::Rule;
use gavel_core::{Ask, Decision, SessionId, say};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::note;
use super::routes::Routes;
use crate::Error;
use crate::dialect::answer::outcome as outcome_of_answer;
use crate::dialect::failure::{Failure, done, is_no_route};
use crate::dialect::lenient::{self, mend};
use crate::dialect::reply::{Body, failed, outcome};
use crate::dialect::wire;
use crate::http::{Answer, Http, path};

/// Sends `decision` about `ask`.
///
/// A decline is preceded by a steering note, so that the agent learns why whatever its tool makes of the refusal.
/// Whether the request still stands is looked at first: a note about one that somebody else has answered would be a
/// lie. A note that can't be left keeps no refusal from being sent.
pub async fn reply(http: &Http, ask: &Ask, decision: &Decision) -> Outcome {
    if let Decision::Decline { reason } = decision
        && let Ok(Some(settled)) = timeout(PATIENCE, explain(http, ask, reason)).await
    {
        return settled;
    }
    send(http, ask, Body::of(decision)).await.unwrap_or_else(|error| failed(&error))
}

/// How long a refusal may be held up by its explanation.
const PATIENCE: Duration = Duration::from_secs(2);

/// Tells the agent why its call is about to be declined. What became of the request, if that is settled already.
async fn explain(http: &Http, ask: &Ask, reason: &str) -> Option<Outcome> {
    let answer = http.get(&route(ask, &[])).await.ok()?;
    if let Some(settled) = is_gone(&answer) {
        return Some(settled);
    }
    // Without a clear word that it is pending, somebody may have approved it.
    if (is_pending(&answer) || is_no_route(&answer))
        && let Err(error) = note::declined(http, ask, reason).await
    {
        tracing::info!(%error, "a steering note was not left");
    }
    None
}

fn route(ask: &Ask, last: &[&str]) -> String {
    let mut segments = vec!["api", "session", ask.session.as_str(), "permission", ask.key.request.as_str()];
    segments.extend(last);
    path(&segments, &[])
}

/// Whether the answer shows a request.
fn is_pending(answer: &Answer) -> bool {
    answer.json().is_ok_and(|body| lenient::read::<wire::Enveloped<'_>>(&mend(body)).is_ok())
}

/// What became of the request, if it is no longer pending. Unclear answers say nothing.
fn is_gone(answer: &Answer) -> Option<Outcome> {
    let failure = Failure::of(answer).filter(|_| answer.status == 404)?;
    if failure.is("PermissionNotFoundError") {
        Some(Outcome::Lost)
    } else if failure.is("SessionNotFoundError") {
        // With its session gone nobody can answer the request any more, so nothing will run.
        Some(Outcome::RunGone)
    } else {
        None
    }
}

/// Sends a reply on the routes that 2.x has, and 1.18 for its preview.
pub async fn send(http: &Http, ask: &Ask, body: Body<'_>) -> Result<Outcome, Error> {
    // The word moved from one key to the other between releases, and either ignores the other's.
    const KEYS: [&str; 2] = ["decision", "reply"];
    let route = route(ask, &["reply"]);
    let answer = http.post(&route, &body.json(&KEYS)).await?;
    if let Some(gone) = is_gone(&answer) {
        return Ok(gone);
    }
    let failure = Failure::of(&answer);
    let message = failure.and_then(|failure| failure.message().map(str::to_owned)).unwrap_or_default();
    if answer.status == 400 && message.contains("Missing key") {
        let named = KEYS.into_iter().find(|key| message.contains(&format!("\"{key}\"")));
        if let Some(key) = named {
            let answer = http.post(&route, &body.json(&[key])).await?;
            return Ok(is_gone(&answer).unwrap_or_else(|| outcome(&answer)));
        }
    }
    Ok(outcome(&answer))
}

/// Replaces the rules of a session. `false` if this server can't.
///
/// # Errors
/// The server did not do it.
pub async fn set_session_rules(
    http: &Http,
    routes: &Routes,
    session: &SessionId,
    rules: &[Rule],
) -> Result<bool, Error> {
    let rules: Vec<Value> = rules
        .iter()
        .map(|rule| json!({ "action": rule.action, "resource": rule.resource, "effect": rule.effect }))
        .collect();
    let body = json!({ "permissions": rules });
    let session = session.as_str();
    let newer = async || http.patch(&path(&["api", "session", session], &[]), &body).await;
    let older = async || http.post(&path(&["api", "session", session, "permissions"], &[]), &body).await;
    let Some(answer) = routes.rules.go(newer, older).await? else { return Ok(false) };
    done(&answer).map(|()| true)
}

/// Answers a form, or cancels it.
pub async fn answer(http: &Http, routes: &Routes, question: &Question, response: &Response) -> Outcome {
    let owner = question.session.as_ref().map_or(GLOBAL, SessionId::as_str);
    let form = question.key.request.as_str();
    let outcome = match response {
        Response::Answer { answer } => {
            let route = path(&["api", "session", owner, "form", form, "reply"], &[]);
            let answered = http.post(&route, &json!({ "answer": answer })).await;
            answered.map(|answered| outcome_of_answer(&answered, &question.fields))
        }
        Response::Cancel { reason } => {
            cancel_form(http, routes, owner, form, reason.as_deref()).await.map(|outcome| match outcome {
                FormOutcome::Accepted => Outcome::Accepted,
                FormOutcome::Settled => Outcome::Lost,
                FormOutcome::Unsupported => {
                    Outcome::Failed { why: say!("this server has no way to cancel a question") }
                }
            })
        }
    };
    outcome.unwrap_or_else(|error| failed(&error))
}

/// The owner of forms that belong to no session.
pub(in crate::dialect) const GLOBAL: &str = "global";

/// What came of trying to settle a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormOutcome {
    /// The server took it.
    Accepted,
    /// Somebody else was first, or the form is no longer known.
    Settled,
    /// This server has no such route.
    Unsupported,
}

/// Cancels a form. `reason` is what the agent is told, where the server can pass it on; without one its run ends.
///
/// # Errors
/// The server did not do it.
pub async fn cancel_form(
    http: &Http,
    routes: &Routes,
    session: &str,
    form: &str,
    reason: Option<&str>,
) -> Result<FormOutcome, Error> {
    let query: Vec<(&str, &str)> = reason.map(|reason| ("message", reason)).into_iter().collect();
    let newer = async || http.delete(&path(&["api", "session", session, "form", form], &query)).await;
    let older = async || http.post(&path(&["api", "session", session, "form", form, "cancel"], &[]), &json!({})).await;
    let Some(answer) = routes.cancel.go(newer, older).await? else { return Ok(FormOutcome::Unsupported) };
    let settled = |name| Failure::named(&answer, name);
    if settled("FormNotFoundError") || settled("FormAlreadySettledError") || settled("SessionNotFoundError") {
        return Ok(FormOutcome::Settled);
    }
    done(&answer).map(|()| FormOutcome::Accepted)
}
