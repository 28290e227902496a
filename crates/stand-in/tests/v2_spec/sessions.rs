//! Sessions and their messages.

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Client, OTHER, PROJECT, ask, idle, of_type, session, start};

fn ids(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_session_says_what_it_was_given_and_no_more() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let bare = client.create(json!({})).await;
    for key in ["title", "agent", "model", "metadata", "permissions", "parentID", "outcome"] {
        assert_eq!(bare.get(key), None, "{key}");
    }
    assert_eq!(bare["location"]["directory"], PROJECT);
    let given = json!({
        "id": "ses_mine", "title": "Mine", "agent": "plan", "model": { "id": "m", "providerID": "p" },
        "metadata": { "a": 1 }, "location": { "directory": PROJECT }, "nonsense": true,
    });
    let full = client.create(given.clone()).await;
    for key in ["id", "title", "agent", "model", "metadata", "location"] {
        assert_eq!(full[key], given[key], "{key}");
    }
    assert_eq!(client.create(given).await, full, "made twice it is the same");
    let told = of_type(&events.caught_up(&stand_in).await, "session.created");
    assert_eq!(told.len(), 2);
    assert_eq!((&told[1]["sessionID"], &told[1]["version"]), (&json!("ses_mine"), &json!("2.1.2")));
    for body in [
        json!({ "id": "x" }),
        json!({ "parentID": "x" }),
        json!({ "location": {} }),
        json!({ "location": PROJECT }),
        json!({ "title": 1 }),
        json!([]),
    ] {
        assert_eq!(client.post("/api/session", body.clone()).await.0, 400, "{body}");
    }
}

#[tokio::test]
async fn the_list_goes_over_all_locations_newest_first() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let first = stand_in.create_session(PROJECT, "First");
    let second = stand_in.create_session(OTHER, "Second");
    let child = client.create(json!({ "parentID": first })).await["id"].as_str().unwrap().to_owned();
    client.patch(&format!("/api/session/{second}"), json!({ "archived": true })).await;
    for (query, expected) in [
        ("", vec![&child, &second, &first]),
        ("?order=asc", vec![&first, &second, &child]),
        ("?directory=/home/dev/other", vec![&second]),
        ("?parentID=null&archived=false", vec![&first]),
        (&format!("?parentID={first}"), vec![&child]),
        ("?search=SEC", vec![&second]),
        ("?limit=1", vec![&child]),
    ] {
        let list = client.get(&format!("/api/session{query}")).await;
        assert_eq!(ids(&list).iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let page = client.get("/api/session?limit=2").await;
    assert_eq!(ids(&page), [child.clone(), second.clone()]);
    let at = |cursor: &Value| format!("/api/session?limit=2&cursor={}", cursor.as_str().unwrap());
    let next = client.get(&at(&page["cursor"]["next"])).await;
    assert_eq!(ids(&next), std::slice::from_ref(&first));
    // The last page does not say that it is; only the empty one behind it does.
    let end = client.get(&at(&next["cursor"]["next"])).await;
    assert_eq!(end, json!({ "data": [], "cursor": { "previous": null, "next": null } }));
    assert_eq!(ids(&client.get(&at(&next["cursor"]["previous"])).await), [child, second]);
    client.get(&format!("{}&order=asc", at(&page["cursor"]["next"]))).await;
    client.get("/api/session?limit=1000").await;
    for (query, tag) in [
        ("?limit=0", "InvalidRequestError"),
        ("?limit=many", "InvalidRequestError"),
        ("?order=up", "InvalidRequestError"),
        ("?cursor=nonsense", "InvalidCursorError"),
    ] {
        let (status, body) = client.call(Method::GET, &format!("/api/session{query}"), None).await;
        assert_eq!((status, &body["_tag"]), (400, &json!(tag)), "{query}");
    }
}

#[tokio::test]
async fn messages_are_listed_and_paged() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "Please look.\n---\nsay I look.\nshell ls\n: output a\nsay Thanks.");
    client.decide(&ask(&stand_in).await, "once").await;
    idle(&stand_in, &id).await;
    let list = client.get(&format!("/api/session/{id}/context")).await;
    assert_eq!(client.get(&format!("/api/session/{id}/message?order=asc")).await["data"], list["data"]);
    let newest = client.get(&format!("/api/session/{id}/message")).await;
    assert_eq!(newest["data"][3], list["data"][0], "the newest come first");
    let kinds: Vec<&str> = list["data"].as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "assistant", "assistant", "idle"]);
    assert_eq!(list["data"][0]["text"], "Please look.");
    let content = &list["data"][1]["content"];
    assert_eq!((&content[0]["text"], &content[1]["name"]), (&json!("I look."), &json!("shell")));
    assert_eq!(content[1]["state"]["content"], json!([{ "type": "text", "text": "a\n" }]));
    assert_eq!(list["data"][1]["model"]["providerID"], "stand-in");
    let newest = client.get(&format!("/api/session/{id}/message?order=desc&limit=1&type=assistant")).await;
    assert_eq!(newest["data"][0], list["data"][2]);
    let next = newest["cursor"]["next"].as_str().unwrap();
    let older = client.get(&format!("/api/session/{id}/message?limit=1&type=assistant&cursor={next}")).await;
    assert_eq!(older["data"][0], list["data"][1]);
    let one = format!("/api/session/{id}/message/{}", list["data"][0]["id"].as_str().unwrap());
    assert_eq!(client.get(&one).await["data"], list["data"][0]);
    for (path, status, tag) in [
        (format!("/api/session/{id}/message/msg_none"), 404, "MessageNotFoundError"),
        ("/api/session/ses_none/message".to_owned(), 404, "SessionNotFoundError"),
        ("/api/session/nope/message".to_owned(), 400, "InvalidRequestError"),
        ("/api/session/ses_none/message?limit=0".to_owned(), 404, "SessionNotFoundError"),
        (format!("/api/session/{id}/message?limit=0"), 400, "InvalidRequestError"),
        (format!("/api/session/{id}/message?limit=201"), 400, "InvalidRequestError"),
        (format!("/api/session/{id}/message?cursor={next}&order=asc"), 400, "InvalidCursorError"),
        (format!("/api/session/{id}/message?cursor=nonsense"), 400, "InvalidCursorError"),
        (format!("/api/session/{id}/message?type=song"), 400, "InvalidRequestError"),
    ] {
        let (found, body) = client.call(Method::GET, &path, None).await;
        assert_eq!((found, &body["_tag"]), (status, &json!(tag)), "{path}");
    }
}

