//! Taking a change of the user back: what it took out comes again where it was, and what it put in goes.

use super::lines::{Learned, Pending};
use super::{Change, Content, Lines};

/// What takes a [`Change`] back. Like every change, it can be made to any newer state of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restore {
    out: Vec<Name>,
    back: Vec<Placed>,
}

/// The name of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Preset(String),
    Learned(String),
    Pending(String),
}

/// A line with all that is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    Preset(String),
    Learned(Learned),
    Pending(Pending),
}

/// A line, and where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Placed {
    line: Line,
    at: usize,
    /// The name of the line right before it.
    after: Option<String>,
}

impl Content {
    /// What would take `change` back, were it made to this; `None` if it would change nothing.
    #[must_use]
    pub fn taking_back(&self, change: &Change) -> Option<Restore> {
        let mut after = self.clone();
        after.apply(change).then(|| Restore::between(&self.lines, &after.lines))
    }
}

impl Restore {
    fn between(before: &Lines, after: &Lines) -> Self {
        let mut restore = Self { out: Vec::new(), back: Vec::new() };
        restore.take(&before.preset, &after.preset, String::as_str, Name::Preset, Line::Preset);
        restore.take(&before.learned, &after.learned, |one| &one.command, Name::Learned, Line::Learned);
        restore.take(&before.pending, &after.pending, |one| &one.command, Name::Pending, Line::Pending);
        restore
    }

    fn take<T: Clone>(
        &mut self,
        before: &[T],
        after: &[T],
        name: impl Fn(&T) -> &str,
        named: fn(String) -> Name,
        line: fn(T) -> Line,
    ) {
        let lacks = |all: &[T], one: &T| !all.iter().any(|other| name(other) == name(one));
        self.out.extend(after.iter().filter(|one| lacks(before, one)).map(|one| named(name(one).to_owned())));
        for (at, one) in before.iter().enumerate().filter(|(_, one)| lacks(after, one)) {
            let previous = at.checked_sub(1).and_then(|place| before.get(place));
            let after = previous.map(|previous| name(previous).to_owned());
            self.back.push(Placed { line: line(one.clone()), at, after });
        }
    }
}

impl Lines {
    pub(super) fn restore(&mut self, restore: &Restore) -> bool {
        let before = self.clone();
        for name in &restore.out {
            match name {
                Name::Preset(line) => self.preset.retain(|one| one != line),
                Name::Learned(command) => self.learned.retain(|one| one.command != *command),
                Name::Pending(command) => self.pending.retain(|one| one.command != *command),
            }
        }
        // Whatever stands there again by now was put there by somebody who knows better.
        let known = self.clone();
        for Placed { line, at, after } in &restore.back {
            let after = after.as_deref();
            match line {
                Line::Preset(line) if !known.preset.contains(line) => {
                    put(&mut self.preset, line.clone(), *at, after, String::as_str);
                }
                Line::Learned(learned) if !known.learned.iter().any(|one| one.command == learned.command) => {
                    self.pending.retain(|one| one.command != learned.command);
                    put(&mut self.learned, learned.clone(), *at, after, |one| &one.command);
                }
                Line::Pending(pending) if !known.counts(&pending.command) => {
                    put(&mut self.pending, pending.clone(), *at, after, |one| &one.command);
                }
                Line::Preset(_) | Line::Learned(_) | Line::Pending(_) => {}
            }
        }
        *self != before
    }

    /// Whether the command is counted, or learned already.
    fn counts(&self, command: &str) -> bool {
        self.pending.iter().any(|one| one.command == command) || self.learned.iter().any(|one| one.command == command)
    }
}

/// Puts `item` behind the one that it stood behind, or else where it was.
fn put<T>(items: &mut Vec<T>, item: T, at: usize, after: Option<&str>, name: impl Fn(&T) -> &str) {
    let behind = after.and_then(|after| items.iter().rposition(|one| name(one) == after)).map(|place| place + 1);
    items.insert(behind.unwrap_or(at).min(items.len()), item);
}
