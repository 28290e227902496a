//! The watched servers: which ones, their connections, and how they get their passwords.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::ops::Bound;
use std::task::Poll;

use gavel_core::flow::Event;
use gavel_core::text::{Language, Message as Sentence};
use gavel_core::{Link, Origin, ServerId, ServerInfo};
use gavel_opencode::discovery::{Discovery, Found, PERIOD, Places, Sighting};
use gavel_opencode::{Connection, Credentials, Target, Tuning, server_id};
use tokio::sync::mpsc;
use url::Url;

use crate::message::Message;
use crate::picture::told;
use crate::secrets::Secrets;
use crate::settings::{PasswordSetting, ServerSetting, Settings};

/// How many events of a server may wait for the driver before its connection waits, too.
const BACKLOG: usize = 4096;

/// The watched servers.
pub(crate) struct Servers {
    watched: BTreeMap<ServerId, Watched>,
    /// How often a server began to be watched.
    stays: u64,
    /// Whose event was taken last.
    last: Option<ServerId>,
    discovery: Option<Discovery>,
    /// Where servers are looked for.
    places: Places,
    messages: mpsc::UnboundedSender<Message>,
    secrets: Secrets,
    tuning: Tuning,
}

/// The time during which a server is watched, from when it is found or added to when it is lost or removed. What was
/// begun in one is nothing to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stay {
    pub(crate) server: ServerId,
    /// `None` if it was not watched.
    number: Option<u64>,
}

#[cfg(test)]
impl Stay {
    pub(crate) const fn of(server: ServerId) -> Self {
        Self { server, number: None }
    }
}

/// A watched server.
struct Watched {
    origin: Origin,
    /// Tells this time of being watched from all others.
    stay: u64,
    /// Absent while its password is being fetched.
    connection: Option<Connection>,
    /// What its connection heard and nobody took yet. It goes with the connection: if the server is watched again, that
    /// is nothing that the next one said.
    heard: Option<mpsc::Receiver<Event>>,
    /// What the server itself left word of, for this machine's programs. Never kept anywhere else.
    found: Option<Credentials>,
    /// Whether what the user gave is in use, which comes before what was found.
    is_users: bool,
    last_error: Option<Sentence>,
}

impl Watched {
    /// Takes in what the server left word of last.
    fn found(&mut self, credentials: Option<Credentials>) {
        if self.found == credentials {
            return;
        }
        self.found.clone_from(&credentials);
        if let Some(connection) = self.connection.as_ref().filter(|_| !self.is_users) {
            connection.set_credentials(credentials);
        }
    }
}

impl Servers {
    pub(crate) fn new(messages: mpsc::UnboundedSender<Message>, secrets: Secrets, tuning: Tuning) -> Self {
        let places = Places::of_user();
        Self { watched: BTreeMap::new(), stays: 0, last: None, discovery: None, places, messages, secrets, tuning }
    }

    /// The time during which `id` is watched now.
    pub(crate) fn stay(&self, id: &ServerId) -> Stay {
        Stay { server: id.clone(), number: self.watched.get(id).map(|watched| watched.stay) }
    }

    /// Whether `id` is watched.
    pub(crate) fn watches(&self, id: &ServerId) -> bool {
        self.watched.contains_key(id)
    }

    /// Whether it still is.
    pub(crate) fn lasts(&self, stay: &Stay) -> bool {
        self.stay(&stay.server) == *stay
    }

    /// The next event of any server. They take turns: one that says much keeps nobody else waiting.
    pub(crate) async fn next(&mut self) -> Event {
        let Self { watched, last, .. } = self;
        poll_fn(|context| {
            let before = last.clone();
            let (after, rest) = match &before {
                Some(last) => (Bound::Excluded(last), Bound::Included(last)),
                None => (Bound::Unbounded, Bound::Unbounded),
            };
            for range in [(after, Bound::Unbounded), (Bound::Unbounded, rest)] {
                for (id, known) in watched.range_mut::<ServerId, _>(range) {
                    if let Some(Poll::Ready(Some(event))) = known.heard.as_mut().map(|heard| heard.poll_recv(context)) {
                        *last = Some(id.clone());
                        return Poll::Ready(event);
                    }
                }
            }
            Poll::Pending
        })
        .await
    }

