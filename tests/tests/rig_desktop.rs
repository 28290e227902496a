//! The rig's desktop, tried with the common programs of every desktop.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use gavel_tests::{
    desktop::{Dunst, NotificationServer, Session, WebDriver, bus, session::artefact},
    process::Process,
    wait::{eventually, stays},
};
use zbus::{MessageStream, Variant, message::Message};

const DEADLINE: Duration = Duration::from_secs(60);

/// A client of the notification server that is not ours: it shows two buttons and prints the key of the one pressed.
fn ask(session: &Session, name: &str, title: &str) -> Process {
    let mut command = session.command("notify-send");
    command.args(["--app-name=tester", "--action=yes=Approve", "--action=no=Decline", title, "body <b>text</b>"]);
    session.spawn(name, command)
}

#[tokio::test]
async fn a_session_is_its_own_world_and_ends() {
    let session = Session::start().await;
    let env = session.run("env", &[]).await;
    assert!(env.contains(&format!("HOME={}/home\n", session.root().display())), "{env}");
    assert!(!env.contains("CARGO"), "{env}");
    let names = session.run(
        "gdbus",
        &[
            "call",
            "--session",
            "-d",
            "org.freedesktop.DBus",
            "-o",
            "/",
            "-m",
            "org.freedesktop.DBus.ListActivatableNames",
        ],
    );
    assert_eq!(names.await.trim(), "(['org.freedesktop.DBus'],)", "nothing is started behind our back");

    let empty = session.picture().await;
    let mut message = session.command("xmessage");
    message.args(["-geometry", "+300+300", "-title", "a window to close", "hello"]);
    let mut window = session.spawn("xmessage", message);
    session.wait_for_window("a window to close", DEADLINE).await;
    session.wait_for_picture("the window", DEADLINE, |picture| picture.difference(&empty) > 500).await;
    session.screenshot("rig-session").await;
    let saved = std::fs::read(artefact("rig-session.png")).unwrap();
    assert!(saved.starts_with(b"\x89PNG"));
    // The window manager gives the window the focus, and closes it on this key.
    eventually("the window to be closed", DEADLINE, async || {
        session.press("alt+F4").await;
        window.exited()
    })
    .await;

    let (root, display) = (session.root().to_owned(), session.display().to_owned());
    drop(session);
    assert!(!root.exists());
    assert!(!std::path::Path::new(&format!("/tmp/.X11-unix/X{}", &display[1..])).exists());
}

#[tokio::test]
async fn two_sessions_do_not_meet() {
    let (one, two) = (Session::start().await, Session::start().await);
    assert_ne!(one.display(), two.display());
    let server = NotificationServer::start(&one).await;
    let _other = NotificationServer::start(&two).await;
    one.run("notify-send", &["only here"]).await;
    server.wait_for("the one", DEADLINE, |seen| seen.summary == "only here").await;
    assert!(_other.notifications().is_empty());
}

#[tokio::test]
async fn a_button_is_pressed() {
    let session = Session::start().await;
    let server = NotificationServer::start(&session).await;
    let mut client = ask(&session, "client", "May I?");
    let seen = server.wait_for("the question", DEADLINE, |seen| seen.summary == "May I?").await;
    assert_eq!((seen.app.as_str(), seen.body.as_str(), seen.replaces), ("tester", "body <b>text</b>", 0));
    assert_eq!(seen.key("Approve"), Some("yes"));
    assert!(seen.hints.contains_key("urgency"));
    assert_eq!(server.open(), [seen.id]);
    server.invoke(seen.id, "yes").await;
    assert!(client.wait_exit(DEADLINE).await.success());
    assert_eq!(client.output().trim(), "yes");
    assert!(server.open().is_empty());
}

#[tokio::test]
async fn a_notification_is_dismissed_and_another_withdrawn() {
    let session = Session::start().await;
    let server = NotificationServer::start(&session).await;
    let mut client = ask(&session, "client", "May I?");
    let seen = server.wait_for("the question", DEADLINE, |seen| seen.summary == "May I?").await;
    server.dismiss(seen.id).await;
    client.wait_exit(DEADLINE).await;
    assert_eq!(client.output().trim(), "");

    let id = session.run("notify-send", &["--print-id", "first"]).await.trim().to_owned();
    session.run("notify-send", &["--replace-id", &id, "second"]).await;
    let second = server.wait_for("the replacement", DEADLINE, |seen| seen.summary == "second").await;
    assert_eq!((second.id.to_string(), second.replaces.to_string()), (id.clone(), id.clone()));
    let typed = format!("uint32 {id}");
    let close = [
        "call",
        "--session",
        "-d",
        "org.freedesktop.Notifications",
        "-o",
        "/org/freedesktop/Notifications",
        "-m",
        "org.freedesktop.Notifications.CloseNotification",
        &typed,
    ];
    session.run("gdbus", &close).await;
    server.wait_for_close(second.id, DEADLINE).await;
    assert!(server.open().is_empty());
}

