//! The tray's other half: where programs announce their items.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use zbus::{Connection, Variant, message::Message, message::Type};

use super::bus;

pub(super) const WATCHER: &str = "org.kde.StatusNotifierWatcher";
pub(super) const ITEM: &str = "org.kde.StatusNotifierItem";
pub(super) const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const WATCHER_PATH: &str = "/StatusNotifierWatcher";

/// Where an item is on the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The bus name of the program, unique or well known.
    pub owner: String,
    /// The object in it.
    pub path: String,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) items: Vec<Place>,
    pub(super) signals: Vec<String>,
}

pub(super) struct Watcher {
    pub(super) state: Arc<Mutex<State>>,
}

impl bus::Serve for Watcher {
    async fn take(&mut self, bus: &Connection, message: &Message) -> zbus::Result<()> {
        let header = message.header();
        let (interface, member) = bus::names(message);
        if message.message_type() == Type::Signal {
            if interface == ITEM {
                self.state.lock().unwrap().signals.push(member);
            } else if member == "NameOwnerChanged" {
                return self.forget(bus, message).await;
            }
            return Ok(());
        }
        match (interface.as_str(), member.as_str()) {
            (WATCHER, "RegisterStatusNotifierItem") => {
                let named: String = message.body().deserialize()?;
                let sender = header.sender().map(ToString::to_string).unwrap_or_default();
                let place = place_of(&named, &sender);
                bus.reply(&header, &()).await?;
                self.add(bus, place).await
            }
            (WATCHER, "RegisterStatusNotifierHost") => bus.reply(&header, &()).await,
            (PROPERTIES, "GetAll") => bus.reply(&header, &self.properties()).await,
            (PROPERTIES, "Get") => {
                let (_, name): (String, String) = message.body().deserialize()?;
                match self.properties().remove(name.as_str()) {
                    Some(value) => bus.reply(&header, &value).await,
                    None => bus.reply_error(&header, "org.freedesktop.DBus.Error.UnknownProperty", &name).await,
                }
            }
            _ => bus.reply_error(&header, "org.freedesktop.DBus.Error.UnknownMethod", &member).await,
        }
    }
}

impl Watcher {
    async fn add(&self, bus: &Connection, place: Place) -> zbus::Result<()> {
        let named = format!("{}{}", place.owner, place.path);
        {
            let items = &mut self.state.lock().unwrap().items;
            items.retain(|other| *other != place);
            items.push(place);
        }
        bus.emit_signal(None::<&str>, WATCHER_PATH, WATCHER, "StatusNotifierItemRegistered", &named).await
    }

    /// An item ends with the program that has it.
    async fn forget(&self, bus: &Connection, message: &Message) -> zbus::Result<()> {
        let (name, _, new): (String, String, String) = message.body().deserialize()?;
        let gone: Vec<Place> = {
            let items = &mut self.state.lock().unwrap().items;
            if new.is_empty() { items.extract_if(.., |item| item.owner == name).collect() } else { Vec::new() }
        };
        for place in gone {
            let named = format!("{}{}", place.owner, place.path);
            bus.emit_signal(None::<&str>, WATCHER_PATH, WATCHER, "StatusNotifierItemUnregistered", &named).await?;
        }
        Ok(())
    }

    fn properties(&self) -> HashMap<&'static str, Variant<'static>> {
        let items = self.state.lock().unwrap().items.clone();
        let items: Vec<String> = items.into_iter().map(|place| format!("{}{}", place.owner, place.path)).collect();
        HashMap::from([
            ("IsStatusNotifierHostRegistered", Variant::from(true)),
            ("ProtocolVersion", Variant::from(0_i32)),
            ("RegisteredStatusNotifierItems", Variant::from(items)),
        ])
    }
}

/// libayatana names the object in its own connection; KDE's programs name a connection, and the object is understood.
fn place_of(named: &str, sender: &str) -> Place {
    if named.starts_with('/') {
        Place { owner: sender.to_owned(), path: named.to_owned() }
    } else {
        Place { owner: named.to_owned(), path: "/StatusNotifierItem".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_name_themselves_in_two_ways() {
        let ayatana = place_of("/org/ayatana/NotificationItem/x", ":1.7");
        assert_eq!((ayatana.owner.as_str(), ayatana.path.as_str()), (":1.7", "/org/ayatana/NotificationItem/x"));
        let kde = place_of("org.kde.StatusNotifierItem-1-1", ":1.7");
        assert_eq!((kde.owner.as_str(), kde.path.as_str()), ("org.kde.StatusNotifierItem-1-1", "/StatusNotifierItem"));
    }
}
