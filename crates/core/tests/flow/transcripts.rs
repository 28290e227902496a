//! What happens to a permission request, case by case.

use gavel_core::flow::{Effect, Event, Flow, Phase, WireEvent};
use gavel_core::{Decision, Moment, RequestKey};

use crate::support::{SERVER, ask, event, play};

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
fn a_listing_may_be_quicker_than_the_event_that_says_why() {
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
        > asked d/two
            timer 1300 grace d
        > decline a
            record a decided decline
            reply a decline
        > list-began 1
        > listed 1
            timer 1500 unheard b
            timer 1500 unheard c
            timer 1500 unheard d
        > list-began 2
        > listed 2
        = a replying, b waiting, c waiting, d waiting
        > answered b reject
            record b settled swept
        > answered c once
            record c settled another-client once
        > accepted a
            record a settled you decline
        > @1500 unheard b
        > unheard c
        > unheard d
            record d settled unseen
        = empty
        ",
    );
}

#[test]
fn what_is_listed_again_was_never_gone() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > list-began 1
        > listed 1
            timer 1500 unheard a
        > list-began 2
        > listed 2 a
        > @1500 unheard a
        = a waiting
        > allow a
            record a decided allow
            reply a allow
        > list-began 3
        > listed 3
        > lost a
            record a settled another-client
        = empty
        ",
    );
}

#[test]
fn what_is_answered_while_it_is_gone_ends_as_its_answer_does() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > list-began 1
        > listed 1
            timer 1500 unheard a
        > allow a
            record a decided allow
            reply a allow
        > @1500 unheard a
        = a replying
        > failed a
            timer 2500 resend a
        > @2500 resend-due a
            reply a allow
        > failed a
            record a undelivered
            notify a
        = a undelivered
        > list-began 2
        > listed 2
            timer 3000 unheard a
        > @3000 unheard a
            record a settled unseen
            close a
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
fn a_run_that_ends_takes_its_requests_along() {
    for ending in ["run-ended one", "call-ended one c1", "disposed /p", "disposed"] {
        play(&format!(
            "
            > session one
            > asked a/one/c1
                timer 1300 grace a
            > @1300 grace-over a
                notify a
            > {ending}
                record a settled run-ended
                close a
            = empty
            > list-began 1
            > listed 1 a/one/c1
            = empty
            "
        ));
    }
}

#[test]
fn a_listing_may_overtake_the_end_of_an_earlier_run() {
    play(
        "
        > session one
        > list-began 1
        > listed 1 a
            timer 1300 grace a
        > run-ended one
            record a settled run-ended
        > asked a
            timer 1300 grace a
        = a waiting
        > run-ended one
            record a settled run-ended
        > asked a
        = empty
        ",
    );
}

#[test]
fn only_what_ended_is_closed() {
    play(
        "
        > session one
        > session two
        > asked a/one/c1
            timer 1300 grace a
        > asked b/two/c2
            timer 1300 grace b
        > run-ended two
            record b settled run-ended
        > call-ended one c9
        > call-ended two c1
        > disposed /elsewhere
        = a waiting
        ",
    );
}

#[test]
fn a_run_that_ends_while_we_answer_is_decided_by_the_answer() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > stop a
            record a decided stop
            reply a stop
        > run-ended one
        = a replying
        > accepted a
            record a settled you stop
        = empty
        ",
    );
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > allow a
            record a decided allow
            reply a allow
        > run-ended one
        > lost a
            record a settled run-ended
        = empty
        ",
    );
}

#[test]
fn a_deleted_sessions_request_can_only_be_refused() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > deleted one
            record a settled run-ended
            reply a stop
        = empty
        > allow a
        > accepted a
        = empty
        ",
    );
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > allow a
            record a decided allow
            reply a allow
        > deleted one
        > run-gone a
            record a settled run-ended
        = empty
        ",
    );
    play(
        "
        > list-began 1
        > listed 1 orphans a b
            reply a stop
            reply b stop
        = empty
        > list-began 2
        > listed 2 orphans a b
        = empty
        ",
    );
}

#[test]
fn a_listing_settles_what_it_lacks_and_brings_what_was_missed() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > asked b
            timer 1300 grace b
        > offline
        = a waiting, b waiting
        > online
        > list-began 1
        > listed 1 b c
            timer 1500 unheard a
            timer 1300 grace c
        > @1500 unheard a
            record a settled unseen
        = b waiting, c waiting
        ",
    );
}

#[test]
fn a_listing_says_nothing_about_what_came_after_it_began() {
    play(
        "
        > session one
        > list-began 1
        > asked a
            timer 1300 grace a
        > listed 1
        = a waiting
        > list-began 2
        > answered a once
            record a settled another-client once
        > listed 2 a
        = empty
        ",
    );
}

#[test]
fn a_listing_of_an_earlier_connection_is_ignored() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > list-began 1
        > offline
        > online
        > listed 1
        = a waiting
        ",
    );
}

#[test]
fn what_went_out_of_sight_may_come_back() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > list-began 1
        > listed 1
            timer 1500 unheard a
        > @1500 unheard a
            record a settled unseen
        > list-began 2
        > listed 2 a
            timer 1800 grace a
        = a waiting
        ",
    );
}

#[test]
fn a_server_that_is_gone_takes_everything_along() {
    for gone in ["gone", "server-removed"] {
        play(&format!(
            "
            > session one
            > asked a
                timer 1300 grace a
            > allow a
                record a decided allow
                reply a allow
            > asked b
                timer 1300 grace b
            > {gone}
                record a settled server-gone
                record b settled server-gone
            = empty
            > failed a
            = empty
            "
        ));
    }
}

#[test]
fn an_answer_nobody_expected_leaves_a_tombstone() {
    play(
        "
        > answered a once
        > asked a
        = empty
        ",
    );
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
