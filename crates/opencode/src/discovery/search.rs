//! The task that looks for servers again and again.

use std::collections::HashMap;
use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;

use gavel_core::ServerId;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use super::probe::{Probed, Prober};
use super::service::{Heard, Services};
use super::{Places, procfs};
use crate::{Credentials, Error};

/// A server that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its identity, which is also its address.
    pub id: ServerId,
    /// Its version; `None` while it wants a password first.
    pub version: Option<String>,
    /// What it wants to be told, if it left word of that itself.
    pub credentials: Option<Credentials>,
}

impl Found {
    /// Whether it wants a password.
    #[must_use]
    pub const fn needs_password(&self) -> bool {
        self.version.is_none()
    }
}

/// What the search comes upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sighting {
    /// A server runs. Said again when more or something else has come out about it.
    Found(Found),
    /// A server that was found has ended.
    Lost(ServerId),
}

/// How often it is looked.
pub const PERIOD: Duration = Duration::from_secs(3);

/// What isn't OpenCode, or asks for a password, is asked again after this many looks.
const PATIENCE: u32 = 10;

/// A server counts as ended when this many looks in a row missed it.
const MISSES: u32 = 2;

/// What happens to a file rarely happens once: a look waits for as long after a change.
const SETTLING: Duration = Duration::from_millis(100);

/// A search under way. It ends when this is dropped.
#[derive(Debug)]
pub struct Discovery {
    _guard: DropGuard,
}

impl Discovery {
    /// Begins to look, at once and then every `period`; when something happens to a registration, also in between.
    /// What is come upon goes to `sightings`.
    ///
    /// # Errors
    /// The system offers no TLS.
    pub fn begin(places: Places, period: Duration, sightings: mpsc::Sender<Sighting>) -> Result<Self, Error> {
        let mut search = Search::new(places)?;
        let closing = CancellationToken::new();
        let closed = closing.clone();
        tokio::spawn(async move {
            let mut ticks = interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let looking = async {
                loop {
                    let is_regular = tokio::select! {
                        _ = ticks.tick() => true,
                        () = search.stirred() => false,
                    };
                    let seen = if is_regular {
                        search.look().await
                    } else {
                        sleep(SETTLING).await;
                        search.look_at_services(false).await
                    };
                    for sighting in seen {
                        if sightings.send(sighting).await.is_err() {
                            return;
                        }
                    }
                }
            };
            closed.run_until_cancelled(looking).await;
        });
        Ok(Self { _guard: closing.drop_guard() })
    }
}

/// What is known of the addresses looked at so far.
#[derive(Debug)]
struct Search {
    places: Places,
    prober: Prober,
    services: Option<Services>,
    known: HashMap<ServerId, Known>,
}

#[derive(Debug)]
enum Known {
    /// A server runs there.
    Server {
        /// It was missed this many times in a row.
        misses: u32,
        /// What it was found by, if that was its registration.
        registered: Option<Found>,
    },
    /// Something else is there; it is left alone for so many looks.
    Other { patience: u32 },
}

impl Search {
    fn new(places: Places) -> Result<Self, Error> {
        let services = places.registrations.clone().map(Services::new).transpose()?;
        Ok(Self { places, prober: Prober::new()?, services, known: HashMap::new() })
    }

    /// Returns when it makes sense to look at the services before it is time.
    async fn stirred(&self) {
        match &self.services {
            Some(services) => services.stirred().await,
            None => pending().await,
        }
    }

    async fn look(&mut self) -> Vec<Sighting> {
        // What a registration says about a server is more than what can be seen from outside.
        let mut sightings = self.look_at_services(true).await;
        let running = self.processes().await;
        let mut candidates = self.places.addresses.clone();
        candidates.extend(running.iter().cloned());
        candidates.sort_unstable();
        candidates.dedup();
        self.known.retain(|id, known| matches!(known, Known::Server { .. }) || candidates.contains(id));
        for id in candidates {
            match self.known.get_mut(&id) {
                Some(Known::Server { .. }) => {}
                Some(Known::Other { patience }) if *patience > 0 => *patience -= 1,
                Some(Known::Other { .. }) | None => sightings.extend(self.probe(id).await),
            }
        }
        sightings.extend(self.ended(&running).await);
        sightings
    }

    async fn look_at_services(&mut self, is_regular: bool) -> Vec<Sighting> {
        let Some(services) = &mut self.services else { return Vec::new() };
        services.look(is_regular).await.into_iter().filter_map(|heard| self.hear(heard)).collect()
    }

    fn hear(&mut self, heard: Heard) -> Option<Sighting> {
        match heard {
            Heard::Ready(found) => {
                let server = Known::Server { misses: 0, registered: Some(found.clone()) };
                let before = self.known.insert(found.id.clone(), server);
                let is_news =
                    !matches!(before, Some(Known::Server { registered, .. }) if registered.as_ref() == Some(&found));
                is_news.then_some(Sighting::Found(found))
            }
            Heard::Stale(id) => {
                let is_ended = matches!(self.known.get(&id), Some(Known::Server { registered: Some(_), .. }));
                is_ended.then(|| {
                    self.known.remove(&id);
                    Sighting::Lost(id)
                })
            }
        }
    }

    async fn processes(&self) -> Vec<ServerId> {
        if !self.places.processes {
            return Vec::new();
        }
        // Reading /proc blocks. Should it fail altogether, nothing is found this time.
        let addresses: Vec<SocketAddr> = tokio::task::spawn_blocking(procfs::listening).await.unwrap_or_default();
        addresses.into_iter().map(|address| ServerId(format!("http://{address}"))).collect()
    }

    async fn probe(&mut self, id: ServerId) -> Option<Sighting> {
        let url = Url::parse(id.as_str()).ok()?;
        let version = match self.prober.probe(&url).await {
            Probed::Found { version } => Some(version),
            Probed::NeedsPassword => None,
            Probed::NotOpenCode => {
                self.known.insert(id, Known::Other { patience: PATIENCE });
                return None;
            }
            Probed::Gone | Probed::Unclear => {
                self.known.remove(&id);
                return None;
            }
        };
        self.known.insert(id.clone(), Known::Server { misses: 0, registered: None });
        Some(Sighting::Found(Found { id, version, credentials: None }))
    }

    /// Servers that have ended: neither is there a process, nor does anything listen, twice in a row.
    async fn ended(&mut self, running: &[ServerId]) -> Vec<Sighting> {
        let mut ended = Vec::new();
        for (id, known) in &mut self.known {
            let Known::Server { misses, .. } = known else { continue };
            *misses = if running.contains(id) || !refuses(id).await { 0 } else { *misses + 1 };
            if *misses == MISSES {
                ended.push(id.clone());
            }
        }
        for id in &ended {
            self.known.remove(id);
            if let Some(services) = &mut self.services {
                services.ended(id);
            }
        }
        ended.into_iter().map(Sighting::Lost).collect()
    }
}

/// Whether a connection to the address is refused. Merely connecting asks nothing of the server.
async fn refuses(id: &ServerId) -> bool {
    let Some(addresses) = Url::parse(id.as_str()).ok().and_then(|url| url.socket_addrs(|| None).ok()) else {
        return false;
    };
    let connecting = timeout(Duration::from_secs(1), TcpStream::connect(&*addresses)).await;
    matches!(connecting, Ok(Err(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests;
