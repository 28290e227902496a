//! A judge gives its opinion, and answers only in the mode Auto, only plainly, and only until it refuses too much.

use Recommendation::{Allow, Ask, Deny};
use gavel_core::flow::{Advice, Effect, Event, Flow, Happened, Outcome, Phase, Record, WireEvent};
use gavel_core::rules_file::{By, Change};
use gavel_core::text::Message;
use gavel_core::{
    Class, Decision, Finding, Moment, Opinions, Origin, Recommendation, RequestKey, ServerInfo, Settled, Source,
    Status, Verdict,
};

use crate::support::{SERVER, ask, event};

struct Play(Flow);

fn key(id: &str) -> RequestKey {
    RequestKey::new(SERVER, id)
}

fn finding(recommendation: Recommendation) -> Finding {
    Finding {
        recommendation,
        reason: "does a".into(),
        said: gavel_core::text::Message::default(),
        class: Class::Writes,
        segments: Vec::new(),
    }
}

fn verdict(recommendation: Recommendation, status: Status) -> Verdict {
    Verdict {
        recommendation,
        reason: "because".into(),
        said: Message::default(),
        source: Source::Model,
        status,
        took: 7,
    }
}

impl Play {
    /// A play in which `mode` was chosen for the server.
    fn new(mode: &str) -> Self {
        let mut play = Self(Flow::default());
        play.says(Event::ServerAdded(ServerInfo { id: SERVER.into(), name: "s".into(), origin: Origin::Settings }));
        play.line("session one");
        if !mode.is_empty() {
            play.line(&format!("chosen server={mode}"));
        }
        play
    }

    fn says(&mut self, event: Event) -> Vec<Effect> {
        self.0.step(event, Moment(5_000))
    }

    fn line(&mut self, line: &str) -> Vec<Effect> {
        self.says(event(line))
    }

    /// Request `id` is asked, looked at, in no rules file, and outlasts the grace delay.
    fn asked(&mut self, id: &str) -> Vec<Effect> {
        let mut asked = ask(&format!("{id}/one"));
        asked.detail.placed = true;
        let mut effects = self.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))));
        effects.extend(self.says(Event::Judged { took: 3, key: key(id), edition: 1, finding: finding(Ask) }));
        effects.extend(self.says(Event::NoRule { key: key(id), edition: 1 }));
        effects.extend(self.line(&format!("grace-over {id}")));
        self.says(Event::JudgeAsked { key: key(id), edition: 1 });
        effects
    }

    fn advised(&mut self, id: &str, verdict: Verdict) -> Vec<Effect> {
        self.says(Event::Advised { key: key(id), edition: 1, opinion: verdict.into() })
    }
}

/// The answer that is sent.
fn sent(effects: &[Effect]) -> Option<&Decision> {
    effects.iter().find_map(|effect| match effect {
        Effect::Reply { decision, .. } => Some(decision),
        _ => None,
    })
}

fn asks_judge(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::AskJudge { .. })).count()
}

fn drops_judge(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::DropJudge(_)))
}

#[test]
fn a_judge_is_asked_once_and_only_about_what_no_rule_lets_pass() {
    let mut play = Play::new("auto");
    let mut asked = ask("a/one");
    asked.detail.placed = true;
    let looked = Event::Judged { took: 3, key: key("a"), edition: 1, finding: finding(Ask) };
    assert_eq!(asks_judge(&play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))))), 0);
    assert_eq!(asks_judge(&play.says(looked.clone())), 0, "a rule is looked up first");
    assert_eq!(asks_judge(&play.says(Event::NoRule { key: key("a"), edition: 2 })), 0, "of another edition");
    assert_eq!(asks_judge(&play.says(Event::NoRule { key: key("a"), edition: 1 })), 1);
    assert_eq!(asks_judge(&play.says(Event::NoRule { key: key("a"), edition: 1 })), 0, "twice");
    let mut edit = ask("b/one");
    edit.action = "edit".into();
    let _ = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(edit))));
    let effects = play.says(Event::Judged { took: 3, key: key("b"), edition: 1, finding: finding(Ask) });
    assert_eq!(asks_judge(&effects), 1, "what is no command is in no rules file");
}

