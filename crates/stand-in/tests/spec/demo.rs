//! The demo.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use gavel_stand_in::{Ask, Reply, StandIn, demo};
use tokio_util::sync::CancellationToken;

use crate::client::{DEADLINE, start, until};

const QUICK: demo::Rhythm = demo::Rhythm { stagger: Duration::from_millis(5), breath: Duration::from_millis(5) };

fn played_at(rhythm: demo::Rhythm, stand_in: &StandIn) -> CancellationToken {
    let stop = CancellationToken::new();
    tokio::spawn({
        let (stand_in, stop) = (stand_in.clone(), stop.clone());
        async move { demo::play_at(&stand_in, rhythm, stop).await }
    });
    stop
}

#[tokio::test]
async fn the_first_request_comes_at_once_and_a_handful_with_it() {
    let stand_in = start().await;
    let began = Instant::now();
    let _playing = played_at(demo::Rhythm::default(), &stand_in);
    until(&stand_in, "first request", |world| !world.pending().is_empty()).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    until(&stand_in, "handful", |world| world.pending().len() == 5).await;
    let places: BTreeSet<String> = stand_in.pending().into_iter().map(|ask| ask.directory).collect();
    assert_eq!(places, ["/home/dev/api-server".to_owned(), "/home/dev/web-shop".to_owned()].into());
    let first = stand_in.pending().remove(0);
    let answered = Instant::now();
    assert!(stand_in.reply(&first.id, Reply::Once, None));
    until(&stand_in, "next request", |world| world.pending().len() == 5).await;
    assert!(answered.elapsed() > Duration::from_secs(2), "a person can follow: {:?}", answered.elapsed());
}

/// Answers whatever comes, until `enough` says so of all that came.
async fn answer_all(reply: Reply, reason: Option<&str>, mut enough: impl FnMut(&[Ask]) -> bool) -> (StandIn, Vec<Ask>) {
    let stand_in = start().await;
    let stop = played_at(QUICK, &stand_in);
    let mut all = Vec::new();
    let answering = async {
        while !enough(&all) {
            let comes = |world: &gavel_stand_in::World| !world.pending().is_empty() || !world.questions().is_empty();
            until(&stand_in, "request", comes).await;
            for question in stand_in.world(gavel_stand_in::World::questions) {
                let path = format!("{}/question/{}/reply", stand_in.url(), question.id);
                let label = question.inquiries[0].options[0].0.clone();
                let request = reqwest::Client::new().post(path).header("x-opencode-directory", question.directory);
                let body = serde_json::json!({ "answers": [[label]] }).to_string();
                assert_eq!(request.body(body).send().await.unwrap().status(), 200);
            }
            for ask in stand_in.pending() {
                // One that is swept by the answer to another is gone already.
                if stand_in.reply(&ask.id, reply, reason) {
                    all.push(ask);
                }
            }
        }
    };
    tokio::time::timeout(DEADLINE, answering).await.expect("the demo goes on");
    stop.cancel();
    (stand_in, all)
}

#[tokio::test]
async fn requests_of_every_kind_come_for_ever() {
    let wanted = ["bash", "browser_click", "doom_loop", "edit", "external_directory", "webfetch"].map(str::to_owned);
    let kinds = |all: &[Ask]| all.iter().map(|ask| ask.permission.clone()).collect::<BTreeSet<_>>();
    let deep = |all: &[Ask]| all.iter().any(|ask| ask.patterns.iter().any(|one| one.contains("requireToken")));
    // More than once around, so that it is seen to begin anew.
    let enough = |all: &[Ask]| all.len() > 100 && deep(all) && kinds(all) == wanted.clone().into();
    let (stand_in, all) = answer_all(Reply::Once, None, enough).await;
    let commands: Vec<&str> = all.iter().filter_map(|ask| ask.metadata["command"].as_str()).collect();
    for (what, is_there) in [
        ("a destructive one", commands.contains(&"rm -rf build && npm run build")),
        (
            "one with invisible characters",
            commands.iter().any(|one| one.contains('\u{200b}') && one.contains('\u{202e}')),
        ),
        ("a very long one", commands.iter().any(|one| one.len() > 1500)),
        ("a compound one", all.iter().any(|ask| ask.permission == "bash" && ask.patterns.len() > 3)),
        ("two in one directory outside", all.iter().filter(|ask| ask.permission == "external_directory").count() > 1),
        (
            "an edit with two hunks",
            all.iter().any(|ask| ask.metadata["diff"].as_str().is_some_and(|diff| diff.matches("\n@@ ").count() == 2)),
        ),
    ] {
        assert!(is_there, "{what}");
    }
    // What is over does not pile up.
    assert!(stand_in.world(|world| world.sessions().count()) < 25);
}

#[tokio::test]
async fn a_declined_agent_says_why_it_does_something_else() {
    let reason = "the old build is still needed";
    let other = |all: &[Ask]| all.iter().any(|ask| ask.metadata["command"] == "npm run build -- --outDir build-next");
    let (stand_in, all) = answer_all(Reply::Reject, Some(reason), other).await;
    assert!(
        stand_in.executed().iter().all(|ran| ran.tool == "task" || ran.tool == "read"),
        "{:?}",
        stand_in.executed()
    );
    let first = all.iter().find(|ask| ask.metadata["command"] == "rm -rf build && npm run build").unwrap();
    let path = format!("{}/session/{}/message", stand_in.url(), first.session);
    let messages = reqwest::get(path).await.unwrap().text().await.unwrap();
    assert!(messages.contains(&format!("You said: {reason}")), "{messages}");
}
