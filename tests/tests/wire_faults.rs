//! The wire and the flow machine together, against a server whose routes fail one by one.
//!
//! Law one is at stake: whatever fails, nothing runs that was not plainly approved. And law two: nothing that is
//! pending is lost, nothing that is over stays.

use std::time::Duration;

use gavel_core::flow::{Effect, Event, Flow, Happened, Timer, WireEvent};
use gavel_core::{Ask, Decision, Link, Moment, Origin, RequestKey, ServerInfo, Settled};
use gavel_opencode::http::Limits;
use gavel_opencode::{Connection, Target, Tuning, server_id};
use gavel_stand_in::{Fault, StandIn};
use gavel_tests::host::Kind;
use gavel_tests::on_both_dialects;
use tokio::sync::mpsc;
use tokio::time::timeout;

const DEADLINE: Duration = Duration::from_secs(30);
const PROJECT: &str = "/home/dev/project";

/// The connection, the machine, and what a driver does between them. Time stands still; timers fire at once.
struct Rig {
    stand_in: StandIn,
    connection: Connection,
    events: mpsc::Receiver<Event>,
    sender: mpsc::Sender<Event>,
    flow: Flow,
    settled: Vec<Settled>,
    undelivered: Vec<String>,
    listed: usize,
}

impl Rig {
    async fn start(kind: &Kind) -> Self {
        let stand_in = StandIn::start(kind.options()).await.unwrap();
        Self::watching(stand_in).await
    }

    async fn watching(stand_in: StandIn) -> Self {
        let id = server_id(&stand_in.url()).unwrap();
        let (sender, events) = mpsc::channel(1024);
        let tuning = Tuning {
            limits: Limits { request: Duration::from_secs(2), ..Limits::default() },
            first_pause: Duration::from_millis(20),
            longest_pause: Duration::from_millis(100),
            second_look: Duration::from_millis(100),
            retry_listing: Duration::from_millis(50),
            ..Tuning::default()
        };
        let target = Target { id: id.clone(), url: id.as_str().parse().unwrap(), credentials: None };
        let connection = Connection::open_with(target, sender.clone(), tuning).unwrap();
        let mut flow = Flow::default();
        let info = ServerInfo { id, name: "it".to_owned(), origin: Origin::Settings };
        let _ = flow.step(Event::ServerAdded(info), Moment(0));
        let (settled, undelivered) = (Vec::new(), Vec::new());
        let mut rig = Self { stand_in, connection, events, sender, flow, settled, undelivered, listed: 0 };
        rig.until("the connection", |rig| rig.link().is_online()).await;
        rig
    }

    fn link(&self) -> &Link {
        &self.flow.servers().values().next().unwrap().link
    }

    /// Lets events come until `test` holds.
    async fn until(&mut self, what: &str, test: impl Fn(&Self) -> bool) {
        let waiting = async {
            while !test(self) {
                let event = self.events.recv().await.unwrap();
                self.step(event);
            }
        };
        let in_time = timeout(DEADLINE, waiting).await.is_ok();
        assert!(in_time, "{what} did not happen; inbox: {:?}, settled: {:?}", self.flow.inbox(), self.settled);
    }

    /// Waits for a listing that begins from now on.
    async fn relisted(&mut self) {
        self.connection.relist();
        let listed = self.listed;
        self.until("a listing", |rig| rig.listed > listed).await;
    }

    fn step(&mut self, event: Event) {
        self.listed += usize::from(matches!(event, Event::Wire(_, WireEvent::Listed { .. })));
        for effect in self.flow.step(event, Moment(1)) {
            match effect {
                Effect::Reply { ask, decision } => {
                    let (connection, sender) = (self.connection.clone(), self.sender.clone());
                    tokio::spawn(async move {
                        let outcome = connection.reply(&ask, &decision).await;
                        let _ = sender.send(Event::Replied(ask.key.clone(), outcome)).await;
                    });
                }
                Effect::LookUp { session, .. } => {
                    let connection = self.connection.clone();
                    tokio::spawn(async move { connection.look_up(&session).await });
                }
                Effect::Timer { timer: timer @ (Timer::Resend(_) | Timer::Gone(_)), .. } => {
                    self.sender.try_send(Event::TimerFired(timer)).unwrap();
                }
                Effect::Relist(_) => self.connection.relist(),
                Effect::Record(record) => match record.what {
                    Happened::Settled { settled } => self.settled.push(settled),
                    Happened::Undelivered { why } => self.undelivered.push(why.to_string()),
                    Happened::Decided { .. } | Happened::Responded { .. } => {}
                },
                _ => {}
            }
        }
    }

