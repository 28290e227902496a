//! What is composed for each mode, which places agents keep, words of 1.x, and whose choice counts.

use gavel_core::modes::{
    AgentPaths, Defaults, Mode, Stance, newer_word, older_rules, older_word, path_allowances, session_rules,
};
use gavel_core::{ServerId, Session};

use super::support::{PLANS, agent, agents, managed, rules, saved, text};

fn made(stance: Stance) -> Vec<String> {
    let (acting, plan) = (path_allowances(&agent("build")), path_allowances(&agent("plan")));
    text(&session_rules(stance, AgentPaths { acting: &acting, plan: &plan }, &[], &[]))
}

fn lines<'a>(parts: &[&[&'a str]]) -> Vec<&'a str> {
    parts.concat()
}

#[test]
fn each_mode_has_its_rules_in_order() {
    let own: Vec<String> = text(&managed());
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let plan_own: Vec<String> = text(&path_allowances(&agent("plan")));
    let plan_own: Vec<&str> = plan_own.iter().map(String::as_str).collect();
    let supervised = ["* * allow", "shell * ask", "edit * ask", "external_directory * ask"];
    let accepting = ["* * allow", "shell * ask", "edit * allow", "external_directory * ask"];
    let bases: [(Mode, Vec<&str>); 4] = [
        (Mode::FullAccess, vec!["* * allow"]),
        (Mode::Supervised, lines(&[&supervised, &own])),
        (Mode::Auto, lines(&[&supervised, &own])),
        (Mode::AutoAcceptEdits, lines(&[&accepting, &own])),
    ];
    for (mode, base) in bases {
        let stance = Stance::from(mode);
        let plan = Stance { plan: true, ..stance };
        assert_eq!(made(stance), base, "{mode:?}");
        assert_eq!(made(plan), lines(&[&base, &["edit * deny"], &plan_own]), "{mode:?} with plan");
        let alone = Stance { subagents: false, ..plan };
        assert_eq!(made(alone), lines(&[&base, &["edit * deny"], &plan_own, &["subagent * deny"]]), "{mode:?} alone");
    }
}

#[test]
fn grants_and_extras_come_behind_and_sub_agents_last() {
    let stance = Stance { mode: Mode::Supervised, plan: false, subagents: false };
    let grants = [saved("shell", "git *"), saved("edit", "*")];
    let extra = rules(&["webfetch * ask"]);
    let composed = |stance| text(&session_rules(stance, AgentPaths::default(), &grants, &extra));
    let supervised = ["* * allow", "shell * ask", "edit * ask", "external_directory * ask"];
    let tail = ["shell git * allow", "edit * allow", "webfetch * ask", "subagent * deny"];
    assert_eq!(composed(stance), [&supervised[..], &tail].concat());
    // A grant to edit does not undo a plan that is asked for.
    let tail = ["edit * deny", "shell git * allow", "webfetch * ask", "subagent * deny"];
    assert_eq!(composed(Stance { plan: true, ..stance }), [&supervised[..], &tail].concat());
}

#[test]
fn default_agents_keep_their_places() {
    let managed = text(&managed());
    let plans = [format!("external_directory {PLANS}/* allow"), format!("edit {PLANS}/* allow")];
    let expected = |name: &str| match name {
        "plan" => [managed.clone(), plans.to_vec()].concat(),
        "title" | "summary" => vec![],
        _ => managed.clone(),
    };
    for (name, rules) in agents() {
        assert_eq!(text(&path_allowances(&rules)), expected(name), "{name}");
    }
}

#[test]
fn places_are_kept_as_far_as_the_agent_itself_may_use_them() {
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &[]),
        (&["external_directory * allow"], &[]),
        (&["external_directory /* allow", "external_directory ../* allow", "edit *.md allow"], &[]),
        (&["* /tmp/x/* allow"], &[]),
        (&["shell /tmp/x/* allow", "read /tmp/x/* allow"], &[]),
        (&["external_directory /tmp/x/* allow"], &["external_directory /tmp/x/* allow"]),
        (&["external_directory C:\\Temp\\* allow"], &["external_directory C:\\Temp\\* allow"]),
        (&["external_directory C:\\* allow"], &[]),
        (&["edit .opencode/plans/*.md allow"], &["edit .opencode/plans/*.md allow"]),
        // Closed again altogether.
        (&["external_directory /tmp/x/* allow", "external_directory * ask"], &[]),
        (&["external_directory /tmp/x/* allow", "* * deny"], &[]),
        (&["external_directory /tmp/x/* allow", "external_directory /tmp/* deny"], &[]),
        // Closed and opened again.
        (
            &["external_directory /tmp/x/* allow", "* * deny", "external_directory * allow"],
            &["external_directory /tmp/x/* allow"],
        ),
        // A part of it is closed.
        (
            &["external_directory /tmp/x/* allow", "external_directory /tmp/x/keys/* deny"],
            &["external_directory /tmp/x/* allow", "external_directory /tmp/x/keys/* deny"],
        ),
        (
            &["external_directory /tmp/x/* allow", "* *.pem ask"],
            &["external_directory /tmp/x/* allow", "external_directory *.pem ask"],
        ),
        // As 1.x has it: the places stand before and behind what the configuration says.
        (
            &["external_directory /tmp/x/* allow", "external_directory * ask", "external_directory /tmp/x/* allow"],
            &["external_directory /tmp/x/* allow"],
        ),
        (
            &["external_directory /tmp/x/* allow", "external_directory * ask", "external_directory /tmp/y/* allow"],
            &["external_directory /tmp/y/* allow"],
        ),
        // A plan that the configuration lets be asked about is asked about, but what it forbids stays forbidden.
        (&["edit * deny", "edit plans/* allow", "edit * ask"], &["edit plans/* ask"]),
        (&["edit * deny", "edit plans/* allow", "edit * deny"], &[]),
        (
            &["edit plans/* allow", "edit * ask", "edit plans/no/* deny", "edit src/* deny"],
            &["edit plans/* ask", "edit plans/no/* deny"],
        ),
        (
            &["edit plans/*.md allow", "edit docs/* allow", "edit *.md ask"],
            &["edit docs/* allow", "edit *.md deny", "edit plans/*.md ask"],
        ),
        // Elsewhere, and before: no business of it.
        (
            &[
                "external_directory /tmp/x/no/* deny",
                "external_directory /tmp/x/* allow",
                "external_directory /srv/* deny",
            ],
            &["external_directory /tmp/x/* allow"],
        ),
    ];
    for (agent, expected) in cases {
        assert_eq!(text(&path_allowances(&rules(agent))), *expected, "{agent:?}");
    }
}

