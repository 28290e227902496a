//! What must hold on every server, whatever it speaks: from the agent's question to the effect of the answer.
//!
//! Every scenario ends with an empty inbox and an activity that says what really happened. They are written once and
//! played on real servers, and on the stand-in in both dialects with every difference between releases.

use std::collections::HashMap;

use gavel_core::{Class, Decision, Link, Recommendation, Reply, Settled};
use gavel_notify::{Button, Notice};
use gavel_runtime::api::{Call, Request};

use crate::gavel::{DEADLINE, Gavel, Options};
use crate::host::{Host, Kind, Play};
use crate::wait::eventually;

/// Makes a test of every scenario.
///
/// `on kind` plays each on one kind of server; `on every kinds` plays each on all of them at the same time.
#[macro_export]
macro_rules! play_scenarios {
    (@ [on every $kinds:expr] $($scenario:ident)*) => {
        $(#[tokio::test]
        async fn $scenario() {
            $crate::scenarios::on_every($kinds, $crate::scenarios::$scenario).await;
        })*
    };
    (@ [on $kind:expr] $($scenario:ident)*) => {
        $(#[tokio::test]
        async fn $scenario() {
            $crate::scenarios::$scenario($kind).await;
        })*
    };
    ($($how:tt)*) => {
        $crate::play_scenarios!(@ [$($how)*]
            approving_runs_the_command
            what_a_command_does_is_said
            declining_tells_the_model_why
            stopping_ends_the_run
            three_requests_at_once
            a_sub_agent_of_a_sub_agent
            two_directories
            another_client_answers
            aborted_runs_leave_nothing
            a_deleted_session_runs_nothing
            a_disposed_instance_leaves_nothing
            a_killed_server_leaves_nothing_and_is_found_again
            a_password_is_needed
            what_was_pending_before_gavel_began
            edits_and_fetches_are_shown
        );
    };
}

/// Plays one scenario on several servers at the same time.
///
/// # Panics
/// It fails on one of them, which is named.
pub async fn on_every<F: Future<Output = ()> + 'static>(kinds: Vec<Kind>, scenario: fn(Kind) -> F) {
    let together = tokio::task::LocalSet::new();
    let playing: Vec<_> = kinds.into_iter().map(|kind| (kind.clone(), together.spawn_local(scenario(kind)))).collect();
    together
        .run_until(async {
            for (kind, played) in playing {
                assert!(played.await.is_ok(), "it failed on {kind}");
            }
        })
        .await;
}

fn you(decision: Decision) -> Settled {
    Settled::You { decision }
}

async fn both(kind: &Kind) -> (Host, Gavel) {
    let host = Host::start(kind).await;
    let gavel = Gavel::watching(&[&host.url()]).await;
    gavel.in_sync(&host.url()).await;
    (host, gavel)
}

/// A 2.x server may refuse what a run leaves behind before it says that the run has ended: nobody can tell that from a
/// refusal by another client.
fn ended(host: &Host, settled: &[Settled]) {
    let refused = !host.keeps_ghosts() && settled == [Settled::AnotherClient { reply: Some(Reply::Reject) }];
    assert!(refused || settled == [Settled::RunEnded], "{settled:?}");
}

/// The only request, when the whole of its command is known: servers may tell it a moment later.
async fn asking(gavel: &Gavel, text: &str) -> Request {
    eventually(format!("the request for `{text}`"), DEADLINE, async || {
        let snapshot = gavel.snapshot();
        match &snapshot.requests[..] {
            [request] if request.text == text => Ok(request.clone()),
            other => Err(format!("{:?}", other.iter().map(|request| &request.text).collect::<Vec<_>>())),
        }
    })
    .await
}

/// A click on the notification approves; everything the command consists of was shown.
pub async fn approving_runs_the_command(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    host.play(0, Play::new().run("cd . && touch approved.txt").say("done")).await;
    let request = asking(&gavel, "cd . && touch approved.txt").await;
    assert_eq!((request.action.as_str(), request.project.as_str()), ("shell", "alpha"));
    assert!(!host.touched(0, "approved.txt"));
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert!(gavel.notifications.click(&request.key, Button::Approve));

    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    host.touches(0, "approved.txt").await;
    assert!(gavel.notifications.wait_for(DEADLINE, <[_]>::is_empty).await);
}

