//! What a request does is looked at as soon as it is known, and again when more of it becomes known.

use gavel_core::flow::{Effect, Event, Flow, Happened, Outcome, Phase, WireEvent};
use gavel_core::rules_file::{By, Change, CommandLine, Match};
use gavel_core::{
    Ask, Class, Decision, Finding, Moment, Origin, Recommendation, Reply, RequestKey, ServerInfo, Settled, Source,
};

use crate::support::{SERVER, ask, event};

pub fn finding(reason: &str) -> Finding {
    Finding {
        recommendation: Recommendation::Ask,
        reason: reason.into(),
        said: gavel_core::text::Message::default(),
        class: Class::Writes,
        segments: Vec::new(),
    }
}

pub struct Play(pub Flow);

impl Play {
    pub fn new() -> Self {
        let mut play = Self(Flow::default());
        play.says(Event::ServerAdded(ServerInfo { id: SERVER.into(), name: "s".into(), origin: Origin::Settings }));
        play
    }

    pub fn says(&mut self, event: Event) -> Vec<Effect> {
        self.0.step(event, Moment(1_000))
    }

    pub fn line(&mut self, line: &str) -> Vec<Effect> {
        self.says(event(line))
    }

    pub fn judged(&mut self, edition: u32, reason: &str) -> Vec<Effect> {
        self.says(Event::Judged { took: 3, key: RequestKey::new(SERVER, "a"), edition, finding: finding(reason) })
    }

    pub fn reason(&self) -> Option<String> {
        self.0.inbox()[0].finding.as_ref().map(|finding| finding.reason.clone())
    }
}

/// The editions that are to be looked at, and whether it is known where each runs.
pub fn to_judge(effects: &[Effect]) -> Vec<(u32, bool)> {
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

/// What is looked up: the command, and whether it is proven.
pub fn looked_up(effects: &[Effect]) -> Vec<(String, bool)> {
    let of = |effect: &Effect| match effect {
        Effect::LookUpRule { line, proven, .. } => Some((line.as_str().to_owned(), *proven)),
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

pub fn placed(change: impl FnOnce(&mut Ask)) -> Play {
    let mut play = Play::new();
    let mut asked = ask("a/one");
    asked.detail.placed = true;
    change(&mut asked);
    let _ = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))));
    play
}

fn rule(line: &str, source: Source) -> Match {
    Match { line: line.into(), source }
}

pub fn holds(edition: u32) -> Event {
    Event::RuleHolds { key: RequestKey::new(SERVER, "a"), edition, rule: rule("do *", Source::Preset) }
}

#[test]
fn a_command_is_looked_up_only_where_it_is_all_that_runs_in_the_project_itself() {
    type Change = fn(&mut Ask);
    let all: [(&str, Change, bool); 7] = [
        ("a command", |_| {}, true),
        ("somewhere", |ask| ask.detail.placed = false, false),
        ("elsewhere", |ask| ask.detail.workdir = Some("/etc".into()), false),
        ("of which only a part is known", |ask| ask.detail.command = None, false),
        ("while the server checked something else", |ask| ask.resources = vec!["rm x".into()], false),
        ("in no project", |ask| ask.directory.clear(), false),
        ("that is none", |ask| ask.action = "edit".into(), false),
    ];
    for (case, change, is_looked_up) in all {
        let found = looked_up(&placed(change).judged(1, "does a"));
        assert_eq!(found, if is_looked_up { vec![("do a".to_owned(), false)] } else { vec![] }, "{case}");
    }
    let mut play = placed(|_| {});
    let proven = Finding { recommendation: Recommendation::Allow, ..finding("reads a") };
    let effects = play.says(Event::Judged { took: 3, key: RequestKey::new(SERVER, "a"), edition: 1, finding: proven });
    assert_eq!(looked_up(&effects), [("do a".to_owned(), true)], "by whoever judges, not by what it reads like");
}

#[test]
fn a_command_is_looked_up_when_its_place_becomes_known_though_it_does_the_same() {
    let mut play = Play::new();
    let _ = play.line("asked a/one/call");
    assert_eq!(looked_up(&play.judged(1, "does a")), []);
    let _ = play.line("call-started one call purpose");
    assert_eq!(looked_up(&play.judged(1, "does a")), [("do a".to_owned(), false)]);
}

#[test]
fn a_rule_lets_pass_what_was_looked_up_and_nothing_else() {
    let replies = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::Reply { .. })).count();
    let key = RequestKey::new(SERVER, "a");
    let mut play = placed(|_| {});
    assert_eq!(replies(&play.says(holds(1))), 0, "nobody has looked at what it does");
    let destroys = Finding { class: Class::Destructive, ..finding("deletes a") };
    let _ = play.says(Event::Judged { took: 3, key: key.clone(), edition: 1, finding: destroys });
    assert_eq!(replies(&play.says(holds(1))), 0, "others write the file as well");
    let _ = play.judged(1, "does a");
    assert_eq!(replies(&play.says(holds(2))), 0, "another edition");
    assert_eq!(replies(&play.says(holds(1))), 1);
    assert_eq!(replies(&play.says(holds(1))), 0, "the answer is under way");
    let effects = play.says(Event::Replied(key.clone(), Outcome::Accepted));
    let settled = effects.iter().find_map(|effect| match effect {
        Effect::Record(record) => Some(record.what.clone()),
        _ => None,
    });
    let by_rule = Settled::Rule { line: "do *".into(), source: Source::Preset };
    assert_eq!(settled, Some(Happened::Settled { settled: by_rule }));

    let mut play = placed(|ask| ask.detail.placed = false);
    assert_eq!(replies(&play.says(holds(1))), 0, "nobody knows where it runs");
    let mut play = placed(|_| {});
    let _ = play.judged(1, "does a");
    let _ = play.says(Event::Decide { key, decision: Decision::decline("no"), edition: Some(1) });
    assert_eq!(replies(&play.says(holds(1))), 0, "the user was first");
}

