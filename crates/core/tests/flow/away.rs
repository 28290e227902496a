//! What waited when Gavel ended, and was settled before it is back.

use crate::support::play;

#[test]
fn what_is_gone_when_gavel_is_back_is_on_record_once() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > asked b
            timer 1300 grace b
        > question q
            timer 1300 grace q
        > question r
            timer 1300 grace r
        > @9000 back
            timer 129000 away
        > server
        > online
        > list-began 1
        > listed 1 b
            record a settled while-away
            look-up one
            timer 9300 grace b
        > list-began 2
        > questions 2 r
            record q settled while-away
            timer 9300 grace r
        > list-began 3
        > listed 3 b
        > in-sync
        > @129000 away-due
        = b waiting, r waiting
        ",
    );
}

#[test]
fn an_end_that_is_told_is_better_than_none() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > asked b
            timer 1300 grace b
        > question q
            timer 1300 grace q
        > question r
            timer 1300 grace r
        > @9000 back
            timer 129000 away
        > server
        > online
        > answered a once
            record a settled another-client once
        > was-cancelled q
            record q settled elsewhere cancelled
        > was-answered r Red
            record r settled elsewhere somehow
        > list-began 1
        > listed 1 orphans b
            record b settled run-ended
            reply b stop
        > in-sync
        = empty
        ",
    );
}

#[test]
fn no_listing_speaks_of_another_place_but_whoever_lists_everything_does() {
    play(
        "
        > asked-by-preview a
            look-up one
            timer 1300 grace a
        > @9000 back
            timer 129000 away
        > server
        > online
        > list-began 1
        > listed 1
        > in-sync
            record a settled while-away
        ",
    );
}

#[test]
fn a_server_that_is_gone_took_along_what_waited() {
    for (gone, at) in [("> server\n> gone", ""), ("> server\n> server-removed", ""), ("> away-due", "@129000 ")] {
        let gone = gone.replace("> away", &format!("> {at}away"));
        play(&format!(
            "
            > session one
            > asked a
                timer 1300 grace a
            > @9000 back
                timer 129000 away
            {gone}
                record a settled server-gone
            "
        ));
    }
}

#[test]
fn a_server_that_is_not_reached_has_said_nothing_and_the_next_run_goes_on_waiting() {
    play(
        "
        > session one
        > asked a
            timer 1300 grace a
        > @9000 back
            timer 129000 away
        > server
        > offline
        > @129000 away-due
        > @200000 back
            timer 320000 away
        > server
        > online
        > list-began 1
        > listed 1
            record a settled while-away
        ",
    );
}
