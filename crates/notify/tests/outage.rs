//! Services that are absent, end, hang or refuse.
#![cfg(all(unix, not(target_os = "macos")))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says bluntly what it expects"
)]

mod stage;

use std::time::{Duration, Instant};

use gavel_notify::{Button, Options, Report, State};
use stage::{Bus, Manner, Service, Subject, Told, key, notice, unavailable};

#[tokio::test]
async fn absent_then_there() {
    let bus = Bus::start();
    let mut subject = Subject::at(&bus.address);
    let (_, hint) = subject.until_unavailable("no notification service is running on this session's D-Bus").await;
    assert!(hint.contains("dunst"), "{hint}");
    subject.notifier.show(notice("a"));
    subject.notifier.show(notice("b"));
    subject.notifier.close(&key("b"));
    let service = Service::start(&bus.address, Manner::default()).await;
    assert_eq!(service.until_shown(1).await.title, "Run a · shop");
    let State::Ready(can) = subject.notifier.state() else { panic!("{:?}", subject.notifier.state()) };
    assert_eq!(can.server, "stand-in 7");
    assert!(can.actions && can.body && can.markup && can.persistence);
}

#[tokio::test]
async fn a_restarted_service_is_shown_what_is_open_and_old_numbers_are_dead() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    for name in ["a", "b", "c"] {
        subject.notifier.show(notice(name));
    }
    service.until_shown(3).await;
    let (a, c) = (service.shown()[0].clone(), service.shown()[2].clone());
    service.close(c.id, 2).await;
    assert_eq!(subject.next().await, Report::Dismissed { key: key("c") });
    service.stop().await;
    subject.until_state(unavailable).await;
    subject.notifier.close(&key("a"));
    let service = Service::start(&bus.address, Manner::default()).await;
    let b = service.until_shown(1).await;
    assert_eq!((b.title.as_str(), b.replaces, b.id), ("Run b · shop", 0, a.id));
    // The number that was `a` is `b` now; a click meant for `a` does nothing to `b`.
    service.invoke(a.id, &a.action("approve").unwrap()).await;
    service.invoke(b.id, &b.action("decline").unwrap()).await;
    assert_eq!(subject.next().await, Report::Clicked { key: key("b"), button: Button::Decline });
    assert_eq!(service.told().len(), 1);
}

#[tokio::test]
async fn another_service_that_takes_over_is_shown_what_is_open() {
    let bus = Bus::start();
    let old = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    let a = old.until_shown(1).await;
    old.behave(|manner| manner.hold = true);
    subject.notifier.show(notice("b"));
    let b = old.until_shown(2).await;

    // The old one goes on living, and its answer about `b` comes when it is the service no longer.
    let new = Service::start(&bus.address, Manner { first: 40, ..Manner::default() }).await;
    new.until_shown(2).await;
    old.behave(|manner| manner.hold = false);
    old.invoke(a.id, &a.action("approve").unwrap()).await;
    old.invoke(b.id, &b.action("approve").unwrap()).await;
    old.close(40, 2).await;
    old.passed_on().await;
    let mut shown = new.shown();
    shown.sort_by(|a, b| a.title.cmp(&b.title));
    let titles: Vec<_> = shown.iter().map(|shown| shown.title.as_str()).collect();
    assert_eq!(titles, ["Run a · shop", "Run b · shop"]);
    assert!(shown.iter().all(|shown| shown.replaces == 0 && shown.id >= 40));
    new.invoke(shown[1].id, &shown[1].action("decline").unwrap()).await;
    assert_eq!(subject.next().await, Report::Clicked { key: key("b"), button: Button::Decline });
    subject.notifier.close_all();
    new.until(|told| told.ends_with(&[Told::Close(shown[0].id), Told::Close(shown[1].id)])).await;
    assert!(!old.told().iter().any(|told| matches!(told, Told::Close(_))));
    assert_eq!(new.told().len(), 4);
}

