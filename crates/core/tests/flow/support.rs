//! Transcripts: what happens to the flow machine and what it answers, as text.
//!
//! A line `> …` is an event (`@1500` before it sets the clock), the indented lines under it are the effects it must
//! have, in order (`publish` is left out: it says nothing about a request). A line `= …` is the inbox at that point.

use gavel_core::flow::{
    Effect, Ending, Event, Flow, Happened, Outcome, Phase, QuestionPhase, RuleOutcome, Scope, Timer, WireEvent,
};
use gavel_core::grants::{GrantId, Lasts};
use gavel_core::modes::{Cause, Defaults, Mode, Stance};
use gavel_core::question::{Answer, Choice, Field, Kind, Problem, Question, Response};
use gavel_core::rules::{Effect as RuleEffect, Rule, Saved};
use gavel_core::{
    Ask, CallRef, Decision, Detail, Dialect, Link, Moment, Origin, Reply, RequestKey, Route, ServerId, ServerInfo,
    Session, Settled,
};

pub const SERVER: &str = "http://s";

/// Request `id` of session `session`, e.g. `a/one`; a call may follow: `a/one/call`.
pub fn ask(spec: &str) -> Ask {
    let mut parts = spec.split('/');
    let id = parts.next().unwrap();
    let session = parts.next().unwrap_or("one");
    let call = parts.next();
    Ask {
        key: RequestKey::new(SERVER, id),
        session: session.into(),
        directory: "/p".into(),
        route: Route::V1,
        action: "shell".into(),
        resources: vec![format!("do {id}")],
        save: vec!["do *".into()],
        call: call.map(|call| CallRef { message: "msg".into(), call: call.into() }),
        asked: None,
        detail: Detail { command: Some(format!("do {id}")), ..Detail::default() },
    }
}

/// Question `id`, in the form of [`ask`]: one of two colours, or another. `:v2` at its end makes it a form.
pub fn question(spec: &str) -> Question {
    let (spec, route) = spec.strip_suffix(":v2").map_or((spec, Route::V1), |spec| (spec, Route::V2));
    let asked = ask(spec);
    let choice = |label: &str| Choice { value: label.into(), label: label.into(), description: None };
    Question {
        session: (asked.session.as_str() != "global").then_some(asked.session),
        key: asked.key,
        directory: asked.directory,
        route,
        title: "Questions".into(),
        fields: vec![Field {
            key: "q0".into(),
            title: Some("Colour".into()),
            description: Some("Which colour?".into()),
            required: false,
            hidden: false,
            when: vec![],
            default: None,
            kind: Kind::Text {
                format: None,
                min_length: None,
                max_length: None,
                pattern: None,
                placeholder: None,
                options: Some(vec![choice("Red"), choice("Blue")]),
                custom: true,
            },
        }],
        call: asked.call,
        asked: None,
        metadata: serde_json::Value::Null,
    }
}

fn questions(words: &[&str]) -> Vec<Question> {
    words.iter().map(|word| question(word)).collect()
}

/// An answer of one word.
pub fn answer(word: &str) -> Answer {
    Answer::from([("q0".to_owned(), word.into())])
}

fn respond(id: &str, response: Response, edition: Option<u32>) -> Event {
    Event::Respond { key: key(id), response, edition }
}

fn key(id: &str) -> RequestKey {
    RequestKey::new(SERVER, id)
}

fn asks(words: &[&str]) -> Vec<Ask> {
    words.iter().map(|word| ask(word)).collect()
}

fn decide(id: &str, decision: Decision, edition: Option<u32>) -> Event {
    Event::Decide { key: key(id), decision, edition }
}

fn reply(word: &str) -> Option<Reply> {
    match word {
        "once" => Some(Reply::Once),
        "always" => Some(Reply::Always),
        "reject" => Some(Reply::Reject),
        _ => None,
    }
}

fn online(version: &str, dialect: Dialect) -> Event {
    Event::Link(SERVER.into(), Link::Online { version: version.into(), dialect })
}

fn session(id: &str, rest: &[&str]) -> Session {
    Session {
        id: id.into(),
        parent: rest.first().map(|parent| (*parent).into()),
        title: format!("title of {id}"),
        directory: "/p".into(),
        agent: None,
    }
}

/// A rule of one word stands for any: only whether it is the same matters here.
fn rule(word: &str) -> Rule {
    Rule { action: word.into(), resource: "*".into(), effect: RuleEffect::Ask }
}

