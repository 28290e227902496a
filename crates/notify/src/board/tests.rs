use std::time::Duration;

use super::*;

fn key(name: &str) -> RequestKey {
    RequestKey::new("http://127.0.0.1:4096", name)
}

fn notice(name: &str, body: &str) -> Notice {
    let buttons = vec![Button::Approve, Button::AllowSession, Button::Decline, Button::Review];
    Notice {
        key: key(name),
        title: name.to_owned(),
        body: body.to_owned(),
        buttons,
        choices: Vec::new(),
        urgent: false,
        language: gavel_core::text::Language::English,
    }
}

struct Screen {
    board: Board,
    now: Instant,
    call: u64,
}

impl Screen {
    fn new() -> Self {
        Self { board: Board::default(), now: Instant::now(), call: 0 }
    }

    fn post(&mut self) -> Option<Post> {
        self.call += 1;
        self.board.post(self.call, self.now)
    }

    /// Shows `notice` as number `id`.
    fn stand(&mut self, notice: Notice, id: u32) -> Post {
        self.board.show(notice);
        let post = self.post().unwrap();
        assert_eq!(self.board.posted(post.call, id), None);
        post
    }
}

#[test]
fn the_same_again_is_not_posted_and_an_update_replaces() {
    let mut screen = Screen::new();
    let first = screen.stand(notice("a", "1"), 5);
    assert_eq!((first.replaces, first.again), (0, false));
    screen.board.show(notice("a", "1"));
    assert_eq!(screen.post(), None);
    let second = screen.stand(notice("a", "2"), 5);
    assert_eq!((second.replaces, second.again, second.mark), (5, true, first.mark));
}

#[test]
fn updates_during_a_call_wait_for_its_reply_and_only_the_last_is_posted() {
    let mut screen = Screen::new();
    screen.board.show(notice("a", "1"));
    let first = screen.post().unwrap();
    screen.board.show(notice("a", "2"));
    screen.board.show(notice("a", "3"));
    assert_eq!(screen.post(), None);
    assert_eq!(screen.board.posted(first.call, 5), None);
    let second = screen.post().unwrap();
    assert_eq!((second.replaces, second.notice.body.as_str()), (5, "3"));
    assert_eq!(screen.post(), None);
}

#[test]
fn closed_before_its_number_is_known() {
    let mut screen = Screen::new();
    screen.board.show(notice("a", "1"));
    let first = screen.post().unwrap();
    assert_eq!(screen.board.close(&key("a")), None);
    screen.board.show(notice("a", "1"));
    let second = screen.post().unwrap();
    assert_ne!(first.mark, second.mark);
    assert_eq!(screen.board.posted(first.call, 5), Some(5));
    assert_eq!(screen.board.posted(second.call, 6), None);
    assert_eq!(screen.board.close(&key("a")), Some(6));
}

#[test]
fn a_late_reply_does_not_close_what_stands_under_its_number() {
    let mut screen = Screen::new();
    screen.stand(notice("a", "1"), 5);
    screen.board.show(notice("a", "2"));
    let lapsed = screen.post().unwrap();
    screen.board.forget_calls();
    let again = screen.post().unwrap();
    assert_eq!((again.replaces, again.notice.body.as_str()), (5, "2"));
    assert_eq!(screen.board.posted(again.call, 5), None);
    assert_eq!(screen.board.posted(lapsed.call, 5), None);
    assert_eq!(screen.board.posted(lapsed.call, 6), Some(6));
}

#[test]
fn put_away_while_its_update_is_under_way_it_does_not_come_back() {
    let mut screen = Screen::new();
    screen.stand(notice("a", "1"), 5);
    screen.board.show(notice("a", "2"));
    let update = screen.post().unwrap();
    assert_eq!(screen.board.closed(5, 2), Some(Report::Dismissed { key: key("a") }));
    assert_eq!(screen.board.posted(update.call, 6), Some(6));
    screen.board.show(notice("a", "3"));
    assert_eq!((screen.post(), screen.board.is_open()), (None, false));
}

#[test]
fn what_became_urgent_comes_back() {
    let mut screen = Screen::new();
    screen.stand(notice("a", "1"), 5);
    assert!(screen.board.closed(5, 2).is_some());
    let urgent = Notice { urgent: true, ..notice("a", "1") };
    let post = screen.stand(urgent.clone(), 6);
    assert_eq!((post.replaces, post.again), (0, true));
    assert!(screen.board.closed(6, 2).is_some());
    screen.board.show(Notice { body: "2".to_owned(), ..urgent });
    assert_eq!(screen.post(), None);
}

#[test]
fn why_it_closed_decides_what_follows() {
    for (reason, report) in [(1, None), (2, Some(Report::Dismissed { key: key("a") })), (3, None), (4, None), (9, None)]
    {
        let mut screen = Screen::new();
        screen.stand(notice("a", "1"), 5);
        let dismissed = report.is_some();
        assert_eq!(screen.board.closed(5, reason), report, "{reason}");
        assert_eq!(screen.board.closed(5, reason), None, "{reason}, told twice");
        screen.board.show(notice("a", "1"));
        assert_eq!(screen.post(), None, "{reason}: the same again");
        screen.board.show(notice("a", "2"));
        assert_eq!(screen.post().map(|post| post.replaces), (!dismissed).then_some(0), "{reason}: an update");
    }
}