    pub(crate) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    pub(crate) fn connection(&self, id: &ServerId) -> Option<Connection> {
        self.watched.get(id)?.connection.clone()
    }

    pub(crate) fn last_error(&self, id: &ServerId) -> Option<Sentence> {
        self.watched.get(id)?.last_error.clone()
    }

    /// Logs how a connection does, and remembers why it failed.
    pub(crate) fn note(&mut self, id: &ServerId, link: &Link) {
        tracing::info!("{}: {}", address(id), describe(link));
        if let Link::Offline { reason, .. } | Link::NotOpenCode { reason, .. } = link {
            self.fault(id, reason);
        }
    }

    /// Remembers what went wrong with a server.
    pub(crate) fn fault(&mut self, id: &ServerId, why: &Sentence) {
        if let Some(watched) = self.watched.get_mut(id) {
            watched.last_error = Some(why.clone());
        }
    }

    /// Watches the servers of the settings, and the demo, as far as they aren't watched yet.
    pub(crate) fn watch_configured(&mut self, settings: &Settings, demo: Option<String>) -> Vec<Event> {
        let mut wanted: Vec<(ServerSetting, Origin)> =
            settings.servers.iter().map(|server| (server.clone(), Origin::Settings)).collect();
        if let Some(url) = demo {
            wanted.push((ServerSetting { url, name: "Demo".to_owned() }, Origin::Demo));
        }
        let mut events = Vec::new();
        for (server, origin) in wanted {
            match server_id(&server.url) {
                Ok(id) => events.extend(self.watch(id, &server.name, origin, settings)),
                Err(error) => tracing::warn!("a server of the settings is left out: {error}"),
            }
        }
        events
    }

    /// Takes in what discovery saw.
    pub(crate) fn sighted(&mut self, sighting: Sighting, settings: &Settings) -> Option<Event> {
        match sighting {
            Sighting::Found(Found { id, credentials, .. }) => {
                let is_new = !self.watched.contains_key(&id);
                let event = is_new.then(|| self.watch(id.clone(), "", Origin::Discovered, settings)).flatten();
                if let Some(watched) = self.watched.get_mut(&id) {
                    watched.found(credentials);
                }
                event
            }
            Sighting::Lost(id) => {
                let watched = self.watched.get_mut(&id)?;
                if watched.origin != Origin::Discovered {
                    // Whatever takes its place is not to hear its password.
                    watched.found(None);
                    return None;
                }
                self.unwatch(&id);
                Some(Event::ServerRemoved(id))
            }
        }
    }

    /// Starts or stops looking for servers. Returns the found servers that are no longer watched.
    pub(crate) fn discover(&mut self, wanted: bool) -> Vec<ServerId> {
        if wanted && self.discovery.is_none() {
            self.discovery = self.begin_discovery();
        }
        if wanted || self.discovery.take().is_none() {
            return Vec::new();
        }
        let found = self.watched.iter().filter(|(_, known)| known.origin == Origin::Discovered);
        let found: Vec<ServerId> = found.map(|(id, _)| id.clone()).collect();
        for id in &found {
            self.unwatch(id);
        }
        found
    }

    fn begin_discovery(&self) -> Option<Discovery> {
        let (sightings, mut seen) = mpsc::channel(16);
        match Discovery::begin(self.places.clone(), PERIOD, sightings) {
            Ok(discovery) => {
                let messages = self.messages.clone();
                tokio::spawn(async move {
                    while let Some(sighting) = seen.recv().await {
                        if messages.send(Message::Sighting(sighting)).is_err() {
                            return;
                        }
                    }
                });
                Some(discovery)
            }
            Err(error) => {
                tracing::error!("servers on this machine can't be looked for: {error}");
                None
            }
        }
    }

