//! The whole program as its user has it: a real OpenCode, a desktop, a click.

use std::time::{Duration, Instant};

use gavel_tests::app::{self, DEADLINE};
use gavel_tests::desktop::notifications::Notification;
use gavel_tests::desktop::{Dunst, NotificationServer, Session, TrayHost};
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::process::Process;
use gavel_tests::scripted_model::{Script, ScriptedModel};
use gavel_tests::wait::{eventually, stays};
use serde_json::json;

/// A real server, a desktop, and a model to make the one ask the other.
struct Scene {
    session: Session,
    server: OpenCode,
    model: ScriptedModel,
}

impl Scene {
    async fn set() -> Self {
        let model = ScriptedModel::start().await;
        let server = OpenCode::start(Version::V1_18_33, Options::new(&model)).await;
        let session = Session::start().await;
        app::settings(&session, &[&server.url()], json!({}));
        Self { session, server, model }
    }

    /// Makes the agent want to run `command`.
    async fn ask(&self, command: &str) -> String {
        let session = self.server.create_session(self.server.dir(0)).await;
        self.server.prompt_async(self.server.dir(0), &session, Script::new().run(command).say("done")).await;
        session
    }

    async fn appears(&self, file: &str) {
        let path = self.server.dir(0).join(file);
        eventually(format!("{file} to appear"), DEADLINE, async || path.exists()).await;
    }
}

/// Waits until the application has said so much in its log.
async fn says(app: &Process, text: &str) {
    app.wait_for_output(text, DEADLINE).await;
}

#[tokio::test]
async fn a_click_on_the_notification_runs_the_command() {
    let scene = Scene::set().await;
    let desktop = NotificationServer::start(&scene.session).await;
    let _tray = TrayHost::start(&scene.session).await;
    let app = app::start(&scene.session, &[]);
    says(&app, "notifications").await;
    scene.ask("touch clicked.txt").await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("touch clicked.txt")).await;
    assert_eq!(shown.summary, "Run touch clicked.txt · alpha");
    let labels: Vec<&str> = shown.actions.iter().map(|(_, label)| label.as_str()).collect();
    for label in ["Approve", "Allow this session", "Decline", "Open"] {
        assert!(labels.contains(&label), "{labels:?}");
    }
    desktop.invoke(shown.id, shown.key("Approve").unwrap()).await;
    scene.appears("clicked.txt").await;
    eventually("no notification is left", DEADLINE, async || desktop.open().is_empty()).await;

    // What is allowed for the session is named, and not asked about again in it.
    let session = scene.ask("touch once.txt").await;
    let shown = desktop.wait_for("another", DEADLINE, |shown| shown.summary.contains("once.txt")).await;
    assert!(shown.body.contains("Allow this session: also `touch *`"), "{}", shown.body);
    desktop.invoke(shown.id, shown.key("Allow this session").unwrap()).await;
    scene.appears("once.txt").await;
    let dir = scene.server.dir(0);
    eventually("the run to end", DEADLINE, async || !scene.server.is_busy(dir, &session).await).await;
    scene.server.prompt_async(dir, &session, Script::new().run("touch again.txt").say("done")).await;
    scene.appears("again.txt").await;
    assert!(!desktop.notifications().iter().any(|shown| shown.summary.contains("again.txt")), "nobody was asked");

    // What deletes takes the window.
    scene.ask("rm again.txt").await;
    let shown = desktop.wait_for("the last", DEADLINE, |shown| shown.summary.contains("rm again.txt")).await;
    assert!(shown.key("Approve").is_some() && shown.key("Allow this session").is_none(), "{:?}", shown.actions);
}

#[tokio::test]
async fn declining_from_the_tray_tells_the_model() {
    let scene = Scene::set().await;
    let _desktop = NotificationServer::start(&scene.session).await;
    let tray = TrayHost::start(&scene.session).await;
    let mut app = app::start(&scene.session, &[]);
    tray.wait_for_menu("an idle menu", DEADLINE, |menu| menu.has(&["Nothing waits"])).await;
    let idle = tray.item().await.unwrap().icon_file();
    scene.ask("touch a_b && echo 'x & y'").await;

    let label = "Run touch a_b && echo 'x & y' · alpha";
    tray.wait_for_menu("the request", DEADLINE, |menu| menu.has(&[label, "Decline"])).await;
    tray.wait_for_menu("its whole text", DEADLINE, |menu| menu.has(&[label, "touch a_b && echo 'x & y'"])).await;
    let waiting = tray.wait_for("another icon", DEADLINE, |item| item.icon_file() != idle).await;
    assert!(waiting.icon_file().is_some_and(|icon| icon.exists()));
    tray.click(&[label, "Decline"]).await;
    let next = scene.model.wait_for_request("the turn after it", DEADLINE, |asked| asked.step == 1).await;
    assert!(next.told().concat().contains("declined"), "{:?}", next.told());
    tray.wait_for_menu("an idle menu", DEADLINE, |menu| menu.has(&["Nothing waits"])).await;
    assert!(!scene.server.dir(0).join("a_b").exists());

    tray.click(&["Quit"]).await;
    let status = app.wait_exit(DEADLINE).await;
    assert!(status.success(), "{status}\n{}", app.tail());
}

