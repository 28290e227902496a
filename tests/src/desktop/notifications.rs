//! A notification server that remembers everything and clicks when told to.

mod desk;

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use desk::{Desk, emit, press};
use zbus::{Connection, OwnedVariant};

use super::{Session, bus};
use crate::wait::eventually;

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// One call to `Notify`, with everything in it.
#[derive(Debug, Clone)]
pub struct Notification {
    /// The number given to it.
    pub id: u32,
    /// The application's name.
    pub app: String,
    /// The number it replaces, or 0.
    pub replaces: u32,
    /// The icon: a name or a path.
    pub icon: String,
    /// The title.
    pub summary: String,
    /// The text.
    pub body: String,
    /// The buttons: key and label.
    pub actions: Vec<(String, String)>,
    /// Everything else.
    pub hints: HashMap<String, OwnedVariant>,
    /// Milliseconds until it goes away by itself; -1 the server decides, 0 never.
    pub timeout: i32,
    /// When it came.
    pub at: Instant,
}

impl Notification {
    /// The key of the button with this label.
    pub fn key(&self, label: &str) -> Option<&str> {
        self.actions.iter().find(|(_, other)| other == label).map(|(key, _)| key.as_str())
    }
}

/// One call that came in.
#[derive(Debug, Clone)]
pub enum Call {
    /// `Notify`.
    Notify(Notification),
    /// `CloseNotification`.
    Close(u32),
    /// `GetCapabilities`.
    Capabilities,
    /// `GetServerInformation`.
    Information,
}

#[derive(Debug)]
struct State {
    capabilities: Vec<String>,
    delay: Duration,
    hangs: bool,
    auto: Option<String>,
    next: u32,
    open: HashSet<u32>,
    calls: Vec<Call>,
}

/// The server. It owns its name until it is stopped or dropped.
#[derive(Debug)]
pub struct NotificationServer {
    address: String,
    state: Arc<Mutex<State>>,
    served: Option<bus::Served>,
}

impl NotificationServer {
    /// Starts a server that can do what the common desktops can.
    pub async fn start(session: &Session) -> Self {
        Self::start_with(session, &["body", "body-markup", "actions", "persistence"]).await
    }

    /// Starts a server with these capabilities, and returns when it owns the name.
    pub async fn start_with(session: &Session, capabilities: &[&str]) -> Self {
        let state = State {
            capabilities: capabilities.iter().map(ToString::to_string).collect(),
            delay: Duration::ZERO,
            hangs: false,
            auto: None,
            next: 1,
            open: HashSet::new(),
            calls: Vec::new(),
        };
        let mut server = Self { address: session.bus_address(), state: Arc::new(Mutex::new(state)), served: None };
        server.start_again().await;
        server
    }

    /// Gives the name back, as a notification daemon does that crashes. What it remembers stays readable.
    pub async fn stop(&mut self) {
        if let Some(served) = self.served.take() {
            served.stop().await;
        }
    }

    /// Starts again after [`Self::stop`]: nothing is open, and the numbers begin at 1 again.
    pub async fn start_again(&mut self) {
        {
            let mut state = self.state.lock().unwrap();
            state.next = 1;
            state.open.clear();
        }
        let desk = Desk { state: self.state.clone() };
        self.served = Some(bus::serve(&self.address, NAME, &[], desk).await);
    }

    /// Lets `Notify` take this long to answer.
    pub fn set_delay(&self, delay: Duration) {
        self.state.lock().unwrap().delay = delay;
    }

    /// Lets no call be answered any more, or lets them be answered again. Calls are remembered all the same.
    pub fn set_hang(&self, hangs: bool) {
        self.state.lock().unwrap().hangs = hangs;
    }

    /// Presses `key` on every notification that has it, right behind the reply to `Notify`: nobody is faster.
    pub fn auto_invoke(&self, key: Option<&str>) {
        self.state.lock().unwrap().auto = key.map(str::to_owned);
    }

    /// Every call so far, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        self.state.lock().unwrap().calls.clone()
    }

    /// Every `Notify` so far, oldest first.
    pub fn notifications(&self) -> Vec<Notification> {
        let notify = |call| if let Call::Notify(notification) = call { Some(notification) } else { None };
        self.calls().into_iter().filter_map(notify).collect()
    }

    /// The numbers that `CloseNotification` was called with, oldest first.
    pub fn closed(&self) -> Vec<u32> {
        self.calls().into_iter().filter_map(|call| if let Call::Close(id) = call { Some(id) } else { None }).collect()
    }

    /// The numbers on the screen now, in order.
    pub fn open(&self) -> Vec<u32> {
        let mut open: Vec<_> = self.state.lock().unwrap().open.iter().copied().collect();
        open.sort_unstable();
        open
    }

    /// Waits for a notification that fits, and returns the newest that does.
    ///
    /// # Panics
    /// When none came by the deadline; the message has all calls.
    pub async fn wait_for(&self, what: &str, deadline: Duration, fits: impl Fn(&Notification) -> bool) -> Notification {
        eventually(format!("a notification: {what}"), deadline, async || {
            let newest = self.notifications().into_iter().rev().find(|notification| fits(notification));
            newest.ok_or_else(|| format!("{:#?}", self.calls()))
        })
        .await
    }

    /// Waits until `CloseNotification` was called with `id`.
    ///
    /// # Panics
    /// When it was not by the deadline.
    pub async fn wait_for_close(&self, id: u32, deadline: Duration) {
        eventually(format!("notification {id} to be closed"), deadline, async || {
            if self.closed().contains(&id) { Ok(()) } else { Err(format!("{:#?}", self.calls())) }
        })
        .await;
    }

    /// Presses a button, as a person does: token, action, and the notification is gone.
    pub async fn invoke(&self, id: u32, key: &str) {
        let bus = self.bus();
        self.state.lock().unwrap().open.remove(&id);
        press(bus, id, key).await.expect("the bus takes signals");
    }

    /// Closes a notification as a person does who has read it.
    pub async fn dismiss(&self, id: u32) {
        self.state.lock().unwrap().open.remove(&id);
        emit(self.bus(), "NotificationClosed", &(id, 2_u32)).await.expect("the bus takes signals");
    }

    /// Lets a notification go away because its time is over.
    pub async fn expire(&self, id: u32) {
        self.state.lock().unwrap().open.remove(&id);
        emit(self.bus(), "NotificationClosed", &(id, 1_u32)).await.expect("the bus takes signals");
    }

    fn bus(&self) -> &Connection {
        self.served.as_ref().expect("a server that was stopped can't click").bus()
    }
}
