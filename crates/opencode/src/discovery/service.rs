//! The background services of OpenCode 2.x. Each writes a file that says where it listens and by which password; the
//! file is believed only when the service at that address says the same. It is never changed by us.

mod file;
mod liveness;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use gavel_core::ServerId;
use reqwest::Client;
use tokio::task::JoinSet;

use self::file::{Registered, Registration};
use self::liveness::Liveness;
use self::watch::FolderWatch;
use super::Found;
use crate::Error;

/// What has come out about a registered service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is ready.
    Ready(Found),
    /// Its registration is gone, or a leftover: twice in a row it certainly wasn't the service that answered.
    Stale(ServerId),
}

/// What is clear is asked again after this many looks.
const PATIENCE: u32 = 10;

/// A service writes its file again within 5 s while it lives: one that is missing for so many looks has ended, and its
/// password is none of the business of whatever listens at its address next.
const MISSED: u32 = 2;

/// The registered services.
#[derive(Debug)]
pub(super) struct Services {
    watch: FolderWatch,
    client: Client,
    /// What is known, by the name of the file.
    known: BTreeMap<String, Known>,
}

#[derive(Debug)]
struct Known {
    written: Option<SystemTime>,
    registration: Registration,
    /// What came out when it was last asked.
    liveness: Option<Liveness>,
    /// Asked again after this many looks.
    rest: u32,
    /// In how many regular looks in a row its file was not there.
    missing: u32,
}

impl Known {
    fn new(Registered { written, registration, .. }: Registered) -> Self {
        Self { written, registration, liveness: None, rest: 0, missing: 0 }
    }

    /// Takes in that the file was read again. Whether that is a reason to ask at once.
    fn reread(&mut self, read: Registered) -> bool {
        let is_other = self.registration != read.registration;
        // A service writes its file again and again while it lives, the same each time.
        let is_waited_for = self.written != read.written && !matches!(self.liveness, Some(Liveness::Ready { .. }));
        self.written = read.written;
        self.missing = 0;
        if is_other {
            self.registration = read.registration;
            self.liveness = None;
        }
        is_other || is_waited_for
    }

    /// Takes in what was found. What is to be told about it, if anything.
    fn settle(&mut self, now: Liveness) -> Option<Heard> {
        let server = self.registration.server.clone();
        let before = self.liveness.replace(now.clone());
        let again = before.as_ref() == Some(&now);
        if !again {
            tracing::debug!(%server, ?now, "registered service");
        }
        self.rest = match now {
            Liveness::Starting => 0,
            // What is written a moment before the service listens, or while it restarts, deserves a second question.
            Liveness::Stale | Liveness::Silent | Liveness::OtherProtocol if !again => 0,
            // Whatever listens there is not to hear the password again and again. Should the service come back, it
            // writes its file, and then it is asked at once.
            Liveness::Stale | Liveness::OtherProtocol => u32::MAX,
            _ => PATIENCE,
        };
        match now {
            Liveness::Ready { version } => Some(Heard::Ready(Found {
                id: server,
                version: Some(version),
                credentials: self.registration.credentials.clone(),
            })),
            Liveness::Stale | Liveness::OtherProtocol if again => Some(Heard::Stale(server)),
            _ => None,
        }
    }
}

impl Services {
    pub(super) fn new(folder: PathBuf) -> Result<Self, Error> {
        Ok(Self { watch: FolderWatch::new(folder), client: liveness::client()?, known: BTreeMap::new() })
    }

    /// Returns when a look would be worth while.
    pub(super) async fn stirred(&self) {
        self.watch.stirred().await;
    }

    /// Looks at the registrations, and asks the services of those that are new, or about which it is time to ask
    /// again. Only regular looks count as time.
    pub(super) async fn look(&mut self, regular: bool) -> Vec<Heard> {
        self.watch.arm();
        let folder = self.watch.folder().to_owned();
        // Reading blocks. Should it fail altogether, it is as if there were no files this time.
        let read = tokio::task::spawn_blocking(move || file::read(&folder)).await.unwrap_or_default();
        let gone = self.drop_missing(&read, regular);
        let mut asking = JoinSet::new();
        for read in read {
            let name = read.name.clone();
            let due = match self.known.get_mut(&name) {
                Some(known) => {
                    let at_once = known.reread(read);
                    let in_turn = regular && known.rest == 0;
                    known.rest = known.rest.saturating_sub(u32::from(regular));
                    at_once || in_turn
                }
                None => {
                    self.known.insert(name.clone(), Known::new(read));
                    true
                }
            };
            if let Some(known) = self.known.get(&name).filter(|_| due) {
                let (client, registration) = (self.client.clone(), known.registration.clone());
                asking.spawn(async move { (name, liveness::ask(client, &registration).await) });
            }
        }
        let mut heard = gone;
        while let Some(asked) = asking.join_next().await {
            let Ok((name, liveness)) = asked else { continue };
            heard.extend(self.known.get_mut(&name).and_then(|known| known.settle(liveness)).map(|heard| (name, heard)));
        }
        heard.retain(|(name, heard)| !self.is_contradicted(name, heard));
        heard.into_iter().map(|(_, heard)| heard).collect()
    }

    /// Forgets registrations whose file is gone for good.
    fn drop_missing(&mut self, read: &[Registered], regular: bool) -> Vec<(String, Heard)> {
        let mut gone = Vec::new();
        self.known.retain(|name, known| {
            if read.iter().any(|read| read.name == *name) {
                return true;
            }
            known.missing += u32::from(regular);
            let stays = known.missing < MISSED;
            if !stays {
                gone.push((name.clone(), Heard::Stale(known.registration.server.clone())));
            }
            stays
        });
        gone
    }

    /// Whether another file knows better. Of several that lead to one service, the first has the say.
    fn is_contradicted(&self, name: &str, heard: &Heard) -> bool {
        let (server, is_ready) = match heard {
            Heard::Ready(found) => (&found.id, true),
            Heard::Stale(server) => (server, false),
        };
        self.known.iter().any(|(other, known)| {
            known.registration.server == *server
                && matches!(known.liveness, Some(Liveness::Ready { .. }))
                && (!is_ready || other.as_str() < name)
        })
    }

    /// Takes in that nothing listens at a server's address any more: its registration is asked about soon.
    pub(super) fn ended(&mut self, id: &ServerId) {
        for known in self.known.values_mut().filter(|known| known.registration.server == *id) {
            known.liveness = None;
            known.rest = 0;
        }
    }
}

#[cfg(test)]
pub(super) mod fake;
#[cfg(test)]
mod tests;
