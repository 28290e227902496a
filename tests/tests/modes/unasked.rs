//! Projects in which nobody is asked: told, and mended by either remedy.

use gavel_core::Dialect;
use gavel_core::modes::{Mode, Unasked};
use gavel_core::rules::{Effect, Rule};
use gavel_runtime::api::{Call, Scope, UnaskedRow};
use gavel_stand_in::{SessionRules, Switches};
use gavel_tests::gavel::{Gavel, Options, hurry};
use gavel_tests::host::{Host, Kind, Play};
use gavel_tests::wait::eventually;

use super::{PATIENCE, Tuning, allow, asked, choose};

/// Waits until of a project is told what fulfils `wish`.
async fn told(gavel: &Gavel, directory: &str, what: &str, wish: impl Fn(Option<&UnaskedRow>) -> bool) {
    eventually(format!("{directory}: {what}"), PATIENCE, async || {
        let snapshot = gavel.snapshot();
        let row = snapshot.modes.unasked.iter().find(|row| row.directory == directory);
        if wish(row) { Ok(()) } else { Err(format!("{row:?}")) }
    })
    .await;
}

pub async fn where_nobody_is_asked_it_is_told_until_somebody_is(kind: Kind) {
    let host = Host::permissive(&kind).await;
    let tuning = if matches!(kind, Kind::Real(_)) { Tuning::default() } else { hurry() };
    let gavel = Gavel::start(Options { servers: vec![host.url()], tuning, ..Options::default() }).await;
    gavel.in_sync(&host.url()).await;
    let directory = host.directory(0);
    assert_eq!(gavel.snapshot().modes.unasked, [], "nothing is claimed before anybody has looked");

    // With the first session that works there it is told, and it is true.
    let session = host.begin(0).await;
    host.go_on(0, &session, Play::new().run("touch quiet.txt").write("quiet.md", "one\n").say("done")).await;
    let everything = Unasked { commands: true, edits: true, outside: true, fetches: true, anything: true };
    let plain =
        |row: Option<&UnaskedRow>| row.is_some_and(|row| row.unasked == everything && !row.by_choice && !row.put_aside);
    told(&gavel, &directory, "nobody is asked", plain).await;
    host.touches(0, "quiet.txt").await;
    host.idle(0, &session).await;
    assert_eq!(gavel.activity(0).await, [], "nothing was ever asked");

    // Who knows it need not hear of it.
    for aside in [true, false] {
        gavel.call(Call::PutAside { directory: directory.clone(), aside }).await;
        told(&gavel, &directory, "put aside", |row| row.is_some_and(|row| row.put_aside == aside)).await;
    }

    // A mode that asks mends it, one that doesn't is a choice, and none leaves it as it was.
    let project = |mode: Option<Mode>| Call::SetMode {
        scope: Scope::Project { directory: directory.clone() },
        stance: mode.map(Into::into),
    };
    gavel.call(project(Some(Mode::FullAccess))).await;
    told(&gavel, &directory, "chosen", |row| row.is_some_and(|row| row.by_choice)).await;
    gavel.call(project(Some(Mode::Supervised))).await;
    told(&gavel, &directory, "nothing to tell", |row| row.is_none()).await;
    gavel.call(project(None)).await;
    told(&gavel, &directory, "nobody is asked again", plain).await;

    // And so does what is to be pasted, into the file that is named.
    let row = gavel.snapshot().modes.unasked[0].clone();
    let dialect = if matches!(kind, Kind::Real(_)) { Dialect::V1 } else { Dialect::V2 };
    assert_eq!((row.dialect, row.file), (dialect, format!("{directory}/opencode.json")));
    host.paste(0, &row.configuration).await;
    told(&gavel, &directory, "nothing to tell", |row| row.is_none()).await;
    let session = host.begin(0).await;
    host.go_on(0, &session, Play::new().run("touch asked.txt").write("asked.md", "one\n").say("done")).await;
    allow(&gavel, &asked(&gavel, "shell").await).await;
    allow(&gavel, &asked(&gavel, "edit").await).await;
    host.touches(0, "asked.txt").await;
    host.idle(0, &session).await;
    gavel.activity(2).await;
}

