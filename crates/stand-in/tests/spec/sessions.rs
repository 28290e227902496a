//! Sessions, their messages, and the routes about the server.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, idle, names, session, start};

#[tokio::test]
async fn the_server_says_that_it_is_well_and_where() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    assert_eq!(client.get("/global/health").await, json!({ "healthy": true, "version": "1.18.33" }));
    assert_eq!(client.get("/path").await["directory"], PROJECT);
    assert_eq!(client.get(&format!("/path?directory={OTHER}")).await["directory"], OTHER);
    let agents = client.get("/agent").await;
    assert_eq!((&agents[0]["name"], &agents[1]["mode"]), (&json!("build"), &json!("subagent")));
    assert!(agents[0]["permission"].as_array().unwrap().iter().any(|rule| rule["action"] == "ask"));
}

#[tokio::test]
async fn what_is_no_route_is_a_web_page() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    for (method, path) in [(Method::GET, "/nowhere"), (Method::GET, "/"), (Method::POST, "/permission")] {
        let answer = client.http.request(method, format!("{}{path}", client.url)).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/html"), "{path}");
    }
}

#[tokio::test]
async fn sessions_are_listed_by_directory_and_for_all_the_newest_first() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let (_, first) = client.post("/session", json!({})).await;
    assert_eq!(first["directory"], PROJECT);
    assert!(first["title"].as_str().unwrap().starts_with("New session - 20"));
    let (_, second) = client.post(&format!("/session?directory={PROJECT}"), json!({ "title": "Second" })).await;
    let (_, child) = client.post("/session", json!({ "parentID": second["id"] })).await;
    assert!(child["title"].as_str().unwrap().starts_with("Child session - 20"));
    let (_, other) = client.post(&format!("/session?directory={OTHER}"), json!({})).await;
    let ids = |list: Value| list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
    let all = [&other["id"], &child["id"], &second["id"], &first["id"]];
    assert_eq!(ids(client.get("/session").await), all[1..].iter().map(|id| (*id).clone()).collect::<Vec<_>>());
    assert_eq!(ids(client.get("/session?roots=true").await), [second["id"].clone(), first["id"].clone()]);
    assert_eq!(ids(client.get("/session?limit=1").await), [child["id"].clone()]);
    assert_eq!(ids(client.get(&format!("/session?directory={OTHER}")).await), [other["id"].clone()]);
    let everywhere = client.get("/experimental/session").await;
    assert_eq!(everywhere[0]["project"]["worktree"], OTHER);
    assert_eq!(everywhere[0]["project"]["id"], everywhere[0]["projectID"]);
    assert_eq!(ids(everywhere), all.map(Clone::clone));
}

#[tokio::test]
async fn a_session_is_renamed_and_named_after_its_first_prompt() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let (_, created) = client.post("/session", json!({})).await;
    let id = created["id"].as_str().unwrap();
    let said = "Please fix the flaky login test at once\n---\nsay Done with it.";
    let body = json!({ "parts": [{ "type": "text", "text": said }] });
    assert_eq!(client.post(&format!("/session/{id}/prompt_async"), body).await, (204, json!("")));
    idle(&stand_in, id).await;
    assert_eq!(client.get(&format!("/session/{id}")).await["title"], "Please fix the flaky login test");
    let renamed = client.call(Method::PATCH, &format!("/session/{id}"), Some(&json!({ "title": "Login" }))).await;
    assert_eq!((renamed.0, &renamed.1["title"]), (200, &json!("Login")));
    let messages = client.get(&format!("/session/{id}/message")).await;
    assert_eq!(messages[0]["parts"][0]["text"], "Please fix the flaky login test at once", "the script is not shown");
    assert_eq!(messages[1]["info"]["parentID"], messages[0]["info"]["id"]);
    assert_eq!(messages[1]["parts"][1]["text"], "Done with it.");
}

#[tokio::test]
async fn messages_are_paged_from_the_newest() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "Talk");
    for number in 1..=3 {
        stand_in.prompt(&id, &format!("say {number}")).unwrap();
        idle(&stand_in, &id).await;
    }
    let all = client.get(&format!("/session/{id}/message")).await;
    assert_eq!(all.as_array().unwrap().len(), 6);
    let path = format!("{}/session/{id}/message?limit=4", client.url);
    let answer = client.http.get(&path).send().await.unwrap();
    let cursor = answer.headers()["x-next-cursor"].to_str().unwrap().to_owned();
    assert!(answer.headers()["link"].to_str().unwrap().ends_with("rel=\"next\""));
    let page: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!(page.as_array().unwrap()[..], all.as_array().unwrap()[2..]);
    assert_eq!(json!(cursor), page[0]["info"]["id"]);
    let older = client.get(&format!("/session/{id}/message?limit=4&before={cursor}")).await;
    assert_eq!(older.as_array().unwrap()[..], all.as_array().unwrap()[..2]);
    let one = client.get(&format!("/session/{id}/message/{cursor}")).await;
    assert_eq!(one, page[0]);
    assert_eq!(client.call(Method::GET, &format!("/session/{id}/message/msg_x"), None).await.0, 404);
}

