//! Every command of the corpus is judged as it should be.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

mod common;

use common::{Case, Kind, corpus, judge_in};
use gavel_core::Recommendation;
use gavel_core::text::Language;
use gavel_judge::offline::Finding;

fn judged() -> Vec<(Case, Finding)> {
    corpus()
        .into_iter()
        .map(|case| {
            let finding = judge_in(&case.command, case.cwd.as_deref());
            (case, finding)
        })
        .collect()
}

fn told(misses: &[(Case, Finding)]) -> String {
    let line = |(case, found): &(Case, Finding)| {
        format!(
            "\n  {}: {:?}\n      expected {:?} {:?}, saying {:?}\n      found    {:?} {:?}: {}",
            case.at, case.command, case.expect, case.class, case.says, found.recommendation, found.class, found.reason
        )
    };
    misses.iter().map(line).collect()
}

fn misses(is_miss: impl Fn(&Case, &Finding) -> bool) -> Vec<(Case, Finding)> {
    judged().into_iter().filter(|(case, finding)| is_miss(case, finding)).collect()
}

#[test]
fn the_corpus_is_large_and_hostile_enough() {
    let cases = corpus();
    assert!(cases.len() >= 400, "{} commands", cases.len());
    let hostile = cases.iter().filter(|case| case.at.starts_with("hostile")).count();
    assert!(hostile >= 120, "{hostile} hostile commands");
    for kind in [Kind::ReadOnly, Kind::Writes, Kind::Network, Kind::OtherCode, Kind::Destructive] {
        assert!(cases.iter().filter(|case| case.class == kind).count() >= 40, "{kind:?}");
    }
    for (index, case) in cases.iter().enumerate() {
        let twin = cases[..index].iter().find(|other| other.command == case.command && other.cwd == case.cwd);
        assert!(twin.is_none(), "{} says the same as {}", case.at, twin.unwrap().at);
    }
}

#[test]
fn nothing_is_allowed_that_must_not_be() {
    let false_allows = misses(|case, finding| {
        finding.recommendation == Recommendation::Allow
            && (case.class != Kind::ReadOnly || case.expect != Recommendation::Allow)
    });
    assert!(false_allows.is_empty(), "{} false allows:{}", false_allows.len(), told(&false_allows));
}

#[test]
fn plain_reading_is_allowed() {
    let plain = |case: &Case| case.expect == Recommendation::Allow;
    let count = corpus().iter().filter(|case| plain(case)).count();
    let asked = misses(|case, finding| plain(case) && finding.recommendation != Recommendation::Allow);
    println!("{} of {count} plain read-only commands are allowed", count - asked.len());
    assert!(asked.len() * 20 <= count, "{} of {count} are not allowed:{}", asked.len(), told(&asked));
}

#[test]
fn catastrophes_are_denied_and_nothing_else() {
    let wrong = misses(|case, finding| {
        (case.expect == Recommendation::Deny) != (finding.recommendation == Recommendation::Deny)
    });
    assert!(wrong.is_empty(), "{} wrong:{}", wrong.len(), told(&wrong));
}

#[test]
fn sentences_say_what_happens() {
    let silent = misses(|case, finding| case.says.as_deref().is_some_and(|words| !finding.reason.contains(words)));
    assert!(silent.is_empty(), "{} sentences lack their words:{}", silent.len(), told(&silent));
}

#[test]
fn classes_are_told_apart() {
    let wrong = misses(|case, finding| !case.class.fits(finding.class));
    assert!(wrong.is_empty(), "{} classes are wrong:{}", wrong.len(), told(&wrong));
}

#[test]
fn every_part_is_marked_on_the_original_text() {
    for (case, finding) in judged() {
        assert!(!finding.reason.is_empty(), "{}", case.at);
        assert!(!gavel_core::display::is_deceptive_text(&finding.reason), "{}: {}", case.at, finding.reason);
        assert!(!finding.reason.contains('\n'), "{}: {}", case.at, finding.reason);
        for segment in &finding.segments {
            let marked = case.command.get(segment.start..segment.end);
            assert!(marked.is_some_and(|text| !text.trim().is_empty()), "{}: {segment:?}", case.at);
            assert!(segment.class <= finding.class, "{}: {segment:?}", case.at);
        }
    }
}

#[test]
fn every_sentence_is_said_in_russian() {
    for (case, finding) in judged() {
        let sentences = finding.segments.iter().map(|segment| segment.why_in(Language::Russian));
        for sentence in sentences.chain([finding.reason_in(Language::Russian)]) {
            let words: String = sentence.split('`').step_by(2).collect();
            let words = ["git", "Go", "Rust", "U+"].iter().fold(words, |words, name| words.replace(name, ""));
            let latin = words.chars().filter(char::is_ascii_lowercase).count();
            assert_eq!(latin, 0, "{}: {sentence}", case.at);
            assert!(!sentence.contains('\n') && !gavel_core::display::is_deceptive_text(&sentence), "{sentence}");
        }
    }
}
