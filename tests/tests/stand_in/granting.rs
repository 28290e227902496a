//! What is allowed for a session: from the notification, for as long as was said, and over a restart.

use std::time::{SystemTime, UNIX_EPOCH};

use gavel_core::grants::Lasts;
use gavel_core::reach::{Hazard, Lines};
use gavel_core::rules::Saved;
use gavel_core::{Decision, Moment};
use gavel_notify::{Button, Notice};
use gavel_runtime::api::{Answer, Call, GrantRow, Request};
use gavel_stand_in::{ShellResources, Switches};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::eventually;

use super::{PROJECT, both, runs, say, you};

fn touching(includes_children: bool, lasts: Lasts) -> Decision {
    let patterns = vec![Saved { action: "shell".into(), resource: "touch *".into() }];
    Decision::AllowForSession { patterns, includes_children, lasts }
}

/// Waits until what is listed as granted fulfils `wish`.
async fn granted(gavel: &Gavel, what: &str, wish: impl Fn(&[GrantRow]) -> bool) {
    eventually(what, DEADLINE, async || {
        let grants = grants(gavel).await;
        if wish(&grants) { Ok(()) } else { Err(format!("{grants:?}")) }
    })
    .await;
}

/// What is listed as granted at this moment.
async fn grants(gavel: &Gavel) -> Vec<GrantRow> {
    let Answer::Snapshot { snapshot } = gavel.call(Call::Snapshot).await else { panic!("another answer") };
    snapshot.grants
}

pub async fn the_notification_allows_a_session_what_it_names(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let session = say(&server, PROJECT, "shell touch a\nagent Below\n> shell touch b");
    let request = gavel.only_request().await;
    let offered = async |wish: bool| {
        let shown =
            |notices: &[Notice]| notices.len() == 1 && notices[0].buttons.contains(&Button::AllowSession) == wish;
        assert!(gavel.notifications.wait_for(DEADLINE, shown).await, "{:?}", gavel.notifications.shown());
        gavel.notifications.shown().remove(0)
    };
    let notice = offered(true).await;
    assert!(notice.body.contains("Allow this session: also `touch *`"), "{}", notice.body);
    assert!(gavel.notifications.click(&request.key, Button::AllowSession));
    runs(&server, &["touch a", "Below"]).await;
    assert_eq!(gavel.settled(1).await, [you(touching(false, Lasts::default()))]);

    // As in the window, where nothing else is said, sub-agents are not included.
    let below = asks(&gavel, "touch b").await;
    assert_eq!(below.chain.len(), 2, "{below:?}");
    gavel.decide(&below, Decision::AllowOnce).await;
    runs(&server, &["touch a", "Below", "touch b"]).await;
    server.prompt(&session, "shell touch c").unwrap();
    runs(&server, &["touch a", "Below", "touch b", "touch c"]).await;
    let [grant] = &grants(&gavel).await[..] else { panic!("one grant") };
    assert_eq!((grant.title.as_str(), grant.includes_children), ("Run touch a", false));

    // What takes a second thought takes the window.
    server.prompt(&session, "shell rm -rf dist").unwrap();
    let request = asks(&gavel, "rm -rf dist").await;
    let deletes = Hazard::Deletes { example: "rm x".into() };
    assert_eq!(request.offers[0].hazard, Some(deletes));
    let notice = offered(false).await;
    assert!(notice.buttons.contains(&Button::Approve) && !notice.body.contains("Allow this session"), "{notice:?}");
    assert!(!gavel.notifications.click(&request.key, Button::AllowSession));
    gavel.decide(&request, Decision::decline("no")).await;
    gavel.inbox(0).await;
}

/// Waits for the request to run `command`.
async fn asks(gavel: &Gavel, command: &str) -> Request {
    let asked = async || gavel.snapshot().requests.iter().find(|request| request.text == command).cloned();
    eventually(format!("`{command}` to be asked"), DEADLINE, asked).await
}

#[tokio::test]
async fn a_server_that_asks_about_whole_lines_is_known_by_the_first() {
    let raw = Switches { shell: ShellResources::Raw, ..Switches::default() };
    let (server, gavel) = both(&Kind::StandInV2(raw)).await;
    let session = say(&server, PROJECT, "shell npm test");
    let before = asks(&gavel, "npm test").await;
    assert_eq!((before.lines, &before.offers[0].hazard), (Lines::Unknown, &None));
    gavel.decide(&before, Decision::AllowOnce).await;
    runs(&server, &["npm test"]).await;
    server.prompt(&session, "shell npm test && rm -rf dist\nshell npm test").unwrap();
    let line = asks(&gavel, "npm test && rm -rf dist").await;
    assert_eq!((line.resources.len(), line.lines), (1, Lines::Whole));
    gavel.decide(&line, Decision::AllowOnce).await;
    let after = asks(&gavel, "npm test").await;
    let chained = Hazard::Chained { example: "npm test x; rm -rf y".into() };
    assert_eq!((after.lines, &after.offers[0].hazard), (Lines::Whole, &Some(chained)));
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert!(!gavel.notifications.shown()[0].buttons.contains(&Button::AllowSession));
    gavel.decide(&after, Decision::AllowOnce).await;
    gavel.inbox(0).await;
}

