//! The TypeScript that the window is compiled against is the one these types generate.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use std::path::Path;

use gavel_core::{Decision, Link, Origin, Reply, Settled};
use serde_json::{Value, json};

/// Set to rewrite the file instead of comparing it.
const REWRITE: &str = "GAVEL_WRITE_BINDINGS";

#[test]
fn typescript_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/bindings/api.ts");
    let fresh = gavel_runtime::api::bindings::typescript();
    if std::env::var_os(REWRITE).is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "ui/src/bindings/api.ts is out of date: run {REWRITE}=1 cargo test -p gavel-runtime --test bindings"
    );
}

/// The core's types are written down in TypeScript by hand: this holds each of their values against that.
#[test]
fn the_words_of_the_core_are_those_that_travel() {
    let decisions = [Decision::AllowOnce, Decision::Decline { reason: "no".into() }, Decision::Stop];
    let mut values: Vec<Value> = decisions.iter().map(|value| json!(value)).collect();
    for settled in [
        Settled::You { decision: Decision::Stop },
        Settled::Swept,
        Settled::AnotherClient { reply: None },
        Settled::Unseen,
        Settled::WhileAway,
        Settled::YouStopped { reason: "no".into() },
        Settled::RunEnded,
        Settled::ServerGone,
    ] {
        values.push(json!(settled));
    }
    for link in [
        Link::Connecting,
        Link::Online { version: "1".into(), dialect: gavel_core::Dialect::V1 },
        Link::Offline { reason: gavel_core::text::Message::verbatim("cut"), gone: true },
        Link::NeedsPassword { refused: true },
        Link::NotOpenCode { reason: gavel_core::text::Message::verbatim("a page"), gone: false },
    ] {
        values.push(json!(link));
    }
    let written = gavel_runtime::api::bindings::typescript();
    for value in values {
        let fields = value.as_object().unwrap();
        let (tag, word) = fields.iter().find(|(name, _)| ["kind", "by", "state"].contains(&name.as_str())).unwrap();
        let start = written.find(&format!("{{ {tag}: {word}")).unwrap_or_else(|| panic!("{value} is not there"));
        let arm = &written[start..start + written[start..].find('}').unwrap()];
        let names = arm.matches(": ").count();
        assert_eq!(names, fields.len(), "{arm} against {value}");
        assert!(fields.keys().all(|name| arm.contains(&format!("{name}: "))), "{arm} against {value}");
    }
    let words = [json!(Reply::Once), json!(Reply::Always), json!(Reply::Reject)];
    let origins = [json!(Origin::Settings), json!(Origin::Discovered), json!(Origin::Demo)];
    let union = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    assert!(written.contains(&format!("Reply = {};", union(&words))));
    assert!(written.contains(&format!("Origin = {};", union(&origins))));
}

#[test]
fn the_options_of_the_judge_are_those_that_travel() {
    let written = gavel_runtime::api::bindings::typescript();
    for (name, value) in [
        ("JudgeOptions", json!(gavel_judge::model::Options::default())),
        ("JudgeBounds", json!(gavel_judge::model::Bounds::ALL)),
    ] {
        let start = written.find(&format!("type {name} = {{")).unwrap();
        let body = &written[start..start + written[start..].find('}').unwrap()];
        let typed: Vec<&str> = body.lines().skip(1).filter_map(|line| line.trim().split(": ").next()).collect();
        let sent: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert!(typed.iter().filter(|name| !name.is_empty()).eq(sent.iter()), "{typed:?} against {sent:?}");
    }
}