    /// An agent that wants to run `command`, as soon as its request is in the inbox.
    async fn asking(&mut self, command: &str) -> (String, Ask) {
        let session = self.stand_in.create_session(PROJECT, "work");
        self.stand_in.prompt(&session, &format!("shell {command}")).unwrap();
        let known = self.flow.inbox().len();
        self.until("the request", |rig| rig.flow.inbox().len() > known).await;
        let ask =
            self.flow.inbox().into_iter().find(|entry| entry.ask.session.as_str() == session).unwrap().ask.clone();
        (session, ask)
    }

    fn decide(&mut self, key: &RequestKey, decision: Decision) {
        self.step(Event::Decide { key: key.clone(), decision, edition: None });
    }

    fn ran(&self) -> Vec<String> {
        self.stand_in.executed().into_iter().map(|executed| executed.what).collect()
    }

    /// Waits until the server itself has come so far.
    async fn server(&self, holds: impl FnMut(&gavel_stand_in::World) -> bool) {
        self.stand_in.wait_until(DEADLINE, holds).await.unwrap();
    }
}

fn you() -> Settled {
    Settled::You { decision: Decision::AllowOnce }
}

on_both_dialects! {
    a_reply_that_does_not_arrive_is_sent_again_and_then_shown,
    a_reply_whose_answer_is_lost_counts_once,
    a_listing_that_fails_settles_nothing,
    a_check_of_a_listing_that_fails_loses_nothing,
    what_happens_in_a_gap_is_found_out,
    an_aborted_run_is_a_ghost_to_no_listing,
    approving_a_deleted_sessions_request_runs_nothing,
    a_killed_server_takes_its_requests_along_and_comes_back_empty,
    one_stream_per_server_and_none_after_closing,
}

/// 1.x starts the tool of a deleted session when it is approved, so there the session is looked up first.
#[tokio::test]
async fn an_approval_whose_check_fails_is_not_sent() {
    let kind = Kind::StandInV1;
    for fault in [Fault::Html, Fault::Status(500), Fault::Status(404), Fault::Hang, Fault::Lost, Fault::Truncated] {
        let mut rig = Rig::start(&kind).await;
        let (_, ask) = rig.asking("ls").await;
        rig.stand_in.fault(kind.check_routes()[0], fault.clone());
        rig.decide(&ask.key, Decision::AllowOnce);
        rig.until("the failure", |rig| !rig.undelivered.is_empty()).await;
        assert_eq!(rig.stand_in.replies(), [], "{fault:?}");
        assert_eq!((rig.ran(), rig.flow.inbox().len()), (Vec::new(), 1), "{fault:?}");

        rig.stand_in.heal();
        rig.step(Event::Retry(ask.key));
        rig.until("the end", |rig| rig.settled == [you()]).await;
        rig.server(|world| world.executed().len() == 1).await;
    }
}

async fn a_reply_that_does_not_arrive_is_sent_again_and_then_shown(kind: Kind) {
    for fault in [Fault::Status(500), Fault::Status(401), Fault::Hang] {
        let mut rig = Rig::start(&kind).await;
        let (_, ask) = rig.asking("ls").await;
        rig.stand_in.fault(kind.reply_routes()[0], fault.clone());
        rig.decide(&ask.key, Decision::AllowOnce);
        rig.until("the failure", |rig| !rig.undelivered.is_empty()).await;
        assert_eq!((rig.ran(), rig.flow.inbox().len()), (Vec::new(), 1), "{fault:?}");
        assert_eq!(rig.settled, [], "{fault:?}");
        rig.stand_in.heal();
        rig.step(Event::Retry(ask.key));
        rig.until("the end", |rig| rig.settled == [you()]).await;
    }
}

