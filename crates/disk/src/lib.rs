//! Files Gavel owns or shares: where they are, the activity log, the settings, the rules files of projects.

mod activity;
mod audit;
mod kept;
mod places;
pub mod premises;
pub mod rules_file;
mod settings;

pub use activity::{ActivityLog, Row};
pub use audit::{AuditLine, Exported, export};
pub use kept::{read_kept, write_kept};
pub use places::Places;
pub use rules_file::{RulesFile, RulesWatch};
pub use settings::read_settings;

use std::path::PathBuf;

use gavel_core::say;
use gavel_core::text::{Message, Template, plain};

/// What can go wrong with a file of ours.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no home directory to keep anything in.
    #[error("no home directory is known; set `HOME`")]
    NoHome,
    /// A file or its folder can't be read or written.
    #[error("can't use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The settings file is not what Gavel writes. It is left alone.
    #[error("the settings in `{}` can't be understood ({source}); correct the file or move it away", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// Where it breaks.
        source: serde_json::Error,
    },
    /// A rules file is broken. It is left alone.
    #[error("the rules in `{}` allow nothing and are left alone: {why}; correct the file or move it away", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: gavel_core::rules_file::Broken,
    },
    /// A rules file can't be changed, for a reason that was met before.
    #[error("the rules in `{}` can't be changed: {why}", path.display())]
    RulesUnusable {
        /// The file.
        path: PathBuf,
        /// What went wrong with it.
        why: String,
    },
    /// A rules file lies where none may be.
    #[error("`{}` is no place for rules: {why}", path.display())]
    RulesPlace {
        /// The file.
        path: PathBuf,
        /// What is wrong with the place.
        why: &'static str,
    },
    /// What a proof about a command rests on isn't so on this disk.
    #[error("`{}` {}", path.display(), why.english())]
    Premise {
        /// What it is about.
        path: PathBuf,
        /// What is with it.
        why: Template,
    },
    /// What is exported can't be written.
    #[error("what is exported can't be written: {0}")]
    Export(std::io::Error),
    /// Others write a rules file all the time.
    #[error("the rules in `{}` could not be changed, because another program keeps writing them", path.display())]
    RulesBusy {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    /// What went wrong, for any language, as far as a person is told of it beside the log.
    pub fn said(&self) -> Message {
        let place = |path: &std::path::Path| plain(path.display().to_string());
        match self {
            Self::Premise { path, why } => say!("`{}` {}", place(path), *why),
            Self::File { path, source } => say!("can't use `{}`: {}", place(path), plain(source.to_string())),
            other => Message::verbatim(other.to_string()),
        }
    }

    fn at(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }

    fn rules(path: &std::path::Path, why: &gavel_core::rules_file::Broken) -> Self {
        Self::Rules { path: path.to_owned(), why: why.clone() }
    }
}
