//! The judge is asked about requests, in tasks of their own, and no longer than somebody waits for it.

use std::collections::HashMap;

use gavel_core::flow::Event;
use gavel_core::{Ask, Finding, JudgeName, Opinion, RequestKey, Tokens};
use gavel_judge::model::{Backend, Brief, Judge, Judged, Usage};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

use crate::context::Words;
use crate::judge_setup::{Chosen, JudgeSetup};
use crate::message::Message;
use crate::picture;

/// The judge, and what it is being asked.
pub(crate) struct Advice {
    judge: Judge,
    setup: JudgeSetup,
    /// Grows with every change of the judge: what one that was asked before says is no word of this one.
    turn: u64,
    messages: UnboundedSender<Message>,
    under_way: HashMap<RequestKey, AbortHandle>,
}

impl Advice {
    pub(crate) fn new(setup: JudgeSetup, messages: UnboundedSender<Message>) -> Self {
        Self { judge: Judge::new(), setup, turn: 0, messages, under_way: HashMap::new() }
    }

    /// Another judge is asked from now on, or the same one otherwise. What the one before was asked, and what it said,
    /// is of no use any more.
    pub(crate) fn set_up(&mut self, setup: JudgeSetup) {
        self.under_way.drain().for_each(|(_, call)| call.abort());
        self.judge = Judge::new();
        self.setup = setup;
        self.turn += 1;
    }

    /// Whether this is the judge that is asked now.
    pub(crate) const fn is_of(&self, turn: u64) -> bool {
        self.turn == turn
    }

    /// Who is asked now.
    pub(crate) const fn setup(&self) -> &JudgeSetup {
        &self.setup
    }

    /// The judge that is asked now, if it is always the same one.
    pub(crate) fn asked(&self) -> Option<JudgeName> {
        match &self.setup.chosen {
            Chosen::Nobody | Chosen::SessionModel => None,
            Chosen::Model(backend) => Some(name_of(backend)),
        }
    }

    /// Asks about `ask`, unless nobody judges its kind. Whatever was asked about an older edition is dropped.
    /// It is told what the user said, once that is known.
    pub(crate) fn seek(&mut self, ask: Ask, edition: u32, finding: Finding, words: Words) {
        self.drop_call(&ask.key);
        // More is changed than a judge would be told.
        if !picture::is_whole(&ask.detail) {
            return;
        }
        let options = self.setup.options.clone();
        if !options.judges(&ask.action) {
            return;
        }
        let backend = match &self.setup.chosen {
            Chosen::Nobody | Chosen::SessionModel => return,
            Chosen::Model(backend) => backend.clone(),
        };
        let judge = self.judge.clone();
        let (messages, turn, key) = (self.messages.clone(), self.turn, ask.key.clone());
        let under = key.clone();
        let name = name_of(&backend);
        let _ = messages.send(Message::Advice(turn, Event::JudgeAsked { key: key.clone(), edition }));
        let call = tokio::spawn(async move {
            let said = if options.session_context { words.known().await } else { None };
            let brief = Brief::of(&ask, said.as_deref(), Some(&finding));
            let opinion = opinion(judge.judge(&backend, &brief, &options).await, name);
            let _ = messages.send(Message::Advice(turn, Event::Advised { key, edition, opinion }));
        });
        // Of what is settled the machine says so; what has ended by itself is let go with the next one.
        self.under_way.retain(|_, call| !call.is_finished());
        self.under_way.insert(under, call.abort_handle());
    }

    /// Nobody waits for the verdict on `key` any more.
    pub(crate) fn drop_call(&mut self, key: &RequestKey) {
        if let Some(call) = self.under_way.remove(key) {
            call.abort();
        }
    }
}

/// The name of a judge, as it stands in the log and on the report card.
pub(crate) fn name_of(backend: &Backend) -> JudgeName {
    JudgeName { provider: backend.provider().to_owned(), model: backend.model().to_owned() }
}

/// What `judge` said, with all that is worth keeping of it. What another request brought about is paid for there.
fn opinion(judged: Judged, judge: JudgeName) -> Opinion {
    let usage = if judged.shared { Usage::default() } else { judged.usage };
    Opinion {
        verdict: judged.verdict,
        judge: Some(judge),
        detail: judged.fault.as_ref().and_then(|fault| fault.logged().1),
        tokens: Tokens { prompt: usage.prompt, completion: usage.completion },
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::{Class, Detail, Recommendation, Route};
    use gavel_judge::model::{Access, Endpoint, Headers, Kind, Options};
    use serde_json::{Value, json};

    use super::*;

    fn edit(metadata: Value) -> Ask {
        Ask {
            key: RequestKey::new("http://s", "per_1"),
            session: "ses_1".into(),
            directory: "/p".into(),
            route: Route::V2,
            action: "edit".into(),
            resources: vec!["a".into()],
            save: Vec::new(),
            call: None,
            asked: None,
            detail: Detail { diff: Some("+++ a\n+x\n".into()), metadata, ..Detail::default() },
        }
    }

    #[tokio::test]
    async fn nobody_is_asked_about_a_change_of_which_they_would_be_told_a_part() {
        let whole = json!({ "files": [{ "file": "a", "patch": "+x" }] });
        let more = json!({ "files": [{ "file": "a", "patch": "+x" }, { "file": "b", "patch": "+y" }] });
        let finding = Finding {
            recommendation: Recommendation::Ask,
            reason: "changes `a`".into(),
            class: Class::Writes,
            segments: Vec::new(),
        };
        for (metadata, asked) in [(json!({}), true), (whole, true), (more, false)] {
            let (messages, mut inbox) = tokio::sync::mpsc::unbounded_channel();
            let endpoint = Endpoint {
                kind: Kind::OpenAi,
                base_url: "http://127.0.0.1:1/v1".into(),
                model: "small".into(),
                access: Access::Open,
                headers: Headers::default(),
            };
            let setup = JudgeSetup::of(Backend::Http(endpoint), Options::default());
            let mut advice = Advice::new(setup, messages);
            advice.seek(edit(metadata.clone()), 1, finding.clone(), Words::none());
            let told = matches!(inbox.try_recv(), Ok(Message::Advice(0, Event::JudgeAsked { edition: 1, .. })));
            assert_eq!(told, asked, "{metadata}");
        }
    }
}
