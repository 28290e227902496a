//! Serving and calling on a session's bus.

use std::time::Duration;

use futures_util::StreamExt;
use tokio::task::JoinHandle;
use zbus::{
    Connection, MessageStream, connection, fdo,
    fdo::RequestNameFlags,
    message::{Message, Type},
};

/// The limit of any call that the rig makes.
const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// A connection to the bus at `address`.
///
/// # Panics
/// When there is no bus.
pub async fn connect(address: &str) -> Connection {
    let builder = connection::Builder::address(address);
    builder.method_timeout(CALL_TIMEOUT).build().await.unwrap_or_else(|e| panic!("no bus at {address}: {e}"))
}

/// Something that answers calls and hears signals, one message after the other.
///
/// On a plain stream instead of zbus's object server, because a test decides what is sent before what.
pub trait Serve: Send + 'static {
    /// Takes a call, which it must answer (or not, if that is the point), or a signal.
    fn take(&mut self, bus: &Connection, message: &Message) -> impl Future<Output = zbus::Result<()>> + Send;
}

/// A name that is served until this is dropped.
#[derive(Debug)]
pub struct Served {
    bus: Connection,
    task: JoinHandle<()>,
}

impl Served {
    /// The connection that owns the name.
    pub fn bus(&self) -> &Connection {
        &self.bus
    }

    /// Closes the connection, so that the name is free when this returns.
    pub async fn stop(self) {
        self.task.abort();
        let _ = self.bus.clone().close().await;
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Owns `name` on the bus at `address`, and hears the signals that match `rules`.
///
/// # Panics
/// When the name is taken, or there is no bus.
pub async fn serve(address: &str, name: &'static str, rules: &[&str], mut server: impl Serve) -> Served {
    let bus = connect(address).await;
    // Before the name is owned, so that not even the first call is missed.
    let mut stream = MessageStream::from(&bus);
    let daemon = fdo::DBusProxy::new(&bus).await.expect("the bus itself can be called");
    for rule in rules {
        let rule = zbus::MatchRule::try_from(*rule).expect("a match rule");
        daemon.add_match_rule(rule).await.expect("the bus takes a match rule");
    }
    bus.request_name_with_flags(name, RequestNameFlags::DO_NOT_QUEUE)
        .await
        .unwrap_or_else(|e| panic!("can't own `{name}`: {e}"));
    let served = bus.clone();
    let task = tokio::spawn(async move {
        while let Some(Ok(message)) = stream.next().await {
            if matches!(message.message_type(), Type::MethodCall | Type::Signal) {
                // The one who asked may be gone by now, which is its own affair.
                let _ = server.take(&served, &message).await;
            }
        }
    });
    Served { bus, task }
}

/// The interface and member of a message.
pub fn names(message: &Message) -> (String, String) {
    let header = message.header();
    let interface = header.interface().map(ToString::to_string).unwrap_or_default();
    (interface, header.member().map(ToString::to_string).unwrap_or_default())
}

/// Whether anybody owns `name`.
pub async fn is_owned(bus: &Connection, name: &str) -> bool {
    let daemon = fdo::DBusProxy::new(bus).await.expect("the bus itself can be called");
    daemon.name_has_owner(name.try_into().expect("a bus name")).await.unwrap_or(false)
}
