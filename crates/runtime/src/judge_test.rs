//! Trying the judge: it is asked about a command that is not run, and everything that was said is shown.

use std::pin::Pin;

use gavel_core::display::visible;
use gavel_core::text::{Language, Message as Sentence};
use gavel_core::{Ask, Detail, Dialect, Finding, Origin, RequestKey, Route, Status, say};
use gavel_judge::model::{Backend, Brief, Judge, Judged, Options, Round, fault_said};
use gavel_judge::offline::{self, Subject};
use gavel_opencode::Connection;

use crate::api::{Answer, Code, JudgeRound, JudgeTest};
use crate::calls::Reply;
use crate::driver::Driver;
use crate::failure::Failed;
use crate::judge_setup::Chosen;
use crate::session_model;

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
        let ways: Result<Ways, Failed> = match setup.chosen {
            _ if command.len() > LONGEST_COMMAND => {
                Err(failure(say!("The command is too long."), say!("Try a shorter one.")))
            }
            Chosen::Model(backend) => Ok(Box::pin(std::future::ready(vec![backend]))),
            Chosen::SessionModel => match self.some_session() {
                Some((connection, ask)) => Ok(Box::pin(self.advice.ways(connection, ask))),
                None => Err(failure(
                    say!("No session is known whose model could be asked."),
                    say!("Begin one, and try it again."),
                )),
            },
            Chosen::Nobody if !self.judge.ready => {
                Err(failure(say!("The judge is still being set up."), say!("Try it again.")))
            }
            Chosen::Nobody => Err(failure(say!("Nobody judges."), say!("Choose who does first."))),
        };
        let ways = match ways {
            Ok(ways) => ways,
            Err(failure) => {
                let _ = answer.send(Err(failure));
                return;
            }
        };
        let stopped = self.judge.begin_test();
        let language = self.language();
        tokio::spawn(async move {
            let result = tokio::select! {
                test = ask(ways, &setup.options, command, language) => test.map(|test| Answer::JudgeTest { test }),
                () = stopped.cancelled() => Err(failure(say!("The test was stopped."), Sentence::default())),
            };
            let _ = answer.send(result);
        });
    }

    /// A session whose model can be asked, one that works if there is one, and something that it might have asked for.
    fn some_session(&self) -> Option<(Connection, Ask)> {
        let online = self.flow.servers().values().filter(|server| server.info.origin != Origin::Demo);
        let mut sessions: Vec<_> = online
            .filter_map(|server| Some((server, server.link.dialect()?)))
            .flat_map(|(server, dialect)| server.sessions.all().map(move |session| (server, dialect, session)))
            .collect();
        sessions.sort_by_key(|(server, _, session)| (!server.running.contains(&session.id), session.id.clone()));
        let (server, dialect, session) = sessions.first()?;
        let ask = Ask {
            key: RequestKey::new(server.info.id.as_str(), "test"),
            session: session.id.clone(),
            directory: session.directory.clone(),
            route: if *dialect == Dialect::V1 { Route::V1 } else { Route::V2 },
            action: "shell".to_owned(),
            resources: Vec::new(),
            save: Vec::new(),
            call: None,
            asked: None,
            detail: Detail::default(),
        };
        Some((self.servers.connection(&server.info.id)?, ask))
    }
}

/// The judges to ask, one after the other until one of them has a key.
type Ways = Pin<Box<dyn Future<Output = Vec<Backend>> + Send>>;

const fn failure(message: Sentence, hint: Sentence) -> Failed {
    Failed { code: Code::Failed, message, hint }
}

async fn ask(ways: Ways, options: &Options, command: String, language: Language) -> Result<JudgeTest, Failed> {
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
    let mut rounds = Vec::new();
    let mut test = None;
    for way in ways.await {
        // A judge that remembers nothing: what is tried is the one that is asked.
        let judged = Judge::new().judge(&way, &brief, options).await;
        rounds.extend(judged.exchange.rounds.iter().map(|one| round(one, language)));
        let locked_out = session_model::is_locked_out(&judged);
        test = Some(told(&way, &command, judged, language));
        if !locked_out {
            break;
        }
    }
    let test = test.ok_or_else(|| failure(say!("There is nobody to ask."), say!("Choose who judges.")))?;
    Ok(JudgeTest { rounds, ..test })
}

/// What is shown of a verdict; what was said is added by the caller.
fn told(backend: &Backend, command: &str, judged: Judged, language: Language) -> JudgeTest {
    let verdict = judged.verdict;
    JudgeTest {
        command: visible(command),
        who: visible(&format!("{} {}", backend.provider(), backend.model())),
        recommendation: verdict.recommendation,
        reason: match verdict.status {
            Status::Ok => visible(&verdict.reason_in(language)),
            _ => fault_said(&verdict).in_language(language),
        },
        status: verdict.status,
        took: verdict.took,
        asked_tokens: judged.usage.prompt,
        answered_tokens: judged.usage.completion,
        rounds: Vec::new(),
    }
}

fn round(round: &Round, language: Language) -> JudgeRound {
    let end = round.answer.floor_char_boundary(LONGEST.min(round.answer.len()));
    let (head, rest) = round.answer.split_at(end);
    let mut answer = visible(head);
    if !rest.is_empty() {
        answer.push_str("… ");
        answer.push_str(&say!("({} more characters)", rest.chars().count()).in_language(language));
    }
    JudgeRound { request: visible(&round.request), status: round.status, answer }
}
