mod model;

use gavel_core::RequestKey;

use super::*;
use crate::{Button, Notice};

fn notice(name: &str) -> Notice {
    let key = RequestKey::new("http://127.0.0.1:4096", name);
    Notice {
        key,
        title: name.to_owned(),
        body: String::new(),
        buttons: vec![Button::Decline],
        choices: Vec::new(),
        urgent: false,
        language: gavel_core::text::Language::English,
    }
}

/// A desk, the time, and what it sent.
struct Talk {
    desk: Desk,
    now: Instant,
}

impl Talk {
    fn new() -> Self {
        Self { desk: Desk::new(&Options::default()), now: Instant::now() }
    }

    fn ready() -> Self {
        let mut talk = Self::new();
        talk.desk.connected(Some(":1.7".to_owned()), talk.now);
        talk.answer_questions();
        assert!(matches!(talk.desk.state(), State::Ready(_)));
        talk
    }

    fn show(&mut self, name: &str) {
        self.desk.command(Command::Show(notice(name)));
    }

    fn sent(&mut self) -> Vec<Call> {
        self.desk.tick(self.now);
        self.desk.outgoing()
    }

    fn posts(&mut self) -> Vec<Post> {
        self.sent()
            .into_iter()
            .filter_map(|call| if let Call::Notify(post) = call { Some(post) } else { None })
            .collect()
    }

    fn questions(&mut self) -> usize {
        self.sent().iter().filter(|call| matches!(call, Call::Ask { .. })).count() / 2
    }

    fn answer_questions(&mut self) {
        for call in self.sent() {
            match call {
                Call::Ask { call, what: Question::Server } => self.answer(call, Answer::Server("fake 1".to_owned())),
                Call::Ask { call, what: Question::Capabilities } => {
                    self.answer(call, Answer::Capabilities(vec!["body".to_owned(), "actions".to_owned()]));
                }
                _ => {}
            }
        }
    }

    fn answer(&mut self, call: u64, answer: Answer) {
        self.desk.answered(call, answer, self.now);
    }

    fn wait(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
    }

