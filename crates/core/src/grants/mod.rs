//! Grants: what the user allowed for a session, for as long as it lasts.

mod book;
mod offered;

use serde::{Deserialize, Serialize};

pub use book::{Grants, Taken, UNDO};
pub use offered::is_offered;

use crate::modes::covers;
use crate::reach::shell;
use crate::rules::{Case, Pattern, Saved};
use crate::{Ask, Moment, ServerId, Session, SessionId};

/// Names a grant for as long as Gavel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GrantId(pub u64);

/// What the user allowed for a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The server of the session.
    pub server: ServerId,
    /// The session.
    pub session: SessionId,
    /// Whether the sessions of its sub-agents are included, however deep.
    pub includes_children: bool,
    /// What is allowed.
    pub patterns: Vec<Saved>,
    /// The request it was given for, in one line.
    pub title: String,
    /// When it was given.
    pub given: Moment,
    /// How long it lasts.
    pub lasts: Lasts,
    /// How often it has let something pass.
    #[serde(default)]
    pub used: u32,
}

/// What ends a grant, beside the end of its session and its being taken back. Whatever comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lasts {
    /// This moment.
    pub until: Option<Moment>,
    /// As many uses. Zero means that it is used up.
    pub uses: Option<u32>,
    /// The end of the session's run.
    pub for_run: bool,
}

impl Grant {
    /// Whether it is still good at `now`.
    #[must_use]
    pub fn is_live(&self, now: Moment) -> bool {
        self.lasts.until.is_none_or(|until| now < until) && self.lasts.uses != Some(0)
    }

    /// Whether nothing ends it but the end of its session, so that a server may be told of it as a rule.
    #[must_use]
    pub fn lasts_as_session(&self) -> bool {
        self.lasts == Lasts::default()
    }

    /// Whether it allows the whole of `ask`, whose session is the last of `chain`. Whether it is still good is another
    /// matter: see [`Self::is_live`].
    ///
    /// Each resource must be allowed by one of the patterns. A request for nothing in particular is not: nobody can
    /// say what it is about.
    #[must_use]
    pub fn covers(&self, ask: &Ask, chain: &[&Session]) -> bool {
        self.server == ask.key.server
            && self.reaches(&ask.session, chain)
            && !ask.resources.is_empty()
            && ask.resources.iter().all(|resource| self.allows(&ask.action, resource))
    }

    fn reaches(&self, session: &SessionId, chain: &[&Session]) -> bool {
        // A chain of another session says nothing about this one.
        let above =
            || chain.last().is_some_and(|last| last.id == *session) && chain.iter().any(|s| s.id == self.session);
        self.session == *session || (self.includes_children && above())
    }

    fn allows(&self, action: &str, resource: &str) -> bool {
        let matches = |pattern: &str, value: &str| Pattern::new(pattern, Case::Sensitive).matches(value);
        self.patterns.iter().any(|pattern| {
            matches(&pattern.action, action)
                && matches(&pattern.resource, resource)
                && !(leads_elsewhere(action, resource) && is_part(&pattern.resource))
        })
    }
}

/// Whether the pattern stands for a part of what there is, and not for one text or for all.
fn is_part(pattern: &str) -> bool {
    pattern.contains(['*', '?']) && !covers(pattern, "*")
}

/// Whether a wildcard in `resource`'s stead would let through what nobody means by it: a second command behind the
/// first, or a way out of the folder that was named.
fn leads_elsewhere(action: &str, resource: &str) -> bool {
    match action {
        "shell" => shell::read(resource).chained,
        "edit" | "read" | "external_directory" => {
            let mut parts = resource.split(['/', '\\']).skip_while(|part| matches!(*part, "." | ".."));
            parts.any(|part| part == "..")
        }
        _ => false,
    }
}
