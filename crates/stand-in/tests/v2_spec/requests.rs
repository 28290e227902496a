//! Requests for permission: what they say, where they are listed, and what a client may ask for itself.

use gavel_stand_in::Switches;
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, asks, encoded, session, start, start_as};

async fn asked(stand_in: &gavel_stand_in::StandIn, script: &str) -> Value {
    let id = session(stand_in, script);
    ask(stand_in).await;
    let list = Client::of(stand_in).get(&format!("/api/session/{id}/permission")).await;
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    list["data"][0].clone()
}

#[tokio::test]
async fn each_tool_asks_in_its_own_way() {
    for (script, action, resources, save) in [
        ("shell git push origin main", "shell", json!(["git push origin main"]), json!(["git push *"])),
        (
            "shell cd src && npm run build | tee out.txt; echo $(whoami) > /dev/null",
            "shell",
            json!(["npm run build", "tee out.txt", "echo $(whoami) > /dev/null", "whoami"]),
            json!(["npm run build *", "tee *", "echo *", "whoami *"]),
        ),
        ("write notes.md\n| hello", "edit", json!(["notes.md"]), json!(["*"])),
        ("edit /home/dev/project/src/a.ts\n| -a\n| +b", "edit", json!(["src/a.ts"]), json!(["*"])),
        ("read .env", "read", json!([".env"]), json!(["*"])),
        (
            "read /home/dev/elsewhere/x",
            "external_directory",
            json!(["/home/dev/elsewhere/*"]),
            json!(["/home/dev/elsewhere/*"]),
        ),
        (
            "shell pwd\n: in /home/dev/elsewhere",
            "external_directory",
            json!(["/home/dev/elsewhere/*"]),
            json!(["/home/dev/elsewhere/*"]),
        ),
        (
            "shell cd /home/dev/elsewhere",
            "external_directory",
            json!(["/home/dev/elsewhere/*"]),
            json!(["/home/dev/elsewhere/*"]),
        ),
        ("fetch https://example.com", "webfetch", json!(["https://example.com"]), json!(["*"])),
        (
            "ask deploy_gate\n: pattern production\n: always production*\n| {\"risk\": 1}",
            "deploy_gate",
            json!(["production"]),
            json!(["production*"]),
        ),
    ] {
        let stand_in = start().await;
        let request = asked(&stand_in, script).await;
        let found = (&request["action"], &request["resources"], &request["save"]);
        assert_eq!(found, (&json!(action), &resources, &save), "{script}");
        assert!(
            request["id"].as_str().unwrap().starts_with("per_") && request["source"]["type"] == "tool",
            "{request}"
        );
    }
}

#[tokio::test]
async fn an_edit_shows_what_would_change() {
    let request = asked(&start().await, "edit src/a.ts\n| -old\n| +new").await;
    let file = &request["metadata"]["files"][0];
    assert_eq!((&file["file"], &file["additions"], &file["deletions"]), (&json!("src/a.ts"), &json!(1), &json!(1)));
    let patch = file["patch"].as_str().unwrap();
    assert!(patch.contains("-old\n+new") && patch.starts_with("Index: src/a.ts\n"), "{patch}");
    let silent = start_as(Switches { previews: false, ..Switches::default() }).await;
    assert_eq!(asked(&silent, "edit src/a.ts\n| -old\n| +new").await.get("metadata"), None);
}

#[tokio::test]
async fn a_plugin_may_say_why_it_asks() {
    let request = asked(&start().await, "ask deploy_gate\n: pattern x\n: message It is Friday").await;
    assert_eq!((&request["message"], request.get("save")), (&json!("It is Friday"), None));
}

#[tokio::test]
async fn going_somewhere_inside_needs_no_leave() {
    let stand_in = start().await;
    let id = session(&stand_in, "shell cd src\nread notes.md\nagent Look\n> say nothing");
    crate::client::idle(&stand_in, &id).await;
    assert_eq!(crate::client::ran(&stand_in), ["cd src", "notes.md", "Look"]);
}