#[tokio::test]
async fn the_window_approves_by_mouse_and_by_key() {
    let scene = Scene::set().await;
    let _desktop = NotificationServer::start(&scene.session).await;
    let _tray = TrayHost::start(&scene.session).await;
    let window = app::drive(&scene.session, &[], &[]).await;
    window.wait_for_text("Nothing waits", DEADLINE).await;
    scene.ask("touch mouse.txt").await;
    window.wait_for_text("touch mouse.txt", DEADLINE).await;
    // Decisions are not taken in the moment in which a request comes up under the user's hand.
    eventually("the click to count", DEADLINE, async || {
        window.click_if_there("button[aria-keyshortcuts=A]").await;
        scene.server.dir(0).join("mouse.txt").exists()
    })
    .await;
    window.wait_for_text("Nothing waits", DEADLINE).await;

    scene.ask("touch key.txt").await;
    window.wait_for_text("touch key.txt", DEADLINE).await;
    eventually("the key to count", DEADLINE, async || {
        if window.find("button[aria-keyshortcuts=A]").await.is_ok() {
            window.press('a').await;
        }
        scene.server.dir(0).join("key.txt").exists()
    })
    .await;
    window.wait_for_text("Nothing waits", DEADLINE).await;
    window.quit().await;
}

#[tokio::test]
async fn a_real_notification_daemon_shows_and_answers() {
    let scene = Scene::set().await;
    let _tray = TrayHost::start(&scene.session).await;
    let dunst = Dunst::start(&scene.session, "Approve").await;
    let app = app::start(&scene.session, &[]);
    says(&app, "online").await;
    scene.ask("touch dunst.txt && echo '<b>bold</b> & more'").await;
    dunst.wait_for_displayed(1, DEADLINE).await;
    app::painted(&scene.session).await;
    scene.session.screenshot("dunst").await;
    dunst.open_menu().await;
    scene.appears("dunst.txt").await;
    dunst.wait_for_displayed(0, DEADLINE).await;
}

#[tokio::test]
async fn without_a_notification_service_the_tray_and_the_window_show_it() {
    let scene = Scene::set().await;
    let tray = TrayHost::start(&scene.session).await;
    let window = app::drive(&scene.session, &[], &[]).await;
    scene.ask("touch quiet.txt").await;
    window.wait_for_text("touch quiet.txt", DEADLINE).await;
    tray.wait_for_menu("the request", DEADLINE, |menu| menu.has(&["Run touch quiet.txt · alpha", "Approve"])).await;
    app::go(&window, "Preferences").await;
    window.wait_for_text("No notification service", DEADLINE).await;
    app::painted(&scene.session).await;
    scene.session.screenshot("preferences-without-notifications").await;
    tray.click(&["Run touch quiet.txt · alpha", "Approve"]).await;
    scene.appears("quiet.txt").await;

    // One that comes later is used at once.
    let mut desktop = NotificationServer::start(&scene.session).await;
    scene.ask("touch later.txt").await;
    desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("later.txt")).await;
    // One that is restarted gets what is open again, under numbers that begin anew.
    desktop.stop().await;
    let restarted = Instant::now();
    desktop.start_again().await;
    let again = |shown: &Notification| shown.at > restarted && shown.summary.contains("later.txt");
    let again = desktop.wait_for("it again", DEADLINE, again).await;
    desktop.invoke(again.id, again.key("Approve").unwrap()).await;
    scene.appears("later.txt").await;
}

#[tokio::test]
async fn a_notification_service_that_hangs_or_has_no_buttons_holds_nothing_up() {
    let scene = Scene::set().await;
    let desktop = NotificationServer::start_with(&scene.session, &["body"]).await;
    let tray = TrayHost::start(&scene.session).await;
    let _app = app::start(&scene.session, &[]);
    scene.ask("touch plain.txt").await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("plain.txt")).await;
    assert!(shown.actions.is_empty(), "{:?}", shown.actions);
    tray.wait_for_menu("the request", DEADLINE, |menu| menu.has(&["Run touch plain.txt · alpha", "Approve"])).await;
    tray.click(&["Run touch plain.txt · alpha", "Approve"]).await;
    scene.appears("plain.txt").await;

    desktop.set_hang(true);
    scene.ask("touch hung.txt").await;
    tray.wait_for_menu("the request", DEADLINE, |menu| menu.has(&["Run touch hung.txt · alpha", "Approve"])).await;
    tray.click(&["Run touch hung.txt · alpha", "Approve"]).await;
    scene.appears("hung.txt").await;
}