/// What a command does stands with the request, in the window and on the notification. Where it runs may be told a
/// moment after the request itself, and only then can it be said to be safe.
pub async fn what_a_command_does_is_said(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let cases = [
        ("ls -a", Recommendation::Allow, Class::Reads, "Looks safe: lists"),
        ("rm -rf build && touch b", Recommendation::Ask, Class::Destructive, "Deletes `build` and everything under it"),
    ];
    for (number, (command, recommendation, class, line)) in cases.into_iter().enumerate() {
        host.play(0, Play::new().run(command).say("done")).await;
        let request = eventually(format!("the verdict on `{command}`"), DEADLINE, async || {
            let requests = gavel.snapshot().requests.clone();
            let judged = |request: &&Request| {
                let verdict = request.verdict.as_ref();
                verdict.is_some_and(|verdict| (verdict.recommendation, verdict.class) == (recommendation, Some(class)))
            };
            requests
                .iter()
                .find(judged)
                .cloned()
                .ok_or_else(|| format!("{:?}", requests.first().map(|one| &one.verdict)))
        })
        .await;
        let told = |shown: &[Notice]| shown.iter().any(|notice| notice.body.lines().any(|said| said.starts_with(line)));
        assert!(gavel.notifications.wait_for(DEADLINE, told).await, "{:?}", gavel.notifications.shown());
        gavel.decide(&request, Decision::AllowOnce).await;
        assert_eq!(gavel.settled(number + 1).await.len(), number + 1);
        gavel.inbox(0).await;
    }
}

/// A decline fails only that call, and the model learns why.
pub async fn declining_tells_the_model_why(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = host.play(0, Play::new().run("touch declined.txt").say("understood")).await;
    let request = gavel.only_request().await;
    let decision = Decision::decline("Write it to /tmp instead.");
    gavel.decide(&request, decision.clone()).await;

    eventually("the model to hear of it", DEADLINE, async || {
        let told = host.told(&session, "declined.txt");
        if told.contains("Write it to /tmp instead.") { Ok(()) } else { Err(told) }
    })
    .await;
    assert_eq!(gavel.settled(1).await, [you(decision)]);
    gavel.inbox(0).await;
    host.idle(0, &session).await;
    assert!(!host.touched(0, "declined.txt"));
}

/// Stop ends the run: the model is not called again.
pub async fn stopping_ends_the_run(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = host.play(0, Play::new().run("touch stopped.txt").say("never said")).await;
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::Stop).await;

    assert_eq!(gavel.settled(1).await, [you(Decision::Stop)]);
    gavel.inbox(0).await;
    host.idle(0, &session).await;
    assert!(!host.touched(0, "stopped.txt"));
    assert_eq!(host.told(&session, "stopped.txt"), "", "the model is not called again");
}

/// Several requests of one session are approved one by one; declining one sweeps the others, which is told before and
/// after.
pub async fn three_requests_at_once(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    host.play(0, Play::new().together(&["touch a", "touch b", "touch c"])).await;
    let requests = gavel.inbox(3).await;
    assert!(requests.iter().all(|request| request.siblings == 2));
    for request in requests.iter().rev() {
        gavel.decide(request, Decision::AllowOnce).await;
    }
    assert_eq!(gavel.settled(3).await, vec![you(Decision::AllowOnce); 3]);
    gavel.inbox(0).await;
    for file in ["a", "b", "c"] {
        host.touches(0, file).await;
    }

    let session = host.play(0, Play::new().together(&["touch d", "touch e"])).await;
    let requests = gavel.inbox(2).await;
    let decision = Decision::decline("No.");
    gavel.decide(&requests[0], decision.clone()).await;
    let settled = gavel.settled(5).await.split_off(3);
    assert!(settled.contains(&you(decision)) && settled.contains(&Settled::Swept), "{settled:?}");
    gavel.inbox(0).await;
    host.idle(0, &session).await;
    assert!(!host.touched(0, "d") && !host.touched(0, "e"));
}

