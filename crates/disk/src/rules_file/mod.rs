//! The rules file of a project on the disk, shared with the plugin `opencode-auto-permission`.
//!
//! Nobody locks it. So every change is made to the newest state of the file, which is read right before; the new file is
//! written beside it and takes its place in one step, only if the old one is still there; if not, it begins anew. What
//! another program displaces at the same moment, because it had looked a moment before, is noticed when its file is
//! looked at ([`RulesFile::look`]) and made again. What can't be written waits in memory and counts all the same.
//!
//! Broken files are left alone; see [`gavel_core::rules_file`] for what that means.

mod listing;
mod place;
mod replace;
mod watch;
mod written;

use std::path::{Path, PathBuf};

use gavel_core::rules_file::{Change, CommandLine, Content, Match, Restore, parse};
use gavel_core::text::Message;
use gavel_core::{say, term};
use replace::{Replaced, read, replace};
use written::Written;

pub use gavel_core::rules_file::Broken;
pub use listing::{Listed, list};
pub use watch::RulesWatch;

use crate::Error;

/// How often a change is tried on a file that is being written by others all the time.
const ATTEMPTS: usize = 50;

/// After so many attempts, ours goes first.
const PATIENT: usize = 5;

/// So many changes wait for a file that can't be written; beyond that, the oldest is forgotten.
const MOST_WAITING: usize = 500;

/// The rules of one project, in its file.
///
/// Reading and writing block for as long as the disk takes.
#[derive(Debug)]
pub struct RulesFile {
    folder: PathBuf,
    project: String,
    by_hand: bool,
    path: PathBuf,
    state: State,
    /// Changes that are not in the file yet.
    waiting: Vec<Change>,
    written: Written,
    trouble: Option<Message>,
}

/// What a rules file gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Rules. If there is no file yet, those that it will begin with.
    Sound(Content),
    /// None, because something is wrong with it. It is left alone.
    Broken(Broken),
    /// None, because it can't be used. [`RulesFile::trouble`] says why.
    Unusable,
}

impl RulesFile {
    /// The rules of `project`, an absolute path, in the plugin's folder ([`crate::Places::rules`]), or in the file
    /// `by_hand`. Nothing is written before there is something to remember.
    ///
    /// This always gives a handle; what is wrong is in [`Self::state`] and [`Self::trouble`].
    #[must_use]
    pub fn open(folder: &Path, project: &str, by_hand: Option<&Path>) -> Self {
        let mut file = Self {
            folder: folder.to_owned(),
            project: project.to_owned(),
            by_hand: by_hand.is_some(),
            path: by_hand.map_or_else(PathBuf::new, Path::to_owned),
            state: State::Unusable,
            waiting: Vec::new(),
            written: Written::default(),
            trouble: None,
        };
        file.look();
        file
    }

    /// Where the file is, or will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file gives, with the changes that could not be written yet.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What went wrong the last time the file was read or written, for a person.
    #[must_use]
    pub fn trouble(&self) -> Option<&Message> {
        self.trouble.as_ref()
    }

    /// How many changes could not be written yet.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The line that lets `line` pass; none unless the file is sound. See [`Content::matches`] for `proven`.
    pub fn matches(&self, line: &CommandLine, proven: impl FnOnce() -> bool) -> Option<Match> {
        match &self.state {
            State::Sound(content) => content.matches(line, proven),
            State::Broken(_) | State::Unusable => None,
        }
    }

    /// Makes a change, in memory and in the file. Whether anything is different by it.
    ///
    /// # Errors
    /// If it can't be written: then it waits, counts in memory, and is written with the next change or look.
    pub fn apply(&mut self, change: Change) -> Result<bool, Error> {
        if self.waiting.len() >= MOST_WAITING {
            self.waiting.remove(0);
        }
        self.waiting.push(change);
        self.synchronise()
    }

    /// Makes a change that the user asks for, in the file or not at all. What would take it back; `None` if it changes
    /// nothing.
    ///
    /// # Errors
    /// If it can't be written, then it is not made, and does not wait either: the user is told, and asks again.
    pub fn make(&mut self, change: &Change) -> Result<Option<Restore>, Error> {
        self.look();
        let State::Sound(before) = &self.state else { return Err(self.unfit()) };
        let Some(restore) = before.taking_back(change) else { return Ok(None) };
        if let Err(error) = self.apply(change.clone()) {
            // Others that wait were there before; this one came last.
            self.waiting.pop();
            self.look();
            return Err(error);
        }
        Ok(Some(restore))
    }

    /// Why the file can't be changed.
    fn unfit(&self) -> Error {
        match &self.state {
            State::Broken(broken) => Error::rules(&self.path, broken),
            State::Sound(_) | State::Unusable => Error::RulesUnusable {
                path: self.path.clone(),
                why: self.trouble.clone().unwrap_or_else(|| say!("it can't be used")),
            },
        }
    }

