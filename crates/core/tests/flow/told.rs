//! What was told to sessions is known to the next run of Gavel.

use gavel_core::Moment;
use gavel_core::flow::{Effect, Flow, Told};

use crate::support::{event, play};

#[test]
fn a_mode_that_was_cleared_is_taken_out_before_the_session_works_again() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > begun-anew
        > chosen
        > online
            look-up one
        > session one
            rule one nothing instead-of x
        > ruled one theirs
        > begun-anew
        > online
        > runs one
            look-up one
        > session one
            rule one nothing still instead-of theirs
        ",
    );
}

#[test]
fn a_choice_that_changes_later_reaches_it_and_one_that_does_not_leaves_it_alone() {
    play(
        "
        > online-v2
        > chosen server=supervised /q=full two=full
        > began one
            rule one supervised
        > ruled one x
        > began two
            rule two full
        > ruled two y
        > began child two
            rule child full still instead-of y
        > ruled child y
        > begun-anew
        > online-v2
        > chosen server=supervised two=full
        > session two
        > chosen server=supervised+plan two=full
            look-up one
            rule two full still instead-of y
        > ruled two y
        > session one
            rule one supervised+plan instead-of x
        > ruled one z
        > chosen server=supervised+plan
            look-up child
            rule two supervised+plan instead-of y
        > session child two
            rule child supervised+plan instead-of y
        ",
    );
}

#[test]
fn an_unchanged_one_is_looked_at_when_it_works() {
    play(
        "
        > online-v2
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > begun-anew
        > online-v2
        > session one
        > runs one
            rule one supervised still instead-of x
        > ruled one x
        > runs one
        ",
    );
}

#[test]
fn a_mode_that_was_chosen_while_the_server_was_away_counts_when_it_is_back() {
    play(
        "
        > chosen server=full
        > began one
            rule one full
        > ruled one x
        > offline
        > chosen server=supervised
        > begun-anew
        > online
            look-up one
        > session one
            rule one supervised instead-of x
        ",
    );
}

#[test]
fn what_a_parent_was_allowed_is_taken_back_from_its_children() {
    play(
        "
        > online-v2
        > began one
        > asked a
            timer 1300 grace a
        > grant a do_* children
            record a decided grant
            reply a grant
            keep-grants
            rule one nothing do_*
        > ruled one x
        > began child one
            rule child nothing do_* still instead-of x
        > ruled child x
        > begun-anew
        > online-v2
            look-up one
        > session one
            rule one nothing do_* still instead-of x
        > ruled one x
        > take-back 1
            keep-grants
            timer 11000 grants
            look-up child
            rule one nothing instead-of x
        > session child one
            rule child nothing instead-of x
        ",
    );
}

#[test]
fn whom_others_overruled_is_let_be() {
    play(
        "
        > online-v2
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
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
        > begun-anew
        > online-v2
        > session one
        > runs one
        > chosen server=full
            rule one full instead-of x
        ",
    );
}

#[test]
fn a_session_that_is_gone_is_forgotten() {
    play(
        "
        > chosen server=supervised
        > began one
            rule one supervised
        > ruled one x
        > began two
            rule two supervised
        > ruled two x
        > deleted one
        > chosen server=full
            rule two full instead-of x
        > ruled two deleted
        > begun-anew
        > chosen
        > online
        ",
    );
}

#[test]
fn what_was_sent_and_not_heard_of_is_not_taken_for_what_others_have_set() {
    play(
        "
        > chosen server=full
        > began one
            rule one full
        > ruled one x
        > chosen server=supervised
            rule one supervised instead-of x
        > ruled one failed
            timer 11000 rule one
        > chosen server=full
            rule one full instead-of x
        > begun-anew
        > online
            look-up one
        > session one
            rule one full instead-of x
        > ruled one x
        > agents-changed /p
            rule one full still instead-of x
        ",
    );
}

fn kept(flow: &mut Flow, line: &str) -> bool {
    flow.step(event(line), Moment(1_000)).contains(&Effect::KeepTold)
}

#[test]
fn it_is_kept_when_it_changes_and_only_then() {
    let mut flow = Flow::default();
    let lines = [
        ("server", false),
        ("online-v2", false),
        ("began zero", false),
        ("chosen server=supervised", false),
        ("began one", false),
        ("ruled one x y", true),
        ("runs one", false),
        ("offline", false),
        ("online-v2", false),
        ("ruled one x y", false),
        ("chosen server=full", true),
        ("ruled one z", true),
        ("ruled zero unsupported", false),
        ("chosen", true),
        ("ruled one", true),
        ("deleted one", false),
        ("chosen server=full", false),
        ("began two", false),
        ("ruled two z", true),
        ("deleted two", true),
    ];
    for (line, wish) in lines {
        assert_eq!(kept(&mut flow, line), wish, "{line}");
    }
    assert_eq!(*flow.told(), Told::default());
}

#[test]
fn the_oldest_is_forgotten_first_and_all_is_read_again_as_it_was_written() {
    let mut flow = Flow::default();
    for line in ["server", "online-v2", "chosen server=supervised"] {
        let _ = flow.step(event(line), Moment(1_000));
    }
    for number in 0..600 {
        let _ = flow.step(event(&format!("began s{number}")), Moment(1_000));
        assert!(kept(&mut flow, &format!("ruled s{number} x y")));
    }
    let text = serde_json::to_string(flow.told()).unwrap();
    assert!(!text.contains("\"s87\"") && text.contains("\"s88\"") && text.contains("\"s599\""), "512 of them");
    assert_eq!(serde_json::from_str::<Told>(&text).unwrap(), *flow.told());

    // Many rules count as well as many sessions.
    let many = vec!["x"; 20_000].join(" ");
    for session in ["s1", "s2"] {
        assert!(kept(&mut flow, &format!("began {session}")) | kept(&mut flow, &format!("ruled {session} {many}")));
    }
    let text = serde_json::to_string(flow.told()).unwrap();
    assert!(!text.contains("\"s599\"") && !text.contains("\"s1\"") && text.contains("\"s2\""));
}
