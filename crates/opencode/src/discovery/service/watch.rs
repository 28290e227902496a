//! Notices at once when something happens to the files in a folder, even if the folder is yet to be made.
//!
//! Watching may fail, and on some file systems sees nothing: whoever uses this looks by themselves now and then.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;

use super::file::is_ours;

/// A folder under watch, or what of its path exists.
#[derive(Debug)]
pub(super) struct FolderWatch {
    folder: PathBuf,
    stirred: Arc<Notify>,
    armed: Option<Armed>,
    /// Whether it was told already that watching fails.
    told: bool,
}

#[derive(Debug)]
struct Armed {
    place: Place,
    /// Watches as long as it lives.
    _watcher: RecommendedWatcher,
}

/// A folder that exists. One that was removed and made again is another one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    path: PathBuf,
    number: Option<(u64, u64)>,
}

impl FolderWatch {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, stirred: Arc::default(), armed: None, told: false }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns when something has happened since the last time.
    pub(super) async fn stirred(&self) {
        self.stirred.notified().await;
    }

    /// Watches the folder, or the nearest one above it that exists. To be called before each look at the folder:
    /// what changes after that is noticed.
    pub(super) fn arm(&mut self) {
        // Each turn gets nearer; a folder may be made while the one above it is about to be watched.
        for _ in self.folder.ancestors() {
            let place = self.folder.ancestors().find_map(place);
            if place.as_ref() == self.armed.as_ref().map(|armed| &armed.place) {
                return;
            }
            self.armed = None;
            let Some(place) = place else { return };
            match self.watch(&place.path) {
                Ok(watcher) => self.armed = Some(Armed { place, _watcher: watcher }),
                Err(error) => {
                    if !self.told {
                        tracing::warn!("{} can't be watched and is read now and then: {error}", place.path.display());
                    }
                    self.told = true;
                    return;
                }
            }
        }
    }

    fn watch(&self, place: &Path) -> notify::Result<RecommendedWatcher> {
        let names = Names::new(&self.folder, place);
        let stirred = Arc::clone(&self.stirred);
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| names.concerns(&event)) {
                stirred.notify_one();
            }
        })?;
        watcher.watch(place, RecursiveMode::NonRecursive)?;
        Ok(watcher)
    }
}

fn place(path: &Path) -> Option<Place> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
    Some(Place { path: path.to_owned(), number: number(&about) })
}

#[cfg(unix)]
fn number(about: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// Which names in an event matter. Whole paths may come back in another spelling than they were given.
#[derive(Debug)]
struct Names {
    /// The watched folder's own.
    own: PathBuf,
    /// The next folder on the way, unless it is the last that is watched.
    next: Option<PathBuf>,
}

impl Names {
    fn new(folder: &Path, place: &Path) -> Self {
        let next = folder.strip_prefix(place).ok().and_then(|rest| rest.components().next());
        Self {
            own: place.file_name().map(PathBuf::from).unwrap_or_default(),
            next: next.map(|part| PathBuf::from(part.as_os_str())),
        }
    }

    fn concerns(&self, event: &Event) -> bool {
        // Reading is no change: or else looking would lead to looking again.
        if let EventKind::Access(kind) = event.kind
            && kind != AccessKind::Close(AccessMode::Write)
        {
            return false;
        }
        let concerns = |path: &PathBuf| {
            let Some(name) = path.file_name() else { return false };
            match &self.next {
                _ if name == self.own => true,
                Some(next) => name == next,
                None => name.to_str().is_some_and(is_ours),
            }
        };
        event.need_rescan() || event.paths.iter().any(concerns)
    }
}

#[cfg(test)]
mod tests;
