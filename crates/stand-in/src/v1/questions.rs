//! Questions: the list, the answers, and the refusal to answer.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use serde_json::Value;

use super::intake::{self, Directory};
use super::refusals::Refusal;
use super::{App, bodies};
use crate::world::ask::QuestionAnswer;

/// `GET /question`: what is pending in one directory.
pub(super) async fn list(State(app): State<App>, directory: Directory) -> Json<Vec<Value>> {
    let pending = app.agents.stage.see(crate::World::questions);
    Json(pending.iter().filter(|question| question.directory == directory.path).map(bodies::question).collect())
}

/// `POST /question/{id}/reply`: any number of any texts will do, as with the real server.
pub(super) async fn reply(
    State(app): State<App>,
    Path(id): Path<String>,
    directory: Directory,
    body: Bytes,
) -> Result<Json<bool>, Refusal> {
    Refusal::unless_prefixed(&id, "que", "requestID")?;
    let fields = intake::object(&body)?;
    let answers = intake::field(&fields, "answers")?;
    let answers = answers.as_array().ok_or_else(|| {
        let message = format!("Expected array, got {answers}\n  at [\"answers\"]");
        Refusal::payload(&message)
    })?;
    let answers = answers.iter().enumerate().map(|(index, answer)| labels(index, answer)).collect::<Result<_, _>>()?;
    settle(&app, &id, &directory.path, Some(answers))
}

/// `POST /question/{id}/reject`: a body is not looked at.
pub(super) async fn reject(
    State(app): State<App>,
    Path(id): Path<String>,
    directory: Directory,
) -> Result<Json<bool>, Refusal> {
    Refusal::unless_prefixed(&id, "que", "requestID")?;
    settle(&app, &id, &directory.path, None)
}

fn labels(index: usize, answer: &Value) -> Result<Vec<String>, Refusal> {
    let place = format!("\n  at [\"answers\"][{index}]");
    let wrong = || Refusal::payload(&format!("Expected QuestionAnswer, got {answer}{place}"));
    let label = |(at, label): (usize, &Value)| {
        let text = label.as_str().map(str::to_owned);
        text.ok_or_else(|| Refusal::payload(&format!("Expected string, got {label}{place}[{at}]")))
    };
    answer.as_array().ok_or_else(wrong)?.iter().enumerate().map(label).collect()
}

fn settle(app: &App, id: &str, directory: &str, answers: QuestionAnswer) -> Result<Json<bool>, Refusal> {
    let settled = app.agents.stage.with(|world| world.answer(id, directory, answers));
    settled.map(|()| Json(true)).ok_or_else(|| Refusal::NoQuestion(id.to_owned()))
}
