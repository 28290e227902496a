use gavel_core::rules::{Effect, Rule};
use gavel_core::{Ask, Reply, Session};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// 30 November 2026, a little after the recordings.
const NOW: Moment = Moment(1_796_026_500_000);

fn hear(frame: &str) -> Decoded {
    decode(frame, NOW, &ServerId::from("http://s"))
}

fn said(kind: &str, properties: Value) -> Said {
    let payload = json!({ "id": "evt_1", "type": kind, "properties": properties });
    hear(&json!({ "directory": "/p", "project": "x", "payload": payload }).to_string()).said
}

fn asked(properties: Value) -> Ask {
    let Said::Event(WireEvent::Asked(ask)) = said("permission.asked", properties.clone()) else {
        panic!("{properties}")
    };
    *ask
}

fn at(message: &str, call: &str) -> CallRef {
    CallRef { message: message.to_owned(), call: call.into() }
}

#[test]
fn reads_all_three_envelopes() {
    let ask = json!({ "id": "per_1", "sessionID": "ses_1" });
    let cases = [
        (json!({ "directory": "/p", "payload": { "type": "permission.asked", "properties": ask } }), Some("/p")),
        (json!({ "type": "permission.asked", "properties": ask }), None),
        (json!({ "type": "permission.v2.asked", "location": { "directory": "/p" }, "data": ask }), Some("/p")),
        (json!({ "directory": "global", "payload": { "type": "permission.asked", "properties": ask } }), None),
        (json!({ "directory": 7, "payload": { "type": "permission.asked", "properties": ask } }), None),
        (json!({ "directory": "C:\\p", "payload": { "type": "permission.asked", "properties": ask } }), Some("C:\\p")),
    ];
    for (frame, directory) in cases {
        let decoded = hear(&frame.to_string());
        assert_eq!(decoded.directory.as_deref(), directory, "{frame}");
        let Said::Event(WireEvent::Asked(ask)) = decoded.said else { panic!("{frame}") };
        assert_eq!(ask.directory, directory.unwrap_or_default());
    }
}

#[test]
fn every_spelling_of_a_request_is_understood() {
    let now = asked(json!({ "id": "per_1", "sessionID": "ses_1", "permission": "bash", "patterns": ["ls", "cd x"],
        "metadata": { "command": "cd x && ls" }, "always": ["ls *"], "tool": { "messageID": "m", "callID": "c" } }));
    assert_eq!((now.action.as_str(), now.detail.command.as_deref()), ("shell", Some("cd x && ls")));
    assert_eq!(
        (now.resources, now.save, now.call),
        (vec!["ls".into(), "cd x".into()], vec!["ls *".into()], Some(at("m", "c")))
    );

    let old = json!({ "id": "per_1", "sessionID": "ses_1", "type": "edit", "pattern": "a.txt", "messageID": "m",
        "callID": "c", "metadata": { "filePath": "/p/a.txt", "diff": "+x" }, "time": { "created": NOW.0 - 5 } });
    let Said::Event(WireEvent::Asked(old)) = said("permission.updated", old) else { panic!() };
    assert_eq!((old.action.as_str(), old.route, old.asked), ("edit", Route::V1, Some(Moment(NOW.0 - 5))));
    assert_eq!((old.resources, old.call), (vec!["a.txt".into()], Some(at("m", "c"))));
    assert_eq!((old.detail.path.as_deref(), old.detail.diff.as_deref()), (Some("/p/a.txt"), Some("+x")));

    let preview = json!({ "id": "per_1", "sessionID": "ses_1", "action": "task", "resources": ["general"],
        "save": ["general"], "source": { "type": "tool", "messageID": "m", "id": "c" } });
    let Said::Event(WireEvent::Asked(preview)) = said("permission.v2.asked", preview) else { panic!() };
    assert_eq!((preview.action.as_str(), preview.route), ("subagent", Route::Preview));
    assert_eq!((preview.resources, preview.call), (vec!["general".into()], Some(at("m", "c"))));
}

#[test]
fn actions_have_one_name() {
    let cases = [
        ("bash", "shell"),
        ("task", "subagent"),
        ("write", "edit"),
        ("patch", "edit"),
        ("multiedit", "edit"),
        ("edit", "edit"),
        ("read", "read"),
        ("doom_loop", "doom_loop"),
        ("linear_create_issue", "linear_create_issue"),
        ("Bash", "Bash"),
    ];
    for (wire, expected) in cases {
        assert_eq!(asked(json!({ "id": "p", "sessionID": "s", "permission": wire })).action, expected);
    }
}

