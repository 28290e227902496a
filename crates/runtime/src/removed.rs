//! Servers that were just removed, and can be watched again as they were for a while.

use std::time::Duration;

use gavel_core::flow::Event;
use gavel_core::{Moment, ServerId, say};
use gavel_opencode::server_id;

use crate::api::{Answer, Code, RemovedServer};
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::message::Message;
use crate::servers::name_of;
use crate::settings::{PasswordSetting, ServerSetting};

/// For how long a removal can be undone.
const BACK: Duration = Duration::from_secs(10);

/// A server that was just removed.
pub(crate) struct Removed {
    id: ServerId,
    setting: ServerSetting,
    /// Where it stood in the list.
    place: usize,
    /// Where its password comes from. One in the keychain stays there as long as the removal can be undone.
    password: Option<PasswordSetting>,
    until: Moment,
}

impl Removed {
    /// How it is shown.
    pub(crate) fn row(&self) -> RemovedServer {
        RemovedServer { id: self.id.0.clone(), name: name_of(&self.id, &self.setting.name), back_until: self.until.0 }
    }
}

impl Driver {
    pub(crate) fn remove_server(&mut self, id: &ServerId) -> Result<Answer, Failed> {
        let is_it = |server: &ServerSetting| server_id(&server.url).is_ok_and(|known| known == *id);
        if let Some(place) = self.settings.servers.iter().position(is_it) {
            let setting = self.settings.servers.remove(place);
            let password = self.settings.passwords.remove(id.as_str());
            let until = now().plus(u64::try_from(BACK.as_millis()).unwrap_or(u64::MAX));
            self.removed.push(Removed { id: id.clone(), setting, place, password, until });
            let messages = self.messages.clone();
            tokio::spawn(async move {
                tokio::time::sleep(BACK).await;
                let _ = messages.send(Message::ServerGone(until));
            });
        }
        let kept = self.keep_settings();
        self.servers.unwatch(id);
        self.feed(Event::ServerRemoved(id.clone()));
        kept
    }

    /// Watches a server again that was just removed, as it was.
    ///
    /// # Errors
    /// When that was too long ago.
    pub(crate) fn watch_again(&mut self, id: &ServerId) -> Result<Answer, Failed> {
        let Some((place, setting)) = self.take_removed(id) else {
            return Err(Failed {
                code: Code::Failed,
                message: say!("The server can't be had again any more."),
                hint: say!("Add it by its address."),
            });
        };
        self.settings.servers.insert(place.min(self.settings.servers.len()), setting);
        let kept = self.keep_settings();
        self.watch_all();
        kept
    }

    /// What the settings said of a server that was just removed; where its password comes from is in them again.
    pub(crate) fn take_removed(&mut self, id: &ServerId) -> Option<(usize, ServerSetting)> {
        let at = self.removed.iter().position(|removed| removed.id == *id)?;
        let Removed { setting, place, password, .. } = self.removed.remove(at);
        if let Some(password) = password {
            self.settings.passwords.insert(id.0.clone(), password);
        }
        if self.servers.watches(id) {
            // It was found meanwhile, and without its password: it begins anew, with it.
            self.servers.unwatch(id);
            self.feed(Event::ServerRemoved(id.clone()));
        }
        Some((place, setting))
    }

    /// Watches the servers of the settings that aren't watched yet.
    pub(crate) fn watch_all(&mut self) {
        for event in self.servers.watch_configured(&self.settings, None) {
            self.feed(event);
        }
    }

    /// What was removed and could be had again until this moment, or all of it, stays removed. What is returned takes its
    /// passwords out of the keychain, which may take as long as it takes to unlock that.
    pub(crate) fn forget_removed(&mut self, until: Option<Moment>) -> impl Future<Output = ()> + Send + use<> {
        let is_due = |removed: &mut Removed| until.is_none_or(|until| removed.until <= until);
        let secrets = self.servers.secrets().clone();
        let due: Vec<Removed> = self.removed.extract_if(.., is_due).collect();
        async move {
            let kept = |removed: &Removed| matches!(removed.password, Some(PasswordSetting { variable: None, .. }));
            for Removed { id, .. } in due.into_iter().filter(kept) {
                if let Err(error) = secrets.forget(id.as_str()).await {
                    tracing::warn!("the password of {id} stays in the keychain: {error}");
                }
            }
        }
    }
}
