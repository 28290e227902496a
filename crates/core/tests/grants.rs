//! Grants: what they cover, how long they last, and how they are taken back.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use gavel_core::grants::{Grant, GrantId, Grants, Lasts, UNDO, is_offered};
use gavel_core::rules::{Case, Pattern, Saved};
use gavel_core::{Ask, Detail, Moment, RequestKey, Route, ServerId, Session, SessionId};
use proptest::prelude::*;

const SERVER: &str = "http://127.0.0.1:4096";

fn ask(session: &str, action: &str, resources: &[&str]) -> Ask {
    Ask {
        key: RequestKey::new(SERVER, "per_1"),
        session: session.into(),
        directory: "/work/app".into(),
        route: Route::V1,
        action: action.into(),
        resources: resources.iter().map(|&resource| resource.to_owned()).collect(),
        save: vec![],
        call: None,
        asked: None,
        detail: Detail::default(),
    }
}

fn session(id: &str, parent: Option<&str>) -> Session {
    Session {
        id: id.into(),
        parent: parent.map(Into::into),
        title: String::new(),
        directory: "/work/app".into(),
        agent: None,
    }
}

fn grant(patterns: &[(&str, &str)]) -> Grant {
    Grant {
        server: SERVER.into(),
        session: "ses_root".into(),
        includes_children: false,
        patterns: patterns.iter().map(|(a, r)| Saved { action: (*a).into(), resource: (*r).into() }).collect(),
        title: "Run git push".into(),
        given: Moment(100),
        lasts: Lasts::default(),
        used: 0,
    }
}

fn lasting(lasts: Lasts) -> Grant {
    Grant { lasts, ..grant(&[("shell", "git *")]) }
}

#[test]
fn every_resource_must_be_covered() {
    type Patterns = &'static [(&'static str, &'static str)];
    let cases: &[(Patterns, &str, &[&str], bool)] = &[
        (&[("shell", "git *")], "shell", &["git push"], true),
        (&[("shell", "git *")], "shell", &["git"], true),
        (&[("shell", "git *")], "shell", &["git push", "git log"], true),
        (&[("shell", "git *")], "shell", &["git push", "rm -rf x"], false),
        (&[("shell", "git *"), ("shell", "ls *")], "shell", &["git push", "ls -l"], true),
        (&[("shell", "git *")], "edit", &["git push"], false),
        (&[("shell", "git *")], "Shell", &["git push"], false),
        (&[("shell", "GIT *")], "shell", &["git push"], false),
        (&[("*", "git *")], "shell", &["git push"], true),
        // Nobody can say what a request for nothing is about.
        (&[("*", "*")], "shell", &[], false),
        (&[], "shell", &["git push"], false),
        (&[("shell", "")], "shell", &["git push"], false),
        (&[("shell", "")], "shell", &[""], true),
        // A wildcard never stands for another command.
        (&[("shell", "git *")], "shell", &["git status; rm -rf x"], false),
        (&[("shell", "git *")], "shell", &["git status && rm -rf x"], false),
        (&[("shell", "git *")], "shell", &["git status | sh"], false),
        (&[("shell", "git *")], "shell", &["git status & rm x"], false),
        (&[("shell", "git *")], "shell", &["git status\nrm x"], false),
        (&[("shell", "git *")], "shell", &["git log $(rm x)"], false),
        (&[("shell", "git *")], "shell", &["git log `rm x`"], false),
        (&[("shell", "git *")], "shell", &["git log \"$(rm x)\""], false),
        (&[("shell", "git *")], "shell", &["git diff <(rm x)"], false),
        (&[("shell", "git *")], "shell", &["git log 'open"], false),
        (&[("shell", "git ?ush; rm x")], "shell", &["git push; rm x"], false),
        // What is quoted, and what only redirects, is one command.
        (&[("shell", "git *")], "shell", &["git commit -m 'a; b && c'"], true),
        (&[("shell", "git *")], "shell", &["git commit -m \"a | b\" 2>&1"], true),
        (&[("shell", "git *")], "shell", &["git commit -m a\\;b"], true),
        // Exactly this line, or everything: that is what was said.
        (&[("shell", "git status; rm x")], "shell", &["git status; rm x"], true),
        (&[("shell", "*")], "shell", &["git status; rm x"], true),
        // A folder's wildcard never leads out of it.
        (&[("edit", "src/*")], "edit", &["src/a.rs"], true),
        (&[("edit", "src/*")], "edit", &["src/../../etc/passwd"], false),
        (&[("edit", "src/*")], "edit", &["src\\..\\x"], false),
        (&[("read", "../lib/*")], "read", &["../lib/a.rs"], true),
        (&[("read", "../lib/*")], "read", &["../lib/../x"], false),
        (&[("external_directory", "/tmp/x/*")], "external_directory", &["/tmp/x/*"], true),
        (&[("external_directory", "/tmp/x/*")], "external_directory", &["/tmp/x/../*"], false),
        (&[("edit", "*")], "edit", &["src/../x"], true),
        (&[("webfetch", "https://x.y/*")], "webfetch", &["https://x.y/a/../b"], true),
    ];
    let root = session("ses_root", None);
    for (patterns, action, resources, expected) in cases {
        let covers = grant(patterns).covers(&ask("ses_root", action, resources), &[&root]);
        assert_eq!(covers, *expected, "{patterns:?} for {action} {resources:?}");
    }
}

