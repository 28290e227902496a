//! Modes and grants through the whole program: chosen in Gavel, obeyed by the server.

use std::time::Duration;

use gavel_core::flow::RuleState;
use gavel_core::grants::Lasts;
use gavel_core::modes::{Mode, Stance};
use gavel_core::{Decision, Settled};
use gavel_opencode::Tuning;
use gavel_runtime::api::{Call, Request, Scope, SessionRow};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::{Host, Kind, Play};
use gavel_tests::wait::{eventually, stays};

#[path = "modes/calls.rs"]
mod calls;
#[path = "modes/places.rs"]
mod places;
#[path = "modes/restart.rs"]
mod restart;
#[path = "modes/unasked.rs"]
mod unasked;

use calls::a_server_is_told_exactly_what_changes;
use gavel_tests::on_both_dialects;
use places::a_plan_is_written_while_nothing_else_is;
use restart::{a_child_is_not_allowed_what_only_its_parent_is, what_was_told_is_known_to_the_next_run};
use unasked::where_nobody_is_asked_it_is_told_until_somebody_is;

/// Makes a test of each scenario on a 2.x stand-in, and on a real 1.18.33.
macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        mod v2 {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Kind::StandInV2(Default::default())).await;
            })*
        }

        #[cfg(feature = "real")]
        mod real {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Kind::Real(gavel_tests::opencode::Version::V1_18_33)).await;
            })*
        }
    };
}

scenarios! {
    full_access_asks_nothing,
    supervised_asks_about_commands_and_edits,
    accepted_edits_are_not_asked_about,
    a_plan_changes_no_file_and_taking_it_back_lets_it,
    a_plan_is_written_while_nothing_else_is,
    switched_three_times_in_one_session,
    a_sub_agent_gets_what_its_parent_has,
    a_grant_passes_the_second_time_and_in_no_other_session,
    a_grant_that_is_taken_back_passes_nothing,
    where_nobody_is_asked_it_is_told_until_somebody_is,
}

mod counted {
    use super::*;

    on_both_dialects! {
        a_server_is_told_exactly_what_changes,
        what_was_told_is_known_to_the_next_run,
        a_child_is_not_allowed_what_only_its_parent_is,
    }
}

/// How long a real server may take for a turn of its agent.
const PATIENCE: Duration = Duration::from_secs(60);

async fn both(kind: &Kind) -> (Host, Gavel) {
    let host = Host::start(kind).await;
    // A real server takes its time.
    let tuning = if matches!(kind, Kind::Real(_)) { Tuning::default() } else { hurry() };
    let gavel = Gavel::start(Options { servers: vec![host.url()], tuning, ..Options::default() }).await;
    gavel.in_sync(&host.url()).await;
    (host, gavel)
}

async fn choose(gavel: &Gavel, host: &Host, stance: impl Into<Stance>) {
    gavel.call(Call::SetMode { scope: Scope::Server { server: host.url() }, stance: Some(stance.into()) }).await;
}

/// Waits until the server has been told what counts for a session.
async fn stands(gavel: &Gavel, session: &str, stance: Stance) -> SessionRow {
    eventually(format!("{stance:?} in {session}"), PATIENCE, async || {
        let snapshot = gavel.snapshot();
        let row = snapshot
            .modes
            .sessions
            .iter()
            .find(|row| matches!(&row.scope, Scope::Session { session: id, .. } if id == session));
        row.filter(|row| row.counts == Some(stance) && row.state == Some(RuleState::Stands))
            .cloned()
            .ok_or(format!("{row:?}"))
    })
    .await
}

/// A session in which `mode` counts, chosen before it existed.
async fn session(gavel: &Gavel, host: &Host, stance: impl Into<Stance>) -> String {
    let stance = stance.into();
    choose(gavel, host, stance).await;
    let session = host.begin(0).await;
    stands(gavel, &session, stance).await;
    session
}

async fn allow(gavel: &Gavel, request: &Request) {
    gavel.decide(request, Decision::AllowOnce).await;
}

/// What is asked next, which is about `action`.
async fn asked(gavel: &Gavel, action: &str) -> Request {
    eventually(format!("a request about {action}"), PATIENCE, async || {
        let requests = gavel.snapshot().requests.clone();
        match &requests[..] {
            [request] if request.action == action => Ok(request.clone()),
            other => Err(format!("{:?}", other.iter().map(|request| &request.headline).collect::<Vec<_>>())),
        }
    })
    .await
}

async fn full_access_asks_nothing(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = session(&gavel, &host, Mode::FullAccess).await;
    host.go_on(0, &session, Play::new().run("touch full.txt").write("notes.txt", "one\n").say("done")).await;
    host.touches(0, "full.txt").await;
    host.idle(0, &session).await;
    assert_eq!(gavel.activity(0).await, [], "nothing was ever asked");
}

async fn supervised_asks_about_commands_and_edits(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = session(&gavel, &host, Mode::Supervised).await;
    host.go_on(0, &session, Play::new().run("touch asked.txt").write("notes.txt", "one\n").say("done")).await;
    allow(&gavel, &asked(&gavel, "shell").await).await;
    allow(&gavel, &asked(&gavel, "edit").await).await;
    host.touches(0, "asked.txt").await;
    host.idle(0, &session).await;
    gavel.activity(2).await;
}

