//! Law two, against every order in which things can happen: nothing is lost, nothing is a ghost.
//!
//! A small server is played beside the machine. Its stream and its listings reach the machine through two queues that
//! may lag behind each other; a cut stream loses whatever was under way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::support::{SERVER, answer, ask, event, question};
use gavel_core::flow::{Effect, Ending, Event, Flow, Happened, Outcome, Scope, WireEvent};
use gavel_core::question::Response;
use gavel_core::{Moment, Reply, RequestId, RequestKey, Route, ServerId, Settled};
use proptest::prelude::*;

/// One thing that happens in the world.
#[derive(Debug, Clone)]
enum Turn {
    /// An agent wants permission, or (`true`) has a question.
    Ask(bool),
    /// Another client answers the nth pending request.
    Answer(usize, bool),
    /// The run of session `n` ends with all its requests.
    EndRun(usize),
    /// The stream breaks; what was under way is lost.
    Cut,
    /// The stream is open again.
    Connect,
    /// A listing is asked for.
    BeginListing,
    /// The server answers the listing asked for first.
    TakeListing,
    /// The machine hears the next thing of the stream, or the next listing.
    Hear(bool),
    /// The user decides about the nth request shown.
    Decide(usize, u8),
    /// The server gets the reply that was sent first, and does or doesn't get its receipt through.
    Deliver(bool),
    /// Time passes and the timers of replies fire.
    Fire,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => any::<bool>().prop_map(Turn::Ask),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(nth, allow)| Turn::Answer(nth, allow)),
        1 => (0..SESSIONS).prop_map(Turn::EndRun),
        1 => Just(Turn::Cut),
        2 => Just(Turn::Connect),
        2 => Just(Turn::BeginListing),
        3 => Just(Turn::TakeListing),
        8 => any::<bool>().prop_map(Turn::Hear),
        3 => (any::<usize>(), 0..3_u8).prop_map(|(nth, how)| Turn::Decide(nth, how)),
        4 => any::<bool>().prop_map(Turn::Deliver),
        1 => Just(Turn::Fire),
    ];
    proptest::collection::vec(turn, 1..80)
}

const SESSIONS: usize = 3;

#[derive(Default)]
struct World {
    flow: Flow,
    now: u64,
    asked: usize,
    pending: Vec<(String, usize)>,
    connected: bool,
    stream: VecDeque<Event>,
    /// Listings asked for and not answered by the server yet, those of questions marked.
    listings: VecDeque<(u64, bool)>,
    listed: VecDeque<Event>,
    number: u64,
    replies: VecDeque<(String, bool)>,
    timers: Vec<gavel_core::flow::Timer>,
    settled: Vec<(RequestId, Settled)>,
    /// How the server settled what was answered. Questions are answered (`Once`) or cancelled (`Reject`).
    truth: BTreeMap<String, Reply>,
}

impl World {
    fn new() -> Self {
        let mut world = Self::default();
        world.step(event("server"));
        world.connect();
        world
    }

    fn step(&mut self, event: Event) {
        self.now += 1;
        for effect in self.flow.step(event, Moment(self.now)) {
            match effect {
                Effect::Reply { ask, decision } => {
                    self.replies.push_back((ask.key.request.0.clone(), !decision.refuses()));
                }
                Effect::AnswerQuestion { question, response } => {
                    let answers = matches!(response, Response::Answer { .. });
                    self.replies.push_back((question.key.request.0.clone(), answers));
                }
                Effect::Timer { timer, .. } => self.timers.push(timer),
                Effect::Record(record) => {
                    if let Happened::Settled { settled } = record.what {
                        self.settled.push((record.key.request, settled));
                    }
                }
                _ => {}
            }
        }
    }

    fn say(&mut self, event: WireEvent) {
        if self.connected {
            self.stream.push_back(Event::Wire(ServerId::from(SERVER), event));
        }
    }

