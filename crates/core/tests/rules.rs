//! The matcher and the evaluator against what a real server was seen to do.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use gavel_core::rules::{Case, Effect, Origin, Pattern, Rule, Rules, Saved, evaluate};
use proptest::prelude::*;
use serde::Deserialize;

fn matches(pattern: &str, value: &str) -> bool {
    Pattern::new(pattern, Case::Sensitive).matches(value)
}

#[test]
fn every_recorded_match() {
    #[derive(Deserialize)]
    struct Cases {
        cases: Vec<One>,
    }
    #[derive(Deserialize)]
    struct One {
        pattern: String,
        value: String,
        expected: bool,
    }
    let Cases { cases } = serde_json::from_str(include_str!("fixtures/wildcard-cases.json")).unwrap();
    assert_eq!(cases.len(), 66);
    for One { pattern, value, expected } in cases {
        assert_eq!(matches(&pattern, &value), expected, "{pattern:?} against {value:?}");
    }
}

#[test]
fn every_recorded_decision() {
    #[derive(Deserialize)]
    struct Cases {
        cases: Vec<One>,
    }
    #[derive(Deserialize)]
    struct One {
        name: String,
        #[serde(flatten)]
        rules: Rules,
        request: Request,
        expected: Effect,
    }
    #[derive(Deserialize)]
    struct Request {
        action: String,
        resources: Vec<String>,
    }
    let Cases { cases } = serde_json::from_str(include_str!("fixtures/evaluate-cases.json")).unwrap();
    assert_eq!(cases.len(), 36);
    for One { name, rules, request, expected } in cases {
        let ruling = evaluate(&rules, &request.action, &request.resources, Case::Sensitive);
        assert_eq!(ruling.effect, expected, "{name}: {ruling:?}");
        assert_eq!(ruling.decided.len(), request.resources.len());
    }
}

#[test]
fn the_rule_that_decides_is_named() {
    let rule = |action: &str, resource: &str, effect| Rule { action: action.into(), resource: resource.into(), effect };
    let rules = Rules {
        agent: Some(vec![rule("*", "*", Effect::Allow), rule("shell", "rm *", Effect::Deny)]),
        session: vec![rule("shell", "git *", Effect::Ask)],
        saved: vec![Saved { action: "shell".into(), resource: "git log *".into() }],
        directory: None,
    };
    let cases = [
        ("ls", Effect::Allow, Origin::Agent(0)),
        ("rm -rf x", Effect::Deny, Origin::Agent(1)),
        ("git push", Effect::Ask, Origin::Session(0)),
        ("git log", Effect::Allow, Origin::Saved(0)),
    ];
    for (command, effect, by) in cases {
        let ruling = evaluate(&rules, "shell", &[command.into()], Case::Sensitive);
        assert_eq!((ruling.effect, ruling.decided[0].by), (effect, by), "{command}");
    }
    let nothing =
        evaluate(&Rules { agent: Some(vec![]), ..Rules::default() }, "shell", &["ls".into()], Case::Sensitive);
    assert_eq!(nothing.decided[0].by, Origin::Nothing);
    assert_eq!(evaluate(&Rules::default(), "read", &["a".into()], Case::Sensitive).decided[0].by, Origin::NoAgent);
}

#[test]
fn case_counts_unless_it_is_folded() {
    assert!(!matches("RM *", "rm -rf x"));
    assert!(Pattern::new("RM *", Case::Folded).matches("rm -rf x"));
}

#[test]
fn a_hostile_pattern_takes_no_longer_than_others() {
    // The naive way takes longer than anybody lives; a test that ends has passed.
    let value = "a".repeat(200_000);
    assert!(!matches(&format!("{}b", "*a".repeat(2_000)), &value));
    assert!(!matches(&format!("*{}b*", "a".repeat(2_000)), &value));
    assert!(!matches(&format!("*{}b*", "a?".repeat(1_000)), &value));
    assert!(matches(&format!("{}*", "*a".repeat(2_000)), &value));
}

/// The definition, word for word, without a thought of speed.
fn reference(pattern: &str, value: &str) -> bool {
    fn whole(pattern: &[u16], value: &[u16]) -> bool {
        match (pattern.split_first(), value.split_first()) {
            (None, None) => true,
            (Some((42, rest)), _) => (0..=value.len()).any(|skip| whole(rest, &value[skip..])),
            (Some((63, rest)), Some((_, left))) => whole(rest, left),
            (Some((unit, rest)), Some((found, left))) if unit == found => whole(rest, left),
            _ => false,
        }
    }
    let units = |text: &str| -> Vec<u16> { text.replace('\\', "/").encode_utf16().collect() };
    let (pattern, value) = (units(pattern), units(value));
    let bare = pattern.strip_suffix(&[32, 42]);
    whole(&pattern, &value) || bare.is_some_and(|bare| whole(bare, &value))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_matcher_is_what_the_definition_says(pattern in "[ab */?\\\\é😀\n]{0,9}", value in "[ab /\\\\é😀\n*?]{0,9}") {
        prop_assert_eq!(matches(&pattern, &value), reference(&pattern, &value));
    }
}
