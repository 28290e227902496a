//! How long a stop holds when nobody says that the run has ended.

use crate::support::play;

/// Plays what follows after request `a` of session `one` was stopped at 1000.
fn after_a_stop(transcript: &str) {
    let begin = "
        > session one
        > asked a
            timer 1300 grace a
        > stop a
            record a decided stop
            reply a stop
        > accepted a
            record a settled you stop
    ";
    play(&format!("{begin}{transcript}"));
}

#[test]
fn another_run_is_asked_about() {
    after_a_stop(
        "
        > @3000 runs one
        > asked b
            timer 3300 grace b
        = b waiting
        ",
    );
}

#[test]
fn the_run_that_was_stopped_may_be_told_of_a_moment_longer() {
    after_a_stop(
        "
        > @2900 runs one
        > asked b
            record b decided stop
            reply b stop
        = b replying
        > accepted b
            record b settled you stop
        > @3100 runs one
        > asked c
            timer 3400 grace c
        = c waiting
        ",
    );
}

#[test]
fn another_session_that_runs_ends_no_stop() {
    after_a_stop(
        "
        > session two
        > @9000 runs two
        > asked b
            record b decided stop
            reply b stop
        > asked c/two
            timer 9300 grace c
        = b replying, c waiting
        ",
    );
}

#[test]
fn a_stop_ends_by_itself_and_what_it_refuses_makes_it_no_longer() {
    after_a_stop(
        "
        > @60999 asked b
            record b decided stop
            reply b stop
        > accepted b
            record b settled you stop
        > @61000 asked c
            timer 61300 grace c
        = c waiting
        ",
    );
}

#[test]
fn a_clock_that_is_put_back_makes_no_stop_longer() {
    after_a_stop(
        "
        > @500 asked b
            timer 800 grace b
        = b waiting
        ",
    );
}

#[test]
fn a_later_stop_is_one_of_its_own() {
    after_a_stop(
        "
        > @70000 asked b
            timer 70300 grace b
        > stop b
            record b decided stop
            reply b stop
        > accepted b
            record b settled you stop
        > @71000 asked c
            record c decided stop
            reply c stop
        = c replying
        ",
    );
}

/// An old server has no way to pass words on: a refusal without any ends the run, whatever was meant.
#[test]
fn a_decline_whose_words_get_lost_is_on_record_as_the_stop_that_it_was() {
    play(
        "
        > session one
        > asked a/one
            timer 1300 grace a
        > asked b/one
            timer 1300 grace b
        > decline a
            record a decided decline
            reply a decline
        > answered b reject
            record b settled swept
        > wordless a
            record a settled you stopped
        > asked c/one
            timer 1300 grace c
        > stop c
            record c decided stop
            reply c stop
        > wordless c
            record c settled you stop
        = empty
        ",
    );
}
