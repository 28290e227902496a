//! The judge is asked about requests, in tasks of their own, and no longer than somebody waits for it.

use std::collections::HashMap;
use std::sync::Arc;

use gavel_core::flow::Event;
use gavel_core::{Ask, Finding, JudgeName, Opinion, RequestKey, ServerId, SessionId, Tokens, say};
use gavel_judge::model::{Backend, Brief, Fault, Judge, Judged, Usage};
use gavel_opencode::Connection;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use crate::asides::Marks;
use crate::context::Words;
use crate::judge_setup::{Chosen, JudgeSetup};
use crate::message::Message;
use crate::picture;
use crate::servers::Stay;
use crate::session_model;

/// What is put before a judge.
pub(crate) struct Case {
    /// The request.
    pub(crate) ask: Ask,
    /// The time during which its server is watched.
    pub(crate) stay: Stay,
    /// Its edition.
    pub(crate) edition: u32,
    /// What the analysis on this machine says of it.
    pub(crate) finding: Finding,
    /// What the user said.
    pub(crate) words: Words,
}

/// The judge, and what it is being asked.
pub(crate) struct Advice {
    judge: Judge,
    setup: JudgeSetup,
    /// Grows with every change of the judge: what one that was asked before says is no word of this one.
    turn: u64,
    messages: UnboundedSender<Message>,
    under_way: HashMap<RequestKey, JoinHandle<()>>,
    marks: Arc<Marks>,
    /// A directory on this machine that is no project.
    elsewhere: Option<String>,
}

impl Advice {
    pub(crate) fn new(
        setup: JudgeSetup,
        messages: UnboundedSender<Message>,
        marks: Arc<Marks>,
        elsewhere: Option<String>,
    ) -> Self {
        Self { judge: Judge::new(), setup, turn: 0, messages, under_way: HashMap::new(), marks, elsewhere }
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
    /// The judge is told what the user said, once that is known. `connection` leads to the server that asks.
    pub(crate) fn seek(&mut self, case: Case, connection: Option<Connection>) {
        let Case { ask, stay, edition, finding, words } = case;
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
            Chosen::Nobody => return,
            Chosen::SessionModel => None,
            Chosen::Model(backend) => Some(backend.clone()),
        };
        let (judge, marks, elsewhere) = (self.judge.clone(), Arc::clone(&self.marks), self.elsewhere.clone());
        let (messages, turn, key) = (self.messages.clone(), self.turn, ask.key.clone());
        let under = key.clone();
        let _ = messages.send(Message::Advice(turn, stay.clone(), Event::JudgeAsked { key: key.clone(), edition }));
        let call = tokio::spawn(async move {
            let said = if options.session_context { words.known().await } else { None };
            let brief = Brief::of(&ask, said.as_deref(), Some(&finding));
            let ways = match (backend, connection) {
                (Some(backend), _) => vec![backend],
                (None, Some(connection)) => session_model::ways(&connection, &ask, elsewhere.as_deref(), &marks).await,
                (None, None) => Vec::new(),
            };
            let mut said = unheard();
            for way in ways {
                let judged = judge.judge(&way, &brief, &options).await;
                let locked_out = session_model::is_locked_out(&judged);
                said = opinion(judged, name_of(&way));
                if !locked_out {
                    break;
                }
            }
            let _ = messages.send(Message::Advice(turn, stay, Event::Advised { key, edition, opinion: said }));
        });
        // Of what is settled the machine says so; what has ended by itself is let go with the next one.
        self.under_way.retain(|_, call| !call.is_finished());
        self.under_way.insert(under, call);
    }

    /// The ways to the model of the session that `ask` comes from, the best one first.
    pub(crate) fn ways(&self, connection: Connection, ask: Ask) -> impl Future<Output = Vec<Backend>> + Send + use<> {
        let (marks, elsewhere) = (Arc::clone(&self.marks), self.elsewhere.clone());
        async move { session_model::ways(&connection, &ask, elsewhere.as_deref(), &marks).await }
    }

    /// A session has ended: nothing is asked there any more.
    pub(crate) fn forget(&self, server: &ServerId, session: &SessionId) {
        self.judge.forget(&Brief::scope(server, session));
    }

    /// Ends all calls, and returns when none of them does anything any more.
    pub(crate) async fn finish(&mut self) {
        let calls: Vec<_> = self.under_way.drain().map(|(_, call)| call).collect();
        calls.iter().for_each(JoinHandle::abort);
        for call in calls {
            // That it was ended is no failure of its.
            let _ = call.await;
        }
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

/// What is said where there is nobody to ask.
fn unheard() -> Opinion {
    let fault = Fault::Network(say!("there is no connection to the server"));
    Opinion { verdict: fault.verdict(0), judge: None, detail: fault.logged().1, tokens: Tokens::default() }
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
            said: gavel_core::text::Message::default(),
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
            let mut advice = Advice::new(setup, messages, Marks::unkept(), None);
            let (ask, finding, words) = (edit(metadata.clone()), finding.clone(), Words::none());
            let stay = Stay::of(ask.key.server.clone());
            advice.seek(Case { ask, stay, edition: 1, finding, words }, None);
            let told = matches!(inbox.try_recv(), Ok(Message::Advice(0, _, Event::JudgeAsked { edition: 1, .. })));
            assert_eq!(told, asked, "{metadata}");
        }
    }
}
