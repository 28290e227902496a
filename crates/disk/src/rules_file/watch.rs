//! Notices when somebody else writes a rules file, also one that does not exist yet.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, CreateKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};

/// A change is told when nothing has happened for so long…
const QUIET: Duration = Duration::from_millis(50);

/// …or at the latest after so long.
const AT_LATEST: Duration = Duration::from_millis(500);

/// Where watching fails, a change is supposed so often.
const PERIOD: Duration = Duration::from_secs(30);

/// The folders under watch in which a rules file is or may come to be.
#[derive(Debug)]
pub struct RulesWatch {
    folders: Vec<Folder>,
    stirred: Arc<Notify>,
    /// Whether something has happened that is not told yet.
    untold: bool,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    armed: Option<Armed>,
}

#[derive(Debug)]
struct Armed {
    place: Place,
    /// Watches as long as it lives.
    _watcher: RecommendedWatcher,
}

/// A folder that exists. One that is made again under the same name is another.
type Place = (PathBuf, Option<u64>);

impl RulesWatch {
    /// Watches all rules files in `folder` itself, which may not exist yet.
    #[must_use]
    pub fn folder(folder: &Path) -> Self {
        Self::new([folder.join("any.json")])
    }

    pub(super) fn new<const N: usize>(files: [PathBuf; N]) -> Self {
        let mut paths: Vec<PathBuf> = files.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        paths.sort();
        paths.dedup();
        let folders = paths.into_iter().map(|path| Folder { path, armed: None }).collect();
        let mut watch = Self { folders, stirred: Arc::default(), untold: false };
        watch.arm();
        watch
    }

    /// Returns when something has happened to a rules file since the last time; several things at once are one. A look
    /// tells what it was, and whether it was anything at all. Nothing is lost if this is given up half-way.
    pub async fn changed(&mut self) {
        if !self.untold {
            if self.arm() {
                self.stirred.notified().await;
            } else {
                // If nothing stirs, it may be because nothing is seen.
                let _ = timeout(PERIOD, self.stirred.notified()).await;
            }
            self.untold = true;
        }
        let end = Instant::now() + AT_LATEST;
        while timeout_at(end.min(Instant::now() + QUIET), self.stirred.notified()).await.is_ok() {}
        // A folder that was made meanwhile is watched from now on, before anybody looks into it.
        self.arm();
        self.untold = false;
    }

    /// Watches each folder, or the nearest one above it that exists. Whether that worked for all.
    fn arm(&mut self) -> bool {
        let stirred = &self.stirred;
        let armed = self.folders.iter_mut().map(|folder| folder.arm(stirred));
        armed.fold(true, |all, one| all & one)
    }
}

impl Folder {
    fn arm(&mut self, stirred: &Arc<Notify>) -> bool {
        // While one is about to be watched, the next one below it may be made: so look again.
        for _ in self.path.ancestors() {
            let place = self.path.ancestors().find_map(place);
            if place.is_some() && place.as_ref() == self.armed.as_ref().map(|armed| &armed.place) {
                return true;
            }
            self.armed = None;
            let Some(place) = place else { return false };
            let Ok(watcher) = watcher(&self.path, &place.0, Arc::clone(stirred)) else { return false };
            self.armed = Some(Armed { place, _watcher: watcher });
        }
        true
    }
}

fn place(path: &Path) -> Option<Place> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
    Some((path.to_owned(), number(&about)))
}

#[cfg(unix)]
fn number(about: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(about))
}

#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> Option<u64> {
    None
}

fn watcher(folder: &Path, place: &Path, stirred: Arc<Notify>) -> notify::Result<RecommendedWatcher> {
    let names = Names {
        own: place.file_name().map(OsString::from),
        next: folder.strip_prefix(place).ok().and_then(|rest| rest.iter().next()).map(OsString::from),
    };
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.is_ok_and(|event| names.concern(&event)) {
            stirred.notify_one();
        }
    })?;
    watcher.watch(place, RecursiveMode::NonRecursive)?;
    Ok(watcher)
}

/// What in an event matters.
#[derive(Debug)]
struct Names {
    /// The name of the folder that is watched.
    own: Option<OsString>,
    /// The name of the next one on the way, if the folder itself does not exist yet.
    next: Option<OsString>,
}

impl Names {
    fn concern(&self, event: &Event) -> bool {
        match event.kind {
            // Looking must not lead to looking again.
            EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write) => return false,
            // The file may come to lie in a folder of its own.
            EventKind::Create(CreateKind::Folder) if self.next.is_none() => return true,
            _ => {}
        }
        let concerns = |path: &PathBuf| {
            let name = path.file_name();
            match &self.next {
                _ if name.is_some() && name == self.own.as_deref() => true,
                Some(next) => name == Some(next),
                None => path.extension().is_some_and(|ending| ending != "tmp"),
            }
        };
        event.need_rescan() || event.paths.iter().any(concerns)
    }
}

#[cfg(test)]
impl RulesWatch {
    pub(super) fn untold(&self) -> bool {
        self.untold
    }
}
