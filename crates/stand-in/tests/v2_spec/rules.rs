//! The rules of sessions: given, replaced, inherited, and what they lead to.

use gavel_stand_in::{SessionRules, Switches};
use serde_json::{Value, json};

use crate::client::{Client, PROJECT, ask, idle, of_type, ran, rule, session, start, start_as, until};

#[tokio::test]
async fn rules_are_replaced_and_that_is_told() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let created = client.create(json!({ "permissions": [rule("shell", "*", "allow")] })).await;
    assert_eq!(created["permissions"], json!([rule("shell", "*", "allow")]));
    let path = format!("/api/session/{}", created["id"].as_str().unwrap());
    let second = json!([rule("shell", "rm *", "deny"), rule("edit", "*", "ask")]);
    assert_eq!(client.patch(&path, json!({ "permissions": second })).await.0, 204);
    assert_eq!(client.get(&path).await["data"]["permissions"], second);
    assert_eq!(client.patch(&path, json!({ "title": "New" })).await.0, 204);
    let session = client.get(&path).await["data"].clone();
    assert_eq!((&session["permissions"], &session["title"]), (&second, &json!("New")));
    assert_eq!(client.patch(&path, json!({ "permissions": null, "title": null })).await.0, 204);
    assert_eq!(client.get(&path).await["data"]["permissions"], second, "`null` says nothing");
    assert_eq!(client.patch(&path, json!({ "permissions": [] })).await.0, 204);
    assert_eq!(client.get(&path).await["data"].get("permissions"), None);
    let told = of_type(&events.caught_up(&stand_in).await, "session.permissions");
    let lists: Vec<&Value> = told.iter().map(|data| &data["permissions"]).collect();
    assert_eq!(lists, [&second, &json!([])]);
    for body in [
        json!({ "permissions": {} }),
        json!({ "permissions": [{ "action": "shell", "resource": "*" }] }),
        json!({ "permissions": [rule("shell", "*", "never")] }),
        json!({ "archived": "yes" }),
    ] {
        assert_eq!(client.patch(&path, body.clone()).await.0, 400, "{body}");
        assert_eq!(client.patch("/api/session/ses_none", body.clone()).await.0, 404, "{body}");
    }
    assert_eq!(client.patch("/api/session/ses_none", json!({})).await.0, 404);
}

#[tokio::test]
async fn children_inherit_what_their_parent_has_then() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let rules = json!([rule("shell", "ls *", "allow")]);
    let parent = client.create(json!({ "permissions": rules, "location": { "directory": PROJECT } })).await;
    let id = parent["id"].as_str().unwrap();
    let child = client.create(json!({ "parentID": id, "location": { "directory": "/nowhere" } })).await;
    assert_eq!((&child["permissions"], &child["location"]["directory"]), (&rules, &json!(PROJECT)));
    let own = client.create(json!({ "parentID": id, "permissions": [] })).await;
    assert_eq!(own.get("permissions"), None);
    let (_, fork) = client.post(&format!("/api/session/{id}/fork"), json!({})).await;
    assert_eq!(fork["data"]["permissions"], rules);
    client.patch(&format!("/api/session/{id}"), json!({ "permissions": [rule("shell", "*", "deny")] })).await;
    let path = format!("/api/session/{}", child["id"].as_str().unwrap());
    assert_eq!(client.get(&path).await["data"]["permissions"], rules, "later changes are not passed on");
    // The same goes for sub-agents.
    client.patch(&format!("/api/session/{id}"), json!({ "permissions": rules })).await;
    stand_in.prompt(id, "agent Look\n> shell ls -la\n> shell rm x").unwrap();
    let pending = ask(&stand_in).await;
    assert_eq!(
        (pending.patterns, ran(&stand_in)),
        (vec!["rm x".to_owned()], vec!["Look".to_owned(), "ls -la".to_owned()])
    );
    assert_eq!(client.create(json!({ "parentID": id })).await["permissions"], rules);
    let (status, body) = client.post("/api/session", json!({ "parentID": "ses_none" })).await;
    assert_eq!((status, &body["_tag"]), (404, &json!("SessionNotFoundError")));
}

#[tokio::test]
async fn new_rules_count_from_the_next_look_on() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell a\nshell b\nshell c");
    let path = format!("/api/session/{id}");
    let first = ask(&stand_in).await;
    client.patch(&path, json!({ "permissions": [rule("shell", "b", "allow"), rule("shell", "c", "deny")] })).await;
    assert_eq!(ask(&stand_in).await.id, first.id, "what is asked already stays asked");
    client.decide(&first, "once").await;
    idle(&stand_in, &id).await;
    assert_eq!(ran(&stand_in), ["a", "b"]);
    assert_eq!(stand_in.told(&id).last().unwrap(), "Permission denied: shell");
}

#[tokio::test]
async fn a_session_may_open_what_its_agent_is_denied() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let created = client.create(json!({ "agent": "plan", "permissions": [] })).await;
    let id = created["id"].as_str().unwrap();
    let edit = json!({ "action": "edit", "resources": ["a.ts"] });
    client.patch(&format!("/api/session/{id}"), json!({ "permissions": [rule("edit", "*", "deny")] })).await;
    assert_eq!(client.effect(id, edit.clone()).await, "deny");
    client.patch(&format!("/api/session/{id}"), json!({ "permissions": [rule("*", "*", "allow")] })).await;
    assert_eq!(client.effect(id, edit).await, "allow");
    stand_in.prompt(id, "ask deploy_gate\n: pattern x").unwrap();
    idle(&stand_in, id).await;
    assert_eq!(ran(&stand_in), ["deploy_gate"], "full access asks for nothing");
}

#[tokio::test]
async fn sub_agents_can_be_switched_off() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let created = client.create(json!({ "permissions": [rule("subagent", "*", "deny")] })).await;
    let id = created["id"].as_str().unwrap();
    stand_in.prompt(id, "agent Look\n> shell ls").unwrap();
    idle(&stand_in, id).await;
    assert!(ran(&stand_in).is_empty());
}

#[tokio::test]
async fn earlier_releases_replace_rules_by_another_route() {
    let stand_in = start_as(Switches { session_rules: SessionRules::Post, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "say hello");
    let rules = json!([rule("shell", "*", "allow")]);
    client.is_no_route(reqwest::Method::PATCH, &format!("/api/session/{id}")).await;
    let path = format!("/api/session/{id}/permissions");
    assert_eq!(client.post(&path, json!({ "permissions": rules })).await.0, 204);
    assert_eq!(client.get(&format!("/api/session/{id}")).await["data"]["permissions"], rules);
    assert_eq!(client.post(&path, json!({})).await.0, 400);
    assert_eq!(client.post("/api/session/ses_none/permissions", json!({ "permissions": [] })).await.0, 404);
}

#[tokio::test]
async fn and_the_first_had_no_such_rules_at_all() {
    let stand_in = start_as(Switches { session_rules: SessionRules::Neither, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    let created = client.create(json!({ "permissions": [rule("shell", "*", "allow")] })).await;
    assert_eq!(created.get("permissions"), None);
    let id = created["id"].as_str().unwrap();
    client.is_no_route(reqwest::Method::POST, &format!("/api/session/{id}/permissions")).await;
    client.is_no_route(reqwest::Method::PATCH, &format!("/api/session/{id}")).await;
    stand_in.prompt(id, "shell ls").unwrap();
    until(&stand_in, "request", |world| !world.pending().is_empty()).await;
}
