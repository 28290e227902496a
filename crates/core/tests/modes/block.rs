//! Gavel's own block among the rules of others.

use gavel_core::modes::{
    AgentPaths, Mode, Stance, appended_block, merge_own_block, session_rules, upheld_block, without_dead,
};
use gavel_core::rules::{Case, Rule, Rules, evaluate};
use proptest::prelude::*;

use super::support::{rules, text};

#[test]
fn the_own_block_is_replaced_and_nothing_else() {
    // Current, previous, wanted, and what is to be written.
    type Lines = &'static [&'static str];
    let cases: &[(Lines, Lines, Lines, Option<Lines>)] = &[
        (&[], &[], &[], None),
        (&[], &[], &["a 1 ask"], Some(&["a 1 ask"])),
        (&["f 1 deny"], &[], &["a 1 ask"], Some(&["f 1 deny", "a 1 ask"])),
        // Nothing new.
        (&["f 1 deny", "a 1 ask"], &["a 1 ask"], &["a 1 ask"], None),
        (&["f 1 deny", "a 1 ask"], &[], &["a 1 ask"], None),
        // Changed.
        (&["f 1 deny", "a 1 ask"], &["a 1 ask"], &["a 1 deny", "b 1 ask"], Some(&["f 1 deny", "a 1 deny", "b 1 ask"])),
        // Removed.
        (&["f 1 deny", "a 1 ask"], &["a 1 ask"], &[], Some(&["f 1 deny"])),
        (&["a 1 ask"], &["a 1 ask"], &[], Some(&[])),
        // Others have written behind it: it goes to the end again.
        (&["a 1 ask", "f 1 deny"], &["a 1 ask"], &["a 1 ask"], Some(&["f 1 deny", "a 1 ask"])),
        (&["f 1 ask", "a 1 ask", "g 1 deny"], &["a 1 ask"], &["b 1 ask"], Some(&["f 1 ask", "g 1 deny", "b 1 ask"])),
        // Others have written the same as we: only one of the two is ours.
        (&["a 1 ask", "f 1 ask", "a 1 ask"], &["a 1 ask"], &["b 1 ask"], Some(&["a 1 ask", "f 1 ask", "b 1 ask"])),
        (&["a 1 ask", "a 1 ask"], &["a 1 ask"], &["a 1 ask"], None),
        // Others have broken it up: what is left of it is theirs.
        (
            &["a 1 ask", "f 1 ask", "b 1 ask"],
            &["a 1 ask", "b 1 ask"],
            &["a 1 ask", "b 1 ask"],
            Some(&["a 1 ask", "f 1 ask", "b 1 ask", "a 1 ask", "b 1 ask"]),
        ),
        // It was written, and the answer got lost.
        (&["f 1 ask", "a 1 ask", "b 1 ask"], &["b 1 ask"], &["a 1 ask", "b 1 ask"], None),
        (&["f 1 ask", "p 1 ask", "a 1 ask"], &["p 1 ask"], &["a 1 ask"], Some(&["f 1 ask", "a 1 ask"])),
        // The order and the effect count.
        (&["b 1 ask", "a 1 ask"], &["b 1 ask", "a 1 ask"], &["a 1 ask", "b 1 ask"], Some(&["a 1 ask", "b 1 ask"])),
        (&["a 1 ask"], &["a 1 ask"], &["a 1 deny"], Some(&["a 1 deny"])),
    ];
    for (current, previous, wanted, expected) in cases {
        let merged = merge_own_block(&rules(current), &rules(previous), &rules(wanted));
        assert_eq!(
            merged.map(|rules| text(&rules)),
            expected.map(|lines| lines.iter().map(|l| (*l).to_owned()).collect()),
            "{current:?}, {previous:?} -> {wanted:?}"
        );
    }
}

fn block(mode: Mode, plan: bool) -> Vec<Rule> {
    session_rules(Stance { plan, ..mode.into() }, AgentPaths::default(), &[], &[])
}

/// What a 1.x server does with a list that is sent.
fn toggle(list: &mut Vec<Rule>, wanted: &[Rule]) -> bool {
    match appended_block(list, wanted) {
        Some(block) => {
            list.extend(block);
            true
        }
        None => false,
    }
}

#[test]
fn a_list_that_can_only_grow_grows_only_when_it_must() {
    let (supervised, accepting) = (block(Mode::Supervised, false), block(Mode::AutoAcceptEdits, false));
    let mut list = rules(&["question * deny"]);
    assert!(toggle(&mut list, &supervised));
    assert!(!toggle(&mut list, &supervised), "it is there");
    assert!(!toggle(&mut list, &block(Mode::Auto, false)), "auto is the same for the server");
    assert!(toggle(&mut list, &accepting));
    assert!(!toggle(&mut list, &accepting));
    assert!(toggle(&mut list, &supervised), "the last block counts");
    let length = list.len();
    for _ in 0..10 {
        assert!(!toggle(&mut list, &supervised));
    }
    assert_eq!(list.len(), length);
    // Somebody else's rule behind ours changes what holds.
    list.extend(rules(&["bash * allow"]));
    assert!(!toggle(&mut list, &[]), "nothing wanted is nothing to append");
    assert!(toggle(&mut list, &rules(&["bash * ask"])));
    assert!(!toggle(&mut list, &rules(&["bash * ask"])));
}