/// A request of the deepest sub-agent is traced to its root.
pub async fn a_sub_agent_of_a_sub_agent(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let deepest = Play::new().run("touch deep.txt").say("deep enough");
    let session = host.play(0, Play::new().sub_agent(Play::new().sub_agent(deepest).say("half way"))).await;
    gavel.only_request().await;
    let request = eventually("the chain to the root", DEADLINE, async || {
        let request = gavel.snapshot().requests[0].clone();
        if request.chain.len() == 3 { Ok(request) } else { Err(format!("{:?}", request.chain)) }
    })
    .await;
    assert_eq!(request.text, "touch deep.txt");
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    host.touches(0, "deep.txt").await;
    host.idle(0, &session).await;
}

/// One server, two projects.
pub async fn two_directories(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    for (at, file) in [(0, "one.txt"), (1, "two.txt")] {
        host.play(at, Play::new().run(&format!("touch {file}"))).await;
    }
    let requests = gavel.inbox(2).await;
    let mut projects: Vec<&str> = requests.iter().map(|request| request.project.as_str()).collect();
    projects.sort_unstable();
    assert_eq!(projects, ["alpha", "beta"]);
    for request in &requests {
        gavel.decide(request, Decision::AllowOnce).await;
    }
    assert_eq!(gavel.settled(2).await, vec![you(Decision::AllowOnce); 2]);
    gavel.inbox(0).await;
    host.touches(0, "one.txt").await;
    host.touches(1, "two.txt").await;
}

/// Somebody else answers first: it says so, and a decision that comes too late changes nothing.
pub async fn another_client_answers(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    for (nth, reply) in [(1, Reply::Once), (2, Reply::Reject)] {
        let file = format!("other{nth}.txt");
        let session = host.play(0, Play::new().run(&format!("touch {file}"))).await;
        let request = gavel.only_request().await;
        host.reply(0, request.key.request.as_str(), reply).await;
        gavel.inbox(0).await;
        assert_eq!(gavel.settled(nth).await.pop(), Some(Settled::AnotherClient { reply: Some(reply) }));
        gavel.decide(&request, Decision::AllowOnce).await;
        host.idle(0, &session).await;
        assert_eq!(host.touched(0, &file), reply == Reply::Once);
    }
    gavel.settled(2).await;
}

/// An abort takes its requests along, and a Gavel that begins later is not fooled by what the server still lists.
pub async fn aborted_runs_leave_nothing(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = host.play(0, Play::new().run("touch aborted.txt")).await;
    gavel.only_request().await;
    host.abort(0, &session).await;
    gavel.inbox(0).await;
    ended(&host, &gavel.settled(1).await);

    assert_eq!(host.listed(0).await, usize::from(host.keeps_ghosts()), "this is what makes it a ghost");
    host.idle(0, &session).await;
    host.go_on(0, &session, Play::new().run("touch later.txt")).await;
    asking(&gavel, "touch later.txt").await;
    let second = Gavel::watching(&[&host.url()]).await;
    let request = asking(&second, "touch later.txt").await;
    second.decide(&request, Decision::AllowOnce).await;
    second.inbox(0).await;
    gavel.inbox(0).await;
    assert_eq!(gavel.settled(2).await[1], Settled::AnotherClient { reply: Some(Reply::Once) });
    assert!(!host.touched(0, "aborted.txt"));
}

/// The run of a deleted session is freed by a refusal, never by an approval.
pub async fn a_deleted_session_runs_nothing(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = host.play(0, Play::new().run("touch deleted.txt")).await;
    let request = gavel.only_request().await;
    host.delete(0, &session).await;
    gavel.inbox(0).await;
    ended(&host, &gavel.settled(1).await);
    gavel.decide(&request, Decision::AllowOnce).await;
    eventually("the server's list to empty", DEADLINE, async || host.listed(0).await == 0).await;
    host.idle(0, &session).await;
    assert!(!host.touched(0, "deleted.txt"));
}

/// A project that is put away takes its requests along.
pub async fn a_disposed_instance_leaves_nothing(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    host.play(0, Play::new().run("touch disposed.txt")).await;
    gavel.only_request().await;
    host.dispose(0).await;
    gavel.inbox(0).await;
    ended(&host, &gavel.settled(1).await);
    assert!(!host.touched(0, "disposed.txt"));
}

