use gavel_core::RequestKey;

use super::*;
use crate::Button;

fn notice(body: &str, buttons: &[Button]) -> Notice {
    Notice {
        key: RequestKey::new("http://127.0.0.1:4096", "per_1"),
        title: "Run a<b\u{202E} & c\nd".to_owned(),
        body: body.to_owned(),
        buttons: buttons.to_vec(),
        choices: Vec::new(),
        urgent: false,
        language: gavel_core::text::Language::English,
    }
}

fn desktop(actions: bool, body: bool, markup: bool) -> Capabilities {
    Capabilities { actions, body, markup, persistence: true, server: String::new() }
}

const ALL: [Button; 3] = [Button::Approve, Button::Decline, Button::Review];
const SESSION: [Button; 4] = [Button::Approve, Button::AllowSession, Button::Decline, Button::Review];

#[test]
fn markup_is_escaped_only_where_it_is_read_and_never_in_the_title() {
    for (body, escaped) in [
        ("a<b && c>d", "a&lt;b &amp;&amp; c&gt;d"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("<a href=\"x\">", "&lt;a href=\"x\"&gt;"),
        ("\u{202E}\0", "⟨U+202E⟩⟨U+0000⟩"),
    ] {
        let letter = fit(&notice(body, &ALL), 7, &desktop(true, true, true));
        assert_eq!(letter.body, escaped);
        assert_eq!(letter.title, "Run a<b⟨U+202E⟩ & c⏎d");
        assert_eq!(fit(&notice(body, &ALL), 7, &desktop(true, true, false)).body, visible(body));
    }
}

#[test]
fn buttons_stand_where_the_desktop_has_them_and_the_text_is_displayed() {
    let whole = vec!["default", "Open", "approve.7", "Approve", "decline.7", "Decline", "review.7", "Open"];
    let unread = vec!["default", "Open", "decline.7", "Decline", "review.7", "Review…"];
    let mut session = whole.clone();
    session.splice(4..4, ["session.7", "Allow this session"]);
    for (buttons, can, actions, body) in [
        (&ALL[..], desktop(true, true, false), whole, "ls".to_owned()),
        (&ALL[1..], desktop(true, true, false), unread.clone(), "ls".to_owned()),
        (&ALL[..], desktop(true, false, false), unread.clone(), String::new()),
        (&SESSION[..], desktop(true, true, false), session, "ls".to_owned()),
        (&SESSION[..], desktop(true, false, false), unread, String::new()),
        (&ALL[..], desktop(false, true, false), vec![], format!("ls\n{}", ELSEWHERE.english())),
        (&ALL[..], desktop(false, false, false), vec![], String::new()),
    ] {
        let letter = fit(&notice("ls", buttons), 7, &can);
        assert_eq!((letter.actions, letter.body), (actions.iter().map(ToString::to_string).collect(), body), "{can:?}");
    }
}

#[test]
fn an_empty_body_gains_no_empty_line() {
    assert_eq!(fit(&notice("", &ALL), 7, &desktop(false, true, false)).body, ELSEWHERE.english());
}