    fn reason(&self) -> String {
        match self.desk.state() {
            State::Unavailable { reason, .. } => reason.to_string(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn asks_at_the_start_and_tells_what_it_learnt() {
    let talk = Talk::ready();
    let State::Ready(can) = talk.desk.state() else { unreachable!() };
    assert_eq!((can.actions, can.body, can.markup, can.persistence), (true, true, false, false));
    assert_eq!(can.server, "fake 1");
}

#[test]
fn tells_a_few_at_a_time() {
    let mut talk = Talk::ready();
    for n in 0..10 {
        talk.show(&format!("{n}"));
    }
    let posts = talk.posts();
    assert_eq!(posts.len(), IN_FLIGHT);
    assert!(!talk.desk.is_idle());
    talk.answer(posts[1].call, Answer::Id(1));
    let next = talk.posts();
    assert_eq!(next.iter().map(|post| post.notice.title.as_str()).collect::<Vec<_>>(), ["4"]);
}

#[test]
fn a_service_that_hangs_for_forty_seconds() {
    let mut talk = Talk::ready();
    talk.show("a");
    let a = talk.posts().remove(0);
    assert_eq!(talk.desk.wake(), Some(talk.now + Duration::from_secs(2)));
    talk.wait(2);
    assert_eq!(talk.questions(), 1);
    assert_eq!(talk.reason(), "`fake 1` does not answer");
    talk.show("b");
    let mut asked = 0;
    for _ in 0..38 {
        talk.wait(1);
        assert_eq!(talk.posts(), [], "it must not be pressed");
        asked += usize::from(talk.desk.probe.at() == Some(talk.now + Duration::from_secs(20)));
    }
    assert_eq!(asked, 1, "after ten seconds, and then not before twenty more");
    // It wakes up and works off what it finds: first the notification, then the question.
    talk.answer(a.call, Answer::Id(1));
    let question = talk.desk.calls.iter().find(|(_, call)| matches!(call, Pending::Ask(Question::Capabilities)));
    let question = *question.unwrap().0;
    talk.answer(question, Answer::Capabilities(vec!["body".to_owned()]));
    assert!(matches!(talk.desk.state(), State::Ready(_)));
    let posts = talk.posts();
    assert_eq!(posts.iter().map(|post| post.notice.title.as_str()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn nobody_is_asked_ever_more_seldom_and_only_while_something_is_open() {
    let mut talk = Talk::new();
    talk.desk.connected(None, talk.now);
    for call in talk.sent() {
        if let Call::Ask { call, .. } = call {
            talk.answer(call, Answer::Nobody);
        }
    }
    assert_eq!(talk.reason(), "no notification service is running on this session's D-Bus");
    assert_eq!(talk.desk.wake(), None);
    talk.wait(3600);
    assert_eq!(talk.questions(), 0);
    talk.show("a");
    let mut gaps = Vec::new();
    for _ in 0..8 {
        let began = talk.now;
        while talk.questions() == 0 {
            talk.wait(1);
        }
        gaps.push((talk.now - began).as_secs());
    }
    assert_eq!(gaps, [0, 20, 40, 80, 160, 300, 300, 300]);
    talk.show("b");
    talk.wait(10);
    assert_eq!(talk.questions(), 1);
}

#[test]
fn a_service_the_bus_fails_to_start() {
    let mut talk = Talk::new();
    talk.desk.connected(None, talk.now);
    talk.sent();
    talk.wait(2);
    talk.sent();
    assert_eq!(talk.reason(), "the notification service was asked to start and does not answer");
    talk.desk.owner_changed(Some(":1.9".to_owned()), talk.now);
    assert_eq!(talk.desk.state(), State::Starting);
    talk.answer_questions();
    assert!(matches!(talk.desk.state(), State::Ready(_)));
}

#[test]
fn a_service_that_ends_before_it_answers() {
    let mut talk = Talk::ready();
    talk.show("a");
    let a = talk.posts().remove(0);
    talk.answer(a.call, Answer::Nobody);
    assert_eq!(talk.posts(), []);
    talk.desk.owner_changed(None, talk.now);
    assert_eq!(talk.reason(), "no notification service is running on this session's D-Bus");
    talk.desk.owner_changed(Some(":1.8".to_owned()), talk.now);
    talk.answer_questions();
    assert_eq!(talk.posts().len(), 1);
}

#[test]
fn refusals_are_told_and_tried_again() {
    let mut talk = Talk::ready();
    talk.show("a");
    let a = talk.posts().remove(0);
    talk.answer(a.call, Answer::Refused("too \u{1B}many".to_owned()));
    assert_eq!(talk.reason(), "`fake 1` refused a notification: too ⟨U+001B⟩many");
    talk.show("b");
    let b = talk.posts().remove(0);
    assert_eq!(b.notice.title, "b");
    talk.answer(b.call, Answer::Id(1));
    assert!(matches!(talk.desk.state(), State::Ready(_)));
    assert_eq!(talk.desk.wake(), Some(talk.now + Duration::from_secs(10)));
    talk.wait(10);
    assert_eq!(talk.posts().remove(0).notice.title, "a");
}

#[test]
fn a_service_that_answers_nonsense() {
    let mut talk = Talk::new();
    talk.desk.connected(Some(":1.7".to_owned()), talk.now);
    for call in talk.sent() {
        if let Call::Ask { call, .. } = call {
            talk.answer(call, Answer::Refused("no such method".to_owned()));
        }
    }
    assert_eq!(talk.reason(), "the notification service can't be asked what it can do: no such method");
    talk.show("a");
    assert_eq!(talk.posts(), []);
}

#[test]
fn without_a_bus_nothing_is_sent() {
    let mut talk = Talk::ready();
    talk.show("a");
    talk.desk.disconnected("gone".to_owned());
    assert_eq!(talk.sent(), []);
    assert_eq!((talk.reason().as_str(), talk.desk.wake()), ("there is no session D-Bus: gone", None));
    assert!(talk.desk.is_idle());
}
