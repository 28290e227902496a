//! Modes over the wire, on real 1.x servers: agents are read, rules are set and heard of, runs are told.
#![cfg(feature = "real")]

use gavel_core::flow::{Event, WireEvent};
use gavel_core::modes::{AgentPaths, Cause, Mode, path_allowances, session_rules};
use gavel_core::rules::{Effect, Rule};
use gavel_core::{Link, SessionId};
use gavel_opencode::connection::Applied;
use gavel_opencode::dialect::agents::{Agent, AgentMode};
use gavel_opencode::{Connection, Target, Tuning, server_id};
use gavel_tests::gavel::DEADLINE;
use gavel_tests::on_every_version;
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::scripted_model::{Script, ScriptedModel};
use gavel_tests::wait::eventually;
use serde_json::json;
use tokio::sync::mpsc;

on_every_version! {
    agents_are_read_and_read_anew,
    rules_are_set_heard_and_obeyed,
    a_run_that_was_under_way_is_told,
}

/// A connection and what it says.
struct Wire {
    connection: Connection,
    events: mpsc::Receiver<Event>,
    directory: String,
}

impl Wire {
    async fn to(server: &OpenCode) -> Self {
        let url = server.url();
        let target = Target { id: server_id(&url).unwrap(), url: url.parse().unwrap(), credentials: None };
        let (sender, events) = mpsc::channel(4096);
        let connection = Connection::open_with(target, sender, Tuning::default()).unwrap();
        let directory = server.dir(0).to_string_lossy().into_owned();
        let mut wire = Self { connection, events, directory };
        wire.next("the connection", |event| matches!(event, Event::Link(_, Link::Online { .. }))).await;
        wire
    }

