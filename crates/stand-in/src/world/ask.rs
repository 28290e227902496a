//! Requests for permission, questions, and their answers.

use serde_json::Value;
use tokio::sync::oneshot;

use gavel_core::rules::{Effect, Rule};

use super::World;
use super::customs::{Approvals, Orphans};
use super::happening::Happening;
use super::rules::{Plea, rule};
use crate::script::Inquiry;

/// A pending request for permission.
#[derive(Debug, Clone)]
pub struct Ask {
    /// `per_…`
    pub id: String,
    /// The session whose agent asks; for a sub-agent the child.
    pub session: String,
    /// The directory under which clients find it.
    pub directory: String,
    /// Its kind: `bash`, `edit`, …; in words of 2.x under 2.x.
    pub permission: String,
    /// What it is about.
    pub patterns: Vec<String>,
    /// What the tool says about it.
    pub metadata: Value,
    /// What "always" would allow.
    pub always: Vec<String>,
    /// The message and the call that ask, if it is a call that asks.
    pub tool: Option<(String, String)>,
    /// What a plugin says about why it is asked.
    pub message: Option<String>,
    agent: Option<String>,
    insists: bool,
}

/// A pending question.
#[derive(Debug, Clone)]
pub struct Question {
    /// `que_…`; under 2.x the form's, `frm_…`.
    pub id: String,
    /// The session whose agent asks.
    pub session: String,
    /// The directory under which clients find it.
    pub directory: String,
    /// The questions, in order.
    pub inquiries: Vec<Inquiry>,
    pub(crate) tool: (String, String),
}

/// An answer to a request for permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// This time.
    Once,
    /// This time, and whatever matches: until the server restarts under 1.x, for good in this project under 2.x.
    Always,
    /// No.
    Reject,
}

impl Reply {
    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reply::Once => "once",
            Reply::Always => "always",
            Reply::Reject => "reject",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Reply> {
        [Reply::Once, Reply::Always, Reply::Reject].into_iter().find(|reply| reply.name() == name)
    }
}

/// What a waiting call is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Allowed,
    /// With the user's reason, if this very request was declined with one.
    Declined(Option<String>),
}

/// What a waiting question is told: the answers, or that it was dismissed.
pub(crate) type QuestionAnswer = Option<Vec<Vec<String>>>;

/// What a call wants leave for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wish {
    /// Its identifier, if it is given from outside.
    pub(crate) id: Option<String>,
    pub(crate) permission: String,
    pub(crate) patterns: Vec<String>,
    pub(crate) metadata: Value,
    pub(crate) always: Vec<String>,
    /// Whose rules count, if not those of the session's agent.
    pub(crate) agent: Option<String>,
    /// A plugin wants it asked where only the blanket rule of an agent allows it.
    pub(crate) insists: bool,
    /// What that plugin says.
    pub(crate) message: Option<String>,
}

/// What stands between a call and its execution.
#[derive(Debug)]
pub(crate) enum Gate {
    Open,
    /// By these rules, or others they stand among.
    Forbidden(Vec<Rule>),
    /// Under this identifier.
    Waiting(String, oneshot::Receiver<Answer>),
}

impl Ask {
    fn plea(&self) -> Plea<'_> {
        Plea {
            session: &self.session,
            agent: self.agent.as_deref(),
            action: &self.permission,
            resources: &self.patterns,
            insists: self.insists,
        }
    }
}

impl World {
    /// The pending requests, oldest first. Those of aborted and deleted runs are among them.
    #[must_use]
    pub fn pending(&self) -> Vec<Ask> {
        self.asks.iter().map(|(ask, _)| ask.clone()).collect()
    }

    /// The pending questions, oldest first.
    #[must_use]
    pub fn questions(&self) -> Vec<Question> {
        let asked = self.questions.iter().map(|(question, _)| question.clone());
        asked.chain(self.questions_in_forms()).collect()
    }

    /// Whether someone still waits for this request's answer; `false` for a zombie.
    #[must_use]
    pub fn is_awaited(&self, id: &str) -> bool {
        self.asks.iter().any(|(ask, waiting)| ask.id == id && !waiting.is_closed())
    }

    /// Asks for leave, unless the rules have an answer already.
    pub(crate) fn wish(&mut self, session: &str, wish: Wish, tool: Option<(String, String)>) -> Gate {
        let Some(directory) = self.thread(session).map(|thread| thread.session.directory.clone()) else {
            return Gate::Forbidden(Vec::new());
        };
        let Wish { id, permission, patterns, metadata, always, agent, insists, message } = wish;
        let id = id.unwrap_or_else(|| self.mint.ascending("per"));
        let session = session.to_owned();
        let ask = Ask { id, session, directory, permission, patterns, metadata, always, tool, message, agent, insists };
        match self.effect(ask.plea()) {
            Effect::Allow => return Gate::Open,
            Effect::Deny => return Gate::Forbidden(self.rules_about(&ask.session, &ask.permission)),
            Effect::Ask => {}
        }
        let (answer, waiting) = oneshot::channel();
        let id = ask.id.clone();
        self.asks.push((ask.clone(), answer));
        self.emit(&ask.directory.clone(), Happening::Asked(ask));
        Gate::Waiting(id, waiting)
    }