/// What arrived although its answer was lost is recognised by the word that the server announces.
async fn a_reply_whose_answer_is_lost_counts_once(kind: Kind) {
    for fault in [Fault::Lost, Fault::Truncated, Fault::Slow(Duration::from_millis(300))] {
        let mut rig = Rig::start(&kind).await;
        let (_, ask) = rig.asking("ls").await;
        rig.stand_in.fault(kind.reply_routes()[0], fault.clone());
        rig.decide(&ask.key, Decision::AllowOnce);
        rig.until("the end", |rig| !rig.settled.is_empty()).await;
        assert_eq!((&rig.settled, rig.ran()), (&vec![you()], vec!["ls".to_owned()]), "{fault:?}");
        assert_eq!(rig.undelivered, [""; 0], "{fault:?}");
    }
}

/// 1.x has two routes for a reply.
#[tokio::test]
async fn a_server_without_the_newer_route_is_answered_on_the_older_one() {
    let kind = Kind::StandInV1;
    for fault in [Fault::Html, Fault::Status(404), Fault::Status(405)] {
        let mut rig = Rig::start(&kind).await;
        let (_, ask) = rig.asking("ls").await;
        rig.stand_in.fault(kind.reply_routes()[0], fault.clone());
        rig.decide(&ask.key, Decision::AllowOnce);
        rig.until("the end", |rig| rig.settled == [you()]).await;
        rig.server(|world| world.executed().len() == 1).await;

        let (_, ask) = rig.asking("pwd").await;
        rig.stand_in.fault(kind.reply_routes()[1], Fault::Html);
        rig.decide(&ask.key, Decision::AllowOnce);
        rig.until("the failure", |rig| !rig.undelivered.is_empty()).await;
        assert_eq!(rig.ran(), ["ls"], "{fault:?}: a web page is no acceptance");
    }
}

async fn a_listing_that_fails_settles_nothing(kind: Kind) {
    for fault in [Fault::Html, Fault::Status(400), Fault::Truncated, Fault::Hang] {
        let mut rig = Rig::start(&kind).await;
        rig.asking("ls").await;
        rig.stand_in.fault(kind.list_route(), fault.clone());
        rig.connection.relist();
        rig.stand_in.cut_streams();
        rig.until("the gap", |rig| !rig.link().is_online()).await;
        rig.until("the next stream", |rig| rig.link().is_online()).await;
        assert_eq!((rig.flow.inbox().len(), rig.settled.len()), (1, 0), "{fault:?}");
        rig.stand_in.heal();
        // Without being asked: a failed listing is tried again.
        let listed = rig.listed;
        rig.until("a listing", |rig| rig.listed > listed).await;
        assert_eq!((rig.flow.inbox().len(), rig.settled.len()), (1, 0), "{fault:?}");
    }
}

async fn a_check_of_a_listing_that_fails_loses_nothing(kind: Kind) {
    for route in kind.check_routes() {
        for fault in [Fault::Html, Fault::Status(500), Fault::Truncated] {
            let stand_in = StandIn::start(kind.options()).await.unwrap();
            let session = stand_in.create_session(PROJECT, "work");
            stand_in.prompt(&session, "shell ls").unwrap();
            stand_in.wait_until(DEADLINE, |world| !world.pending().is_empty()).await.unwrap();
            stand_in.fault(route, fault.clone());
            // The request is older than the connection: only a listing can bring it.
            let mut rig = Rig::watching(stand_in).await;
            rig.until("the request", |rig| rig.flow.inbox().len() == 1).await;
        }
    }
}

