//! The requests on record, and what a pattern would have matched of them.

use std::collections::BTreeSet;

use gavel_core::display::visible;
use gavel_core::flow::Happened;
use gavel_core::reach::{Fate, Match, Past, Warning, reach};
use gavel_core::rules::Saved;
use gavel_core::{Reply as Word, Settled};
use gavel_disk::Row;

use crate::api;

/// How many requests are named as examples of what a pattern would have matched.
const EXAMPLES: usize = 10;

/// The requests on record, newest first.
pub(super) struct History {
    past: Vec<Past>,
    /// What belongs to them, in the same order.
    rows: Vec<Told>,
}

struct Told {
    number: u64,
    at: u64,
    directory: String,
}

impl History {
    /// Every request comes to its end once: that is where it is counted. Those of older versions don't say what exactly
    /// was asked for.
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Row>, within: Option<&BTreeSet<String>>) -> Self {
        let mut history = Self { past: Vec::new(), rows: Vec::new() };
        for Row { number, record } in rows {
            let Happened::Settled { settled } = &record.what else { continue };
            if record.resources.is_empty() || within.is_some_and(|within| !within.contains(&record.directory)) {
                continue;
            }
            history.past.push(Past {
                action: record.action.clone(),
                resources: record.resources.clone(),
                headline: record.title.clone(),
                fate: fate(settled),
            });
            history.rows.push(Told { number: *number, at: record.at.0, directory: record.directory.clone() });
        }
        history
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.past.len()
    }

    /// What `pattern` would have matched of what was asked in `directories`.
    pub(super) fn reach(&self, pattern: &Saved, directories: &BTreeSet<String>) -> api::WouldMatch {
        let found = reach(std::slice::from_ref(pattern), &self.past);
        let inside = |place: usize| self.rows.get(place).is_some_and(|told| directories.contains(&told.directory));
        let matched: Vec<_> = found.matched.into_iter().filter(|one| inside(one.place)).collect();
        let count = |wanted: fn(&Match) -> bool| matched.iter().filter(|one| wanted(one)).count();
        let chained = found.warnings.iter().find_map(|warning| match warning {
            Warning::Chained { example, .. } => Some(visible(example)),
            _ => None,
        });
        api::WouldMatch {
            count: matched.len(),
            partly: count(|one| !one.whole),
            deletes: count(|one| one.deletes),
            declined: count(|one| one.declined),
            latest: matched.iter().take(EXAMPLES).filter_map(|one| self.example(one)).collect(),
            everything: found.warnings.iter().any(|warning| matches!(warning, Warning::Everything { .. })),
            chained,
        }
    }

    fn example(&self, one: &Match) -> Option<api::PastRequest> {
        let (past, told) = (self.past.get(one.place)?, self.rows.get(one.place)?);
        Some(api::PastRequest {
            number: told.number,
            at: told.at,
            title: past.headline.clone(),
            partly: !one.whole,
            deletes: one.deletes,
            declined: one.declined,
        })
    }
}

fn fate(settled: &Settled) -> Fate {
    match settled {
        Settled::You { decision } if decision.refuses() => Fate::Declined,
        Settled::AnotherClient { reply: Some(Word::Reject) } => Fate::Declined,
        Settled::You { .. }
        | Settled::Grant { .. }
        | Settled::AnotherClient { reply: Some(Word::Once | Word::Always) } => Fate::Allowed,
        Settled::Swept
        | Settled::AnotherClient { reply: None }
        | Settled::Unseen
        | Settled::RunEnded
        | Settled::ServerGone => Fate::Open,
    }
}
