//! Notifications of freedesktop.org, with buttons.
//!
//! One connection and one stream, opened before anything is shown, that brings replies, clicks and changes of the
//! service in the order in which the bus sent them: a click that follows the reply by a microsecond finds its number
//! known. Replies are awaited by nobody; they are one more thing that comes in. So a service that hangs blocks
//! nothing, and a reply that comes late is still understood.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use zbus::message::Message;
use zbus::{Connection, MessageStream, fdo};

use crate::desk::{Call, Desk, Question};
use crate::handle::{self, Command, Shared};
use crate::probe::Probe;
use crate::wire::{self, Heard};
use crate::{Error, Notifier, Options, Report};

/// How long the thread lives on after its last handle to take back what is shown.
const FAREWELL: Duration = Duration::from_millis(500);

/// More than can come in while the thread is busy, so that the reader of the socket never waits.
const QUEUE: usize = 4096;

/// Notifications over the D-Bus of this session, or of [`Options::bus_address`].
#[must_use]
pub fn start(options: Options, reports: UnboundedSender<Report>) -> Arc<dyn Notifier> {
    handle::start(reports, move |commands, shared| {
        handle::block_on(shared, Thread::new(options, commands, shared.clone()).run());
    })
}

struct Thread {
    options: Options,
    commands: UnboundedReceiver<Command>,
    shared: Shared,
    desk: Desk,
    bus: Option<Bus>,
    connect: Probe,
    flushes: Vec<mpsc::SyncSender<()>>,
}

/// The connection, and what was sent on it that wants a reply.
struct Bus {
    connection: Connection,
    stream: MessageStream,
    calls: HashMap<NonZeroU32, (u64, Option<Question>)>,
}

/// What the thread woke up for.
enum Woken {
    Message(Option<Message>),
    Command(Option<Command>),
    Time,
}

impl Thread {
    fn new(options: Options, commands: UnboundedReceiver<Command>, shared: Shared) -> Self {
        let desk = Desk::new(&options);
        let connect = Probe::new(options.retry);
        Self { options, commands, shared, desk, bus: None, connect, flushes: Vec::new() }
    }

    async fn run(mut self) {
        let mut end: Option<Instant> = None;
        loop {
            if self.bus.is_none() && self.connect.is_due(Instant::now()) && end.is_none() {
                self.connect().await;
            }
            self.desk.tick(Instant::now());
            // Before sending, so that nobody sees a notification of a notifier that calls itself unavailable; and
            // after, because sending can fail.
            self.shared.set(self.desk.state());
            self.send().await;
            self.shared.set(self.desk.state());
            if self.desk.is_idle() {
                for done in self.flushes.drain(..) {
                    // A caller that no longer waits is none the worse.
                    let _ = done.try_send(());
                }
            }
            if end.is_some_and(|end| self.desk.is_idle() || end <= Instant::now()) {
                return;
            }
            match self.wait(end).await {
                Woken::Message(Some(message)) => self.hear(&message),
                Woken::Message(None) => self.lose(&Error::Ended),
                Woken::Command(Some(command)) => self.take(command),
                Woken::Command(None) => {
                    self.desk.command(Command::CloseAll);
                    end = Some(Instant::now() + FAREWELL);
                }
                Woken::Time => {}
            }
        }
    }