fn ruled(id: &str, outcome: RuleOutcome) -> Event {
    Event::Ruled { server: SERVER.into(), session: id.into(), outcome }
}

/// Choices such as `server=supervised`, `/p=full`, `one=auto+plan`.
fn defaults(choices: &[&str]) -> Defaults {
    let mut defaults = Defaults::default();
    for choice in choices {
        let (scope, stance) = choice.split_once('=').unwrap();
        let (mode, plan) = stance.strip_suffix("+plan").map_or((stance, false), |mode| (mode, true));
        let mode = match mode {
            "full" => Mode::FullAccess,
            "supervised" => Mode::Supervised,
            "auto" => Mode::Auto,
            "edits" => Mode::AutoAcceptEdits,
            other => panic!("no such mode: {other}"),
        };
        let stance = Stance { plan, ..Stance::from(mode) };
        if scope == "server" {
            defaults.servers.insert(SERVER.into(), stance);
        } else if scope.starts_with('/') {
            defaults.projects.insert(scope.into(), stance);
        } else {
            defaults.sessions.entry(SERVER.into()).or_default().insert(scope.into(), stance);
        }
    }
    defaults
}

/// Patterns have `_` for a space.
fn grant(pattern: &str, how: &[&str]) -> Decision {
    let number = |word: &str| how.iter().find_map(|part| part.strip_prefix(word)?.parse().ok());
    Decision::AllowForSession {
        patterns: vec![Saved { action: "shell".into(), resource: pattern.replace('_', " ") }],
        includes_children: how.contains(&"children"),
        lasts: Lasts {
            until: number("until=").map(Moment),
            uses: number("uses=").map(|uses| u32::try_from(uses).unwrap()),
            for_run: how.contains(&"run"),
        },
    }
}

