//! One tool call from its start to its end.

use serde_json::{Value, json};

use super::tools::{Done, Effect, Prepared, Refusal, Refused, second};
use super::{Gone, Run};
use crate::ids;
use crate::script::Prompt;
use crate::world::World;
use crate::world::ask::{Answer, Gate};
use crate::world::customs::Kit;
use crate::world::happening::{CallName, CallResult, Happening};
use crate::world::message::{Part, PartBody, ToolState};
use crate::world::rules::{effect_name, rule};
use crate::world::session::{NewSession, RunEnd};
use gavel_core::rules::{Effect as RuleEffect, Rule};

const DECLINED: &str = "The user rejected permission to use this specific tool call";
const CANCELLED: &str = "Task cancelled";

/// A call that was made.
#[derive(Debug, Clone)]
pub(super) struct Started {
    /// Its place among the calls of its message.
    pub(super) index: usize,
    pub(super) call: String,
    pub(super) prepared: Prepared,
    /// With this call the same was called three times in a row.
    pub(super) repeats: bool,
    session: String,
    pub(super) message: String,
    part: String,
    start: u64,
}

/// A call that came to its end.
pub(super) struct Outcome {
    pub(super) index: usize,
    pub(super) result: Result<Done, Refused>,
    started: Started,
    end: u64,
    shown: bool,
}

impl Started {
    pub(super) fn new(world: &mut World, session: &str, message: &str, index: usize, prepared: Prepared) -> Started {
        let (call, part) = world.call_ids();
        let (session, message) = (session.to_owned(), message.to_owned());
        Started { index, call, prepared, repeats: false, session, message, part, start: ids::now() }
    }

    fn name(&self) -> CallName {
        CallName { session: self.session.clone(), message: self.message.clone(), id: self.call.clone() }
    }

    /// Says that the call was begun and made.
    pub(super) fn announce(&self, world: &mut World) {
        let directory = world.directory_of(&self.session);
        let tool = self.prepared.asked_for.clone();
        world.announce(&directory, Happening::CallBegan { call: self.name(), tool });
        let input = self.prepared.input.clone();
        world.announce(&directory, Happening::CallMade { call: self.name(), input });
    }

    pub(super) fn show_pending(&self, world: &mut World) {
        self.put(world, &self.prepared.asked_for, ToolState::Pending);
    }

    /// A sub-agent's call is shown as running while it waits for leave, and then once its session is there.
    pub(super) fn show_running(&self, world: &mut World, waits: bool) {
        if waits || !matches!(self.prepared.effect, Effect::Agent { .. }) {
            self.put_running(world, None, None);
        }
    }

    fn put_running(&self, world: &mut World, title: Option<String>, metadata: Option<Value>) {
        let input = self.prepared.input.clone();
        self.put(world, &self.prepared.tool, ToolState::Running { input, title, metadata, start: self.start });
    }

    fn put(&self, world: &mut World, tool: &str, state: ToolState) {
        let (id, message, session) = (self.part.clone(), self.message.clone(), self.session.clone());
        let body = PartBody::Tool { tool: tool.to_owned(), call: self.call.clone(), state: Box::new(state) };
        world.put_part(Part { id, message, session, body });
    }

    /// Not before its part was shown, which a doom loop holds back.
    fn tell(&self, world: &mut World, title: Option<String>, metadata: Value) {
        if world.has_part(&self.session, &self.message, &self.part) {
            self.put_running(world, title, Some(metadata));
        }
    }
}

impl Outcome {
    /// Shows the end of the call, once.
    pub(super) fn show(&mut self, world: &mut World) {
        if std::mem::replace(&mut self.shown, true) {
            return;
        }
        let (input, start, end) = (self.started.prepared.input.clone(), self.started.start, self.end);
        let state = match &self.result {
            Ok(Done { output, title, metadata, .. }) => ToolState::Completed {
                input,
                output: output.clone(),
                title: title.clone(),
                metadata: metadata.clone(),
                start,
                end,
            },
            Err(Refused { text, metadata, .. }) => {
                ToolState::Error { input, text: text.clone(), metadata: metadata.clone(), start, end }
            }
        };
        let result = match &self.result {
            Ok(Done { output, metadata, .. }) => {
                CallResult::Done { output: output.clone(), metadata: metadata.clone() }
            }
            Err(Refused { text, metadata, .. }) => {
                CallResult::Failed { text: text.clone(), metadata: metadata.clone() }
            }
        };
        self.started.put(world, &self.started.prepared.tool, state);
        let directory = world.directory_of(&self.started.session);
        world.announce(&directory, Happening::CallEnded { call: self.started.name(), result });
    }
}

/// What a declined call gives back.
pub(super) fn declined(reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{DECLINED} with the following feedback: {reason}"),
        None => format!("{DECLINED}."),
    }
}

fn forbidden(rules: &[Rule]) -> String {
    let written = |rule: &Rule| json!({ "permission": rule.action, "action": effect_name(rule.effect), "pattern": rule.resource });
    let rules = Value::from(rules.iter().map(written).collect::<Vec<_>>());
    format!(
        "The user has specified a rule which prevents you from using this specific tool call. \
         Here are some of the relevant rules {rules}"
    )
}

