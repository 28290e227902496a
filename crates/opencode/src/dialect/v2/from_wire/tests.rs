use gavel_core::rules::{Effect, Rule};
use gavel_core::{Ask, Reply, RequestId, Session};
use serde_json::{Value, json};

use super::*;

/// 30 November 2026.
const NOW: Moment = Moment(1_796_026_500_000);

fn hear(frame: &str) -> Decoded {
    decode(frame, NOW, &ServerId::from("http://s"))
}

fn said(kind: &str, data: Value) -> Said {
    let event = json!({ "id": "evt_1", "created": 1_796_023_363_955.5, "type": kind, "location": { "directory": "/p" },
        "durable": { "aggregateID": "s", "seq": 1, "version": 2 }, "metadata": {}, "data": data });
    hear(&event.to_string()).said
}

fn asked(data: Value) -> Ask {
    let Said::Event(WireEvent::Asked(ask)) = said("permission.asked", data.clone()) else { panic!("{data}") };
    *ask
}

#[test]
fn a_request_with_all_it_may_have() {
    let ask = asked(json!({
        "id": "per_1", "sessionID": "ses_1", "action": "shell", "resources": ["git push", "ls"],
        "save": ["git push *"], "metadata": { "x": 1 }, "message": "a plugin wants to know",
        "source": { "type": "tool", "messageID": "msg_1", "id": "call_1" },
    }));
    assert_eq!(ask.route, Route::V2);
    assert_eq!((ask.key.request.as_str(), ask.session.as_str(), ask.directory.as_str()), ("per_1", "ses_1", "/p"));
    assert_eq!((ask.action.as_str(), &*ask.resources), ("shell", &["git push".to_owned(), "ls".to_owned()][..]));
    assert_eq!(ask.save, ["git push *"]);
    assert_eq!(ask.call, Some(CallRef { message: "msg_1".to_owned(), call: "call_1".into() }));
    assert_eq!(ask.detail.note.as_deref(), Some("a plugin wants to know"));
    assert_eq!(ask.detail.metadata, json!({ "x": 1 }));
}

#[test]
fn a_request_with_the_least_it_must_have() {
    let ask = asked(json!({ "id": "per_1", "sessionID": "ses_1", "action": "github_search", "resources": ["*"] }));
    assert_eq!((ask.action.as_str(), ask.save.len(), ask.call), ("github_search", 0, None));
    for lacking in [json!({ "id": "per_1" }), json!({ "sessionID": "ses_1" }), json!([]), json!("x")] {
        assert_eq!(said("permission.asked", lacking), Said::Unreadable);
    }
}

#[test]
fn the_patches_of_all_files_are_one_diff() {
    let named = "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-x\n+y";
    let files = json!([
        { "file": "a.txt", "patch": named, "additions": 1, "deletions": 1, "status": "modified" },
        { "file": "b.txt", "patch": "@@ -0,0 +1 @@\n+new", "additions": 1, "deletions": 0, "status": "added" },
    ]);
    let edit = |metadata: Value| {
        let ask =
            json!({ "id": "per_1", "sessionID": "s", "action": "edit", "resources": ["a.txt"], "metadata": metadata });
        asked(ask).detail
    };
    let both = format!("{named}\n--- b.txt\n+++ b.txt\n@@ -0,0 +1 @@\n+new");
    assert_eq!(edit(json!({ "files": files })).diff.as_deref(), Some(&*both));
    let patch = edit(json!({ "files": files, "filepath": "a.txt", "diff": "the patch" }));
    assert_eq!((patch.path.as_deref(), patch.diff.as_deref()), (Some("a.txt"), Some("the patch")));
    assert_eq!(edit(json!({ "files": [] })).diff, None);
}