/// What a server asks about whose configuration says nothing: hardly anything.
const AS_IT_COMES: Unasked = Unasked { commands: true, edits: true, outside: false, fetches: true, anything: false };

/// A 2.x server whose configuration says nothing.
async fn as_it_comes(switches: Switches) -> Host {
    let host = Host::start(&Kind::StandInV2(switches)).await;
    host.stand_in().configure(Vec::new());
    host
}

fn is_told(row: Option<&UnaskedRow>) -> bool {
    row.is_some_and(|row| row.unasked == AS_IT_COMES && !row.by_choice)
}

/// Sets a session's rules as another client does.
async fn set_rules(host: &Host, session: &str, rules: &[Rule]) {
    let route = format!("{}/api/session/{session}", host.url());
    let body = serde_json::json!({ "permissions": rules });
    let answer = reqwest::Client::new().patch(route).json(&body).send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
}

#[tokio::test]
async fn sessions_that_were_there_are_looked_at_when_somebody_looks() {
    let host = as_it_comes(Switches::default()).await;
    let session = host.begin(0).await;
    let gavel = Gavel::in_a_hurry(&[host.url()]).await;
    let known = async || gavel.snapshot().modes.sessions.iter().any(|row| row.directory == host.directory(0));
    eventually("the session to be known", PATIENCE, known).await;
    gavel.call(Call::FindUnasked).await;
    told(&gavel, &host.directory(0), "nobody is asked", is_told).await;
    let row = gavel.snapshot().modes.unasked[0].clone();
    assert!(!row.configuration.contains("external_directory"), "that is asked already: {}", row.configuration);
    assert!(
        gavel.snapshot().modes.unasked.iter().all(|row| row.directory == host.directory(0)),
        "nothing happens there"
    );

    // While the server is away, nothing is known of it.
    host.stand_in().refuse(true);
    host.stand_in().cut_streams();
    told(&gavel, &host.directory(0), "nothing to tell", |row| row.is_none()).await;
    host.stand_in().refuse(false);
    gavel.in_sync(&host.url()).await;
    host.go_on(0, &session, Play::new().say("done")).await;
    told(&gavel, &host.directory(0), "nobody is asked", is_told).await;
}

#[tokio::test]
async fn what_another_client_lets_a_session_ask_counts() {
    let host = as_it_comes(Switches::default()).await;
    let gavel = Gavel::in_a_hurry(&[host.url()]).await;
    let directory = host.directory(0);
    let session = host.begin(0).await;
    told(&gavel, &directory, "nobody is asked", is_told).await;
    let ask = Rule { action: "shell".to_owned(), resource: "*".to_owned(), effect: Effect::Ask };
    set_rules(&host, &session, &[ask]).await;
    host.go_on(0, &session, Play::new().run("touch asked.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    told(&gavel, &directory, "nothing to tell", |row| row.is_none()).await;
    allow(&gavel, &request).await;
    host.touches(0, "asked.txt").await;
    set_rules(&host, &session, &[]).await;
    told(&gavel, &directory, "nobody is asked any more", is_told).await;
}

#[tokio::test]
async fn a_mode_that_a_server_can_not_be_told_mends_nothing() {
    let host = as_it_comes(Switches { session_rules: SessionRules::Neither, ..Switches::default() }).await;
    let gavel = Gavel::in_a_hurry(&[host.url()]).await;
    let session = host.begin(0).await;
    told(&gavel, &host.directory(0), "nobody is asked", is_told).await;
    choose(&gavel, &host, Mode::Supervised).await;
    let unsupported = async || {
        let snapshot = gavel.snapshot();
        snapshot.modes.sessions.iter().any(|row| row.state == Some(gavel_core::flow::RuleState::Unsupported))
    };
    eventually("the server to refuse it", PATIENCE, unsupported).await;
    told(&gavel, &host.directory(0), "nobody is asked all the same", is_told).await;
    host.go_on(0, &session, Play::new().run("touch quiet.txt").say("done")).await;
    host.touches(0, "quiet.txt").await;
    assert_eq!(gavel.activity(0).await, [], "nothing was ever asked");
}
