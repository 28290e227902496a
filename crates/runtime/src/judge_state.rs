//! How the judge does, and what about it is under way.

use gavel_core::text::{Language, Message};
use gavel_core::{Moment, Status, Verdict};
use gavel_judge::model::{Backend, Bounds, Options, fault_said};
use tokio_util::sync::CancellationToken;

use crate::api::{JudgeChoice, JudgeFailure, JudgeRow, PausedThread};
use crate::judge_setup::{Chosen, JudgeSetup};
use crate::settings::{JudgeSettings, Who};

/// The variable by which the environment decides who judges.
const DECIDES: &str = "GAVEL_JUDGE_MODEL";

/// Something about the judge has come to its end.
pub(crate) enum JudgeSaid {
    /// The judge of this turn can be asked from now on.
    Ready(u64, Box<JudgeSetup>),
    /// A key was put into the keychain under this account.
    KeyKept(String),
    /// The key of this account was taken out of the keychain; what it was, if there was one.
    KeyForgotten(String, Option<String>),
    /// The key that was forgotten at this moment can't be had again any more.
    KeyGone(Moment),
}

/// How the judge does, and what about it is under way.
pub(crate) struct JudgeState {
    /// The judge that nothing in the settings changes, if there is one.
    pub(crate) fixed: Option<JudgeSetup>,
    /// Grows with every change of who judges: a key that comes late is not for a judge that was chosen since.
    pub(crate) turn: u64,
    /// Whether it can be asked.
    pub(crate) ready: bool,
    /// How many requests it was asked about.
    pub(crate) asked: u64,
    answered: u64,
    /// When it last gave no verdict, and why.
    failed: Option<(Moment, Message)>,
    /// The test that is under way. Another one takes its place.
    test: CancellationToken,
    /// A key that was just forgotten.
    pub(crate) forgotten: Option<Forgotten>,
}

/// A key that was just forgotten, and can be had again for a while. It can't be printed.
pub(crate) struct Forgotten {
    /// The account it was kept under.
    pub(crate) account: String,
    /// The key.
    pub(crate) key: String,
    /// Until when it can be had again.
    pub(crate) until: Moment,
}

impl JudgeState {
    pub(crate) fn new(fixed: Option<JudgeSetup>) -> Self {
        let test = CancellationToken::new();
        Self { fixed, turn: 0, ready: false, asked: 0, answered: 0, failed: None, test, forgotten: None }
    }

    /// Another judge is asked from now on: what the one before did says nothing of it.
    pub(crate) fn begin(&mut self, ready: bool) {
        (self.ready, self.asked, self.answered, self.failed) = (ready, 0, 0, None);
    }

    /// The judge has spoken, or failed to.
    pub(crate) fn advised(&mut self, verdict: &Verdict, now: Moment) {
        if verdict.status == Status::Ok {
            self.answered += 1;
            return;
        }
        self.failed = Some((now, fault_said(verdict)));
    }

    /// A test begins; what ends it.
    pub(crate) fn begin_test(&mut self) -> CancellationToken {
        self.stop_test();
        self.test = CancellationToken::new();
        self.test.clone()
    }

    /// Gives up the test that is under way, if there is one.
    pub(crate) fn stop_test(&self) {
        self.test.cancel();
    }

    /// Whether nobody has chosen who judges.
    pub(crate) const fn is_by_default(&self, settings: &JudgeSettings) -> bool {
        self.fixed.is_none() && settings.who.is_none()
    }

    /// What is shown of it.
    pub(crate) fn row(
        &self,
        settings: &JudgeSettings,
        setup: &JudgeSetup,
        paused: Vec<PausedThread>,
        language: Language,
    ) -> JudgeRow {
        let in_language = |(at, why): &(Moment, Message)| JudgeFailure { at: at.0, why: why.in_language(language) };
        let choice = match &self.fixed {
            Some(fixed) => of_environment(fixed),
            None => settings.clone().into(),
        };
        JudgeRow {
            choice,
            by_default: self.is_by_default(settings),
            fixed: self.fixed.is_some().then(|| DECIDES.to_owned()),
            ready: self.ready,
            problem: setup.problem.as_ref().map(|problem| problem.in_language(language)),
            key_back_until: self.forgotten.as_ref().map(|forgotten| forgotten.until.0),
            asked: self.asked,
            answered: self.answered,
            failed: self.failed.as_ref().map(in_language),
            paused,
            defaults: Options::default(),
            bounds: Bounds::ALL,
        }
    }
}

/// What the environment has chosen, in the words of the settings.
fn of_environment(fixed: &JudgeSetup) -> JudgeChoice {
    let mut choice = JudgeChoice { options: fixed.options.clone(), ..JudgeChoice::default() };
    match &fixed.chosen {
        Chosen::Nobody => {}
        Chosen::SessionModel => choice.who = Who::SessionModel,
        Chosen::Model(backend) => {
            choice.who = Who::Endpoint;
            backend.model().clone_into(&mut choice.model);
            if let Backend::Http(endpoint) = backend {
                choice.provider = endpoint.kind;
                choice.base_url.clone_from(&endpoint.base_url);
                choice.key = crate::judge::key_of_environment(endpoint);
            }
        }
    }
    choice
}
