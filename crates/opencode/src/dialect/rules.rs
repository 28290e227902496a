//! Rules in the words of the wire, and what servers are asked to do with those of a session.

use std::borrow::Cow;

use gavel_core::SessionId;
use gavel_core::modes::{Cause, appended_block, merge_own_block, newer_word, older_rules, upheld_block};
use gavel_core::rules::{Effect, Rule};
use gavel_core::say;
use serde::Deserialize;

use super::lenient::Raw;
use super::{Dialect, v1, v2, wire};
use crate::Error;
use crate::http::Http;

/// A rule of 1.x: what it does is called its action.
#[derive(Debug, Deserialize)]
struct OlderRule {
    permission: String,
    pattern: String,
    action: Effect,
}

/// A list of rules from its wire form, in the words of `dialect`. One that is not there is empty.
///
/// # Errors
/// Not all of it can be read. Nothing is left out then: who writes the list back would take the rest away.
pub(super) fn rules(dialect: Dialect, raw: Raw<'_>) -> Result<Vec<Rule>, Error> {
    let Some(raw) = raw else { return Ok(Vec::new()) };
    let read = match dialect {
        Dialect::V1 => serde_json::from_str::<Vec<OlderRule>>(raw.get()).map(|rules| {
            let rule = |OlderRule { permission, pattern, action }| Rule {
                action: permission,
                resource: pattern,
                effect: action,
            };
            rules.into_iter().map(rule).collect()
        }),
        Dialect::V2 => serde_json::from_str(raw.get()),
    };
    read.map_err(|_| Error::Garbled(say!("it holds rules of a kind that is not known")))
}

/// The rules that an event tells of a session, in 2.x words; `None` if it tells of none, or none that can be read.
pub(super) fn told(dialect: Dialect, raw: Raw<'_>) -> Option<Vec<Rule>> {
    raw?;
    rules(dialect, raw).ok().map(|rules| dialect.newer(rules))
}

impl Dialect {
    /// Rules of this dialect in 2.x words.
    #[must_use]
    pub fn newer(self, mut rules: Vec<Rule>) -> Vec<Rule> {
        if self == Self::V1 {
            for rule in &mut rules {
                rule.action = newer_word(&rule.action).to_owned();
            }
        }
        rules
    }

    /// Rules of 2.x in the words of this dialect.
    #[must_use]
    pub fn spelled(self, rules: &[Rule]) -> Cow<'_, [Rule]> {
        match self {
            Self::V1 => Cow::Owned(older_rules(rules)),
            Self::V2 => Cow::Borrowed(rules),
        }
    }

    /// A session's own rules, in the words of this dialect. `None` if the session is deleted.
    ///
    /// # Errors
    /// They could not be had, or not all of them could be read.
    pub async fn session_rules(self, http: &Http, id: &SessionId, directory: &str) -> Result<Option<Vec<Rule>>, Error> {
        match self {
            Self::V1 => v1::with_session(http, id, directory, |wire| rules(self, wire.permission)).await,
            Self::V2 => v2::with_session(http, id, |wire| rules(self, wire.permissions)).await,
        }
    }

    /// What is to be sent so that a session with the rules `current` has `wanted` in the place of `previous`: the whole
    /// list for 2.x, what is to be appended for 1.x. `None` if nothing is. All are in the words of this dialect.
    #[must_use]
    pub fn to_send(self, current: &[Rule], previous: &[Rule], wanted: &[Rule], cause: Cause) -> Option<Vec<Rule>> {
        match (self, cause) {
            (Self::V1, Cause::Choice) => appended_block(current, wanted),
            (Self::V1, Cause::Upkeep) => upheld_block(current, previous, wanted),
            (Self::V2, _) => merge_own_block(current, previous, wanted),
        }
    }

    /// Whether a session that had the rules `before`, and has `after` now, has taken what was `sent`.
    #[must_use]
    pub fn has_taken(self, before: &[Rule], sent: &[Rule], after: &[Rule]) -> bool {
        match self {
            // Others may have appended theirs before or behind it.
            Self::V1 => after.get(before.len()..).is_some_and(|added| holds(added, sent)),
            Self::V2 => after == sent,
        }
    }

    /// Sends what [`Self::to_send`] says. `false` if this server can't set the rules of a session.
    ///
    /// # Errors
    /// The server did not do it.
    pub async fn send_rules(
        self,
        http: &Http,
        routes: &v2::routes::Routes,
        id: &SessionId,
        directory: &str,
        rules: &[Rule],
    ) -> Result<bool, Error> {
        match self {
            Self::V1 if routes.has_no_rules() => Ok(false),
            Self::V1 => {
                let taken = v1::to_wire::append_session_rules(http, id, directory, rules).await?;
                if !taken {
                    routes.remember_no_rules();
                }
                Ok(taken)
            }
            Self::V2 => v2::to_wire::set_session_rules(http, routes, id, rules).await,
        }
    }
}

/// Whether `block` stands in `rules` somewhere, in one piece.
pub fn holds(rules: &[Rule], block: &[Rule]) -> bool {
    block.is_empty() || rules.windows(block.len()).any(|window| window == block)
}

impl wire::Session<'_> {
    /// Its own rules as the event tells them that holds it, in 2.x words.
    pub(super) fn rules(&self, dialect: Dialect) -> Option<Vec<Rule>> {
        match dialect {
            Dialect::V1 => told(dialect, self.permission),
            Dialect::V2 => told(dialect, self.permissions),
        }
    }
}
