use gavel_core::text::Message;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;

fn notice(name: &str, body: &str) -> Notice {
    let buttons = vec![Button::Decline, Button::Review];
    let key = RequestKey::new("http://127.0.0.1:4096", name);
    Notice {
        key,
        title: name.to_owned(),
        body: body.to_owned(),
        buttons,
        choices: Vec::new(),
        urgent: false,
        language: gavel_core::text::Language::English,
    }
}

fn recorder() -> (Arc<Recorder>, UnboundedReceiver<Report>) {
    let (send, reports) = unbounded_channel();
    (Recorder::new(send), reports)
}

#[test]
fn it_records_what_a_desktop_would_do() {
    let (recorder, _reports) = recorder();
    recorder.show(notice("a", "1"));
    recorder.show(notice("b", "1"));
    recorder.show(notice("a", "1"));
    recorder.show(notice("a", "2"));
    assert_eq!(recorder.shown(), [notice("a", "2"), notice("b", "1")]);
    recorder.close(&notice("a", "").key);
    recorder.close(&notice("a", "").key);
    recorder.close_all();
    assert_eq!(recorder.shown(), []);
    let expected = [
        Recorded::Shown(notice("a", "1")),
        Recorded::Shown(notice("b", "1")),
        Recorded::Updated(notice("a", "2")),
        Recorded::Closed(notice("a", "").key),
        Recorded::Closed(notice("b", "").key),
    ];
    assert_eq!(recorder.log(), expected);
}

#[test]
fn only_what_stands_can_be_clicked_and_only_where_there_is_a_button() {
    let (recorder, mut reports) = recorder();
    let key = notice("a", "").key;
    assert!(!recorder.click(&key, Button::Decline) && !recorder.open(&key) && !recorder.dismiss(&key));
    recorder.show(notice("a", "1"));
    assert!(!recorder.click(&key, Button::Approve));
    assert!(reports.try_recv().is_err());
    assert!(recorder.click(&key, Button::Decline));
    assert!(!recorder.click(&key, Button::Decline));
    assert_eq!(reports.try_recv().unwrap(), Report::Clicked { key, button: Button::Decline });
    assert!(reports.try_recv().is_err());
}

#[test]
fn what_was_put_away_stays_away_until_it_was_closed() {
    let (recorder, mut reports) = recorder();
    let key = notice("a", "").key;
    for (act, report) in [
        (Recorder::open as fn(&Recorder, &RequestKey) -> bool, Report::Opened { key: key.clone() }),
        (Recorder::dismiss, Report::Dismissed { key: key.clone() }),
    ] {
        recorder.show(notice("a", "1"));
        assert!(act(&recorder, &key));
        assert_eq!(reports.try_recv().unwrap(), report);
        recorder.show(notice("a", "2"));
        assert_eq!(recorder.shown(), []);
        recorder.close(&key);
    }
    recorder.show(notice("a", "3"));
    assert_eq!(recorder.shown(), [notice("a", "3")]);
    assert!(reports.try_recv().is_err());
}

#[tokio::test]
async fn what_is_shown_while_unavailable_comes_up_later() {
    let (recorder, mut reports) = recorder();
    let ready = recorder.state();
    let away = State::Unavailable { reason: Message::verbatim("away"), hint: Message::default() };
    recorder.set_state(away.clone());
    recorder.show(notice("a", "1"));
    assert_eq!((recorder.shown(), recorder.state()), (vec![], away.clone()));
    let later = Arc::clone(&recorder);
    let back = ready.clone();
    let waiting = tokio::spawn(async move { later.wait_for(Duration::from_secs(10), |shown| shown.len() == 1).await });
    recorder.set_state(back);
    assert!(waiting.await.unwrap());
    assert_eq!(reports.recv().await, Some(Report::State(away)));
    assert_eq!(reports.recv().await, Some(Report::State(ready)));
    assert!(!recorder.wait_for(Duration::ZERO, |shown| shown.len() == 2).await);
}
