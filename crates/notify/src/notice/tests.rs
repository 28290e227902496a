use proptest::prelude::*;

use super::*;

fn key() -> RequestKey {
    RequestKey::new("http://127.0.0.1:4096", "per_1")
}

fn of(text: &str) -> Notice {
    compose(key(), &Draft { headline: "Run it", project: "shop", text, approvable: true, ..Draft::default() })
}

const ALL: [Button; 3] = [Button::Approve, Button::Decline, Button::Review];
const UNREAD: [Button; 2] = [Button::Decline, Button::Review];

#[test]
fn what_is_asked_is_shown_as_it_is() {
    for (text, body) in [
        ("npm test", "npm test"),
        ("", ""),
        ("a\nb\tc", "a\nb\tc"),
        ("rm -rf ./\u{202E}gpj.exe", "rm -rf ./⟨U+202E⟩gpj.exe"),
        ("ls\u{200B}\u{FEFF} -l", "ls⟨U+200B⟩⟨U+FEFF⟩ -l"),
        ("echo \u{1B}[8mhidden\u{1B}[0m", "echo ⟨U+001B⟩[8mhidden⟨U+001B⟩[0m"),
        ("echo a\rrm b", "echo a⟨U+000D⟩rm b"),
        ("printf '\0'", "printf '⟨U+0000⟩'"),
        ("<b>bold</b> & a<b && c", "<b>bold</b> & a<b && c"),
        ("&lt;b&gt;", "&lt;b&gt;"),
        ("echo 🦀 👩‍💻", "echo 🦀 👩⟨U+200D⟩💻"),
        ("заказ: ёж", "заказ: ёж"),
        ("line\n… 5 more characters: open Gavel to read all", "line\n… 5 more characters: open Gavel to read all"),
    ] {
        let notice = of(text);
        assert_eq!(notice.body, body, "{text:?}");
        assert_eq!(notice.buttons, ALL, "{text:?}");
    }
}

#[test]
fn what_does_not_fit_is_counted_and_can_not_be_approved() {
    let megabyte = "x".repeat(1 << 20);
    let edge = "y".repeat(TEXT_LIMIT);
    let over = format!("{edge}z");
    let lines = (0..7).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n");
    let crabs = "🦀".repeat(TEXT_LIMIT + 1000);
    let spelled = "\u{202E}".repeat(TEXT_LIMIT / 8 + 1);
    for (text, missing) in [
        (megabyte.as_str(), "… 1,048,296 more characters: open Gavel to read all"),
        (over.as_str(), "… 1 more characters: open Gavel to read all"),
        (lines.as_str(), "… 7 more characters: open Gavel to read all"),
        (crabs.as_str(), "… 1,000 more characters: open Gavel to read all"),
        (spelled.as_str(), "… 8 more characters: open Gavel to read all"),
    ] {
        let notice = of(text);
        assert_eq!(notice.body.lines().last(), Some(missing));
        assert_eq!(notice.buttons, UNREAD);
        assert_eq!(notice.label(Button::Review), "Review…");
    }
    assert_eq!(of(&edge).buttons, ALL);
    assert_eq!(of(&edge).label(Button::Review), "Open");
    let six = lines.rsplit_once('\n').unwrap().0;
    assert_eq!((of(six).body.as_str(), of(six).buttons.len()), (six, 3));
}

#[test]
fn facts_are_part_of_what_is_approved_and_remarks_are_not() {
    let long = ["w".repeat(LINE_LIMIT + 1)];
    let cut = format!("{}…", "w".repeat(LINE_LIMIT));
    let short = ["in /srv/shop\u{202E}".to_owned(), "two\nlines".to_owned()];
    let draft = Draft { headline: "Run ls", text: "ls", approvable: true, ..Draft::default() };
    for (draft, body, buttons) in [
        (Draft { facts: &short, ..draft }, "in /srv/shop⟨U+202E⟩\ntwo⏎lines\nls".to_owned(), &ALL[..]),
        (Draft { facts: &long, ..draft }, format!("{cut}\nls"), &UNREAD),
        (Draft { remarks: &long, ..draft }, format!("{cut}\nls"), &ALL),
        (
            Draft { remarks: &short[1..], facts: &short[..1], ..draft },
            "two⏎lines\nin /srv/shop⟨U+202E⟩\nls".into(),
            &ALL,
        ),
        (Draft { approvable: false, ..draft }, "ls".into(), &UNREAD),
        (Draft { headline: &long[0], ..draft }, "ls".into(), &ALL),
        (Draft { headline: &long[0], text: "", ..draft }, String::new(), &UNREAD),
    ] {
        let notice = compose(key(), &draft);
        assert_eq!((notice.body, notice.buttons.as_slice()), (body, buttons), "{draft:?}");
    }
}

