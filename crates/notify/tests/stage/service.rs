//! A notification service for tests. It speaks the protocol message by message, so that a test decides what follows
//! what, down to the signal right behind a reply.

use std::collections::HashMap;

use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use zbus::fdo::RequestNameFlags;
use zbus::message::{Message, Type};
use zbus::{Connection, MessageStream, OwnedVariant, Variant};

use super::PATIENCE;

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// What the service was told.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    Notify(Shown),
    Close(u32),
}

/// A Notify call, and the number it got.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub id: u32,
    pub app: String,
    pub replaces: u32,
    pub icon: String,
    pub title: String,
    pub body: String,
    pub actions: Vec<String>,
    pub hints: HashMap<String, String>,
    pub expires: i32,
}

impl Shown {
    /// The name of the action whose name begins with `word`.
    pub fn action(&self, word: &str) -> Option<String> {
        self.actions.iter().step_by(2).find(|name| name.split('.').next() == Some(word)).cloned()
    }
}

/// How the service behaves.
#[derive(Debug, Clone)]
pub struct Manner {
    pub capabilities: Vec<&'static str>,
    /// Press this button the moment the reply to Notify is out.
    pub press: Option<&'static str>,
    /// Don't answer, nor look at anything else.
    pub hold: bool,
    /// Answer Notify with an error.
    pub refuse: bool,
    /// The first number it gives out.
    pub first: u32,
}

impl Default for Manner {
    fn default() -> Self {
        let capabilities = vec!["actions", "body", "body-markup", "persistence"];
        Self { capabilities, press: None, hold: false, refuse: false, first: 1 }
    }
}

pub struct Service {
    connection: Connection,
    manner: watch::Sender<Manner>,
    told: watch::Receiver<Vec<Told>>,
    task: JoinHandle<()>,
}

impl Service {
    pub async fn start(address: &str, manner: Manner) -> Self {
        let mut connection = zbus::connection::Builder::address(address).build().await.unwrap();
        connection.set_max_queued(4096.try_into().unwrap());
        let stream = MessageStream::from(&connection);
        let (manner, manners) = watch::channel(manner);
        let (tell, told) = watch::channel(Vec::new());
        let task = tokio::spawn(serve(connection.clone(), stream, manners, tell));
        let flags = RequestNameFlags::REPLACE_EXISTING | RequestNameFlags::ALLOW_REPLACEMENT;
        connection.request_name_with_flags(NAME, flags).await.unwrap();
        Self { connection, manner, told, task }
    }

    /// Leaves the bus, as a service that ends does.
    pub async fn stop(self) {
        self.task.abort();
        let _ = self.task.await;
        self.connection.close().await.unwrap();
    }

    pub fn behave(&self, change: impl FnOnce(&mut Manner)) {
        self.manner.send_modify(change);
    }

    pub fn told(&self) -> Vec<Told> {
        self.told.borrow().clone()
    }

    pub fn shown(&self) -> Vec<Shown> {
        shown(&self.told())
    }

    pub fn closed(&self) -> Vec<u32> {
        closed(&self.told())
    }

    /// Waits until what it was told fits.
    pub async fn until(&self, fits: impl Fn(&[Told]) -> bool) -> Vec<Told> {
        let mut told = self.told.clone();
        match tokio::time::timeout(PATIENCE, told.wait_for(|told| fits(told))).await {
            Ok(told) => told.unwrap().clone(),
            Err(_) => panic!("in vain; the service was told: {:#?}", self.told()),
        }
    }

    /// Waits for the Notify call number `count`, counted from one.
    pub async fn until_shown(&self, count: usize) -> Shown {
        shown(&self.until(|told| shown(told).len() >= count).await)[count - 1].clone()
    }

    /// Clicks the action called `action` of notification `id`.
    pub async fn invoke(&self, id: u32, action: &str) {
        invoke(&self.connection, id, action).await;
    }

    /// Clicks as somebody would who is not the service.
    pub async fn stranger_invokes(address: &str, id: u32, action: &str) {
        let connection = zbus::connection::Builder::address(address).build().await.unwrap();
        invoke(&connection, id, action).await;
        passed_on(&connection).await;
    }