async fn what_happens_in_a_gap_is_found_out(kind: Kind) {
    let mut rig = Rig::start(&kind).await;
    let (aborted, _) = rig.asking("one").await;
    let (deleted, _) = rig.asking("two").await;
    let (_, answered) = rig.asking("three").await;
    rig.asking("four").await;
    rig.stand_in.refuse(true);
    rig.stand_in.cut_streams();
    rig.until("the gap", |rig| !rig.link().is_online()).await;
    assert_eq!(rig.flow.inbox().len(), 4, "what was pending stays while nobody knows better");

    rig.stand_in.abort(&aborted).await;
    assert!(rig.stand_in.delete(&deleted));
    assert!(rig.stand_in.reply(answered.key.request.as_str(), gavel_stand_in::Reply::Once, None));
    let fifth = rig.stand_in.create_session(PROJECT, "work");
    rig.stand_in.prompt(&fifth, "shell five").unwrap();
    rig.server(|world| world.executed().len() == 1).await;
    rig.stand_in.refuse(false);
    rig.until("the right inbox", |rig| {
        let inbox: Vec<_> = rig.flow.inbox().iter().filter_map(|entry| entry.ask.detail.command.clone()).collect();
        rig.link().is_online() && inbox == ["four", "five"]
    })
    .await;
    assert_eq!(rig.ran(), ["three"]);
    assert!(rig.settled.contains(&Settled::Unseen), "{:?}", rig.settled);
    if kind.keeps_ghosts() {
        // The hanging run of the deleted session was freed by a refusal, and nothing else was said to anybody.
        rig.server(|world| !world.replies().is_empty()).await;
        let replies = rig.stand_in.replies();
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert_eq!(replies[0].body, serde_json::json!({ "reply": "reject" }));
        assert!(rig.settled.contains(&Settled::RunEnded), "{:?}", rig.settled);
    } else {
        assert_eq!(rig.stand_in.replies(), [], "nothing was said to anybody");
    }
}

async fn an_aborted_run_is_a_ghost_to_no_listing(kind: Kind) {
    let mut rig = Rig::start(&kind).await;
    let (session, _) = rig.asking("ls").await;
    rig.stand_in.abort(&session).await;
    rig.until("the end", |rig| rig.settled.len() == 1).await;
    assert_eq!(rig.stand_in.pending().is_empty(), !kind.keeps_ghosts(), "a 1.x server still lists it");
    rig.relisted().await;
    assert_eq!(rig.flow.inbox().len(), 0);
}

/// The session is deleted at the very moment of the approval: its event has not been seen.
async fn approving_a_deleted_sessions_request_runs_nothing(kind: Kind) {
    let mut rig = Rig::start(&kind).await;
    let (session, ask) = rig.asking("rm -rf build").await;
    assert!(rig.stand_in.delete(&session));
    let outcome = rig.connection.reply(&ask, &Decision::AllowOnce).await;
    assert_eq!(outcome, gavel_core::flow::Outcome::RunGone);
    rig.until("the end", |rig| rig.settled.len() == 1).await;
    rig.server(|world| world.pending().is_empty()).await;
    assert_eq!(rig.ran(), [""; 0]);
    let refused = rig.stand_in.replies().iter().all(|reply| reply.body["reply"] == "reject");
    assert!(refused || !kind.keeps_ghosts(), "what a 2.x server refuses to take runs nothing");
}

async fn a_killed_server_takes_its_requests_along_and_comes_back_empty(kind: Kind) {
    let mut rig = Rig::start(&kind).await;
    rig.asking("ls").await;
    rig.stand_in.kill().await;
    rig.until("the end", |rig| rig.settled == [Settled::ServerGone]).await;
    assert!(matches!(rig.link(), Link::Offline { gone: true, .. }), "{:?}", rig.link());
    rig.stand_in.restart().await.unwrap();
    rig.until("the new one", |rig| rig.link().is_online()).await;
    rig.relisted().await;
    assert_eq!(rig.flow.inbox().len(), 0);
    let (_, ask) = rig.asking("pwd").await;
    rig.decide(&ask.key, Decision::AllowOnce);
    rig.until("the answer", |rig| rig.settled.contains(&you())).await;
}

async fn one_stream_per_server_and_none_after_closing(kind: Kind) {
    let mut rig = Rig::start(&kind).await;
    for _ in 0..3 {
        rig.stand_in.cut_streams();
        rig.until("the gap", |rig| !rig.link().is_online()).await;
        rig.until("the next stream", |rig| rig.link().is_online()).await;
        assert_eq!(rig.stand_in.world(gavel_stand_in::World::streams), 1);
    }
    rig.connection.close().await;
    rig.server(|world| world.streams() == 0).await;
}
