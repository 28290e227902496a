//! The desk against a whole desktop, simulated: a service that is slow, hangs and ends, and a person who clicks.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::board::{DEFAULT, action_name};

#[derive(Debug, Clone)]
enum Step {
    /// Request, version of its text, whether it can be approved.
    Show(u8, u8, bool),
    Close(u8),
    /// The service reads one message.
    Read,
    /// One message of the service reaches the desk.
    Hear,
    /// The person clicks one of those that stand: a button, or the notification itself.
    Click(Index, Option<Button>),
    /// One of those that stand goes away, for this reason.
    Vanish(Index, u32),
    Wait(u8),
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let button = prop::option::of(prop::sample::select(vec![Button::Approve, Button::AllowSession, Button::Decline]));
    prop_oneof![
        4 => (0..4u8, 0..3u8, any::<bool>()).prop_map(|(key, version, whole)| Step::Show(key, version, whole)),
        2 => (0..4u8).prop_map(Step::Close),
        6 => Just(Step::Read),
        6 => Just(Step::Hear),
        2 => (any::<Index>(), button).prop_map(|(which, button)| Step::Click(which, button)),
        1 => (any::<Index>(), 1..3u32).prop_map(|(which, reason)| Step::Vanish(which, reason)),
        2 => (0..15u8).prop_map(Step::Wait),
        1 => Just(Step::Restart),
    ]
}

/// What is on its way to the desk.
#[derive(Debug)]
enum Signal {
    Reply(u64, Answer),
    /// Number, mark and button, and the notice the person saw.
    Click(u32, u64, Option<Button>, Notice),
    Closed(u32, u32),
}