    /// Waits for whatever comes first. What the person did comes before what the program wants.
    async fn wait(&mut self, end: Option<Instant>) -> Woken {
        let connect = if self.bus.is_none() { self.connect.at() } else { None };
        let wake = [end, connect, self.desk.wake()].into_iter().flatten().min();
        let message = async {
            match &mut self.bus {
                Some(bus) => bus.stream.next().await.and_then(Result::ok),
                None => std::future::pending().await,
            }
        };
        let time = async {
            match wake {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            message = message => Woken::Message(message),
            command = self.commands.recv(), if end.is_none() => Woken::Command(command),
            () = time => Woken::Time,
        }
    }

    fn take(&mut self, command: Command) {
        if let Command::Flush(done) = command {
            self.flushes.push(done);
        } else {
            self.desk.command(command);
        }
    }

    fn hear(&mut self, message: &Message) {
        let Some(bus) = &mut self.bus else { return };
        let now = Instant::now();
        let ours = |sender: &str| self.desk.owner() == Some(sender);
        let report = match wire::hear(message) {
            Heard::Owner(owner) => {
                bus.calls.clear();
                self.desk.owner_changed(owner, now);
                None
            }
            Heard::Reply { sender, to, message } if sender == wire::BUS || ours(&sender) => {
                if let Some((call, what)) = bus.calls.remove(&to) {
                    self.desk.answered(call, wire::answer(&message, what), now);
                }
                None
            }
            Heard::Clicked { sender, id, action } if ours(&sender) => self.desk.clicked(id, &action),
            Heard::Closed { sender, id, reason } if ours(&sender) => self.desk.closed(id, reason),
            _ => None,
        };
        if let Some(report) = report {
            self.shared.report(report);
        }
    }

    async fn send(&mut self) {
        for call in self.desk.outgoing() {
            let Some(bus) = &mut self.bus else { return };
            let owner = self.desk.owner();
            let icon = self.options.icon.as_deref();
            let (message, expected) = match (&call, owner, self.desk.capabilities()) {
                (Call::Notify(post), Some(owner), Some(can)) => {
                    (wire::notify(owner, post, can, icon), Some((post.call, None)))
                }
                (Call::Close(id), Some(owner), _) => (wire::close(owner, *id), None),
                (Call::Ask { call, what }, owner, _) => (wire::ask(owner, *what), Some((*call, Some(*what)))),
                // Without a service nothing is on the screen.
                (Call::Notify(_) | Call::Close(_), _, _) => continue,
            };
            let message = match message {
                Ok(message) => message,
                Err(error) => {
                    if let Some((call, _)) = expected {
                        let answer = crate::desk::Answer::Refused(error.to_string());
                        self.desk.answered(call, answer, Instant::now());
                    }
                    continue;
                }
            };
            if let Some(expected) = expected {
                bus.calls.insert(message.primary_header().serial_num(), expected);
            }
            match tokio::time::timeout(self.options.patience, bus.connection.send(&message)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return self.lose(&Error::Connect(error)),
                Err(_) => return self.lose(&Error::Silent),
            }
        }
    }

    async fn connect(&mut self) {
        self.connect.sent(Instant::now());
        let opening = tokio::time::timeout(self.options.patience, open(&self.options)).await;
        match opening.unwrap_or(Err(Error::Silent)) {
            Ok((bus, owner)) => {
                self.bus = Some(bus);
                self.connect = Probe::new(self.options.retry);
                self.desk.connected(owner, Instant::now());
            }
            Err(error) => self.lose(&error),
        }
    }

    fn lose(&mut self, error: &Error) {
        if self.bus.take().is_some() {
            self.connect = Probe::new(self.options.retry);
            self.connect.sent(Instant::now());
        }
        self.desk.disconnected(error.to_string());
    }
}

/// Connects, listens, and finds out who the service is.
async fn open(options: &Options) -> Result<(Bus, Option<String>), Error> {
    let builder = match &options.bus_address {
        Some(address) => zbus::connection::Builder::address(address.as_str()),
        None => zbus::connection::Builder::session(),
    };
    let mut connection = builder.method_timeout(options.patience).build().await.map_err(Error::Connect)?;
    if let Some(queue) = std::num::NonZeroUsize::new(QUEUE) {
        connection.set_max_queued(queue);
    }
    let stream = MessageStream::from(&connection);
    for rule in wire::rules() {
        to_bus(&connection, "AddMatch", rule.as_str()).await.map_err(Error::Connect)?;
    }
    let owner = match to_bus(&connection, "GetNameOwner", wire::NAME).await {
        Ok(reply) => Some(reply.body().deserialize().map_err(Error::Connect)?),
        Err(zbus::Error::FDO(error)) if matches!(*error, fdo::Error::NameHasNoOwner(_)) => None,
        Err(error) => return Err(Error::Connect(error)),
    };
    Ok((Bus { connection, stream, calls: HashMap::new() }, owner))
}

async fn to_bus(connection: &Connection, method: &str, argument: &str) -> zbus::Result<Message> {
    connection.call_method(Some(wire::BUS), wire::BUS_PATH, Some(wire::BUS), method, &(argument,)).await
}
