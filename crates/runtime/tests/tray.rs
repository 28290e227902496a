//! What the tray shows and offers.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use gavel_core::modes::{Mode, Stance};
use gavel_core::{Class, Decision, Link, Origin, Recommendation, RequestKey, Source, Status};
use gavel_runtime::api::{
    Call, Choice, Field, FieldKind, Keychain, ModeRow, Modes, Notifications, Panel, PasswordSource, Phase, Preferences,
    Question, QuestionPhase, Quick, Request, Scope, ServerRow, Shortcut, Snapshot, Verdict,
};
use gavel_runtime::tray::{Action, Item, State, view};

fn snapshot(requests: Vec<Request>, links: &[Link]) -> Snapshot {
    let server = |link: &Link| ServerRow {
        id: "http://127.0.0.1:4096".into(),
        name: "127.0.0.1:4096".into(),
        origin: Origin::Discovered,
        link: link.clone(),
        heard: None,
        synced: None,
        last_error: None,
        waiting: 0,
        password: PasswordSource::Nowhere,
        password_back_until: None,
    };
    Snapshot {
        language: gavel_core::text::Language::English,
        modes: Default::default(),
        grants: Vec::new(),
        questions: Vec::new(),
        judge: Default::default(),
        removed: Vec::new(),
        rules: 0,
        revision: 1,
        now: 1,
        paused: false,
        requests,
        servers: links.iter().map(server).collect(),
        notifications: Notifications {
            available: true,
            actions: true,
            server: String::new(),
            problem: String::new(),
            hint: String::new(),
        },
        keychain: Keychain { available: true, problem: String::new() },
        tray: Some(true),
        shortcut: Shortcut::Off,
        preferences: Preferences::default(),
    }
}

fn request(id: &str, text: &str) -> Request {
    Request {
        offers: Vec::new(),
        verdict: None,
        advice: None,
        judge_paused: false,
        lines: gavel_core::reach::Lines::Unknown,
        always: gavel_runtime::api::Always::Project,
        key: RequestKey::new("http://127.0.0.1:4096", id),
        server_name: "127.0.0.1:4096".into(),
        online: true,
        action: "shell".into(),
        headline: format!("Run {}", text.replace('\n', "⏎")),
        text: text.into(),
        deceptive: false,
        resources: vec![],
        serves: None,
        purpose: None,
        note: None,
        workdir: None,
        diff: None,
        raw: String::new(),
        project: "api".into(),
        directory: "/home/dev/api".into(),
        chain: vec![],
        since: 1,
        phase: Phase::Waiting,
        siblings: 0,
        edition: 3,
    }
}

fn online() -> Link {
    Link::Online { version: "1.18.33".into(), dialect: gavel_core::Dialect::V1 }
}

/// The labels of the menu of the `nth` entry.
fn entries(menu: &[Item], nth: usize) -> Vec<&str> {
    let Item::Menu(_, items) = &menu[nth] else { panic!("{:?} is no menu", menu[nth]) };
    items
        .iter()
        .map(|item| match item {
            Item::Text(label) | Item::Action(label, _) | Item::Choice(label, ..) | Item::Menu(label, _) => {
                label.as_str()
            }
            Item::Line => "—",
        })
        .collect()
}