#[test]
fn what_else_matters() {
    let session = |agent: Option<&str>, parent: Option<&str>| {
        WireEvent::SessionBegan(Session {
            id: "s".into(),
            parent: parent.map(Into::into),
            title: "t".to_owned(),
            directory: "/elsewhere".to_owned(),
            agent: agent.map(str::to_owned),
        })
    };
    let call = CallRef { message: "m".to_owned(), call: "c".into() };
    let at = json!({ "sessionID": "s", "assistantMessageID": "m", "id": "c", "executed": false,
        "input": { "command": "ls", "description": "Lists", "workdir": "sub" } });
    let started = WireEvent::CallStarted {
        session: "s".into(),
        call: call.clone(),
        command: Some("ls".to_owned()),
        purpose: Some("Lists".to_owned()),
        workdir: Some("/p/sub".to_owned()),
        placed: true,
    };
    let answered = |reply| WireEvent::Answered { request: RequestId::from("p"), reply };
    let created = json!({ "sessionID": "s", "projectID": "x", "location": { "directory": "/elsewhere" }, "title": "t",
        "slug": "a", "version": "2.1.2" });
    let child = {
        let mut child = created.clone();
        child["parentID"] = json!("root");
        child["agent"] = json!("general");
        child
    };
    let rules = json!([{ "action": "shell", "resource": "git *", "effect": "ask", "new": 1 }]);
    let ruled = |rules| WireEvent::RulesChanged { session: "s".into(), rules };
    let changed = ruled(vec![asks("shell", "git *")]);
    let cases = [
        ("session.created", created, session(None, None)),
        ("session.created", child, session(Some("general"), Some("root"))),
        ("session.deleted", json!({ "sessionID": "s" }), WireEvent::SessionDeleted("s".into())),
        ("session.moved", json!({ "sessionID": "s" }), WireEvent::SessionChanged("s".into())),
        ("session.renamed", json!({ "sessionID": "s", "title": "t" }), WireEvent::SessionChanged("s".into())),
        ("session.agent.selected", json!({ "sessionID": "s", "agent": "plan" }), WireEvent::SessionChanged("s".into())),
        ("session.idle", json!({ "sessionID": "s" }), WireEvent::RunEnded("s".into())),
        ("session.status", json!({ "sessionID": "s", "status": { "type": "idle" } }), WireEvent::RunEnded("s".into())),
        ("session.execution.succeeded", json!({ "sessionID": "s" }), WireEvent::RunEnded("s".into())),
        ("session.execution.failed", json!({ "sessionID": "s", "error": {} }), WireEvent::RunEnded("s".into())),
        ("session.execution.interrupted", json!({ "sessionID": "s" }), WireEvent::RunEnded("s".into())),
        ("session.tool.called", at.clone(), started),
        ("session.tool.success", at.clone(), WireEvent::CallEnded { session: "s".into(), call: call.clone() }),
        ("session.tool.failed", at, WireEvent::CallEnded { session: "s".into(), call }),
        ("session.execution.started", json!({ "sessionID": "s" }), WireEvent::RunBegan("s".into())),
        ("session.status", json!({ "sessionID": "s", "status": { "type": "busy" } }), WireEvent::RunBegan("s".into())),
        ("session.permissions", json!({ "sessionID": "s", "permissions": rules }), changed.clone()),
        ("session.permissions.updated", json!({ "sessionID": "s", "permissions": rules }), changed),
        ("session.permissions", json!({ "sessionID": "s", "permissions": [] }), ruled(vec![])),
        ("agent.updated", json!({}), WireEvent::AgentsChanged("/p".to_owned())),
        ("config.updated", json!(null), WireEvent::AgentsChanged("/p".to_owned())),
        ("location.shutdown", json!({}), WireEvent::Disposed(Some("/p".to_owned()))),
        ("permission.replied", json!({ "requestID": "p", "reply": "once" }), answered(Some(Reply::Once))),
        ("permission.replied", json!({ "requestID": "p", "reply": "always" }), answered(Some(Reply::Always))),
        ("permission.replied", json!({ "requestID": "p", "reply": "reject" }), answered(Some(Reply::Reject))),
        ("permission.replied", json!({ "requestID": "p", "reply": "perhaps" }), answered(None)),
    ];
    for (kind, data, event) in cases {
        assert_eq!(said(kind, data), Said::Event(event), "{kind}");
    }
}

fn asks(action: &str, resource: &str) -> Rule {
    Rule { action: action.to_owned(), resource: resource.to_owned(), effect: Effect::Ask }
}

