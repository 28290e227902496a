//! The stream is cut at every byte of an exchange, and what was said after it is lost: the inbox is right all the same.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use gavel_core::flow::{Effect, Event, Flow, Timer, WireEvent};
use gavel_core::{Link, Moment, Origin, ServerId, ServerInfo, SessionId};
use gavel_opencode::dialect::{Dialect, Said};
use gavel_opencode::sse::{Decoder, Frame};
use gavel_opencode::{Connection, Target, Tuning, server_id};
use gavel_stand_in::{Reply, StandIn};
use gavel_tests::host::Kind;
use gavel_tests::on_both_dialects;
use gavel_tests::wait::eventually;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::timeout;

const DEADLINE: Duration = Duration::from_secs(60);
const PROJECT: &str = "/p";

/// How many connections are tried, and how many of them at once.
const MOST: usize = 24;
const AT_ONCE: usize = 4;

on_both_dialects! {
    wherever_the_stream_is_cut_the_inbox_becomes_right,
    a_connection_that_is_cut_comes_back_to_the_right_inbox,
}

/// Every byte: from the bytes to the machine, with the listing that the next connection brings.
async fn wherever_the_stream_is_cut_the_inbox_becomes_right(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let exchange = record(&kind, &server).await;
    assert!(exchange.len() > 2_000, "{} bytes are no exchange", exchange.len());
    let id = server_id(&server.url()).unwrap();
    let listing = listing(&id).await;
    let dialect = if kind.keeps_ghosts() { Dialect::V1 } else { Dialect::V2 };
    let mut heard = watching(&id);
    let mut decoder = Decoder::default();
    for (cut, byte) in exchange.iter().enumerate() {
        let mut flow = heard.clone();
        step(
            &mut flow,
            Event::Link(id.clone(), Link::Offline { reason: gavel_core::text::Message::verbatim("cut"), gone: false }),
        );
        for event in &listing {
            step(&mut flow, event.clone());
        }
        assert_eq!(shown(&flow), ["three"], "cut after {cut} bytes");
        for frame in decoder.feed(&[*byte]) {
            let Frame::Event(text) = frame else { continue };
            if let Said::Event(event) = dialect.decode(&text, Moment(1), &id).said {
                step(&mut heard, Event::Wire(id.clone(), event));
            }
        }
    }
    assert_eq!(shown(&heard), ["three"]);
}

/// All that a new connection says until everything is listed.
async fn listing(id: &ServerId) -> Vec<Event> {
    let (sender, mut events) = mpsc::channel(1024);
    let target = Target { id: id.clone(), url: id.as_str().parse().unwrap(), credentials: None };
    let connection = Connection::open(target, sender).unwrap();
    let mut said = Vec::new();
    let listing = async {
        while !matches!(said.last(), Some(Event::Wire(_, WireEvent::InSync))) {
            said.push(events.recv().await.unwrap());
        }
    };
    timeout(DEADLINE, listing).await.unwrap();
    connection.close().await;
    said
}

/// The whole connection, cut at the ends and in the middle of events.
async fn a_connection_that_is_cut_comes_back_to_the_right_inbox(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let exchange = record(&kind, &server).await;
    let mut positions = Vec::new();
    let mut at = 0;
    for frame in exchange.split_inclusive(|byte| *byte == b'\n').filter(|line| line.len() > 1) {
        positions.extend([at + frame.len() / 2, at + frame.len() + 1]);
        at += frame.len() + 1;
    }
    let few = positions.len().div_ceil(MOST);
    let url = replay(&server, &kind, exchange).await;
    stream::iter(positions.into_iter().step_by(few)).for_each_concurrent(AT_ONCE, |cut| converges(&url, cut)).await;
}

/// What a client hears while one request is approved, one is refused and one is left pending.
async fn record(kind: &Kind, server: &StandIn) -> Vec<u8> {
    let mut response = reqwest::get(format!("{}{}", server.url(), events_route(kind))).await.unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = tokio::spawn({
        let heard = Arc::clone(&heard);
        async move {
            while let Ok(Some(chunk)) = response.chunk().await {
                heard.lock().unwrap().extend_from_slice(&chunk);
            }
        }
    });
    for (command, reply) in [("one", Some(Reply::Once)), ("two", Some(Reply::Reject)), ("three", None)] {
        let session = server.create_session(PROJECT, command);
        server.prompt(&session, &format!("shell {command}")).unwrap();
        server.wait_until(DEADLINE, |world| world.pending().iter().any(|ask| ask.session == session)).await.unwrap();
        if let Some(reply) = reply {
            let id = server.pending()[0].id.clone();
            assert!(server.reply(&id, reply, None));
            server.wait_until(DEADLINE, |world| world.pending().is_empty()).await.unwrap();
        }
    }
    let last = server.pending()[0].id.clone();
    eventually("the last request to be heard", DEADLINE, async || {
        String::from_utf8_lossy(&heard.lock().unwrap()).contains(&last)
    })
    .await;
    hearing.abort();
    Arc::try_unwrap(heard).map_or_else(|shared| shared.lock().unwrap().clone(), |whole| whole.into_inner().unwrap())
}