    async fn next(&mut self, what: &str, mut wanted: impl FnMut(&Event) -> bool) -> Event {
        let looking = async {
            loop {
                let event = self.events.recv().await.unwrap_or_else(|| panic!("closed before {what}"));
                if wanted(&event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(3 * DEADLINE, looking).await.unwrap_or_else(|_| panic!("{what} did not come"))
    }

    async fn says(&mut self, what: &str, mut wanted: impl FnMut(&WireEvent) -> bool) {
        self.next(what, |event| matches!(event, Event::Wire(_, event) if wanted(event))).await;
    }

    async fn agents(&self) -> Vec<Agent> {
        self.connection.agents(&self.directory).await.unwrap()
    }

    async fn agent(&self, id: &str) -> Agent {
        let agents = self.agents().await;
        agents.into_iter().find(|agent| agent.id == id).unwrap_or_else(|| panic!("no agent {id}"))
    }

    async fn apply(&self, session: &SessionId, previous: &[Rule], wanted: &[Rule]) -> Applied {
        self.connection.apply_rules(session, &self.directory, previous, wanted, Cause::Choice).await.unwrap()
    }

    async fn rules(&self, session: &SessionId) -> Option<Vec<Rule>> {
        self.connection.session_rules(session, &self.directory).await.unwrap()
    }
}

async fn agents_are_read_and_read_anew(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let mut wire = Wire::to(&server).await;
    let mut found: Vec<_> = wire.agents().await.into_iter().map(|agent| (agent.id, agent.mode, agent.hidden)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [
        ("build", AgentMode::Primary, false),
        ("compaction", AgentMode::Primary, true),
        ("explore", AgentMode::Subagent, false),
        ("general", AgentMode::Subagent, false),
        ("plan", AgentMode::Primary, false),
        ("summary", AgentMode::Primary, true),
        ("title", AgentMode::Primary, true),
    ];
    assert_eq!(found, expected.map(|(id, mode, hidden)| (id.to_owned(), mode, hidden)));
    let rules = wire.agent("build").await.rules;
    let asks = |action: &str| rules.iter().any(|rule| rule.action == action && rule.effect == Effect::Ask);
    assert!(asks("shell") && asks("edit") && asks("external_directory"), "{rules:?}");
    assert!(!rules.iter().any(|rule| rule.action == "bash"), "in newer words");

    // A configuration that is read anew is told as a disposal, and there is no other word for it.
    assert!(!wire.agents().await.iter().any(denies_searches), "not yet");
    let dir = server.dir(0);
    let config = json!({ "permission": { "websearch": "deny" } });
    std::fs::write(dir.join("opencode.json"), config.to_string()).unwrap();
    server.dispose(dir).await;
    let directory = wire.directory.clone();
    wire.says("that agents changed", |event| *event == WireEvent::AgentsChanged(directory.clone())).await;
    // What is asked for from now on is new, although the old was remembered.
    assert!(wire.agents().await.iter().any(denies_searches));
}

fn denies_searches(agent: &Agent) -> bool {
    agent.id == "build" && agent.rules.iter().any(|rule| rule.action == "websearch" && rule.effect == Effect::Deny)
}

async fn rules_are_set_heard_and_obeyed(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let mut wire = Wire::to(&server).await;
    let dir = server.dir(0);
    let session = SessionId(server.create_session(dir).await);
    assert_eq!(wire.rules(&session).await, Some(vec![]));
    let own = path_allowances(&wire.agent("build").await.rules);
    assert!(!own.is_empty());
    let paths = AgentPaths { acting: &own, plan: &[] };
    let rules_of = |mode: Mode| session_rules(mode.into(), paths, &[], &[]);
    let (full, supervised) = (rules_of(Mode::FullAccess), rules_of(Mode::Supervised));

    // Others have a rule of their own, which stays.
    let theirs = json!({ "permission": [{ "permission": "websearch", "pattern": "*", "action": "deny" }] });
    let route = format!("/session/{session}");
    let answer = server.request(reqwest::Method::PATCH, &route, Some(dir), Some(theirs)).await.unwrap();
    assert!(answer.0.is_success(), "{}", answer.1);

    assert!(matches!(wire.apply(&session, &[], &full).await, Applied::Written { .. }));
    assert_eq!(wire.apply(&session, &full, &full).await, Applied::Unchanged);
    let there = wire.rules(&session).await.unwrap();
    assert_eq!(there[0].action, "websearch");
    assert!(there.ends_with(&full), "{there:?}");
    wire.says(
        "the rules",
        |event| matches!(event, WireEvent::RulesChanged { session: id, rules } if *id == session && *rules == there),
    )
    .await;

    server.prompt_async(dir, session.as_str(), Script::new().run("touch a.txt").say("done")).await;
    wire.says("the run", |event| *event == WireEvent::RunBegan(session.clone())).await;
    wire.says("its end", |event| {
        assert!(!matches!(event, WireEvent::Asked(_)), "with full access nothing is asked");
        *event == WireEvent::RunEnded(session.clone())
    })
    .await;
    assert!(dir.join("a.txt").exists());

    let written = wire.apply(&session, &full, &supervised).await;
    let count = wire.rules(&session).await.unwrap().len();
    assert_eq!(written, Applied::Written { count });
    server.prompt_async(dir, session.as_str(), Script::new().run("touch b.txt").say("done")).await;
    wire.says("a request", |event| matches!(event, WireEvent::Asked(ask) if ask.action == "shell")).await;
    server.abort(dir, session.as_str()).await;

    // Two at once: each is one whole block, and the last one counts.
    let (first, second) = tokio::join!(wire.apply(&session, &[], &full), wire.apply(&session, &[], &supervised));
    assert!(matches!(first, Applied::Written { .. }), "{first:?}");
    assert!(matches!(second, Applied::Written { .. }), "{second:?}");
    let there = wire.rules(&session).await.unwrap();
    assert!(there.ends_with(&[full.clone(), supervised.clone()].concat()), "{there:?}");

    server.delete_session(dir, session.as_str()).await;
    assert_eq!(wire.rules(&session).await, None);
    assert_eq!(wire.apply(&session, &supervised, &full).await, Applied::Deleted);
    assert_eq!(wire.apply(&"ses_neverwasthere".into(), &[], &full).await, Applied::Deleted);
}

async fn a_run_that_was_under_way_is_told(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let dir = server.dir(0);
    let (idle, busy) = (server.create_session(dir).await, SessionId(server.create_session(dir).await));
    server.prompt_async(dir, busy.as_str(), Script::new().run("touch a.txt").say("done")).await;
    eventually("a request", 3 * DEADLINE, async || !server.permissions(dir).await.is_empty()).await;

    let mut wire = Wire::to(&server).await;
    let (mut seen, mut running) = (Vec::new(), Vec::new());
    wire.says("everything listed", |event| {
        match event {
            WireEvent::SessionSeen(session) => seen.push(session.clone()),
            WireEvent::RunBegan(session) => running.push(session.clone()),
            _ => {}
        }
        *event == WireEvent::InSync
    })
    .await;
    // It may be told by both looks, and by the stream.
    running.dedup();
    assert_eq!(running, std::slice::from_ref(&busy));
    for id in [busy.as_str(), &idle] {
        assert!(seen.iter().any(|session| session.id.as_str() == id && !session.title.is_empty()), "{id}: {seen:?}");
    }
}
