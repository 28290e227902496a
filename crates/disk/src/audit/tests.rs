use gavel_core::text::Message;
use gavel_core::{Decision, JudgeName, Moment, Opinion, Opinions, RequestKey, Tokens, Verdict};
use serde_json::json;

use super::*;
use crate::ActivityLog;

fn record(what: Happened, verdict: Option<Verdict>) -> Record {
    Record {
        at: Moment(1_787_745_600_000),
        key: RequestKey::new("http://127.0.0.1:4096", "per_1"),
        title: "Run rm -r build".into(),
        action: "shell".into(),
        resources: vec!["rm -r build".into()],
        text: "rm -r build".into(),
        line: None,
        directory: "/home/ada/shop".into(),
        session: Some("Tidy up".into()),
        session_id: Some("ses_1".into()),
        waited: 5,
        opinions: opinions(verdict),
        what,
    }
}

fn opinions(verdict: Option<Verdict>) -> Opinions {
    match verdict {
        Some(verdict) if verdict.source == Source::Offline => Opinions { offline: Some(verdict), model: None },
        other => Opinions { offline: None, model: other.map(Opinion::from) },
    }
}

fn verdict(recommendation: Recommendation, source: Source, status: Status) -> Verdict {
    Verdict { recommendation, reason: "deletes `build/`".into(), said: Message::default(), source, status, took: 7 }
}

fn settled(settled: Settled) -> Happened {
    Happened::Settled { settled }
}

#[test]
fn a_line_has_the_keys_of_the_plugin_and_then_ours() {
    let what = settled(Settled::You { decision: Decision::decline("no") });
    let mut record = record(what, Some(verdict(Recommendation::Deny, Source::Model, Status::HttpError)));
    record.opinions.offline = Some(verdict(Recommendation::Ask, Source::Offline, Status::Ok));
    let model = record.opinions.model.as_mut().unwrap();
    model.judge = Some(JudgeName { provider: "openai".into(), model: "small".into() });
    model.detail = Some("429".into());
    model.tokens = Tokens { prompt: Some(50), completion: Some(3) };
    let line = serde_json::to_string(&AuditLine::of(&record).unwrap()).unwrap();
    let expected = concat!(
        r#"{"time":"2026-08-26T12:00:00.000Z","sessionID":"ses_1","permissionID":"per_1","permission":"bash","#,
        r#""decision":"none","reason":"deletes `build/`","status":"http_error","detail":"429","source":"llm","model":"small","#,
        r#""command":"rm -r build","server":"http://127.0.0.1:4096","project":"/home/ada/shop","root":"Tidy up","#,
        r#""took_ms":7,"tokens_prompt":50,"tokens_completion":3,"waited_ms":5,"settled_by":"you","answer":"reject","#,
        r#""recommendation":"deny","offline":"ask","title":"Run rm -r build"}"#
    );
    assert_eq!(line, expected);
}

/// How a request ended, and what was recommended; then `decision`, `source`, `status`, `answer`.
#[test]
fn what_was_left_to_the_human_is_none_whatever_was_recommended() {
    use Recommendation::{Allow, Ask};
    let you = || settled(Settled::You { decision: Decision::AllowOnce });
    let another = |reply| settled(Settled::AnotherClient { reply });
    let offline = Some(verdict(Allow, Source::Offline, Status::Ok));
    let rule = |source| settled(Settled::Rule { line: "ls *".into(), source });
    let failed = |status| Some(verdict(Ask, Source::Model, status));
    let cases = [
        (you(), None, json!(["none", null, "ok", "once"])),
        (you(), offline.clone(), json!(["none", "offline", "ok", "once"])),
        (you(), failed(Status::NoKey), json!(["none", "llm", "no_key", "once"])),
        (you(), failed(Status::HttpError), json!(["none", "llm", "http_error", "once"])),
        (you(), failed(Status::NetworkError), json!(["none", "llm", "network_error", "once"])),
        (you(), failed(Status::TimedOut), json!(["none", "llm", "network_error", "once"])),
        (you(), failed(Status::Truncated), json!(["none", "llm", "truncated", "once"])),
        (you(), failed(Status::Unparsed), json!(["none", "llm", "unparsed", "once"])),
        (settled(Settled::Grant { title: "x".into() }), offline.clone(), json!(["allow", "grant", "ok", "once"])),
        (rule(Source::Learned), offline.clone(), json!(["allow", "learned", "ok", "once"])),
        (rule(Source::Preset), None, json!(["allow", "preset", "ok", "once"])),
        (settled(Settled::Swept), offline.clone(), json!(["none", "offline", "ok", "reject"])),
        (another(Some(Reply::Always)), None, json!(["none", null, "ok", "always"])),
        (another(None), None, json!(["none", null, "ok", null])),
        (settled(Settled::Unseen), None, json!(["none", null, "ok", null])),
        (settled(Settled::YouStopped { reason: "no".into() }), None, json!(["none", null, "ok", "reject"])),
        (settled(Settled::WhileAway), None, json!(["none", null, "ok", null])),
        (settled(Settled::RunEnded), offline, json!(["none", "offline", "ok", null])),
        (settled(Settled::ServerGone), None, json!(["none", null, "ok", null])),
    ];
    for (what, verdict, expected) in cases {
        let line = serde_json::to_value(AuditLine::of(&record(what.clone(), verdict)).unwrap()).unwrap();
        let told = json!([line["decision"], line["source"], line["status"], line["answer"]]);
        assert_eq!(told, expected, "{what:?}");
    }
}

#[test]
fn only_the_end_of_a_request_is_a_line_and_only_commands_have_one() {
    for what in [
        Happened::Decided { decision: Decision::AllowOnce },
        Happened::Undelivered { why: gavel_core::text::Message::verbatim("x") },
    ] {
        assert_eq!(AuditLine::of(&record(what, None)), None);
    }
    let edit = Record { action: "edit".into(), ..record(settled(Settled::RunEnded), None) };
    let line = AuditLine::of(&edit).unwrap();
    assert_eq!((line.permission.as_str(), line.command), ("edit", None));
}

#[test]
fn the_whole_log_is_exported_oldest_first_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("activity.jsonl");
    let exported = |path: &Path| {
        let mut out = Vec::new();
        let told = export(path, &mut out).unwrap();
        let ids = String::from_utf8(out).unwrap();
        let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["permissionID"].as_str().unwrap().to_owned();
        (told, ids.lines().map(id).collect::<Vec<_>>())
    };
    assert_eq!(exported(&path), (Exported { lines: 0, unreadable: 0 }, vec![]));
    assert!(!path.exists(), "looking makes no log");
    for (file, numbers) in [("activity.1.jsonl", 1..3), ("activity.jsonl", 3..5)] {
        let mut log = ActivityLog::open(&folder.path().join("new.jsonl")).unwrap();
        for number in numbers {
            let key = RequestKey::new("s", format!("per_{number}"));
            log.append(Record { key, ..record(settled(Settled::RunEnded), None) }).1.unwrap();
        }
        std::fs::rename(folder.path().join("new.jsonl"), folder.path().join(file)).unwrap();
    }
    let before = std::fs::read(&path).unwrap();
    std::fs::write(&path, [b"not a row\n", before.as_slice()].concat()).unwrap();
    let all = ["per_1", "per_2", "per_3", "per_4"].map(str::to_owned).to_vec();
    assert_eq!(exported(&path), (Exported { lines: 4, unreadable: 1 }, all));
    assert_eq!(std::fs::read(&path).unwrap(), [b"not a row\n", before.as_slice()].concat());
}
