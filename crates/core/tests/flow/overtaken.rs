//! Whoever answers in the user's stead answers what was looked at, though more becomes known at the same moment.

use gavel_core::flow::{Effect, Event, Outcome, Phase, WireEvent};
use gavel_core::{Ask, CallRef, Decision, Moment, RequestKey, Route, Session};

use crate::judging::{Play, holds, looked_up, placed, to_judge};
use crate::support::{SERVER, ask};

fn wire(event: WireEvent) -> Event {
    Event::Wire(SERVER.into(), event)
}

fn asked(change: impl FnOnce(&mut Ask)) -> Event {
    let mut asked = ask("a/one");
    asked.detail.placed = true;
    change(&mut asked);
    wire(WireEvent::Asked(Box::new(asked)))
}

fn session_in(directory: &str) -> Event {
    wire(WireEvent::SessionSeen(Session {
        id: "one".into(),
        parent: None,
        directory: directory.into(),
        title: String::new(),
        agent: None,
    }))
}

fn call() -> CallRef {
    CallRef { message: "msg".into(), call: "call".into() }
}

fn told(command: &str) -> Event {
    let command = Some(command.to_owned());
    let (session, call) = ("one".into(), call());
    wire(WireEvent::CallStarted { session, call, command, purpose: None, workdir: None, placed: true })
}

fn replies(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Reply { .. })).count()
}

fn replied(outcome: Outcome) -> Event {
    Event::Replied(RequestKey::new(SERVER, "a"), outcome)
}

#[test]
fn what_was_looked_up_elsewhere_does_not_pass() {
    let cases = [
        ("asked elsewhere", Route::V1, asked(|ask| ask.directory = "/q".into())),
        ("of a session that moved", Route::V2, session_in("/q")),
    ];
    for (case, route, moves) in cases {
        let mut play = placed(|ask| ask.route = route);
        let _ = play.says(session_in("/p"));
        let _ = play.judged(1, "does a");
        assert_eq!(to_judge(&play.says(moves)), [(2, false)], "{case}: it is looked at anew");
        assert_eq!(replies(&play.says(holds(1))), 0, "{case}");
        assert_eq!(looked_up(&play.judged(2, "does a")), [], "{case}: where it runs isn't known any more");
        assert_eq!(replies(&play.says(holds(2))), 0, "{case}");
    }
    let mut play = placed(|_| {});
    let _ = play.judged(1, "does a");
    assert_eq!(to_judge(&play.says(asked(|ask| ask.directory = "/p/".into()))), [], "it is the same place");
    assert_eq!(replies(&play.says(holds(1))), 1);
}

#[test]
fn it_is_looked_at_anew_when_its_project_becomes_known() {
    let mut play = placed(|ask| ask.directory.clear());
    assert_eq!(looked_up(&play.judged(1, "does a")), []);
    assert_eq!(to_judge(&play.says(session_in("/p"))), [(1, true)]);
    assert_eq!(looked_up(&play.judged(1, "does a")), [("do a".to_owned(), false)]);
}

#[test]
fn an_answer_that_a_rule_gave_is_not_sent_again_for_something_else() {
    let mut play = placed(|_| {});
    let _ = play.judged(1, "does a");
    assert_eq!(replies(&play.says(holds(1))), 1);
    // All within the moment in which the user could not have read it.
    let _ = play.says(asked(|ask| ask.detail.workdir = Some("/etc".into())));
    let _ = play.says(replied(Outcome::Failed { why: gavel_core::text::Message::verbatim("cut") }));
    assert_eq!(replies(&play.line("resend-due a")), 0);
    assert!(matches!(play.0.inbox()[0].phase, Phase::Undelivered { .. }), "{:?}", play.0.inbox()[0].phase);
}

#[test]
fn an_answer_that_a_rule_gave_to_all_that_is_known_is_sent_again() {
    let mut play = placed(|ask| ask.call = Some(call()));
    let _ = play.0.step(told("do a and b"), Moment(5_000));
    let _ = play.judged(2, "does a and b");
    assert_eq!(replies(&play.says(holds(2))), 1);
    let _ = play.says(replied(Outcome::Failed { why: gavel_core::text::Message::verbatim("cut") }));
    assert_eq!(replies(&play.line("resend-due a")), 1);
}

#[test]
fn nothing_is_learned_of_what_became_known_after_the_decision() {
    for told_since in [false, true] {
        let mut play = placed(|ask| ask.call = Some(call()));
        let _ = play.judged(1, "does a");
        let key = RequestKey::new(SERVER, "a");
        let _ = play.0.step(Event::Decide { key, decision: Decision::AllowOnce, edition: Some(1) }, Moment(5_000));
        if told_since {
            let _ = play.0.step(told("do a and b"), Moment(5_001));
        }
        let effects = play.0.step(replied(Outcome::Accepted), Moment(5_002));
        let learns = effects.iter().any(|effect| matches!(effect, Effect::Learn { .. }));
        assert_eq!(learns, !told_since, "{effects:?}");
    }
}

/// A server that begins anew may number as before; a judge may take its time.
#[test]
fn what_was_looked_at_under_the_same_number_does_not_pass() {
    for leaves in ["unheard a", "gone"] {
        let mut play = placed(|_| {});
        let _ = play.judged(1, "does a");
        let _ = play.line("list-began 1");
        let _ = play.line("listed 1");
        let _ = play.line(leaves);
        assert!(play.0.inbox().is_empty(), "{leaves}");
        let _ = play.says(asked(|ask| ask.detail.command = Some("do a and b".into())));
        let _ = play.judged(1, "does a");
        assert_eq!(play.reason(), None, "{leaves}: it was said of something else");
        let _ = play.judged(2, "does a and b");
        assert_eq!(replies(&play.says(holds(1))), 0, "{leaves}");
        assert_eq!(replies(&play.says(holds(2))), 1, "{leaves}");
    }
}

#[test]
fn what_the_user_refused_along_with_another_does_not_pass() {
    let mut play: Play = placed(|_| {});
    let _ = play.line("asked b/one");
    let _ = play.judged(1, "does a");
    let _ = play.line("decline b");
    assert_eq!(replies(&play.says(holds(1))), 0);
}
