//! The requests on record, and what patterns would have matched of them.

use std::collections::{BTreeSet, HashMap};

use gavel_core::display::{retitled, visible};
use gavel_core::flow::Happened;
use gavel_core::reach::{self, Fate, Lines, Match, Past, Warning};
use gavel_core::rules::Saved;
use gavel_core::text::Language;
use gavel_core::{Reply as Word, Settled};
use gavel_disk::Row;

use crate::{api, picture};

/// How many requests are named as examples of what patterns would have matched; those that are alike count once.
const EXAMPLES: usize = 10;

/// How many are named as examples of what they would not have matched.
const OTHERS: usize = 5;

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
    pub(super) fn of<'a>(
        rows: impl Iterator<Item = &'a Row>,
        within: Option<&BTreeSet<String>>,
        language: Language,
    ) -> Self {
        let mut history = Self { past: Vec::new(), rows: Vec::new() };
        for Row { number, record, .. } in rows {
            let Happened::Settled { settled } = &record.what else { continue };
            if record.resources.is_empty() || within.is_some_and(|within| !within.contains(&record.directory)) {
                continue;
            }
            history.past.push(Past {
                action: record.action.clone(),
                resources: record.resources.clone(),
                headline: retitled(&record.action, &record.title, language),
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

    /// What `patterns`, taken together, would have matched of what was asked in `directories` of a server that asks
    /// about `lines`.
    pub(super) fn reach(&self, patterns: &[Saved], lines: Lines, directories: &BTreeSet<String>) -> api::WouldMatch {
        let found = reach::reach(patterns, &self.past);
        let inside = |place: usize| self.rows.get(place).is_some_and(|told| directories.contains(&told.directory));
        let mut matched: Vec<Match> = found.matched.into_iter().filter(|one| inside(one.place)).collect();
        let others = found.others.into_iter().filter(|place| inside(*place));
        let other = |place| Match { place, whole: true, deletes: false, declined: false };
        let passed = |wanted: fn(&Match) -> bool| matched.iter().filter(|one| one.whole && wanted(one)).count();
        let chained = patterns.iter().find_map(reach::chained).filter(|_| lines == Lines::Unknown);
        let reach = api::WouldMatch {
            total: (0..self.rows.len()).filter(|place| inside(*place)).count(),
            count: matched.len(),
            partly: matched.iter().filter(|one| !one.whole).count(),
            deletes: passed(|one| one.deletes),
            declined: passed(|one| one.declined),
            examples: Vec::new(),
            others: self.examples(others.map(other), OTHERS),
            everything: found.warnings.iter().any(|warning| matches!(warning, Warning::Everything { .. })),
            chained: chained.as_deref().map(visible),
            hazards: patterns.iter().map(|pattern| picture::hazard(pattern, lines)).collect(),
        };
        // What should be seen must not be the eleventh.
        matched.sort_by_key(|one| (!one.deletes, !one.declined, one.place));
        api::WouldMatch { examples: self.examples(matched.into_iter(), EXAMPLES), ..reach }
    }

    /// The first `most` of these; those that are alike are told together.
    fn examples(&self, some: impl Iterator<Item = Match>, most: usize) -> Vec<api::PastRequest> {
        let mut told: Vec<api::PastRequest> = Vec::new();
        let mut places = HashMap::new();
        for one in some {
            let (Some(past), Some(row)) = (self.past.get(one.place), self.rows.get(one.place)) else { continue };
            let kind = (past.headline.as_str(), one.whole, one.deletes, one.declined);
            if let Some(alike) = places.get(&kind).and_then(|place: &usize| told.get_mut(*place)) {
                alike.times += 1;
            } else if told.len() < most {
                places.insert(kind, told.len());
                told.push(api::PastRequest {
                    number: row.number,
                    at: row.at,
                    times: 1,
                    title: past.headline.clone(),
                    partly: !one.whole,
                    deletes: one.deletes,
                    declined: one.declined,
                });
            }
        }
        told
    }
}

fn fate(settled: &Settled) -> Fate {
    match settled {
        Settled::You { decision } if decision.refuses() => Fate::Declined,
        Settled::YouStopped { .. } => Fate::Declined,
        Settled::AnotherClient { reply: Some(Word::Reject) } | Settled::Judge { allowed: false, .. } => Fate::Declined,
        Settled::You { .. }
        | Settled::Grant { .. }
        | Settled::Rule { .. }
        | Settled::Judge { allowed: true, .. }
        | Settled::AnotherClient { reply: Some(Word::Once | Word::Always) } => Fate::Allowed,
        Settled::Swept
        | Settled::AnotherClient { reply: None }
        | Settled::Unseen
        | Settled::WhileAway
        | Settled::YouAnswered { .. }
        | Settled::YouCancelled { .. }
        | Settled::AnsweredElsewhere { .. }
        | Settled::CancelledElsewhere
        | Settled::RunEnded
        | Settled::ServerGone => Fate::Open,
    }
}
