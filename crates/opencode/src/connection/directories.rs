//! The directories of a server in which something happens.

use std::collections::HashMap;

/// The most directories that are kept; the ones heard of longest ago are forgotten first.
const MOST: usize = 200;

/// Directories known to be in use, from the events and requests that named them.
#[derive(Debug, Default)]
pub(super) struct Directories {
    met: HashMap<String, u64>,
    clock: u64,
}

impl Directories {
    /// Something happened in `directory`. Whether that is the first time.
    pub(super) fn meet(&mut self, directory: &str) -> bool {
        self.clock += 1;
        if let Some(at) = self.met.get_mut(directory) {
            *at = self.clock;
            return false;
        }
        self.met.insert(directory.to_owned(), self.clock);
        if self.met.len() > MOST
            && let Some(oldest) = self.met.iter().min_by_key(|(_, at)| **at).map(|(name, _)| name.clone())
        {
            self.met.remove(&oldest);
        }
        true
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
        let mut directories = Directories::default();
        assert!(directories.meet("/a"));
        assert!(directories.meet("/b"));
        assert!(!directories.meet("/a"));
        assert_eq!(directories.all(), ["/a", "/b"]);
        for n in 0..MOST {
            directories.meet(&n.to_string());
        }
        assert_eq!(directories.all().len(), MOST);
        assert!(directories.meet("/b"), "the one heard of longest ago was forgotten");
    }
}
