//! Where the rules file of a project is, and which files are somebody else's.
//!
//! The plugin names the file after the project's path, and how is its own affair: slashes may be `-`, `_` or `%2F`, or be
//! folders, with or without the first one. So an existing file is looked for by all of these names. Most of them are
//! ambiguous: `a-b.json` is the file of `/a/b` as well as of `/a-b`, and the rules of one project must not pass for those
//! of another. Therefore:
//!
//! 1. A file says for which project Gavel wrote it. Where that project could have given it its name, it is that
//!    project's and nobody else's.
//! 2. A name that can only mean one project (`%2F`, folders) is that project's.
//! 3. Any other file is used only if no other directory exists that its name could mean.
//! 4. A new file gets the short name (`a-b.json`) only if nobody has it yet and no other directory exists that it could
//!    mean; else the name with `%2F`, which can mean one project only. The plugin may then look elsewhere: better two
//!    files than one for two projects.

use std::fs;
use std::path::{Component, Path, PathBuf};

use gavel_core::rules_file;
use percent_encoding::percent_decode_str;

/// So many directories are looked for at most to find out what a name could mean; beyond that, it could mean anything.
const MOST_LOOKS: usize = 2000;

/// A file name of more bytes than this is not used; names end at 255, and a temporary file needs some as well.
const LONGEST_NAME: usize = 200;

/// The path of the file of `project` in `folder`: of the one that exists, or else of the one to be made.
pub(super) fn find(folder: &Path, project: &str) -> PathBuf {
    let project = plain(project);
    let files: Vec<PathBuf> = flat_names(&project).iter().map(|(name, _)| file(folder, name)).collect();
    if let Some(own) = files.iter().find(|path| owner(path).is_some_and(|owner| owner == project)) {
        return own.clone();
    }
    let nested = file(folder, project.trim_start_matches('/'));
    if let Some(only) = encoded(folder, &project).or_else(|| nested.is_file().then(|| nested.clone())) {
        return only;
    }
    for ((name, separator), path) in flat_names(&project).into_iter().zip(files) {
        if path.is_file() && owner(&path).is_none() && !means_another(&name, separator, &project) {
            return path;
        }
    }
    new_file(folder, &project, nested)
}

fn new_file(folder: &Path, project: &str, nested: PathBuf) -> PathBuf {
    let short = project.trim_start_matches('/').replace('/', "-");
    let path = file(folder, &short);
    let long = project.replace('%', "%25").replace('/', "%2F");
    if short.len() <= LONGEST_NAME && fs::symlink_metadata(&path).is_err() && !means_another(&short, '-', project) {
        path
    } else if long.len() <= LONGEST_NAME {
        file(folder, &long)
    } else {
        nested
    }
}

/// The project's path with slashes only and none at its end.
fn plain(project: &str) -> String {
    let project = if cfg!(windows) { project.replace('\\', "/").replace(':', "") } else { project.to_owned() };
    let project = project.trim_end_matches('/');
    if project.starts_with('/') { project.to_owned() } else { format!("/{project}") }
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.json"))
}

/// The names in which a character stands for slashes, with that character.
fn flat_names(project: &str) -> Vec<(String, char)> {
    let names = |separator: char| {
        let whole = project.replace('/', &separator.to_string());
        let short = whole.strip_prefix(separator).unwrap_or(&whole).to_owned();
        [(short, separator), (whole, separator)]
    };
    ['-', '_'].into_iter().flat_map(names).collect()
}

/// The file in `folder` whose name is the project's, percent-encoded in whatever way.
fn encoded(folder: &Path, project: &str) -> Option<PathBuf> {
    let is = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".json"));
        let decoded = name.filter(|name| name.contains('%')).map(|name| percent_decode_str(name).decode_utf8_lossy());
        decoded.is_some_and(|decoded| decoded.trim_start_matches('/') == project.trim_start_matches('/'))
    };
    let mut found: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(is).collect();
    // Whichever the system names first would be chance.
    found.sort();
    found.into_iter().find(|path| path.is_file())
}