#[tokio::test]
async fn requests_are_listed_by_location_and_by_session() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let parent = session(&stand_in, "agent Look around\n> shell deep");
    let child = ask(&stand_in).await;
    let there = stand_in.create_session(OTHER, "There");
    stand_in.prompt(&there, "shell far").unwrap();
    asks(&stand_in, 2).await;
    let at = async |directory: &str| {
        let list = client.get(&format!("/api/permission/request?location%5Bdirectory%5D={}", encoded(directory))).await;
        assert_eq!(list["location"]["directory"], json!(directory));
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["sessionID"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!((at(PROJECT).await, at(OTHER).await), (vec![child.session.clone()], vec![there.clone()]));
    let of =
        async |id: &str| client.get(&format!("/api/session/{id}/permission")).await["data"].as_array().unwrap().len();
    assert_eq!((of(&parent).await, of(&child.session).await, of(&there).await), (0, 1, 1));
    let one = client.get(&format!("/api/session/{}/permission/{}", child.session, child.id)).await;
    assert_eq!(one["data"]["resources"], json!(["deep"]));
    let foreign = format!("/api/session/{there}/permission/{}", child.id);
    let (status, body) = client.call(Method::GET, &foreign, None).await;
    assert_eq!((status, &body["_tag"]), (404, &json!("PermissionNotFoundError")));
}

#[tokio::test]
async fn a_client_may_ask_what_the_rules_say_and_really_asks() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = stand_in.create_session(PROJECT, "A session");
    let path = format!("/api/session/{id}/permission");
    let source = json!({ "type": "tool", "messageID": "msg_1", "id": "call_1" });
    let body = json!({
        "id": "per_mine", "action": "shell", "resources": ["ls"], "save": ["ls *"], "metadata": { "a": 1 }, "source": source,
    });
    assert_eq!(client.post(&path, body.clone()).await.1, json!({ "data": { "id": "per_mine", "effect": "ask" } }));
    let listed = &client.get(&path).await["data"][0];
    let mut expected = body.clone();
    expected["sessionID"] = json!(id);
    assert_eq!(*listed, expected);
    events.until_heard("permission.asked").await;
    assert_eq!(client.post(&path, body).await.0, 500, "there is one of that name");
    assert_eq!(client.effect(&id, json!({ "action": "glob", "resources": ["*"] })).await, "allow");
    assert_eq!(client.effect(&id, json!({ "action": "shell", "resources": [] })).await, "allow");
    assert_eq!(client.effect(&id, json!({ "action": "glob", "resources": ["*"], "agent": "title" })).await, "deny");
    assert_eq!(client.effect(&id, json!({ "action": "glob", "resources": ["*"], "agent": "nobody" })).await, "deny");
    assert_eq!(stand_in.pending().len(), 1);
    for (body, message) in [
        (json!({ "resources": ["ls"] }), "Missing key\n  at [\"action\"]"),
        (json!({ "action": "shell" }), "Missing key\n  at [\"resources\"]"),
        (json!({ "action": "shell", "resources": "ls" }), "Expected array, got \"ls\"\n  at [\"resources\"]"),
        (
            json!({ "action": "shell", "resources": ["ls"], "id": "x" }),
            "Expected a string starting with \"per\", got \"x\"\n  at [\"id\"]",
        ),
        (
            json!({ "action": "shell", "resources": ["ls"], "source": {} }),
            "Expected Permission.Source, got {}\n  at [\"source\"]",
        ),
        (json!({ "action": "shell", "resources": ["ls"], "save": null }), "Expected array, got null\n  at [\"save\"]"),
        (
            json!({ "action": "shell", "resources": ["ls"], "agent": 5 }),
            "Expected string | null, got 5\n  at [\"agent\"]",
        ),
        (json!([]), "Expected object, got []"),
    ] {
        let (status, refusal) = client.post(&path, body).await;
        assert_eq!((status, &refusal["message"]), (400, &json!(message)));
    }
}

#[tokio::test]
async fn commands_may_come_as_they_are_and_without_what_would_be_saved() {
    let switches = Switches { shell: gavel_stand_in::ShellResources::Raw, save: false, ..Switches::default() };
    let request = asked(&start_as(switches).await, "shell git status && git push").await;
    assert_eq!((&request["resources"], request.get("save")), (&json!(["git status && git push"]), None));
    assert_eq!(request.get("metadata"), None, "a command has none");
}