#[test]
fn the_icon_is_the_state() {
    let undelivered = Request {
        phase: Phase::Undelivered { decision: Decision::AllowOnce, why: "cut".into() },
        ..request("a", "ls")
    };
    let offline = Link::Offline { reason: gavel_core::text::Message::verbatim("refused"), gone: true };
    let locked = Link::NeedsPassword { refused: false };
    let cases = [
        (snapshot(vec![], &[online()]), State::Idle, "Nothing waits"),
        (snapshot(vec![request("a", "ls")], &[online()]), State::Waiting, "1 request waits"),
        (snapshot(vec![request("a", "ls"), request("b", "ls")], &[online()]), State::Waiting, "2 requests wait"),
        (snapshot(vec![], &[]), State::Offline, "No OpenCode server is running"),
        (snapshot(vec![], std::slice::from_ref(&offline)), State::Offline, "No server can be reached"),
        (snapshot(vec![], &[offline, online()]), State::Idle, "Nothing waits"),
        (snapshot(vec![], &[locked.clone(), online()]), State::Error, "A server needs a password"),
        (snapshot(vec![request("a", "ls")], &[locked, online()]), State::Waiting, "1 request waits"),
        (snapshot(vec![undelivered], &[online()]), State::Error, "1 request waits · an answer needs you"),
        (
            Snapshot { paused: true, ..snapshot(vec![request("a", "ls")], &[online()]) },
            State::Paused,
            "Paused · 1 request waits",
        ),
    ];
    for (snapshot, state, summary) in cases {
        let view = view(&snapshot);
        assert_eq!((view.state, view.summary.as_str()), (state, summary));
        assert_eq!(view.panel, Panel::Dark);
    }
}

/// The entries of the menu called `name`.
fn menu_of<'a>(menu: &'a [Item], name: &str) -> &'a [Item] {
    menu.iter()
        .find_map(|item| if let Item::Menu(label, items) = item { (label == name).then_some(items) } else { None })
        .unwrap()
}

#[test]
fn the_mode_of_each_server_is_shown_and_chosen() {
    let scope = |server: &str| Scope::Server { server: server.into() };
    let row =
        |server: &str, chosen| ModeRow { scope: scope(server), name: server.into(), place: server.into(), chosen };
    let with = |servers| Snapshot { modes: Modes { servers, ..Modes::default() }, ..snapshot(vec![], &[online()]) };
    let plan = Stance { plan: true, ..Stance::from(Mode::Supervised) };

    let view_of = |snapshot: &Snapshot| menu_of(&view(snapshot).menu, "Mode").to_vec();
    let only = view_of(&with(vec![row("http://127.0.0.1:4096", Some(plan))]));
    let ticked: Vec<&str> = only
        .iter()
        .filter_map(|item| if let Item::Choice(label, true, _) = item { Some(label.as_str()) } else { None })
        .collect();
    assert_eq!(ticked, ["Supervised", "Plan only: no file is changed"]);
    let choose = |stance| Action::Call(Call::SetMode { scope: scope("http://127.0.0.1:4096"), stance });
    // Another mode keeps the plan; nothing is chosen by taking everything back.
    let full = Stance { mode: Mode::FullAccess, ..plan };
    assert!(only.contains(&Item::Choice("Full access: asks nothing".into(), false, choose(Some(full)))));
    assert!(only.contains(&Item::Choice("As OpenCode is configured".into(), false, choose(None))));
    assert_eq!(only.last(), Some(&Item::Action("Projects and sessions…".into(), Action::Modes)));

    let untouched = view_of(&with(vec![row("a", None), row("b", None)]));
    let Item::Menu(name, items) = &untouched[0] else { panic!("{untouched:?}") };
    assert_eq!((name.as_str(), untouched.len()), ("a", 4));
    assert!(items.contains(&Item::Choice(
        "As OpenCode is configured".into(),
        true,
        Action::Call(Call::SetMode { scope: scope("a"), stance: None })
    )));
    assert_eq!(items.len(), 5, "without a mode there is no plan on top of it");
    assert_eq!(view_of(&with(vec![]))[0], Item::Text("No server is watched".into()));
    let servers = view(&with(vec![row("http://127.0.0.1:4096", Some(plan))]));
    let Item::Action(label, _) = &menu_of(&servers.menu, "Servers")[0] else { panic!() };
    assert!(label.ends_with(", Supervised"), "{label}");
}

