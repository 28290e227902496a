//! The files in which background services register, read so that nothing in them can do harm.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::time::SystemTime;

use gavel_core::ServerId;
use serde::Deserialize;
use serde_json::Value;
use url::{Host, Url};

use crate::discovery::server_id;
use crate::http::Credentials;

/// The longest file that is read, in bytes.
const LIMIT: u64 = 64 * 1024;

/// How many files are looked at. Each release channel has one.
const MOST: usize = 16;

/// The user name a background service expects.
const USERNAME: &str = "opencode";

/// What a background service says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Registration {
    /// Where it listens: an address on this machine.
    pub server: ServerId,
    /// Its process.
    pub pid: u64,
    /// Which start of it this is.
    pub start: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// What it wants to be told.
    pub credentials: Option<Credentials>,
}

/// A file that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Registered {
    /// The file's name.
    pub name: String,
    /// When it was written.
    pub written: Option<SystemTime>,
    /// What it says.
    pub registration: Registration,
}

/// As it is written. What need not be there is as good as absent if it is of another kind.
#[derive(Deserialize)]
struct Written {
    url: String,
    pid: u64,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    version: Value,
    #[serde(default)]
    password: Value,
}

/// The registrations in `folder`, that of the usual channel first. What can't be used is left out. Blocks.
pub(super) fn read(folder: &Path) -> Vec<Registered> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_ours(name))
        .collect();
    names.sort_unstable_by_key(|name| (name.as_str() != USUAL, name.clone()));
    names.truncate(MOST);
    names.into_iter().filter_map(|name| read_one(folder, name)).collect()
}

const USUAL: &str = "service.json";

/// Whether a file of this name holds a registration: `service.json` or `service-<channel>.json`. Locks, hand-overs
/// and files that are still being written end otherwise.
pub(super) fn is_ours(name: &str) -> bool {
    let channel = name.strip_prefix("service-").and_then(|rest| rest.strip_suffix(".json"));
    name == USUAL || channel.is_some_and(|channel| !channel.is_empty())
}

fn read_one(folder: &Path, name: String) -> Option<Registered> {
    let file = open(&folder.join(&name)).ok()?;
    // Asked of the open file: what lies under the name may be another one by now.
    let about = file.metadata().ok().filter(fs::Metadata::is_file)?;
    let mut text = String::new();
    file.take(LIMIT + 1).read_to_string(&mut text).ok()?;
    if text.len() as u64 > LIMIT {
        tracing::debug!(name, "a registration is too long to be one");
        return None;
    }
    let registration = parse(&text);
    if registration.is_none() {
        tracing::debug!(name, "a registration can't be used");
    }
    Some(Registered { name, written: about.modified().ok(), registration: registration? })
}

/// Opens what may be anything. A pipe must not block, a link must not lead away, a terminal must not become ours.
#[cfg(unix)]
fn open(path: &Path) -> std::io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> std::io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    File::open(path)
}

/// The registration in the text of a file, if it can be trusted with its own password.
fn parse(text: &str) -> Option<Registration> {
    let written: Written = serde_json::from_str(text).ok()?;
    Some(Registration {
        server: on_this_machine(&written.url)?,
        pid: written.pid,
        start: as_text(&written.id),
        version: as_text(&written.version),
        credentials: as_text(&written.password)
            .filter(|password| !password.is_empty())
            .map(|password| Credentials { username: USERNAME.to_owned(), password }),
    })
}

fn as_text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The identity of the server at `url` if it is certain, without asking any resolver, that it runs on this machine.
fn on_this_machine(url: &str) -> Option<ServerId> {
    let id = server_id(url).ok()?;
    let is_loopback = match Url::parse(id.as_str()).ok()?.host()? {
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
        Host::Domain(_) => false,
    };
    is_loopback.then_some(id)
}

#[cfg(test)]
mod tests;
