//! Calls that put a form before the user.

use serde_json::{Value, json};

use super::tools::{Done, Refusal, Refused};
use super::work::{DISMISSED, Started};
use super::{Gone, Run};
use crate::form::{Answers, Field};
use crate::world::forms::{NewForm, State};

/// What a form that is settled means for the call that raised it.
pub(super) fn outcome(state: State) -> Result<Answers, Refused> {
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
