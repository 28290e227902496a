//! Putting together what two wrote at the same time.

use std::collections::BTreeSet;

use super::Content;
use super::lines::{Learned, Lines, Pending};

/// What one state of a file has otherwise than another.
///
/// Unlike [`super::Change`]s, it is told from the two states alone, whoever made the one of the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    added: Vec<String>,
    removed: Vec<String>,
    learned: Vec<Altered<Learned>>,
    pending: Vec<Altered<Pending>>,
}

/// An entry as it was before and as it is after.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Altered<T> {
    before: Option<T>,
    after: Option<T>,
}

impl Difference {
    /// What makes `after` of `before`.
    #[must_use]
    pub fn between(before: &Content, after: &Content) -> Self {
        let (before, after) = (&before.lines, &after.lines);
        let only = |one: &Lines, other: &Lines| {
            one.preset.iter().filter(|line| !other.preset.contains(line)).cloned().collect()
        };
        Self {
            added: only(after, before),
            removed: only(before, after),
            learned: altered(&before.learned, &after.learned),
            pending: altered(&before.pending, &after.pending),
        }
    }
}

impl Content {
    /// Makes the same difference here, where nothing speaks against it.
    ///
    /// Where the same command was changed here as well, what asks more often wins: counts are not added up, and what was
    /// taken out here stays out.
    pub fn adopt(&mut self, difference: &Difference) {
        self.lines.adopt(difference);
    }

    /// Whether something that was added by the difference is here, so that whoever wrote this had seen it.
    #[must_use]
    pub fn shows(&self, difference: &Difference) -> bool {
        let lines = &self.lines;
        let learned = difference.learned.iter().filter(|altered| altered.before.is_none());
        let mut learned = learned.filter_map(|altered| altered.after.as_ref());
        let mut pending = difference.pending.iter().filter_map(|altered| altered.after.as_ref());
        difference.added.iter().any(|line| lines.preset.contains(line))
            || learned.any(|one| lines.learned.iter().any(|own| own.command == one.command))
            || pending.any(|one| lines.pending.iter().any(|own| own.command == one.command && own.count >= one.count))
    }
}

impl Lines {
    fn adopt(&mut self, difference: &Difference) {
        self.preset.retain(|line| !difference.removed.contains(line));
        for line in &difference.added {
            if !self.preset.contains(line) {
                self.preset.push(line.clone());
            }
        }
        for altered in &difference.learned {
            match altered {
                Altered { before: Some(before), after: None } => {
                    self.learned.retain(|one| one.command != before.command);
                }
                Altered { before, after: Some(after) } => {
                    if let Some(own) = named(&mut self.learned, &after.command) {
                        own.adopt(after);
                    } else if before.is_none() && !self.refused(&after.command, difference) {
                        self.learned.push(after.clone());
                    }
                }
                Altered { before: None, after: None } => {}
            }
        }
        let learned: BTreeSet<&str> = self.learned.iter().map(|one| one.command.as_str()).collect();
        self.pending.retain(|one| !learned.contains(one.command.as_str()));
        for altered in &difference.pending {
            match altered {
                Altered { before: Some(before), after: None } => {
                    self.pending.retain(|one| one.command != before.command);
                }
                Altered { before, after: Some(after) } => {
                    let was = before.as_ref().map_or(0, |before| before.count);
                    if let Some(own) = named(&mut self.pending, &after.command) {
                        // Less than before means that it began anew here.
                        if own.count >= was && after.count > own.count {
                            own.clone_from(after);
                        }
                    } else if before.is_none() && !learned.contains(after.command.as_str()) {
                        self.pending.push(after.clone());
                    }
                }
                Altered { before: None, after: None } => {}
            }
        }
    }

    /// Whether what was counted towards learning `command` is no longer there: then it was refused, and begins anew.
    fn refused(&self, command: &str, difference: &Difference) -> bool {
        let counted = difference.pending.iter().filter_map(|altered| altered.before.as_ref());
        counted.into_iter().any(|one| one.command == command) && !self.pending.iter().any(|one| one.command == command)
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

/// An entry that has a command for its name.
trait Entry: Clone + PartialEq {
    fn command(&self) -> &str;
}

impl Entry for Learned {
    fn command(&self) -> &str {
        &self.command
    }
}

impl Entry for Pending {
    fn command(&self) -> &str {
        &self.command
    }
}

fn named<'a, T: Entry>(entries: &'a mut [T], command: &str) -> Option<&'a mut T> {
    entries.iter_mut().find(|own| own.command() == command)
}

fn altered<T: Entry>(before: &[T], after: &[T]) -> Vec<Altered<T>> {
    let find = |entries: &[T], command: &str| entries.iter().find(|one| one.command() == command).cloned();
    let gone = before.iter().map(|one| Altered { before: Some(one.clone()), after: find(after, one.command()) });
    let new = after.iter().filter(|one| find(before, one.command()).is_none());
    let new = new.map(|one| Altered { before: None, after: Some(one.clone()) });
    gone.chain(new).filter(|altered| altered.before != altered.after).collect()
}
