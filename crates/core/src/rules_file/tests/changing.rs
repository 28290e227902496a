use super::*;
use crate::Moment;
use crate::rules_file::{By, Change};

const AT: Moment = Moment(1_787_745_600_000);

fn approve(command: &str, by: By) -> Change {
    Change::Approve { line: line(command), by, learn_after: 3, destructive: false, at: AT }
}

fn refuse(command: &str, by: By) -> Change {
    Change::Refuse { line: line(command), by }
}

fn all(content: &mut Content, changes: &[Change]) {
    for change in changes {
        content.apply(change);
    }
}

#[test]
fn three_approvals_in_a_row_make_a_command_learned() {
    let mut content = Content::new("/p");
    assert!(content.apply(&approve("npm   test", By::Judge)));
    assert!(content.apply(&approve("npm test", By::Human)));
    assert_eq!((pending(&content), learned(&content)), (vec![("npm test", 2)], vec![]));
    assert_eq!(content.lines().pending[0].by_human, 1);
    assert!(content.apply(&approve("npm test", By::Judge)));
    assert_eq!((pending(&content), learned(&content)), (vec![], vec!["npm test"]));
    let known = &content.lines().learned[0];
    assert_eq!((known.approvals, known.by_human), (3, 1));
    assert_eq!(known.last_seen.as_deref(), Some("2026-08-26T12:00:00.000Z"));
    assert!(content.matches(&line("npm test"), || false).is_some());
    assert!(content.apply(&approve("npm test", By::Human)));
    assert_eq!((content.lines().learned[0].approvals, content.lines().learned[0].by_human), (4, 2));
}

#[test]
fn a_refusal_counts_from_the_beginning_and_is_not_remembered() {
    for by in [By::Judge, By::Human] {
        let mut content = Content::new("/p");
        let untouched = content.clone();
        assert!(!content.apply(&refuse("npm test", by)));
        all(&mut content, &[approve("npm test", By::Judge), approve("npm test", By::Judge)]);
        assert!(content.apply(&refuse("npm  test", by)));
        assert_eq!(content, untouched);
        all(&mut content, &[approve("npm test", By::Judge), approve("npm test", By::Judge)]);
        assert_eq!((pending(&content), learned(&content)), (vec![("npm test", 2)], vec![]));
    }
}

#[test]
fn only_the_human_takes_back_what_is_learned() {
    let mut content = content(PLUGINS);
    assert!(!content.apply(&refuse("npm run typecheck", By::Judge)));
    assert!(content.apply(&refuse("npm run typecheck", By::Human)));
    assert_eq!(learned(&content), Vec::<&str>::new());
}

#[test]
fn what_must_not_be_learned_is_not_even_counted() {
    let mut content = Content::new("/p");
    let untouched = content.clone();
    for _ in 0..5 {
        let line = line("rm -r build");
        let Change::Approve { by, at, .. } = approve("x", By::Human) else { unreachable!() };
        assert!(!content.apply(&Change::Approve { line: line.clone(), by, learn_after: 3, destructive: true, at }));
        assert!(!content.apply(&Change::Approve { line, by, learn_after: 0, destructive: false, at }));
    }
    assert_eq!(content, untouched);
}

#[test]
fn a_count_that_others_kept_goes_on() {
    let mut content = content(PLUGINS);
    content.apply(&approve("npm test", By::Human));
    assert_eq!((pending(&content), learned(&content)), (vec![], vec!["npm run typecheck", "npm test"]));
}

#[test]
fn when_a_command_was_seen_never_goes_back() {
    let mut content = content(PLUGINS);
    let seen = |at| Change::Seen { line: line("npm run typecheck"), at: Moment(at) };
    assert!(!content.apply(&seen(5)));
    assert!(content.apply(&seen(AT.0 + 1)));
    assert_eq!(content.lines().learned[0].last_seen.as_deref(), Some("2026-08-26T12:00:00.001Z"));
    assert!(!content.apply(&Change::Seen { line: line("other"), at: AT }));
}

#[test]
fn the_user_edits_lines() {
    let preset = |from: &str, to: &str| Change::EditPreset { from: from.into(), to: to.into() };
    let learned_line = |from: &str, to: &str| Change::EditLearned { from: from.into(), to: line(to), at: AT };
    let cases = [
        (Change::AddPreset("cargo tree *".into()), true, ["pwd *|ls *|git status *|cargo tree *", "npm run typecheck"]),
        (Change::AddPreset("ls *".into()), false, ["pwd *|ls *|git status *", "npm run typecheck"]),
        (Change::AddPreset(" ".into()), false, ["pwd *|ls *|git status *", "npm run typecheck"]),
        (Change::RemovePreset("ls *".into()), true, ["pwd *|git status *", "npm run typecheck"]),
        (Change::RemovePreset("none".into()), false, ["pwd *|ls *|git status *", "npm run typecheck"]),
        (preset("ls *", "ls src"), true, ["pwd *|ls src|git status *", "npm run typecheck"]),
        (preset("ls *", "pwd *"), true, ["pwd *|git status *", "npm run typecheck"]),
        (preset("none", "new"), false, ["pwd *|ls *|git status *", "npm run typecheck"]),
        (
            Change::AddLearned { line: line("make  x"), at: AT },
            true,
            ["pwd *|ls *|git status *", "npm run typecheck|make x"],
        ),
        (
            Change::AddLearned { line: line("npm run typecheck"), at: AT },
            false,
            ["pwd *|ls *|git status *", "npm run typecheck"],
        ),
        (Change::RemoveLearned("npm run typecheck".into()), true, ["pwd *|ls *|git status *", ""]),
        (learned_line("npm run typecheck", "make"), true, ["pwd *|ls *|git status *", "make"]),
        (learned_line("none", "make"), false, ["pwd *|ls *|git status *", "npm run typecheck"]),
    ];
    for (change, changed, [preset, commands]) in cases {
        let mut content = content(PLUGINS);
        assert_eq!(content.apply(&change), changed, "{change:?}");
        assert_eq!(content.lines().preset.join("|"), preset, "{change:?}");
        assert_eq!(learned(&content).join("|"), commands, "{change:?}");
        assert_eq!(pending(&content), [("npm test", 2)], "{change:?}");
    }
    let mut content = content(PLUGINS);
    assert!(content.apply(&Change::ResetPending("npm test".into())));
    assert!(!content.apply(&Change::ResetPending("npm test".into())));
    assert_eq!(pending(&content), []);
}

#[test]
fn what_was_counted_for_an_edited_line_does_not_count_for_the_new_one() {
    let mut content = content(PLUGINS);
    content.apply(&Change::EditLearned { from: "npm run typecheck".into(), to: line("npm test"), at: AT });
    assert_eq!((content.lines().learned[0].approvals, pending(&content)), (0, vec![]));
}

#[test]
fn waiting_commands_are_bounded() {
    let mut content = Content::new("/p");
    for number in 0..1001 {
        content.apply(&approve(&format!("make {number}"), By::Judge));
    }
    assert_eq!(content.lines().pending.len(), 1000);
    assert_eq!(pending(&content)[0], ("make 1", 1));
}
