//! Modes over the wire, on the stand-in in both dialects and with what differs between releases.

use std::time::Duration;

use gavel_core::SessionId;
use gavel_core::flow::{Event, WireEvent};
use gavel_core::modes::{AgentPaths, Cause, Mode, path_allowances, session_rules};
use gavel_core::rules::{Effect, Rule};
use gavel_opencode::connection::Applied;
use gavel_opencode::dialect::agents::AgentMode;
use gavel_opencode::{Connection, Target, server_id};
use gavel_stand_in::{Fault, Options, SessionRules, StandIn, Switches};
use gavel_tests::gavel::{DEADLINE, hurry};
use tokio::sync::mpsc;

const HERE: &str = "/home/dev/alpha";

struct Wire {
    server: StandIn,
    connection: Connection,
    events: mpsc::Receiver<Event>,
}

impl Wire {
    async fn to(options: Options) -> Self {
        let server = StandIn::start(options).await.unwrap();
        server.add_directory(HERE, true);
        let target =
            Target { id: server_id(&server.url()).unwrap(), url: server.url().parse().unwrap(), credentials: None };
        let (sender, events) = mpsc::channel(4096);
        let connection = Connection::open_with(target, sender, hurry()).unwrap();
        let mut wire = Self { server, connection, events };
        wire.says("everything listed", |event| *event == WireEvent::InSync).await;
        wire
    }

    async fn says(&mut self, what: &str, mut wanted: impl FnMut(&WireEvent) -> bool) {
        let looking = async {
            while let Some(event) = self.events.recv().await {
                if matches!(&event, Event::Wire(_, event) if wanted(event)) {
                    return;
                }
            }
            panic!("closed before {what}");
        };
        tokio::time::timeout(DEADLINE, looking).await.unwrap_or_else(|_| panic!("{what} did not come"));
    }

    fn session(&self) -> SessionId {
        SessionId(self.server.create_session(HERE, "work"))
    }

    /// The rules of a mode for the agent `build`.
    async fn rules_of(&self, mode: Mode) -> Vec<Rule> {
        let agents = self.connection.agents(HERE).await.unwrap();
        let own = agents.iter().find(|agent| agent.id == "build").unwrap();
        assert_eq!(own.mode, AgentMode::Primary);
        let own = path_allowances(&own.rules);
        assert!(!own.is_empty(), "it has places of its own");
        session_rules(mode.into(), AgentPaths { acting: &own, plan: &[] }, &[], &[])
    }

    async fn apply(&self, session: &SessionId, previous: &[Rule], wanted: &[Rule]) -> Applied {
        self.connection.apply_rules(session, HERE, previous, wanted, Cause::Choice).await.unwrap()
    }
}

fn releases() -> Vec<Options> {
    let newer = |switches| Options::v2(switches);
    vec![
        Options::default(),
        newer(Switches::default()),
        newer(Switches { session_rules: SessionRules::Post, ..Switches::default() }),
        newer(Switches { agents_after: 3, ..Switches::default() }),
    ]
}

#[tokio::test]
async fn a_mode_is_set_heard_of_and_obeyed() {
    for options in releases() {
        let mut wire = Wire::to(options).await;
        let session = wire.session();
        let (full, supervised) = (wire.rules_of(Mode::FullAccess).await, wire.rules_of(Mode::Supervised).await);

        assert!(matches!(wire.apply(&session, &[], &full).await, Applied::Written { .. }));
        let expected = WireEvent::RulesChanged { session: session.clone(), rules: full.clone() };
        wire.says("the rules", |event| *event == expected).await;
        wire.server.prompt(&session.0, "shell touch a").unwrap();
        wire.says("the run", |event| *event == WireEvent::RunBegan(session.clone())).await;
        wire.says("its end", |event| {
            assert!(!matches!(event, WireEvent::Asked(_)), "nothing is asked");
            *event == WireEvent::RunEnded(session.clone())
        })
        .await;
        assert_eq!(wire.server.executed().len(), 1);

        assert!(matches!(wire.apply(&session, &full, &supervised).await, Applied::Written { .. }));
        assert_eq!(wire.apply(&session, &supervised, &supervised).await, Applied::Unchanged);
        let there = wire.connection.session_rules(&session, HERE).await.unwrap().unwrap();
        assert!(there.ends_with(&supervised), "{there:?}");
        wire.server.prompt(&session.0, "shell touch b").unwrap();
        wire.says("a request", |event| matches!(event, WireEvent::Asked(_))).await;
        assert_eq!(wire.server.executed().len(), 1);

        wire.server.delete(&session.0);
        assert_eq!(wire.apply(&session, &supervised, &full).await, Applied::Deleted);
        assert_eq!(wire.connection.session_rules(&session, HERE).await, Ok(None));
    }
}

