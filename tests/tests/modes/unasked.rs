//! Projects in which nobody is asked: told, and mended by either remedy.

use gavel_core::Dialect;
use gavel_core::modes::{Mode, Unasked};
use gavel_runtime::api::{Call, Scope, UnaskedRow};
use gavel_tests::gavel::{Gavel, Options, hurry};
use gavel_tests::host::{Host, Kind, Play};
use gavel_tests::wait::eventually;

use super::{PATIENCE, Tuning, allow, asked};

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