pub fn event(line: &str) -> Event {
    let words: Vec<&str> = line.split_whitespace().collect();
    let wire = |event| Event::Wire(ServerId::from(SERVER), event);
    match words.as_slice() {
        ["server"] => Event::ServerAdded(ServerInfo { id: SERVER.into(), name: "s".into(), origin: Origin::Settings }),
        ["server-removed"] => Event::ServerRemoved(SERVER.into()),
        ["online"] => online("1.18.33", Dialect::V1),
        ["online-v2"] => online("2.1.2", Dialect::V2),
        ["offline"] => Event::Link(
            SERVER.into(),
            Link::Offline { reason: gavel_core::text::Message::verbatim("cut"), gone: false },
        ),
        ["gone"] => Event::Link(
            SERVER.into(),
            Link::Offline { reason: gavel_core::text::Message::verbatim("refused"), gone: true },
        ),
        ["another-program", rest @ ..] => Event::Link(
            SERVER.into(),
            Link::NotOpenCode { reason: gavel_core::text::Message::verbatim("a page"), gone: rest == ["gone"] },
        ),
        ["heard"] => Event::Heard(SERVER.into()),
        ["pause"] => Event::Pause(true),
        ["resume"] => Event::Pause(false),
        ["asked", spec] => wire(WireEvent::Asked(Box::new(ask(spec)))),
        ["asked-by-preview", spec] => wire(WireEvent::Asked(Box::new(Ask { route: Route::Preview, ..ask(spec) }))),
        ["answered", id, word] => wire(WireEvent::Answered { request: (*id).into(), reply: reply(word) }),
        ["run-ended", session] => wire(WireEvent::RunEnded((*session).into())),
        ["deleted", session] => wire(WireEvent::SessionDeleted((*session).into())),
        ["disposed", directory] => wire(WireEvent::Disposed(Some((*directory).into()))),
        ["disposed"] => wire(WireEvent::Disposed(None)),
        ["call-started", session, call, purpose] => wire(WireEvent::CallStarted {
            session: (*session).into(),
            call: CallRef { message: "msg".into(), call: (*call).into() },
            command: None,
            purpose: Some((*purpose).into()),
            workdir: None,
            placed: true,
        }),
        ["call-runs-in", session, call, workdir] => wire(WireEvent::CallStarted {
            session: (*session).into(),
            call: CallRef { message: "msg".into(), call: (*call).into() },
            command: None,
            purpose: None,
            workdir: Some((*workdir).into()),
            placed: true,
        }),
        ["call-ended", session, call] => {
            let call = CallRef { message: "msg".into(), call: (*call).into() };
            wire(WireEvent::CallEnded { session: (*session).into(), call })
        }
        ["session", id, rest @ ..] => wire(WireEvent::SessionSeen(session(id, rest))),
        ["began", id, rest @ ..] => wire(WireEvent::SessionBegan(session(id, rest))),
        ["runs", id] => wire(WireEvent::RunBegan((*id).into())),
        ["agents-changed", directory] => wire(WireEvent::AgentsChanged((*directory).into())),
        ["rules-ignored", id] => wire(WireEvent::RulesIgnored((*id).into())),
        ["rules", id, rules @ ..] => wire(WireEvent::RulesChanged {
            session: (*id).into(),
            rules: rules.iter().map(|word| rule(word)).collect(),
        }),
        ["chosen", choices @ ..] => Event::Stances(defaults(choices)),
        ["ruled", id, "deleted"] => ruled(id, RuleOutcome::Deleted),
        ["ruled", id, "unsupported"] => ruled(id, RuleOutcome::Unsupported),
        ["ruled", id, "failed"] => {
            ruled(id, RuleOutcome::Failed { why: gavel_core::text::Message::verbatim("no route") })
        }
        ["ruled", id, rules @ ..] => ruled(id, RuleOutcome::Stands(rules.iter().map(|word| rule(word)).collect())),
        ["rule-due", id] => Event::TimerFired(Timer::Rule(SERVER.into(), (*id).into())),
        ["grant", id, pattern, how @ ..] => decide(id, grant(pattern, how), None),
        ["always", id] => decide(id, Decision::AllowAlways, None),
        ["take-back", number] => Event::TakeBack(GrantId(number.parse().unwrap())),
        ["give-again", number] => Event::GiveAgain(GrantId(number.parse().unwrap())),
        ["away-due"] => Event::TimerFired(Timer::Away),
        ["grants-due"] => Event::TimerFired(Timer::Grants),
        ["session-changed", id] => wire(WireEvent::SessionChanged((*id).into())),
        ["in-sync"] => wire(WireEvent::InSync),
        ["list-began", number] => wire(WireEvent::ListBegan(number.parse().unwrap())),
        ["listed", number, rest @ ..] => {
            let split = rest.iter().position(|word| *word == "orphans").unwrap_or(rest.len());
            wire(WireEvent::Listed {
                number: number.parse().unwrap(),
                scope: Scope { route: Route::V1, directory: "/p".into() },
                asks: asks(&rest[..split]),
                orphans: asks(rest.get(split + 1..).unwrap_or_default()),
            })
        }
        ["question", spec] => wire(WireEvent::QuestionAsked(Box::new(question(spec)))),
        ["question", spec, "otherwise"] => {
            let mut other = question(spec);
            other.fields[0].description = Some("Which size?".into());
            wire(WireEvent::QuestionAsked(Box::new(other)))
        }
        ["was-answered", id] => {
            wire(WireEvent::QuestionEnded { request: (*id).into(), ending: Ending::Answered(None) })
        }
        ["was-answered", id, word] => {
            let ending = Ending::Answered(Some(answer(word)));
            wire(WireEvent::QuestionEnded { request: (*id).into(), ending })
        }
        ["was-cancelled", id] => wire(WireEvent::QuestionEnded { request: (*id).into(), ending: Ending::Cancelled }),
        ["questions", number, rest @ ..] | ["forms", number, rest @ ..] => {
            let split = rest.iter().position(|word| *word == "orphans").unwrap_or(rest.len());
            let route = if words.first() == Some(&"forms") { Route::V2 } else { Route::V1 };
            wire(WireEvent::QuestionsListed {
                number: number.parse().unwrap(),
                scope: Scope { route, directory: "/p".into() },
                questions: questions(&rest[..split]),
                orphans: questions(rest.get(split + 1..).unwrap_or_default()),
            })
        }
        ["answer", id, word] => respond(id, Response::Answer { answer: answer(word) }, None),
        ["answer", id, word, "edition", displayed] => {
            respond(id, Response::Answer { answer: answer(word) }, Some(displayed.parse().unwrap()))
        }
        ["cancel", id] => respond(id, Response::Cancel { reason: None }, None),
        ["cancel", id, reason] => respond(id, Response::Cancel { reason: Some((*reason).into()) }, None),
        ["refused", id] => {
            let problem = Problem { field: "q0".into(), message: "Invalid option for form field: q0".into() };
            Event::Replied(key(id), Outcome::Refused(problem))
        }
        ["allow", id] => decide(id, Decision::AllowOnce, None),
        ["allow", id, "edition", displayed] => decide(id, Decision::AllowOnce, Some(displayed.parse().unwrap())),
        ["decline", id] => decide(id, Decision::decline("no"), None),
        ["decline", id, "edition", displayed] => decide(id, Decision::decline("no"), Some(displayed.parse().unwrap())),
        ["stop", id] => decide(id, Decision::Stop, None),
        ["retry", id] => Event::Retry(key(id)),
        ["accepted", id] => Event::Replied(key(id), Outcome::Accepted),
        ["wordless", id] => Event::Replied(key(id), Outcome::Wordless),
        ["lost", id] => Event::Replied(key(id), Outcome::Lost),
        ["run-gone", id] => Event::Replied(key(id), Outcome::RunGone),
        ["failed", id] => {
            Event::Replied(key(id), Outcome::Failed { why: gavel_core::text::Message::verbatim("no route") })
        }
        ["grace-over", id] => Event::TimerFired(Timer::Grace(key(id))),
        ["unheard", id] => Event::TimerFired(Timer::Gone(key(id))),
        ["resend-due", id] => Event::TimerFired(Timer::Resend(key(id))),
        other => panic!("no such event: {other:?}"),
    }
}