/// A request with odd fields is still shown. Only its id and its session are indispensable.
#[test]
fn no_odd_field_loses_a_request() {
    let odd =
        [json!(null), json!(7), json!(true), json!("text"), json!(["a", 1, null]), json!({ "x": {} }), json!([[]])];
    let fields = [
        "permission",
        "patterns",
        "metadata",
        "always",
        "tool",
        "time",
        "action",
        "resources",
        "save",
        "source",
        "type",
    ];
    for value in &odd {
        for field in fields {
            let ask = asked(json!({ "id": "per_1", "sessionID": "ses_1", field: value }));
            assert_eq!((ask.key.request.as_str(), ask.session.as_str()), ("per_1", "ses_1"), "{field}: {value}");
        }
        for field in ["command", "filepath", "diff", "url"] {
            let ask = asked(json!({ "id": "per_1", "sessionID": "ses_1", "metadata": { field: value } }));
            assert_eq!(ask.detail.metadata[field], *value, "{field} stays to be seen");
        }
    }
    let ask =
        asked(json!({ "id": "p", "sessionID": "s", "permission": "bash", "metadata": { "command": ["rm", "-rf"] } }));
    assert_eq!(ask.detail.command.as_deref(), Some("[\"rm\",\"-rf\"]"), "shown as it is");
    let ask = asked(json!({ "id": "p", "sessionID": "s", "patterns": ["a", 1, { "b": 2 }] }));
    assert_eq!(ask.resources, ["a", "1", "{\"b\":2}"]);
    for lacking in [json!({ "id": "p" }), json!({ "sessionID": "s" }), json!({ "id": 1, "sessionID": "s" }), json!([])]
    {
        assert_eq!(said("permission.asked", lacking.clone()), Said::Unreadable, "{lacking}");
    }
}

/// JavaScript may send half a surrogate pair, and an agent may be told to.
#[test]
fn half_a_character_hides_nothing() {
    let frame = r#"{"directory":"/p","payload":{"type":"permission.asked","properties":{"id":"per_1","sessionID":"ses_1",
        "permission":"bash","patterns":["a\ud800"],"metadata":{"command":"rm \udfff\ud83e\udd80"}}}}"#;
    let Said::Event(WireEvent::Asked(ask)) = hear(frame).said else { panic!() };
    assert_eq!(ask.detail.command.as_deref(), Some("rm \u{FFFD}🦀"));
    assert_eq!(ask.resources, ["a\u{FFFD}"]);
}

#[test]
fn deep_nesting_hides_nothing() {
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    let frame = format!(
        r#"{{"payload":{{"type":"permission.asked","properties":{{"id":"per_1","sessionID":"ses_1","metadata":{{"command":"ls","input":{deep}}}}}}}}}"#
    );
    let Said::Event(WireEvent::Asked(ask)) = hear(&frame).said else { panic!() };
    assert_eq!(ask.detail.command.as_deref(), Some("ls"));
    assert!(ask.detail.metadata.as_str().unwrap().contains(&deep));
}

#[test]
fn answers_are_understood() {
    let answered = |request: &str, reply| Said::Event(WireEvent::Answered { request: request.into(), reply });
    let cases = [
        (json!({ "sessionID": "s", "requestID": "p", "reply": "once" }), answered("p", Some(Reply::Once))),
        (json!({ "sessionID": "s", "permissionID": "p", "response": "always" }), answered("p", Some(Reply::Always))),
        (json!({ "sessionID": "s", "id": "p", "decision": "reject" }), answered("p", Some(Reply::Reject))),
        (json!({ "requestID": "p", "id": "evt", "reply": "maybe" }), answered("p", None)),
        (json!({ "requestID": "p" }), answered("p", None)),
        (json!({ "reply": "once" }), Said::Unreadable),
    ];
    for (properties, expected) in cases {
        for kind in ["permission.replied", "permission.v2.replied"] {
            assert_eq!(said(kind, properties.clone()), expected, "{kind} {properties}");
        }
    }
}

