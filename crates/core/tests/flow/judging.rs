//! What a request does is looked at as soon as it is known, and again when more of it becomes known.

use gavel_core::flow::{Effect, Event, Flow, WireEvent};
use gavel_core::{Class, Decision, Finding, Moment, Origin, Recommendation, RequestKey, ServerInfo};

use crate::support::{SERVER, ask, event};

fn finding(reason: &str) -> Finding {
    Finding { recommendation: Recommendation::Ask, reason: reason.into(), class: Class::Writes, segments: Vec::new() }
}

struct Play(Flow);

impl Play {
    fn new() -> Self {
        let mut play = Self(Flow::default());
        play.says(Event::ServerAdded(ServerInfo { id: SERVER.into(), name: "s".into(), origin: Origin::Settings }));
        play
    }

    fn says(&mut self, event: Event) -> Vec<Effect> {
        self.0.step(event, Moment(1_000))
    }

    fn line(&mut self, line: &str) -> Vec<Effect> {
        self.says(event(line))
    }

    fn judged(&mut self, edition: u32, reason: &str) -> Vec<Effect> {
        self.says(Event::Judged { key: RequestKey::new(SERVER, "a"), edition, finding: finding(reason) })
    }

    fn reason(&self) -> Option<String> {
        self.0.inbox()[0].finding.as_ref().map(|finding| finding.reason.clone())
    }
}

/// The editions that are to be looked at, and whether it is known where each runs.
fn to_judge(effects: &[Effect]) -> Vec<(u32, bool)> {
    let of = |effect: &Effect| match effect {
        Effect::Judge { ask, edition } => Some((*edition, ask.detail.placed)),
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

#[test]
fn a_request_is_looked_at_when_it_arrives_and_when_more_of_it_is_known() {
    let mut play = Play::new();
    assert_eq!(to_judge(&play.line("asked a/one/call")), [(1, false)]);
    assert_eq!(to_judge(&play.line("asked a/one/call")), [], "nothing new");
    assert_eq!(to_judge(&play.line("call-started one call purpose")), [(1, true)], "where it runs is known now");
    assert_eq!(to_judge(&play.line("call-started one call purpose")), []);
    assert_eq!(to_judge(&play.line("call-runs-in one call /elsewhere")), [(2, true)], "another edition");
}

#[test]
fn a_call_that_was_known_before_tells_where_it_runs_at_once() {
    let mut play = Play::new();
    let _ = play.line("call-started one call purpose");
    assert_eq!(to_judge(&play.line("asked a/one/call")), [(1, true)]);
}

#[test]
fn what_was_found_stands_with_the_edition_it_was_found_of() {
    let mut play = Play::new();
    let _ = play.line("asked a/one/call");
    let _ = play.judged(1, "writes a");
    assert_eq!(play.reason().as_deref(), Some("writes a"));
    let _ = play.line("call-runs-in one call /elsewhere");
    assert_eq!(play.reason(), None, "it was said of less than what would run");
    let _ = play.judged(1, "writes a");
    assert_eq!(play.reason(), None, "it comes too late");
    let _ = play.judged(2, "writes /elsewhere/a");
    assert_eq!(play.reason().as_deref(), Some("writes /elsewhere/a"));
}

#[test]
fn a_notification_that_is_shown_is_brought_up_to_date_once() {
    let notified = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::Notify(_))).count();
    let mut play = Play::new();
    let _ = play.line("asked a/one");
    assert_eq!(notified(&play.judged(1, "writes a")), 0, "it is not shown yet");
    assert_eq!(notified(&play.line("grace-over a")), 1);
    assert_eq!(notified(&play.judged(1, "writes b")), 1);
    assert_eq!(notified(&play.judged(1, "writes b")), 0);
}

#[test]
fn nothing_is_answered_by_what_was_found() {
    let mut play = Play::new();
    let _ = play.line("asked a/one");
    for recommendation in [Recommendation::Allow, Recommendation::Deny, Recommendation::Ask] {
        let finding = Finding { recommendation, ..finding("whatever") };
        let effects = play.says(Event::Judged { key: RequestKey::new(SERVER, "a"), edition: 1, finding });
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Reply { .. })), "{effects:?}");
    }
}

#[test]
fn what_was_found_is_logged_with_the_answer() {
    let mut play = Play::new();
    let _ = play.line("asked a/one");
    let _ = play.judged(1, "writes a");
    let key = RequestKey::new(SERVER, "a");
    let effects = play.says(Event::Decide { key, decision: Decision::AllowOnce, edition: Some(1) });
    let verdict = effects.iter().find_map(|effect| match effect {
        Effect::Record(record) => record.verdict.clone(),
        _ => None,
    });
    assert_eq!(verdict.map(|verdict| verdict.reason).as_deref(), Some("writes a"));
}

#[test]
fn another_request_under_the_same_id_is_looked_at_anew() {
    let mut play = Play::new();
    let _ = play.line("asked a/one");
    let _ = play.judged(1, "writes a");
    let mut other = ask("a/one");
    other.resources = vec!["rm -rf /".into()];
    let effects = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(other))));
    assert_eq!(to_judge(&effects), [(2, false)]);
    assert_eq!(play.reason(), None);
}
