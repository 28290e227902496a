use super::*;
use crate::Moment;
use crate::rules_file::{By, Change, Restore, never_counts};

const LINES: &str = r#"{
  "version": 1,
  "preset": ["pwd *", "ls *", "ls *", "git status *"],
  "learned": [{"command": "make", "approvals": 3, "by": "x"}, {"command": "make x", "approvals": 4}],
  "later": {"a": 1},
  "pending": {"npm test": 2, "npm run x": 1}
}
"#;

fn made(content: &mut Content, change: Change) -> Restore {
    let restore = content.taking_back(&change).unwrap();
    assert!(content.apply(&change), "{change:?}");
    restore
}

#[test]
fn whatever_the_user_changes_can_be_taken_back_to_the_letter() {
    let at = Moment(0);
    let cases = [
        Change::RemovePreset("pwd *".into()),
        Change::RemovePreset("ls *".into()),
        Change::RemovePreset("git status *".into()),
        Change::EditPreset { from: "pwd *".into(), to: "pwd".into() },
        Change::EditPreset { from: "pwd *".into(), to: "git status *".into() },
        Change::AddPreset("tree *".into()),
        Change::RemoveLearned("make".into()),
        Change::RemoveLearned("make x".into()),
        Change::EditLearned { from: "make".into(), to: line("make all"), at },
        Change::AddLearned { line: line("npm test"), at },
        Change::AddLearned { line: line("npm run y"), at },
        Change::ResetPending("npm test".into()),
        Change::ResetPending("npm run x".into()),
    ];
    for change in cases {
        let before = content(LINES);
        let mut now = before.clone();
        let restore = made(&mut now, change.clone());
        assert_ne!(now, before, "{change:?}");
        assert!(now.apply(&Change::Restore(Box::new(restore.clone()))), "{change:?}");
        assert_eq!(now, before, "{change:?}");
        assert!(!now.apply(&Change::Restore(Box::new(restore))), "{change:?}: twice is once");
    }
    assert_eq!(content(LINES).taking_back(&Change::RemovePreset("none".into())), None);
}

#[test]
fn a_line_comes_back_behind_the_one_it_stood_behind_whatever_others_did_meanwhile() {
    let mut now = content(LINES);
    let restore = made(&mut now, Change::RemoveLearned("make x".into()));
    now.apply(&Change::AddLearned { line: line("first"), at: Moment(0) });
    now.apply(&Change::Restore(Box::new(restore)));
    assert_eq!(learned(&now), ["make", "make x", "first"]);
    assert_eq!(now.lines().learned[1].approvals, 4);

    let mut now = content(LINES);
    let restore = made(&mut now, Change::RemovePreset("git status *".into()));
    now.apply(&Change::RemovePreset("ls *".into()));
    now.apply(&Change::Restore(Box::new(restore)));
    assert_eq!(now.lines().preset, ["pwd *", "git status *"]);
}

#[test]
fn what_somebody_else_did_meanwhile_is_not_taken_back() {
    let mut now = content(LINES);
    let restore = made(&mut now, Change::ResetPending("npm test".into()));
    now.apply(&Change::AddLearned { line: line("npm test"), at: Moment(0) });
    assert!(!now.apply(&Change::Restore(Box::new(restore))), "it is learned by now");
    assert_eq!(pending(&now), [("npm run x", 1)]);

    let mut now = content(LINES);
    let restore = made(&mut now, Change::RemoveLearned("make".into()));
    let approve =
        Change::Approve { line: line("make"), by: By::Judge, learn_after: 3, destructive: false, at: Moment(0) };
    now.apply(&approve);
    now.apply(&Change::Restore(Box::new(restore)));
    assert_eq!((learned(&now), pending(&now)), (vec!["make", "make x"], vec![("npm test", 2), ("npm run x", 1)]));
}

#[test]
fn patterns_that_never_count_are_known_by_their_letters() {
    let cases = [
        ("*", None),
        ("ls *", None),
        ("ls src/*.rs", None),
        ("/bin/ls *", None),
        ("ls *; rm *", Some("it has the character `;`")),
        ("echo \"*\"", Some("it has the character `\\\"`")),
        ("ls\t*", Some("it has the character `\\t`")),
        ("cat /etc/*", Some("`/etc/*` is an absolute path")),
        ("cat \\etc", Some("`/etc` is an absolute path")),
        ("cat */etc", None),
        ("cat ../*", Some("`../*` may lead out of the project")),
        ("cat a..b", Some("`a..b` may lead out of the project")),
        ("find * -delete", Some("`-delete` does more than read")),
        ("find * -exec=*", Some("`-exec=*` does more than read")),
        ("find * -exec*", None),
        ("find * -exec *", Some("`-exec` does more than read")),
    ];
    for (pattern, why) in cases {
        assert_eq!(never_counts(pattern).map(|held| held.said().to_string()).as_deref(), why, "{pattern}");
    }
}

#[test]
fn a_pattern_that_never_counts_covers_nothing_that_passes() {
    let commands = ["ls", "ls src", "find . -name x", "cat a", "find x -execa", "cat a/etc", "git status"];
    for pattern in ["cat /etc/*", "ls *;*", "find * -delete", "cat *..*", "* /x", "find * -exec *"] {
        assert!(never_counts(pattern).is_some() || pattern == "cat *..*", "{pattern}");
        let text = format!(r#"{{"version": 1, "preset": [{}]}}"#, serde_json::Value::from(pattern));
        for command in commands {
            assert_eq!(content(&text).matches(&line(command), || true), None, "{pattern}: {command}");
        }
    }
}
