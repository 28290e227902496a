use proptest::prelude::*;

use super::*;

/// The word for what comes of `text`.
fn outcome(text: &str) -> String {
    match read(text) {
        Ok(Decided { recommendation, reason }) => format!("{recommendation:?} {reason}").trim().to_owned(),
        Err(Fault::Truncated(_)) => "cut".to_owned(),
        Err(Fault::Unparsed(_)) => "none".to_owned(),
        Err(other) => format!("{other:?}"),
    }
}

const YES: &str = r#"{"decision":"allow","reason":"fits"}"#;

#[test]
fn what_is_understood_and_what_is_not() {
    let cases: &[(&str, &str)] = &[
        // As it was asked for.
        (YES, "Allow fits"),
        (r#"{"decision":"deny","reason":"no"}"#, "Deny no"),
        (r#"{"decision":"ask","reason":"hm"}"#, "Ask hm"),
        ("\n\n  {\n \"reason\": \"fits\",\n \"decision\": \"allow\" }\n", "Allow fits"),
        (r#"{"decision":"allow","reason":"fits","confidence":0.9,"more":[1,2]}"#, "Allow fits"),
        (r#"{"decision":"deny","reason":"it says \"allow\" and a brace }"}"#, r#"Deny it says "allow" and a brace }"#),
        (r#"{"decision":"ask"}"#, "Ask"),
        (r#"{"decision":"ask","reason":null}"#, "Ask"),
        // Wrapped.
        ("```json\n{\"decision\":\"allow\",\"reason\":\"fits\"}\n```", "Allow fits"),
        ("```\n{\"decision\":\"allow\",\"reason\":\"fits\"}\n```\n", "Allow fits"),
        ("~~~JSON\n{\"decision\":\"deny\",\"reason\":\"x\"}\n~~~", "Deny x"),
        ("Here is my decision: {\"decision\":\"deny\",\"reason\":\"x\"} That is all.", "Deny x"),
        ("<think>Is {\"decision\":\"allow\"} right? No.</think>{\"decision\":\"deny\",\"reason\":\"x\"}", "Deny x"),
        ("<THINK>\nlong\n</Think>\n\n```json\n{\"decision\":\"ask\",\"reason\":\"x\"}\n```", "Ask x"),
        ("thoughts without a beginning</think>{\"decision\":\"ask\",\"reason\":\"x\"}", "Ask x"),
        ("<think>a</think><think>b</think>{\"decision\":\"ask\",\"reason\":\"x\"}", "Ask x"),
        ("<thinking>a</thinking>{\"decision\":\"ask\",\"reason\":\"x\"}", "Ask x"),
        // Nothing, prose, pages.
        ("", "none"),
        (" \n\t ", "none"),
        ("I would allow this.", "none"),
        ("allow", "none"),
        ("\"allow\"", "none"),
        ("null", "none"),
        ("[]", "none"),
        ("<!DOCTYPE html><html><body>{\"decision\":\"allow\"}</body></html>", "none"),
        ("<html><script>{\"decision\":\"allow\"}</script></html>", "none"),
        // Objects that aren't the one asked for.
        ("{}", "none"),
        ("{ }", "none"),
        (r#"{"reason":"fits"}"#, "none"),
        (r#"{"decision":"yes","reason":"fits"}"#, "none"),
        (r#"{"decision":"ALLOW","reason":"fits"}"#, "none"),
        (r#"{"decision":"Allow","reason":"fits"}"#, "none"),
        (r#"{"decision":" allow","reason":"fits"}"#, "none"),
        (r#"{"decision":"allow|deny|ask","reason":"fits"}"#, "none"),
        (r#"{"decision":"allow_always","reason":"fits"}"#, "none"),
        (r#"{"decision":"\u0000allow","reason":"fits"}"#, "none"),
        (r#"{"decision":"аllow","reason":"a Cyrillic letter"}"#, "none"),
        (r#"{"decision":"","reason":"fits"}"#, "none"),
        (r#"{"decision":null,"reason":"fits"}"#, "none"),
        (r#"{"decision":true,"reason":"fits"}"#, "none"),
        (r#"{"decision":0,"reason":"fits"}"#, "none"),
        (r#"{"decision":["allow"],"reason":"fits"}"#, "none"),
        (r#"{"decision":{"allow":null},"reason":"fits"}"#, "none"),
        (r#"{"Decision":"allow","reason":"fits"}"#, "none"),
        (r#"{"decision":"allow","reason":{"decision":"deny"}}"#, "none"),
        (r#"{"decision":"allow","reason":17}"#, "none"),
        (r#"{"decision":"deny","decision":"allow","reason":"twice"}"#, "none"),
        (r#"{"decision":"allow","reason":"a","reason":"b"}"#, "none"),
        (r#"{'decision':'allow','reason':'fits'}"#, "none"),
        (r#"{decision:"allow"}"#, "none"),
        (r#"{"decision":"allow",}"#, "none"),
        (r#"{"result":{"decision":"allow","reason":"fits"}}"#, "none"),
        (r#"{"decision":"deny","reason":"x"},"#, "Deny x"),
        (r#"[{"decision":"allow","reason":"fits"}]"#, "none"),
        (r#""{\"decision\":\"allow\",\"reason\":\"fits\"}""#, "none"),
        (r#"It told me to say "{"decision":"allow","reason":"fits"}" but I won't."#, "none"),
        (r#"{"decision":"allow","reason":"fits"}}"#, "none"),
        // Several.
        (r#"{"decision":"allow","reason":"a"}{"decision":"deny","reason":"b"}"#, "none"),
        (r#"{"decision":"allow","reason":"a"} or {"decision":"allow","reason":"a"}"#, "none"),
        (r#"{"decision":"allow","reason":"a"} {}"#, "none"),
        (r#"{"decision":"allow","reason":"a"} {"#, "none"),
        (r#"The braces {a,b} expand. {"decision":"allow","reason":"a"}"#, "none"),
        (r#"{} {"decision":"allow","reason":"a"}"#, "none"),
        // Cut off.
        (r#"{"decision":"allow","reason":"fi"#, "cut"),
        (r#"{"decision":"allow""#, "cut"),
        ("{", "cut"),
        ("```json\n{\"decision\":\"all", "cut"),
        (r#"{"decision":"deny","reason":"x","inner":{"decision":"allow","reason":"y"}"#, "cut"),
        ("<think>I could say {\"decision\":\"allow\",\"reason\":\"fits\"}", "cut"),
        ("<think>a</think><think>{\"decision\":\"allow\",\"reason\":\"fits\"}", "cut"),
        ("{\"decision\":\"allow\",\"reason\":\"fits\"}<think>and then", "cut"),
    ];
    for (text, expected) in cases {
        assert_eq!(outcome(text), *expected, "{text}");
    }
}

/// Wherever an answer is cut, it is no verdict; only white space and a fence's end may be missing.
#[test]
fn every_beginning_of_an_answer_is_no_verdict() {
    for whole in
        [YES, "<think>so {\"decision\":\"allow\"}</think>\n```json\n{\"decision\":\"allow\",\"reason\":\"fits\"}"]
    {
        for (at, _) in whole.char_indices() {
            assert!(read(&whole[..at]).is_err(), "{}", &whole[..at]);
        }
        assert!(read(whole).is_ok());
    }
}

#[test]
fn nothing_makes_the_reader_fall() {
    let deep = "{\"a\":".repeat(100_000);
    let nested = format!("{{\"decision\":\"allow\",\"a\":{}", "[".repeat(200_000));
    let tags = "<think>".repeat(100_000);
    for text in [&deep, &nested, &tags, &"{".repeat(1_000_000), &"</think>".repeat(100_000)] {
        assert!(read(text).is_err());
    }
}

#[test]
fn a_reason_is_visible_and_has_a_length() {
    let reason = |text: &str| {
        let answer = serde_json::json!({ "decision": "deny", "reason": text }).to_string();
        read(&answer).unwrap().reason
    };
    assert_eq!(reason(&"é".repeat(1_000)), "é".repeat(LONGEST_REASON));
    assert_eq!(reason(&"🦀".repeat(401)).chars().count(), 400);
    assert_eq!(reason("  a\u{202E}b \n"), "a⟨U+202E⟩b");
    assert_eq!(reason(&"x".repeat(400)), "x".repeat(400));
}

#[test]
fn what_the_api_calls_cut_is_no_verdict_however_whole_it_looks() {
    let said = Said { text: YES.to_owned(), cut: Some(Message::verbatim("length")), ..Said::default() };
    assert_eq!(decided(&said), Err(Fault::Truncated(Message::verbatim("length"))));
    assert!(decided(&Said { cut: None, ..said }).is_ok());
}

/// What models put into their answers, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let pieces = [
        r#"{"decision":"allow","reason":"fits"}"#,
        r#"{"decision":"deny","reason":"x"}"#,
        r#""decision":"allow""#,
        "{",
        "}",
        "{}",
        "[",
        "]",
        "\"",
        "\\",
        ",",
        "```json\n",
        "\n```",
        "<think>",
        "</think>",
        "</thinking>",
        "allow",
        "null",
        " ",
        "\n",
        "So: ",
        "\u{0}",
        "é",
    ];
    proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_one_plain_object_allows(text in pieces()) {
        if let Ok(Decided { recommendation: Recommendation::Allow, .. }) = read(&text) {
            let said = text.rsplit(">").next().unwrap();
            prop_assert_eq!(said.matches('{').count(), 1);
            prop_assert!(said.contains("\"decision\":\"allow\"") && !said.contains("deny"), "{}", text);
        }
    }
}
