use super::*;
use crate::rules_file::{Broken, Fault};

fn broken(text: &str) -> Broken {
    parse(text.as_bytes()).expect_err(text)
}

#[test]
fn what_is_no_rules_file_gives_no_rules_and_says_why() {
    let cases = [
        ("", "not a JSON object"),
        ("{", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("\u{feff}{\"version\": 1}", "not a JSON object"),
        (r#"{"version": 1} {}"#, "not a JSON object"),
        (r#"{"version": 1, "preset": ["ls *"],}"#, "not a JSON object"),
        (r#"{"version": 1, "preset": [], "preset": ["ls *"]}"#, "the key `preset` is there twice"),
        ("{}", "it has no `version`"),
        (r#"{"preset": ["ls *"]}"#, "it has no `version`"),
        (r#"{"version": 2, "preset": ["ls *"]}"#, "its version is `2`"),
        (r#"{"version": "1", "preset": ["ls *"]}"#, "its version is `\"1\"`"),
        (r#"{"version": null}"#, "its version is `null`"),
        (r#"{"version": 1.5}"#, "its version is `1.5`"),
    ];
    for (text, why) in cases {
        let broken = broken(text);
        assert!(broken.to_string().contains(why), "{text}: {broken}");
        assert_eq!(broken.readable.preset, Vec::<String>::new(), "{text}");
    }
    assert!(matches!(parse(b"{\"version\": 1, \"\xff\": 1}").unwrap_err().faults[..], [Fault::NotText(16)]));
    let large = format!("{{\"version\": 1, \"x\": \"{}\"}}", "x".repeat(8 * 1024 * 1024));
    assert!(matches!(parse(large.as_bytes()).unwrap_err().faults[..], [Fault::TooLarge(_)]));
}

/// One broken part, and nothing in the file allows; what can be read is there to be shown.
#[test]
fn a_partly_broken_file_allows_nothing() {
    let parts = [
        (r#""preset": "ls *""#, "`preset` is not a list of patterns"),
        (r#""preset": {"ls *": true}"#, "`preset` is not a list of patterns"),
        (r#""preset": ["ls *", 5]"#, "`preset` has no text as entry 2"),
        (r#""preset": null"#, "`preset` is not a list"),
        (r#""pending": ["npm test"]"#, "`pending` is not an object of counts"),
        (r#""pending": {"npm test": "2"}"#, "`pending` has no count at `npm test`"),
        (r#""pending": {"npm test": -1}"#, "`pending` has no count"),
        (r#""pending": {"npm test": 1.5}"#, "`pending` has no count"),
        (r#""pending": {"npm test": 1e300}"#, "`pending` has no count"),
        (r#""pending": {"a": 1, "a": 2}"#, "the key `a` is there twice"),
        (r#""gavel": 1"#, "`gavel` is not an object"),
        (r#""gavel": {"human": []}"#, "`gavel` is not an object of counts"),
        (r#""gavel": {"project": 5}"#, "`gavel` is not an object whose `project` is a text"),
    ];
    for (part, why) in parts {
        let text = format!(r#"{{"version": 1, {part}, "learned": [{{"command": "make"}}]}}"#);
        let broken = broken(&text);
        assert!(broken.to_string().contains(why), "{text}: {broken}");
        assert_eq!(broken.readable.learned.len(), 1, "{text}: what is sound is shown");
    }
    let entries = [
        (r#"["make"]"#, "entry 1: it is not an object"),
        (r#"[{"command": "make"}, {"approvals": 3}]"#, "entry 2: there is no `command`"),
        (r#"[{"command": ["make"]}]"#, "entry 1: `command` is not a text"),
        (r#"[{"command": "make", "approvals": "3"}]"#, "entry 1: `approvals` is not a count"),
        (r#"[{"command": "make", "lastSeen": 5}]"#, "entry 1: `lastSeen` is not a text"),
        (r#"{"command": "make"}"#, "`learned` is not a list"),
    ];
    for (learned, why) in entries {
        let text = format!(r#"{{"version": 1, "preset": ["ls *"], "learned": {learned}}}"#);
        let broken = broken(&text);
        assert!(broken.to_string().contains(why), "{text}: {broken}");
        assert_eq!(broken.readable.preset, ["ls *"], "{text}: what is sound is shown");
    }
}

#[test]
fn every_fault_is_told() {
    let broken = broken(r#"{"version": 1, "preset": 1, "learned": [1, 2], "pending": {"a": -1}}"#);
    assert_eq!(broken.faults.len(), 4, "{broken}");
}

#[test]
fn parts_that_are_not_there_are_empty() {
    let content = content(r#"{"version": 1.0}"#);
    assert_eq!(content.lines(), &Default::default());
}

/// Numbers, escapes and nesting that other readers choke on cost nothing where they are not looked at.
#[test]
fn what_is_not_understood_may_be_anything() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for odd in ["1e999", "123456789012345678901234567890", r#""\ud800""#, &deep] {
        let text = format!("{{\n  \"version\": 1,\n  \"odd\": {odd}\n}}\n");
        let content = content(&text);
        assert!(content.render().contains(odd));
    }
}