#[test]
fn what_a_rule_could_not_deliver_is_the_users_to_send_again() {
    let mut play = placed(|_| {});
    let key = RequestKey::new(SERVER, "a");
    let _ = play.judged(1, "does a");
    let _ = play.says(holds(1));
    for _ in 0..2 {
        let _ =
            play.says(Event::Replied(key.clone(), Outcome::Failed { why: gavel_core::text::Message::verbatim("cut") }));
        let _ = play.line("resend-due a");
    }
    let _ = play.says(Event::Replied(key.clone(), Outcome::Failed { why: gavel_core::text::Message::verbatim("cut") }));
    assert!(matches!(play.0.inbox()[0].phase, Phase::Undelivered { .. }), "{:?}", play.0.inbox()[0].phase);
    let _ = play.says(Event::Retry(key.clone()));
    let effects = play.says(Event::Replied(key, Outcome::Accepted));
    let by_you = Settled::You { decision: Decision::AllowOnce };
    let told = |effect: &Effect| matches!(effect, Effect::Record(record) if record.what == Happened::Settled { settled: by_you.clone() });
    assert!(effects.iter().any(told), "{effects:?}");
}

#[test]
fn what_becomes_of_a_command_is_learned() {
    let line = || CommandLine::new("shell", "do a").unwrap();
    let at = Moment(1_000);
    let approve = |destructive| Change::Approve { line: line(), by: By::Human, learn_after: 3, destructive, at };
    let refuse = || Change::Refuse { line: line(), by: By::Human };
    let key = || RequestKey::new(SERVER, "a");
    let decide = |decision| vec![Event::Decide { key: key(), decision, edition: Some(1) }, replied()];
    let replied_by = |event| vec![event, replied()];
    fn replied() -> Event {
        Event::Replied(RequestKey::new(SERVER, "a"), Outcome::Accepted)
    }
    let learned = Event::RuleHolds { key: key(), edition: 1, rule: rule("do a", Source::Learned) };
    let elsewhere = WireEvent::Answered { request: "a".into(), reply: Some(Reply::Once) };
    let cases: [(&str, Class, Vec<Event>, Option<Change>); 7] = [
        ("approved", Class::Writes, decide(Decision::AllowOnce), Some(approve(false))),
        ("something destructive", Class::Destructive, decide(Decision::AllowOnce), Some(approve(true))),
        ("declined", Class::Writes, decide(Decision::decline("no")), Some(refuse())),
        ("stopped", Class::Writes, decide(Decision::Stop), Some(refuse())),
        ("passed as learned", Class::Writes, replied_by(learned), Some(Change::Seen { line: line(), at })),
        ("passed by a preset", Class::Reads, replied_by(holds(1)), None),
        ("answered elsewhere", Class::Writes, vec![Event::Wire(SERVER.into(), elsewhere)], None),
    ];
    for (case, class, events, expected) in cases {
        let mut play = placed(|_| {});
        let finding = Finding { class, ..finding("does a") };
        let _ = play.says(Event::Judged { took: 3, key: key(), edition: 1, finding });
        let effects: Vec<Effect> = events.into_iter().flat_map(|event| play.says(event)).collect();
        let learned = effects.into_iter().find_map(|effect| match effect {
            Effect::Learn { directory, change, .. } if directory == "/p" => Some(change),
            _ => None,
        });
        assert_eq!(learned, expected, "{case}");
    }
    let mut play = placed(|_| {});
    let effects: Vec<Effect> = decide(Decision::AllowOnce).into_iter().flat_map(|event| play.says(event)).collect();
    let unlooked = Effect::Learn { server: SERVER.into(), directory: "/p".into(), change: approve(true) };
    assert!(effects.contains(&unlooked), "nobody has looked at it: {effects:?}");
}

#[test]
fn the_demo_teaches_nothing_and_passes_by_nothing() {
    let mut play = Play::new();
    play.says(Event::ServerAdded(ServerInfo { id: SERVER.into(), name: "s".into(), origin: Origin::Demo }));
    let mut asked = ask("a/one");
    asked.detail.placed = true;
    let _ = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))));
    let judged = play.judged(1, "does a");
    assert_eq!(looked_up(&judged), []);
    assert!(!judged.iter().any(|effect| matches!(effect, Effect::AskJudge { .. })), "and costs nothing");
    let key = RequestKey::new(SERVER, "a");
    let mut effects = play.says(Event::Decide { key: key.clone(), decision: Decision::AllowOnce, edition: Some(1) });
    effects.extend(play.says(Event::Replied(key, Outcome::Accepted)));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Learn { .. })), "{effects:?}");
}

#[test]
fn nothing_is_answered_by_what_was_found() {
    let mut play = Play::new();
    let _ = play.line("asked a/one");
    for recommendation in [Recommendation::Allow, Recommendation::Deny, Recommendation::Ask] {
        let finding = Finding { recommendation, ..finding("whatever") };
        let effects = play.says(Event::Judged { took: 3, key: RequestKey::new(SERVER, "a"), edition: 1, finding });
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
        Effect::Record(record) => record.opinions.offline.clone(),
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
