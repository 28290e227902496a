use proptest::prelude::*;

use super::*;

fn key() -> RequestKey {
    RequestKey::new("http://s", "que_1")
}

fn asked(text: &str, choices: &[&str]) -> Notice {
    let choices: Vec<String> = choices.iter().map(|&label| label.to_owned()).collect();
    compose_question(key(), &Query { headline: "Which?", project: "p", text, choices: &choices, ..Query::default() })
}

#[test]
fn the_answers_are_buttons_where_all_of_it_can_be_read() {
    let notice = asked("Which?\n  – Red\n  – Blue", &["Red", "Blue"]);
    let [first, second, _] = Button::CHOICES;
    assert_eq!(notice.buttons, [first, second, Button::Answer]);
    assert_eq!([first, second, Button::Answer].map(|button| notice.label(button)), ["Red", "Blue", "Answer…"]);
    assert_eq!((notice.title.as_str(), notice.body.as_str()), ("Which? · p", "Which?\n  – Red\n  – Blue"));
    let long = "x".repeat(LABEL_LIMIT + 1);
    let cases: [(&str, &[&str]); 8] = [
        ("Which?", &[]),
        (&"x".repeat(TEXT_LIMIT + 1), &["Red"]),
        (&"x\n".repeat(TEXT_LINES + 1), &["Red"]),
        ("Which?", &["Red", &long]),
        ("Which?", &["Red", "a\nb"]),
        ("Which?", &["Red", " "]),
        ("Which?", &["Red", "Red"]),
        ("Which?", &["1", "2", "3", "4"]),
    ];
    for (text, choices) in cases {
        let notice = asked(text, choices);
        assert_eq!((notice.buttons.as_slice(), notice.choices.len()), ([Button::Answer].as_slice(), 0), "{choices:?}");
    }
}

#[test]
fn no_label_deceives() {
    let notice = asked("Which?", &["safe\u{202E}", "safe"]);
    assert_eq!(notice.label(Button::CHOICES[0]), "safe⟨U+202E⟩");
    assert!(asked("Which?\u{200B}", &["a"]).body.contains("⟨U+200B⟩"));
}

proptest! {
    #[test]
    fn whatever_can_be_chosen_was_displayed(text in ".{0,400}", choices in proptest::collection::vec(".{0,50}", 0..5)) {
        let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
        let notice = asked(&text, &choices);
        prop_assert_eq!(notice.buttons.len(), notice.choices.len() + 1);
        if !notice.choices.is_empty() {
            prop_assert!(notice.body.contains(&visible(&text)));
            let shown: Vec<String> = choices.iter().map(|label| visible(label)).collect();
            prop_assert_eq!(&notice.choices, &shown);
        }
    }
}
