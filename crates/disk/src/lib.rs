//! Files Gavel owns or shares: where they are, the activity log, the settings, the rules files of projects.

mod activity;
mod audit;
mod kept;
mod places;
pub mod premises;
pub mod rules_file;
mod seat;
mod settings;
mod system;

pub use activity::{ActivityLog, Row};
pub use audit::{AuditLine, Exported, export};
pub use kept::{read_kept, write_kept};
pub use places::Places;
pub use rules_file::{RulesFile, RulesWatch};
pub use seat::{Holder, Seat};
pub use settings::read_settings;
pub use system::system_said;

use std::path::{Path, PathBuf};

use gavel_core::say;
use gavel_core::text::{Message, Template, plain};

/// What can go wrong with a file of ours.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.said())]
pub enum Error {
    /// There is no home directory to keep anything in.
    NoHome,
    /// A file or its folder can't be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The settings file is not what Gavel writes. It is left alone.
    Settings {
        /// The file.
        path: PathBuf,
        /// Where it breaks.
        source: serde_json::Error,
    },
    /// A rules file is broken. It is left alone.
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: gavel_core::rules_file::Broken,
    },
    /// A rules file can't be changed, for a reason that was met before.
    RulesUnusable {
        /// The file.
        path: PathBuf,
        /// What went wrong with it.
        why: Message,
    },
    /// A rules file lies where none may be.
    RulesPlace {
        /// The file.
        path: PathBuf,
        /// What is wrong with the place.
        why: Template,
    },
    /// What a proof about a command rests on isn't so on this disk.
    Premise {
        /// What it is about.
        path: PathBuf,
        /// What is with it.
        why: Template,
    },
    /// What is exported can't be written.
    Export(#[source] std::io::Error),
    /// Others write a rules file all the time.
    RulesBusy {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    /// What went wrong, for any language.
    pub fn said(&self) -> Message {
        let place = |path: &Path| plain(path.display().to_string());
        match self {
            Self::NoHome => say!("no home directory is known; set `HOME`"),
            Self::File { path, source } => say!("can't use `{}`: {}", place(path), system_said(source)),
            Self::Settings { path, source } => say!(
                "the settings in `{}` can't be understood ({}); correct the file or move it away",
                place(path),
                plain(source.to_string())
            ),
            Self::Rules { path, why } => say!(
                "the rules in `{}` allow nothing and are left alone: {}; correct the file or move it away",
                place(path),
                why.said()
            ),
            Self::RulesUnusable { path, why } => {
                say!("the rules in `{}` can't be changed: {}", place(path), why.clone())
            }
            Self::RulesPlace { path, why } => say!("`{}` is no place for rules: {}", place(path), *why),
            Self::Premise { path, why } => say!("`{}` {}", place(path), *why),
            Self::Export(source) => say!("what is exported can't be written: {}", system_said(source)),
            Self::RulesBusy { path } => {
                say!("the rules in `{}` could not be changed, because another program keeps writing them", place(path))
            }
        }
    }

    fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }

    fn rules(path: &Path, why: &gavel_core::rules_file::Broken) -> Self {
        Self::Rules { path: path.to_owned(), why: why.clone() }
    }
}