    fn watch(&mut self, id: ServerId, name: &str, origin: Origin, settings: &Settings) -> Option<Event> {
        if let Some(known) = self.watched.get_mut(&id) {
            if known.origin == origin {
                return None;
            }
            known.origin = origin;
        } else {
            self.stays += 1;
            let stay = self.stays;
            let (connection, heard, found, last_error) = (None, None, None, None);
            let watched = Watched { origin, stay, connection, heard, found, is_users: false, last_error };
            self.watched.insert(id.clone(), watched);
            self.fetch_password(&id, settings.passwords.get(id.as_str()));
        }
        let name = name_of(&id, name);
        Some(Event::ServerAdded(ServerInfo { id, name, origin }))
    }

    /// Gets the password of a server, if it has one, and lets the connection begin then.
    fn fetch_password(&self, id: &ServerId, setting: Option<&PasswordSetting>) {
        let (messages, secrets, stay) = (self.messages.clone(), self.secrets.clone(), self.stay(id));
        let setting = setting.cloned();
        tokio::spawn(async move {
            let credentials = match setting {
                Some(setting) => password(&secrets, &stay.server, &setting)
                    .await
                    .map(|password| Credentials { username: setting.username().to_owned(), password }),
                None => None,
            };
            let _ = messages.send(Message::Fetched(stay, credentials));
        });
    }

    /// Opens the connection of a watched server, or gives the open one other credentials. Without any from the user
    /// it uses what the server left word of.
    pub(crate) fn connect(&mut self, id: &ServerId, users: Option<Credentials>) {
        let Some(watched) = self.watched.get_mut(id) else { return };
        watched.is_users = users.is_some();
        let credentials = users.or_else(|| watched.found.clone());
        match &watched.connection {
            Some(connection) => connection.set_credentials(credentials),
            None => {
                let (events, heard) = mpsc::channel(BACKLOG);
                let opened =
                    Url::parse(id.as_str()).map_err(|error| Sentence::verbatim(error.to_string())).and_then(|url| {
                        let target = Target { id: id.clone(), url, credentials };
                        Connection::open_with(target, events, self.tuning).map_err(|error| error.said())
                    });
                match opened {
                    Ok(connection) => {
                        watched.connection = Some(connection);
                        watched.heard = Some(heard);
                    }
                    Err(why) => {
                        tracing::error!("{id} can't be watched: {why}");
                        watched.last_error = Some(why);
                    }
                }
            }
        }
    }

    /// Stops watching a server.
    pub(crate) fn unwatch(&mut self, id: &ServerId) {
        // What is under way may hold on to the connection, but no longer to its stream.
        if let Some(connection) = self.watched.remove(id).and_then(|watched| watched.connection) {
            tokio::spawn(async move { connection.close().await });
        }
    }

    /// Closes all connections and returns when their streams are closed.
    pub(crate) async fn close(&mut self) {
        self.discovery = None;
        for connection in std::mem::take(&mut self.watched).into_values().filter_map(|watched| watched.connection) {
            connection.close().await;
        }
    }
}

async fn password(secrets: &Secrets, id: &ServerId, setting: &PasswordSetting) -> Option<String> {
    if let Some(name) = &setting.variable {
        return std::env::var(name).ok();
    }
    secrets.get(id.as_str()).await.unwrap_or_else(|error| {
        tracing::warn!("the password of {id} can't be read: {error}");
        None
    })
}

/// Host and port, for servers nobody gave a name.
pub(crate) fn name_of(id: &ServerId, given: &str) -> String {
    let given = given.trim();
    if given.is_empty() { address(id) } else { given.to_owned() }
}

fn address(id: &ServerId) -> String {
    id.as_str().split_once("://").map_or_else(|| id.0.clone(), |(_, rest)| rest.to_owned())
}

fn describe(link: &Link) -> String {
    match link {
        Link::Connecting => "connecting".to_owned(),
        Link::Online { version, .. } => format!("online, OpenCode {}", told(version, Language::English)),
        Link::Offline { reason, .. } => format!("offline: {}", told(&reason.to_string(), Language::English)),
        Link::NeedsPassword { refused: false } => "needs a password".to_owned(),
        Link::NeedsPassword { refused: true } => "refuses the password".to_owned(),
        Link::NotOpenCode { reason, .. } => {
            format!("not an OpenCode server: {}", told(&reason.to_string(), Language::English))
        }
    }
}

#[cfg(test)]
mod tests;
