//! Rules of a session: given at its creation, appended later, and what they lead to.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, PROJECT, ask, idle, ran, start, until};

fn rule(permission: &str, pattern: &str, action: &str) -> Value {
    json!({ "permission": permission, "pattern": pattern, "action": action })
}

#[tokio::test]
async fn rules_are_appended_and_never_removed() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let body = json!({ "permission": [rule("bash", "*", "allow")] });
    let (_, created) = client.post(&format!("/session?directory={PROJECT}"), body).await;
    let path = format!("/session/{}", created["id"].as_str().unwrap());
    for added in [json!([rule("bash", "rm *", "deny")]), json!([rule("bash", "rm *", "deny")]), json!([])] {
        assert_eq!(client.call(Method::PATCH, &path, Some(&json!({ "permission": added }))).await.0, 200);
    }
    let expected = json!([rule("bash", "*", "allow"), rule("bash", "rm *", "deny"), rule("bash", "rm *", "deny")]);
    assert_eq!(client.get(&path).await["permission"], expected);
}

const FORBIDS: &str = "The user has specified a rule which prevents you from using this specific tool call. \
    Here are some of the relevant rules ";
const DEFAULTS: &str =
    r#"{"permission":"*","action":"allow","pattern":"*"},{"permission":"bash","action":"ask","pattern":"*"}"#;
const DENY_RM: &str = r#"{"permission":"bash","action":"deny","pattern":"rm *"}"#;

#[tokio::test]
async fn of_the_rules_that_match_the_last_one_holds() {
    let allow_all = rule("*", "*", "allow");
    for (rules, command, expected) in [
        (json!([allow_all]), "ls", "runs"),
        (json!([allow_all, rule("bash", "*", "ask")]), "ls", "asks"),
        (json!([rule("bash", "*", "ask"), rule("bash", "ls *", "allow")]), "ls", "runs"),
        (json!([rule("bash", "ls *", "allow")]), "ls && rm x", "asks"),
        (json!([rule("bash", "rm *", "deny")]), "ls && rm x", "is forbidden"),
        (json!([rule("edit", "*", "allow")]), "ls", "asks"),
        (json!([rule("bash", "*", "deny")]), "ls", "is absent"),
    ] {
        let stand_in = start().await;
        let client = Client::of(&stand_in);
        let (_, created) = client.post(&format!("/session?directory={PROJECT}"), json!({ "permission": rules })).await;
        let id = created["id"].as_str().unwrap();
        stand_in.prompt(id, &format!("shell {command}")).unwrap();
        let over = |world: &gavel_stand_in::World| {
            !world.pending().is_empty() || world.status(id) == gavel_stand_in::Status::Idle
        };
        until(&stand_in, "request or end", over).await;
        let told = stand_in.told(id).pop().unwrap_or_default();
        let found = match (stand_in.pending().len(), ran(&stand_in).len()) {
            (1, 0) => "asks",
            (0, 1) => "runs",
            (0, 0) if told.contains("unavailable tool 'bash'") => "is absent",
            (0, 0) if told.ends_with(&format!("{FORBIDS}[{DEFAULTS},{DENY_RM}]")) => "is forbidden",
            other => panic!("{other:?}: {told}"),
        };
        assert_eq!(found, expected, "`{command}` under {rules}");
    }
}

#[tokio::test]
async fn always_is_stronger_than_a_rule() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let (_, created) = client.post(&format!("/session?directory={PROJECT}"), json!({})).await;
    let id = created["id"].as_str().unwrap();
    stand_in.prompt(id, "shell cat a").unwrap();
    client.reply(&ask(&stand_in).await.id, json!({ "reply": "always" })).await;
    idle(&stand_in, id).await;
    let body = json!({ "permission": [rule("bash", "cat b", "deny")] });
    client.call(Method::PATCH, &format!("/session/{id}"), Some(&body)).await;
    stand_in.prompt(id, "shell cat b").unwrap();
    idle(&stand_in, id).await;
    assert_eq!(ran(&stand_in), ["cat a", "cat b"]);
}
