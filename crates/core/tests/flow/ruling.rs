//! What was chosen for servers, projects and sessions reaches the rules of the sessions.

use crate::support::play;

#[test]
fn nothing_is_said_where_nothing_was_chosen() {
    play(
        "
        > began one
        > runs one
        > run-ended one
        ",
    );
}

#[test]
fn a_new_session_gets_what_was_chosen_and_so_does_its_child() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x y
        > began child one
            rule child supervised
        > ruled child x y
        > runs one
        > runs child
        ",
    );
}

#[test]
fn the_narrowest_counts() {
    play(
        "
        > chosen server=supervised /p=edits one=full
        > began one
            rule one full
        > began two
            rule two edits
        > began child one
            rule child full
        > chosen server=supervised /p=edits one=full child=auto+plan
        > ruled child x
            rule child auto+plan instead-of x
        ",
    );
}

#[test]
fn a_session_that_merely_exists_is_left_alone_until_it_runs() {
    play(
        "
        > session old
        > chosen server=supervised
        > runs old
            rule old supervised
        > ruled old x
        > run-ended old
        > chosen server=full
            rule old full instead-of x
        ",
    );
}

#[test]
fn one_that_has_worked_is_told_before_it_works_again() {
    play(
        "
        > session old
        > session other
        > runs old
        > run-ended old
        > chosen server=supervised
            rule old supervised
        > ruled old x
        > runs old
        ",
    );
}

#[test]
fn one_change_is_one_update_and_none_is_none() {
    play(
        "
        > began one
        > runs one
        > chosen server=supervised
            rule one supervised
        > ruled one x
        > chosen server=supervised /q=full
        > runs one
        > session one
        > chosen server=supervised+plan
            rule one supervised+plan instead-of x
        > chosen server=full
        > chosen server=supervised
        > ruled one y
            rule one supervised instead-of y
        > ruled one x
        > chosen
            rule one nothing instead-of x
        > ruled one
        > runs one
        ",
    );
}

#[test]
fn whose_child_it_is_must_be_known_first() {
    play(
        "
        > chosen server=supervised one=full
        > session child one
        > runs child
            look-up one
        > session one
            rule child full
        ",
    );
}

#[test]
fn what_could_not_be_set_is_set_again() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one failed
            timer 11000 rule one
        > @11000 rule-due one
            rule one supervised
        > ruled one x
        > rule-due one
        > began two
            rule two supervised
        > ruled two unsupported
        > runs two
        > began three
            rule three supervised
        > ruled three deleted
        ",
    );
}

#[test]
fn after_a_gap_it_is_seen_to_again() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > began two
            rule two supervised
        > offline
        > ruled two failed
            timer 11000 rule two
        > online
            rule one supervised still instead-of x
            rule two supervised
        ",
    );
}

#[test]
fn others_who_overwrite_it_are_answered_three_times_and_then_let_be() {
    play(
        "
        > online-v2
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > rules one theirs x
        > rules one theirs
            rule one supervised still instead-of x
        > ruled one x
        > rules one theirs
            rule one supervised still instead-of x
        > ruled one x
        > rules one theirs
            rule one supervised still instead-of x
        > ruled one x
        > rules one theirs
        > offline
        > online-v2
        > agents-changed /p
        > chosen server=full
            rule one full instead-of x
        ",
    );
}

#[test]
fn where_rules_are_only_added_what_others_add_counts() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > rules one x theirs
        > offline
        > online
            rule one supervised still instead-of x
        > ruled one x
        > chosen server=full
            rule one full instead-of x
        > ruled one failed
            timer 11000 rule one
        > @11000 rule-due one
            rule one full instead-of x
        > ruled one y
        > agents-changed /p
            rule one full still instead-of y
        ",
    );
}

#[test]
fn when_agents_change_their_places_are_looked_at_again() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > agents-changed /q
        > agents-changed /p
            rule one supervised still instead-of x
        ",
    );
}

#[test]
fn a_grant_for_the_session_is_told_to_a_server_that_can_take_it_back() {
    play(
        "
        > online-v2
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
            rule one nothing do_*
        > ruled one x
        > take-back 1
            keep-grants
            timer 11000 grants
            rule one nothing instead-of x
        > ruled one
        > asked b
            timer 1300 grace b
        > grant b do_* uses=2
            record b decided grant
            reply b grant
            keep-grants
            timer 11000 grants
        ",
    );
}

#[test]
fn a_child_begins_with_what_its_parent_has_and_keeps_none_of_it_that_is_not_for_it() {
    play(
        "
        > online-v2
        > session one
        > asked a
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
            rule one nothing do_*
        > began early one
        > ruled one x
            rule early nothing instead-of x
        > ruled early
        > began child one
            rule child nothing instead-of x
        > ruled child
        > runs child
        > chosen child=full
            rule child full
        > ruled child y
        > chosen
            rule child nothing instead-of y
        ",
    );
}

#[test]
fn on_1_x_a_child_begins_with_nothing_of_its_parents() {
    play(
        "
        > chosen one=full
        > began one
            rule one full
        > began child one
            rule child full
        > ruled one x
        > ruled child x
        ",
    );
}
