//! The server itself: what it says of itself, who may speak with it, and which location is meant.

use gavel_stand_in::{Options, StandIn, Switches};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, encoded, session, start};

#[tokio::test]
async fn it_says_who_it_is() {
    let stand_in = start().await;
    let info = Client::of(&stand_in).get("/api/info").await;
    assert_eq!((&info["version"], &info["pid"]), (&json!("2.1.2"), &json!(std::process::id())));
    assert_eq!(info["urls"], json!([stand_in.url()]));
}

#[tokio::test]
async fn with_a_password_nothing_is_open() {
    let options = Options { password: Some("s3cret".to_owned()), ..Options::v2(Switches::default()) };
    let stand_in = StandIn::start(options).await.unwrap();
    let stranger = Client::of(&stand_in);
    for path in ["/api/info", "/api/session", "/api/permission/request"] {
        let (status, body) = stranger.call(Method::GET, path, None).await;
        assert_eq!((status, &body["_tag"]), (401, &json!("UnauthorizedError")), "{path}");
    }
    for path in ["/", "/api/event", "/global/health"] {
        assert_eq!(stranger.raw(Method::GET, path, &[], None).await.0, 401, "{path}");
    }
    let wrong = Client { password: Some("secret".to_owned()), ..Client::of(&stand_in) };
    assert_eq!(wrong.call(Method::GET, "/api/info", None).await.0, 401);
    let friend = Client { password: Some("s3cret".to_owned()), ..Client::of(&stand_in) };
    friend.get("/api/info").await;
    friend.listen().await;
}

#[tokio::test]
async fn an_empty_password_is_none() {
    let options = Options { password: Some(String::new()), ..Options::v2(Switches::default()) };
    Client::of(&StandIn::start(options).await.unwrap()).get("/api/info").await;
}

#[tokio::test]
async fn what_is_no_route_is_a_web_page() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "say hello");
    for path in ["/", "/api/nothing", "/api/health", "/global/health", "/permission", "/event", "/session", "/question"]
    {
        client.is_no_route(Method::GET, path).await;
    }
    for path in ["/session", "/permission/per_1/reply", "/instance/dispose", &format!("/session/{id}/abort")] {
        client.is_no_route(Method::POST, path).await;
    }
    client.is_no_route(Method::DELETE, "/api/info").await;
    client.is_no_route(Method::PUT, &format!("/api/session/{id}")).await;
}

#[tokio::test]
async fn the_query_goes_before_the_header_and_both_before_the_servers_own_directory() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    stand_in.add_directory("/home/dev/mit Umlaut ä", true);
    let _ = stand_in.create_session(OTHER, "known");
    let query = format!("/api/location?location%5Bdirectory%5D={}", encoded(OTHER));
    let header = encoded("/home/dev/mit Umlaut ä");
    for (path, headers, expected) in [
        (query.as_str(), vec![("x-opencode-directory", header.as_str())], OTHER),
        ("/api/location", vec![("x-opencode-directory", header.as_str())], "/home/dev/mit Umlaut ä"),
        ("/api/location", vec![("x-opencode-directory", OTHER)], OTHER),
        ("/api/location", vec![], PROJECT),
        // A plain one says nothing here.
        ("/api/location?directory=/home/dev/other", vec![], PROJECT),
        ("/api/location?location[directory]=/home/dev/other", vec![], OTHER),
        ("/api/location?location%5Bdirectory%5D=", vec![("x-opencode-directory", OTHER)], OTHER),
        ("/api/location?location%5Bdirectory%5D=", vec![], PROJECT),
    ] {
        let (status, body) = client.call_with(Method::GET, path, &headers, None).await;
        assert_eq!((status, &body["directory"]), (200, &json!(expected)), "{path} {headers:?}");
    }
}

#[tokio::test]
async fn a_location_has_to_be_absolute_and_to_exist() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    for directory in ["/nowhere/at/all", "relative", "/home/dev/project-2", "/home/dev"] {
        let at = encoded(directory);
        for route in
            ["location", "agent", "form", "permission/request", "permission/saved", "provider", "model/default"]
        {
            let path = format!("/api/{route}?location%5Bdirectory%5D={at}");
            let (status, body) = client.call(Method::GET, &path, None).await;
            let found = (status, body["_tag"].as_str().unwrap(), body["location"]["directory"].as_str().unwrap());
            assert_eq!(found, (404, "LocationNotFoundError", directory), "{path}");
        }
    }
    let real = env!("CARGO_MANIFEST_DIR");
    client.create(json!({ "location": { "directory": real } })).await;
}