#[test]
fn words_of_1_x() {
    let cases: &[(&str, &[&str])] = &[
        ("* * allow", &["* * allow"]),
        ("shell git * ask", &["bash git * ask"]),
        ("subagent * deny", &["task * deny"]),
        ("edit * deny", &["edit * deny"]),
        ("external_directory /x/* allow", &["external_directory /x/* allow"]),
        ("github_search * allow", &["github_search * allow"]),
        // Wildcards in actions: no allowance gets wider on the way, nothing else narrower.
        ("s* * ask", &["s* * ask", "bash * ask", "task * ask"]),
        ("s* * allow", &["s* * allow", "bash * allow", "task * allow"]),
        ("github_* * allow", &["github_* * allow"]),
        ("b* * deny", &["b* * deny"]),
        ("b* * allow", &[]),
        ("*a* * allow", &["read * allow", "external_directory * allow", "websearch * allow", "task * allow"]),
    ];
    for (newer, older) in cases {
        assert_eq!(text(&older_rules(&rules(&[newer]))), *older, "{newer}");
    }
    for (older, newer) in [
        ("bash", "shell"),
        ("task", "subagent"),
        ("write", "edit"),
        ("patch", "edit"),
        ("multiedit", "edit"),
        ("edit", "edit"),
        ("todowrite", "todowrite"),
        ("shell", "shell"),
    ] {
        assert_eq!(newer_word(older), newer);
    }
    assert_eq!((older_word("shell"), older_word("subagent"), older_word("read")), ("bash", "task", "read"));
}

#[test]
fn the_narrowest_choice_counts() {
    let session = |id: &str, parent: Option<&str>| Session {
        id: id.into(),
        parent: parent.map(Into::into),
        title: String::new(),
        directory: "/work/app".into(),
        agent: None,
    };
    let (root, child) = (session("ses_root", None), session("ses_child", Some("ses_root")));
    let chain = [&root, &child];
    let server = ServerId::from("http://127.0.0.1:4096");
    let mut defaults = Defaults::default();
    let expect = |mode: Option<Mode>, defaults: &Defaults| {
        assert_eq!(defaults.narrowest(&server, &chain), mode.map(Stance::from));
        let kept: Defaults = serde_json::from_str(&serde_json::to_string(defaults).unwrap()).unwrap();
        assert_eq!(kept, *defaults, "it survives being kept");
    };
    expect(None, &defaults);
    defaults.servers.insert("http://127.0.0.1:5000".into(), Mode::FullAccess.into());
    defaults.projects.insert("/work/other".into(), Mode::FullAccess.into());
    expect(None, &defaults);
    defaults.servers.insert(server.clone(), Mode::FullAccess.into());
    expect(Some(Mode::FullAccess), &defaults);
    defaults.projects.insert("/work/app".into(), Mode::AutoAcceptEdits.into());
    expect(Some(Mode::AutoAcceptEdits), &defaults);
    defaults.sessions.entry(server.clone()).or_default().insert(root.id.clone(), Mode::Auto.into());
    expect(Some(Mode::Auto), &defaults);
    defaults.sessions.entry(server.clone()).or_default().insert(child.id.clone(), Mode::Supervised.into());
    expect(Some(Mode::Supervised), &defaults);
    defaults.forget_session(&server, &child.id);
    expect(Some(Mode::Auto), &defaults);
    defaults.forget_session(&server, &root.id);
    assert!(defaults.sessions.is_empty());
    expect(Some(Mode::AutoAcceptEdits), &defaults);
    assert_eq!(
        defaults.narrowest(&server, &[]),
        Some(Mode::FullAccess.into()),
        "of an unknown session only the server is"
    );
}
