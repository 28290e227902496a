//! Whether a command of `git` that only reads runs nothing.

use std::path::Path;

use gavel_core::term;

use super::{at, config, doubt, read};
use crate::Error;

/// The largest file of settings, and of the index, that is looked at, in bytes.
const MOST_SETTINGS: u64 = 64 * 1024;
const MOST_INDEX: u64 = 64 * 1024 * 1024;

/// How the index writes that an entry is a repository of its own: the mode 160000.
const SUBMODULE: [u8; 4] = 0o160_000_u32.to_be_bytes();

/// Runs when the index is written, which looking at what has changed does by the way.
const HOOK: &str = "post-index-change";

/// Whether the repository that git finds from `folder`, a real path, makes it run nothing.
pub(super) fn hold(folder: &Path) -> Result<(), Error> {
    for folder in folder.ancestors() {
        let inner = folder.join(".git");
        match at(&inner)? {
            Some(about) if about.is_dir() => return sound(folder, &inner),
            // It lies elsewhere, and others may have a hand in it.
            Some(_) => return Err(doubt(&inner, term!("is no plain folder"))),
            // Git takes a folder with this in it for a repository, too.
            None if at(&folder.join("HEAD"))?.is_some() => {
                return Err(doubt(folder, term!("may be a repository of its own")));
            }
            None => {}
        }
    }
    Err(doubt(folder, term!("lies in no repository")))
}

fn sound(tree: &Path, inner: &Path) -> Result<(), Error> {
    whole(inner)?;
    let mut hooks = vec![inner.join("hooks")];
    for name in ["config", "config.worktree"] {
        let path = inner.join(name);
        let Some(bytes) = read(path.clone(), MOST_SETTINGS)? else { continue };
        let text = std::str::from_utf8(&bytes).map_err(|_| doubt(&path, term!("is no text")))?;
        let settings = config::read(text);
        let settings = settings.ok_or_else(|| doubt(&path, term!("has a setting that isn't known to be harmless")))?;
        hooks.extend(settings.hooks.iter().map(|folder| tree.join(folder)));
    }
    for hook in hooks.iter().map(|folder| folder.join(HOOK)) {
        if at(&hook)?.is_some() {
            return Err(doubt(&hook, term!("is run by git")));
        }
    }
    alone(inner)
}

/// Whether git takes it for a repository: else it would look for one further up.
fn whole(inner: &Path) -> Result<(), Error> {
    for name in ["objects", "refs"] {
        let path = inner.join(name);
        if !at(&path)?.is_some_and(|about| about.is_dir()) {
            return Err(doubt(&path, term!("is no plain folder")));
        }
    }
    let path = inner.join("HEAD");
    let head = read(path.clone(), 1024)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let head = head.strip_suffix('\n').unwrap_or(&head);
    let is_commit = matches!(head.len(), 40 | 64) && head.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_branch = head.strip_prefix("ref: refs/").is_some_and(|name| !name.contains(char::is_control));
    if is_commit || is_branch { Ok(()) } else { Err(doubt(&path, term!("is not as git writes it"))) }
}

/// Whether nothing in it leads to another repository, with settings of its own.
fn alone(inner: &Path) -> Result<(), Error> {
    for name in ["commondir", "objects/info/alternates", "objects/info/http-alternates"] {
        let path = inner.join(name);
        if at(&path)?.is_some() {
            return Err(doubt(&path, term!("leads to another repository")));
        }
    }
    let path = inner.join("index");
    let index = read(path.clone(), MOST_INDEX)?.unwrap_or_default();
    if is_split(inner) || index.windows(SUBMODULE.len()).any(|bytes| bytes == SUBMODULE) {
        return Err(doubt(&path, term!("may hold a repository within the repository")));
    }
    Ok(())
}

/// Whether a part of the index may lie in a file of its own.
fn is_split(inner: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(inner) else { return true };
    entries
        .into_iter()
        .any(|entry| entry.map_or(true, |entry| entry.file_name().as_encoded_bytes().starts_with(b"sharedindex")))
}
