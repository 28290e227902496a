//! A request comes to its end, by whomever.

use crate::support::play;

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

/// A proxy may answer so for a moment; whoever goes on answering so has taken the server's place.
#[test]
fn another_program_in_the_place_of_a_server_takes_its_requests_along_when_it_stays() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > question q
            timer 1300 grace q
        > another-program
        = a waiting, q waiting
        > another-program gone
            record a settled server-gone
            record q settled server-gone
            drop-draft q
        = empty
        > online
        > list-began 1
        > listed 1 a
            timer 1300 grace a
        = a waiting
        ",
    );
}
