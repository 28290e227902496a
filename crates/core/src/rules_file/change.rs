//! Changes of a rules file. Each can be made to any state of it, also to one that somebody else has written since.

use super::lines::{Learned, Pending};
use super::{CommandLine, Content, Lines, Object, Restore, iso};
use crate::Moment;

/// So many commands wait to be learned at most; beyond that, the one that has waited longest is forgotten.
const MOST_PENDING: usize = 1000;

/// Who allowed or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The judge.
    Judge,
    /// The human.
    Human,
}

/// A change of a rules file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A command was allowed. After `learn_after` times in a row it is learned.
    Approve {
        /// The command.
        line: CommandLine,
        /// Who allowed it.
        by: By,
        /// How many times make it learned; 0 learns nothing.
        learn_after: u64,
        /// Whether the analysis calls it destructive: then it is not counted, and never learned.
        destructive: bool,
        /// When it was allowed.
        at: Moment,
    },
    /// A command was refused. It is no longer pending; if the human refused, it is no longer learned either. The
    /// refusal itself is not remembered.
    Refuse {
        /// The command.
        line: CommandLine,
        /// Who refused.
        by: By,
    },
    /// A learned command was let through.
    Seen {
        /// The command.
        line: CommandLine,
        /// When.
        at: Moment,
    },
    /// The user adds a preset line, at the end.
    AddPreset(String),
    /// The user takes a preset line out. It never comes back by itself.
    RemovePreset(String),
    /// The user writes a preset line anew. If it is no longer there, nothing happens.
    EditPreset {
        /// As it was.
        from: String,
        /// As it shall be.
        to: String,
    },
    /// The user adds a learned command.
    AddLearned {
        /// The command.
        line: CommandLine,
        /// When.
        at: Moment,
    },
    /// The user takes a learned command out, by the text that it has in the file.
    RemoveLearned(String),
    /// The user writes a learned command anew. What was counted for the old one doesn't count for it. If it is no longer
    /// there, nothing happens.
    EditLearned {
        /// The text that it has in the file.
        from: String,
        /// As it shall be.
        to: CommandLine,
        /// When.
        at: Moment,
    },
    /// The user has a command counted from the beginning, by the text that it has in the file.
    ResetPending(String),
    /// The user takes an earlier change back.
    Restore(Box<Restore>),
}

impl Content {
    /// Makes a change. Whether anything is different afterwards.
    pub fn apply(&mut self, change: &Change) -> bool {
        let lines = &mut self.lines;
        match change {
            Change::Approve { destructive: true, .. } | Change::Approve { learn_after: 0, .. } => false,
            Change::Approve { line, by, learn_after, at, .. } => lines.approve(line, *by, *learn_after, *at),
            Change::Refuse { line, by } => {
                let reset = lines.reset(line);
                let removed = *by == By::Human && remove(&mut lines.learned, |learned| line.is(&learned.command));
                reset | removed
            }
            Change::Seen { line, at } => lines.find_learned(line).is_some_and(|learned| learned.seen(*at)),
            Change::AddPreset(line) => lines.add_preset(line),
            Change::RemovePreset(line) => remove(&mut lines.preset, |one| one == line),
            Change::EditPreset { from, to } => lines.edit_preset(from, to),
            Change::AddLearned { line, at } => lines.add_learned(line, *at),
            Change::RemoveLearned(command) => remove(&mut lines.learned, |learned| learned.command == *command),
            Change::EditLearned { from, to, at } => lines.edit_learned(from, to, *at),
            Change::ResetPending(command) => remove(&mut lines.pending, |pending| pending.command == *command),
            Change::Restore(restore) => lines.restore(restore),
        }
    }
}

impl Lines {
    fn approve(&mut self, line: &CommandLine, by: By, learn_after: u64, at: Moment) -> bool {
        let human = u64::from(by == By::Human);
        if let Some(learned) = self.find_learned(line) {
            learned.approvals = learned.approvals.saturating_add(1);
            learned.by_human = learned.by_human.saturating_add(human);
            learned.seen(at);
            return true;
        }
        let place = self.pending.iter().position(|pending| line.is(&pending.command));
        let before = place.and_then(|place| self.pending.get(place));
        let count = before.map_or(0, |pending| pending.count).saturating_add(1);
        let by_human = before.map_or(0, |pending| pending.by_human).saturating_add(human);
        if count >= learn_after {
            self.reset(line);
            self.learned.push(Learned { approvals: count, by_human, ..Learned::new(line, at) });
        } else if let Some(pending) = place.and_then(|place| self.pending.get_mut(place)) {
            pending.count = count;
            pending.by_human = by_human;
        } else {
            if self.pending.len() >= MOST_PENDING {
                self.pending.remove(0);
            }
            self.pending.push(Pending { command: line.as_str().to_owned(), count, by_human });
        }
        true
    }

    fn find_learned(&mut self, line: &CommandLine) -> Option<&mut Learned> {
        self.learned.iter_mut().find(|learned| line.is(&learned.command))
    }

    fn reset(&mut self, line: &CommandLine) -> bool {
        remove(&mut self.pending, |pending| line.is(&pending.command))
    }

    fn add_preset(&mut self, line: &str) -> bool {
        let new = !line.trim().is_empty() && !self.preset.iter().any(|one| one == line);
        if new {
            self.preset.push(line.to_owned());
        }
        new
    }

    fn edit_preset(&mut self, from: &str, to: &str) -> bool {
        if from == to || to.trim().is_empty() {
            return false;
        }
        if self.preset.iter().any(|one| one == to) {
            return remove(&mut self.preset, |one| one == from);
        }
        let Some(place) = self.preset.iter_mut().find(|one| *one == from) else { return false };
        *place = to.to_owned();
        true
    }

    fn add_learned(&mut self, line: &CommandLine, at: Moment) -> bool {
        let reset = self.reset(line);
        let new = self.find_learned(line).is_none();
        if new {
            self.learned.push(Learned::new(line, at));
        }
        reset | new
    }

    fn edit_learned(&mut self, from: &str, to: &CommandLine, at: Moment) -> bool {
        if from == to.as_str() {
            return false;
        }
        let Some(place) = self.learned.iter().position(|learned| learned.command == from) else { return false };
        self.learned.remove(place);
        self.reset(to);
        if self.find_learned(to).is_none() {
            self.learned.insert(place.min(self.learned.len()), Learned::new(to, at));
        }
        true
    }
}

impl Learned {
    fn new(line: &CommandLine, at: Moment) -> Self {
        let command = line.as_str().to_owned();
        Self { command, approvals: 0, by_human: 0, last_seen: Some(iso(at)), entry: Object::default() }
    }

    /// Notes that it was seen at `at`, unless it was seen later.
    fn seen(&mut self, at: Moment) -> bool {
        let at = iso(at);
        // Both are of one form, in which later is greater.
        let later = self.last_seen.as_ref().is_none_or(|before| *before < at);
        if later {
            self.last_seen = Some(at);
        }
        later
    }
}

/// Takes out what `is` says; whether there was any.
fn remove<T>(items: &mut Vec<T>, is: impl Fn(&T) -> bool) -> bool {
    let before = items.len();
    items.retain(|item| !is(item));
    items.len() != before
}