#[tokio::test]
async fn a_session_may_be_made_anywhere_but_nothing_goes_on_where_nothing_is() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    assert_eq!(client.post("/api/session", json!({ "location": { "directory": "relative" } })).await.0, 400);
    let lost = client.create(json!({ "location": { "directory": "/nowhere/at/all" } })).await;
    assert_eq!((&lost["projectID"], &lost["subpath"]), (&json!("global"), &json!("nowhere/at/all")));
    let path = format!("/api/session/{}", lost["id"].as_str().unwrap());
    client.get(&path).await;
    for route in ["permission", "form"] {
        let (status, body) = client.call(Method::GET, &format!("{path}/{route}"), None).await;
        assert_eq!((status, &body["_tag"]), (404, &json!("LocationNotFoundError")), "{route}");
    }
    assert_eq!(client.post(&format!("{path}/prompt"), json!({ "text": "say hi" })).await.0, 404);
}

#[tokio::test]
async fn a_directory_with_a_slash_at_its_end_is_another_location() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    session(&stand_in, "shell ls");
    ask(&stand_in).await;
    for (directory, count) in [(PROJECT, 1), ("/home/dev/project/", 0)] {
        let at = encoded(directory);
        let list = client.get(&format!("/api/permission/request?location%5Bdirectory%5D={at}")).await;
        assert_eq!(
            (&list["location"]["directory"], list["data"].as_array().unwrap().len()),
            (&json!(directory), count)
        );
        let location = client.get(&format!("/api/location?location%5Bdirectory%5D={at}")).await;
        assert_eq!(location["project"]["directory"], PROJECT);
    }
}

#[tokio::test]
async fn projects_are_repositories_and_the_rest_is_global() {
    let stand_in = start().await;
    stand_in.add_directory("/home/dev/loose", false);
    stand_in.add_directory("/home/dev/elsewhere", false);
    let client = Client::of(&stand_in);
    let project = async |directory: &str| {
        let info = client.get(&format!("/api/location?location%5Bdirectory%5D={}", encoded(directory))).await;
        info["project"]["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(project(PROJECT).await, project(&format!("{PROJECT}/deep/down")).await);
    assert_eq!(
        (project("/home/dev/loose").await, project("/home/dev/elsewhere/x").await),
        ("global".into(), "global".into())
    );
    assert_ne!(project(PROJECT).await, "global");
    let below = client.create(json!({ "location": { "directory": "/home/dev/project/deep" } })).await;
    assert_eq!((&below["subpath"], &below["projectID"]), (&json!("deep"), &json!(project(PROJECT).await)));
}

#[tokio::test]
async fn there_is_a_provider_and_a_model() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let providers = client.get("/api/provider").await;
    let id = providers["data"][0]["id"].as_str().unwrap();
    assert_eq!(client.get(&format!("/api/provider/{id}")).await["data"], providers["data"][0]);
    let (status, body) = client.call(Method::GET, "/api/provider/none", None).await;
    assert_eq!((status, &body["_tag"]), (404, &json!("ProviderNotFoundError")));
    assert_eq!(client.get("/api/model/default").await["data"]["providerID"], json!(id));
}

#[tokio::test]
async fn the_model_can_be_asked_beside_a_session() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "say hello");
    let path = format!("/api/session/{id}/generate");
    stand_in.set_generated(Some("It is safe."));
    assert_eq!(
        client.post(&path, json!({ "prompt": "Is it safe?" })).await.1,
        json!({ "data": { "text": "It is safe." } })
    );
    assert_eq!(stand_in.world(|world| world.asked_of_model().to_vec()), [(id, "Is it safe?".to_owned())]);
    let alone = json!({ "prompt": "And this?", "model": { "providerID": "stand-in", "id": "scripted-1" } });
    // The schema doesn't name this route.
    let generate = async |body: Value| {
        let (status, _, text) =
            client.raw(Method::POST, "/api/experimental/generate", &[], Some(body.to_string())).await;
        (status, serde_json::from_str::<Value>(&text).unwrap())
    };
    assert_eq!(generate(alone).await, (200, json!({ "data": { "text": "It is safe." } })));
    assert_eq!(stand_in.world(|world| world.asked_of_model()[1].clone()), (String::new(), "And this?".to_owned()));
    stand_in.set_generated(None);
    assert_eq!(generate(json!({ "prompt": "?" })).await.0, 503);
    assert_eq!(generate(json!({})).await.0, 400);
    let (status, body) = client.post(&path, json!({ "prompt": "Is it safe?" })).await;
    assert_eq!((status, &body["_tag"]), (503, &json!("ServiceUnavailableError")));
    assert_eq!(client.post(&path, json!({})).await.0, 400);
}
