//! A request arrives, and what becomes known about it.

use gavel_core::flow::{Effect, Event, Flow, Phase, WireEvent};
use gavel_core::{Moment, RequestKey};

use crate::support::{SERVER, ask, event, play};

#[test]
fn answered_within_the_grace_delay_is_never_notified() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > @1100 answered a always
            record a settled another-client always
        > @1300 grace-over a
        = empty
        ",
    );
}

#[test]
fn a_session_that_changed_is_looked_up_again() {
    play(
        "
        > session one
        > session-changed one
            look-up one
        > session-changed one
            look-up one
        ",
    );
}

#[test]
fn a_request_that_does_not_say_where_it_is_belongs_where_its_session_is() {
    let mut flow = Flow::default();
    for before in ["server", "session one"] {
        let _ = flow.step(event(before), Moment(1));
    }
    let asked = gavel_core::Ask { directory: String::new(), ..ask("a/one") };
    let _ = flow.step(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))), Moment(1));
    assert_eq!(flow.inbox()[0].ask.directory, "/p");
    // So a listing that lacks it settles it.
    for after in ["list-began 1", "listed 1", "unheard a"] {
        let _ = flow.step(event(after), Moment(1));
    }
    assert!(flow.inbox().is_empty());
}

#[test]
fn the_event_and_the_listing_bring_one_request() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > list-began 1
        > listed 1 a
        > asked a
        = a waiting
        ",
    );
}

#[test]
fn paused_requests_are_notified_when_the_pause_ends() {
    play(
        "
        > session one
        > pause
        > asked a
            timer 1300 grace a
        > @1300 grace-over a
        = a waiting
        > asked b
            timer 1600 grace b
        > allow b
            record b decided allow
            reply b allow
        > resume
            notify a
        > asked c
            timer 1600 grace c
        > pause
        > resume
            notify c
        > @1600 grace-over c
        ",
    );
}

#[test]
fn the_chain_of_a_sub_agent_is_looked_up_to_its_root() {
    play(
        "
        > asked a/grandchild
            look-up grandchild
            timer 1300 grace a
        > session grandchild child
            look-up child
        > session child root
            look-up root
        > session root
        > session root
        ",
    );
}

#[test]
fn while_something_is_pending_a_stale_server_is_listed_again() {
    play(
        "
        > session one
        > @30000 heard
        > asked a
            timer 30300 grace a
        > heard
            relist
        > @40000 heard
        > in-sync
        > @55000 heard
        > @60000 heard
            relist
        > @5000 heard
            relist
        > @24000 heard
        ",
    );
}

#[test]
fn a_listing_that_knows_more_brings_the_notification_up_to_date() {
    let mut flow = Flow::default();
    let mut bare = ask("a");
    bare.detail.command = None;
    let asked = |ask| Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(ask)));
    let _ = flow.step(event("server"), Moment(1));
    let _ = flow.step(asked(bare), Moment(1));
    let _ = flow.step(event("grace-over a"), Moment(301));
    let effects = flow.step(asked(ask("a")), Moment(5_000));
    assert!(effects.contains(&Effect::Notify(RequestKey::new(SERVER, "a"))), "{effects:?}");
}

#[test]
fn an_id_that_is_used_again_for_something_else_is_another_request() {
    let mut flow = Flow::default();
    let mut other = ask("a");
    other.detail.command = Some("rm -rf /".into());
    let _ = flow.step(event("server"), Moment(1));
    let _ = flow.step(event("asked a"), Moment(1));
    let _ = flow.step(event("allow a"), Moment(2));
    let effects = flow.step(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(other.clone()))), Moment(3));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Reply { .. })), "{effects:?}");
    assert_eq!(flow.inbox().len(), 1);
    assert_eq!((&flow.inbox()[0].ask, &flow.inbox()[0].phase), (&other, &Phase::Waiting));
    // The answer to the first one is nobody's any more.
    let _ = flow.step(event("failed a"), Moment(4));
    let effects = flow.step(event("resend-due a"), Moment(2_000));
    assert_eq!(effects, []);
}
