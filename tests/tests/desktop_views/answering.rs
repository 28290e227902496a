//! The inbox, and what is allowed from there.

use gavel_tests::app::{self, DEADLINE};
use gavel_tests::desktop::{BOTH, By};
use gavel_tests::wait::{eventually, stays};
use serde_json::json;

use super::{Scene, WHILE};

const FORM: &str = r#"Deploy the shop
---
form Where to deploy
| {"key": "service", "type": "string", "title": "Service", "required": true, "pattern": "^[a-z]+$"}
| {"key": "public", "type": "boolean", "title": "Is it public?", "required": true}
| {"key": "domain", "type": "string", "title": "Domain", "required": true, "when": [{"key": "public", "op": "eq", "value": true}]}
| {"key": "regions", "type": "multiselect", "title": "Regions", "minItems": 1, "options": [{"value": "eu-1", "label": "Frankfurt"}, {"value": "us-1", "label": "Virginia"}]}
say Deployed."#;

const COLOUR: &str = "question Which colour?\n: header Colour\n: option Red\n: option Blue\nsay Thanks.";

#[tokio::test]
async fn requests_are_approved_and_declined() {
    let scene = Scene::set(json!({})).await;
    let mut ran = Vec::new();
    for by in BOTH {
        let hand = scene.hand(by);
        let command = format!("touch {by:?}");
        scene.plays(&format!("shell {command}"));
        scene.says(&command).await;
        ran.push(command);
        // Nothing is decided in the moment in which a request comes up under the user's hand.
        eventually("the approval", DEADLINE, async || {
            hand.shortcut("A").await;
            scene.server.executed().len() == ran.len()
        })
        .await;
        scene.says("Nothing waits").await;

        let declined = scene.plays("shell make everything\ninstead\n> say You said: {reason}");
        scene.says("make everything").await;
        eventually("the field for a reason", DEADLINE, async || {
            hand.shortcut("D").await;
            scene.window.find("#reason").await.map(|_| ())
        })
        .await;
        hand.fills("Why not?", "Only the tests").await;
        hand.presses("Decline").await;
        scene.hears(&declined, "Only the tests").await;
        scene.says("Nothing waits").await;
    }
    scene.ran(&ran.iter().map(String::as_str).collect::<Vec<_>>()).await;
    scene.window.quit().await;
}

#[tokio::test]
async fn questions_are_answered_and_mistakes_are_shown_at_their_field() {
    let scene = Scene::set(json!({})).await;
    for by in BOTH {
        let hand = scene.hand(by);
        let chosen = scene.plays(COLOUR);
        scene.says("Which colour?").await;
        match by {
            By::Mouse => hand.chooses("Blue").await,
            // By the digit that stands beside it, as soon as the card hears it.
            By::Keyboard => {
                let chosen = "return document.querySelector('input[type=radio]:checked') !== null";
                eventually("the second to be chosen", DEADLINE, async || {
                    scene.window.press('2').await;
                    scene.window.execute(chosen, &[]).await == json!(true)
                })
                .await;
            }
        }
        eventually("the answer to be sent", DEADLINE, async || {
            hand.shortcut("Enter").await;
            scene.server.told(&chosen).concat().contains("Blue")
        })
        .await;
        scene.says("Nothing waits").await;

        let filled = scene.plays(FORM);
        scene.says("Where to deploy").await;
        hand.fills("Service", "Web 1").await;
        assert!(!scene.window.page_text().await.contains("Domain"), "asked only of what is public");
        hand.chooses("Yes").await;
        scene.says("Domain").await;
        hand.chooses("Frankfurt").await;
        hand.fills("Domain", "example.com").await;
        hand.presses("Send the answer").await;
        scene.says("Form field does not match pattern").await;
        scene.picture(&format!("question-mistaken-{by:?}")).await;
        hand.fills("Service", "web").await;
        hand.presses("Send the answer").await;
        scene.hears(&filled, "example.com").await;
        scene.hears(&filled, "eu-1").await;
        scene.says("Nothing waits").await;
    }
    scene.window.quit().await;
}

