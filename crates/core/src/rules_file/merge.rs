//! Putting together what two wrote at the same time.

use super::Content;
use super::lines::{Learned, Lines, Pending};

impl Content {
    /// Makes to this content what made `before` become `after`, where nothing here speaks against it.
    ///
    /// Unlike a [`super::Change`], this is told from two states of the file alone. Where both sides changed the same
    /// command, what asks more often wins: a count is never added to, and what one side took out stays out.
    pub fn adopt(&mut self, before: &Self, after: &Self) {
        self.lines.adopt(&before.lines, &after.lines);
    }
}

impl Lines {
    fn adopt(&mut self, before: &Self, after: &Self) {
        self.preset.retain(|line| after.preset.contains(line) || !before.preset.contains(line));
        for line in after.preset.iter().filter(|line| !before.preset.contains(line)) {
            if !self.preset.contains(line) {
                self.preset.push(line.clone());
            }
        }
        self.learned.retain(|one| after.learned(&one.command).is_some() || before.learned(&one.command).is_none());
        for one in &after.learned {
            let known = before.learned(&one.command);
            if let Some(own) = self.learned.iter_mut().find(|own| own.command == one.command) {
                if known != Some(one) {
                    own.adopt(one);
                }
                continue;
            }
            // What was counted towards it, and then refused here, begins anew.
            let refused = before.pending(&one.command).is_some() && self.pending(&one.command).is_none();
            if known.is_none() && !refused {
                self.learned.push(one.clone());
            }
        }
        let learned = &self.learned;
        self.pending.retain(|one| !learned.iter().any(|learned| learned.command == one.command));
        self.pending.retain(|one| after.pending(&one.command).is_some() || before.pending(&one.command).is_none());
        for one in &after.pending {
            let known = before.pending(&one.command);
            let was = known.map_or(0, |known| known.count);
            if let Some(own) = self.pending.iter_mut().find(|own| own.command == one.command) {
                // Less than before means that it began anew here.
                if one.count != was && own.count >= was && one.count > own.count {
                    own.clone_from(one);
                }
            } else if known.is_none() && self.learned(&one.command).is_none() {
                self.pending.push(one.clone());
            }
        }
    }

    fn learned(&self, command: &str) -> Option<&Learned> {
        self.learned.iter().find(|one| one.command == command)
    }

    fn pending(&self, command: &str) -> Option<&Pending> {
        self.pending.iter().find(|one| one.command == command)
    }
}

impl Learned {
    fn adopt(&mut self, other: &Self) {
        self.approvals = self.approvals.max(other.approvals);
        self.by_human = self.by_human.max(other.by_human);
        if self.last_seen < other.last_seen {
            self.last_seen.clone_from(&other.last_seen);
        }
    }
}