/// The order on the wire, seen from a client that looks at every message: reply, token, action, closed.
#[tokio::test]
async fn the_quickest_person_in_the_world() {
    let session = Session::start().await;
    let server = NotificationServer::start(&session).await;
    server.auto_invoke(Some("yes"));
    let client = bus::connect(&session.bus_address()).await;
    let mut stream = MessageStream::from(&client);
    let rule = "type='signal',interface='org.freedesktop.Notifications'";
    let daemon = zbus::fdo::DBusProxy::new(&client).await.unwrap();
    daemon.add_match_rule(zbus::MatchRule::try_from(rule).unwrap()).await.unwrap();
    let hints = HashMap::<&str, Variant<'_>>::new();
    let body = ("tester", 0_u32, "", "quick", "", vec!["yes", "Yes"], hints, -1_i32);
    let call = Message::method_call("/org/freedesktop/Notifications", "Notify")
        .destination("org.freedesktop.Notifications")
        .interface("org.freedesktop.Notifications")
        .build(&body)
        .unwrap();
    let serial = call.primary_header().serial_num();
    client.send(&call).await.unwrap();
    let mut order = Vec::new();
    while order.len() < 4 {
        let message = tokio::time::timeout(DEADLINE, stream.next()).await.unwrap().unwrap().unwrap();
        let header = message.header();
        if header.reply_serial() == Some(serial) {
            order.push("reply".to_owned());
        } else if header.interface().is_some_and(|name| name.as_str() == "org.freedesktop.Notifications") {
            order.push(header.member().unwrap().to_string());
        }
    }
    assert_eq!(order, ["reply", "ActivationToken", "ActionInvoked", "NotificationClosed"]);
}

#[tokio::test]
async fn a_server_that_is_slow_hangs_and_comes_back() {
    let session = Session::start().await;
    let mut server = NotificationServer::start_with(&session, &["body"]).await;
    server.set_delay(Duration::from_millis(700));
    let started = Instant::now();
    assert_eq!(session.run("notify-send", &["--print-id", "slow"]).await.trim(), "1");
    assert!(started.elapsed() >= Duration::from_millis(700));
    server.set_delay(Duration::ZERO);

    server.set_hang(true);
    let mut command = session.command("notify-send");
    command.arg("hanging");
    let mut client = session.spawn("hanging", command);
    eventually("its first call", DEADLINE, async || server.calls().len() > 2).await;
    stays("the client waits", Duration::from_millis(400), async || client.exited().is_none()).await;
    client.kill9();
    server.set_hang(false);

    server.stop().await;
    let absent = session.command("notify-send").arg("nobody there").output().unwrap();
    assert!(!absent.status.success());
    server.start_again().await;
    assert_eq!(session.run("notify-send", &["--print-id", "again"]).await.trim(), "1", "numbers begin anew");
}

#[tokio::test]
async fn dunst_offers_the_buttons_in_its_menu() {
    let session = Session::start().await;
    let dunst = Dunst::start(&session, "Approve").await;
    let empty = session.picture().await;
    let mut client = ask(&session, "client", "May I?");
    dunst.wait_for_displayed(1, DEADLINE).await;
    session.wait_for_picture("the notification", DEADLINE, |picture| picture.difference(&empty) > 2000).await;
    session.screenshot("rig-dunst").await;
    dunst.open_menu().await;
    client.wait_exit(DEADLINE).await;
    assert_eq!(client.output().trim(), "yes");
    let offered = dunst.offered();
    assert!(offered.len() == 2 && offered.iter().any(|entry| entry.contains("Decline")), "{offered:?}");
    dunst.wait_for_displayed(0, DEADLINE).await;

    dunst.want("Decline");
    let mut client = ask(&session, "another", "And now?");
    dunst.wait_for_displayed(1, DEADLINE).await;
    dunst.open_menu().await;
    client.wait_exit(DEADLINE).await;
    assert_eq!(client.output().trim(), "no");
}

/// A browser of WebKit's own, from the package of the library itself.
#[tokio::test]
async fn a_page_is_read_filled_in_and_looked_at() {
    let session = Session::start().await;
    let libraries = session.run("pkg-config", &["--variable=libdir", "webkit2gtk-4.1"]).await;
    let browser = std::path::Path::new(libraries.trim()).join("webkit2gtk-4.1/MiniBrowser");
    let page = session.root().join("page.html");
    let html = r#"<!doctype html><title>Rig</title>
        <input id="who"><button id="go">Go</button><p id="out" class="none">nothing</p>
        <script>
            document.getElementById("go").onclick = () => {
                const out = document.getElementById("out")
                out.textContent = "Hello, " + document.getElementById("who").value
                out.className = "some"
                document.body.style.background = "rgb(0, 128, 0)"
            }
        </script>"#;
    std::fs::write(&page, html).unwrap();
    let url = format!("file://{}", page.display());
    let driver = WebDriver::start(&session, &browser, &["--automation"], &[]).await;
    driver.go(&url).await;
    let field = driver.wait_for_css("#who", DEADLINE).await;
    driver.send_keys(&field, "Tester").await;
    driver.click_css("#go", DEADLINE).await;
    driver.wait_for_text("Hello, Tester", DEADLINE).await;
    let out = driver.find("#out").await.unwrap();
    assert_eq!(
        (driver.text(&out).await, driver.attribute(&out, "class").await),
        ("Hello, Tester".into(), Some("some".into()))
    );
    assert!(driver.find("#nowhere").await.is_err());
    assert!(!driver.click_if_there("#nowhere").await);
    // A page that takes the element away between the look and the click ends no test.
    driver
        .execute(
            "setInterval(() => { const go = document.getElementById('go'); go.replaceWith(go.cloneNode()) }, 1)",
            &[],
        )
        .await;
    for _ in 0..30 {
        driver.click_if_there("#go").await;
    }
    driver.wait_for_no_css(".none", DEADLINE).await;
    session
        .wait_for_picture("the green page", DEADLINE, |picture| picture.count(|rgb| rgb == [0, 128, 0]) > 10_000)
        .await;
    assert!(driver.picture().await.starts_with(b"\x89PNG"));
    session.screenshot("rig-web-driver").await;
    driver.quit().await;
}
