//! Agents: asked for until there are some, remembered until they may have changed.

use gavel_core::flow::WireEvent;
use gavel_core::rules::{Effect, Rule};
use gavel_opencode::dialect::agents::{Agent, AgentMode};
use gavel_opencode::{Error, Tuning};
use serde_json::{Value, json};
use tokio::time::{Duration, Instant};

use crate::support::{Answer, Fake, Watched, hurried, tagged, until};

const OLDER: &str = "GET /agent?directory=%2Fp";
const NEWER: &str = "GET /api/agent?location%5Bdirectory%5D=%2Fp";

fn rule(action: &str, resource: &str, effect: Effect) -> Rule {
    Rule { action: action.to_owned(), resource: resource.to_owned(), effect }
}

fn agent(id: &str, mode: AgentMode, hidden: bool, rules: Vec<Rule>) -> Agent {
    Agent { id: id.to_owned(), mode, hidden, rules }
}

/// Agents as 2.x lists them.
fn newer(names: &[&str]) -> Answer {
    let agent = |name: &&str| {
        json!({ "id": name, "name": "Shown", "mode": "primary", "hidden": false, "request": {},
            "permissions": [{ "action": "shell", "resource": "*", "effect": "ask" }] })
    };
    let data: Vec<Value> = names.iter().map(agent).collect();
    Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": data }))
}

async fn watching(fake: &Fake) -> Watched {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    watched
}