#[tokio::test]
async fn a_release_without_session_rules_can_t() {
    let wire = Wire::to(Options::v2(Switches { session_rules: SessionRules::Neither, ..Switches::default() })).await;
    let session = wire.session();
    let full = wire.rules_of(Mode::FullAccess).await;
    for _ in 0..2 {
        assert_eq!(wire.apply(&session, &[], &full).await, Applied::Unsupported);
    }
    assert_eq!(wire.connection.session_rules(&session, HERE).await, Ok(Some(vec![])));
}

#[tokio::test]
async fn agents_that_change_are_told_and_read_anew() {
    let mut wire = Wire::to(Options::v2(Switches::default())).await;
    // Only where something happens, changes are told.
    wire.session();
    let before = wire.connection.agents(HERE).await.unwrap();
    assert!(before.iter().any(|agent| agent.hidden) && before.iter().any(|agent| agent.mode == AgentMode::Subagent));
    let rules = vec![Rule { action: "shell".to_owned(), resource: "ls *".to_owned(), effect: Effect::Deny }];
    wire.server.set_agent("mine", rules.clone());
    wire.says("the new agent", |event| matches!(event, WireEvent::AgentsChanged(_))).await;
    let mine = wire.connection.agents(HERE).await.unwrap().into_iter().find(|agent| agent.id == "mine").unwrap();
    assert_eq!((mine.rules, mine.mode), (rules.clone(), AgentMode::All));
    wire.server.configure(rules.clone());
    wire.says("the configuration", |event| matches!(event, WireEvent::AgentsChanged(_))).await;
    let after = wire.connection.agents(HERE).await.unwrap();
    assert!(after.iter().find(|agent| agent.id == "build").unwrap().rules.ends_with(&rules));
}

#[tokio::test]
async fn a_fault_on_the_way_is_told_and_changes_nothing() {
    for (options, place) in
        [(Options::default(), "/session/{id}"), (Options::v2(Switches::default()), "/api/session/{id}")]
    {
        let wire = Wire::to(options).await;
        let session = wire.session();
        let full = wire.rules_of(Mode::FullAccess).await;
        for method in ["GET", "PATCH"] {
            for fault in [Fault::Status(500), Fault::Status(503), Fault::Hang] {
                wire.server.fault(&format!("{method} {place}"), fault.clone());
                let applied = wire.connection.apply_rules(&session, HERE, &[], &full, Cause::Choice).await;
                assert!(applied.is_err(), "{method} {fault:?}: {applied:?}");
            }
            wire.server.heal();
            assert_eq!(wire.connection.session_rules(&session, HERE).await, Ok(Some(vec![])));
        }
        assert!(matches!(wire.apply(&session, &[], &full).await, Applied::Written { .. }));
    }
}

#[tokio::test]
async fn rules_whose_answer_is_lost_are_not_written_twice() {
    for (options, route) in
        [(Options::default(), "PATCH /session/{id}"), (Options::v2(Switches::default()), "PATCH /api/session/{id}")]
    {
        let wire = Wire::to(options).await;
        let session = wire.session();
        let (full, supervised) = (wire.rules_of(Mode::FullAccess).await, wire.rules_of(Mode::Supervised).await);
        wire.apply(&session, &[], &full).await;
        wire.server.fault(route, Fault::Lost);
        wire.connection.apply_rules(&session, HERE, &full, &supervised, Cause::Choice).await.expect_err("no answer");
        wire.server.heal();
        assert_eq!(wire.apply(&session, &full, &supervised).await, Applied::Unchanged);
        let now = wire.connection.session_rules(&session, HERE).await.unwrap().unwrap();
        assert!(now.ends_with(&supervised));
        assert_eq!(now.iter().filter(|rule| rule.action == "shell").count(), 1, "{now:?}");
    }
}

#[tokio::test]
async fn many_clients_at_once_leave_one_block_each() {
    for options in releases() {
        let wire = Wire::to(options).await;
        let session = wire.session();
        let blocks = [wire.rules_of(Mode::FullAccess).await, wire.rules_of(Mode::Supervised).await];
        let calls = (0..10).map(|number| {
            let (connection, session, blocks) = (wire.connection.clone(), session.clone(), blocks.clone());
            tokio::spawn(async move {
                let (wanted, previous) = (&blocks[number % 2], &blocks[(number + 1) % 2]);
                connection.apply_rules(&session, HERE, previous, wanted, Cause::Choice).await
            })
        });
        for call in calls.collect::<Vec<_>>() {
            let applied = tokio::time::timeout(Duration::from_secs(20), call).await.unwrap().unwrap().unwrap();
            assert!(matches!(applied, Applied::Written { .. } | Applied::Unchanged), "{applied:?}");
        }
        let there = wire.connection.session_rules(&session, HERE).await.unwrap().unwrap();
        assert!(blocks.iter().any(|block| there.ends_with(block)), "{there:?}");
    }
}