#[derive(serde::Deserialize)]
struct Edit {
    proposed: Vec<String>,
    typed: String,
    taken: bool,
    why: String,
}

/// What people, and those who would like to be taken for them, may make of what was proposed. The window is held
/// against the same table.
fn edits() -> Vec<Edit> {
    serde_json::from_str(include_str!("fixtures/edited-patterns.json")).unwrap()
}

#[test]
fn what_is_typed_is_taken_only_if_it_is_narrower() {
    for Edit { proposed, typed, taken, why } in edits() {
        let mut asked = ask("ses_root", "shell", &["git push origin main"]);
        asked.save.clone_from(&proposed);
        let pattern = |action: &str| Saved { action: action.into(), resource: typed.clone() };
        assert_eq!(is_offered(&asked, &pattern("shell")), taken, "{typed:?} for {proposed:?}: {why}");
        for other in ["*", "edit", "Shell", "shell ", "bash", "s\u{0435}hell"] {
            assert!(!is_offered(&asked, &pattern(other)), "{typed:?} of {other:?}, which is not what was asked for");
        }
    }
}

#[test]
fn nothing_is_offered_where_the_server_proposes_nothing() {
    // Also not what is asked: a command with a star in it would be a pattern.
    let asked = ask("ses_root", "shell", &["rm *"]);
    assert!(!is_offered(&asked, &Saved { action: "shell".into(), resource: "rm *".into() }));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_matches_nothing_that_was_not_proposed(
        proposed in "(\\*|a \\*|a\\*|a/\\*|/\\*|a b|a\\?|a\\\\\\*)",
        typed in "[ab */\\\\?]{0,6}",
        value in "[ab */\\\\]{0,6}",
    ) {
        let mut asked = ask("ses_root", "shell", &["a"]);
        asked.save = vec![proposed.clone()];
        let matches = |pattern: &str| Pattern::new(pattern, Case::Sensitive).matches(&value);
        if is_offered(&asked, &Saved { action: "shell".into(), resource: typed.clone() }) {
            prop_assert!(!matches(&typed) || matches(&proposed), "{typed:?} matches {value:?}, {proposed:?} doesn't");
        }
    }
}