#[test]
fn an_opinion_that_is_only_looked_at_is_not_sought_before_somebody_would_look() {
    for (mode, at_once) in [("auto", 1), ("auto+plan", 1), ("", 0), ("supervised", 0), ("edits", 0), ("full", 0)] {
        let asked = |play: &mut Play, id: &str| {
            let mut asked = ask(&format!("{id}/one"));
            asked.detail.placed = true;
            let mut effects = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))));
            effects.extend(play.says(Event::Judged { took: 3, key: key(id), edition: 1, finding: finding(Ask) }));
            effects
        };
        let no_rule = |id: &str| Event::NoRule { key: key(id), edition: 1 };
        let mut play = Play::new(mode);
        let _ = asked(&mut play, "a");
        assert_eq!(asks_judge(&play.says(no_rule("a"))), at_once, "{mode}");
        assert_eq!(asks_judge(&play.line("grace-over a")), 1 - at_once, "{mode}");
        assert_eq!(asks_judge(&play.line("grace-over a")), 0, "{mode}, twice");

        // What somebody else settles before that costs nothing.
        let _ = asked(&mut play, "b");
        let _ = play.says(no_rule("b"));
        let _ = play.line("answered b once");
        assert_eq!(asks_judge(&play.line("grace-over b")), 0, "{mode}");

        // A rule may take longer to be looked up than the grace delay.
        let _ = asked(&mut play, "c");
        assert_eq!(asks_judge(&play.line("grace-over c")), 0, "{mode}, a rule is looked up first");
        assert_eq!(asks_judge(&play.says(no_rule("c"))), 1, "{mode}");

        // While the user is away, nobody is asked for what nobody looks at; then, once.
        assert_eq!(asks_judge(&play.says(Event::Unattended(true))), 0, "{mode}");
        let _ = asked(&mut play, "d");
        assert_eq!(asks_judge(&play.says(no_rule("d"))) + asks_judge(&play.line("grace-over d")), at_once, "{mode}");
        assert_eq!(asks_judge(&play.says(Event::Unattended(false))), 1 - at_once, "{mode}");
        assert_eq!(asks_judge(&play.says(Event::Unattended(false))), 0, "{mode}, twice");
    }
}

#[test]
fn an_opinion_is_sought_as_soon_as_it_may_be_the_answer() {
    let mut play = Play::new("supervised");
    let _ = play.says(Event::Unattended(true));
    assert_eq!(asks_judge(&play.asked("a")), 0);
    assert_eq!(asks_judge(&play.line("chosen server=auto")), 1, "the user chose Auto");
    assert_eq!(sent(&play.advised("a", verdict(Allow, Status::Ok))), Some(&Decision::AllowOnce));

    let mut play = Play::new("auto");
    let _ = play.says(Event::Unattended(true));
    let _ = play.line("session one root");
    assert_eq!(asks_judge(&play.asked("a")), 0, "its parent may have another mode");
    assert_eq!(asks_judge(&play.line("session root")), 1, "it has not");
}

