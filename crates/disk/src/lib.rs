//! Files Gavel owns: where they are, the activity log, the settings.

mod activity;
mod kept;
mod places;
mod settings;

pub use activity::{ActivityLog, Row};
pub use kept::{read_kept, write_kept};
pub use places::Places;
pub use settings::read_settings;

use std::path::PathBuf;

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
}

impl Error {
    fn at(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }
}