#[test]
fn only_its_session_and_its_sub_agents_if_they_are_included() {
    let (root, child) = (session("ses_root", None), session("ses_child", Some("ses_root")));
    let (grandchild, other) = (session("ses_deep", Some("ses_child")), session("ses_other", None));
    let narrow = grant(&[("shell", "*")]);
    let wide = Grant { includes_children: true, ..narrow.clone() };
    let cases: [(&str, Vec<&Session>, bool, bool); 6] = [
        ("ses_root", vec![&root], true, true),
        // Nothing is known of it yet: it is the session that was named all the same.
        ("ses_root", vec![], true, true),
        ("ses_child", vec![&root, &child], false, true),
        ("ses_deep", vec![&root, &child, &grandchild], false, true),
        ("ses_other", vec![&other], false, false),
        // The chain of another session says nothing.
        ("ses_other", vec![&root, &child], false, false),
    ];
    for (asking, chain, by_narrow, by_wide) in cases {
        let ask = ask(asking, "shell", &["ls"]);
        assert_eq!((narrow.covers(&ask, &chain), wide.covers(&ask, &chain)), (by_narrow, by_wide), "{asking}");
    }
    let mut elsewhere = ask("ses_root", "shell", &["ls"]);
    elsewhere.key.server = "http://127.0.0.1:5000".into();
    assert!(!wide.covers(&elsewhere, &[&root]), "sessions of another server have nothing to do with it");
}

#[test]
fn it_lasts_as_long_as_was_said() {
    let (root, push) = (session("ses_root", None), ask("ses_root", "shell", &["git push"]));
    let mut grants = Grants::default();
    let timed = grants.give(lasting(Lasts { until: Some(Moment(1_000)), ..Lasts::default() })).unwrap();
    assert_eq!(grants.spend(&push, &[&root], Moment(999)), Some(timed));
    assert_eq!(grants.next_sweep(), Some(Moment(1_000)));
    assert_eq!(grants.spend(&push, &[&root], Moment(1_000)), None);
    assert_eq!(grants.get(timed, Moment(1_000)), None);
    assert_eq!(grants.sweep(Moment(999)), []);
    assert_eq!(grants.sweep(Moment(1_000)).len(), 1);
    assert_eq!(serde_json::to_value(&grants).unwrap(), serde_json::json!({ "given": [], "taken": [], "last": 1 }));

    let counted = grants.give(lasting(Lasts { uses: Some(2), ..Lasts::default() })).unwrap();
    assert_eq!(grants.spend(&push, &[&root], Moment(1)), Some(counted));
    grants.unspend(counted);
    assert_eq!(grants.spend(&push, &[&root], Moment(1)), Some(counted));
    assert_eq!(grants.spend(&push, &[&root], Moment(1)), Some(counted));
    assert_eq!(grants.spend(&push, &[&root], Moment(1)), None);
    assert_eq!(grants.live(Moment(1)).count(), 0);
    assert_eq!(grants.sweep(Moment(1))[0].0, counted);

    let run = grants.give(lasting(Lasts { for_run: true, ..Lasts::default() })).unwrap();
    let session_long = grants.give(grant(&[("shell", "git *")])).unwrap();
    grants.run_ended(&SERVER.into(), &"ses_other".into());
    grants.run_ended(&"http://127.0.0.1:1".into(), &"ses_root".into());
    assert!(grants.get(run, Moment(1)).is_some());
    grants.run_ended(&SERVER.into(), &"ses_root".into());
    assert_eq!(grants.get(run, Moment(1)), None);
    assert!(grants.get(session_long, Moment(u64::MAX)).is_some_and(Grant::lasts_as_session));
    grants.session_ended(&SERVER.into(), &SessionId::from("ses_root"));
    assert_eq!(grants.live(Moment(1)).count(), 0);

    grants.give(grant(&[("shell", "git *")])).unwrap();
    grants.server_gone(&ServerId::from("http://127.0.0.1:1"));
    assert_eq!(grants.live(Moment(1)).count(), 1);
    grants.server_gone(&SERVER.into());
    assert_eq!(grants.live(Moment(1)).count(), 0);
}

#[test]
fn counted_uses_are_kept_for_what_nothing_else_covers() {
    let (root, push) = (session("ses_root", None), ask("ses_root", "shell", &["git push"]));
    let mut grants = Grants::default();
    let counted = grants.give(lasting(Lasts { uses: Some(1), ..Lasts::default() })).unwrap();
    let open = grants.give(grant(&[("shell", "git push *")])).unwrap();
    assert_eq!(grants.spend(&push, &[&root], Moment(1)), Some(open));
    assert_eq!(grants.spend(&ask("ses_root", "shell", &["git log"]), &[&root], Moment(1)), Some(counted));
    assert_eq!(grants.spend(&ask("ses_root", "shell", &["git log"]), &[&root], Moment(1)), None);
}