#[test]
fn who_answers_follows_from_the_mode_and_a_plain_word() {
    let faults =
        [Status::NoKey, Status::HttpError, Status::NetworkError, Status::TimedOut, Status::Truncated, Status::Unparsed];
    for mode in ["", "full", "supervised", "edits", "auto", "auto+plan"] {
        let auto = mode.starts_with("auto");
        for recommendation in [Allow, Deny, Ask] {
            let mut play = Play::new(mode);
            let _ = play.asked("a");
            assert_eq!(play.0.inbox()[0].advice, Advice::Awaited);
            let effects = play.advised("a", verdict(recommendation, Status::Ok));
            let expected = match recommendation {
                Allow if auto => Some(Decision::AllowOnce),
                Deny if auto => Some(Decision::Decline {
                    reason: "auto-permission judge (not the human) denied this: because".into(),
                }),
                _ => None,
            };
            assert_eq!(sent(&effects), expected.as_ref(), "{mode}, {recommendation:?}");
            assert_eq!(play.0.inbox()[0].advice, Advice::Given(verdict(recommendation, Status::Ok).into()));
            for fault in faults {
                let mut play = Play::new(mode);
                let _ = play.asked("a");
                let effects = play.advised("a", verdict(recommendation, fault));
                assert_eq!(sent(&effects), None, "{mode}, {recommendation:?}, {fault:?}");
            }
        }
    }
}

#[test]
fn the_narrowest_mode_counts_and_an_unknown_chain_has_none() {
    let cases = [("chosen server=auto one=supervised", false), ("chosen server=supervised one=auto", true)];
    for (stances, answers) in cases {
        let mut play = Play::new("");
        let _ = play.line(stances);
        let _ = play.asked("a");
        assert_eq!(sent(&play.advised("a", verdict(Allow, Status::Ok))).is_some(), answers, "{stances}");
    }
    let mut play = Play::new("auto");
    let _ = play.line("session one root");
    let _ = play.asked("a");
    assert_eq!(sent(&play.advised("a", verdict(Allow, Status::Ok))), None, "its parent may have another mode");
    assert_eq!(sent(&play.line("session root")), Some(&Decision::AllowOnce), "it has not");
}

#[test]
fn what_a_judge_can_not_have_seen_whole_it_does_not_allow() {
    type Change = fn(&mut gavel_core::Ask);
    let cases: [(&str, Change, bool); 6] = [
        ("a command", |_| {}, true),
        ("of which only a part is known", |ask| ask.detail.command = None, false),
        ("that runs nobody knows where", |ask| ask.detail.placed = false, false),
        ("an edit without its change", |ask| ask.action = "edit".into(), false),
        ("an edit", |ask| (ask.action, ask.detail.diff) = ("edit".into(), Some("+a".into())), true),
        ("anything else", |ask| ask.action = "webfetch".into(), true),
    ];
    for (case, change, allows) in cases {
        for (recommendation, answers) in [(Allow, allows), (Deny, true)] {
            let mut play = Play::new("auto");
            let mut asked = ask("a/one");
            asked.detail.placed = true;
            change(&mut asked);
            let _ = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))));
            let _ = play.says(Event::Judged { took: 3, key: key("a"), edition: 1, finding: finding(Ask) });
            let sent = sent(&play.advised("a", verdict(recommendation, Status::Ok))).is_some();
            assert_eq!(sent, answers, "{case}, {recommendation:?}");
        }
    }
}

#[test]
fn an_opinion_counts_as_soon_as_it_is_known_where_the_command_runs() {
    let mut play = Play::new("auto");
    let _ = play.line("asked a/one/call");
    let _ = play.says(Event::Judged { took: 3, key: key("a"), edition: 1, finding: finding(Ask) });
    assert_eq!(sent(&play.advised("a", verdict(Allow, Status::Ok))), None);
    let _ = play.line("call-started one call purpose");
    let effects = play.says(Event::Judged { took: 3, key: key("a"), edition: 1, finding: finding(Ask) });
    assert_eq!(sent(&effects), Some(&Decision::AllowOnce));
}

#[test]
fn a_catastrophe_is_allowed_by_no_judge() {
    for (offline, answer) in [(Allow, true), (Ask, true), (Deny, false)] {
        let mut play = Play::new("auto");
        let _ = play.asked("a");
        let _ = play.says(Event::Judged { took: 3, key: key("a"), edition: 1, finding: finding(offline) });
        assert_eq!(sent(&play.advised("a", verdict(Allow, Status::Ok))).is_some(), answer, "{offline:?}");
    }
}