    /// Waits until the bus has passed on everything said so far.
    pub async fn passed_on(&self) {
        passed_on(&self.connection).await;
    }

    pub async fn close(&self, id: u32, reason: u32) {
        signal(&self.connection, "NotificationClosed", &(id, reason)).await;
    }
}

pub fn shown(told: &[Told]) -> Vec<Shown> {
    let notify = |told: &Told| if let Told::Notify(shown) = told { Some(shown.clone()) } else { None };
    told.iter().filter_map(notify).collect()
}

pub fn closed(told: &[Told]) -> Vec<u32> {
    told.iter().filter_map(|told| if let Told::Close(id) = told { Some(*id) } else { None }).collect()
}

async fn invoke(connection: &Connection, id: u32, action: &str) {
    signal(connection, "ActionInvoked", &(id, action)).await;
}

async fn passed_on(connection: &Connection) {
    let bus = "org.freedesktop.DBus";
    connection.call_method(Some(bus), "/org/freedesktop/DBus", Some(bus), "GetId", &()).await.unwrap();
}

async fn signal<B: serde::Serialize + zbus::Type>(connection: &Connection, name: &str, body: &B) {
    connection.emit_signal(None::<&str>, PATH, NAME, name, body).await.unwrap();
}

fn plain(value: &Variant<'_>) -> String {
    match value {
        Variant::U8(number) => format!("byte {number}"),
        Variant::Bool(truth) => truth.to_string(),
        Variant::Str(text) => text.to_string(),
        other => panic!("an unexpected kind of hint: {other:?}"),
    }
}

type NotifyBody = (String, u32, String, String, String, Vec<String>, HashMap<String, OwnedVariant>, i32);

async fn serve(
    connection: Connection,
    mut stream: MessageStream,
    mut manner: watch::Receiver<Manner>,
    tell: watch::Sender<Vec<Told>>,
) {
    let mut next = manner.borrow().first;
    while let Some(Ok(message)) = stream.next().await {
        let header = message.header();
        if message.message_type() != Type::MethodCall || header.interface().map(|name| name.as_str()) != Some(NAME) {
            continue;
        }
        let member = header.member().unwrap().to_string();
        let mut fresh = None;
        match member.as_str() {
            "Notify" => {
                let (app, replaces, icon, title, body, actions, hints, expires): NotifyBody =
                    message.body().deserialize().unwrap();
                let id = if replaces == 0 { next } else { replaces };
                next = next.max(id + 1);
                let hints = hints.into_iter().map(|(name, value)| (name, plain(&value))).collect();
                let shown = Shown { id, app, replaces, icon, title, body, actions, hints, expires };
                tell.send_modify(|told| told.push(Told::Notify(shown.clone())));
                fresh = Some(shown);
            }
            "CloseNotification" => {
                let (id,): (u32,) = message.body().deserialize().unwrap();
                tell.send_modify(|told| told.push(Told::Close(id)));
            }
            _ => {}
        }
        let now = manner.wait_for(|manner| !manner.hold).await.unwrap().clone();
        if now.refuse && member == "Notify" {
            let name = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration";
            connection.reply_error(&header, name, &"too many").await.unwrap();
            continue;
        }
        let reply = Message::method_return(&header);
        let reply = match (member.as_str(), &fresh) {
            ("Notify", Some(shown)) => reply.build(&shown.id),
            ("GetCapabilities", _) => reply.build(&now.capabilities),
            ("GetServerInformation", _) => reply.build(&("stand-in", "gavel", "7", "1.2")),
            _ => reply.build(&()),
        };
        if connection.send(&reply.unwrap()).await.is_err() {
            // The bus is gone, and the test with it.
            return;
        }
        if let (Some(shown), Some(word)) = (fresh, now.press)
            && let Some(action) = shown.action(word)
        {
            invoke(&connection, shown.id, &action).await;
            signal(&connection, "NotificationClosed", &(shown.id, 2u32)).await;
        }
    }
}