pub async fn a_grant_ends_when_it_was_said(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    // After two uses, the second by a sub-agent.
    let session = say(&server, PROJECT, "shell touch a\nshell touch b\nagent Below\n> shell touch c\nshell touch d");
    let request = asks(&gavel, "touch a").await;
    gavel.decide(&request, touching(true, Lasts { uses: Some(2), ..Lasts::default() })).await;
    let last = asks(&gavel, "touch d").await;
    runs(&server, &["touch a", "touch b", "Below", "touch c"]).await;
    granted(&gavel, "none is left", <[_]>::is_empty).await;

    // With the run.
    gavel.decide(&last, touching(false, Lasts { for_run: true, ..Lasts::default() })).await;
    granted(&gavel, "none is left", <[_]>::is_empty).await;
    server.prompt(&session, "shell touch e\nshell touch f").unwrap();

    // At a moment. Nothing is counted that the user approves.
    let request = asks(&gavel, "touch e").await;
    let now = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap();
    let until = Moment(now).plus(1_500);
    gavel.decide(&request, touching(false, Lasts { until: Some(until), ..Lasts::default() })).await;
    granted(&gavel, "it to be used once", |grants| {
        grants.first().is_some_and(|grant| grant.used == Some(1) && grant.lasts.until == Some(until))
    })
    .await;
    let [grant] = &grants(&gavel).await[..] else { panic!("one grant") };
    assert_eq!((grant.title.as_str(), grant.session.as_str()), ("Run touch e", "Tidy <b>up</b>"));
    assert_eq!((grant.project.as_str(), &grant.patterns[0].resource[..]), ("project", "touch *"));
    granted(&gavel, "its time to be over", <[_]>::is_empty).await;
    server.prompt(&session, "shell touch g").unwrap();
    gavel.decide(&asks(&gavel, "touch g").await, Decision::AllowOnce).await;

    // Whatever is sent, nothing wider than what is proposed is ever granted.
    server.prompt(&session, "shell touch h\nshell ls").unwrap();
    let request = asks(&gavel, "touch h").await;
    let wide = Decision::AllowForSession {
        patterns: vec![Saved { action: "shell".into(), resource: "*".into() }],
        includes_children: true,
        lasts: Lasts::default(),
    };
    gavel.decide(&request, wide).await;
    gavel.decide(&asks(&gavel, "ls").await, Decision::AllowOnce).await;
    assert_eq!(grants(&gavel).await, []);
}

pub async fn a_grant_outlives_gavel_as_long_as_its_session_lives(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let [lives, dies, idles] =
        ["shell touch a", "shell touch b", "shell touch c"].map(|script| say(&server, PROJECT, script));
    for command in ["touch a", "touch b", "touch c"] {
        gavel.decide(&asks(&gavel, command).await, touching(false, Lasts::default())).await;
    }
    granted(&gavel, "three", |grants| grants.len() == 3).await;
    // On 2.x the server is told of it as a rule, on 1.x Gavel answers itself.
    let told = |session: &str, wish: bool| {
        server.world(|world| world.session(session).is_some_and(|known| known.rules.is_empty() != wish))
    };
    let is_told = matches!(kind, Kind::StandInV2(_));
    eventually("the rules of all", DEADLINE, async || [&lives, &dies, &idles].iter().all(|one| told(one, is_told)))
        .await;
    let kept = gavel.grants.lock().unwrap().clone();
    gavel.handle.shut_down().await;
    assert!(server.delete(&dies));
    let options = Options { servers: vec![server.url()], tuning: hurry(), grants: kept, ..Options::default() };
    let again = Gavel::start(options).await;
    again.in_sync(&server.url()).await;
    granted(&again, "two", |grants| {
        let titles: Vec<&str> = grants.iter().map(|grant| grant.title.as_str()).collect();
        titles == ["Run touch c", "Run touch a"]
    })
    .await;
    server.prompt(&lives, "shell touch d").unwrap();
    runs(&server, &["touch a", "touch b", "touch c", "touch d"]).await;

    // One click takes each back, whether its session has worked since or not, and the next is asked about.
    for grant in grants(&again).await {
        again.call(Call::TakeGrantBack { id: grant.id }).await;
    }
    granted(&again, "them to be taken back", |grants| grants.iter().all(|grant| grant.back_until.is_some())).await;
    eventually("no rules", DEADLINE, async || [&lives, &idles].iter().all(|one| told(one, false))).await;
    for (session, command) in [(&lives, "touch e"), (&idles, "touch f")] {
        server.prompt(session, &format!("shell {command}")).unwrap();
        again.decide(&asks(&again, command).await, Decision::AllowOnce).await;
    }
}
