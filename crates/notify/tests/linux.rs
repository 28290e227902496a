//! The notifier against a real message bus and a service that does as it is told.
#![cfg(all(unix, not(target_os = "macos")))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says bluntly what it expects"
)]

mod stage;

use gavel_notify::{Button, Report};
use stage::{Bus, Manner, Service, Subject, Told, key, notice};

#[tokio::test]
async fn answers_that_come_at_once_are_received_in_order() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner { press: Some("approve"), ..Manner::default() }).await;
    let mut subject = Subject::at(&bus.address);
    let keys: Vec<_> = (0..60).map(|n| key(&format!("n{n}"))).collect();
    for n in 0..60 {
        subject.notifier.show(notice(&format!("n{n}")));
    }
    for key in keys {
        assert_eq!(subject.next().await, Report::Clicked { key, button: Button::Approve });
    }
    assert_eq!(service.shown().len(), 60);
    assert_eq!(subject.so_far(), []);
}

#[tokio::test]
async fn says_what_it_must() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let subject = Subject::at(&bus.address);
    let mut said = notice("a");
    said.body = "if a<b && c>d".to_owned();
    said.title = "Run a<b".to_owned();
    subject.notifier.show(said);
    let shown = service.until_shown(1).await;
    assert_eq!(shown.body, "if a&lt;b &amp;&amp; c&gt;d");
    assert_eq!((shown.app.as_str(), shown.title.as_str()), ("Gavel", "Run a<b"));
    assert_eq!((shown.replaces, shown.expires), (0, 0));
    let labels: Vec<_> = shown.actions.iter().skip(1).step_by(2).map(String::as_str).collect();
    assert_eq!(labels, ["Open", "Approve", "Decline", "Open"]);
    assert_eq!(shown.actions[0], "default");
    for (name, value) in
        [("urgency", "byte 1"), ("resident", "false"), ("desktop-entry", "gavel"), ("category", "x-gavel.request")]
    {
        assert_eq!(shown.hints.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert!(!shown.hints.contains_key("suppress-sound"));
}

#[tokio::test]
async fn an_update_replaces_in_place_and_the_same_again_is_not_sent() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    let first = service.until_shown(1).await;
    subject.notifier.show(notice("a"));
    let mut better = notice("a");
    better.body.push_str("\nthe judge would allow it");
    subject.notifier.show(better.clone());
    let second = service.until_shown(2).await;
    assert_eq!((second.replaces, second.id), (first.id, first.id));
    assert!(second.hints.contains_key("suppress-sound"));
    subject.notifier.show(better);
    subject.notifier.show(notice("b"));
    assert_eq!(service.until_shown(3).await.title, "Run b · shop");
    // The button of the first version is the button of the second.
    service.invoke(first.id, &first.action("decline").unwrap()).await;
    assert_eq!(subject.next().await, Report::Clicked { key: key("a"), button: Button::Decline });
}

#[tokio::test]
async fn closing_takes_it_back_and_its_number_means_nothing_any_more() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    subject.notifier.show(notice("b"));
    let (a, b) = (service.until_shown(1).await, service.until_shown(2).await);
    subject.notifier.close(&key("a"));
    service.until(|told| told.last() == Some(&Told::Close(a.id))).await;
    service.invoke(a.id, &a.action("approve").unwrap()).await;
    service.invoke(a.id, &b.action("approve").unwrap()).await;
    service.invoke(b.id, &a.action("approve").unwrap()).await;
    service.invoke(b.id, "approve").await;
    service.invoke(77, &b.action("approve").unwrap()).await;
    service.close(a.id, 3).await;
    service.invoke(b.id, &b.action("decline").unwrap()).await;
    assert_eq!(subject.next().await, Report::Clicked { key: key("b"), button: Button::Decline });
}