const fn events_route(kind: &Kind) -> &'static str {
    if kind.keeps_ghosts() { "/global/event" } else { "/api/event" }
}

/// A server for every position at once: below `/N` its first stream ends after N bytes and the next one only greets.
/// Everything else is asked of the real one, which is as it was at the end of the exchange.
async fn replay(server: &StandIn, kind: &Kind, exchange: Vec<u8>) -> String {
    let replay = Replay {
        server: server.url(),
        events: events_route(kind),
        greeting: exchange.split_inclusive(|byte| *byte == b'\n').take(2).flatten().copied().collect(),
        exchange: Arc::new(exchange),
        streams: Arc::default(),
        client: reqwest::Client::new(),
    };
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let app = Router::new().fallback(answer).with_state(replay);
    tokio::spawn(async move { axum::serve(socket, app).await });
    url
}

#[derive(Clone)]
struct Replay {
    server: String,
    events: &'static str,
    greeting: Vec<u8>,
    exchange: Arc<Vec<u8>>,
    /// How many streams each position has had.
    streams: Arc<Mutex<HashMap<usize, usize>>>,
    client: reqwest::Client,
}

async fn answer(State(replay): State<Replay>, request: Request) -> Response {
    let target = request.uri().path_and_query().unwrap().as_str();
    let (position, rest) = target[1..].split_once('/').unwrap();
    let position: usize = position.parse().unwrap();
    let rest = format!("/{rest}");
    if rest == replay.events {
        let nth = {
            let mut streams = replay.streams.lock().unwrap();
            let nth = streams.entry(position).or_default();
            *nth += 1;
            *nth
        };
        let head = [(header::CONTENT_TYPE, "text/event-stream")];
        let bytes = if nth == 1 { replay.exchange[..position].to_vec() } else { replay.greeting.clone() };
        let bytes = stream::iter([Ok::<_, std::io::Error>(bytes)]);
        let body = if nth == 1 { Body::from_stream(bytes) } else { Body::from_stream(bytes.chain(stream::pending())) };
        return (head, body).into_response();
    }
    let Ok(answer) = replay.client.get(format!("{}{rest}", replay.server)).send().await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let kind = answer.headers()[header::CONTENT_TYPE].clone();
    (answer.status(), [(header::CONTENT_TYPE, kind)], answer.bytes().await.unwrap()).into_response()
}

/// Watches the server of this position until the inbox is right, and sees that it stays so.
async fn converges(url: &str, cut: usize) {
    let tuning = Tuning {
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(5),
        second_look: Duration::from_millis(1),
        ..Tuning::default()
    };
    let id = ServerId(format!("{url}/{cut}"));
    let (sender, mut events) = mpsc::channel(1024);
    let target = Target { id: id.clone(), url: id.as_str().parse().unwrap(), credentials: None };
    let connection = Connection::open_with(target, sender, tuning).unwrap();
    let mut flow = watching(&id);
    // Right after the gap, and still so when everything has been listed a second time.
    let (mut gaps, mut in_sync) = (0, 0);
    let converging = async {
        while in_sync < 2 || gaps == 0 || shown(&flow) != ["three"] {
            let event = events.recv().await.unwrap();
            match &event {
                Event::Link(_, Link::Offline { .. }) => (gaps, in_sync) = (gaps + 1, 0),
                Event::Wire(_, WireEvent::InSync) => {
                    in_sync += 1;
                    connection.relist();
                }
                _ => {}
            }
            for session in step(&mut flow, event) {
                let connection = connection.clone();
                tokio::spawn(async move { connection.look_up(&session).await });
            }
        }
    };
    let in_time = timeout(DEADLINE, converging).await.is_ok();
    assert!(in_time, "cut after {cut} bytes: {:?}", shown(&flow));
    connection.close().await;
}

fn watching(id: &ServerId) -> Flow {
    let mut flow = Flow::default();
    let info = ServerInfo { id: id.clone(), name: String::new(), origin: Origin::Settings };
    let _ = flow.step(Event::ServerAdded(info), Moment(0));
    flow
}

/// Lets `event` happen, and says which sessions are to be looked up. Time stands still: what was to be heard has been
/// heard.
fn step(flow: &mut Flow, event: Event) -> Vec<SessionId> {
    let mut sessions = Vec::new();
    let mut effects = flow.step(event, Moment(1));
    while let Some(effect) = effects.pop() {
        match effect {
            Effect::LookUp { session, .. } => sessions.push(session),
            Effect::Timer { timer: timer @ Timer::Gone(_), .. } => {
                effects.extend(flow.step(Event::TimerFired(timer), Moment(1)));
            }
            Effect::Reply { .. } => panic!("nobody decided anything"),
            _ => {}
        }
    }
    sessions
}

fn shown(flow: &Flow) -> Vec<String> {
    flow.inbox().iter().map(|entry| gavel_core::display::full_text(&entry.ask)).collect()
}
