//! What is on record of the commands of a project.

use gavel_core::display::{is_deceptive_text, visible};
use gavel_core::flow::Happened;
use gavel_core::text::Language;
use gavel_core::{Settled, Source};
use gavel_disk::Row;

use crate::api::{Evidence, EvidenceBy};
use crate::picture;

/// So many requests are shown for a line at most.
const SHOWN: usize = 12;

/// A command that was asked about, and what became of it.
pub(super) struct Past {
    /// The line that it counts for.
    pub line: String,
    pub at: u64,
    pub fate: Fate,
    number: u64,
    session: Option<String>,
    verdict: Option<String>,
}

/// What became of it.
pub(super) enum Fate {
    /// Somebody answered whose answers are counted.
    Answered(EvidenceBy, bool),
    /// It passed by this line.
    Passed(String, Source),
}

impl Past {
    /// What the rows, newest first, say of the commands of `directory`.
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Row>, directory: &str, language: Language) -> Vec<Self> {
        rows.filter(|row| row.record.directory == directory).filter_map(|row| Self::from_row(row, language)).collect()
    }

    fn from_row(row: &Row, language: Language) -> Option<Self> {
        let record = &row.record;
        let (line, Happened::Settled { settled }) = (record.line.clone()?, &record.what) else { return None };
        let fate = match settled {
            Settled::You { decision } => Fate::Answered(EvidenceBy::Human, !decision.refuses()),
            Settled::YouStopped { .. } => Fate::Answered(EvidenceBy::Human, false),
            Settled::Judge { allowed, .. } => Fate::Answered(EvidenceBy::Judge, *allowed),
            Settled::Rule { line, source } => Fate::Passed(line.clone(), *source),
            _ => return None,
        };
        Some(Self {
            line,
            at: record.at.0,
            fate,
            number: row.number,
            session: record.session.as_deref().map(|title| picture::told(title, language)),
            verdict: record
                .opinions
                .recommended()
                .map(|verdict| picture::verdict_line(verdict.recommendation, &verdict.reason_in(language), language)),
        })
    }

    fn evidence(&self) -> Option<Evidence> {
        let Fate::Answered(by, allowed) = self.fate else { return None };
        let (session, verdict) = (self.session.clone(), self.verdict.as_deref().map(visible));
        Some(Evidence { number: self.number, at: self.at, by, allowed, session, verdict })
    }

    /// Whether it can be shown and typed as it is.
    pub(super) fn is_plain(&self) -> bool {
        !is_deceptive_text(&self.line)
    }
}

/// The answers that bear on `command`, the latest first.
pub(super) fn evidence(past: &[Past], command: &str) -> Vec<Evidence> {
    past.iter().filter(|one| one.line == command).filter_map(Past::evidence).take(SHOWN).collect()
}

/// How many commands passed by a line, and when the last of them did.
pub(super) fn passed(past: &[Past], line: &str, source: Source) -> (usize, Option<u64>) {
    let by_it = |one: &&Past| matches!(&one.fate, Fate::Passed(own, by) if own == line && *by == source);
    let mut times = past.iter().filter(by_it).map(|one| one.at).peekable();
    let last = times.peek().copied();
    (times.count(), last)
}