    /// Answers a request. `None` if there is none of that name in that directory; without a directory, in any.
    pub(crate) fn reply(
        &mut self,
        id: &str,
        directory: Option<&str>,
        reply: Reply,
        reason: Option<&str>,
    ) -> Option<()> {
        let here = |ask: &Ask| directory.is_none_or(|directory| directory == ask.directory);
        let at = self.asks.iter().position(|(ask, _)| ask.id == id && here(ask))?;
        let ask = self.settle(at, reply, reason)?;
        match reply {
            Reply::Once => {}
            Reply::Always => self.approve_for_good(&ask),
            Reply::Reject => self.sweep(&ask.session),
        }
        Some(())
    }

    /// What `always` leaves behind, and whom else it answers.
    fn approve_for_good(&mut self, ask: &Ask) {
        let in_memory = self.customs.approvals == Approvals::InMemory;
        if in_memory {
            let rules = ask.always.iter().map(|pattern| rule(&ask.permission, pattern, Effect::Allow));
            self.granted.entry(ask.directory.clone()).or_default().extend(rules.collect::<Vec<Rule>>());
        } else if ask.always.is_empty() {
            // Nothing was saved, so this was no more than `once`.
            return;
        } else {
            let project = self.places.project(&ask.directory).id;
            for pattern in &ask.always {
                self.save(&project, &ask.permission, pattern);
            }
        }
        let touched =
            |other: &Ask| if in_memory { other.session == ask.session } else { other.directory == ask.directory };
        while let Some(at) =
            self.asks.iter().position(|(other, _)| touched(other) && self.effect(other.plea()) == Effect::Allow)
        {
            self.settle(at, Reply::Always, None);
        }
    }

    /// What becomes of what a session asks for when its run has ended, or there is no such session any more.
    pub(super) fn orphan(&mut self, session: &str) {
        match self.customs.orphans {
            Orphans::Linger => {}
            Orphans::Rejected => {
                self.sweep(session);
                self.cancel_forms(|form| form.owner == session);
            }
            Orphans::Dropped => {
                self.asks.retain(|(ask, _)| ask.session != session);
                self.drop_forms(session);
            }
        }
    }

    /// Rejects whatever a session still asks for.
    pub(super) fn sweep(&mut self, session: &str) {
        while let Some(at) = self.asks.iter().position(|(ask, _)| ask.session == session) {
            self.settle(at, Reply::Reject, None);
        }
    }

    fn settle(&mut self, at: usize, reply: Reply, reason: Option<&str>) -> Option<Ask> {
        if at >= self.asks.len() {
            return None;
        }
        let (ask, waiting) = self.asks.remove(at);
        // Nobody waits for the answer to a zombie: it is taken all the same, and nothing runs.
        let _ = waiting.send(match reply {
            Reply::Once | Reply::Always => Answer::Allowed,
            Reply::Reject => Answer::Declined(reason.map(str::to_owned)),
        });
        self.emit(&ask.directory, Happening::Replied { session: ask.session.clone(), ask: ask.id.clone(), reply });
        Some(ask)
    }

    /// Asks the user a question.
    pub(crate) fn question(
        &mut self,
        session: &str,
        inquiries: Vec<Inquiry>,
        tool: (String, String),
    ) -> oneshot::Receiver<QuestionAnswer> {
        let (answer, waiting) = oneshot::channel();
        let directory = self.thread(session).map(|thread| thread.session.directory.clone()).unwrap_or_default();
        let id = self.mint.ascending("que");
        let question = Question { id, session: session.to_owned(), directory, inquiries, tool };
        self.questions.push((question.clone(), answer));
        self.emit(&question.directory.clone(), Happening::QuestionAsked(question));
        waiting
    }

    /// Answers or dismisses a question. `None` if there is none of that name in that directory.
    pub(crate) fn answer(&mut self, id: &str, directory: &str, answers: QuestionAnswer) -> Option<()> {
        let at = self.questions.iter().position(|(one, _)| one.id == id && one.directory == directory)?;
        let (question, waiting) = self.questions.remove(at);
        let (session, id) = (question.session, question.id);
        // An aborted run left nobody who waits; the question is settled all the same.
        let _ = waiting.send(answers.clone());
        self.emit(
            &question.directory,
            match answers {
                Some(answers) => Happening::QuestionAnswered { session, question: id, answers },
                None => Happening::QuestionDismissed { session, question: id },
            },
        );
        Some(())
    }

    /// Forgets all requests and grants of a directory: as a disposed instance does.
    pub(crate) fn forget_directory(&mut self, directory: &str) {
        self.looks.remove(directory);
        if self.customs.orphans != Orphans::Linger {
            while let Some(at) = self.asks.iter().position(|(ask, _)| ask.directory == directory) {
                self.settle(at, Reply::Reject, None);
            }
            self.cancel_forms(|form| form.directory == directory);
        }
        self.asks.retain(|(ask, _)| ask.directory != directory);
        self.questions.retain(|(question, _)| question.directory != directory);
        self.granted.remove(directory);
    }
}