    /// Reads the file anew, and writes what waits. Whether what it gives is different now.
    pub fn look(&mut self) -> bool {
        let before = self.state.clone();
        // The error is kept for whoever asks.
        let _ = self.synchronise();
        self.state != before
    }

    /// Watches for changes by others. To be called before a look: what changes after that is noticed.
    #[must_use]
    pub fn watch(&self) -> RulesWatch {
        RulesWatch::new([self.path.clone(), place::real(&self.path), self.folder.join("any.json")])
    }

    /// Whether there is a file yet.
    #[must_use]
    pub fn exists(&self) -> bool {
        std::fs::symlink_metadata(&self.path).is_ok()
    }

    fn synchronise(&mut self) -> Result<bool, Error> {
        let result = self.bring_together();
        self.trouble = result.as_ref().err().map(Error::said);
        if self.trouble.is_none()
            && let State::Broken(broken) = &self.state
        {
            self.trouble = Some(Error::rules(&self.path, broken).said());
        }
        result
    }

    fn bring_together(&mut self) -> Result<bool, Error> {
        let mut wrote = false;
        for attempt in 0..ATTEMPTS {
            let path = self.place()?;
            let seen = read(&path).map_err(|error| self.unusable(error))?;
            let found = match seen.as_deref().map(parse) {
                None => Content::new(&self.project),
                Some(Ok(content)) => content,
                Some(Err(broken)) => {
                    let error = Error::rules(&self.path, &broken);
                    self.state = State::Broken(broken);
                    // Whoever wanted a change must know that it is not there.
                    return if self.waiting.is_empty() { Ok(false) } else { Err(error) };
                }
            };
            let restored = self.restored(&found, seen.is_some());
            let mut wanted = self.changed(&restored);
            if wanted == found {
                self.written.settle(&found);
                self.settle(found);
                return Ok(wrote);
            }
            wanted.set_mark(&self.project, format!("{:016x}", rand::random::<u64>()));
            let text = wanted.render();
            // It is taken as others will read it.
            let wanted = parse(text.as_bytes()).map_err(|broken| Error::rules(&self.path, &broken))?;
            // What was displaced can wait until others hold still.
            let insist = attempt >= PATIENT && !self.waiting.is_empty();
            let displaced = match replace(&path, seen.as_deref(), text.as_bytes(), insist) {
                Ok(Replaced::Changed) => {
                    std::thread::yield_now();
                    continue;
                }
                Ok(Replaced::Done) => None,
                Ok(Replaced::Displaced(displaced)) => Some(displaced),
                Err(error) => {
                    self.state = State::Sound(self.changed(&restored));
                    return Err(Error::at(&path)(error));
                }
            };
            let mut theirs = displaced.as_ref().and_then(|displaced| parse(&displaced.bytes).ok());
            if let Some(displaced) = displaced
                && theirs.is_none()
                && displaced.put_back(&path).is_ok()
            {
                // What is broken is left alone.
                continue;
            }
            if let Some(theirs) = &mut theirs {
                // Or else what they had not seen would look like something that they took out.
                self.written.restore(theirs);
            }
            wrote = true;
            self.written.note(&found, &restored, &wanted);
            self.settle(wanted);
            match theirs {
                None => return Ok(wrote),
                Some(theirs) => self.written.note_displaced(&restored, &theirs),
            }
        }
        // What was displaced is put back with the next look.
        if self.waiting.is_empty() { Ok(wrote) } else { Err(Error::RulesBusy { path: self.path.clone() }) }
    }

    /// The file as it was found, with what its writer had not seen.
    fn restored(&self, found: &Content, exists: bool) -> Content {
        let mut restored = found.clone();
        if exists {
            self.written.restore(&mut restored);
        }
        restored
    }

    /// The same with the changes that wait.
    fn changed(&self, content: &Content) -> Content {
        let mut changed = content.clone();
        for change in &self.waiting {
            changed.apply(change);
        }
        changed
    }

    fn settle(&mut self, content: Content) {
        self.state = State::Sound(content);
        self.waiting.clear();
    }

    /// The file itself, once it is known where it may be.
    fn place(&mut self) -> Result<PathBuf, Error> {
        if !self.by_hand && !self.path.is_file() {
            self.path = place::find(&self.folder, &self.project);
        }
        let path = place::real(&self.path);
        let absolute = Path::new(&self.project).is_absolute() && path.is_absolute();
        let why = if !absolute {
            term!("only absolute paths are known everywhere")
        } else if [&path, &self.path].into_iter().any(|path| place::is_within_reach(path, &self.project)) {
            term!(
                "it lies in the project or the repository around it, where agents could write their own rules; \
                 name another file for this project"
            )
        } else {
            return Ok(path);
        };
        self.state = State::Unusable;
        Err(Error::RulesPlace { path, why })
    }

    fn unusable(&mut self, error: std::io::Error) -> Error {
        self.state = State::Unusable;
        Error::at(&self.path)(error)
    }
}

#[cfg(test)]
mod tests;
