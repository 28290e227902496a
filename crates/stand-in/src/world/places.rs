//! Directories and the projects they belong to.
//!
//! Most directories here are made up. One is taken to exist if it is really there on this machine, or if it is, or lies
//! below, a directory the stand-in was told of: its own, those its handle made sessions in, and those it was given
//! beforehand. A made-up directory is a repository of its own unless it was given as none. A real one belongs to the
//! nearest repository at or above it, which is where there is a `.git`. What belongs to no repository shares the
//! project `global`.

use std::path::Path;

use crate::ids;

/// The project of all that is in no repository.
const GLOBAL: &str = "global";

/// What the stand-in was told of.
#[derive(Debug, Default)]
pub(crate) struct Places {
    told: Vec<(String, bool)>,
}

/// The project of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) id: String,
    pub(crate) directory: String,
}

impl Places {
    /// Tells of a directory, and whether it is a repository, whatever is on the disk. The last word holds.
    pub(crate) fn tell(&mut self, directory: &str, repository: bool) {
        self.told.retain(|(known, _)| known != directory);
        self.told.push((directory.to_owned(), repository));
    }

    /// Tells of a directory that something happens in. What is on the disk speaks for itself.
    pub(crate) fn make_up(&mut self, directory: &str) {
        if directory.starts_with('/') && !self.exists(directory) {
            self.tell(directory, true);
        }
    }

    pub(crate) fn exists(&self, directory: &str) -> bool {
        self.nearest_told(directory).is_some() || Path::new(directory).is_dir()
    }

    pub(crate) fn project(&self, directory: &str) -> Project {
        let root = match self.nearest_told(directory) {
            Some((root, true)) => Some(root.clone()),
            Some((_, false)) => None,
            None => Path::new(directory)
                .ancestors()
                .find(|one| one.join(".git").exists())
                .map(|root| root.to_string_lossy().into_owned()),
        };
        match root {
            Some(root) => Project { id: ids::fingerprint(&root), directory: root },
            None => Project { id: GLOBAL.to_owned(), directory: "/".to_owned() },
        }
    }

    fn nearest_told(&self, directory: &str) -> Option<&(String, bool)> {
        let above = |(root, _): &&(String, bool)| is_inside(root, directory);
        self.told.iter().filter(above).max_by_key(|(root, _)| root.len())
    }
}

/// Whether `path` is `directory` or lies below it.
pub(crate) fn is_inside(directory: &str, path: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || directory == "/")
}

/// What of `path` is below `directory`; `None` if it is that directory, or is somewhere else.
pub(crate) fn below(directory: &str, path: &str) -> Option<String> {
    let rest = path.strip_prefix(directory)?.trim_start_matches('/');
    (is_inside(directory, path) && !rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_directories_are_repositories_unless_given_as_none() {
        let mut places = Places::default();
        places.tell("/made/up", true);
        places.tell("/made/up/loose", false);
        for (directory, project) in [
            ("/made/up", ids::fingerprint("/made/up")),
            ("/made/up/sub", ids::fingerprint("/made/up")),
            ("/made/up/loose/x", "global".to_owned()),
        ] {
            assert!(places.exists(directory), "{directory}");
            assert_eq!(places.project(directory).id, project, "{directory}");
        }
        assert!(!places.exists("/made/upper") && !places.exists("/made"));
    }

    #[test]
    fn real_directories_belong_to_the_repository_above_them() {
        let places = Places::default();
        let here = env!("CARGO_MANIFEST_DIR");
        assert!(places.exists(here));
        assert_eq!(places.project("/").id, "global");
        assert_eq!(below("/a", "/a/b/c").as_deref(), Some("b/c"));
        assert_eq!((below("/a", "/a"), below("/a", "/ab")), (None, None));
    }
}
