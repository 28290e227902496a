//! Which projects have a rules file.

use std::fs;
use std::path::{Path, PathBuf};

use super::place;

/// So many files are listed at most.
const MOST: usize = 500;

/// Folders that lie deeper than this are not looked into.
const DEEPEST: usize = 12;

/// A file in the folder of the rules files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// Where it is.
    pub path: PathBuf,
    /// The absolute path of the project that it is the file of; `None` if that can't be told from its name, or if that
    /// project uses another one.
    pub project: Option<String>,
}

/// The rules files in `folder`, in the order of their names.
///
/// Reading blocks for as long as the disk takes.
#[must_use]
pub fn list(folder: &Path) -> Vec<Listed> {
    let mut paths = Vec::new();
    collect(folder, DEEPEST, &mut paths);
    paths.sort();
    let listed = |path: PathBuf| {
        let project = place::project(folder, &path).filter(|project| place::find(folder, project) == path);
        Listed { path, project }
    };
    paths.into_iter().map(listed).collect()
}

fn collect(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if paths.len() >= MOST {
            return;
        }
        let path = entry.path();
        // A folder that is linked here may lead anywhere, and round in circles.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 {
            collect(&path, depth - 1, paths);
        } else if !is_folder && path.extension().is_some_and(|ending| ending == "json") {
            paths.push(path);
        }
    }
}