    fn settle_on_server(&mut self, id: &str, reply: Reply, word: &str) -> bool {
        let Some(at) = self.pending.iter().position(|(pending, _)| pending == id) else { return false };
        let (_, session) = self.pending.remove(at);
        self.truth.insert(id.to_owned(), reply);
        if is_question(id) {
            let ending = if reply == Reply::Reject { Ending::Cancelled } else { Ending::Answered(Some(answer(word))) };
            self.say(WireEvent::QuestionEnded { request: id.into(), ending });
            return true;
        }
        self.say(WireEvent::Answered { request: id.into(), reply: Some(reply) });
        if reply == Reply::Reject {
            let swept: Vec<String> = self.of_session(session);
            for other in swept {
                self.pending.retain(|(pending, _)| *pending != other);
                self.truth.insert(other.clone(), Reply::Reject);
                self.say(WireEvent::Answered { request: other.into(), reply: Some(Reply::Reject) });
            }
        }
        true
    }

    fn of_session(&self, session: usize) -> Vec<String> {
        self.pending.iter().filter(|(id, of)| *of == session && !is_question(id)).map(|(id, _)| id.clone()).collect()
    }

    fn connect(&mut self) {
        if !self.connected {
            self.connected = true;
            self.step(event("online"));
            self.begin_listing();
        }
    }

    fn begin_listing(&mut self) {
        if self.connected {
            for of_questions in [false, true] {
                self.number += 1;
                // The machine hears of a listing before the server does.
                self.stream.push_back(Event::Wire(ServerId::from(SERVER), WireEvent::ListBegan(self.number)));
                self.listings.push_back((self.number, of_questions));
            }
        }
    }

    fn spec(&self, id: &str) -> String {
        let session = self.pending.iter().find(|(pending, _)| pending == id).map_or(0, |(_, session)| *session);
        format!("{id}/s{session}")
    }

    fn take_listing(&mut self) {
        // The request for the listing leaves only after its announcement was put into the machine's queue; whether
        // the machine has read that far is another matter.
        let Some((number, of_questions)) = self.listings.pop_front() else { return };
        let specs: Vec<String> = self
            .pending
            .iter()
            .filter(|(id, _)| is_question(id) == of_questions)
            .map(|(id, _)| self.spec(id))
            .collect();
        let scope = Scope { route: Route::V1, directory: "/p".into() };
        let listed = if of_questions {
            let questions = specs.iter().map(|spec| question(spec)).collect();
            WireEvent::QuestionsListed { number, scope, questions, orphans: vec![] }
        } else {
            WireEvent::Listed { number, scope, asks: specs.iter().map(|spec| ask(spec)).collect(), orphans: vec![] }
        };
        self.listed.push_back(Event::Wire(ServerId::from(SERVER), listed));
    }

    fn hear(&mut self, listing_first: bool) {
        // A listing can't be heard before its announcement.
        let announced = |event: &Event| match event {
            Event::Wire(_, WireEvent::Listed { number, .. } | WireEvent::QuestionsListed { number, .. }) => !self
                .stream
                .iter()
                .any(|queued| matches!(queued, Event::Wire(_, WireEvent::ListBegan(n)) if n == number)),
            _ => true,
        };
        let listing = self.listed.front().is_some_and(announced);
        let next = if listing && (listing_first || self.stream.is_empty()) {
            self.listed.pop_front()
        } else {
            self.stream.pop_front()
        };
        if let Some(event) = next {
            self.step(event);
        }
    }

    fn deliver(&mut self, receipt: bool) {
        let Some((id, allow)) = self.replies.pop_front() else { return };
        let reply = if allow { Reply::Once } else { Reply::Reject };
        let took = self.settle_on_server(&id, reply, "Red");
        let outcome = match (receipt, took) {
            (false, _) => Outcome::Failed { why: gavel_core::text::Message::verbatim("cut") },
            (true, true) => Outcome::Accepted,
            (true, false) => Outcome::Lost,
        };
        self.step(Event::Replied(RequestKey::new(SERVER, id), outcome));
    }

