//! Trying the judge: it is asked about a command that is not run, and everything that was said is shown.

use gavel_core::display::visible;
use gavel_core::{Detail, Finding};
use gavel_judge::model::{Backend, Brief, Judge, Judged, Options, Round};
use gavel_judge::offline::{self, Subject};

use crate::api::{Answer, Code, Failure, JudgeRound, JudgeTest};
use crate::calls::Reply;
use crate::driver::Driver;
use crate::judge_setup::Chosen;

/// What a judge is asked about unless the user types something else: harmless, and plainly what was wished for.
const SAMPLE: &str = "npm test";

/// What the user has asked for in that case.
const WISH: &str = "Run the tests and tell me which of them fail.";

/// Where it is said to run. No place of the user's is told.
const PROJECT: &str = "/home/user/shop";

/// The most of an answer that is shown, in bytes.
const LONGEST: usize = 64 * 1024;

/// The longest command, in bytes.
const LONGEST_COMMAND: usize = 64 * 1024;

impl Driver {
    /// Asks the judge about `command`, in a task of its own.
    pub(crate) fn test_judge(&mut self, command: String, answer: Reply) {
        let setup = self.advice.setup().clone();
        let backend = match setup.chosen {
            _ if command.len() > LONGEST_COMMAND => Err(failure("The command is too long.", "Try a shorter one.")),
            Chosen::Model(backend) => Ok(backend),
            Chosen::SessionModel => Err(failure(
                "Each session is judged by its own model, and this is no session.",
                "What it says stands with the requests of the session.",
            )),
            Chosen::Nobody if !self.judge.ready => Err(failure("The judge is still being set up.", "Try it again.")),
            Chosen::Nobody => Err(failure("Nobody judges.", "Choose who does first.")),
        };
        let backend = match backend {
            Ok(backend) => backend,
            Err(failure) => {
                let _ = answer.send(Err(failure));
                return;
            }
        };
        let stopped = self.judge.begin_test();
        tokio::spawn(async move {
            let result = tokio::select! {
                test = ask(&backend, &setup.options, command) => Ok(Answer::JudgeTest { test }),
                () = stopped.cancelled() => Err(failure("The test was stopped.", "")),
            };
            let _ = answer.send(result);
        });
    }
}

fn failure(message: &str, hint: &str) -> Failure {
    Failure { code: Code::Failed, message: message.to_owned(), hint: hint.to_owned() }
}

async fn ask(backend: &Backend, options: &Options, command: String) -> JudgeTest {
    let (command, wish) = if command.trim().is_empty() { (SAMPLE.to_owned(), Some(WISH)) } else { (command, None) };
    let detail = Detail { command: Some(command.clone()), placed: true, ..Detail::default() };
    let resources = [command.clone()];
    let subject = Subject { action: "shell", resources: &resources, detail: &detail, project: PROJECT, home: None };
    let finding: Finding = offline::verdict(&subject);
    let brief = Brief {
        scope: "test".to_owned(),
        action: "shell",
        resources: &resources,
        project: PROJECT,
        detail: &detail,
        request: wish,
        finding: Some(&finding),
    };
    // A judge that remembers nothing: what is tried is the one that is asked.
    let judged = Judge::new().judge(backend, &brief, options).await;
    told(backend, &command, judged)
}

fn told(backend: &Backend, command: &str, judged: Judged) -> JudgeTest {
    let verdict = judged.verdict;
    JudgeTest {
        command: visible(command),
        who: visible(&format!("{} {}", backend.provider(), backend.model())),
        recommendation: verdict.recommendation,
        reason: visible(verdict.reason.strip_prefix("no verdict: ").unwrap_or(&verdict.reason)),
        status: verdict.status,
        took: verdict.took,
        asked_tokens: judged.usage.prompt,
        answered_tokens: judged.usage.completion,
        rounds: judged.exchange.rounds.iter().map(round).collect(),
    }
}

fn round(round: &Round) -> JudgeRound {
    let end = round.answer.floor_char_boundary(LONGEST.min(round.answer.len()));
    let (head, rest) = round.answer.split_at(end);
    let mut answer = visible(head);
    if !rest.is_empty() {
        answer.push_str(&format!("… ({} more characters)", rest.chars().count()));
    }
    JudgeRound { request: visible(&round.request), status: round.status, answer }
}
