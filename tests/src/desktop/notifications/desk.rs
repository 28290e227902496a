//! The server's end of the bus: what it hears, remembers and answers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Instant,
};

use zbus::{Connection, OwnedVariant, message::Message, message::Type};

use super::{Call, NAME, Notification, PATH, State};
use crate::desktop::bus;

/// What a press of a button sends, in the order of the specification.
pub(super) async fn press(bus: &Connection, id: u32, key: &str) -> zbus::Result<()> {
    emit(bus, "ActivationToken", &(id, "a-token")).await?;
    emit(bus, "ActionInvoked", &(id, key)).await?;
    emit(bus, "NotificationClosed", &(id, 2_u32)).await
}

pub(super) async fn emit<B>(bus: &Connection, signal: &str, body: &B) -> zbus::Result<()>
where
    B: serde::Serialize + zbus::DynamicType + Sync,
{
    bus.emit_signal(None::<&str>, PATH, NAME, signal, body).await
}

pub(super) struct Desk {
    pub(super) state: Arc<Mutex<State>>,
}

impl bus::Serve for Desk {
    async fn take(&mut self, bus: &Connection, message: &Message) -> zbus::Result<()> {
        let header = message.header();
        let (interface, member) = bus::names(message);
        if message.message_type() == Type::Signal {
            return Ok(());
        }
        if interface != NAME {
            return bus.reply_error(&header, "org.freedesktop.DBus.Error.UnknownInterface", &interface).await;
        }
        let hangs = self.state.lock().unwrap().hangs;
        match member.as_str() {
            "GetCapabilities" => {
                let capabilities = self.note(Call::Capabilities, |state| state.capabilities.clone());
                if hangs { Ok(()) } else { bus.reply(&header, &capabilities).await }
            }
            "GetServerInformation" => {
                self.note(Call::Information, |_| ());
                if hangs { Ok(()) } else { bus.reply(&header, &("rig", "gavel", "1", "1.2")).await }
            }
            "CloseNotification" => {
                let id = message.body().deserialize::<u32>()?;
                let was_open = self.note(Call::Close(id), |state| state.open.remove(&id));
                if hangs {
                    return Ok(());
                }
                if was_open {
                    emit(bus, "NotificationClosed", &(id, 3_u32)).await?;
                    return bus.reply(&header, &()).await;
                }
                bus.reply_error(&header, "org.freedesktop.DBus.Error.InvalidArgs", &"no such notification").await
            }
            "Notify" => self.notify(bus, message, hangs).await,
            _ => bus.reply_error(&header, "org.freedesktop.DBus.Error.UnknownMethod", &member).await,
        }
    }
}

impl Desk {
    fn note<T>(&self, call: Call, then: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap();
        state.calls.push(call);
        then(&mut state)
    }

    async fn notify(&self, bus: &Connection, message: &Message, hangs: bool) -> zbus::Result<()> {
        type Arguments = (String, u32, String, String, String, Vec<String>, HashMap<String, OwnedVariant>, i32);
        let (app, replaces, icon, summary, body, actions, hints, timeout) =
            message.body().deserialize::<Arguments>()?;
        let actions: Vec<_> = actions.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        let (id, delay, auto) = {
            let mut state = self.state.lock().unwrap();
            let id = if replaces == 0 { state.next } else { replaces };
            state.next = state.next.max(id + 1);
            let at = Instant::now();
            let notification =
                Notification { id, app, replaces, icon, summary, body, actions: actions.clone(), hints, timeout, at };
            state.calls.push(Call::Notify(notification));
            let auto = state.auto.clone().filter(|auto| actions.iter().any(|(key, _)| key == auto));
            if !hangs && auto.is_none() {
                state.open.insert(id);
            }
            (id, state.delay, auto)
        };
        if hangs {
            return Ok(());
        }
        let (bus, message) = (bus.clone(), message.clone());
        let answer = async move {
            bus.reply(&message.header(), &id).await?;
            if let Some(key) = auto {
                press(&bus, id, &key).await?;
            }
            Ok(())
        };
        if delay.is_zero() {
            return answer.await;
        }
        // The delay is this call's own: the next one is heard meanwhile.
        tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            let _: zbus::Result<()> = answer.await;
        });
        Ok(())
    }
}
