//! The task that owns the event stream: connect, read, and begin again.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gavel_core::flow::WireEvent;
use gavel_core::rules::Rule;
use gavel_core::{Link, SessionId};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, timeout};

use super::backoff::Backoff;
use super::lister::{Lister, Order};
use super::{HEARTBEATS, Shared, now};
use crate::Error;
use crate::dialect::{Greeting, Said, greet};
use crate::sse::{Decoder, Frame};

/// A proxy may answer for a server that begins anew. Whoever still answers after so many slow pauses took its place.
const LOOKS: u32 = 2;

/// Watches the server until the connection is closed.
pub(super) async fn run(shared: Arc<Shared>, orders: UnboundedSender<Order>, received: UnboundedReceiver<Order>) {
    let lister = Lister::new(Arc::clone(&shared), received);
    let watching = keep_watching(&shared, &orders, lister);
    tokio::select! {
        biased;
        () = shared.closing.cancelled() => {}
        () = shared.outlet.closed() => {}
        () = watching => {}
    }
}

async fn keep_watching(shared: &Shared, orders: &UnboundedSender<Order>, mut lister: Lister) {
    let tuning = &shared.tuning;
    let mut backoff = Backoff::new(tuning.first_pause, tuning.longest_pause);
    let mut last = Link::Connecting;
    let mut foreign = None;
    tell(shared, &last).await;
    loop {
        let mut watch = Watch { shared, orders, online: None };
        let error = tokio::select! {
            biased;
            error = watch.attempt() => error,
            never = lister.run() => match never {},
        };
        lister.reset();
        shared.agents.stream(false);
        tracing::debug!(server = %shared.id, %error, "not connected");
        if watch.online.is_some_and(|since| since.elapsed() >= tuning.stable) {
            backoff.reset();
        }
        let mut link = state(&error, shared.http.has_credentials());
        foreign = matches!(link, Link::NotOpenCode { .. }).then(|| foreign.unwrap_or_else(Instant::now));
        shared.foreign.store(foreign.is_some(), Ordering::Relaxed);
        if let Link::NotOpenCode { gone, .. } = &mut link {
            // Elsewhere it may be a page that some network shows instead.
            *gone = shared.http.is_here() && foreign.is_some_and(|since| since.elapsed() >= tuning.slow_pause * LOOKS);
        }
        // The machine has seen this state unless the stream was open in between.
        if watch.online.is_some() || link != last {
            tell(shared, &link).await;
        }
        let pause = match link {
            Link::NeedsPassword { .. } | Link::NotOpenCode { .. } => tuning.slow_pause,
            _ => backoff.pause(),
        };
        last = link;
        // Waiting may be cut short; either way the next attempt follows.
        let _ = timeout(pause, shared.hurry.notified()).await;
    }
}

/// Tells the state, however long that takes: a state that is not told would never be corrected.
async fn tell(shared: &Shared, link: &Link) {
    while shared.outlet.link(link.clone()).await.is_err() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// What a failed attempt, or the end of a stream, says about the server.
fn state(error: &Error, has_credentials: bool) -> Link {
    match error {
        Error::Unauthorized { .. } => Link::NeedsPassword { refused: has_credentials },
        Error::NotHttp | Error::WebPage | Error::Garbled(_) | Error::Status { status: 300..=499, .. } => {
            Link::NotOpenCode { reason: error.said(), gone: false }
        }
        _ => Link::Offline { reason: error.said(), gone: error.is_gone() },
    }
}

/// One attempt.
struct Watch<'a> {
    shared: &'a Shared,
    orders: &'a UnboundedSender<Order>,
    /// Since when events come.
    online: Option<Instant>,
}

/// While a server is busy, a sign of life is passed on at most this often, and so is that something happens somewhere.
const PULSE: Duration = Duration::from_secs(1);