struct World {
    desk: Desk,
    now: Instant,
    unread: VecDeque<Call>,
    unheard: VecDeque<Signal>,
    /// What stands under each number, with its mark.
    screen: BTreeMap<u32, (Notice, u64)>,
    next: u32,
    services: u32,
    /// What the program wants to stand.
    wanted: BTreeMap<RequestKey, Notice>,
    /// What somebody else took off the screen. Whether that comes back is a matter of the board's own tests.
    taken: Vec<RequestKey>,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            desk: Desk::new(&Options::default()),
            now: Instant::now(),
            unread: VecDeque::new(),
            unheard: VecDeque::new(),
            screen: BTreeMap::new(),
            next: 1,
            services: 0,
            wanted: BTreeMap::new(),
            taken: Vec::new(),
        };
        world.restart();
        world.settle();
        world
    }

    fn restart(&mut self) {
        self.services += 1;
        self.unread.clear();
        self.unheard.clear();
        self.screen.clear();
        self.next = 1;
        self.desk.owner_changed(None, self.now);
        self.desk.owner_changed(Some(format!(":1.{}", self.services)), self.now);
    }

    fn settle(&mut self) {
        self.desk.tick(self.now);
        self.unread.extend(self.desk.outgoing());
    }

    fn read(&mut self) {
        match self.unread.pop_front() {
            Some(Call::Notify(post)) => {
                let id = if self.screen.contains_key(&post.replaces) { post.replaces } else { self.next };
                self.next = self.next.max(id + 1);
                self.screen.insert(id, (post.notice, post.mark));
                self.unheard.push_back(Signal::Reply(post.call, Answer::Id(id)));
            }
            Some(Call::Close(id)) => {
                self.unheard.extend(self.screen.remove(&id).map(|_| Signal::Closed(id, 3)));
            }
            Some(Call::Ask { call, what: Question::Server }) => {
                self.unheard.push_back(Signal::Reply(call, Answer::Server("model".to_owned())));
            }
            Some(Call::Ask { call, what: Question::Capabilities }) => {
                let words = ["body", "actions"].map(str::to_owned).to_vec();
                self.unheard.push_back(Signal::Reply(call, Answer::Capabilities(words)));
            }
            None => {}
        }
    }

    fn hear(&mut self) -> Result<(), TestCaseError> {
        let report = match self.unheard.pop_front() {
            Some(Signal::Reply(call, answer)) => {
                self.desk.answered(call, answer, self.now);
                return Ok(());
            }
            Some(Signal::Closed(id, reason)) => self.desk.closed(id, reason).map(|report| (report, None)),
            Some(Signal::Click(id, mark, button, seen)) => {
                let action = button.map_or_else(|| DEFAULT.to_owned(), |button| action_name(button, mark));
                self.desk.clicked(id, &action).map(|report| (report, Some((button, seen))))
            }
            None => None,
        };
        match report {
            Some((Report::Clicked { key, button }, Some((pressed, seen)))) => {
                prop_assert_eq!(&key, &seen.key, "a click answered another request");
                prop_assert_eq!(Some(button), pressed);
                prop_assert!(self.wanted[&key].buttons.contains(&button), "approved what has grown since");
            }
            Some((Report::Opened { key }, Some((_, seen)))) => prop_assert_eq!(key, seen.key),
            Some((Report::Dismissed { key }, None)) => prop_assert!(self.taken.contains(&key)),
            Some(other) => prop_assert!(false, "{other:?}"),
            None => {}
        }
        Ok(())
    }

    /// Takes one of those that stand off the screen.
    fn take(&mut self, which: Index) -> Option<(u32, u64, Notice)> {
        let ids: Vec<u32> = self.screen.keys().copied().collect();
        let id = *which.get(ids.get(..).filter(|ids| !ids.is_empty())?);
        let (notice, mark) = self.screen.remove(&id)?;
        self.taken.push(notice.key.clone());
        Some((id, mark, notice))
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        match step {
            Step::Show(key, version, whole) => {
                let mut notice = notice(&key.to_string());
                notice.body = version.to_string();
                if whole {
                    notice.buttons.extend([Button::Approve, Button::AllowSession]);
                }
                self.wanted.insert(notice.key.clone(), notice.clone());
                self.desk.command(Command::Show(notice));
            }
            Step::Close(key) => {
                let key = notice(&key.to_string()).key;
                self.wanted.remove(&key);
                self.desk.command(Command::Close(key));
            }
            Step::Read => self.read(),
            Step::Hear => self.hear()?,
            Step::Click(which, button) => {
                if let Some((id, mark, seen)) = self.take(which) {
                    // A button that isn't there can't be pressed.
                    let button = button.filter(|button| seen.buttons.contains(button));
                    self.unheard.extend([Signal::Click(id, mark, button, seen), Signal::Closed(id, 2)]);
                }
            }
            Step::Vanish(which, reason) => {
                if let Some((id, ..)) = self.take(which) {
                    self.unheard.push_back(Signal::Closed(id, reason));
                }
            }
            Step::Wait(seconds) => self.now += Duration::from_secs(u64::from(seconds)),
            Step::Restart => self.restart(),
        }
        self.settle();
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// However slow, however often restarted: in the end everything wanted stands, once, as it was worded last, and
    /// nothing else does; and no click ever answered a request other than the one the person saw.
    #[test]
    fn in_the_end_the_screen_shows_what_is_wanted(steps in prop::collection::vec(step(), 0..80)) {
        let mut world = World::new();
        for step in steps {
            world.step(step)?;
        }
        while !(world.unread.is_empty() && world.unheard.is_empty() && world.desk.is_idle()) {
            world.step(Step::Read)?;
            world.step(Step::Hear)?;
        }
        prop_assert!(matches!(world.desk.state(), State::Ready(_)));
        let stands: Vec<&Notice> = world.screen.values().map(|(notice, _)| notice).collect();
        for notice in &stands {
            prop_assert_eq!(Some(*notice), world.wanted.get(&notice.key), "a ghost");
            prop_assert_eq!(stands.iter().filter(|other| other.key == notice.key).count(), 1, "it stands twice");
        }
        for (key, notice) in &world.wanted {
            prop_assert!(stands.contains(&notice) || world.taken.contains(key), "{} is lost", key);
        }
    }
}