fn failed(text: String, metadata: Option<Value>) -> Refused {
    Refused { text, why: Refusal::Failed, metadata }
}

impl Run {
    /// Waits for leave, then does what the call does.
    pub(super) async fn work(&self, mut started: Started, gate: Gate) -> Result<Outcome, Gone> {
        let result = match self.pass(&mut started, gate).await? {
            Ok(()) => self.execute(&started).await?,
            Err(refused) => Err(refused),
        };
        Ok(Outcome { index: started.index, result, started, end: ids::now(), shown: false })
    }

    async fn pass(&self, started: &mut Started, mut gate: Gate) -> Result<Result<(), Refused>, Gone> {
        loop {
            match gate {
                Gate::Open => {}
                Gate::Forbidden(rules) => {
                    let text = match started.prepared.kit {
                        Kit::First => forbidden(&rules),
                        Kit::Second { .. } => second::forbidden(&started.prepared),
                    };
                    return Ok(Err(failed(text, None)));
                }
                Gate::Waiting(_, answer) => match answer.await {
                    Ok(Answer::Allowed) => {}
                    Ok(Answer::Declined(reason)) => {
                        let text = match started.prepared.kit {
                            Kit::First => declined(reason.as_deref()),
                            Kit::Second { .. } => second::declined(&started.prepared, reason.as_deref()),
                        };
                        return Ok(Err(Refused { text, why: Refusal::Declined(reason), metadata: None }));
                    }
                    // The request was forgotten; the run is about to be taken away.
                    Err(_) => return Err(Gone),
                },
            }
            let Some(wish) = started.prepared.wishes.pop_front() else { return Ok(Ok(())) };
            let tool = Some((started.message.clone(), started.call.clone()));
            gate = self.act(|world| world.wish(&self.session, wish, tool))?;
        }
    }

    async fn execute(&self, started: &Started) -> Result<Result<Done, Refused>, Gone> {
        match &started.prepared.effect {
            Effect::Nothing(done) => Ok(Ok(done.clone())),
            Effect::Run(what, done) => {
                self.act(|world| {
                    world.record_execution(&self.session, &started.prepared.tool, what);
                    if let Some(diff) = &done.diff {
                        let directory = world.directory_of(&self.session);
                        world.announce(&directory, Happening::FileEdited { file: diff.file.clone() });
                        let changed = Happening::FileChanged { file: diff.file.clone(), created: diff.created };
                        world.announce(&directory, changed);
                    }
                    for metadata in &done.meanwhile {
                        started.tell(world, None, metadata.clone());
                    }
                })?;
                Ok(Ok(done.clone()))
            }
            Effect::Question(inquiries) => self.inquire(started, inquiries).await,
            Effect::Form { title, kind, fields } => self.present(started, title, kind, fields).await,
            Effect::Agent { title, kind, prompt } => self.delegate(started, title, kind, prompt).await,
        }
    }

    async fn delegate(
        &self,
        started: &Started,
        title: &str,
        kind: &str,
        prompt: &str,
    ) -> Result<Result<Done, Refused>, Gone> {
        let prompt = Prompt::read(prompt).unwrap_or_else(|why| Prompt::baffled(prompt, &why));
        let has_agents = prompt.script.has_agents();
        let (child, metadata) = self.act(|world| {
            world.record_execution(&self.session, &started.prepared.tool, title);
            let rules = match started.prepared.kit {
                // A sub-agent may not start agents, unless its script says that it does.
                Kit::First if has_agents => Vec::new(),
                Kit::First => vec![rule("task", "*", RuleEffect::Deny)],
                Kit::Second { .. } => {
                    world.session(&self.session).map(|parent| parent.rules.clone()).unwrap_or_default()
                }
            };
            let child = world.create_session(NewSession {
                directory: world.directory_of(&self.session),
                title: Some(format!("{title} (@{kind} subagent)")),
                parent: Some(self.session.clone()),
                agent: Some(kind.to_owned()),
                rules,
                ..NewSession::default()
            });
            let metadata = json!({
                "parentSessionId": self.session, "sessionId": child.id,
                "model": { "modelID": crate::MODEL, "providerID": crate::PROVIDER },
            });
            started.tell(world, Some(title.to_owned()), metadata.clone());
            (child.id, metadata)
        })?;
        let end = match self.agents.prompt(&child, prompt) {
            Ok(end) => end.await.unwrap_or(RunEnd::Aborted),
            Err(_) => RunEnd::Broken,
        };
        Ok(match end {
            RunEnd::Finished(words) => {
                let mut metadata = metadata;
                if let Some(fields) = metadata.as_object_mut() {
                    fields.insert("truncated".to_owned(), json!(false));
                }
                let output = format!(
                    "<task id=\"{child}\" state=\"completed\">\n<task_result>\n{words}\n</task_result>\n</task>"
                );
                Ok(Done { output, title: title.to_owned(), metadata, ..Done::default() })
            }
            RunEnd::Stopped(text) => Err(failed(format!("Subagent failed (task_id: {child}): {text}"), Some(metadata))),
            RunEnd::Aborted => Err(failed(CANCELLED.to_owned(), Some(metadata))),
            RunEnd::Broken => {
                Err(failed(format!("Subagent failed (task_id: {child}): its run broke off"), Some(metadata)))
            }
        })
    }
}
