use super::*;

const SERVER: &str = "http://s";

fn said(id: &str, says: Says) -> Line {
    let (key, directory) = (RequestKey::new(SERVER, id), "/p".to_owned());
    Line { key, directory, says, headline: format!("Run {id}") }
}

/// At which moment what should be read, whether it is sent then, and when it is to be looked at again.
type Row = (u64, Option<(&'static str, Says)>, bool, Option<u64>);

fn play(times: ToastTimes, table: &[Row]) {
    let mut toasts = Toasts::default();
    for (at, wanted, sends, wake) in table {
        let line = wanted.map(|(id, says)| said(id, says));
        let wanted = line.iter().map(|line| (SERVER.into(), line.clone())).collect();
        let due = toasts.step(wanted, times, Moment(*at));
        let send: Vec<(ServerId, Line)> =
            line.iter().filter(|_| *sends).map(|line| (SERVER.into(), line.clone())).collect();
        assert_eq!(due, Due { send, wake: wake.map(Moment) }, "at {at}");
    }
}

#[test]
fn a_line_is_said_at_once_again_while_it_should_stay_and_never_for_ever() {
    let (judge, you) = (Some(("a", Says::NoAnswerNeeded)), Some(("a", Says::UpToYou)));
    let other = Some(("b", Says::UpToYou));
    let times = ToastTimes { notify_duration_ms: 5_000, notify_heartbeat_ms: 2_000, notify_stalled_max_ms: 5_000 };
    play(
        times,
        &[
            (0, None, false, None),
            (10, judge, true, Some(2_010)),
            // A timer runs already.
            (20, judge, false, None),
            (2_010, judge, true, Some(4_010)),
            // Another thing to say is said at once.
            (2_500, you, true, None),
            (4_010, you, false, Some(4_500)),
            (4_500, you, true, Some(6_500)),
            (6_500, you, true, None),
            // Held for five seconds: now it fades.
            (8_500, you, false, None),
            (60_000, you, false, None),
            // Another request begins anew.
            (60_010, other, true, Some(62_010)),
            // Settled: nothing is sent, and no timer is begun, whatever comes late.
            (60_020, None, false, None),
            (62_010, None, false, None),
            (70_000, other, true, Some(72_000)),
        ],
    );
    let once = ToastTimes { notify_heartbeat_ms: 0, ..times };
    play(once, &[(0, judge, true, None), (60_000, judge, false, None), (60_001, you, true, None)]);
    // No heartbeat floods a server.
    let hasty = ToastTimes { notify_heartbeat_ms: 1, ..times };
    play(hasty, &[(0, judge, true, Some(500)), (100, judge, false, None), (500, judge, true, Some(1_000))]);
    let brief = ToastTimes { notify_stalled_max_ms: 0, ..times };
    play(brief, &[(0, judge, true, Some(2_000)), (2_000, judge, false, None)]);
}

#[test]
fn each_server_has_its_own_line_and_one_timer_is_for_all() {
    let mut toasts = Toasts::default();
    let times = ToastTimes::default();
    let line = |server: &str, id: &str| {
        (ServerId::from(server), Line { key: RequestKey::new(server, id), ..said(id, Says::UpToYou) })
    };
    let first = toasts.step(BTreeMap::from([line("http://a", "1")]), times, Moment(0));
    assert_eq!((first.send.len(), first.wake), (1, Some(Moment(2_000))));
    let both = BTreeMap::from([line("http://a", "1"), line("http://b", "2")]);
    let second = toasts.step(both.clone(), times, Moment(500));
    assert_eq!((second.send, second.wake), (vec![line("http://b", "2")], None));
    let third = toasts.step(both.clone(), times, Moment(2_000));
    assert_eq!((third.send, third.wake), (vec![line("http://a", "1")], Some(Moment(2_500))));
    let fourth = toasts.step(both, times, Moment(2_500));
    assert_eq!((fourth.send, fourth.wake), (vec![line("http://b", "2")], Some(Moment(4_000))));
}

#[test]
fn what_is_said_is_short_and_visible() {
    let long = Line { headline: format!("Run {}", "x".repeat(200)), ..said("a", Says::UpToYou) };
    let message = long.message(Language::English);
    assert!(message.starts_with("It is up to you: Run xxx") && message.ends_with('…'), "{message}");
    assert!(message.chars().count() < 110, "{message}");
    let russian = said("a", Says::UpToYou).message(Language::Russian);
    assert_eq!(russian, "Решать вам: Run a", "what is asked was worded before");
    assert_eq!(
        said("a", Says::NoAnswerNeeded).message(Language::English),
        "No answer needed, the judge is at it: Run a"
    );
    let hostile = Line { headline: "Run \u{202E}\u{1b}[2Ja".to_owned(), ..said("a", Says::UpToYou) };
    assert!(
        !hostile.message(Language::English).contains(['\u{202E}', '\u{1b}']),
        "{}",
        hostile.message(Language::English)
    );
}

#[test]
fn the_defaults_are_the_plugins() {
    let read: ToastTimes = serde_json::from_str("{}").unwrap();
    let json = serde_json::to_value(read).unwrap();
    let expected = serde_json::json!({
        "notifyDurationMs": 5_000, "notifyHeartbeatMs": 2_000, "notifyStalledMaxMs": 300_000,
    });
    assert_eq!(json, expected);
}