#[test]
fn an_opinion_of_another_edition_or_too_late_is_none() {
    let mut play = Play::new("auto");
    let _ = play.asked("a");
    let effects = play.says(Event::Advised { key: key("a"), edition: 2, opinion: verdict(Allow, Status::Ok).into() });
    assert_eq!(sent(&effects), None);
    let effects = play.says(Event::Decide { key: key("a"), decision: Decision::decline("no"), edition: Some(1) });
    assert!(drops_judge(&effects), "{effects:?}");
    assert_eq!(sent(&play.advised("a", verdict(Allow, Status::Ok))), None, "the user was first");
}

#[test]
fn nobody_goes_on_asking_about_what_is_over() {
    for end in ["answered a once", "run-ended one", "deleted one", "disposed"] {
        let mut play = Play::new("");
        let _ = play.asked("a");
        assert!(drops_judge(&play.line(end)), "{end}");
    }
}

#[test]
fn what_a_judge_answered_is_told_as_its_own_and_learned_as_its_own() {
    let cases = [(Allow, true), (Deny, false)];
    for (recommendation, allowed) in cases {
        let mut play = Play::new("auto");
        let _ = play.asked("a");
        let _ = play.advised("a", verdict(recommendation, Status::Ok));
        let effects = play.says(Event::Replied(key("a"), Outcome::Accepted));
        let settled = Settled::Judge { allowed, reason: "because".into() };
        let told = effects.iter().find_map(|effect| match effect {
            Effect::Record(record) => Some(record.clone()),
            _ => None,
        });
        let Record { what, opinions, session_id, .. } = *told.unwrap();
        assert_eq!((what, session_id), (Happened::Settled { settled }, Some("one".into())));
        // Each by itself: what the analysis said is not lost because a judge has spoken.
        let offline = Some(finding(Ask).verdict(3));
        assert_eq!(opinions, Opinions { offline, model: Some(verdict(recommendation, Status::Ok).into()) });
        let by = effects.iter().find_map(|effect| match effect {
            Effect::Learn { change: Change::Approve { by, .. } | Change::Refuse { by, .. }, .. } => Some(*by),
            _ => None,
        });
        assert_eq!(by, Some(By::Judge));
    }
}

#[test]
fn a_refusal_by_a_judge_sweeps_what_the_server_sweeps() {
    let mut play = Play::new("auto");
    let _ = play.asked("b");
    let _ = play.asked("a");
    let _ = play.advised("a", verdict(Deny, Status::Ok));
    let effects = play.line("answered b reject");
    let swept = Happened::Settled { settled: Settled::Swept };
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Record(record) if record.what == swept)));
}

#[test]
fn too_many_refusals_leave_it_to_the_user_until_they_choose_anew() {
    let refuse = |play: &mut Play, id: &str| {
        let _ = play.asked(id);
        let refused = sent(&play.advised(id, verdict(Deny, Status::Ok))).is_some();
        let _ = play.says(Event::Replied(key(id), Outcome::Accepted));
        refused
    };
    let mut play = Play::new("auto");
    assert!(["a", "b", "c"].iter().all(|id| refuse(&mut play, id)));
    let _ = play.asked("d");
    assert_eq!(sent(&play.advised("d", verdict(Deny, Status::Ok))), None, "three in a row");
    assert_eq!(play.0.inbox()[0].phase, Phase::Waiting);
    let _ = play.asked("e");
    assert_eq!(sent(&play.advised("e", verdict(Allow, Status::Ok))), None, "it allows nothing any more, either");
    let _ = play.line("chosen server=auto");
    let _ = play.asked("f");
    assert_eq!(sent(&play.advised("f", verdict(Allow, Status::Ok))), Some(&Decision::AllowOnce), "chosen anew");

    let mut play = Play::new("auto");
    for number in 0..20 {
        let id = format!("n{number}");
        assert!(refuse(&mut play, &id), "{id}");
        let between = format!("y{number}");
        let _ = play.asked(&between);
        let allowed = sent(&play.advised(&between, verdict(Allow, Status::Ok))).is_some();
        assert_eq!(allowed, number < 19, "{between}");
    }
}