#[tokio::test]
async fn without_a_tray_the_window_opens_and_closing_it_ends_nothing() {
    let scene = Scene::set().await;
    let desktop = NotificationServer::start(&scene.session).await;
    let mut app = app::start(&scene.session, &[]);
    scene.session.wait_for_window("^Gavel$", DEADLINE).await;
    app::painted(&scene.session).await;
    scene.session.screenshot("without-a-tray").await;

    scene.session.press("alt+F4").await;
    eventually("the window to close", DEADLINE, async || scene.session.windows("^Gavel$").await.is_empty()).await;
    scene.ask("touch closed.txt").await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("closed.txt")).await;
    assert!(app.exited().is_none(), "{}", app.tail());
    let period = Duration::from_secs(1);
    stays("the window stays closed", period, async || scene.session.windows("^Gavel$").await.is_empty()).await;

    // Opening the request brings the window back; so does a second start, which ends itself.
    desktop.invoke(shown.id, shown.key("Open").unwrap()).await;
    scene.session.wait_for_window("^Gavel$", DEADLINE).await;
    scene.session.press("alt+F4").await;
    eventually("the window to close", DEADLINE, async || scene.session.windows("^Gavel$").await.is_empty()).await;
    let mut second = app::start(&scene.session, &[]);
    assert!(second.wait_exit(DEADLINE).await.success());
    scene.session.wait_for_window("^Gavel$", DEADLINE).await;

    // SIGTERM takes the notifications back and ends it cleanly.
    app.terminate();
    let status = app.wait_exit(DEADLINE).await;
    assert!(status.success(), "{status}\n{}", app.tail());
    eventually("no notification is left", DEADLINE, async || desktop.open().is_empty()).await;
}

#[tokio::test]
async fn servers_come_and_go_by_themselves() {
    let scene = Scene::set().await;
    let preferences = json!({ "preferences": { "notify": true, "grace": 100, "discover": true, "panel": "dark" } });
    app::settings(&scene.session, &[], preferences);
    let desktop = NotificationServer::start(&scene.session).await;
    let tray = TrayHost::start(&scene.session).await;
    let _app = app::start(&scene.session, &[]);
    let address = scene.server.url().replace("http://", "");
    let online = format!("{address}: online, 1.18.33");
    tray.wait_for_menu("the server", DEADLINE, |menu| menu.has(&["Servers", &online])).await;
    scene.ask("touch found.txt").await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("found.txt")).await;
    desktop.invoke(shown.id, shown.key("Approve").unwrap()).await;
    scene.appears("found.txt").await;

    scene.ask("touch lost.txt").await;
    let left = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("lost.txt")).await;
    let Scene { session: _session, server, .. } = scene;
    drop(server);
    // A killed server may hold its port for up to a minute.
    let gone = DEADLINE * 4;
    let away = |menu: &gavel_tests::desktop::Menu| {
        menu.find(&["Servers"]).is_some_and(|servers| !servers.labels().iter().any(|label| label.contains(&address)))
    };
    tray.wait_for_menu("no server", gone, away).await;
    desktop.wait_for_close(left.id, DEADLINE).await;
}

#[tokio::test]
async fn a_server_added_in_the_window_survives_a_restart() {
    let scene = Scene::set().await;
    app::settings(&scene.session, &[], json!({}));
    let _tray = TrayHost::start(&scene.session).await;
    let window = app::drive(&scene.session, &[], &[]).await;
    window.wait_for_text("No server yet", DEADLINE).await;
    app::go(&window, "Servers").await;
    let field = window.wait_for_css("input[type=url], input[name=url], form input", DEADLINE).await;
    window.send_keys(&field, "nonsense://x\u{E007}").await;
    window.wait_for_text("is not the address of a server", DEADLINE).await;
    window.clear(&field).await;
    window.send_keys(&field, &format!("{}\u{E007}", scene.server.url())).await;
    window.wait_for_text("1.18.33", DEADLINE).await;
    app::painted(&scene.session).await;
    scene.session.screenshot("servers").await;
    app::quit(window, &scene.session).await;
    let kept = std::fs::read_to_string(app::settings_path(&scene.session)).unwrap();
    assert!(kept.contains(&scene.server.url()), "{kept}");

    let desktop = NotificationServer::start(&scene.session).await;
    let _app = app::start(&scene.session, &[]);
    scene.ask("touch kept.txt").await;
    desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("kept.txt")).await;
}

