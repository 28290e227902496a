//! Approvals that projects have saved.

use gavel_stand_in::{StandIn, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, encoded, start, start_as, until};

/// Saves an approval in the project of a directory, as a user does: by asking and answering `always`.
async fn save(stand_in: &StandIn, directory: &str, action: &str, resource: &str) {
    let client = Client::of(stand_in);
    let id = stand_in.create_session(directory, "A session");
    stand_in.set_agent("asker", Vec::new());
    let body = json!({ "action": action, "resources": ["what nothing covers"], "save": [resource], "agent": "asker" });
    assert_eq!(client.effect(&id, body).await, "ask");
    client.decide(&ask(stand_in).await, "always").await;
}

async fn list(client: &Client, query: &str) -> Vec<Value> {
    client.get(&format!("/api/permission/saved{query}")).await["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn they_are_listed_by_project_and_never_twice() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    for (directory, resource) in [(PROJECT, "ls *"), (PROJECT, "git *"), (PROJECT, "ls *"), (OTHER, "rm *")] {
        save(&stand_in, directory, "shell", resource).await;
    }
    let here = list(&client, "").await;
    assert_eq!(here.iter().map(|one| one["resource"].as_str().unwrap()).collect::<Vec<_>>(), ["ls *", "git *"]);
    assert!(here.iter().all(|one| one["id"].as_str().unwrap().starts_with("psv_")));
    let there = list(&client, &format!("?location%5Bdirectory%5D={}", encoded(OTHER))).await;
    let project = there[0]["projectID"].as_str().unwrap();
    assert_eq!((there.len(), &list(&client, &format!("?projectID={project}")).await), (1, &there));
}

#[tokio::test]
async fn they_are_changed_and_taken_back() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    save(&stand_in, PROJECT, "shell", "ls *").await;
    save(&stand_in, PROJECT, "shell", "git *").await;
    let id = list(&client, "").await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/permission/saved/{id}");
    let (status, changed) = client.patch(&path, json!({ "resource": "ls" })).await;
    assert_eq!(
        (status, &changed["data"]["action"], &changed["data"]["resource"]),
        (200, &json!("shell"), &json!("ls"))
    );
    assert_eq!(client.patch(&path, json!({})).await.1["data"]["resource"], "ls");
    let (status, refusal) = client.patch(&path, json!({ "resource": "git *" })).await;
    assert_eq!((status, &refusal["_tag"]), (409, &json!("ConflictError")));
    let (status, refusal) = client.patch("/api/permission/saved/psv_none", json!({ "resource": "x" })).await;
    assert_eq!((status, &refusal["_tag"]), (404, &json!("PermissionSavedNotFoundError")));
    assert_eq!(client.patch("/api/permission/saved/psv_none", json!({ "resource": 1 })).await.0, 400);
    for _ in 0..2 {
        assert_eq!(client.delete(&path).await.0, 204);
    }
    assert_eq!(list(&client, "").await.len(), 1);
}

#[tokio::test]
async fn what_is_taken_back_is_asked_for_again() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    save(&stand_in, PROJECT, "shell", "ls *").await;
    let id = stand_in.create_session(PROJECT, "A session");
    let ls = json!({ "action": "shell", "resources": ["ls -la"] });
    assert_eq!(client.effect(&id, ls.clone()).await, "allow");
    let saved = list(&client, "").await[0]["id"].as_str().unwrap().to_owned();
    client.delete(&format!("/api/permission/saved/{saved}")).await;
    assert_eq!(client.effect(&id, ls).await, "ask");
}

#[tokio::test]
async fn outside_any_repository_they_are_shared() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    stand_in.add_directory("/home/dev/loose", false);
    stand_in.add_directory("/home/dev/elsewhere", false);
    save(&stand_in, "/home/dev/loose", "shell", "ls *").await;
    assert_eq!(list(&client, "?projectID=global").await.len(), 1);
    let ls = json!({ "action": "shell", "resources": ["ls"] });
    for (directory, effect) in [("/home/dev/elsewhere", "allow"), (PROJECT, "ask")] {
        let id = stand_in.create_session(directory, "A session");
        assert_eq!(client.effect(&id, ls.clone()).await, effect, "{directory}");
    }
}

#[tokio::test]
async fn an_approval_of_one_session_answers_the_others_of_its_location() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "A session");
    client.effect(&id, json!({ "action": "edit", "resources": ["src/a", "src/b"], "save": ["src/*"] })).await;
    let first = ask(&stand_in).await;
    let other = stand_in.create_session(PROJECT, "Another");
    client.effect(&other, json!({ "action": "edit", "resources": ["src/c"] })).await;
    client.effect(&other, json!({ "action": "edit", "resources": ["src/c", "docs/d"] })).await;
    client.decide(&first, "always").await;
    until(&stand_in, "one request", |world| world.pending().len() == 1).await;
    assert_eq!(ask(&stand_in).await.patterns, ["src/c", "docs/d"], "only what is covered as a whole is answered");
}

#[tokio::test]
async fn early_releases_can_not_change_them() {
    let stand_in = start_as(Switches { saved_update: false, ..Switches::default() }).await;
    let client = Client::of(&stand_in);
    client.is_no_route(Method::PATCH, "/api/permission/saved/psv_1").await;
    assert_eq!(client.delete("/api/permission/saved/psv_1").await.0, 204);
}
