//! The user answers, and what becomes of the answer.

use gavel_core::flow::{Effect, Event, Flow};
use gavel_core::{Decision, Moment, RequestKey};

use crate::support::{SERVER, event, play};

#[test]
fn a_decline_without_words_gets_some_for_without_them_it_would_end_the_run() {
    for (given, sent) in [("", Decision::DEFAULT_REASON), (" \n", Decision::DEFAULT_REASON), (" no ", "no")] {
        let mut flow = Flow::default();
        let _ = flow.step(event("server"), Moment(1));
        let _ = flow.step(event("asked a"), Moment(1));
        let decline = Decision::Decline { reason: given.into() };
        let effects =
            flow.step(Event::Decide { key: RequestKey::new(SERVER, "a"), decision: decline, edition: None }, Moment(1));
        let replies: Vec<&Decision> = effects
            .iter()
            .filter_map(|effect| if let Effect::Reply { decision, .. } = effect { Some(decision) } else { None })
            .collect();
        assert_eq!(replies, [&Decision::Decline { reason: sent.into() }]);
    }
}

#[test]
fn approved_here() {
    play(
        "
        > asked a
            look-up one
            timer 1300 grace a
        = a waiting
        > @1300 grace-over a
            notify a
        > @2000 allow a
            close a
            record a decided allow
            reply a allow
        = a replying
        > accepted a
            record a settled you allow
        = empty
        > answered a once
        = empty
        ",
    );
}

#[test]
fn the_servers_word_may_come_before_the_answer_to_our_reply() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > allow a
            record a decided allow
            reply a allow
        > answered a once
        = a replying
        > accepted a
            record a settled you allow
        = empty
        ",
    );
}

#[test]
fn declining_says_why_and_sweeps_the_session_but_no_other() {
    play(
        "
        > session one
        > session two
        > asked a/one
            timer 1300 grace a
        > asked b/one
            timer 1300 grace b
        > asked c/two
            timer 1300 grace c
        > decline a
            record a decided decline
            reply a decline
        > answered a reject
        > answered b reject
            record b settled swept
        > accepted a
            record a settled you decline
        = c waiting
        > answered c reject
            record c settled another-client reject
        = empty
        ",
    );
}

#[test]
fn a_lost_refusal_sweeps_nothing() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > asked b
            timer 1300 grace b
        > decline a
            record a decided decline
            reply a decline
        > lost a
            record a settled another-client
        > answered b reject
            record b settled another-client reject
        = empty
        ",
    );
}

#[test]
fn stopping_refuses_what_the_run_still_asks_until_it_ends() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > stop a
            record a decided stop
            reply a stop
        > asked b
            record b decided stop
            reply b stop
        > accepted a
            record a settled you stop
        > accepted b
            record b settled you stop
        > run-ended one
        > asked c
            timer 1300 grace c
        = c waiting
        ",
    );
}

#[test]
fn another_client_was_first() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > @1300 grace-over a
            notify a
        > allow a
            close a
            record a decided allow
            reply a allow
        > answered a reject
        > lost a
            record a settled another-client reject
        = empty
        ",
    );
}

#[test]
fn a_server_that_takes_every_reply_does_not_fool_us() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > allow a
            record a decided allow
            reply a allow
        > answered a reject
        > accepted a
            record a settled another-client reject
        = empty
        ",
    );
}

#[test]
fn a_second_decision_comes_too_late() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > allow a
            record a decided allow
            reply a allow
        > stop a
        > decline a
        > accepted a
            record a settled you allow
        > allow a
        > retry a
        = empty
        ",
    );
}

#[test]
fn an_undelivered_answer_is_sent_again_once_then_shown_with_retry() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > @2000 allow a
            record a decided allow
            reply a allow
        > failed a
            timer 3000 resend a
        = a replying
        > @3000 resend-due a
            reply a allow
        > failed a
            record a undelivered
            notify a
        = a undelivered
        > retry a
            close a
            record a decided allow
            reply a allow
        > accepted a
            record a settled you allow
        = empty
        ",
    );
}

