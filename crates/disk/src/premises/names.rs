//! Whether the names in a command are what they seem.

use std::fs;
use std::io::{Error, ErrorKind};
use std::path::Path;

use gavel_core::term;

use super::doubt;

/// So many names are looked at; a command with more is more than a person would write.
const MOST: usize = 500;

/// Whether every file that `line` names lies where its name says in `root`, the real path of the project.
///
/// A link leads out of the project, or to a file whose own name would have been asked about.
pub(super) fn hold(root: &Path, line: &str) -> Result<(), crate::Error> {
    let names = line.split_whitespace().skip(1).flat_map(names);
    for (count, name) in names.enumerate() {
        let path = root.join(name);
        if count >= MOST {
            return Err(doubt(root, term!("is not looked through for so many names")));
        }
        match fs::canonicalize(&path) {
            // Compared part by part, so that `a/./b/` is `a/b`.
            Ok(real) if real == path && real.starts_with(root) => {}
            Ok(_) => return Err(doubt(&path, term!("is a link, or leads through one"))),
            Err(error) if is_absent(&error) && fs::symlink_metadata(&path).is_err_and(|error| is_absent(&error)) => {}
            Err(_) => return Err(doubt(&path, term!("can't be followed"))),
        }
    }
    Ok(())
}

fn is_absent(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// What in `word` may name a file: the whole of it, the value of a long option, or that of a short one behind its letter.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let values = word.match_indices('=').filter_map(|(at, _)| word.get(at + 1..));
    let is_short = word.starts_with('-') && !word.starts_with("--");
    let letters = word.char_indices().skip(2).filter(move |_| is_short).filter_map(|(at, _)| word.get(at..));
    std::iter::once(word).chain(values).chain(letters).filter(|name| !name.is_empty())
}
