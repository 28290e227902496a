//! The directories of a server that are known.

use std::collections::HashMap;

/// Directories that were mentioned, the latest of them: whatever a server makes up, it fills no memory.
#[derive(Debug)]
pub(super) struct Directories {
    most: usize,
    met: HashMap<String, u64>,
    clock: u64,
}

impl Directories {
    /// None, and never more than `most`.
    pub(super) fn at_most(most: usize) -> Self {
        Self { most, met: HashMap::new(), clock: 0 }
    }

    /// `directory` is mentioned. The one that is forgotten for it, which is the one mentioned longest ago.
    pub(super) fn meet(&mut self, directory: &str) -> Option<String> {
        self.clock += 1;
        if let Some(at) = self.met.get_mut(directory) {
            *at = self.clock;
            return None;
        }
        self.met.insert(directory.to_owned(), self.clock);
        if self.met.len() <= self.most {
            return None;
        }
        let oldest = self.met.iter().min_by_key(|(_, at)| **at).map(|(name, _)| name.clone())?;
        self.met.remove(&oldest);
        Some(oldest)
    }

    /// Whether it is one of them.
    pub(super) fn knows(&self, directory: &str) -> bool {
        self.met.contains_key(directory)
    }

    /// It is there no longer.
    pub(super) fn forget(&mut self, directory: &str) {
        self.met.remove(directory);
    }

    /// None is there any longer.
    pub(super) fn clear(&mut self) {
        self.met.clear();
    }

    /// All of them, the latest first.
    pub(super) fn all(&self) -> Vec<String> {
        let mut all: Vec<(&String, &u64)> = self.met.iter().collect();
        all.sort_unstable_by(|a, b| b.1.cmp(a.1));
        all.into_iter().map(|(name, _)| name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_latest() {
        let mut directories = Directories::at_most(3);
        for name in ["/a", "/b", "/a", "/c"] {
            assert_eq!(directories.meet(name), None);
        }
        assert_eq!(directories.all(), ["/c", "/a", "/b"]);
        assert_eq!(directories.meet("/d").as_deref(), Some("/b"), "the one mentioned longest ago");
        assert_eq!(directories.all(), ["/d", "/c", "/a"]);
        assert!(directories.knows("/a") && !directories.knows("/b"));
        directories.forget("/a");
        assert_eq!(directories.meet("/b"), None, "there is room again");
        directories.clear();
        assert_eq!(directories.all(), [""; 0]);
    }
}
