//! Questions, from the moment they are asked to the moment they are settled.

use crate::support::play;

#[test]
fn a_question_is_announced_after_the_grace_delay_and_answered() {
    play(
        "> question que/one
             look-up one
             timer 1300 grace que
         = que waiting
         > @1300 grace-over que
             notify que
         > @2000 answer que Red
             close que
             record que responded Red
             respond que Red
         = que replying
         > accepted que
             record que settled you Red
             drop-draft que
         = empty
         > question que/one
         = empty",
    );
}

#[test]
fn one_that_is_answered_within_the_grace_delay_is_never_announced() {
    play(
        "> question que/one
             look-up one
             timer 1300 grace que
         > was-answered que Blue
             record que settled elsewhere Blue
             drop-draft que
         > @1300 grace-over que
         = empty",
    );
}

#[test]
fn a_pause_holds_questions_back_as_well() {
    play(
        "> pause
         > question que/one
             look-up one
             timer 1300 grace que
         > @1300 grace-over que
         > @5000 resume
             notify que",
    );
}

#[test]
fn it_can_be_cancelled_with_a_reason_and_without() {
    play(
        "> question a/one:v2
             look-up one
             timer 1300 grace a
         > question b/one
             timer 1300 grace b
         > cancel a later
             record a responded cancel later
             respond a cancel later
         > cancel b because-1.x-tells-nobody
             record b responded cancel
             respond b cancel
         > accepted a
             record a settled you cancelled later
             drop-draft a
         > accepted b
             record b settled you cancelled without a word
             drop-draft b
         = empty",
    );
}

#[test]
fn the_first_answer_wins() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > answer a Red
             record a responded Red
             respond a Red
         > was-answered a Blue
         > lost a
             record a settled elsewhere Blue
             drop-draft a
         > question b/one
             timer 1300 grace b
         > answer b Red
             record b responded Red
             respond b Red
         > lost b
             record b settled elsewhere somehow
             drop-draft b
         > answer b Red
         > question c/one
             timer 1300 grace c
         > answer c Red
             record c responded Red
             respond c Red
         > was-cancelled c
         > accepted c
             record c settled elsewhere cancelled
             drop-draft c
         = empty",
    );
}

#[test]
fn our_own_answer_is_known_by_its_words_when_its_receipt_is_lost() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > answer a Red
             record a responded Red
             respond a Red
         > failed a
             timer 2000 resend a
         > @2000 resend-due a
             respond a Red
         > was-answered a Red
         > lost a
             record a settled you Red
             drop-draft a
         = empty",
    );
}

#[test]
fn what_can_t_be_delivered_says_so_and_is_sent_again_only_when_told_to() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > answer a Red
             record a responded Red
             respond a Red
         > failed a
             timer 2000 resend a
         > @2000 resend-due a
             respond a Red
         > failed a
             record a undelivered
             notify a
         = a undelivered
         > @9000 retry a
             close a
             record a responded Red
             respond a Red
         > accepted a
             record a settled you Red
             drop-draft a
         = empty",
    );
}

#[test]
fn a_refused_answer_leaves_the_question_open() {
    play(
        "> question a/one:v2
             look-up one
             timer 1300 grace a
         > answer a Mauve
             record a responded Mauve
             respond a Mauve
         > refused a
             notify a
         = a refused
         > answer a Red
             close a
             record a responded Red
             respond a Red
         > accepted a
             record a settled you Red
             drop-draft a
         = empty",
    );
}

#[test]
fn what_was_displayed_under_an_id_does_not_stand_for_something_else() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > question a/one otherwise
             record a settled unseen
             timer 1300 grace a
         > answer a Red edition 1
             show a
         > answer a Red edition 2
             record a responded Red
             respond a Red
         = a replying",
    );
}

#[test]
fn whatever_ends_a_run_takes_its_questions_along() {
    for (end, record) in [
        ("run-ended one", "run-ended"),
        ("call-ended one call", "run-ended"),
        ("disposed /p", "run-ended"),
        ("disposed", "run-ended"),
        ("gone", "server-gone"),
    ] {
        play(&format!(
            "> question a/one/call
                 look-up one
                 timer 1300 grace a
             > @1300 grace-over a
                 notify a
             > {end}
                 record a settled {record}
                 close a
                 drop-draft a
             = empty"
        ));
    }
    // Of another run, or another call, nothing ends.
    play(
        "> question a/one/call
             look-up one
             timer 1300 grace a
         > run-ended two
         > call-ended one other
         > disposed /q
         = a waiting",
    );
}

#[test]
fn the_run_of_a_deleted_session_is_freed() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > deleted one
             record a settled run-ended
             drop-draft a
             respond a cancel
         = empty
         > list-began 1
         > questions 1 orphans a/one b/two
             respond b cancel
         = empty",
    );
}

#[test]
fn a_ghost_of_1_x_does_not_come_back_and_a_form_of_2_x_may() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > run-ended one
             record a settled run-ended
             drop-draft a
         > list-began 1
         > questions 1 a/one
         = empty",
    );
    play(
        "> question a/one:v2
             look-up one
             timer 1300 grace a
         > run-ended one
             record a settled run-ended
             drop-draft a
         > list-began 1
         > forms 1 a/one:v2
             timer 1300 grace a
         = a waiting",
    );
}

#[test]
fn listings_bring_what_is_missing_and_take_what_is_gone() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > list-began 1
         > questions 1 b/one
             timer 1500 unheard a
             timer 1300 grace b
         = a waiting, b waiting
         > @1500 unheard a
             record a settled unseen
         = b waiting
         > list-began 2
         > question c/one
             timer 1800 grace c
         > questions 2 b/one
         = b waiting, c waiting
         > list-began 3
         > listed 3
         = b waiting, c waiting",
    );
}

#[test]
fn what_is_half_typed_outlives_a_question_that_only_went_out_of_sight() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > list-began 1
         > questions 1
             timer 1500 unheard a
         > @1500 unheard a
             record a settled unseen
         > question a/one
             timer 1800 grace a
         = a waiting",
    );
}

#[test]
fn a_form_of_no_session_ends_with_no_run() {
    play(
        "> question a/global:v2
             timer 1300 grace a
         > run-ended global
         > deleted global
         = a waiting
         > was-cancelled a
             record a settled elsewhere cancelled
             drop-draft a
         = empty",
    );
}

#[test]
fn a_server_with_a_waiting_question_is_listed_again() {
    play(
        "> question a/one
             look-up one
             timer 1300 grace a
         > @30000 heard
             relist",
    );
}
