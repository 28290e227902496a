use super::*;
use crate::Moment;
use crate::rules_file::{By, Change};

fn approve(command: &str, learn_after: u64) -> Change {
    Change::Approve { line: line(command), by: By::Human, learn_after, destructive: false, at: Moment(0) }
}

#[test]
fn a_new_file_reads_as_the_plugin_writes_it() {
    let mut content = Content::new("/home/ada/shop");
    content.set_mark("/home/ada/shop", "m1".into());
    content.apply(&approve("make \"x\"", 3));
    content.apply(&approve("make y", 1));
    let text = content.render();
    let expected = r#"  "learned": [
    {
      "command": "make y",
      "approvals": 1,
      "lastSeen": "1970-01-01T00:00:00.000Z"
    }
  ],
  "pending": {
    "make \"x\"": 1
  },
  "gavel": {
    "project": "/home/ada/shop",
    "write": "m1",
    "human": {
      "make y": 1,
      "make \"x\"": 1
    }
  }
}
"#;
    assert!(text.starts_with("{\n  \"version\": 1,\n  \"preset\": [\n    \"pwd *\",\n"), "{text}");
    assert!(text.ends_with(expected), "{text}");
    let again = parse(text.as_bytes()).unwrap();
    assert_eq!((again.render(), again.project(), again.mark()), (text, Some("/home/ada/shop"), Some("m1")));
}

#[test]
fn what_did_not_change_stays_byte_for_byte_and_in_place() {
    let text = r#"{"note":  {"b": 1e2, "a":[1,2]}, "learned": [ {"by":"plugin", "command":"a","weight":1.50}, {"command": "b",
        "approvals": 1.0} ],"version":1,   "preset": ["ls *"  , "\u0070wd *"],
  "later": "x\u00e9"}"#;
    let mut content = content(text);
    content.apply(&approve("b", 3));
    content.apply(&approve("c", 3));
    let written = content.render();
    for kept in [
        r#"  "note": {"b": 1e2, "a":[1,2]},"#,
        r#"  "preset": ["ls *"  , "\u0070wd *"],"#,
        r#"  "later": "x\u00e9","#,
        "\"by\": \"plugin\",\n      \"command\": \"a\",\n      \"weight\": 1.50",
        "\"command\": \"b\",\n      \"approvals\": 2,\n      \"lastSeen\"",
    ] {
        assert!(written.contains(kept), "{kept}\n{written}");
    }
    let keys: Vec<usize> = ["note", "learned", "version", "preset", "later", "pending", "gavel"]
        .map(|key| written.find(&format!("  \"{key}\": ")).unwrap())
        .to_vec();
    assert!(keys.is_sorted(), "{written}");
    // Written once more, it doesn't drift.
    assert_eq!(parse(written.as_bytes()).unwrap().render(), written);
}

#[test]
fn learned_entries_stay_as_they_were_written_if_none_changed() {
    let mut content = content(PLUGINS);
    content.apply(&approve("x", 3));
    let written = content.render();
    assert!(written.contains(r#""learned": [{"command": "npm run typecheck", "approvals": 3, "#), "{written}");
    assert!(written.contains(r#""preset": ["pwd *", "ls *", "git status *"],"#), "{written}");
}

#[test]
fn what_later_versions_keep_for_themselves_is_kept() {
    let mut content = content(r#"{"version": 1, "gavel": {"write": "m1", "later": {"x":1}}}"#);
    assert_eq!(content.mark(), Some("m1"));
    content.set_mark("/p", "m2".into());
    let written = content.render();
    assert!(written.contains("\"project\": \"/p\",\n    \"write\": \"m2\",\n    \"later\": {\"x\":1}\n"), "{written}");
}

#[test]
fn the_humans_share_never_exceeds_the_count() {
    let text = r#"{"version": 1, "pending": {"a": 1}, "learned": [{"command": "b", "approvals": 2}],
        "gavel": {"human": {"a": 5, "b": 1, "gone": 7}}}"#;
    let content = content(text);
    assert_eq!((content.lines().pending[0].by_human, content.lines().learned[0].by_human), (1, 1));
    assert!(!content.render().contains("gone"));
}
