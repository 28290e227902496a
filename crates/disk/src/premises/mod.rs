//! Whether this disk bears out what a proof about a command rests on.
//!
//! The analysis of a command goes by its letters: that a name inside the project is no link, and that the settings of its
//! repository make `git` run nothing. An agent that may edit files without being asked can see to the contrary, so both
//! are looked at right before such a command passes by itself. Whatever is unusual or can't be read doesn't hold.
//!
//! What stays taken for granted: that programs are the ones their names say, that the user's own settings outside the
//! project are the user's, and that nobody changes the disk between this look and the command's start.

mod config;
mod names;
mod repository;

use std::fs;
use std::path::{Path, PathBuf};

use gavel_core::term;
use gavel_core::text::Template;

use crate::Error;

/// Says whether `line`, a plain command that is proven to only read within `project`, an absolute path, does so on this
/// disk when it runs in the project's own directory.
///
/// # Errors
/// What makes it do more, or can't be looked at.
pub fn hold(project: &str, line: &str) -> Result<(), Error> {
    let project = Path::new(project);
    let root = fs::canonicalize(project).map_err(|_| doubt(project, term!("is not to be found here")))?;
    if !root.is_dir() {
        return Err(doubt(project, term!("is no folder")));
    }
    names::hold(&root, line)?;
    let is_git = |word: &str| matches!(word.rsplit('/').next(), Some("git" | "git.exe"));
    if line.split_whitespace().any(is_git) { repository::hold(&root) } else { Ok(()) }
}

fn doubt(path: &Path, why: Template) -> Error {
    Error::Premise { path: path.to_owned(), why }
}

/// What is at `path` itself, should it be a link; `None` if there is nothing.
fn at(path: &Path) -> Result<Option<fs::Metadata>, Error> {
    match fs::symlink_metadata(path) {
        Ok(about) => Ok(Some(about)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(_) => Err(doubt(path, term!("can't be looked at"))),
    }
}

/// The bytes of the plain file `path`; `None` if there is none.
fn read(path: PathBuf, most: u64) -> Result<Option<Vec<u8>>, Error> {
    use std::io::Read as _;
    match at(&path)? {
        None => return Ok(None),
        // A link leads elsewhere, and a pipe could be read for ever.
        Some(about) if !about.is_file() => return Err(doubt(&path, term!("is no plain file"))),
        Some(_) => {}
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(&path).map_err(|_| doubt(&path, term!("can't be read")))?;
    let size = file.take(most + 1).read_to_end(&mut bytes).map_err(|_| doubt(&path, term!("can't be read")))?;
    if u64::try_from(size).map_or(true, |size| size > most) {
        return Err(doubt(&path, term!("is too large to be looked at")));
    }
    Ok(Some(bytes))
}

// Links are made otherwise elsewhere.
#[cfg(test)]
#[cfg(unix)]
mod tests;