#[tokio::test]
async fn what_is_half_typed_outlives_the_window_and_the_program() {
    let scene = Scene::set(json!({})).await;
    let hand = scene.hand(By::Keyboard);
    let asking = scene.plays(FORM);
    scene.says("Where to deploy").await;
    hand.fills("Service", "half").await;
    let drafts = scene.session.root().join("home/.local/share/gavel");
    eventually("the draft to be kept", DEADLINE, async || holds(&drafts, "half")).await;
    let Scene { window, server, session, _tray, _desktop } = scene;
    app::quit(window, &session).await;

    let window = app::drive(&session, &[], &[]).await;
    window.wait_for_text("Where to deploy", DEADLINE).await;
    let typed = "return [...document.querySelectorAll('input')].some((one) => one.value === 'half')";
    eventually("what was typed", DEADLINE, async || window.execute(typed, &[]).await == json!(true)).await;
    // Somebody else answers while it is being typed: there is nothing left to send, and what was typed can be copied.
    assert!(server.delete(&asking));
    window.wait_for_text("Copy what I typed", DEADLINE).await;
    app::painted(&session).await;
    session.screenshot("question-settled-elsewhere").await;
    window.quit().await;
}

fn holds(folder: &std::path::Path, words: &str) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).any(|text| text.contains(words))
}

#[tokio::test]
async fn what_is_allowed_for_a_session_passes_until_it_is_taken_back() {
    let scene = Scene::set(json!({})).await;
    for by in BOTH {
        let hand = scene.hand(by);
        let asking = scene.plays("shell npm run build");
        scene.says("npm run build").await;
        eventually("the dialog", DEADLINE, async || {
            hand.shortcut("G").await;
            scene.window.find("dialog[open]").await.map(|_| ())
        })
        .await;
        scene.picture(&format!("allowing-{by:?}")).await;
        hand.presses("Allow this pattern").await;
        scene.says("Nothing waits").await;
        let before = scene.server.executed().len();
        scene.server.prompt(&asking, "shell npm run build").unwrap();
        eventually("it to pass", DEADLINE, async || scene.server.executed().len() == before + 1).await;

        hand.goes_to(4, "Grants").await;
        hand.presses("Take back").await;
        scene.says("taken back").await;
        // The server has been told as well.
        let rules = || scene.server.ruled().into_iter().rfind(|ruled| ruled.session == asking);
        let told = async || !format!("{:?}", rules()).contains("npm run build");
        eventually("the server to be told", DEADLINE, told).await;
        scene.server.prompt(&asking, "shell npm run build").unwrap();
        hand.goes_to(1, "Inbox").await;
        scene.says("npm run build").await;
        let count = scene.server.executed().len();
        stays("it is asked again", WHILE, async || scene.server.executed().len() == count).await;
        assert!(scene.server.delete(&asking));
        scene.says("Nothing waits").await;
    }
    scene.window.quit().await;
}

#[tokio::test]
async fn keys_from_anywhere_bring_up_what_waits_longest() {
    let scene = Scene::set(json!({})).await;
    let hand = scene.hand(By::Keyboard);
    hand.goes_to(8, "Preferences").await;
    hand.presses("Use Ctrl+Alt+G").await;
    scene.keeps("the keys", |kept| kept["preferences"]["shortcut"] == "Ctrl+Alt+G").await;
    scene.plays("shell touch first");
    scene.plays("shell touch second");
    hand.goes_to(2, "Activity").await;
    let top = "return document.querySelector('article h2')?.textContent.includes('touch first') ?? false";
    eventually("the first request", DEADLINE, async || {
        scene.session.press("ctrl+alt+g").await;
        scene.window.execute(top, &[]).await == json!(true)
    })
    .await;
    hand.goes_to(2, "Activity").await;
    assert!(app::start(&scene.session, &["--show"]).wait_exit(DEADLINE).await.success());
    eventually("the first request again", DEADLINE, async || scene.window.execute(top, &[]).await == json!(true)).await;
    scene.window.quit().await;
}