#[test]
fn a_click_and_its_closing_come_in_any_order() {
    let mut screen = Screen::new();
    let a = screen.stand(notice("a", "1"), 5);
    let click = Some(Report::Clicked { key: key("a"), button: Button::Approve });
    assert_eq!(screen.board.clicked(5, &action_name(Button::Approve, a.mark)), click);
    assert_eq!(screen.board.closed(5, 2), None);
    let b = screen.stand(notice("b", "1"), 6);
    assert_eq!(screen.board.closed(6, 2), Some(Report::Dismissed { key: key("b") }));
    let click = Some(Report::Clicked { key: key("b"), button: Button::Decline });
    assert_eq!(screen.board.clicked(6, &action_name(Button::Decline, b.mark)), click);
}

#[test]
fn clicks_that_mean_nothing() {
    let mut screen = Screen::new();
    let a = screen.stand(notice("a", "1"), 5);
    let b = screen.stand(notice("b", "1"), 6);
    let of = |post: &Post| action_name(Button::Approve, post.mark);
    let foreign =
        [(7, of(&a)), (5, of(&b)), (6, of(&a)), (5, "approve".into()), (5, String::new()), (0, "default".into())];
    for (id, action) in foreign {
        assert_eq!(screen.board.clicked(id, &action), None, "{id} {action}");
    }
    assert_eq!(screen.board.clicked(5, DEFAULT), Some(Report::Opened { key: key("a") }));
    assert_eq!(screen.board.close(&key("a")), Some(5));
    assert_eq!(screen.board.clicked(5, DEFAULT), None);
}

#[test]
fn approving_what_has_grown_since_opens_it() {
    let mut screen = Screen::new();
    let a = screen.stand(notice("a", "1"), 5);
    screen.board.show(Notice { buttons: vec![Button::Decline, Button::Review], ..notice("a", "much longer") });
    for button in [Button::Approve, Button::AllowSession] {
        let click = screen.board.clicked(5, &action_name(button, a.mark));
        assert_eq!(click, Some(Report::Opened { key: key("a") }), "{button:?}");
    }
}

#[test]
fn a_new_service_is_told_what_stood_and_not_what_was_put_away() {
    let mut screen = Screen::new();
    for (name, id) in [("stands", 1), ("dismissed", 2), ("expired", 3), ("clicked", 4), ("clicked and stands", 5)] {
        screen.stand(notice(name, "1"), id);
    }
    screen.board.show(notice("under way", "1"));
    let under_way = screen.post().unwrap();
    assert!(screen.board.closed(2, 2).is_some());
    assert!(screen.board.closed(3, 1).is_none());
    assert!(screen.board.clicked(4, DEFAULT).is_some());
    assert!(screen.board.closed(4, 2).is_none());
    assert!(screen.board.clicked(5, DEFAULT).is_some());
    screen.board.forget_ids();
    let told: Vec<_> =
        std::iter::from_fn(|| screen.post()).map(|post| (post.notice.title, post.replaces, post.again)).collect();
    assert_eq!(told, [("stands".to_owned(), 0, true), ("under way".to_owned(), 0, false)]);
    assert_eq!(screen.board.clicked(1, DEFAULT), None);
    assert_eq!(screen.board.posted(under_way.call, 9), Some(9));
}

#[test]
fn a_number_given_twice_belongs_to_the_last() {
    let mut screen = Screen::new();
    screen.stand(notice("a", "1"), 5);
    screen.stand(notice("b", "1"), 5);
    assert_eq!(screen.board.clicked(5, DEFAULT), Some(Report::Opened { key: key("b") }));
    assert_eq!(screen.board.close(&key("a")), None);
    assert_eq!(screen.board.close(&key("b")), Some(5));
}

#[test]
fn a_refused_one_waits_and_lets_the_others_pass() {
    let mut screen = Screen::new();
    screen.board.show(notice("a", "1"));
    screen.board.show(notice("b", "1"));
    let a = screen.post().unwrap();
    let later = screen.now + Duration::from_secs(10);
    screen.board.refused(a.call, later);
    assert_eq!(screen.post().unwrap().notice.title, "b");
    assert_eq!((screen.post(), screen.board.due_at()), (None, Some(later)));
    screen.now = later;
    assert_eq!(screen.post().unwrap().notice.title, "a");
}

#[test]
fn approving_what_may_not_be_on_the_screen_yet_opens_it() {
    let mut screen = Screen::new();
    let a = screen.stand(notice("a", "ls"), 5);
    let [approve, session] = [Button::Approve, Button::AllowSession].map(|button| action_name(button, a.mark));
    let opened = Some(Report::Opened { key: key("a") });
    screen.board.show(notice("a", "ls, in /etc"));
    assert_eq!(screen.board.clicked(5, &approve), opened, "not told yet");
    assert_eq!(screen.board.clicked(5, &session), opened, "not told yet");
    let update = screen.post().unwrap();
    assert_eq!(screen.board.clicked(5, &approve), opened, "perhaps not drawn yet");
    assert_eq!(screen.board.clicked(5, &session), opened, "perhaps not drawn yet");
    let decline = Some(Report::Clicked { key: key("a"), button: Button::Decline });
    assert_eq!(screen.board.clicked(5, &action_name(Button::Decline, a.mark)), decline, "a refusal is always safe");
    assert_eq!(screen.board.posted(update.call, 5), None);
    for (action, button) in [(approve, Button::Approve), (session, Button::AllowSession)] {
        assert_eq!(screen.board.clicked(5, &action), Some(Report::Clicked { key: key("a"), button }));
    }
}
