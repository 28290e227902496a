//! Sessions whose own rules the server takes and does not heed: a mode is never said to be in force there.

use gavel_core::SessionId;
use gavel_core::flow::{Effect, Flow, RuleState};
use gavel_core::{Moment, ServerId};

use crate::support::{SERVER, event, play};

/// What is said of session `one` after these events.
fn state(flow: &mut Flow, events: &[&str]) -> Option<RuleState> {
    for line in events {
        let _ = flow.step(event(line), Moment(1_000));
    }
    let server = &flow.servers()[&ServerId::from(SERVER)];
    let ruled = server.ruled.get(&SessionId::from("one"))?;
    if ruled.state != RuleState::Stands {
        assert!(ruled.block.is_empty(), "rules that are not in force are not shown");
    }
    Some(ruled.state.clone())
}

fn watching() -> Flow {
    let mut flow = Flow::default();
    let _ = state(&mut flow, &["server", "online", "session one"]);
    flow
}

#[test]
fn what_seemed_to_stand_does_not_once_the_session_shows_what_it_is() {
    for sign in ["rules-ignored one", "asked-by-preview a/one"] {
        let mut flow = watching();
        let before = state(&mut flow, &["chosen server=full", "runs one", "ruled one x"]);
        assert_eq!(before, Some(RuleState::Stands));
        assert_eq!(state(&mut flow, &[sign]), Some(RuleState::Unsupported), "{sign}");
    }
}

#[test]
fn what_is_under_way_comes_to_nothing() {
    let mut flow = watching();
    let before = state(&mut flow, &["chosen server=full", "runs one"]);
    assert_eq!(before, Some(RuleState::UnderWay { again: false }));
    for outcome in ["rules-ignored one", "ruled one x", "ruled one failed", "agents-changed /p"] {
        assert_eq!(state(&mut flow, &[outcome]), Some(RuleState::Unsupported), "{outcome}");
    }
    assert_eq!(state(&mut flow, &["ruled one deleted"]), None);
}

#[test]
fn nothing_is_sent_whatever_is_chosen_later_and_however_often_the_connection_breaks() {
    let mut flow = watching();
    let lines = [
        "rules-ignored one",
        "runs one",
        "chosen server=full",
        "chosen one=supervised",
        "offline",
        "online",
        "chosen one=auto+plan",
        "rules one z",
        "chosen one=edits",
    ];
    for line in lines {
        let effects = flow.step(event(line), Moment(1_000));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Rule { .. })), "{line}: {effects:?}");
    }
    assert_eq!(state(&mut flow, &[]), Some(RuleState::Unsupported));
}

#[test]
fn other_sessions_of_the_server_are_none_of_these() {
    play(
        "
        > chosen server=supervised
        > rules-ignored one
        > began one
        > began two
            rule two supervised
        > ruled two x
        ",
    );
}

#[test]
fn a_version_that_heeds_them_is_told() {
    play(
        "
        > chosen one=supervised
        > rules-ignored one
        > began one
        > offline
        > online-v2
        > runs one
            rule one supervised
        > ruled one x
        ",
    );
}

#[test]
fn a_grant_is_gavels_to_keep_there() {
    play(
        "
        > session one
        > asked-by-preview a/one
            timer 1300 grace a
        > grant a do_*
            record a decided grant
            reply a grant
            keep-grants
        > accepted a
            record a settled you grant
        > asked-by-preview b/one
            record b decided allow
            reply b allow
            keep-grants
        > accepted b
            record b settled grant
        > session two
        > asked-by-preview c/two
            timer 1300 grace c
        = c waiting
        ",
    );
}