#[tokio::test]
async fn what_others_claim_was_clicked_is_ignored() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    let a = service.until_shown(1).await;
    Service::stranger_invokes(&bus.address, a.id, &a.action("approve").unwrap()).await;
    service.invoke(a.id, &a.action("decline").unwrap()).await;
    assert_eq!(subject.next().await, Report::Clicked { key: key("a"), button: Button::Decline });
}

#[tokio::test]
async fn closing_before_the_reply_closes_as_soon_as_the_number_is_known() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.until_ready().await;
    service.behave(|manner| manner.hold = true);
    subject.notifier.show(notice("a"));
    let first = service.until_shown(1).await;
    subject.notifier.close(&key("a"));
    subject.notifier.show(notice("a"));
    service.behave(|manner| manner.hold = false);
    let second = service.until_shown(2).await;
    assert_eq!(second.replaces, 0);
    service.until(|told| told.contains(&Told::Close(first.id))).await;
    assert_eq!(service.closed(), [first.id]);
    // A click on the first one, sent before the service heard of the closing, answers nothing.
    service.invoke(first.id, &first.action("approve").unwrap()).await;
    service.invoke(second.id, "default").await;
    assert_eq!(subject.next().await, Report::Opened { key: key("a") });
}

#[tokio::test]
async fn dismissing_is_no_answer_and_it_stays_away() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    let a = service.until_shown(1).await;
    service.close(a.id, 2).await;
    assert_eq!(subject.next().await, Report::Dismissed { key: key("a") });
    let mut better = notice("a");
    better.body.push_str("\nthe judge would allow it");
    subject.notifier.show(better.clone());
    subject.notifier.show(notice("b"));
    assert_eq!(service.until_shown(2).await.title, "Run b · shop");
    subject.notifier.close(&key("a"));
    subject.notifier.show(better);
    assert_eq!(service.until_shown(3).await.title, "Run a · shop");
}

#[tokio::test]
async fn an_expired_one_is_forgotten_quietly() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    let a = service.until_shown(1).await;
    service.close(a.id, 1).await;
    service.invoke(a.id, "default").await;
    // Some services tell of the closing first: the click counts all the same, and nothing was reported before it.
    assert_eq!(subject.next().await, Report::Opened { key: key("a") });
}

#[tokio::test]
async fn without_buttons_it_says_where_to_answer() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner { capabilities: vec!["body"], ..Manner::default() }).await;
    let subject = Subject::at(&bus.address);
    let mut said = notice("a");
    said.body = "if a<b && c>d".to_owned();
    subject.notifier.show(said);
    let shown = service.until_shown(1).await;
    assert_eq!(shown.body, "if a<b && c>d\nAnswer from Gavel's tray icon or its window.");
    assert_eq!(shown.actions, Vec::<String>::new());
}

#[tokio::test]
async fn two_hundred_at_once() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let mut subject = Subject::at(&bus.address);
    for n in 0..200 {
        subject.notifier.show(notice(&format!("n{n}")));
    }
    service.until_shown(200).await;
    let all = service.shown();
    for (n, shown) in all.iter().enumerate() {
        assert_eq!(shown.title, format!("Run n{n} · shop"));
    }
    for shown in &all {
        service.invoke(shown.id, &shown.action("decline").unwrap()).await;
    }
    for n in 0..200 {
        let key = key(&format!("n{n}"));
        assert_eq!(subject.next().await, Report::Clicked { key, button: Button::Decline });
    }
    subject.notifier.close_all();
    assert!(subject.notifier.flush(stage::PATIENCE));
    service.until(|told| told.iter().filter(|told| matches!(told, Told::Close(_))).count() == 200).await;
    assert_eq!(service.shown().len(), 200);
}

#[tokio::test]
async fn the_last_handle_takes_everything_with_it() {
    let bus = Bus::start();
    let service = Service::start(&bus.address, Manner::default()).await;
    let subject = Subject::at(&bus.address);
    subject.notifier.show(notice("a"));
    let a = service.until_shown(1).await;
    drop(subject);
    service.until(|told| told.contains(&Told::Close(a.id))).await;
}
