//! Forms that are raised, answered and cancelled.

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::World;
use super::ask::{Question, QuestionAnswer};
use super::happening::Happening;
use crate::form::{self, Answers, Choice, Field, Kind};
use crate::ids;
use crate::script::Inquiry;

/// For so long a form that is settled can still be looked at, in milliseconds.
const KEPT: u64 = 600_000;

/// A form.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) id: String,
    /// A session, or `global` for a form no session owns.
    pub(crate) owner: String,
    pub(crate) directory: String,
    pub(crate) title: String,
    pub(crate) metadata: Option<Value>,
    pub(crate) fields: Vec<Field>,
    pub(crate) state: State,
    /// The questions of a tool that it stands for, and the call that asks them.
    asked: Option<(Vec<Inquiry>, (String, String))>,
    settled: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum State {
    Pending,
    Answered(Answers),
    /// With a reason or without.
    Cancelled(Option<String>),
}

/// A form that is about to be raised.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewForm {
    pub(crate) id: Option<String>,
    pub(crate) owner: String,
    pub(crate) directory: String,
    pub(crate) title: String,
    pub(crate) metadata: Option<Value>,
    pub(crate) fields: Vec<Field>,
    pub(crate) asked: Option<(Vec<Inquiry>, (String, String))>,
}

/// A form with whoever waits for its end.
pub(super) type Raised = (Form, oneshot::Sender<State>);

/// Why a form is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unsettled {
    NoSuch,
    /// It was settled before.
    Late,
    /// The answer does not do, in the words for the wire.
    Answer(String),
}

impl World {
    /// The forms that wait for an answer, oldest first.
    pub(crate) fn pending_forms(&self) -> impl Iterator<Item = &Form> {
        self.forms.iter().map(|(form, _)| form).filter(|form| form.state == State::Pending)
    }

    /// A form of an owner, pending or settled not long ago.
    pub(crate) fn form(&self, owner: &str, id: &str) -> Option<&Form> {
        self.forms.iter().map(|(form, _)| form).find(|form| form.id == id && form.owner == owner)
    }

    /// Raises a form. `None` if there is one of that identifier.
    pub(crate) fn raise(&mut self, new: NewForm) -> Option<(Form, oneshot::Receiver<State>)> {
        let now = ids::now();
        self.forms.retain(|(form, _)| form.settled.is_none_or(|at| now.saturating_sub(at) < KEPT));
        let NewForm { id, owner, directory, title, metadata, fields, asked } = new;
        let id = id.unwrap_or_else(|| self.mint.ascending("frm"));
        if self.forms.iter().any(|(form, _)| form.id == id) {
            return None;
        }
        let form = Form { id, owner, directory, title, metadata, fields, state: State::Pending, asked, settled: None };
        let (end, waiting) = oneshot::channel();
        self.forms.push((form.clone(), end));
        self.emit(&form.directory, Happening::FormRaised(form.clone()));
        Some((form, waiting))
    }

    /// Answers a form.
    pub(crate) fn answer_form(&mut self, owner: &str, id: &str, answers: Answers) -> Result<(), Unsettled> {
        let form = self.form(owner, id).ok_or(Unsettled::NoSuch)?;
        if form.state != State::Pending {
            return Err(Unsettled::Late);
        }
        form::check(&form.fields, &answers).map_err(Unsettled::Answer)?;
        self.settle_form(id, State::Answered(answers));
        Ok(())
    }

    /// Cancels a form.
    pub(crate) fn cancel_form(&mut self, owner: &str, id: &str, message: Option<String>) -> Result<(), Unsettled> {
        let form = self.form(owner, id).ok_or(Unsettled::NoSuch)?;
        if form.state != State::Pending {
            return Err(Unsettled::Late);
        }
        self.settle_form(id, State::Cancelled(message));
        Ok(())
    }

    /// Cancels all pending forms that this is true of.
    pub(super) fn cancel_forms(&mut self, doomed: impl Fn(&Form) -> bool) {
        let ids: Vec<String> = self.pending_forms().filter(|form| doomed(form)).map(|form| form.id.clone()).collect();
        for id in ids {
            self.settle_form(&id, State::Cancelled(None));
        }
    }

    /// Drops the pending forms of a session without a word.
    pub(super) fn drop_forms(&mut self, session: &str) {
        self.forms.retain(|(form, _)| form.owner != session || form.state != State::Pending);
    }

    fn settle_form(&mut self, id: &str, state: State) {
        let Some((form, end)) = self.forms.iter_mut().find(|(form, _)| form.id == id) else { return };
        form.state = state.clone();
        form.settled = Some(ids::now());
        let (form, (silent, _)) = (form.clone(), oneshot::channel());
        // Whoever waited may be gone; the form is settled all the same.
        let _ = std::mem::replace(end, silent).send(state.clone());
        self.emit(
            &form.directory,
            match state {
                State::Answered(answers) => Happening::FormAnswered { form: form.id, owner: form.owner, answers },
                _ => Happening::FormCancelled { form: form.id, owner: form.owner },
            },
        );
    }

    /// The questions of a tool as a form.
    pub(crate) fn questions_as_form(
        &mut self,
        session: &str,
        inquiries: Vec<Inquiry>,
        tool: (String, String),
    ) -> Option<oneshot::Receiver<State>> {
        let metadata = json!({ "kind": "question", "tool": { "messageID": tool.0, "id": tool.1 } });
        let new = NewForm {
            owner: session.to_owned(),
            directory: self.directory_of(session),
            title: "Questions".to_owned(),
            metadata: Some(metadata),
            fields: inquiries.iter().enumerate().map(|(at, one)| as_field(at, one)).collect(),
            asked: Some((inquiries, tool)),
            id: None,
        };
        self.raise(new).map(|(_, waiting)| waiting)
    }

    /// The pending forms that stand for questions, as questions.
    pub(super) fn questions_in_forms(&self) -> Vec<Question> {
        let as_question = |form: &Form| {
            let (inquiries, tool) = form.asked.clone()?;
            let (id, session, directory) = (form.id.clone(), form.owner.clone(), form.directory.clone());
            Some(Question { id, session, directory, inquiries, tool })
        };
        self.pending_forms().filter_map(as_question).collect()
    }
}

fn as_field(at: usize, inquiry: &Inquiry) -> Field {
    let choices: Vec<Choice> = inquiry
        .options
        .iter()
        .map(|(label, description)| Choice {
            value: label.clone(),
            label: label.clone(),
            description: (!description.is_empty()).then(|| description.clone()),
        })
        .collect();
    let custom = Some(true);
    let kind = if inquiry.multiple {
        Kind::Several { choices, fewest: None, most: None, custom }
    } else {
        let choices = Some(choices);
        let (format, shortest, longest, pattern, placeholder) = (None, None, None, None, None);
        Kind::Text { format, shortest, longest, pattern, placeholder, choices, custom }
    };
    Field {
        key: format!("q{at}"),
        title: Some(inquiry.header.clone()),
        description: Some(inquiry.question.clone()),
        required: None,
        hidden: None,
        when: None,
        kind,
        default: None,
    }
}

/// The answers to the questions of a form, in the order of the questions; none for those left out.
pub(crate) fn answers_in_order(count: usize, answers: &Answers) -> QuestionAnswer {
    let one = |at: usize| match answers.get(&format!("q{at}")) {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Some((0..count).map(one).collect())
}