/// The project that Gavel wrote `path` for, if that project could have given it its name. One that could not was moved
/// here by hand.
fn owner(path: &Path) -> Option<String> {
    let bytes = super::replace::read(path).ok()??;
    let content = rules_file::parse(&bytes).ok()?;
    let owner = plain(content.project()?);
    let stem = path.file_stem()?.to_str()?;
    flat_names(&owner).iter().any(|(name, _)| name == stem).then_some(owner)
}

/// The project that `path`, a file in `folder`, is the file of, as far as that can be told: by what it says, by a name
/// that can mean one project only, or because only one directory exists that its name could mean.
pub(super) fn project(folder: &Path, path: &Path) -> Option<String> {
    let own = path.strip_prefix(folder).ok()?.with_extension("");
    let name = own.to_str()?;
    if own.components().count() > 1 {
        return Some(plain(name));
    }
    if let Some(owner) = owner(path) {
        return Some(owner);
    }
    if name.contains('%') {
        return Some(plain(&percent_decode_str(name).decode_utf8().ok()?));
    }
    let mut found: Vec<PathBuf> =
        ['-', '_'].into_iter().filter_map(|separator| meant(name, separator)).flatten().collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [only] => only.to_str().map(str::to_owned),
        _ => None,
    }
}

/// The directories that exist and that `name` could mean; `None` if there are too many ways to read it.
fn meant(name: &str, separator: char) -> Option<Vec<PathBuf>> {
    let (mut found, mut looks) = (Vec::new(), MOST_LOOKS);
    let readings = [Some(name), name.strip_prefix(separator)];
    for rest in readings.into_iter().flatten() {
        gather(Path::new("/"), rest, separator, &mut looks, &mut found)?;
    }
    Some(found)
}

/// Whether a directory other than `project` exists that `name` could mean.
fn means_another(name: &str, separator: char, project: &str) -> bool {
    meant(name, separator).is_none_or(|found| found.iter().any(|path| path != Path::new(project)))
}

/// Gathers the directories below `folder` whose path is `rest`, with some of the separators being slashes. `None` if that
/// takes too many looks.
fn gather(folder: &Path, rest: &str, separator: char, looks: &mut usize, found: &mut Vec<PathBuf>) -> Option<()> {
    let cuts = rest.match_indices(separator).map(|(at, _)| at).chain([rest.len()]);
    for (first, rest) in cuts.filter_map(|at| rest.split_at_checked(at)) {
        if matches!(first, "" | "." | "..") {
            continue;
        }
        *looks = looks.checked_sub(1)?;
        let path = folder.join(first);
        if !path.is_dir() {
            continue;
        }
        match rest.strip_prefix(separator) {
            None => found.push(path),
            Some(rest) => gather(&path, rest, separator, looks, found)?,
        }
    }
    Some(())
}

/// The file itself, where `path` is a link to it. A link that leads nowhere yet leads to where the file is to be.
pub(super) fn real(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&path) else { return path };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    path
}

/// Whether whoever works in `project` may come to write `path` without going outside: it lies in the project, or in the
/// repository that the project is a part of.
pub(super) fn is_within_reach(path: &Path, project: &str) -> bool {
    let project = Path::new(project);
    let Ok(real) = fs::canonicalize(project) else { return is_inside(path, project) };
    [project, &real].into_iter().any(|project| {
        let repository = project.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
        is_inside(path, project) || repository.is_some_and(|repository| is_inside(path, repository))
    })
}

/// Whether `path` lies in `folder`, by its name or in truth.
fn is_inside(path: &Path, folder: &Path) -> bool {
    let (Some(resolved), Some(root)) = (resolved(path), resolved(folder)) else { return true };
    path.starts_with(folder) || resolved.starts_with(root)
}

/// The path with all links in it followed, as far as it exists; `None` if that can't be told.
fn resolved(path: &Path) -> Option<PathBuf> {
    let (part, resolved) = path.ancestors().find_map(|part| Some((part, fs::canonicalize(part).ok()?)))?;
    let rest = path.strip_prefix(part).ok()?;
    (!rest.components().any(|part| part == Component::ParentDir)).then(|| resolved.join(rest))
}
