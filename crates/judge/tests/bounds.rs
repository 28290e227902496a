//! No text takes long, and none that is too much is allowed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

mod common;

use std::time::{Duration, Instant};

use common::{judge, tangled};
use gavel_core::Recommendation;
use gavel_judge::offline::MOST_BYTES;

/// For a build without optimisation on a busy machine; with it, each takes less than a tenth of a second.
const DEADLINE: Duration = Duration::from_secs(5);

#[test]
fn tangled_texts_are_asked_about_in_time() {
    for (name, text) in tangled() {
        let start = Instant::now();
        let finding = judge(&text);
        let took = start.elapsed();
        assert_eq!(finding.recommendation, Recommendation::Ask, "{name}: {}", finding.reason);
        assert!(took < DEADLINE, "{name} took {took:?}");
        assert!(finding.reason.len() < 2_000, "{name}: {} bytes", finding.reason.len());
    }
}

#[test]
fn the_longest_text_is_looked_at_and_a_longer_one_is_not() {
    let quoted = |length: usize| format!("echo '{}'", "a".repeat(length - 7));
    assert_eq!(judge(&quoted(MOST_BYTES)).recommendation, Recommendation::Allow);
    let longer = judge(&quoted(MOST_BYTES + 1));
    assert_eq!(longer.recommendation, Recommendation::Ask);
    assert!(longer.reason.contains("longer than can be looked at"), "{}", longer.reason);
}

#[test]
fn what_is_nested_too_deeply_is_asked_about() {
    let mut text = "ls".to_owned();
    for _ in 0..10 {
        text = format!("eval {}", shell_quoted(&text));
    }
    assert_eq!(judge(&text).recommendation, Recommendation::Ask);
    let deep = format!("{}ls{}", "{ ".repeat(300), "; }".repeat(300));
    assert_eq!(judge(&deep).recommendation, Recommendation::Ask);
    let many = "ls;".repeat(1_000);
    assert_eq!(judge(&many).recommendation, Recommendation::Ask);
    assert_eq!(judge(&"ls;".repeat(100)).recommendation, Recommendation::Allow);
}

#[test]
fn a_long_here_document_hides_nothing_behind_it() {
    let body = "if (a[0] && b) { c(); }\n".repeat(400);
    let text = format!("cat > src/a.js <<'EOF'\n{body}EOF\nrm -rf build");
    let finding = judge(&text);
    assert_eq!(finding.recommendation, Recommendation::Ask);
    assert!(finding.reason.contains("deletes `build`"), "{}", finding.reason);
    assert!(finding.reason.contains("writes over `src/a.js`"), "{}", finding.reason);
}

fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