#[test]
fn a_session_is_allowed_only_what_is_named() {
    const SESSION: [Button; 4] = [Button::Approve, Button::AllowSession, Button::Decline, Button::Review];
    let of = |patterns: &[&str]| patterns.iter().map(|&pattern| pattern.to_owned()).collect::<Vec<_>>();
    let room = LINE_LIMIT - "Allow this session: also ``".chars().count();
    let (fits, over) = ("я".repeat(room), "я".repeat(room + 1));
    let named = |patterns: &str| format!("Allow this session: also {patterns}\nls");
    for (patterns, body, buttons) in [
        (of(&[]), "ls".to_owned(), &ALL[..]),
        (of(&["git push *"]), named("`git push *`"), &SESSION),
        (of(&["git push *", "npm test"]), named("`git push *`, `npm test`"), &SESSION),
        // One that ends in a space can be told from one that doesn't, and one with a comma from two.
        (of(&["a ", "b`, `c"]), "ls".into(), &ALL),
        (of(&["a "]), named("`a `"), &SESSION),
        (of(&["a, b"]), named("`a, b`"), &SESSION),
        (of(&["a", "b\nc"]), "ls".into(), &ALL),
        (of(&["a\tb"]), "ls".into(), &ALL),
        (of(&["a\u{202E}*"]), "ls".into(), &ALL),
        (of(&["a\u{A0}*"]), "ls".into(), &ALL),
        (of(&[&fits]), named(&format!("`{fits}`")), &SESSION),
        (of(&[&over]), "ls".into(), &ALL),
    ] {
        let draft = Draft { text: "ls", session: &patterns, approvable: true, ..Draft::default() };
        let notice = compose(key(), &draft);
        assert_eq!((notice.body.as_str(), notice.buttons.as_slice()), (body.as_str(), buttons), "{patterns:?}");
    }
    // Where the request itself can't be approved, neither can what goes beyond it, and nothing is said of it.
    let patterns = of(&["git push *"]);
    let long = "x".repeat(TEXT_LIMIT + 1);
    for draft in [
        Draft { text: "ls", session: &patterns, ..Draft::default() },
        Draft { text: &long, session: &patterns, approvable: true, ..Draft::default() },
    ] {
        let notice = compose(key(), &draft);
        assert_eq!(notice.buttons, UNREAD);
        assert!(!notice.body.contains("Allow this session"), "{}", notice.body);
    }
    // What a command says comes after it.
    let text = "ls\nAllow this session: also `ls`";
    let facts = ["In /srv".to_owned()];
    let draft = Draft { text, facts: &facts, session: &patterns, approvable: true, ..Draft::default() };
    assert_eq!(compose(key(), &draft).body, format!("In /srv\nAllow this session: also `git push *`\n{text}"));
}

#[test]
fn the_title_is_one_line_of_bounded_length() {
    let long = "n".repeat(1000);
    for (headline, project, title) in [
        ("Run npm test", "shop", "Run npm test · shop".to_owned()),
        ("Run npm test", "", "Run npm test".to_owned()),
        ("Run a\nb\tc\u{202E}", "sh\u{200B}op", "Run a⏎b c⟨U+202E⟩ · sh⟨U+200B⟩op".to_owned()),
        (&long, &long, format!("{}… · {}…", "n".repeat(TITLE_LIMIT), "n".repeat(PROJECT_LIMIT))),
    ] {
        assert_eq!(compose(key(), &Draft { headline, project, ..Draft::default() }).title, title);
    }
}

#[test]
fn urgency_is_passed_on() {
    assert!(compose(key(), &Draft { urgent: true, ..Draft::default() }).urgent);
    assert!(!of("ls").urgent);
}

proptest! {
    /// The law: what can be approved has been displayed.
    #[test]
    fn approve_stands_only_under_the_whole_text(
        text in "(?s).{0,400}",
        fact in "(?s).{0,200}",
        session in prop::collection::vec("(?s).{0,60}|[a-z *]{1,60}", 0..4),
    ) {
        let facts = [fact];
        let draft =
            Draft { headline: "Run it", text: &text, facts: &facts, session: &session, approvable: true, ..Draft::default() };
        let notice = compose(key(), &draft);
        if notice.buttons.contains(&Button::AllowSession) {
            prop_assert!(notice.buttons.contains(&Button::Approve) && !session.is_empty());
            let is_named = |pattern: &String| notice.body.contains(&["`", pattern, "`"].concat());
            prop_assert!(session.iter().all(is_named));
        }
        let spelled = visible(&facts[0]).replace('\n', "⏎").replace('\t', " ");
        let displayed = notice.body.contains(&visible(&text)) && notice.body.starts_with(&spelled);
        prop_assert!(displayed || !notice.buttons.contains(&Button::Approve));
        prop_assert!(notice.body.chars().count() <= TEXT_LIMIT + 2 * LINE_LIMIT + 60);
        prop_assert_eq!(visible(&notice.body), notice.body.clone());
    }
}
