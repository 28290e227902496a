//! What the user allowed for a session is not asked again, and no longer than they said.

use crate::support::play;

#[test]
fn a_grant_lets_the_next_one_pass_and_says_that_it_did() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > accepted a
            record a settled you grant
        > asked b
            record b decided allow
            reply b allow
            keep-grants
        = b replying
        > answered b once
        > accepted b
            record b settled grant
        = empty
        ",
    );
}

#[test]
fn a_grant_is_of_its_session_unless_it_includes_those_below() {
    play(
        "
        > session one
        > session two
        > session child one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > asked b/two
            timer 1300 grace b
        > asked c/child
            timer 1300 grace c
        > asked d
            record d decided allow
            reply d allow
            keep-grants
        > grant c do_* children
            record c decided grant
            reply c grant
            keep-grants
        > asked e/one
            record e decided allow
            reply e allow
            keep-grants
        > asked f/child
            record f decided allow
            reply f allow
            keep-grants
        = a replying, b waiting, c replying, d replying, e replying, f replying
        ",
    );
}

#[test]
fn a_child_whose_chain_is_not_known_yet_passes_when_it_is() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_* children
            record a decided grant
            reply a grant
            keep-grants
        > asked b/child
            look-up child
            timer 1300 grace b
        > session child one
            record b decided allow
            reply b allow
            keep-grants
        = a replying, b replying
        ",
    );
}

#[test]
fn what_waits_already_passes_with_it() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > asked b
            timer 1300 grace b
        > @1300 grace-over b
            notify b
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
            close b
            record b decided allow
            reply b allow
        = a replying, b replying
        ",
    );
}

#[test]
fn it_is_never_wider_than_what_the_server_proposed() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a *
            record a decided grant
            reply a grant
        > asked b
            timer 1300 grace b
        > grant b do_b
            record b decided grant
            reply b grant
            keep-grants
        > asked c
            timer 1300 grace c
        = a replying, b replying, c waiting
        ",
    );
}

#[test]
fn it_ends_when_the_user_said() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_* until=5000
            record a decided grant
            reply a grant
            keep-grants
            timer 5000 grants
        > @4999 asked b
            record b decided allow
            reply b allow
            keep-grants
        > @5000 grants-due
            keep-grants
        > asked c
            timer 5300 grace c
        > grant c do_* uses=1
            record c decided grant
            reply c grant
            keep-grants
        > asked d
            record d decided allow
            reply d allow
            keep-grants
        > asked e
            timer 5300 grace e
        > grant e do_* run
            record e decided grant
            reply e grant
            keep-grants
        > asked f
            record f decided allow
            reply f allow
            keep-grants
        > accepted a
            record a settled you grant
        > accepted b
            record b settled grant
        > accepted c
            record c settled you grant
        > accepted d
            record d settled grant
        > accepted e
            record e settled you grant
        > accepted f
            record f settled grant
        > run-ended one
            keep-grants
        > asked g
            timer 5300 grace g
        = g waiting
        ",
    );
}

#[test]
fn a_use_that_came_to_nothing_is_none() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_* uses=1
            record a decided grant
            reply a grant
            keep-grants
        > asked b
            record b decided allow
            reply b allow
            keep-grants
        > lost b
            record b settled another-client
        > asked c
            record c decided allow
            reply c allow
            keep-grants
        > accepted c
            record c settled grant
        > asked d
            timer 1300 grace d
        = a replying, d waiting
        ",
    );
}

#[test]
fn an_answer_of_a_grant_that_is_not_delivered_is_the_users() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > accepted a
            record a settled you grant
        > asked b
            record b decided allow
            reply b allow
            keep-grants
        > failed b
            timer 2000 resend b
        > @2000 resend-due b
            reply b allow
        > failed b
            record b undelivered
            notify b
        = b undelivered
        > retry b
            close b
            record b decided allow
            reply b allow
        > accepted b
            record b settled you allow
        = empty
        ",
    );
}

#[test]
fn it_is_taken_back_with_one_word_and_had_again_with_another() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > take-back 1
            keep-grants
            timer 11000 grants
        > asked b
            timer 1300 grace b
        > @10999 give-again 1
            keep-grants
            record b decided allow
            reply b allow
        > take-back 1
            keep-grants
            timer 20999 grants
        > @20999 give-again 1
        > asked c
            timer 21299 grace c
        = a replying, b replying, c waiting
        ",
    );
}

#[test]
fn it_is_gone_with_its_session() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > accepted a
            record a settled you grant
        > deleted one
            keep-grants
        > session one
        > asked b
            timer 1300 grace b
        = b waiting
        ",
    );
}

#[test]
fn it_is_gone_with_its_server() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > server-removed
            record a settled server-gone
            keep-grants
        > server
        > online
        > session one
        > asked b
            timer 1300 grace b
        = b waiting
        ",
    );
}

#[test]
fn what_was_kept_is_good_while_its_session_lives() {
    use gavel_core::flow::{Effect, Event, Flow, WireEvent};
    use gavel_core::grants::Grants;
    use gavel_core::{Moment, SessionId};

    let mut flow = Flow::default();
    for before in ["server", "online", "session one", "asked a", "grant a do_*"] {
        let _ = flow.step(crate::support::event(before), Moment(1));
    }
    // It travels through a file.
    let kept: Grants = serde_json::from_str(&serde_json::to_string(flow.grants()).unwrap()).unwrap();
    assert_eq!(&kept, flow.grants());

    let mut next = Flow::default();
    let _ = next.step(Event::Granted(kept), Moment(2));
    let _ = next.step(crate::support::event("server"), Moment(2));
    let effects = next.step(crate::support::event("online"), Moment(2));
    let looked_up =
        |effect: &Effect| matches!(effect, Effect::LookUp { session, .. } if *session == SessionId::from("one"));
    assert!(effects.iter().any(looked_up), "{effects:?}");
    // It is no more: so is the grant.
    let gone = WireEvent::SessionDeleted("one".into());
    let effects = next.step(Event::Wire(crate::support::SERVER.into(), gone), Moment(3));
    assert!(effects.contains(&Effect::KeepGrants));
    assert_eq!(next.grants().live(Moment(3)).count(), 0);
}

#[test]
fn a_stopped_run_passes_nothing() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > accepted a
            record a settled you grant
        > take-back 1
            keep-grants
            timer 11000 grants
        > asked b
            timer 1300 grace b
        > stop b
            record b decided stop
            reply b stop
        > give-again 1
            keep-grants
        > asked c
            record c decided stop
            reply c stop
        ",
    );
}

#[test]
fn always_is_said_to_the_server() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > always a
            record a decided always
            reply a always
        > answered a always
        > accepted a
            record a settled you always
        = empty
        ",
    );
}
