//! The task that looks for servers again and again.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use gavel_core::ServerId;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use super::probe::{Probed, Prober};
use super::{procfs, server_id};
use crate::Error;

/// A server that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its identity, which is also its address.
    pub id: ServerId,
    /// Its version; `None` while it wants a password first.
    pub version: Option<String>,
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
    /// A server runs.
    Found(Found),
    /// A server that was found has ended.
    Lost(ServerId),
}

/// Where to look.
#[derive(Debug, Clone)]
pub struct Places {
    /// Addresses that are always tried.
    pub addresses: Vec<ServerId>,
    /// Whether to look for processes named `opencode` (Linux only).
    pub processes: bool,
}

impl Default for Places {
    fn default() -> Self {
        Self { addresses: vec![ServerId::from("http://127.0.0.1:4096")], processes: true }
    }
}

/// How often it is looked.
pub const PERIOD: Duration = Duration::from_secs(3);

/// What isn't OpenCode, or asks for a password, is asked again after this many looks.
const PATIENCE: u32 = 10;

/// A server counts as ended when this many looks in a row missed it.
const MISSES: u32 = 2;

/// A search under way. It ends when this is dropped.
#[derive(Debug)]
pub struct Discovery {
    _guard: DropGuard,
}

impl Discovery {
    /// Begins to look, at once and then every `period`. What is come upon goes to `sightings`.
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
                    ticks.tick().await;
                    for sighting in search.look().await {
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

/// Looks once: at the usual places and at `extra`.
///
/// # Errors
/// The system offers no TLS.
pub async fn scan(extra: &[Url]) -> Result<Vec<Found>, Error> {
    let mut places = Places::default();
    // What can't be an address of a server can't be one that is found.
    places.addresses.extend(extra.iter().filter_map(|url| server_id(url.as_str()).ok()));
    let sightings = Search::new(places)?.look().await;
    Ok(sightings
        .into_iter()
        .filter_map(|sighting| if let Sighting::Found(found) = sighting { Some(found) } else { None })
        .collect())
}

/// What is known of the addresses looked at so far.
#[derive(Debug)]
struct Search {
    places: Places,
    prober: Prober,
    known: HashMap<ServerId, Known>,
}

#[derive(Debug)]
enum Known {
    /// A server runs there; it was missed this many times in a row.
    Server { misses: u32 },
    /// Something else is there; it is left alone for so many looks.
    Other { patience: u32 },
}

impl Search {
    fn new(places: Places) -> Result<Self, Error> {
        Ok(Self { places, prober: Prober::new()?, known: HashMap::new() })
    }

    async fn look(&mut self) -> Vec<Sighting> {
        let running = self.processes().await;
        let mut candidates = self.places.addresses.clone();
        candidates.extend(running.iter().cloned());
        candidates.sort_unstable();
        candidates.dedup();
        let mut sightings = Vec::new();
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
        self.known.insert(id.clone(), Known::Server { misses: 0 });
        Some(Sighting::Found(Found { id, version }))
    }

    /// Servers that have ended: neither is there a process, nor does anything listen, twice in a row.
    async fn ended(&mut self, running: &[ServerId]) -> Vec<Sighting> {
        let mut ended = Vec::new();
        for (id, known) in &mut self.known {
            let Known::Server { misses } = known else { continue };
            *misses = if running.contains(id) || !refuses(id).await { 0 } else { *misses + 1 };
            if *misses == MISSES {
                ended.push(id.clone());
            }
        }
        for id in &ended {
            self.known.remove(id);
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