impl Watch<'_> {
    /// Connects and reads until it fails, and says why.
    async fn attempt(&mut self) -> Error {
        match self.connect_and_read().await {
            Ok(()) => Error::Cut,
            Err(error) => error,
        }
    }

    async fn connect_and_read(&mut self) -> Result<(), Error> {
        let shared = self.shared;
        let greeting = greet(&shared.http).await?;
        shared.met(&greeting);
        shared.foreign.store(false, Ordering::Relaxed);
        let silence = shared.tuning.silence.unwrap_or(greeting.dialect.heartbeat() * HEARTBEATS);
        let mut response = shared.http.stream(greeting.dialect.events()).await?;
        let mut decoder = Decoder::default();
        let mut reading = Reading { greeting, heard: Instant::now(), met: HashMap::new(), ruled: HashMap::new() };
        loop {
            let chunk = timeout(silence, response.chunk()).await.map_err(|_| Error::Silent(silence))?;
            let Some(chunk) = chunk.map_err(|error| shared.http.fault(&error))? else { return Ok(()) };
            for frame in decoder.feed(&chunk) {
                self.take(frame, &mut reading).await?;
            }
        }
    }

    async fn take(&mut self, frame: Frame, reading: &mut Reading) -> Result<(), Error> {
        let shared = self.shared;
        if self.online.is_none() {
            // Normally this is the greeting; a server that says something else first is connected just as well.
            self.online = Some(Instant::now());
            shared.agents.stream(true);
            shared.words.missed();
            shared.outlet.link(reading.greeting.link()).await?;
            self.order(Order::Everything);
        }
        let text = match frame {
            Frame::Event(text) => text,
            Frame::KeepAlive => {
                shared.outlet.heard();
                return Ok(());
            }
            Frame::Oversized { bytes } => {
                tracing::warn!(server = %shared.id, bytes, "an event too long to be read was skipped");
                // It may have been a request.
                self.order(Order::Doubt);
                return Ok(());
            }
        };
        let decoded = reading.greeting.dialect.decode(&text, now(), &shared.id);
        for note in &decoded.diagnostics {
            tracing::warn!(server = %shared.id, note);
        }
        if let Some(directory) = &decoded.directory {
            reading.meet(directory, |directory| self.order(Order::Met(directory)));
        }
        if let Some(session) = &decoded.prompted {
            shared.words.said_something(session);
        }
        match &decoded.said {
            Said::Heartbeat => {
                reading.heard = Instant::now();
                shared.outlet.heard();
            }
            // Who knows what it was: a listing will tell.
            Said::Unreadable => self.order(Order::Doubt),
            Said::Unknown(kind) => tracing::trace!(server = %shared.id, kind, "unknown kind of event"),
            Said::Connected | Said::Nothing | Said::Event(_) => {}
        }
        if let Said::Event(event) = decoded.said {
            for event in std::iter::once(event).chain(decoded.also).filter(|event| reading.is_news(event)) {
                shared.agents.hear(&event);
                shared.ends.hear(&event);
                shared.outlet.wire(event).await?;
            }
        } else if reading.heard.elapsed() >= PULSE {
            reading.heard = Instant::now();
            shared.outlet.heard();
        }
        Ok(())
    }

    fn order(&self, order: Order) {
        // The lister lives as long as this task does.
        let _ = self.orders.send(order);
    }
}

/// What is kept while one stream is read.
struct Reading {
    greeting: Greeting,
    /// When a sign of life was last passed on.
    heard: Instant,
    /// When the mention of a directory was last passed on: a busy server mentions the same ones hundreds of times a second.
    met: HashMap<String, Instant>,
    /// The rules of sessions as they were last told: a 1.x server repeats them with whatever else changes.
    ruled: HashMap<SessionId, Vec<Rule>>,
}

impl Reading {
    fn meet(&mut self, directory: &str, tell: impl FnOnce(String)) {
        const MOST: usize = 1000;
        if self.met.get(directory).is_some_and(|at| at.elapsed() < PULSE) {
            return;
        }
        if self.met.len() >= MOST {
            self.met.clear();
        }
        self.met.insert(directory.to_owned(), Instant::now());
        tell(directory.to_owned());
    }

    /// Whether it says anything that was not said before.
    fn is_news(&mut self, event: &WireEvent) -> bool {
        const MOST: usize = 200;
        let WireEvent::RulesChanged { session, rules } = event else { return true };
        if self.ruled.get(session) == Some(rules) {
            return false;
        }
        if self.ruled.len() >= MOST {
            self.ruled.clear();
        }
        self.ruled.insert(session.clone(), rules.clone());
        true
    }
}