#[tokio::test]
async fn a_fork_has_the_messages_of_its_origin() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "say one");
    idle(&stand_in, &id).await;
    let messages = client.get(&format!("/api/session/{id}/context")).await;
    let path = format!("/api/session/{id}/fork");
    let (_, whole) = client.post(&path, json!({})).await;
    assert_eq!(whole["data"]["fork"]["sessionID"], json!(id));
    let copied = client.get(&format!("/api/session/{}/message", whole["data"]["id"].as_str().unwrap())).await;
    assert_eq!(copied["data"].as_array().unwrap().len(), messages["data"].as_array().unwrap().len());
    assert_ne!(ids(&copied), ids(&messages));
    let before = &messages["data"][1]["id"];
    let (_, part) = client.post(&path, json!({ "before": before })).await;
    assert_eq!(part["data"]["fork"]["boundary"], json!({ "type": "before", "messageID": before }));
    let (status, body) = client.post(&path, json!({ "before": "msg_none" })).await;
    assert_eq!((status, &body["_tag"]), (404, &json!("MessageNotFoundError")));
    assert_eq!(of_type(&events.caught_up(&stand_in).await, "session.forked").len(), 2);
}

#[tokio::test]
async fn a_session_moves() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen().await;
    let id = session(&stand_in, "say one");
    idle(&stand_in, &id).await;
    let path = format!("/api/session/{id}/move");
    assert_eq!(client.post(&path, json!({ "directory": "/home/dev/project/deep" })).await.0, 204);
    assert_eq!(
        client.get(&format!("/api/session/{id}")).await["data"]["location"]["directory"],
        "/home/dev/project/deep"
    );
    let moved = &of_type(&events.caught_up(&stand_in).await, "session.moved")[0];
    assert_eq!(
        (&moved["subpath"], &moved["location"]["directory"]),
        (&json!("deep"), &json!("/home/dev/project/deep"))
    );
    for body in [json!({}), json!({ "directory": "relative" })] {
        assert_eq!(client.post(&path, body).await.0, 400);
    }
}

#[tokio::test]
async fn who_waits_for_a_session_is_answered_when_it_rests() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, "shell ls");
    let pending = ask(&stand_in).await;
    let waiting = tokio::spawn({
        let (client, id) = (client.clone(), id.clone());
        async move { client.post(&format!("/api/experimental/session/{id}/wait"), json!({})).await.0 }
    });
    assert_eq!(client.get("/api/session/active").await["data"], json!({ id.clone(): { "type": "running" } }));
    assert!(!waiting.is_finished());
    client.decide(&pending, "once").await;
    assert_eq!(waiting.await.unwrap(), 204);
    assert_eq!(client.get("/api/session/active").await["data"], json!({}));
}