#[test]
fn the_five_that_wait_longest_can_be_answered() {
    let requests = (1..=7).map(|n| request(&format!("r{n}"), &format!("make step{n}"))).collect();
    let view = view(&snapshot(requests, &[online()]));
    let labels: Vec<&str> = view.menu[1..=6]
        .iter()
        .map(|item| match item {
            Item::Menu(label, _) | Item::Action(label, _) => label.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(labels[0], "Run make step1 · api");
    assert_eq!(labels[4..], ["Run make step5 · api", "2 more…"]);
    assert_eq!(entries(&view.menu, 1), ["make step1", "Approve", "Decline", "Open…"]);
    let Item::Menu(_, items) = &view.menu[1] else { panic!() };
    let key = RequestKey::new("http://127.0.0.1:4096", "r1");
    let approve = Call::Decide { key: key.clone(), decision: Decision::AllowOnce, edition: 3 };
    assert_eq!(items[1], Item::Action("Approve".into(), Action::Call(approve)));
    assert_eq!(items[3], Item::Action("Open…".into(), Action::Open(Some(key))));
}

#[test]
fn what_can_t_be_read_here_can_t_be_approved_here() {
    for text in ["x".repeat(121), "ls\nrm -rf /".to_owned()] {
        let view = view(&snapshot(vec![request("a", &text)], &[online()]));
        assert_eq!(entries(&view.menu, 1), ["Too long to be read here", "Decline", "Open…"]);
    }
    let long = "/x".repeat(70);
    let far = Request { workdir: Some(long.clone()), ..request("a", "ls") };
    let outside =
        |places: Vec<String>| Request { action: "external_directory".into(), resources: places, ..request("a", "ls") };
    for request in [far, outside(vec!["/y".into(), long]), outside(vec!["/y".into(); 9]), request("a", "")] {
        let view = view(&snapshot(vec![request], &[online()]));
        assert_eq!(entries(&view.menu, 1), ["Too long to be read here", "Decline", "Open…"]);
    }
    let elsewhere = Request { workdir: Some("/etc".into()), ..request("a", "ls") };
    assert_eq!(
        entries(&view(&snapshot(vec![elsewhere], &[online()])).menu, 1),
        ["ls", "in /etc", "Approve", "Decline", "Open…"]
    );
}

#[test]
fn an_edit_is_approved_where_its_diff_can_be_seen() {
    let edit = Request { action: "edit".into(), diff: Some("+x".into()), ..request("a", "/home/dev/api/x") };
    assert_eq!(entries(&view(&snapshot(vec![edit], &[online()])).menu, 1), ["/home/dev/api/x", "Decline", "Open…"]);
}

#[test]
fn an_undelivered_answer_can_be_sent_again() {
    let undelivered = Request {
        phase: Phase::Undelivered { decision: Decision::AllowOnce, why: "the connection broke off".into() },
        ..request("a", "ls")
    };
    assert_eq!(
        entries(&view(&snapshot(vec![undelivered], &[online()])).menu, 1),
        ["ls", "Not delivered: the connection broke off", "Retry", "Decline", "Open…"]
    );
}

#[test]
fn what_is_being_answered_is_no_longer_offered() {
    let answering = Request { phase: Phase::Replying { decision: Decision::AllowOnce }, ..request("a", "ls") };
    let view = view(&snapshot(vec![answering], &[online()]));
    assert_eq!((view.waiting, view.state), (0, State::Idle));
    assert_eq!(view.menu[1], Item::Line);
}

#[test]
fn servers_are_listed_with_their_state() {
    let menu = view(&snapshot(vec![], &[online(), Link::NeedsPassword { refused: true }])).menu;
    assert_eq!(
        entries(&menu, 2),
        ["127.0.0.1:4096: online, 1.18.33", "127.0.0.1:4096: needs a password", "—", "Add or remove…"]
    );
    assert_eq!(entries(&view(&snapshot(vec![], &[])).menu, 2), ["None found", "—", "Add or remove…"]);
}

#[test]
fn what_is_recommended_stands_before_the_answers() {
    let verdict = |recommendation, reason: &str| Verdict {
        recommendation,
        reason: reason.into(),
        source: Source::Offline,
        status: Status::Ok,
        class: Some(Class::Destructive),
        parts: vec![],
    };
    let of = |verdict| Request { verdict: Some(verdict), ..request("a", "rm -rf build") };
    let deletes = of(verdict(Recommendation::Ask, "deletes `build` and everything under it"));
    assert_eq!(
        entries(&view(&snapshot(vec![deletes], &[online()])).menu, 1),
        ["rm -rf build", "Deletes `build` and everything under it", "Approve", "Decline", "Open…"]
    );
    let endless = view(&snapshot(vec![of(verdict(Recommendation::Deny, &"x".repeat(500)))], &[online()]));
    let line = entries(&endless.menu, 1)[1].to_owned();
    assert!(line.starts_with("Dangerous: x") && line.ends_with("x…") && line.chars().count() < 130, "{line}");
}

fn question(id: &str, prompt: &str, options: &[&str]) -> Question {
    let choice = |label: &&str| Choice { value: (*label).into(), label: (*label).into(), description: None };
    let quick = |label: &&str| Quick { label: (*label).into(), answer: [("q0".into(), (*label).into())].into() };
    Question {
        key: RequestKey::new("http://127.0.0.1:4096", id),
        server_name: "127.0.0.1:4096".into(),
        online: true,
        title: "Questions".into(),
        headline: prompt.into(),
        fields: vec![Field {
            key: "q0".into(),
            title: None,
            description: Some(prompt.into()),
            required: false,
            hidden: false,
            when: vec![],
            default: None,
            kind: FieldKind::Text {
                format: None,
                min_length: None,
                max_length: None,
                pattern: None,
                placeholder: None,
                options: Some(options.iter().map(choice).collect()),
                custom: true,
            },
        }],
        quick: options.iter().map(quick).collect(),
        deceptive: false,
        answerable: true,
        passes_reason: true,
        raw: "{}".into(),
        project: "api".into(),
        directory: "/home/dev/api".into(),
        chain: vec![],
        since: 0,
        phase: QuestionPhase::Waiting,
        edition: 2,
        refused: None,
        serves: None,
        draft: None,
    }
}

#[test]
fn questions_wait_beside_requests_and_are_answered_with_a_click_where_one_is_enough() {
    let shown = Snapshot {
        questions: vec![question("que_1", "Which?", &["Red", "Blue"])],
        ..snapshot(vec![request("per_1", "ls")], &[online()])
    };
    let shown = view(&shown);
    assert_eq!((shown.state, shown.waiting), (State::Waiting, 2));
    assert_eq!(shown.summary, "1 request and 1 question wait");
    let Item::Menu(label, menu) = &shown.menu[1] else { panic!("the oldest comes first: {:?}", shown.menu) };
    assert_eq!(label, "Which? · api");
    let answer = |label: &str| {
        let (key, answer) = (RequestKey::new("http://127.0.0.1:4096", "que_1"), [("q0".into(), label.into())].into());
        Item::Action(label.into(), Action::Call(Call::AnswerQuestion { key, answer, edition: 2 }))
    };
    let open =
        |key: &str| Item::Action("Answer…".into(), Action::Open(Some(RequestKey::new("http://127.0.0.1:4096", key))));
    assert_eq!(*menu, [Item::Text("Which?".into()), answer("Red"), answer("Blue"), open("que_1")]);

    let long = "x".repeat(200);
    let refused = Some(gavel_runtime::api::Problem { field: None, message: "no".into() });
    let undelivered = QuestionPhase::Undelivered {
        response: gavel_core::question::Response::Cancel { reason: None },
        why: "no route".into(),
    };
    for asked in [
        question("que_1", &long, &["Red"]),
        question("que_1", "Which?", &[&long]),
        question("que_1", "Which?\nOr so", &["Red"]),
        question("que_1", "Which?", &[]),
        Question { refused, ..question("que_1", "Which?", &["Red"]) },
        Question { phase: undelivered.clone(), ..question("que_1", "Which?", &["Red"]) },
    ] {
        let shown = view(&Snapshot { questions: vec![asked.clone()], ..snapshot(vec![], &[online()]) });
        let Item::Menu(_, menu) = &shown.menu[1] else { panic!("{:?}", shown.menu) };
        let answers = |item: &&Item| matches!(item, Item::Action(_, Action::Call(Call::AnswerQuestion { .. })));
        assert_eq!(menu.iter().filter(answers).count(), 0, "{asked:?}");
        assert!(menu.contains(&open("que_1")));
        let retries = menu.iter().any(|item| matches!(item, Item::Action(_, Action::Call(Call::Retry { .. }))));
        assert_eq!(retries, asked.phase == undelivered);
        assert_eq!(shown.state == State::Error, asked.phase == undelivered);
    }
    let many = Snapshot {
        questions: (0..3).map(|n| question(&n.to_string(), "Which?", &[])).collect(),
        ..snapshot(vec![], &[online()])
    };
    assert_eq!(view(&many).summary, "3 questions wait");
}

#[test]
fn what_waits_longest_is_brought_up_be_it_a_question_and_never_what_is_being_answered() {
    let at = |id: &str, since| Request { since, ..request(id, "ls") };
    let being_answered = Request { phase: Phase::Replying { decision: Decision::AllowOnce }, ..at("c", 1) };
    let oldest = |snapshot: &Snapshot| snapshot.oldest().map(|key| key.request.to_string());
    let requests = snapshot(vec![being_answered.clone(), at("b", 9), at("a", 5)], &[online()]);
    assert_eq!(oldest(&requests).as_deref(), Some("a"));
    let asked = Question { since: 3, ..question("q", "Which?", &["a"]) };
    assert_eq!(oldest(&Snapshot { questions: vec![asked], ..requests }).as_deref(), Some("q"));
    assert_eq!(oldest(&snapshot(vec![being_answered], &[online()])), None);
}

#[test]
fn the_menu_speaks_the_language_of_the_snapshot() {
    fn words(items: &[Item], all: &mut Vec<String>) {
        for item in items {
            match item {
                Item::Text(text) | Item::Action(text, _) | Item::Choice(text, ..) => all.push(text.clone()),
                Item::Menu(text, inner) => {
                    all.push(text.clone());
                    words(inner, all);
                }
                Item::Line => {}
            }
        }
    }
    let online = Link::Online { version: "2.1.0".into(), dialect: gavel_core::Dialect::V2 };
    for (count, summary) in [
        (0, "Ничего не ожидает"),
        (1, "1 запрос ожидает"),
        (2, "2 запроса ожидают"),
        (5, "5 запросов ожидают"),
        (11, "11 запросов ожидают"),
        (21, "21 запрос ожидает"),
        (22, "22 запроса ожидают"),
    ] {
        let requests = (0..count).map(|n| request(&format!("per_{n}"), "npm test")).collect();
        let mut snapshot = snapshot(requests, std::slice::from_ref(&online));
        snapshot.language = gavel_core::text::Language::Russian;
        let view = view(&snapshot);
        assert_eq!(view.summary, summary);
        let mut all = Vec::new();
        words(&view.menu, &mut all);
        // What was asked and who runs it are names, in whatever language.
        let names = ["Run npm test", "npm test", "2.1.0", "Gavel", "OpenCode", "api", "127.0.0.1:4096"];
        for text in all {
            let rest = names.iter().fold(text.clone(), |rest, name| rest.replace(name, ""));
            assert!(!rest.contains(|c: char| c.is_ascii_alphabetic()), "{text}");
        }
    }
}