async fn accepted_edits_are_not_asked_about(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = session(&gavel, &host, Mode::AutoAcceptEdits).await;
    host.go_on(0, &session, Play::new().write("notes.txt", "one\n").run("touch asked.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    assert_eq!(gavel.activity(0).await, [], "the edit was not asked about");
    allow(&gavel, &request).await;
    host.touches(0, "asked.txt").await;
}

async fn a_plan_changes_no_file_and_taking_it_back_lets_it(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let plan = Stance { plan: true, ..Stance::from(Mode::FullAccess) };
    let session = session(&gavel, &host, plan).await;
    host.go_on(0, &session, Play::new().write("notes.txt", "one\n").run("touch planned.txt").say("done")).await;
    host.touches(0, "planned.txt").await;
    host.idle(0, &session).await;
    assert!(!host.wrote(0, "notes.txt"), "a plan is no edit");
    choose(&gavel, &host, Mode::FullAccess).await;
    stands(&gavel, &session, Mode::FullAccess.into()).await;
    host.go_on(0, &session, Play::new().write("notes.txt", "one\n").say("done")).await;
    eventually("the edit", DEADLINE, async || host.wrote(0, "notes.txt")).await;
    assert_eq!(gavel.activity(0).await, []);
}

async fn switched_three_times_in_one_session(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = session(&gavel, &host, Mode::Supervised).await;
    host.go_on(0, &session, Play::new().run("touch one.txt").say("done")).await;
    allow(&gavel, &asked(&gavel, "shell").await).await;
    host.idle(0, &session).await;
    for (mode, file, asks) in
        [(Mode::FullAccess, "two.txt", false), (Mode::Auto, "three.txt", true), (Mode::FullAccess, "four.txt", false)]
    {
        choose(&gavel, &host, mode).await;
        stands(&gavel, &session, mode.into()).await;
        host.go_on(0, &session, Play::new().run(&format!("touch {file}")).say("done")).await;
        if asks {
            allow(&gavel, &asked(&gavel, "shell").await).await;
        }
        host.touches(0, file).await;
        host.idle(0, &session).await;
    }
    gavel.activity(2).await;
}

async fn a_sub_agent_gets_what_its_parent_has(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    choose(&gavel, &host, Mode::Supervised).await;
    let session = session(&gavel, &host, Mode::Supervised).await;
    let scope = Scope::Session { server: host.url(), session: session.clone() };
    gavel.call(Call::SetMode { scope, stance: Some(Mode::Supervised.into()) }).await;
    let child = Play::new().run("touch deep.txt").say("deep enough");
    host.go_on(0, &session, Play::new().sub_agent(child).say("done")).await;
    let request = asked(&gavel, "shell").await;
    let counts = async || {
        let snapshot = gavel.snapshot();
        snapshot.modes.sessions.iter().any(|row| row.is_child && row.counts == Some(Mode::Supervised.into()))
    };
    eventually("the child to have it", DEADLINE, counts).await;
    allow(&gavel, &request).await;
    host.touches(0, "deep.txt").await;
}

/// Allows the first pattern that the server proposes, for the session.
fn for_session(request: &Request) -> Decision {
    Decision::AllowForSession {
        patterns: request.offers.iter().map(|offer| offer.pattern.clone()).collect(),
        includes_children: false,
        lasts: Lasts::default(),
    }
}

async fn a_grant_passes_the_second_time_and_in_no_other_session(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = session(&gavel, &host, Mode::Supervised).await;
    host.go_on(0, &session, Play::new().run("touch a.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    assert!(!request.offers.is_empty(), "{request:?}");
    gavel.decide(&request, for_session(&request)).await;
    host.touches(0, "a.txt").await;
    host.idle(0, &session).await;
    eventually("the grant", DEADLINE, async || gavel.snapshot().grants.len() == 1).await;
    stands(&gavel, &session, Mode::Supervised.into()).await;
    host.go_on(0, &session, Play::new().run("touch a.txt").run("touch b.txt").say("done")).await;
    host.touches(0, "b.txt").await;
    host.idle(0, &session).await;
    assert!(gavel.snapshot().requests.is_empty(), "neither the same nor another that the pattern means is asked about");

    let other = host.begin(0).await;
    stands(&gavel, &other, Mode::Supervised.into()).await;
    host.go_on(0, &other, Play::new().run("touch c.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    assert!(!host.touched(0, "c.txt"));
    allow(&gavel, &request).await;
    host.touches(0, "c.txt").await;
    assert_eq!(gavel.grants.lock().unwrap().live(gavel_core::Moment(0)).count(), 1, "it is kept");
}

async fn a_grant_that_is_taken_back_passes_nothing(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = session(&gavel, &host, Mode::Supervised).await;
    host.go_on(0, &session, Play::new().run("touch a.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    gavel.decide(&request, for_session(&request)).await;
    host.touches(0, "a.txt").await;
    host.idle(0, &session).await;
    let grant = eventually("the grant", DEADLINE, async || gavel.snapshot().grants.first().cloned()).await;
    gavel.call(Call::TakeGrantBack { id: grant.id }).await;
    let taken = async || gavel.snapshot().grants.first().is_some_and(|grant| grant.back_until.is_some());
    eventually("it to be taken back", DEADLINE, taken).await;
    stands(&gavel, &session, Mode::Supervised.into()).await;
    host.go_on(0, &session, Play::new().run("touch b.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    stays("nothing runs", Duration::from_millis(200), async || !host.touched(0, "b.txt")).await;

    // Had again, it covers what waits.
    gavel.call(Call::GiveGrantAgain { id: grant.id }).await;
    host.touches(0, "b.txt").await;
    gavel.inbox(0).await;
    let last = gavel.activity(2).await.pop().unwrap();
    assert!(
        matches!(last.outcome, gavel_runtime::api::Outcome::Settled { settled: Settled::Grant { .. } }),
        "{last:?}"
    );
    assert_eq!(last.title, request.headline);
}
