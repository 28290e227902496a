//! Calls that put questions or a form before the user.

use serde_json::{Value, json};

use super::tools::{Done, Refusal, Refused};
use super::work::Started;
use super::{Gone, Run};
use crate::form::{Answers, Field};
use crate::script::Inquiry;
use crate::world::customs::Kit;
use crate::world::forms::{NewForm, State, answers_in_order};

const DISMISSED: &str = "The user dismissed this question";

/// What a form that is settled means for the call that raised it.
fn outcome(state: State) -> Result<Answers, Refused> {
    match state {
        State::Answered(answers) => Ok(answers),
        // The model hears why, and goes on.
        State::Cancelled(Some(text)) => Err(Refused { text, why: Refusal::Failed, metadata: None }),
        State::Cancelled(None) | State::Pending => {
            Err(Refused { text: DISMISSED.to_owned(), why: Refusal::Dismissed, metadata: None })
        }
    }
}

impl Run {
    /// Asks questions and waits for the answers.
    pub(super) async fn inquire(
        &self,
        started: &Started,
        inquiries: &[Inquiry],
    ) -> Result<Result<Done, Refused>, Gone> {
        let tool = (started.message.clone(), started.call.clone());
        let count = inquiries.len();
        let answers = match started.prepared.kit {
            Kit::First => {
                let waiting = self.act(|world| world.question(&self.session, inquiries.to_vec(), tool))?;
                waiting.await.map_err(|_| Gone)?
            }
            Kit::Second { .. } => {
                let inquiries = inquiries.to_vec();
                let waiting = self.act(|world| world.questions_as_form(&self.session, inquiries, tool))?.ok_or(Gone)?;
                match outcome(waiting.await.map_err(|_| Gone)?) {
                    Ok(answers) => answers_in_order(count, &answers),
                    Err(refused) => return Ok(Err(refused)),
                }
            }
        };
        let Some(answers) = answers else {
            return Ok(Err(Refused { text: DISMISSED.to_owned(), why: Refusal::Dismissed, metadata: None }));
        };
        let said = inquiries.iter().enumerate().map(|(index, inquiry)| {
            let answer = match answers.get(index) {
                Some(labels) if !labels.is_empty() => labels.join(", "),
                _ => "Unanswered".to_owned(),
            };
            format!("\"{}\"=\"{answer}\"", inquiry.question)
        });
        let said = said.collect::<Vec<_>>().join(", ");
        Ok(Ok(Done {
            output: format!(
                "User has answered your questions: {said}. You can now continue with the user's answers in mind."
            ),
            title: format!("Asked {count} question{}", if count == 1 { "" } else { "s" }),
            metadata: json!({ "answers": answers, "truncated": false }),
            ..Done::default()
        }))
    }

    /// Raises a form and waits for its end.
    pub(super) async fn present(
        &self,
        started: &Started,
        title: &str,
        kind: &str,
        fields: &[Field],
    ) -> Result<Result<Done, Refused>, Gone> {
        let tool = json!({ "messageID": started.message, "id": started.call });
        let raised = self.act(|world| {
            world.raise(NewForm {
                owner: self.session.clone(),
                directory: world.directory_of(&self.session),
                title: title.to_owned(),
                metadata: Some(json!({ "kind": kind, "tool": tool })),
                fields: fields.to_vec(),
                ..NewForm::default()
            })
        })?;
        let (_, waiting) = raised.ok_or(Gone)?;
        Ok(outcome(waiting.await.map_err(|_| Gone)?).map(|answers| {
            let output = Value::Object(answers.clone()).to_string();
            Done { output, title: title.to_owned(), metadata: json!({ "answer": answers }), ..Done::default() }
        }))
    }
}
