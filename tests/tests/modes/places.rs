//! Places that agents may use of their own, whatever the mode.

use gavel_core::modes::{Mode, Stance};
use gavel_core::rules::Effect;
use gavel_tests::gavel::{Gavel, Options};
use gavel_tests::host::{Host, Kind, Play};
use gavel_tests::wait::eventually;

use super::{DEADLINE, PATIENCE, Tuning, allow, asked, choose, hurry, session, stands};

/// A plan may be written, and nothing else.
pub async fn a_plan_is_written_while_nothing_else_is(kind: Kind) {
    let is_real = matches!(kind, Kind::Real(_));
    // The rig's configuration asks about edits, and a plan with them; here nobody's does.
    let host = Host::permissive(&kind).await;
    let tuning = if is_real { Tuning::default() } else { hurry() };
    let gavel = Gavel::start(Options { servers: vec![host.url()], tuning, ..Options::default() }).await;
    gavel.in_sync(&host.url()).await;
    let plan = if is_real { ".opencode/plans/one.md" } else { "/home/dev/.opencode/plan/one.md" };
    let stance = Stance { plan: true, ..Mode::FullAccess.into() };
    let session = session(&gavel, &host, stance).await;
    host.go_on(0, &session, Play::new().write("never.txt", "text\n").write(plan, "text\n").say("done")).await;
    eventually("the plan", PATIENCE, async || host.wrote(0, plan)).await;
    host.idle(0, &session).await;
    assert!(!host.wrote(0, "never.txt"), "only the plan may be written");
    assert_eq!(gavel.activity(0).await, [], "nothing was asked");

    choose(&gavel, &host, Mode::FullAccess).await;
    stands(&gavel, &session, Mode::FullAccess.into()).await;
    host.go_on(0, &session, Play::new().write("now.txt", "text\n").say("done")).await;
    eventually("the edit", PATIENCE, async || host.wrote(0, "now.txt")).await;
}

/// A tool's output that was too long lies outside the project, and is the agent's own.
#[tokio::test]
async fn kept_output_is_read_without_being_asked_for() {
    let host = Host::start(&Kind::StandInV2(gavel_stand_in::Switches::default())).await;
    let gavel = Gavel::in_a_hurry(&[host.url()]).await;
    let session = session(&gavel, &host, Mode::Supervised).await;
    let rules = host.stand_in().world(|world| world.session(&session).unwrap().rules.clone());
    let kept = rules.iter().find(|rule| rule.resource.ends_with("/tool-output/*")).expect("the agent's own place");
    assert_eq!((kept.action.as_str(), kept.effect), ("external_directory", Effect::Allow));
    let place = kept.resource.trim_end_matches('*');
    let script = format!("read {place}tool_1\n: output so long\nread /home/dev/elsewhere/file\nsay done");
    host.stand_in().prompt(&session, &script).unwrap();
    let request = asked(&gavel, "external_directory").await;
    assert!(request.text.contains("/home/dev/elsewhere"), "{}", request.text);
    let read = || host.stand_in().executed().into_iter().map(|done| done.what).collect::<Vec<_>>();
    assert_eq!(read(), [format!("{place}tool_1")], "it was read, and nobody was asked");
    allow(&gavel, &request).await;
    eventually("the other file", DEADLINE, async || read().len() == 2).await;
}