#[tokio::test]
async fn a_service_that_hangs_blocks_nothing_and_is_told_all_when_it_recovers() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.until_ready().await;
    service.behave(|manner| manner.hold = true);
    let began = Instant::now();
    for n in 0..20 {
        subject.notifier.show(notice(&format!("n{n}")));
    }
    subject.notifier.close(&key("n0"));
    subject.notifier.close(&key("n19"));
    assert!(began.elapsed() < Duration::from_millis(500), "showing took {:?}", began.elapsed());
    subject.until_unavailable("`stand-in 7` does not answer").await;
    assert!(began.elapsed() >= Duration::from_secs(2) && began.elapsed() < Duration::from_secs(6));
    let before = Instant::now();
    subject.notifier.show(notice("late"));
    assert!(before.elapsed() < Duration::from_millis(100));
    assert!(unavailable(&subject.notifier.state()));

    service.behave(|manner| manner.hold = false);
    subject.until_ready().await;
    service.until_shown(20).await;
    subject.notifier.close(&key("late"));
    let late = service.shown().into_iter().find(|shown| shown.title == "Run late · shop").unwrap().id;
    service.until(|told| told.contains(&Told::Close(late))).await;
    let mut open: Vec<_> = service.shown().iter().map(|shown| shown.title.clone()).collect();
    for id in service.closed() {
        let title = service.shown().iter().find(|shown| shown.id == id).unwrap().title.clone();
        open.retain(|open| *open != title);
    }
    open.sort();
    let mut expected: Vec<_> = (1..19).map(|n| format!("Run n{n} · shop")).collect();
    expected.sort();
    assert_eq!(open, expected);
    let n7 = service.shown().into_iter().find(|shown| shown.title == "Run n7 · shop").unwrap();
    service.invoke(n7.id, &n7.action("approve").unwrap()).await;
    assert_eq!(subject.next().await, Report::Clicked { key: key("n7"), button: Button::Approve });
}

#[tokio::test]
async fn a_service_that_hangs_from_the_start() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner { hold: true, ..Manner::default() }).await;
    let mut subject = Subject::hasty(&bus.address);
    subject.notifier.show(notice("a"));
    subject.until_unavailable("the notification service does not answer").await;
    service.behave(|manner| manner.hold = false);
    subject.until_ready().await;
    assert_eq!(service.until_shown(1).await.title, "Run a · shop");
}

#[tokio::test]
async fn a_service_that_refuses_is_tried_again() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner { refuse: true, ..Manner::default() }).await;
    let mut subject = Subject::hasty(&bus.address);
    subject.notifier.show(notice("a"));
    subject.until_unavailable("`stand-in 7` refused a notification: too many").await;
    service.behave(|manner| manner.refuse = false);
    subject.until_ready().await;
    let shown = service.shown();
    assert!(shown.len() >= 2 && shown.iter().all(|shown| shown.replaces == 0), "{shown:?}");
}

#[tokio::test]
async fn no_bus_then_a_bus() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = format!("unix:path={}/none", folder.path().display());
    let mut subject = Subject::hasty(&nowhere);
    let (_, hint) = subject.until_unavailable("there is no session D-Bus: ").await;
    assert!(hint.contains("desktop session"), "{hint}");
    subject.notifier.show(notice("a"));

    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let path = bus.address.split(['=', ',']).nth(1).unwrap();
    std::os::unix::fs::symlink(path, folder.path().join("none")).unwrap();
    subject.until_ready().await;
    assert_eq!(service.until_shown(1).await.title, "Run a · shop");

    // And the bus goes away under it.
    drop(bus);
    subject.until_unavailable("there is no session D-Bus: ").await;
}

#[tokio::test]
async fn it_needs_no_runtime_of_the_caller() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let address = bus.address.clone();
    tokio::task::spawn_blocking(|| {
        std::thread::spawn(move || {
            let (send, _reports) = tokio::sync::mpsc::unbounded_channel();
            let options = Options { bus_address: Some(address), ..Options::default() };
            let notifier = gavel_notify::desktop_with(options, send);
            notifier.show(notice("a"));
            assert!(notifier.flush(stage::PATIENCE));
        })
        .join()
    })
    .await
    .unwrap()
    .unwrap();
    assert_eq!(service.until_shown(1).await.title, "Run a · shop");
}
