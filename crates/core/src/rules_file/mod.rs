//! A project's rules file: command lines that pass without a question, and how they are learned.
//!
//! The file is shared with the OpenCode plugin `opencode-auto-permission`, so its names and its format are the
//! plugin's. What is here is pure: bytes in, [`Content`] or [`Broken`] out; [`Change`]s that can be made to any newer
//! state of the file; bytes again. Reading and writing it safely beside the plugin is `gavel-disk`'s.
//!
//! # What a broken file means
//!
//! The format can only allow, never deny, so that what is broken must not count, and nothing is lost by that:
//!
//! - Not UTF-8, not JSON, no object, a key twice, too large, or another `version` than 1: there are no rules.
//! - Sound JSON in which one of the parts is of the wrong type (say `preset` is a text, or one entry of `learned` has no
//!   `command`): **nothing** in the file allows, neither the broken part nor the sound ones, because nobody can tell
//!   what was meant by the whole. The lines that can be read are shown ([`Broken::readable`]), for whoever repairs it.
//! - Both are left alone byte for byte, and the reason is told.
//!
//! By type: only [`Content`] can be asked for a match, and only a file that is sound in all its parts becomes one.

mod change;
mod command_line;
pub mod export;
mod lines;
mod lookup;
mod merge;
mod never;
mod object;
mod parse;
mod render;
mod restore;
mod time;

pub use change::{By, Change};
pub use command_line::CommandLine;
pub use lines::{Learned, Lines, Pending};
pub use lookup::{Held, Looked, Match};
pub use merge::Difference;
pub use never::never_counts;
pub use parse::{Broken, Fault, parse};
pub use restore::Restore;
pub use time::iso;

use lines::Own;
use object::Object;

/// The lines that a new file begins with. They are written once; after that they are the user's.
pub const BUILT_IN: [&str; 27] = [
    "pwd *",
    "ls *",
    "cat *",
    "head *",
    "tail *",
    "wc *",
    "grep *",
    "rg *",
    "find *",
    "which *",
    "file *",
    "stat *",
    "tree *",
    "du *",
    "df *",
    "date *",
    "whoami *",
    "hostname *",
    "uname *",
    "git status *",
    "git diff *",
    "git log *",
    "git branch *",
    "git show *",
    "git remote *",
    "git blame *",
    "git rev-parse *",
];

/// The rules of a file that is sound in all its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The file as it was read, key by key: what is not understood is kept, and so is the order.
    document: Object,
    lines: Lines,
    own: Own,
}

impl Content {
    /// What a new file holds for `project`, an absolute path.
    #[must_use]
    pub fn new(project: &str) -> Self {
        Self {
            document: Object::default(),
            lines: Lines { preset: BUILT_IN.map(str::to_owned).to_vec(), ..Lines::default() },
            own: Own { project: Some(project.to_owned()), write: None },
        }
    }

    /// The lines, in the order of the file.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The project that Gavel wrote the file for, if it ever wrote it.
    #[must_use]
    pub fn project(&self) -> Option<&str> {
        self.own.project.as_deref()
    }

    /// What Gavel marked its last write with, if it ever wrote the file. Who writes from an older state brings the older
    /// mark back, and is found out by that.
    #[must_use]
    pub fn mark(&self) -> Option<&str> {
        self.own.write.as_deref()
    }

    /// Marks the content as written for `project`, by the write `mark`.
    pub fn set_mark(&mut self, project: &str, mark: String) {
        self.own = Own { project: Some(project.to_owned()), write: Some(mark) };
    }
}

#[cfg(test)]
mod tests;
