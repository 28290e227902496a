//! When a pattern certainly matches whatever another does.

use gavel_core::modes::covers;
use gavel_core::rules::{Case, Pattern};
use proptest::prelude::*;

#[test]
fn what_is_known_to_cover() {
    let yes = [
        ("*", "anything"),
        ("*", "*"),
        ("**", "* x"),
        ("", ""),
        ("a", "a"),
        ("a?", "a?"),
        ("git *", "git *"),
        ("git *", "git push *"),
        ("git *", "git"),
        ("git*", "git *"),
        ("/tmp/*", "/tmp/x/*"),
        ("\\tmp\\*", "/tmp/x/*"),
        ("*.md", "docs/*.md"),
    ];
    let no = [
        ("", "*"),
        ("a", "*"),
        ("git push *", "git *"),
        ("/tmp/x/*", "/tmp/*"),
        // It would match `ab`, but the other matches `abc` too.
        ("a?", "a*"),
        // `git **` needs the space, `git *` doesn't.
        ("git **", "git *"),
        // One is compared with the resolved path, the other with the text.
        ("*/x/*", "/a/x/*"),
    ];
    for (wide, narrow) in yes {
        assert!(covers(wide, narrow), "{wide:?} covers {narrow:?}");
    }
    for (wide, narrow) in no {
        assert!(!covers(wide, narrow), "{wide:?} does not cover {narrow:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_narrow_one_matches_the_wide_one_does(
        wide in "[ab */?]{0,6}", narrow in "[ab */?]{0,6}", value in "[ab /*]{0,7}"
    ) {
        let matches = |pattern: &str| Pattern::new(pattern, Case::Sensitive).matches(&value);
        if covers(&wide, &narrow) && matches(&narrow) {
            prop_assert!(matches(&wide), "{:?} was to cover {:?}, but for {:?}", wide, narrow, value);
        }
    }
}
