//! Carrying out what hosts ask about questions, and what the machine wants done about them.

use std::time::Duration;

use gavel_core::flow::{Event, Outcome, QuestionEntry, Server};
use gavel_core::question::{self, Field, Kind, Problem, Question, Response};
use gavel_core::text::{Language, plain};
use gavel_core::{RequestKey, say};

use crate::api::{self, Answer, Code};
use crate::calls::Reply;
use crate::drafts;
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::handle::Wish;
use crate::message::Message;
use crate::picture;

/// How long an answer may be looked at before the server is left to judge it. Patterns come from agents, and some can
/// keep a machine busy for ever.
const PATIENCE: Duration = Duration::from_millis(500);

impl Driver {
    pub(crate) fn find_question(&self, key: &RequestKey) -> Option<(&QuestionEntry, &Server)> {
        let server = self.flow.servers().get(&key.server)?;
        Some((server.questions.get(&key.request)?, server))
    }

    /// Sends an answer; comes back as [`Event::Replied`].
    pub(crate) fn send_answer(&mut self, question: Box<Question>, response: Response) {
        let connection = self.servers.connection(&question.key.server);
        let stay = self.servers.stay(&question.key.server);
        self.replies.spawn(async move {
            let outcome = match connection {
                Some(connection) => connection.answer(&question, &response).await,
                None => Outcome::Failed { why: say!("there is no connection to the server") },
            };
            (stay, Event::Replied(question.key, outcome))
        });
    }

    /// Gives the answer that a button of the notification stands for. What it says is known to the notifier: it gives no
    /// clicks on a text that has changed since.
    pub(crate) fn choose(&mut self, key: RequestKey, at: usize) {
        let asked = self.find_question(&key).map(|(entry, _)| question::quick(&entry.question));
        match asked.and_then(|answers| answers.into_iter().nth(at)) {
            Some((_, answer)) => {
                let response = Response::Answer { answer };
                self.feed(Event::Respond { key, response, edition: None });
            }
            None => {
                let _ = self.wishes.send(Wish::Show(key));
            }
        }
    }

    pub(crate) fn answer_question(&mut self, key: RequestKey, given: question::Answer, edition: u32, answer: Reply) {
        let Some((entry, _)) = self.find_question(&key) else {
            let _ = answer.send(Err(gone()));
            return;
        };
        let fields = entry.question.fields.clone();
        let (messages, language) = (self.messages.clone(), self.language());
        let stay = self.servers.stay(&key.server);
        tokio::spawn(async move {
            let complete = question::complete(&fields, &given);
            let problems = problems(&fields, &complete).await;
            let answered = if problems.is_empty() {
                let response = Response::Answer { answer: complete };
                let _ =
                    messages.send(Message::Event(Some(stay), Event::Respond { key, response, edition: Some(edition) }));
                Answer::Done
            } else {
                checked(&fields, &given, &problems, language)
            };
            // A host that no longer waits has closed its window; what it asked is done all the same.
            let _ = answer.send(Ok(answered));
        });
    }

    pub(crate) fn cancel_question(&mut self, key: RequestKey, reason: Option<String>) -> Answer {
        let reason = reason.map(|reason| reason.trim().to_owned()).filter(|reason| !reason.is_empty());
        self.feed(Event::Respond { key, response: Response::Cancel { reason }, edition: None });
        Answer::Done
    }

    pub(crate) fn check_answer(&self, key: &RequestKey, given: question::Answer, answer: Reply) {
        let Some((entry, _)) = self.find_question(key) else {
            let _ = answer.send(Err(gone()));
            return;
        };
        let fields = entry.question.fields.clone();
        let language = self.language();
        tokio::spawn(async move {
            let problems = problems(&fields, &question::complete(&fields, &given)).await;
            let _ = answer.send(Ok(checked(&fields, &given, &problems, language)));
        });
    }

    pub(crate) fn keep_draft(&mut self, key: RequestKey, draft: Option<String>) -> Result<Answer, Failed> {
        let asked = self.find_question(&key).map(|(entry, _)| question::full_text(&entry.question));
        let changed = match (asked, draft) {
            (Some(_), Some(draft)) if draft.len() > drafts::LONGEST => {
                return Err(Failed {
                    code: Code::Failed,
                    message: say!("This is too long to be kept while it is not sent."),
                    hint: say!("Send it, or keep it somewhere else."),
                });
            }
            (Some(asked), Some(draft)) => self.drafts.keep(key, asked, draft, now()),
            (_, None) => self.drafts.forget(&key),
            // It was settled meanwhile.
            (None, Some(_)) => false,
        };
        if changed {
            self.write_drafts()?;
        }
        Ok(Answer::Done)
    }

    pub(crate) fn drop_draft(&mut self, key: &RequestKey) {
        if self.drafts.forget(key) {
            // The log has it that they are not being kept.
            let _ = self.write_drafts();
        }
    }

    fn write_drafts(&self) -> Result<(), Failed> {
        (self.keep_drafts)(&self.drafts).map_err(|why| {
            tracing::error!("what is half typed is not being kept: {why}");
            Failed {
                code: Code::Failed,
                message: say!("What you type will be forgotten when Gavel ends: {}.", plain(why)),
                hint: say!("See that Gavel's data folder can be written."),
            }
        })
    }

    pub(crate) fn open_link(&self, key: &RequestKey, field: &str, answer: Reply) {
        let Some((entry, _)) = self.find_question(key) else {
            let _ = answer.send(Err(gone()));
            return;
        };
        let url = entry.question.fields.iter().find(|one| one.key == field).and_then(|field| match &field.kind {
            Kind::External { url } => picture::link(url),
            _ => None,
        });
        let result = match url {
            Some(url) => {
                let _ = self.wishes.send(Wish::Open(url));
                Ok(Answer::Done)
            }
            None => Err(Failed {
                code: Code::Failed,
                message: say!("Gavel does not open this address."),
                hint: say!("Copy it if you trust it."),
            }),
        };
        let _ = answer.send(result);
    }
}

/// What is wrong with an answer; nothing, if that takes too long to find out.
async fn problems(fields: &[Field], answer: &question::Answer) -> Vec<Problem> {
    let (done, found) = tokio::sync::oneshot::channel();
    let (fields, answer) = (fields.to_vec(), answer.clone());
    // Not one of the runtime's threads: the end of the program waits for those.
    std::thread::spawn(move || done.send(question::problems(&fields, &answer)));
    tokio::time::timeout(PATIENCE, found).await.ok().and_then(Result::ok).unwrap_or_default()
}

fn checked(fields: &[Field], given: &question::Answer, problems: &[Problem], language: Language) -> Answer {
    let active = question::active(fields, given).into_iter().map(|field| field.key.clone()).collect();
    let problems: Vec<api::Problem> = problems.iter().map(|problem| picture::problem(problem, language)).collect();
    Answer::Checked { problems, active }
}

fn gone() -> Failed {
    Failed {
        code: Code::QuestionGone,
        message: say!("This question is no longer there."),
        hint: say!("It was answered elsewhere, or its run ended."),
    }
}