#[tokio::test]
async fn broken_settings_are_left_alone() {
    let session = Session::start().await;
    let _tray = TrayHost::start(&session).await;
    app::settings(&session, &[], json!({}));
    let path = app::settings_path(&session);
    std::fs::write(&path, "{\"servers\": [").unwrap();
    let mut app = app::start(&session, &[]);
    says(&app, "can't be understood").await;
    app.terminate();
    assert!(app.wait_exit(DEADLINE).await.success());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"servers\": [");
}

#[tokio::test]
async fn headless_it_notifies_and_ends_cleanly() {
    let scene = Scene::set().await;
    let desktop = NotificationServer::start(&scene.session).await;
    let mut app = app::start_with(&scene.session, &["--headless"], &[("DISPLAY", "")]);
    scene.ask("touch headless.txt").await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("headless.txt")).await;
    desktop.invoke(shown.id, shown.key("Approve").unwrap()).await;
    scene.appears("headless.txt").await;

    // Whoever comes next says in a sentence why it can't begin: another has these files, or there is no desktop.
    let taken = format!("gavel: Gavel runs already without a window, in process {}; end that one first", app.pid());
    let no_desktop = "gavel: no desktop answers at DISPLAY=`:4711`; start Gavel in a desktop session";
    let refused = async |arguments: &[&str], environment: &[(&str, &str)], sentence: &str| {
        let mut next = app::start_with(&scene.session, arguments, environment);
        assert!(!next.wait_exit(DEADLINE).await.success());
        let said = next.output();
        assert!(said.contains(sentence) && !said.contains("panicked"), "{arguments:?}: {said}");
    };
    refused(&["--headless"], &[], &taken).await;
    refused(&[], &[], &taken).await;
    refused(&[], &[("DISPLAY", ":4711")], no_desktop).await;
    app.terminate();
    let status = app.wait_exit(DEADLINE).await;
    assert!(status.success(), "{status}\n{}", app.tail());
}

#[tokio::test]
async fn whoever_starts_while_another_ends_waits_for_it() {
    let session = Session::start().await;
    app::settings(&session, &[], json!({}));
    let _tray = TrayHost::start(&session).await;
    // Something of the one before is still going on.
    let folder = app::data_path(&session).join("gavel");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = std::fs::File::create(folder.join("running.lock")).unwrap();
    lock.lock().unwrap();
    let mut app = app::start(&session, &["--window"]);
    says(&app, "waiting for the Gavel of process").await;
    assert!(session.windows("^Gavel$").await.is_empty(), "it has begun");
    drop(lock);
    session.wait_for_window("^Gavel$", DEADLINE).await;

    // From the moment it is told to end it takes no more starts upon itself.
    app.terminate();
    says(&app, "ending").await;
    let mut next = app::start(&session, &["--window"]);
    assert!(app.wait_exit(DEADLINE).await.success());
    session.wait_for_window("^Gavel$", DEADLINE).await;
    assert!(next.exited().is_none(), "{}", next.tail());
}

#[tokio::test]
async fn the_demo_asks_within_seconds_and_looks_right() {
    for (theme, name) in [("Adwaita", "light"), ("Adwaita:dark", "dark")] {
        let session = Session::start().await;
        app::settings(&session, &[], json!({}));
        let desktop = NotificationServer::start(&session).await;
        let tray = TrayHost::start(&session).await;
        let window = app::drive(&session, &["--demo"], &[("GTK_THEME", theme)]).await;
        desktop.wait_for("a notification", DEADLINE, |_| true).await;
        tray.wait_for_menu("five requests", DEADLINE, |menu| {
            menu.labels().iter().filter(|label| label.contains(" · ")).count() >= 5
        })
        .await;
        window.wait_for_css("button[aria-keyshortcuts=A]", DEADLINE).await;
        app::painted(&session).await;
        session.screenshot(&format!("five-waiting-{name}")).await;
        for answer in ["Approve", "Decline", "Approve"] {
            let open = desktop.open();
            let shown = desktop.notifications().into_iter();
            let asked = shown.filter(|shown| open.contains(&shown.id)).find(|shown| shown.key(answer).is_some());
            let asked = asked.expect("one that can be answered so");
            desktop.invoke(asked.id, asked.key(answer).unwrap()).await;
            eventually("it to go", DEADLINE, async || !desktop.open().contains(&asked.id)).await;
        }
        window.wait_for_css("button[aria-keyshortcuts=A]", DEADLINE).await;
        app::go(&window, "Activity").await;
        app::painted(&session).await;
        session.screenshot(&format!("activity-{name}")).await;
        window.quit().await;
    }
}

