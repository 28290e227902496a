//! How far patterns reach: what they would have let through of all that was asked before.

mod hazard;
mod narrower;
pub(crate) mod shell;

use serde::{Deserialize, Serialize};

pub use hazard::{Hazard, Lines, chained, hazard};
pub use narrower::narrower;

use crate::modes::covers;
use crate::rules::{Case, Pattern, Saved};

/// A request of the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// Its action, in 2.x words.
    pub action: String,
    /// What exactly was asked for.
    pub resources: Vec<String>,
    /// What it was, in one line.
    pub headline: String,
    /// What became of it.
    pub fate: Fate,
}

/// What became of a request of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It was allowed.
    Allowed,
    /// The user declined it, or stopped its run.
    Declined,
    /// Nobody decided, or it isn't known who.
    Open,
}

/// What a set of patterns would have done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The requests that match, by their places in the history.
    pub matched: Vec<Match>,
    /// Those that ask for the same kind of thing and don't match at all, by their places in the history.
    pub others: Vec<usize>,
    /// What should be known before such patterns are allowed.
    pub warnings: Vec<Warning>,
}

/// A request of the past that a set of patterns matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// Its place in the history.
    pub place: usize,
    /// Whether each of its resources matches: then it would have passed without being asked.
    pub whole: bool,
    /// Whether it deletes files.
    pub deletes: bool,
    /// Whether the user had declined it.
    pub declined: bool,
}

/// Something that should be known about patterns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "warning", rename_all = "snake_case")]
pub enum Warning {
    /// A pattern matches everything that an action could ever ask for.
    Everything {
        /// The action.
        action: String,
    },
    /// Where a server asks about a whole command line at once, a pattern also matches commands chained to the one meant.
    Chained {
        /// The pattern.
        pattern: String,
        /// A line that it matches.
        example: String,
    },
    /// Of what would have passed, this many requests delete files.
    Deletes {
        /// How many.
        count: usize,
    },
    /// Of what would have passed, this many had been declined.
    Declined {
        /// How many.
        count: usize,
    },
}

impl Reach {
    /// How many requests would have passed without being asked.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.matched.iter().filter(|one| one.whole).count()
    }
}

/// Holds `patterns`, taken together, against what was asked before.
#[must_use]
pub fn reach(patterns: &[Saved], history: &[Past]) -> Reach {
    let compiled: Vec<(Pattern, Pattern)> = patterns.iter().map(compile).collect();
    let (mut matched, mut others) = (Vec::new(), Vec::new());
    for (place, past) in history.iter().enumerate() {
        let fits = |resource: &&String| compiled.iter().any(|(a, r)| a.matches(&past.action) && r.matches(resource));
        let fitting = past.resources.iter().filter(fits).count();
        if fitting == 0 {
            let is_alike = compiled.iter().any(|(action, _)| action.matches(&past.action));
            others.extend((is_alike && !past.resources.is_empty()).then_some(place));
            continue;
        }
        matched.push(Match {
            place,
            whole: fitting == past.resources.len(),
            deletes: past.action == "shell" && past.resources.iter().any(|line| shell::deletes(line)),
            declined: past.fate == Fate::Declined,
        });
    }
    let warnings = warnings(patterns, &matched);
    Reach { matched, others, warnings }
}

fn compile(pattern: &Saved) -> (Pattern, Pattern) {
    (Pattern::new(&pattern.action, Case::Sensitive), Pattern::new(&pattern.resource, Case::Sensitive))
}

fn warnings(patterns: &[Saved], matched: &[Match]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for pattern in patterns {
        let warning = if covers(&pattern.resource, "*") {
            Some(Warning::Everything { action: pattern.action.clone() })
        } else {
            chained(pattern).map(|example| Warning::Chained { pattern: pattern.resource.clone(), example })
        };
        warnings.extend(warning.filter(|new| !warnings.contains(new)));
    }
    let passed = |wanted: fn(&Match) -> bool| matched.iter().filter(|one| one.whole && wanted(one)).count();
    let (deletes, declined) = (passed(|one| one.deletes), passed(|one| one.declined));
    warnings.extend((deletes > 0).then_some(Warning::Deletes { count: deletes }));
    warnings.extend((declined > 0).then_some(Warning::Declined { count: declined }));
    warnings
}
