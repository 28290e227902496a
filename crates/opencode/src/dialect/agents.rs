//! The agents of a directory, and what each of them may do.

use gavel_core::rules::Rule;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::lenient::{self, Raw, mend, part, word};
use super::{Dialect, rules, wire};
use crate::Error;
use crate::http::{Http, path};

/// Somebody who can act in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// By what name sessions refer to it.
    pub id: String,
    /// In which sessions it acts.
    pub mode: AgentMode,
    /// Whether it works in the background and is offered to nobody.
    pub hidden: bool,
    /// All its rules, in order and in 2.x words. None if they can't be understood: nothing may be concluded from a part.
    pub rules: Vec<Rule>,
}

/// In which sessions an agent acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentMode {
    /// In those that a person begins.
    Primary,
    /// In those that other agents begin.
    Subagent,
    /// In any.
    All,
}

#[derive(Debug, Deserialize)]
struct WireAgent<'a> {
    #[serde(borrow)]
    id: Raw<'a>,
    #[serde(borrow)]
    name: Raw<'a>,
    #[serde(borrow)]
    mode: Raw<'a>,
    #[serde(borrow)]
    hidden: Raw<'a>,
    #[serde(borrow)]
    permission: Raw<'a>,
    #[serde(borrow)]
    permissions: Raw<'a>,
}

impl Dialect {
    /// The agents of `directory`, as the server has them at this moment: none while it is still loading them.
    ///
    /// # Errors
    /// The list could not be had.
    pub async fn agents(self, http: &Http, directory: &str) -> Result<Vec<Agent>, Error> {
        let route = match self {
            Self::V1 => path(&["agent"], &[("directory", directory)]),
            Self::V2 => path(&["api", "agent"], &[("location[directory]", directory)]),
        };
        let answer = http.get(&route).await?;
        let body = mend(answer.json()?);
        let items: Vec<&RawValue> = match self {
            Self::V1 => lenient::read(&body)?,
            Self::V2 => lenient::read(lenient::read::<wire::Enveloped<'_>>(&body)?.data.get())?,
        };
        Ok(items.into_iter().filter_map(|item| self.agent(item)).collect())
    }

    /// An agent from its wire form; `None` without a name.
    fn agent(self, item: &RawValue) -> Option<Agent> {
        let wire: WireAgent<'_> = lenient::read(item.get()).ok()?;
        let (id, raw) = match self {
            Self::V1 => (wire.name, wire.permission),
            Self::V2 => (wire.id.or(wire.name), wire.permissions),
        };
        let id = word(id)?;
        let rules = rules::rules(self, raw).unwrap_or_else(|error| {
            tracing::warn!(agent = id, %error, "the rules of an agent are not understood");
            Vec::new()
        });
        Some(Agent {
            id,
            mode: match word(wire.mode).as_deref() {
                Some("primary") => AgentMode::Primary,
                Some("subagent") => AgentMode::Subagent,
                _ => AgentMode::All,
            },
            hidden: part(wire.hidden).unwrap_or(false),
            rules: self.newer(rules),
        })
    }
}
