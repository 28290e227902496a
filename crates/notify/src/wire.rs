//! The notification service's D-Bus messages, written and read.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::path::Path;

use zbus::Variant;
use zbus::message::{Flags, Message, Type};

use crate::Capabilities;
use crate::board::Post;
use crate::desk::{Answer, Question};
use crate::letter::fit;

/// The service's name on the bus, which is its interface's name too.
pub(crate) const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// The bus itself.
pub(crate) const BUS: &str = "org.freedesktop.DBus";
pub(crate) const BUS_PATH: &str = "/org/freedesktop/DBus";

/// A message, as far as it concerns notifications.
#[derive(Debug)]
pub(crate) enum Heard {
    /// The service changed hands.
    Owner(Option<String>),
    Clicked {
        sender: String,
        id: u32,
        action: String,
    },
    Closed {
        sender: String,
        id: u32,
        reason: u32,
    },
    Reply {
        sender: String,
        to: NonZeroU32,
        message: Message,
    },
    Other,
}

/// What the bus is to pass on to us.
pub(crate) fn rules() -> [String; 2] {
    [
        format!("type='signal',interface='{NAME}',path='{PATH}'"),
        format!("type='signal',sender='{BUS}',interface='{BUS}',member='NameOwnerChanged',arg0='{NAME}'"),
    ]
}

/// The call by which `owner` shows `post` on a desktop that can do `can`.
pub(crate) fn notify(owner: &str, post: &Post, can: &Capabilities, icon: Option<&Path>) -> zbus::Result<Message> {
    let letter = fit(&post.notice, post.mark, can);
    let icon = icon.map(|icon| icon.to_string_lossy()).unwrap_or_default();
    let mut hints: HashMap<&str, Variant<'_>> = HashMap::new();
    hints.insert("urgency", Variant::from(if post.notice.urgent { 2u8 } else { 1u8 }));
    hints.insert("category", Variant::from("x-gavel.request"));
    hints.insert("desktop-entry", Variant::from("gavel"));
    hints.insert("resident", Variant::from(false));
    if post.again {
        // The same request, brought up to date: it has made itself heard already.
        hints.insert("suppress-sound", Variant::from(true));
    }
    // It stands until it is dealt with.
    let expires = 0i32;
    let body = ("Gavel", post.replaces, icon.as_ref(), letter.title, letter.body, letter.actions, hints, expires);
    call(owner, "Notify").with_flags(Flags::NO_AUTO_START).build(&body)
}

/// The call by which `owner` takes notification `id` back. Nobody waits for the reply.
pub(crate) fn close(owner: &str, id: u32) -> zbus::Result<Message> {
    call(owner, "CloseNotification").with_flags(Flags::NO_AUTO_START | Flags::NO_REPLY_EXPECTED).build(&(id,))
}

/// A question to the service. If it isn't running and the bus knows how to start it, this starts it.
pub(crate) fn ask(owner: Option<&str>, what: Question) -> zbus::Result<Message> {
    let member = match what {
        Question::Server => "GetServerInformation",
        Question::Capabilities => "GetCapabilities",
    };
    call(owner.unwrap_or(NAME), member).build(&())
}

/// A call to `destination`. Calls that name a notification go to the one service that numbered it, never to the
/// service's name: a successor would close or replace somebody else's notification of the same number.
fn call<'a>(destination: &'a str, member: &'static str) -> zbus::message::Builder<'a> {
    Message::method_call(PATH, member).destination(destination).interface(NAME)
}

/// Reads `message`.
pub(crate) fn hear(message: &Message) -> Heard {
    let header = message.header();
    let sender = header.sender().map(ToString::to_string).unwrap_or_default();
    let member = header.member().map(ToString::to_string).unwrap_or_default();
    let interface = header.interface().map(ToString::to_string).unwrap_or_default();
    let body = message.body();
    match (message.message_type(), interface.as_str(), member.as_str()) {
        (Type::MethodReturn | Type::Error, _, _) => match header.reply_serial() {
            Some(to) => Heard::Reply { sender, to, message: message.clone() },
            None => Heard::Other,
        },
        (Type::Signal, BUS, "NameOwnerChanged") if sender == BUS => {
            match body.deserialize::<(String, String, String)>() {
                Ok((name, _, new)) if name == NAME => Heard::Owner((!new.is_empty()).then_some(new)),
                _ => Heard::Other,
            }
        }
        (Type::Signal, NAME, "ActionInvoked") => match body.deserialize() {
            Ok((id, action)) => Heard::Clicked { sender, id, action },
            Err(_) => Heard::Other,
        },
        (Type::Signal, NAME, "NotificationClosed") => match body.deserialize() {
            Ok((id, reason)) => Heard::Closed { sender, id, reason },
            Err(_) => Heard::Other,
        },
        _ => Heard::Other,
    }
}

/// Reads the reply to a Notify call, or with `what` to a question.
pub(crate) fn answer(message: &Message, what: Option<Question>) -> Answer {
    let body = message.body();
    if message.message_type() == Type::Error {
        let header = message.header();
        let name = header.error_name().map(ToString::to_string).unwrap_or_default();
        let nobody = ["ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected", "Timeout", "TimedOut"];
        let from_bus = name.strip_prefix("org.freedesktop.DBus.Error.");
        if from_bus.is_some_and(|name| nobody.contains(&name) || name.starts_with("Spawn.")) {
            return Answer::Nobody;
        }
        let text: String = body.deserialize().unwrap_or_default();
        return Answer::Refused(if text.is_empty() { name } else { text });
    }
    let read = match what {
        None => body.deserialize().map(Answer::Id),
        Some(Question::Server) => body
            .deserialize::<(String, String, String, String)>()
            .map(|(name, _, version, _)| Answer::Server(format!("{name} {version}").trim().to_owned())),
        Some(Question::Capabilities) => body.deserialize().map(Answer::Capabilities),
    };
    read.unwrap_or_else(|error| Answer::Refused(format!("it answered what can't be read: {error}")))
}
