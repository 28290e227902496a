//! Which questions a click can answer, and how questions and answers are told.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use gavel_core::question::{Answer, Choice, Field, Given, Kind, Question, When, full_text, headline, quick, said};
use gavel_core::{RequestKey, Route};

fn field(key: &str, kind: Kind) -> Field {
    Field {
        key: key.into(),
        title: None,
        description: Some(format!("{key}?")),
        required: true,
        hidden: false,
        when: vec![],
        default: None,
        kind,
    }
}

fn text(options: Option<&[&str]>) -> Kind {
    let choice = |label: &&str| Choice { value: label.to_lowercase(), label: (*label).into(), description: None };
    Kind::Text {
        format: None,
        min_length: None,
        max_length: None,
        pattern: None,
        placeholder: None,
        options: options.map(|options| options.iter().map(choice).collect()),
        custom: true,
    }
}

fn question(fields: Vec<Field>) -> Question {
    Question {
        key: RequestKey::new("http://s", "que_1"),
        session: Some("ses_1".into()),
        directory: "/p".into(),
        route: Route::V2,
        title: "Questions".into(),
        fields,
        call: None,
        asked: None,
        metadata: serde_json::Value::Null,
    }
}

#[test]
fn one_click_answers_a_single_choice_of_up_to_three_and_yes_or_no() {
    let labels = |fields| quick(&question(fields)).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
    let none: [&str; 0] = [];
    assert_eq!(labels(vec![field("a", text(Some(&["Red", "Blue", "Green"])))]), ["Red", "Blue", "Green"]);
    assert_eq!(labels(vec![field("a", Kind::Boolean)]), ["Yes", "No"]);
    assert_eq!(labels(vec![field("a", text(Some(&["Red\u{202E}"])))]), ["Red⟨U+202E⟩"]);
    let hidden = Field { hidden: true, default: Some("x".into()), ..field("h", text(None)) };
    let answers = quick(&question(vec![hidden.clone(), field("a", Kind::Boolean)]));
    assert_eq!(answers[0].1, Answer::from([("h".into(), "x".into()), ("a".into(), true.into())]));
    assert_eq!(quick(&question(vec![field("a", text(Some(&["Red"])))]))[0].1["a"], Given::from("red"));

    let when = vec![When { key: "h".into(), equal: true, value: "x".into() }];
    let Kind::Text { options, custom, .. } = text(Some(&["Red"])) else { return };
    let bounded = |min_length, pattern| Kind::Text {
        format: None,
        min_length,
        max_length: None,
        pattern,
        placeholder: None,
        options: options.clone(),
        custom,
    };
    let unlike: [Vec<Field>; 8] = [
        vec![],
        vec![field("a", text(None))],
        vec![field("a", text(Some(&["1", "2", "3", "4"])))],
        vec![field("a", Kind::Boolean), field("b", Kind::Boolean)],
        vec![hidden, Field { when, ..field("a", Kind::Boolean) }],
        // The server would refuse these, or it takes trying to know.
        vec![field("a", bounded(Some(9), None))],
        vec![field("a", bounded(None, Some("(a+)+$".into())))],
        vec![field("a", Kind::External { url: "https://example.com".into() })],
    ];
    for fields in unlike {
        assert_eq!(labels(fields.clone()), none, "{fields:?}");
    }
}

#[test]
fn questions_and_answers_are_told_in_words() {
    let hidden = Field { hidden: true, ..field("h", text(None)) };
    let asked = question(vec![
        hidden,
        field("a\u{200B}", text(Some(&["Red", "Blue"]))),
        Field { description: Some("  ".into()), title: Some("Sure".into()), ..field("b", Kind::Boolean) },
        field("c", Kind::External { url: "https://example.com".into() }),
    ]);
    assert_eq!(headline(&asked), "a⟨U+200B⟩? (and 2 more questions)");
    assert_eq!(full_text(&asked), "a⟨U+200B⟩?\n  – Red\n  – Blue\nSure\nc?\n  https://example.com");
    let answer = Answer::from([
        ("h".to_owned(), "secret default".into()),
        ("a\u{200B}".to_owned(), Given::Several(vec!["red".into(), "mauve".into()])),
        ("b".to_owned(), false.into()),
        ("c".to_owned(), true.into()),
    ]);
    let words: Vec<(String, String)> =
        said(&asked.fields, &answer).into_iter().map(|said| (said.question, said.answer)).collect();
    let expected = [("a⟨U+200B⟩?", "Red, mauve"), ("Sure", "No"), ("c?", "Done")];
    assert_eq!(words, expected.map(|(question, answer)| (question.to_owned(), answer.to_owned())));
    assert_eq!(headline(&question(vec![field("a", text(None)), field("b", text(None))])), "a? (and 1 more question)");
    assert_eq!((headline(&question(vec![])), full_text(&question(vec![]))), ("Questions".into(), "Questions".into()));
}