#[tokio::test]
async fn a_mode_chosen_in_the_tray_counts_for_the_next_request() {
    let scene = Scene::set().await;
    let desktop = NotificationServer::start(&scene.session).await;
    let tray = TrayHost::start(&scene.session).await;
    let window = app::drive(&scene.session, &[], &[]).await;
    window.wait_for_text("Nothing waits", DEADLINE).await;
    let session = scene.ask("touch asked.txt").await;
    let shown = desktop.wait_for("a notification", DEADLINE, |shown| shown.summary.contains("asked.txt")).await;
    desktop.invoke(shown.id, shown.key("Approve").unwrap()).await;
    scene.appears("asked.txt").await;

    tray.click(&["Mode", "Full access: asks nothing"]).await;
    app::go(&window, "Modes").await;
    window.wait_for_text("Full access", DEADLINE).await;
    app::painted(&scene.session).await;
    scene.session.screenshot("modes").await;
    let dir = scene.server.dir(0);
    eventually("the run to end", DEADLINE, async || !scene.server.is_busy(dir, &session).await).await;
    // A session that has worked is told before it works again.
    eventually("the session to be told", DEADLINE, async || {
        let rules = scene.server.get(&format!("/session/{session}"), dir).await["permission"].clone();
        if rules.as_array().is_some_and(|rules| !rules.is_empty()) { Ok(()) } else { Err(rules.to_string()) }
    })
    .await;
    scene.server.prompt_async(dir, &session, Script::new().run("touch unasked.txt").say("done")).await;
    scene.appears("unasked.txt").await;
    assert!(!desktop.notifications().iter().any(|shown| shown.summary.contains("unasked.txt")), "nobody was asked");
    window.quit().await;
}

#[tokio::test]
async fn an_empty_inbox_teaches() {
    for (theme, name) in [("Adwaita", "light"), ("Adwaita:dark", "dark")] {
        let session = Session::start().await;
        app::settings(&session, &[], json!({}));
        let _tray = TrayHost::start(&session).await;
        let window = app::drive(&session, &[], &[("GTK_THEME", theme)]).await;
        window.wait_for_text("opencode serve", DEADLINE).await;
        app::painted(&session).await;
        session.screenshot(&format!("empty-{name}")).await;
        window.quit().await;
    }
}

/// What a project learned is seen in the window with what led to it, looked up, deleted and had again, by keyboard too.
#[tokio::test]
async fn the_window_shows_and_changes_the_rules_of_a_project() {
    let scene = Scene::set().await;
    let _desktop = NotificationServer::start(&scene.session).await;
    let _tray = TrayHost::start(&scene.session).await;
    let window = app::drive(&scene.session, &[], &[]).await;
    window.wait_for_text("Nothing waits", DEADLINE).await;
    scene.ask("touch learned.txt").await;
    window.wait_for_text("touch learned.txt", DEADLINE).await;
    eventually("the approval", DEADLINE, async || {
        window.click_if_there("button[aria-keyshortcuts=A]").await;
        scene.server.dir(0).join("learned.txt").exists()
    })
    .await;
    app::go(&window, "Rules").await;
    window.wait_for_text("1 of 3", DEADLINE).await;
    window.click_css("button[aria-label='Let this pass from now on: touch learned.txt']", DEADLINE).await;
    window.wait_for_text("Passes from now on: touch learned.txt", DEADLINE).await;
    let field = window.wait_for_css("#r-command", DEADLINE).await;
    window.send_keys(&field, "touch learned.txt\u{E007}").await;
    window.wait_for_text("Passes, because it is learned", DEADLINE).await;
    app::painted(&scene.session).await;
    scene.session.screenshot("rules").await;

    window.click_css("button[aria-label='Delete touch learned.txt']", DEADLINE).await;
    // The focus is on what undoes it.
    window.wait_for_css("button[aria-label='Undo deleting touch learned.txt']:focus", DEADLINE).await;
    window.press('\u{E007}').await;
    window.wait_for_css("button[aria-label='Delete touch learned.txt']", DEADLINE).await;
    scene.ask("touch learned.txt && touch again.txt").await;
    scene.ask("touch learned.txt").await;
    app::go(&window, "Inbox").await;
    window.wait_for_text("touch again.txt", DEADLINE).await;
    window.quit().await;
}