    fn play(&mut self, turn: Turn) {
        match turn {
            Turn::Ask(of_question) => {
                self.asked += 1;
                let id = format!("{}{}", if of_question { "q" } else { "r" }, self.asked);
                self.pending.push((id.clone(), self.asked % SESSIONS));
                let spec = self.spec(&id);
                self.say(if of_question {
                    WireEvent::QuestionAsked(Box::new(question(&spec)))
                } else {
                    WireEvent::Asked(Box::new(ask(&spec)))
                });
            }
            Turn::Answer(nth, allow) => {
                if let Some((id, _)) = self.pending.get(nth % self.pending.len().max(1)).cloned() {
                    self.settle_on_server(&id, if allow { Reply::Once } else { Reply::Reject }, "Blue");
                }
            }
            Turn::EndRun(session) => {
                self.pending.retain(|(_, of)| *of != session);
                self.say(WireEvent::RunEnded(format!("s{session}").into()));
            }
            Turn::Cut => {
                self.connected = false;
                self.stream.clear();
                self.listings.clear();
                // An answer to a listing may still be on its way.
                self.step(event("offline"));
            }
            Turn::Connect => self.connect(),
            Turn::BeginListing => self.begin_listing(),
            Turn::TakeListing => self.take_listing(),
            Turn::Hear(listing_first) => self.hear(listing_first),
            Turn::Decide(nth, how) => {
                let waiting = shown(&self.flow);
                let Some(id) = waiting.iter().nth(nth % waiting.len().max(1)) else { return };
                let line = match how {
                    0 if is_question(id) => format!("answer {id} Red"),
                    _ if is_question(id) => format!("cancel {id}"),
                    _ => format!("{} {id}", ["allow", "decline", "stop"][usize::from(how)]),
                };
                self.step(event(&line));
            }
            Turn::Deliver(receipt) => self.deliver(receipt),
            Turn::Fire => {
                for timer in std::mem::take(&mut self.timers) {
                    self.step(Event::TimerFired(timer));
                }
            }
        }
    }

    /// Lets everything under way arrive, connects and lists once more.
    fn calm(&mut self) {
        for _ in 0..3 {
            self.connect();
            while !self.replies.is_empty() {
                self.deliver(true);
            }
            self.begin_listing();
            while !self.listings.is_empty() {
                self.take_listing();
            }
            while !(self.stream.is_empty() && self.listed.is_empty()) {
                self.hear(false);
            }
            self.play(Turn::Fire);
        }
    }
}

fn is_question(id: &str) -> bool {
    id.starts_with('q')
}

/// Everything in the inbox.
fn shown(flow: &Flow) -> BTreeSet<String> {
    let requests = flow.inbox().into_iter().map(|entry| entry.ask.key.request.0.clone());
    let questions = flow.questions().into_iter().map(|entry| entry.question.key.request.0.clone());
    requests.chain(questions).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_and_nothing_is_a_ghost(turns in turns()) {
        let mut world = World::new();
        for turn in turns {
            world.play(turn);
        }
        world.calm();
        let pending: BTreeSet<String> = world.pending.iter().map(|(id, _)| id.clone()).collect();
        prop_assert_eq!(shown(&world.flow), pending);

        // Whose answer it was can't always be known when a receipt is lost; what was answered can.
        for (id, settled) in &world.settled {
            let claimed = match settled {
                Settled::You { decision } => Some(decision.reply()),
                Settled::AnotherClient { reply } => *reply,
                Settled::Swept | Settled::YouCancelled { .. } | Settled::CancelledElsewhere => Some(Reply::Reject),
                Settled::YouAnswered { .. } => Some(Reply::Once),
                Settled::AnsweredElsewhere { answers } => answers.first().map(|_| Reply::Once),
                _ => None,
            };
            prop_assert!(claimed.is_none() || claimed.as_ref() == world.truth.get(id.as_str()), "{}: {:?}", id, settled);
        }
    }
}
