//! What the user chooses: modes, who judges, servers, preferences.

use axum::{Json, Router};
use gavel_stand_in::StandIn;
use gavel_tests::desktop::BOTH;
use gavel_tests::host::Kind;
use gavel_tests::wait::{eventually, stays};
use serde_json::json;

use super::{DEADLINE, PROJECT, Scene, WHILE};

#[tokio::test]
async fn a_mode_decides_what_is_asked() {
    let scene = Scene::set(json!({})).await;
    let place = scene.server.url().replace("http://", "");
    for by in BOTH {
        let hand = scene.hand(by);
        let change = format!("Change the mode of {place}");
        // A session is told before it works.
        let told = async || {
            let session = scene.server.create_session(PROJECT, "Tidy up");
            let knows = || scene.server.ruled().iter().any(|ruled| ruled.session == session);
            eventually("the session to be told", DEADLINE, async || knows()).await;
            session
        };
        hand.goes_to(5, "Modes").await;
        hand.presses(&change).await;
        hand.chooses("Full access").await;
        scene.picture(&format!("modes-{by:?}")).await;
        hand.presses("Set").await;
        scene.keeps("full access", |kept| kept.to_string().contains("full_access")).await;
        let before = scene.server.executed().len();
        let free = told().await;
        scene.server.prompt(&free, "shell touch unasked").unwrap();
        eventually("it to run unasked", DEADLINE, async || scene.server.executed().len() == before + 1).await;

        hand.presses(&change).await;
        hand.chooses("Supervised").await;
        hand.presses("Set").await;
        scene.keeps("supervision", |kept| kept.to_string().contains("supervised")).await;
        let watched = told().await;
        scene.server.prompt(&watched, "shell touch asked").unwrap();
        hand.goes_to(1, "Inbox").await;
        scene.says("touch asked").await;
        stays("it is asked", WHILE, async || scene.server.executed().len() == before + 1).await;
        assert!(scene.server.delete(&watched));
        scene.says("Nothing waits").await;
    }
    scene.window.quit().await;
}

/// A model that allows everything.
async fn yielding_model() -> String {
    let router = Router::new().fallback(async || {
        let decision = json!({ "decision": "allow", "reason": "it fits" }).to_string();
        Json(json!({ "choices": [{ "message": { "content": decision }, "finish_reason": "stop" }] }))
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test]
async fn a_judge_is_chosen_tried_and_turned_off() {
    let scene = Scene::set(json!({})).await;
    let model = yielding_model().await;
    for by in BOTH {
        let hand = scene.hand(by);
        hand.goes_to(6, "Judge").await;
        scene.says("Nobody judges").await;
        hand.chooses("A model of your choice").await;
        hand.fills("Address", &model).await;
        hand.fills("Model", "small").await;
        hand.chooses("No key").await;
        hand.presses("Save").await;
        scene.says(&format!("small at {model} judges")).await;
        hand.fills("Command", "npm run lint").await;
        hand.presses("Ask the judge").await;
        scene.says("It would allow it. It fits.").await;
        hand.goes_to(1, "Inbox").await;
        let asking = scene.plays("shell make lint");
        scene.says("would allow it").await;
        assert!(scene.server.delete(&asking));
        scene.says("Nothing waits").await;
        hand.goes_to(6, "Judge").await;
        hand.chooses("Off").await;
        hand.presses("Save").await;
        scene.says("Nobody judges").await;
        scene.keeps("no judge", |kept| kept["judge"]["who"] == "off").await;
    }
    scene.window.quit().await;
}

#[tokio::test]
async fn a_server_is_added_and_removed() {
    let scene = Scene::set(json!({})).await;
    let other = StandIn::start(Kind::StandInV1.options()).await.unwrap();
    let place = other.url().replace("http://", "");
    for by in BOTH {
        let hand = scene.hand(by);
        hand.goes_to(7, "Servers").await;
        hand.fills("Address", &other.url()).await;
        hand.fills("Name", &format!("by {by:?}")).await;
        hand.presses("Add").await;
        scene.says(&format!("by {by:?}")).await;
        scene.keeps("two servers", |kept| kept["servers"].as_array().is_some_and(|all| all.len() == 2)).await;
        let asking = other.create_session(PROJECT, "Tidy up");
        other.prompt(&asking, "shell touch there").unwrap();
        hand.goes_to(1, "Inbox").await;
        scene.says("touch there").await;
        hand.goes_to(7, "Servers").await;
        scene.picture(&format!("servers-{by:?}")).await;
        hand.presses(&format!("Remove by {by:?}")).await;
        let servers = |count: usize| {
            move |kept: &serde_json::Value| kept["servers"].as_array().is_some_and(|all| all.len() == count)
        };
        scene.keeps("one server", servers(1)).await;
        hand.presses(&format!("Undo removing by {by:?}")).await;
        scene.keeps("two servers again", servers(2)).await;
        hand.presses(&format!("Remove by {by:?}")).await;
        scene.keeps("one server", servers(1)).await;
        let gone = async || !scene.window.page_text().await.contains(&place);
        eventually("the server to be gone", DEADLINE, gone).await;
        hand.goes_to(1, "Inbox").await;
        scene.says("Nothing waits").await;
        assert!(other.delete(&asking));
    }
    scene.window.quit().await;
}

#[tokio::test]
async fn preferences_count_at_once() {
    let scene = Scene::set(json!({})).await;
    for (by, seconds) in BOTH.into_iter().zip(["2", "3"]) {
        let hand = scene.hand(by);
        hand.goes_to(8, "Preferences").await;
        hand.fills("Wait before notifying", seconds).await;
        hand.chooses("Русский").await;
        let millis = seconds.parse::<u64>().unwrap() * 1_000;
        scene.keeps("the delay", |kept| kept["preferences"]["grace"] == millis).await;
        hand.goes_to(8, "Настройки").await;
        scene.picture(&format!("preferences-{by:?}")).await;
        hand.chooses("English").await;
        hand.goes_to(8, "Preferences").await;
        scene.keeps("the language", |kept| kept["preferences"]["language"] == "english").await;
    }
    scene.window.quit().await;
}