fn decision(decision: &Decision) -> &'static str {
    match decision {
        Decision::AllowOnce => "allow",
        Decision::AllowForSession { .. } => "grant",
        Decision::AllowAlways => "always",
        Decision::Decline { .. } => "decline",
        Decision::Stop => "stop",
    }
}

fn settled(settled: &Settled) -> String {
    match settled {
        Settled::You { decision: taken } => format!("you {}", decision(taken)),
        Settled::YouStopped { .. } => "you stopped".into(),
        Settled::Grant { .. } => "grant".into(),
        Settled::Judge { allowed, .. } => format!("judge {}", if *allowed { "allow" } else { "deny" }),
        Settled::Rule { line, .. } => format!("rule {line}"),
        Settled::Swept => "swept".into(),
        Settled::AnotherClient { reply: Some(reply) } => format!("another-client {reply:?}").to_lowercase(),
        Settled::AnotherClient { reply: None } => "another-client".into(),
        Settled::YouAnswered { answers } => format!("you {}", answers[0].answer),
        Settled::YouCancelled { reason } => format!("you cancelled {}", reason.as_deref().unwrap_or("without a word")),
        Settled::AnsweredElsewhere { answers } => {
            format!("elsewhere {}", answers.first().map_or("somehow", |said| &said.answer))
        }
        Settled::CancelledElsewhere => "elsewhere cancelled".into(),
        Settled::Unseen => "unseen".into(),
        Settled::WhileAway => "while-away".into(),
        Settled::RunEnded => "run-ended".into(),
        Settled::ServerGone => "server-gone".into(),
    }
}