#[test]
fn an_answer_whose_receipt_got_lost_is_still_ours() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > @2000 allow a
            record a decided allow
            reply a allow
        > failed a
            timer 3000 resend a
        > answered a once
        > @3000 resend-due a
            reply a allow
        > lost a
            record a settled you allow
        = empty
        ",
    );
}

#[test]
fn an_undelivered_answer_may_turn_out_to_have_arrived_or_to_be_overtaken() {
    for (word, how) in [("once", "you allow"), ("reject", "another-client reject")] {
        play(&format!(
            "
            > session one
            > asked a
                timer 1300 grace a
            > @2000 allow a
                record a decided allow
                reply a allow
            > failed a
                timer 3000 resend a
            > @3000 resend-due a
                reply a allow
            > failed a
                record a undelivered
                notify a
            > answered a {word}
                record a settled {how}
                close a
            = empty
            "
        ));
    }
}

#[test]
fn what_grew_a_moment_ago_is_not_approved_unread() {
    play(
        "
        > session one
        > @1000 asked a/one/call
            timer 1300 grace a
        > @1300 grace-over a
            notify a
        > @5000 call-runs-in one call /etc
            notify a
        > @5900 allow a
            show a
        = a waiting
        > @6000 allow a
            close a
            record a decided allow
            reply a allow
        ",
    );
    // A refusal is safe whatever the text says, and what follows the request at once nobody can have missed. A clock
    // that is put back locks nobody out.
    play(
        "
        > session one
        > @1000 asked a/one/x
            timer 1300 grace a
        > @1000 asked b/one/y
            timer 1300 grace b
        > @1000 asked c/one/z
            timer 1300 grace c
        > @1001 call-runs-in one x /etc
        > @1300 call-runs-in one y /etc
        > @1300 call-runs-in one z /etc
        > @1400 allow a
            record a decided allow
            reply a allow
        > @900 allow c
            record c decided allow
            reply c allow
        > @1400 decline b
            record b decided decline
            reply b decline
        ",
    );
}

#[test]
fn an_approval_of_an_older_edition_is_none_however_late_it_comes() {
    play(
        "
        > session one
        > @1000 asked a/one/call
            timer 1300 grace a
        > @5000 call-runs-in one call /etc
        > @60000 allow a edition 1
            show a
        = a waiting
        > allow a edition 2
            record a decided allow
            reply a allow
        > @60000 asked b/one/other
            timer 60300 grace b
        > @65000 call-runs-in one other /etc
        > @70000 decline b edition 1
            record b decided decline
            reply b decline
        ",
    );
}

#[test]
fn an_approval_of_what_has_grown_since_is_not_sent_again() {
    play(
        "
        > session one
        > @1000 asked a/one/call
            timer 1300 grace a
        > @3000 allow a
            record a decided allow
            reply a allow
        > @3100 failed a
            timer 4100 resend a
        > @3200 call-runs-in one call /etc
        > @4100 resend-due a
            record a undelivered
            notify a
        = a undelivered
        > @5000 retry a
            close a
            record a decided allow
            reply a allow
        > accepted a
            record a settled you allow
        ",
    );
}

#[test]
fn one_that_is_swept_while_it_is_answered_is_swept() {
    for (answer, outcome) in [("allow", "lost"), ("decline", "lost"), ("allow", "accepted"), ("allow", "failed")] {
        play(&format!(
            "
            > session one
            > asked a
                timer 1300 grace a
            > asked b
                timer 1300 grace b
            > decline a
                record a decided decline
                reply a decline
            > {answer} b
                record b decided {answer}
                reply b {answer}
            > answered a reject
            > answered b reject
            > accepted a
                record a settled you decline
            > {outcome} b
                record b settled swept
            = empty
            ",
        ));
    }
}

#[test]
fn a_stop_does_not_outlive_the_connection() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > stop a
            record a decided stop
            reply a stop
        > accepted a
            record a settled you stop
        > offline
        > online
        > @90000 asked b
            timer 90300 grace b
        = b waiting
        ",
    );
}