/// What was pending in a server that dies is gone; the next one at its address is heard.
pub async fn a_killed_server_leaves_nothing_and_is_found_again(kind: Kind) {
    let (mut host, gavel) = both(&kind).await;
    let session = host.play(0, Play::new().run("touch killed.txt")).await;
    gavel.only_request().await;
    host.restart().await;
    gavel.inbox(0).await;
    let settled = gavel.settled(1).await;
    assert!(matches!(settled[..], [Settled::ServerGone | Settled::Unseen]), "{settled:?}");
    gavel.in_sync(&host.url()).await;
    host.go_on(0, &session, Play::new().run("touch again.txt")).await;
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(2).await[1], you(Decision::AllowOnce));
    gavel.inbox(0).await;
    host.touches(0, "again.txt").await;
    assert!(!host.touched(0, "killed.txt"));
}

/// A password is asked for, a wrong one is told from none, and the right one is written nowhere.
pub async fn a_password_is_needed(kind: Kind) {
    let host = Host::locked(&kind, Some("open sesame")).await;
    let url = host.url();
    host.play(0, Play::new().run("touch secret.txt")).await;

    let gavel = Gavel::watching(&[&url]).await;
    gavel.server(&url, "needs a password", |row| row.link == Link::NeedsPassword { refused: false }).await;
    let password =
        |password: &str| Call::SetPassword { server: url.clone(), username: String::new(), password: password.into() };
    gavel.call(password("wrong")).await;
    gavel.server(&url, "refuses the password", |row| row.link == Link::NeedsPassword { refused: true }).await;
    gavel.call(password("open sesame")).await;
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    host.touches(0, "secret.txt").await;
    assert!(!gavel.log().contains("sesame"));

    let passwords = HashMap::from([(url.clone(), "open sesame".to_owned())]);
    let again = Gavel::start(Options { servers: vec![url.clone()], passwords, ..Options::default() }).await;
    again.in_sync(&url).await;
}

/// What was asked before Gavel began, in whatever project, is found; so it is after a restart of Gavel.
pub async fn what_was_pending_before_gavel_began(kind: Kind) {
    let host = Host::start(&kind).await;
    for at in [0, 1] {
        host.play(at, Play::new().run("cd . && touch early.txt")).await;
        eventually("the request", DEADLINE, async || host.listed(at).await == 1).await;
    }
    let earlier = Gavel::watching(&[&host.url()]).await;
    earlier.inbox(2).await;
    earlier.handle.shut_down().await;
    let gavel = Gavel::watching(&[&host.url()]).await;
    let requests = gavel.inbox(2).await;
    for request in &requests {
        assert_eq!(request.text, "cd . && touch early.txt");
        assert_eq!(request.chain.len(), 1);
        gavel.decide(request, Decision::AllowOnce).await;
    }
    assert_eq!(gavel.settled(2).await, vec![you(Decision::AllowOnce); 2]);
    gavel.inbox(0).await;
    for at in [0, 1] {
        host.touches(at, "early.txt").await;
    }
}

/// Edits show their diff, fetches their address.
pub async fn edits_and_fetches_are_shown(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = host.play(0, Play::new().write("notes.txt", "one\ntwo\n").fetch().say("done")).await;

    let edit = gavel.only_request().await;
    assert_eq!((edit.action.as_str(), edit.headline.as_str()), ("edit", "Edit notes.txt"));
    assert!(edit.diff.as_deref().is_some_and(|diff| diff.contains("+two")), "{:?}", edit.diff);
    gavel.decide(&edit, Decision::AllowOnce).await;
    gavel.settled(1).await;
    let fetch = eventually("the next request", DEADLINE, async || {
        gavel.snapshot().requests.iter().find(|request| request.key != edit.key).cloned()
    })
    .await;
    assert_eq!((fetch.action.as_str(), fetch.text.as_str()), ("webfetch", host.page_url().as_str()));
    gavel.decide(&fetch, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(2).await, vec![you(Decision::AllowOnce); 2]);
    gavel.inbox(0).await;
    host.idle(0, &session).await;
    let told = host.told(&session, "notes.txt");
    assert!(told.contains("there to be fetched"), "{told}");
}