#[test]
fn a_long_reason_is_cut_on_a_character() {
    let Decision::Decline { reason } = Decision::refusal_of_judge(&"ж".repeat(500)) else { panic!("no decline") };
    let told = reason.strip_prefix("auto-permission judge (not the human) denied this: ").unwrap();
    assert_eq!(told, "ж".repeat(400));
}

#[test]
fn another_judge_is_asked_about_what_waits_and_what_the_old_one_said_counts_no_more() {
    let mut play = Play::new("supervised");
    let _ = play.asked("said");
    let _ = play.advised("said", verdict(Allow, Status::Ok));
    let _ = play.asked("failed");
    let _ = play.advised("failed", verdict(Ask, Status::NoKey));
    let _ = play.asked("awaited");
    // Whether a rule lets this one pass is still looked up, and comes first.
    let mut asked = ask("early/one");
    asked.detail.placed = true;
    let _ = play.says(Event::Wire(SERVER.into(), WireEvent::Asked(Box::new(asked))));
    let _ = play.says(Event::Judged { took: 3, key: key("early"), edition: 1, finding: finding(Ask) });

    let effects = play.says(Event::JudgeChanged);
    assert_eq!(asks_judge(&effects), 3, "{effects:?}");
    assert!(play.0.inbox().iter().all(|entry| entry.advice == Advice::None));
    // Nothing of what the old one said is an answer, whatever the user chooses now.
    assert_eq!(sent(&play.line("chosen server=auto")), None);
    assert_eq!(sent(&play.advised("said", verdict(Allow, Status::Ok))), Some(&Decision::AllowOnce));
    assert_eq!(asks_judge(&play.says(Event::NoRule { key: key("early"), edition: 1 })), 1);
}

#[test]
fn a_thread_that_refused_too_much_is_open_to_another_judge() {
    let mut play = Play::new("auto");
    for id in ["a", "b", "c"] {
        let _ = play.asked(id);
        assert!(sent(&play.advised(id, verdict(Deny, Status::Ok))).is_some());
        let _ = play.says(Event::Replied(key(id), Outcome::Accepted));
    }
    let _ = play.asked("d");
    assert_eq!(sent(&play.advised("d", verdict(Deny, Status::Ok))), None);
    assert_eq!(asks_judge(&play.says(Event::JudgeChanged)), 1);
    assert!(sent(&play.advised("d", verdict(Deny, Status::Ok))).is_some());
}

#[test]
fn a_thread_that_refused_too_much_is_judged_again_when_the_user_says_so() {
    let mut play = Play::new("auto");
    for id in ["a", "b", "c"] {
        let _ = play.asked(id);
        let _ = play.advised(id, verdict(Deny, Status::Ok));
        let _ = play.says(Event::Replied(key(id), Outcome::Accepted));
    }
    let _ = play.asked("d");
    assert_eq!(sent(&play.advised("d", verdict(Allow, Status::Ok))), None);
    let paused = |play: &Play| -> Vec<String> {
        play.0.servers()[&SERVER.into()].judged_no_more().map(|id| id.to_string()).collect()
    };
    assert_eq!(paused(&play), ["one"]);
    assert_eq!(play.says(Event::JudgeAgain(SERVER.into(), "two".into())), [], "another thread");
    let effects = play.says(Event::JudgeAgain(SERVER.into(), "one".into()));
    assert_eq!(sent(&effects), Some(&Decision::AllowOnce));
    assert_eq!(paused(&play), Vec::<String>::new());
    assert_eq!(play.says(Event::JudgeAgain(SERVER.into(), "one".into())), [], "nothing is paused any more");
}