pub fn effect(effect: &Effect) -> Option<String> {
    Some(match effect {
        // `judging`, `advising` and `told` look at these by themselves.
        Effect::Publish
        | Effect::KeepTold
        | Effect::Judge { .. }
        | Effect::LookUpRule { .. }
        | Effect::Learn { .. }
        | Effect::AskJudge { .. }
        | Effect::DropJudge(_) => return None,
        Effect::Record(record) => {
            let id = &record.key.request;
            match &record.what {
                Happened::Decided { decision: taken } => format!("record {id} decided {}", decision(taken)),
                Happened::Responded { response: given } => format!("record {id} responded {}", response(given)),
                Happened::Undelivered { .. } => format!("record {id} undelivered"),
                Happened::Settled { settled: how } => format!("record {id} settled {}", settled(how)),
            }
        }
        Effect::Reply { ask, decision: taken } => format!("reply {} {}", ask.key.request, decision(taken)),
        Effect::AnswerQuestion { question, response: given } => {
            format!("respond {} {}", question.key.request, response(given))
        }
        Effect::DropDraft(key) => format!("drop-draft {}", key.request),
        Effect::Notify(key) => format!("notify {}", key.request),
        Effect::CloseNotification(key) => format!("close {}", key.request),
        Effect::Show(key) => format!("show {}", key.request),
        Effect::Timer { at, timer: Timer::Grace(key) } => format!("timer {} grace {}", at.0, key.request),
        Effect::Timer { at, timer: Timer::Resend(key) } => format!("timer {} resend {}", at.0, key.request),
        Effect::Timer { at, timer: Timer::Gone(key) } => format!("timer {} unheard {}", at.0, key.request),
        Effect::Timer { at, timer: Timer::Away } => format!("timer {} away", at.0),
        Effect::Timer { at, timer: Timer::Grants } => format!("timer {} grants", at.0),
        Effect::Timer { at, timer: Timer::Rule(_, session) } => format!("timer {} rule {session}", at.0),
        Effect::KeepGrants => "keep-grants".into(),
        Effect::Rule { session, stance, grants, previous, cause, .. } => {
            let mode = stance.map_or("nothing", |stance| match stance.mode {
                Mode::FullAccess => "full",
                Mode::Supervised => "supervised",
                Mode::Auto => "auto",
                Mode::AutoAcceptEdits => "edits",
            });
            let plan = if stance.is_some_and(|stance| stance.plan) { "+plan" } else { "" };
            let allowed: Vec<String> = grants.iter().map(|grant| grant.resource.replace(' ', "_")).collect();
            let own: Vec<&str> = previous.iter().map(|rule| rule.action.as_str()).collect();
            let words = [format!("rule {} {mode}{plan}", session.id.0)].into_iter().chain(allowed);
            let words = words.chain((*cause == Cause::Upkeep).then(|| "still".into()));
            let words = words.chain((!own.is_empty()).then(|| format!("instead-of {}", own.join(" "))));
            words.collect::<Vec<_>>().join(" ")
        }
        Effect::LookUp { session, .. } => format!("look-up {session}"),
        Effect::Relist(_) => "relist".into(),
    })
}

fn response(response: &Response) -> String {
    match response {
        Response::Answer { answer } => serde_json::to_value(&answer["q0"]).unwrap().as_str().unwrap().to_owned(),
        Response::Cancel { reason: Some(reason) } => format!("cancel {reason}"),
        Response::Cancel { reason: None } => "cancel".into(),
    }
}

fn inbox(flow: &Flow) -> String {
    let entries = flow.inbox().into_iter().map(|entry| {
        let phase = match &entry.phase {
            Phase::Waiting => "waiting",
            Phase::Replying { .. } => "replying",
            Phase::Undelivered { .. } => "undelivered",
        };
        format!("{} {phase}", entry.ask.key.request)
    });
    let questions = flow.questions().into_iter().map(|entry| {
        let phase = match &entry.phase {
            QuestionPhase::Waiting if entry.refused.is_some() => "refused",
            QuestionPhase::Waiting => "waiting",
            QuestionPhase::Replying { .. } => "replying",
            QuestionPhase::Undelivered { .. } => "undelivered",
        };
        format!("{} {phase}", entry.question.key.request)
    });
    let all: Vec<String> = entries.chain(questions).collect();
    if all.is_empty() { "empty".into() } else { all.join(", ") }
}

/// Plays a transcript and compares, line by line, what the machine answers with what it says.
pub fn play(transcript: &str) {
    let mut flow = Flow::default();
    let mut now = Moment(1_000);
    let _ = flow.step(event("server"), now);
    let _ = flow.step(event("online"), now);
    let mut actual = String::new();
    for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "> begun-anew" {
            // Another run knows what was kept, and what was chosen.
            actual.push_str("> begun-anew\n");
            let (kept, grants, chosen) = (flow.told().clone(), flow.grants().clone(), flow.stances().clone());
            flow = Flow::default();
            for event in [Event::Told(kept), Event::Granted(grants), event("server"), Event::Stances(chosen)] {
                let _ = flow.step(event, now);
            }
        } else if let Some(mut happens) = line.strip_prefix("> ") {
            actual.push_str(&format!("> {happens}\n"));
            if let Some((time, rest)) = happens.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
                now = Moment(time.parse().unwrap());
                happens = rest;
            }
            let happens = if happens == "back" {
                // Another run knows what waited, and of no server yet.
                Event::Away(std::mem::take(&mut flow).leave(now))
            } else {
                event(happens)
            };
            for done in flow.step(happens, now).iter().filter_map(effect) {
                actual.push_str(&format!("    {done}\n"));
            }
        } else if line.starts_with("= ") {
            actual.push_str(&format!("= {}\n", inbox(&flow)));
        }
    }
    let trim = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert!(
        trim(&actual) == trim(transcript),
        "the machine answers otherwise:\n{actual}\nthe transcript says:{transcript}"
    );
}
