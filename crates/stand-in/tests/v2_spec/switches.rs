//! That scenarios written for 1.x go through under 2.x, and faults too.

use std::time::Duration;

use gavel_stand_in::{Dialect, Fault, Options, Reply, StandIn, Switches, World};
use reqwest::Method;
use serde_json::json;

use crate::client::{Client, DEADLINE, PROJECT, ask, asks, idle, ran, session, start, until};

/// From one source, against either: everything the handle offers.
async fn through(options: Options) -> (Vec<String>, usize) {
    let stand_in = StandIn::start(Options { clearing: Duration::from_millis(10), ..options }).await.unwrap();
    let id = session(
        &stand_in,
        "shell a\nwrite b\n| b\nask deploy_gate\n: pattern c\nagent One\n> agent Two\n> > shell deep\nsay done",
    );
    for _ in 0..4 {
        let pending = ask(&stand_in).await;
        assert!(stand_in.reply(&pending.id, Reply::Once, None) && !stand_in.reply(&pending.id, Reply::Once, None));
    }
    idle(&stand_in, &id).await;
    let id = session(&stand_in, "shell x\n+ shell y\ninstead\n> shell z");
    let first = asks(&stand_in, 2).await.remove(0);
    stand_in.reply(&first.id, Reply::Reject, Some("no"));
    idle(&stand_in, &id).await;
    let id = session(&stand_in, "question Why?\n: option So");
    until(&stand_in, "question", |world| world.questions().len() == 1).await;
    stand_in.abort(&id).await;
    idle(&stand_in, &id).await;
    let id = session(&stand_in, "shell w");
    ask(&stand_in).await;
    stand_in.dispose(PROJECT).await;
    idle(&stand_in, &id).await;
    let gone = stand_in.create_session(PROJECT, "Gone");
    assert!(stand_in.delete(&gone) && !stand_in.delete(&gone));
    stand_in.restart().await.unwrap();
    stand_in.prompt(&id, "say again").unwrap();
    idle(&stand_in, &id).await;
    (ran(&stand_in), stand_in.pending().len())
}

#[tokio::test]
async fn one_scenario_goes_through_either_dialect() {
    let expected = ["a", "b", "deploy_gate", "One", "Two", "deep"].map(str::to_owned).to_vec();
    assert_eq!(through(Options::default()).await, (expected.clone(), 0));
    assert_eq!(through(Options::v2(Switches::default())).await, (expected, 0));
}

#[test]
fn a_stand_in_is_a_1_x_server_unless_it_is_told() {
    assert!(matches!(Options::default().dialect, Dialect::V1));
    let second = Options::v2(Switches::default());
    assert_eq!((second.version.as_str(), second.heartbeat), ("2.1.2", Duration::from_secs(15)));
}

#[tokio::test]
async fn routes_can_be_faulty() {
    const REPLY: &str = "POST /api/session/{id}/permission/{ask}/reply";
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell a\nshell b");
    let pending = ask(&stand_in).await;
    let path = format!("/api/session/{id}/permission/{}/reply", pending.id);
    let body = || Some(json!({ "decision": "once" }).to_string());
    for (fault, status) in [(Fault::Html, 200), (Fault::Status(502), 502)] {
        stand_in.fault(REPLY, fault);
        assert_eq!(client.raw(Method::POST, &path, &[], body()).await.0, status);
        assert_eq!(stand_in.pending().len(), 1);
    }
    stand_in.fault(REPLY, Fault::Lost);
    let lost = tokio::spawn({
        let (client, path) = (client.clone(), path.clone());
        async move { client.raw(Method::POST, &path, &[], Some(json!({ "decision": "once" }).to_string())).await }
    });
    let taken = |world: &World| world.pending().iter().all(|ask| ask.id != pending.id);
    stand_in.wait_until(DEADLINE, taken).await.unwrap();
    assert!(!lost.is_finished());
    lost.abort();
    stand_in.heal();
    client.decide(&ask(&stand_in).await, "once").await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["a", "b"]);
    stand_in.fault("GET /api/info", Fault::Status(500));
    assert_eq!(client.raw(Method::GET, "/api/info", &[], None).await.0, 500);
}