#[test]
fn what_is_in_force_is_compared_and_not_what_is_written() {
    let cases: &[(&[&str], &[&str], bool)] = &[
        (&["a * ask"], &["a * ask"], false),
        (&["a x ask", "a * ask"], &["a x ask", "a * ask"], false),
        (&["a * ask", "a x allow"], &["a * ask", "a x allow"], false),
        (&["a * ask", "a x allow"], &["a * ask"], true),
        (&["a * allow", "* * deny"], &["* * deny"], false),
        (&["* * deny", "a * allow"], &["* * deny"], true),
        (&["b x ask", "* * allow", "shell * ask"], &["* * allow", "shell * ask"], false),
    ];
    for (current, wanted, grows) in cases {
        assert_eq!(appended_block(&rules(current), &rules(wanted)).is_some(), *grows, "{current:?} + {wanted:?}");
    }
}

#[test]
fn while_the_choice_is_the_same_what_others_appended_counts_as_before() {
    // Current, the block as it was, as it is to be, and what is to be appended.
    type Lines = &'static [&'static str];
    let cases: &[(Lines, Lines, Lines, Option<Lines>)] = &[
        (&["* * allow", "f * deny"], &["* * allow"], &["* * allow"], None),
        (&["* * allow"], &["* * allow"], &["* * allow"], None),
        // What others set before it does not count, and nothing does that is not there.
        (&["f * deny"], &["* * allow"], &["* * allow"], Some(&["* * allow"])),
        (&["f * deny"], &[], &["* * allow"], Some(&["* * allow"])),
        // The last one is the one that was told last.
        (
            &["* * allow", "f * deny", "* * allow", "g * deny"],
            &["* * allow"],
            &["* * allow", "a x ask"],
            Some(&["* * allow", "a x ask", "g * deny"]),
        ),
        (&["* * allow", "* * deny"], &["* * allow"], &["* * allow", "a x ask"], None),
    ];
    for (current, previous, wanted, expected) in cases {
        let upheld = upheld_block(&rules(current), &rules(previous), &rules(wanted));
        assert_eq!(
            upheld.map(|rules| text(&rules)),
            expected.map(|lines| lines.iter().map(|l| (*l).to_owned()).collect()),
            "{current:?}, {previous:?} -> {wanted:?}"
        );
    }
}

fn some_rules() -> impl Strategy<Value = Vec<Rule>> {
    let one = ("(\\*|a|b|a\\*)", "(\\*|x|x \\*|x\\*|xy|\\?|/x/\\*|/x\\*)", "(allow|ask|deny)");
    prop::collection::vec(one.prop_map(|(a, r, e)| super::support::rule(&format!("{a} {r} {e}"))), 0..7)
}

const VALUES: [&str; 8] = ["x", "x y", "xy", "y", "/x/y", "/x", "*", ""];

fn decisions(session: Vec<Rule>) -> Vec<String> {
    let rules = Rules { agent: Some(vec![]), session, ..Rules::default() };
    let all = ["a", "b", "ab", "read"].into_iter().flat_map(|action| VALUES.map(|value| (action, value)));
    all.map(|(action, value)| format!("{:?}", evaluate(&rules, action, &[value.into()], Case::Sensitive).effect))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dropping_dead_rules_changes_no_decision(list in some_rules()) {
        prop_assert_eq!(decisions(without_dead(&list)), decisions(list));
    }

    #[test]
    fn after_appending_the_wanted_rules_hold(current in some_rules(), wanted in some_rules()) {
        let mut list = current.clone();
        let grew = toggle(&mut list, &wanted);
        prop_assert_eq!(decisions(list.clone()), decisions([current, wanted.clone()].concat()));
        if grew {
            prop_assert!(!toggle(&mut list, &wanted), "once is enough: {:?}", list);
        }
    }

    #[test]
    fn foreign_rules_stay_in_their_order(foreign in some_rules(), previous in some_rules(), wanted in some_rules()) {
        let mut current = foreign.clone();
        current.extend(previous.clone());
        let merged = merge_own_block(&current, &previous, &wanted).unwrap_or(current);
        // Where the end of the list is by chance what is wanted, it is taken for ours.
        if !foreign.ends_with(&wanted) && previous != wanted && !wanted.ends_with(&previous) {
            prop_assert_eq!(&merged[..foreign.len().min(merged.len())], &foreign[..]);
        }
        prop_assert!(merged.ends_with(&wanted));
        prop_assert_eq!(merge_own_block(&merged, &wanted, &wanted), None, "a second time there is nothing to write");
    }
}
