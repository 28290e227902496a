//! What was asked, and what it taught.

use gavel_tests::desktop::BOTH;
use gavel_tests::wait::{eventually, stays};
use serde_json::json;

use super::{DEADLINE, Scene, WHILE};

#[tokio::test]
async fn what_was_asked_is_found_and_exported() {
    let scene = Scene::set(json!({})).await;
    for (command, reply) in
        [("touch kept", gavel_stand_in::Reply::Once), ("touch other", gavel_stand_in::Reply::Reject)]
    {
        scene.plays(&format!("shell {command}"));
        scene.says(command).await;
        let ask = scene.server.pending().remove(0).id;
        assert!(scene.server.reply(&ask, reply, None));
        scene.says("Nothing waits").await;
    }
    for (by, button) in BOTH.into_iter().zip(["Export as CSV", "Export as JSON Lines"]) {
        let hand = scene.hand(by);
        hand.goes_to(2, "Activity").await;
        scene.says("2 entries").await;
        hand.fills("Filter", "kept").await;
        scene.says("1 of 2 entries").await;
        hand.fills("Filter", "touch").await;
        hand.presses("Filters and export").await;
        hand.sets("Outcome", "Allowed").await;
        scene.says("1 of 2 entries").await;
        hand.presses(button).await;
        scene.says("exported to").await;
        let exported = exported(&scene).await;
        assert!(exported.contains("touch kept") && !exported.contains("touch other"), "{exported}");
        hand.presses("Pictures").await;
        scene.says("Requests per day, by outcome").await;
        scene.picture(&format!("activity-{by:?}")).await;
        hand.presses("List").await;
        hand.presses("Clear").await;
        hand.goes_to(1, "Inbox").await;
    }
    scene.window.quit().await;
}

/// The text of the file that the window says it has written.
async fn exported(scene: &Scene) -> String {
    let told = scene.window.wait_for_css(".export p .mono", DEADLINE).await;
    let path = scene.window.text(&told).await;
    assert!(path.starts_with(scene.session.root().to_str().unwrap()), "{path}");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[tokio::test]
async fn a_command_passes_by_a_rule_until_that_is_deleted() {
    let scene = Scene::set(json!({})).await;
    let file = scene.session.root().join("home/.local/share/opencode-auto-permission/home-dev-project.json");
    let learned = |line: &str| std::fs::read_to_string(&file).unwrap_or_default().contains(line);
    for by in BOTH {
        let hand = scene.hand(by);
        let command = format!("touch {by:?}");
        scene.plays(&format!("shell {command}"));
        scene.says(&command).await;
        let before = scene.server.executed().len();
        eventually("the approval", DEADLINE, async || {
            hand.shortcut("A").await;
            scene.server.executed().len() == before + 1
        })
        .await;
        hand.goes_to(3, "Rules").await;
        hand.presses(&format!("Let this pass from now on: {command}")).await;
        eventually("the rule in its file", DEADLINE, async || learned(&command)).await;
        scene.plays(&format!("shell {command}"));
        eventually("it to pass", DEADLINE, async || scene.server.executed().len() == before + 2).await;

        hand.fills("Command", &command).await;
        scene.window.press('\u{E007}').await;
        scene.says("Passes, because it is learned").await;
        hand.presses(&format!("Delete {command}")).await;
        eventually("the rule to be gone", DEADLINE, async || !learned(&command)).await;
        scene.says("no line covers it").await;
        hand.presses(&format!("Undo deleting {command}")).await;
        eventually("the rule to be back", DEADLINE, async || learned(&command)).await;
        scene.says("Passes, because it is learned").await;
        hand.presses(&format!("Delete {command}")).await;
        eventually("the rule to be gone", DEADLINE, async || !learned(&command)).await;
        scene.picture(&format!("rules-{by:?}")).await;
        let asking = scene.plays(&format!("shell {command}"));
        hand.goes_to(1, "Inbox").await;
        scene.says(&command).await;
        stays("it is asked again", WHILE, async || scene.server.executed().len() == before + 2).await;
        assert!(scene.server.delete(&asking));
        scene.says("Nothing waits").await;
    }
    scene.window.quit().await;
}