#[tokio::test]
async fn a_blocking_prompt_is_answered_when_the_run_ends() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "Talk");
    let body = json!({ "parts": [{ "type": "text", "text": "shell ls\nsay All seen." }] });
    let path = format!("/session/{id}/message");
    let (answer, ()) = tokio::join!(client.post(&path, body), async {
        client.allow(&ask(&stand_in).await.id).await;
    });
    assert_eq!(answer.0, 200);
    assert_eq!((&answer.1["info"]["finish"], &answer.1["parts"][1]["text"]), (&json!("stop"), &json!("All seen.")));
}

#[tokio::test]
async fn text_that_is_no_script_is_answered_kindly() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "Talk");
    let body = json!({ "parts": [{ "type": "text", "text": "Hello there!" }] });
    let (status, answer) = client.post(&format!("/session/{id}/message"), body).await;
    let text = answer["parts"][1]["text"].as_str().unwrap();
    assert!(status == 200 && text.contains("`Hello` is no step"), "{text}");
    assert!(stand_in.prompt(&id, "Hello there!").is_err());
}

#[tokio::test]
async fn unknown_sessions_are_404_everywhere() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let prompt = json!({ "parts": [] });
    for (method, path, body) in [
        (Method::GET, "/session/ses_x", None),
        (Method::DELETE, "/session/ses_x", None),
        (Method::PATCH, "/session/ses_x", Some(json!({}))),
        (Method::GET, "/session/ses_x/children", None),
        (Method::GET, "/session/ses_x/message", None),
        (Method::POST, "/session/ses_x/prompt_async", Some(prompt.clone())),
        (Method::POST, "/session/ses_x/message", Some(prompt)),
    ] {
        let expected = json!({ "name": "NotFoundError", "data": { "message": "Session not found: ses_x" } });
        assert_eq!(client.call(method, path, body.as_ref()).await, (404, expected), "{path}");
    }
    assert!(stand_in.prompt("ses_x", "say hi").is_err());
}

#[tokio::test]
async fn an_abort_of_what_rests_or_is_nothing_says_idle_and_no_more() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let resting = stand_in.create_session(PROJECT, "Rests");
    let events = client.listen("/global/event").await;
    for id in [resting.as_str(), "ses_x"] {
        assert_eq!(client.post(&format!("/session/{id}/abort"), json!(null)).await, (200, json!(true)));
    }
    events.until_heard(2, "session.idle").await;
    let idle: Vec<Value> = events.of_type("session.idle").iter().map(|one| one["sessionID"].clone()).collect();
    assert_eq!(idle, [json!(resting), json!("ses_x")]);
    assert_eq!(names(&events.heard()).len(), 5);
}

#[tokio::test]
async fn wrong_bodies_and_identifiers_are_refused_to_the_letter() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = stand_in.create_session(PROJECT, "A session");
    let bad = |message: &str| json!({ "name": "BadRequest", "data": { "message": message, "kind": "Payload" } });
    let rule = json!({ "permission": [{ "permission": "bash", "pattern": "*", "action": "maybe" }] });
    let no_action = "Expected PermissionAction, got \"maybe\"\n  at [\"permission\"][0][\"action\"]";
    let no_rules = "Expected PermissionRuleset | null, got \"all\"\n  at [\"permission\"]";
    let no_message = json!({ "name": "NotFoundError", "data": { "message": "Message not found: msg_x" } });
    let session = format!("/session/{id}");
    for (method, path, body, status, answer) in [
        (Method::PATCH, session.as_str(), Some(json!({ "permission": "all" })), 400, bad(no_rules)),
        (Method::PATCH, &session, Some(rule), 400, bad(no_action)),
        (Method::PATCH, &session, None, 400, bad("Expected object, got undefined")),
        (Method::POST, "/session", Some(json!({ "title": 5 })), 400, json!({ "_tag": "BadRequest" })),
        (Method::POST, "/session", Some(json!([])), 400, json!({ "_tag": "BadRequest" })),
        (Method::GET, "/session/ses_x/message/msg_x", None, 404, no_message),
    ] {
        assert_eq!(client.call(method, path, body.as_ref()).await, (status, answer), "{path} {body:?}");
    }
    let (status, answer) = client.call(Method::GET, "/session/xyz", None).await;
    assert_eq!((status, &answer["name"]), (500, &json!("UnknownError")));
    assert_eq!(client.call(Method::PATCH, &session, Some(&json!({ "permission": null }))).await.0, 200);
}

#[tokio::test]
async fn a_failing_model_ends_the_run_with_an_error() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, "fail 401 no credit left\nshell never");
    idle(&stand_in, &id).await;
    events.caught_up(&stand_in).await;
    let error = events.of_type("session.error").remove(0)["error"].clone();
    assert_eq!((&error["name"], &error["data"]["statusCode"]), (&json!("APIError"), &json!(401)));
    assert_eq!(error["data"]["message"], "no credit left");
    let last = client.get(&format!("/session/{id}/message")).await[1]["info"].clone();
    assert_eq!(last["error"], error);
}