/// As [`watching`], but agents are waited for as long as it takes.
async fn waiting(fake: &Fake) -> Watched {
    let tuning = Tuning { agents_patience: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    watched.online().await;
    watched
}

async fn names(watched: &Watched) -> Vec<String> {
    watched.connection.agents("/p").await.unwrap().into_iter().map(|agent| agent.id).collect()
}

#[tokio::test]
async fn the_agents_of_1_x_in_newer_words() {
    let fake = Fake::start().await;
    let list = json!([
        { "name": "build", "mode": "primary", "native": true, "options": {}, "permission": [
            { "permission": "*", "action": "allow", "pattern": "*" },
            { "permission": "bash", "pattern": "*", "action": "ask" },
            { "permission": "task", "pattern": "*", "action": "deny" },
        ] },
        { "name": "explore", "mode": "subagent", "permission": [] },
        { "name": "title", "mode": "primary", "hidden": true, "permission": [] },
    ]);
    fake.on(OLDER, Answer::Json(200, list));
    let found = watching(&fake).await.connection.agents("/p").await.unwrap();
    let rules =
        vec![rule("*", "*", Effect::Allow), rule("shell", "*", Effect::Ask), rule("subagent", "*", Effect::Deny)];
    assert_eq!(
        found,
        [
            agent("build", AgentMode::Primary, false, rules),
            agent("explore", AgentMode::Subagent, false, vec![]),
            agent("title", AgentMode::Primary, true, vec![]),
        ]
    );
}

#[tokio::test]
async fn the_agents_of_2_x_and_what_may_be_odd_about_them() {
    let fake = Fake::start_v2().await;
    let ask = json!({ "action": "shell", "resource": "*", "effect": "ask" });
    let list = json!([
        { "id": "build", "name": "Builder", "mode": "primary", "hidden": false, "permissions": [ask] },
        { "id": "all", "mode": "all", "hidden": "no", "permissions": null },
        { "id": "new", "mode": "sometimes", "permissions": [ask, { "action": "x", "resource": "*", "effect": "maybe" }] },
        { "name": "named only", "mode": 7 },
        { "mode": "primary" },
        "nobody",
    ]);
    fake.on(NEWER, Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": list })));
    let found = watching(&fake).await.connection.agents("/p").await.unwrap();
    assert_eq!(
        found,
        [
            agent("build", AgentMode::Primary, false, vec![rule("shell", "*", Effect::Ask)]),
            agent("all", AgentMode::All, false, vec![]),
            // From a part of its rules, nothing may be concluded.
            agent("new", AgentMode::All, false, vec![]),
            agent("named only", AgentMode::All, false, vec![]),
        ]
    );
}

#[tokio::test]
async fn an_empty_list_is_asked_for_again_and_never_remembered() {
    for (mut fake, line, none, some) in [
        (Fake::start_v2().await, NEWER, newer(&[]), newer(&["build"])),
        (
            Fake::start().await,
            OLDER,
            Answer::Json(200, json!([])),
            Answer::Json(200, json!([{ "name": "build", "permission": [] }])),
        ),
    ] {
        fake.on(line, none.clone().times(3, some.clone()));
        let watched = waiting(&fake).await;
        assert_eq!(names(&watched).await, ["build"]);
        assert_eq!(fake.seen(line).len(), 4);
        assert_eq!(names(&watched).await, ["build"]);
        assert_eq!(fake.seen(line).len(), 4, "what is there is remembered");

        fake = if line == NEWER { Fake::start_v2().await } else { Fake::start().await };
        fake.on(line, none);
        let watched = watching(&fake).await;
        let begun = Instant::now();
        assert_eq!(names(&watched).await, [""; 0], "it can't be waited for ever");
        assert!(begun.elapsed() >= hurried().agents_patience);
        fake.on(line, some);
        assert_eq!(names(&watched).await, ["build"], "the next look finds them");
    }
}

#[tokio::test]
async fn a_list_is_remembered_until_it_may_have_changed() {
    let fake = Fake::start_v2().await;
    fake.on(NEWER, newer(&["build"]));
    let mut watched = watching(&fake).await;
    let say = |kind: &str, place: &str| {
        let event = json!({ "type": kind, "location": { "directory": place }, "data": {} });
        fake.send(format!("data: {event}\n\n"));
    };
    let mut asked = 0;
    for (kind, directory) in [("agent.updated", "/p"), ("config.updated", "/p"), ("location.shutdown", "/p")] {
        names(&watched).await;
        names(&watched).await;
        asked += 1;
        assert_eq!(fake.seen(NEWER).len(), asked, "before {kind}");
        // What concerns another directory changes nothing.
        say(kind, "/q");
        say(kind, directory);
        watched
            .said(kind, |event| match event {
                WireEvent::AgentsChanged(place) | WireEvent::Disposed(Some(place)) => (place == "/p").then_some(()),
                _ => None,
            })
            .await;
    }
    names(&watched).await;
    say("agent.updated", "/q");
    watched.said("the other", |event| (event == WireEvent::AgentsChanged("/q".to_owned())).then_some(())).await;
    names(&watched).await;
    assert_eq!(fake.seen(NEWER).len(), 4);
    // Of no place: any may be meant.
    fake.send("data: {\"type\":\"config.updated\",\"data\":{}}\n\n");
    watched.said("any place", |event| (event == WireEvent::AgentsChanged(String::new())).then_some(())).await;
    names(&watched).await;
    assert_eq!(fake.seen(NEWER).len(), 5);
    // During a gap, nobody would tell.
    fake.cut();
    watched.online().await;
    names(&watched).await;
    assert_eq!(fake.seen(NEWER).len(), 6);
}

#[tokio::test]
async fn a_disposal_on_1_x_makes_agents_be_read_anew() {
    let fake = Fake::start().await;
    fake.on(OLDER, Answer::Json(200, json!([{ "name": "build", "permission": [] }])));
    let mut watched = watching(&fake).await;
    names(&watched).await;
    fake.say("server.instance.disposed", json!({ "directory": "/p" }));
    watched.said("it", |event| (event == WireEvent::AgentsChanged("/p".to_owned())).then_some(())).await;
    names(&watched).await;
    fake.say("global.disposed", json!({}));
    watched.said("it", |event| (event == WireEvent::AgentsChanged(String::new())).then_some(())).await;
    names(&watched).await;
    assert_eq!(fake.seen(OLDER).len(), 3);
}

#[tokio::test]
async fn a_list_that_was_on_its_way_while_it_changed_is_not_kept() {
    let fake = Fake::start_v2().await;
    let release = std::sync::Arc::new(tokio::sync::Notify::new());
    fake.on(NEWER, Answer::Held(release.clone(), Box::new(newer(&["old"]))));
    let mut watched = watching(&fake).await;
    let connection = watched.connection.clone();
    let asking = tokio::spawn(async move { connection.agents("/p").await });
    until("the question", || fake.seen(NEWER).len() == 1).await;
    fake.on(NEWER, newer(&["new"]));
    fake.send("data: {\"type\":\"agent.updated\",\"location\":{\"directory\":\"/p\"},\"data\":{}}\n\n");
    watched.said("the change", |event| matches!(event, WireEvent::AgentsChanged(_)).then_some(())).await;
    release.notify_one();
    asking.await.unwrap().unwrap();
    assert_eq!(names(&watched).await, ["new"]);
}

#[tokio::test]
async fn without_a_stream_nothing_is_remembered() {
    let fake = Fake::start_v2().await;
    fake.on("GET /api/event", Answer::Silence);
    fake.on(NEWER, newer(&["build"]));
    let watched = Watched::new(&fake.url);
    until("an attempt", || !fake.seen("GET /api/event").is_empty()).await;
    names(&watched).await;
    names(&watched).await;
    assert_eq!(fake.seen(NEWER).len(), 2);
}

#[tokio::test]
async fn many_who_ask_at_once_ask_once() {
    let fake = Fake::start_v2().await;
    fake.on(NEWER, newer(&[]).times(2, newer(&["build"])));
    let watched = waiting(&fake).await;
    let all = (0..20).map(|_| {
        let connection = watched.connection.clone();
        tokio::spawn(async move { connection.agents("/p").await })
    });
    for asking in all.collect::<Vec<_>>() {
        assert_eq!(asking.await.unwrap().unwrap().len(), 1);
    }
    assert_eq!(fake.seen(NEWER).len(), 3);
}

#[tokio::test]
async fn memory_has_bounds() {
    let fake = Fake::start_v2().await;
    fake.on("GET /api/agent", newer(&["build"]));
    let watched = watching(&fake).await;
    for number in 0..=100 {
        watched.connection.agents(&format!("/d{number}")).await.unwrap();
        // The first one is used all the time.
        watched.connection.agents("/d0").await.unwrap();
    }
    assert_eq!(fake.seen("GET /api/agent").len(), 101);
    watched.connection.agents("/d0").await.unwrap();
    watched.connection.agents("/d1").await.unwrap();
    assert_eq!(fake.seen("GET /api/agent").len(), 102, "only what was used longest ago is forgotten");
}

#[tokio::test]
async fn what_is_no_list_is_told_and_not_remembered() {
    let troubles = [
        (Answer::Page(200), Error::WebPage),
        (Answer::Page(404), Error::Status { status: 404, message: None }),
        (tagged(404, "LocationNotFoundError"), Error::Status { status: 404, message: None }),
        (tagged(500, "UnknownError"), Error::Status { status: 500, message: None }),
        (Answer::Raw(Vec::new()), Error::Cut),
    ];
    for (fake, line) in [(Fake::start_v2().await, NEWER), (Fake::start().await, OLDER)] {
        let watched = watching(&fake).await;
        for (trouble, error) in &troubles {
            fake.on(line, trouble.clone());
            assert_eq!(watched.connection.agents("/p").await, Err(error.clone()), "{trouble:?}");
        }
        for odd in [json!(7), json!({}), json!({ "data": 7 })] {
            fake.on(line, Answer::Json(200, odd));
            assert!(matches!(watched.connection.agents("/p").await, Err(Error::Garbled(_))));
        }
    }
}

#[tokio::test]
async fn closing_ends_the_waiting() {
    let fake = Fake::start_v2().await;
    fake.on(NEWER, newer(&[]));
    let watched = waiting(&fake).await;
    let connection = watched.connection.clone();
    let asking = tokio::spawn(async move { connection.agents("/p").await });
    until("a question", || !fake.seen(NEWER).is_empty()).await;
    watched.connection.close().await;
    assert_eq!(asking.await.unwrap(), Err(Error::Cut));
}