#[test]
fn runs_and_sessions() {
    let ended = Said::Event(WireEvent::RunEnded("s".into()));
    let session = |parent: Option<&str>, directory: &str, agent: Option<&str>| {
        let (parent, agent) = (parent.map(Into::into), agent.map(str::to_owned));
        let (title, directory) = ("T".to_owned(), directory.to_owned());
        Session { id: "s".into(), parent, title, directory, agent }
    };
    let began = |directory: &str| Said::Event(WireEvent::SessionBegan(session(None, directory, None)));
    let seen = Said::Event(WireEvent::SessionSeen(session(Some("r"), "/q", Some("build"))));
    let cases = [
        ("session.idle", json!({ "sessionID": "s" }), ended.clone()),
        ("session.status", json!({ "sessionID": "s", "status": { "type": "idle" } }), ended.clone()),
        ("session.status", json!({ "sessionID": "s", "status": "idle" }), ended.clone()),
        (
            "session.status",
            json!({ "sessionID": "s", "status": { "type": "busy" } }),
            Said::Event(WireEvent::RunBegan("s".into())),
        ),
        ("session.status", json!({ "sessionID": "s", "status": { "type": "retry", "attempt": 1 } }), Said::Nothing),
        ("session.status", json!({ "sessionID": "s" }), Said::Nothing),
        ("session.error", json!({ "sessionID": "s", "error": {} }), ended),
        ("session.error", json!({ "error": {} }), Said::Nothing),
        ("session.idle", json!({}), Said::Unreadable),
        (
            "session.deleted",
            json!({ "sessionID": "s", "info": {} }),
            Said::Event(WireEvent::SessionDeleted("s".into())),
        ),
        ("session.deleted", json!({ "info": { "id": "s" } }), Said::Event(WireEvent::SessionDeleted("s".into()))),
        ("session.created", json!({ "info": { "id": "s", "title": "T" } }), began("/p")),
        (
            "session.updated",
            json!({ "info": { "id": "s", "title": "T", "parentID": "r", "directory": "/q", "agent": "build" } }),
            seen,
        ),
        (
            "session.created",
            json!({ "info": { "id": "s", "title": "T", "location": { "directory": "/q" } } }),
            began("/q"),
        ),
        ("session.created", json!({ "info": "s" }), Said::Unreadable),
        ("server.instance.disposed", json!({ "directory": "/q" }), Said::Event(WireEvent::Disposed(Some("/q".into())))),
        ("server.instance.disposed", json!({}), Said::Event(WireEvent::Disposed(Some("/p".into())))),
        ("global.disposed", json!({}), Said::Event(WireEvent::Disposed(None))),
    ];
    for (kind, properties, expected) in cases {
        assert_eq!(said(kind, properties.clone()), expected, "{kind} {properties}");
    }
    // Nothing tells which one: taken for "all", it would throw away what is pending elsewhere.
    let nowhere = hear(r#"{"payload":{"type":"server.instance.disposed","properties":{}}}"#);
    assert_eq!(nowhere.said, Said::Unreadable);
}

#[test]
fn a_session_of_the_preview_is_known_by_its_first_prompt() {
    let said = |properties: Value| {
        let payload = json!({ "type": "session.next.prompted", "properties": properties });
        hear(&json!({ "directory": "/p", "payload": payload }).to_string()).said
    };
    let prompted = json!({ "timestamp": 1, "sessionID": "s", "messageID": "m", "prompt": { "text": "run: ls" } });
    assert_eq!(said(prompted), Said::Event(WireEvent::RulesIgnored("s".into())));
    assert_eq!(said(json!({})), Said::Unreadable);
}

#[test]
fn a_session_tells_its_rules_in_newer_words() {
    let also = |kind: &str, permission: Value| {
        let properties = json!({ "sessionID": "s", "info": { "id": "s", "title": "T", "permission": permission } });
        let payload = json!({ "type": kind, "properties": properties });
        let heard = hear(&json!({ "directory": "/p", "payload": payload }).to_string());
        assert!(
            matches!(heard.said, Said::Event(WireEvent::SessionSeen(_) | WireEvent::SessionBegan(_))),
            "{permission}"
        );
        heard.also
    };
    let ruled = |rules| Some(WireEvent::RulesChanged { session: "s".into(), rules });
    let rule = |action: &str, resource: &str, effect| Rule {
        action: action.to_owned(),
        resource: resource.to_owned(),
        effect,
    };
    let told = json!([
        { "permission": "bash", "pattern": "git *", "action": "allow" },
        { "permission": "task", "pattern": "*", "action": "deny" },
        { "permission": "write", "pattern": "a", "action": "ask" },
    ]);
    let read = vec![
        rule("shell", "git *", Effect::Allow),
        rule("subagent", "*", Effect::Deny),
        rule("edit", "a", Effect::Ask),
    ];
    for kind in ["session.created", "session.updated"] {
        assert_eq!(also(kind, told.clone()), ruled(read.clone()), "{kind}");
        assert_eq!(also(kind, json!([])), ruled(vec![]), "{kind}");
        for nothing in [json!(null), json!("bash"), json!([{ "permission": "bash", "pattern": "*" }])] {
            assert_eq!(also(kind, nothing), None, "{kind}");
        }
    }
}

#[test]
fn a_disposal_puts_agents_out_of_date() {
    let also = |payload: Value| hear(&json!({ "directory": "/p", "payload": payload }).to_string()).also;
    let changed = |directory: &str| Some(WireEvent::AgentsChanged(directory.to_owned()));
    let disposed = |properties: Value| also(json!({ "type": "server.instance.disposed", "properties": properties }));
    assert_eq!(disposed(json!({ "directory": "/q" })), changed("/q"));
    assert_eq!(disposed(json!({})), changed("/p"));
    assert_eq!(also(json!({ "type": "global.disposed", "properties": {} })), changed(""), "all of them");
    assert_eq!(also(json!({ "type": "session.idle", "properties": { "sessionID": "s" } })), None);
}

#[test]
fn tool_calls() {
    let part = |state: Value| json!({ "sessionID": "s", "part": { "type": "tool", "callID": "c", "messageID": "m", "sessionID": "s", "state": state } });
    let started = |command: Option<&str>, purpose: Option<&str>, workdir: Option<&str>| {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let (command, purpose, workdir) = (own(command), own(purpose), own(workdir));
        let (session, call, placed) = ("s".into(), at("m", "c"), true);
        Said::Event(WireEvent::CallStarted { session, call, command, purpose, workdir, placed })
    };
    let somewhere = {
        let (session, call) = ("s".into(), at("m", "c"));
        let (command, purpose, workdir) = (None, None, None);
        Said::Event(WireEvent::CallStarted { session, call, command, purpose, workdir, placed: false })
    };
    let ended = Said::Event(WireEvent::CallEnded { session: "s".into(), call: at("m", "c") });
    let input = |input: Value| part(json!({ "status": "running", "input": input }));
    let cases = [
        (part(json!({ "status": "pending", "input": {} })), Said::Nothing),
        (input(json!({ "command": "ls", "description": "Lists" })), started(Some("ls"), Some("Lists"), None)),
        (input(json!({ "workdir": "/q" })), started(None, None, Some("/q"))),
        (input(json!({ "workdir": "/p" })), started(None, None, None)),
        (input(json!({ "workdir": "/p/" })), started(None, None, None)),
        (input(json!({ "workdir": "." })), started(None, None, None)),
        (input(json!({ "workdir": "./sub" })), started(None, None, Some("/p/sub"))),
        (input(json!({ "workdir": "../up" })), started(None, None, Some("/p/../up"))),
        (input(json!({ "workdir": "D:\\x" })), started(None, None, Some("D:\\x"))),
        (input(json!({ "command": 7, "description": [], "workdir": {} })), somewhere),
        (part(json!({ "status": "completed" })), ended.clone()),
        (part(json!({ "status": "error", "error": "x" })), ended.clone()),
        (part(json!({ "status": 3 })), Said::Nothing),
        (json!({ "sessionID": "s", "part": { "type": "text", "text": "running" } }), Said::Nothing),
        (json!({ "sessionID": "s", "part": 1 }), Said::Nothing),
    ];
    for (properties, expected) in cases {
        assert_eq!(said("message.part.updated", properties.clone()), expected, "{properties}");
    }
    let call = json!({ "sessionID": "s", "assistantMessageID": "m", "callID": "c", "input": { "command": "ls" } });
    assert_eq!(said("session.next.tool.called", call.clone()), started(Some("ls"), None, None));
    for kind in ["session.next.tool.success", "session.next.tool.failed"] {
        assert_eq!(said(kind, call.clone()), ended);
    }
}

/// Nothing inside is looked at, so nothing inside can go wrong.
#[test]
fn what_means_nothing_is_not_looked_into() {
    for (kind, expected) in [
        ("sync", Said::Nothing),
        ("message.part.delta", Said::Nothing),
        ("message.updated", Said::Nothing),
        ("session.next.text.delta", Said::Nothing),
        ("plugin.added", Said::Nothing),
        ("server.connected", Said::Connected),
        ("server.heartbeat", Said::Heartbeat),
        ("brand.new", Said::Unknown("brand.new".to_owned())),
    ] {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let frame =
            format!(r#"{{"directory":"/p","payload":{{"properties":{{"x":"\ud800","y":{deep}}},"type":"{kind}"}}}}"#);
        assert_eq!(hear(&frame).said, expected, "{kind}");
    }
}

proptest! {
    #[test]
    fn any_text_is_survived(text in ".*") {
        let _ = hear(&text);
    }

    #[test]
    fn any_cut_of_a_frame_is_survived(at in 0usize..400) {
        let frame = json!({ "directory": "/p", "payload": { "type": "permission.asked", "properties": {
            "id": "per_1", "sessionID": "ses_1", "patterns": ["ж"], "metadata": { "command": "ls\u{0}" } } } }).to_string();
        if let Some(cut) = frame.get(..at.min(frame.len())) {
            let said = hear(cut).said;
            prop_assert!(cut.len() == frame.len() || said == Said::Unreadable);
        }
    }
}