#[test]
fn a_session_may_begin_with_rules() {
    let frame = |permissions: Value| {
        let data = json!({ "sessionID": "s", "location": { "directory": "/p" }, "permissions": permissions });
        hear(&json!({ "type": "session.created", "data": data }).to_string())
    };
    let begun = frame(json!([{ "action": "shell", "resource": "git *", "effect": "ask" }]));
    assert!(matches!(begun.said, Said::Event(WireEvent::SessionBegan(_))));
    let rules = vec![asks("shell", "git *")];
    assert_eq!(begun.also, Some(WireEvent::RulesChanged { session: "s".into(), rules }));
    for unclear in [json!(null), json!(7), json!([{ "action": "shell", "resource": "*", "effect": "perhaps" }])] {
        let begun = frame(unclear);
        assert!(matches!(begun.said, Said::Event(WireEvent::SessionBegan(_))), "the session is there all the same");
        assert_eq!(begun.also, None);
    }
}

#[test]
fn rules_that_are_not_all_understood_are_not_told() {
    for unclear in [json!(null), json!("x"), json!([{ "action": "shell", "resource": "*", "effect": "perhaps" }])] {
        let data = json!({ "sessionID": "s", "permissions": unclear });
        assert_eq!(said("session.permissions", data), Said::Unreadable, "{unclear}");
    }
    assert_eq!(said("session.permissions", json!({ "permissions": [] })), Said::Unreadable);
}

#[test]
fn agents_may_change_everywhere() {
    let anywhere = hear(r#"{"type":"config.updated"}"#);
    assert_eq!(anywhere.said, Said::Event(WireEvent::AgentsChanged(String::new())));
}

#[test]
fn what_does_not_matter_and_what_cannot_be_read() {
    let retry = json!({ "sessionID": "s", "status": { "type": "retry", "attempt": 1, "message": "m", "next": 1 } });
    assert_eq!(said("session.status", retry), Said::Nothing);
    for kind in ["session.text.delta", "session.synthetic", "agent.other"] {
        assert_eq!(said(kind, json!({})), Said::Nothing, "{kind}");
    }
    assert_eq!(said("heavens.opened", json!({})), Said::Unknown("heavens.opened".to_owned()));
    for kind in [
        "session.deleted",
        "session.idle",
        "session.tool.called",
        "permission.replied",
        "session.created",
        "form.created",
        "form.replied",
        "form.brand-new",
    ] {
        assert_eq!(said(kind, json!({})), Said::Unreadable, "{kind}");
        assert_eq!(said(kind, json!(7)), Said::Unreadable, "{kind}");
    }
    assert_eq!(hear("{").said, Said::Unreadable);
    assert_eq!(hear(r#"{"type":"location.shutdown","data":{}}"#).said, Said::Unreadable, "of no place");
    let greeting = hear(r#"{"id":"evt_1","type":"server.connected","data":{}}"#);
    assert_eq!((greeting.said, greeting.directory), (Said::Connected, None));
}

#[test]
fn a_half_of_a_surrogate_pair_hides_no_request() {
    let frame = r#"{"type":"permission.asked","location":{"directory":"/p"},
        "data":{"id":"per_1","sessionID":"s","action":"shell","resources":["rm \ud800 x"]}}"#;
    let Said::Event(WireEvent::Asked(ask)) = hear(frame).said else { panic!("hidden") };
    assert_eq!(ask.resources, ["rm \u{fffd} x"]);
}

#[test]
fn a_place_that_is_no_directory_is_none() {
    let frame = |place: &str| format!(r#"{{"type":"session.idle","location":{place},"data":{{"sessionID":"s"}}}}"#);
    assert_eq!(hear(&frame(r#"{"directory":"/a"}"#)).directory.as_deref(), Some("/a"));
    assert_eq!(hear(&frame(r#"{"directory":"C:\\a"}"#)).directory.as_deref(), Some("C:\\a"));
    for place in [r#"{"directory":"a"}"#, r#"{"directory":""}"#, r#"{"directory":7}"#, "{}", "null", "7"] {
        assert_eq!(hear(&frame(place)).directory, None, "{place}");
    }
}