#[test]
fn taking_back_can_be_undone_for_ten_seconds() {
    let (root, push) = (session("ses_root", None), ask("ses_root", "shell", &["git push"]));
    let mut grants = Grants::default();
    let ids: Vec<GrantId> = (0..3).map(|_| grants.give(grant(&[("shell", "git *")])).unwrap()).collect();
    assert!(grants.take_back(ids[1], Moment(50)));
    assert!(!grants.take_back(ids[1], Moment(50)), "it is taken back already");
    assert_eq!(grants.live(Moment(50)).map(|(id, _)| id).collect::<Vec<_>>(), [ids[0], ids[2]]);
    assert_eq!(grants.taken(Moment(50)).map(|taken| taken.id).collect::<Vec<_>>(), [ids[1]]);
    assert!(grants.undo(ids[1], Moment(50 + UNDO - 1)));
    assert_eq!(grants.live(Moment(50)).map(|(id, _)| id).collect::<Vec<_>>(), ids, "in its old place");

    for id in &ids {
        assert!(grants.take_back(*id, Moment(50)));
    }
    assert_eq!(grants.spend(&push, &[&root], Moment(51)), None, "what is taken back covers nothing");
    assert!(!grants.undo(ids[0], Moment(50 + UNDO)), "too late");
    assert!(!grants.undo(ids[0], Moment(49)), "a clock that was put back gives no second chance");
    assert_eq!(grants.next_sweep(), Some(Moment(50 + UNDO)));
    grants.sweep(Moment(50 + UNDO));
    assert!(!grants.undo(ids[0], Moment(51)), "it is forgotten");

    let for_run = grants.give(lasting(Lasts { for_run: true, ..Lasts::default() })).unwrap();
    grants.take_back(for_run, Moment(60));
    grants.run_ended(&SERVER.into(), &"ses_root".into());
    assert!(!grants.undo(for_run, Moment(61)), "its run is over");
    let timed = grants.give(lasting(Lasts { until: Some(Moment(70)), ..Lasts::default() })).unwrap();
    grants.take_back(timed, Moment(65));
    assert!(!grants.undo(timed, Moment(70)), "it would have run out meanwhile");
}

#[test]
fn a_grant_without_patterns_is_none() {
    assert_eq!(Grants::default().give(grant(&[])), None);
}

#[test]
fn they_survive_being_kept() {
    let mut grants = Grants::default();
    grants.give(lasting(Lasts { until: Some(Moment(9)), uses: Some(3), for_run: true }));
    let taken = grants.give(grant(&[("edit", "a\u{202e}*")])).unwrap();
    grants.take_back(taken, Moment(5));
    let kept: Grants = serde_json::from_str(&serde_json::to_string(&grants).unwrap()).unwrap();
    assert_eq!(kept, grants);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever comes in whatever order: a counted grant is never used more often than was said, and one resource that
    /// is not covered is enough for nothing to be.
    #[test]
    fn never_more_than_was_given(
        uses in 0_u32..4,
        steps in prop::collection::vec((0..5_u8, prop::collection::vec("(git push|git log|rm x|git log; rm x|)", 0..3)), 0..30),
    ) {
        let root = session("ses_root", None);
        let mut grants = Grants::default();
        let id = grants.give(lasting(Lasts { uses: Some(uses), until: Some(Moment(20)), for_run: false })).unwrap();
        let mut spent: i64 = 0;
        for (now, (step, resources)) in steps.into_iter().enumerate() {
            let now = Moment(now as u64);
            let resources: Vec<&str> = resources.iter().map(String::as_str).collect();
            match step {
                0 => { grants.take_back(id, now); }
                1 => { grants.undo(id, now); }
                _ => {
                    if grants.spend(&ask("ses_root", "shell", &resources), &[&root], now).is_some() {
                        spent += 1;
                        prop_assert!(!resources.is_empty());
                        prop_assert!(resources.iter().all(|one| matches!(*one, "git push" | "git log")), "{:?}", resources);
                        prop_assert!(now < Moment(20));
                    }
                }
            }
        }
        prop_assert!(spent <= i64::from(uses));
    }
}
