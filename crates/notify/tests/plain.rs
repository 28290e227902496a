//! The plain notifier against a real message bus: what it shows there, it shows through `notify-rust`.
//!
//! `notify-rust` finds its bus in the environment, so this program runs itself again with another one.
#![cfg_attr(
    all(unix, not(target_os = "macos")),
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "a test says bluntly what it expects"
    )
)]

#[cfg(all(unix, not(target_os = "macos")))]
mod stage;

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn main() {}

#[cfg(all(unix, not(target_os = "macos")))]
fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if std::env::args().any(|argument| argument == CHILD) {
        runtime.block_on(child());
    } else {
        runtime.block_on(parent());
        println!("the plain notifier: ok");
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
const CHILD: &str = "--in-the-child";

#[cfg(all(unix, not(target_os = "macos")))]
async fn child() {
    use gavel_notify::{Notice, Options, State, plain};
    use stage::{key, notice};

    let (send, mut reports) = tokio::sync::mpsc::unbounded_channel();
    let retry = std::time::Duration::from_millis(100);
    let notifier = plain::start(Options { retry, ..Options::default() }, send);
    let mut state = async |fits: fn(&State) -> bool| {
        loop {
            match tokio::time::timeout(stage::PATIENCE, reports.recv()).await.expect("a change of state").unwrap() {
                gavel_notify::Report::State(state) if fits(&state) => return state,
                _ => {}
            }
        }
    };
    notifier.show(Notice { body: "a<b".to_owned(), ..notice("a") });
    state(stage::unavailable).await;
    println!("unavailable");
    let State::Ready(can) = state(|state| matches!(state, State::Ready(_))).await else { unreachable!() };
    assert_eq!((can.actions, can.markup, can.server.as_str()), (false, true, "stand-in 7"));
    // An update can't be shown in place everywhere, so it isn't shown at all.
    notifier.show(Notice { body: "a<b, and the judge would allow it".to_owned(), ..notice("a") });
    notifier.show(notice("b"));
    assert!(
        tokio::task::spawn_blocking(move || {
            assert!(notifier.flush(stage::PATIENCE));
            notifier.close(&key("a"));
            notifier.flush(stage::PATIENCE)
        })
        .await
        .unwrap()
    );
    // The parent looks at what stands before this ends and takes it back.
    tokio::task::spawn_blocking(|| std::io::stdin().read_line(&mut String::new())).await.unwrap().unwrap();
}

#[cfg(all(unix, not(target_os = "macos")))]
async fn parent() {
    use stage::{Bus, Manner, Service, Told};
    use std::process::Stdio;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    let bus = Bus::start();
    let mut child = tokio::process::Command::new(std::env::current_exe().unwrap())
        .arg(CHILD)
        .env("DBUS_SESSION_BUS_ADDRESS", &bus.address)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(said.next_line().await.unwrap().as_deref(), Some("unavailable"));
    let service = Service::start(&bus.address, Manner::default()).await;
    service.until(|told| told.contains(&Told::Close(1))).await;
    let shown = service.shown();
    assert_eq!(shown.len(), 2, "{shown:#?}");
    assert_eq!(shown[0].body, "a&lt;b\nAnswer from Gavel's tray icon or its window.");
    assert_eq!(shown[1].title, "Run b · shop");
    assert!(shown.iter().all(|shown| shown.actions.is_empty() && shown.expires == 0 && shown.replaces == 0));
    child.stdin.take().unwrap().write_all(b"go\n").await.unwrap();
    let status = tokio::time::timeout(stage::PATIENCE, child.wait()).await.expect("the child ends").unwrap();
    assert!(status.success(), "{status}");
}
