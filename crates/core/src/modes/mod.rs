//! Modes: how much an agent may do without asking, and the session rules that say so to its server.

mod block;
mod configured;
mod cover;
mod defaults;
mod older;
mod paths;
mod unasked;

use serde::{Deserialize, Serialize};

pub use block::{Cause, appended_block, merge_own_block, upheld_block};
pub use configured::{Configured, configured};
pub use cover::{covers, without_dead};
pub use defaults::Defaults;
pub use older::{newer_word, older_rules, older_word};
pub use paths::path_allowances;
pub use unasked::{Unasked, configuration};

use crate::rules::{Case, Effect, Pattern, Rule, Saved};

/// How much an agent may do without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Everything.
    FullAccess,
    /// Commands, edits and everything outside the project are asked.
    Supervised,
    /// As supervised, for the server: that a judge may answer is Gavel's affair.
    Auto,
    /// As supervised, but files of the project may be edited.
    AutoAcceptEdits,
}

impl Mode {
    /// All of them, from the widest to the narrowest.
    pub const ALL: [Self; 4] = [Self::FullAccess, Self::AutoAcceptEdits, Self::Auto, Self::Supervised];

    /// Whether it asks about anything at all.
    #[must_use]
    pub const fn narrows(self) -> bool {
        !matches!(self, Self::FullAccess)
    }
}

/// What somebody chose for a session, a project or a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stance {
    /// How much the agent may do.
    pub mode: Mode,
    /// Whether it may only plan: on top of the mode, no file is edited but the plan.
    #[serde(default)]
    pub plan: bool,
    /// Whether it may start sub-agents.
    #[serde(default = "yes")]
    pub subagents: bool,
}

const fn yes() -> bool {
    true
}

impl From<Mode> for Stance {
    /// The mode alone: no plan, sub-agents allowed.
    fn from(mode: Mode) -> Self {
        Self { mode, plan: false, subagents: true }
    }
}

/// The places that agents may use whatever the mode, as [`path_allowances`] finds them.
#[derive(Debug, Clone, Copy, Default)]
pub struct AgentPaths<'a> {
    /// Those of the agent that acts in the session.
    pub acting: &'a [Rule],
    /// Those of the agent `plan`.
    pub plan: &'a [Rule],
}

/// The rules that make a server do what `stance` says. Of all that match the last one counts, so each part overrides
/// those before it: the mode, the places of the acting agent, the plan, the grants, the extra rules, the sub-agents.
///
/// While only a plan may be written, grants to edit are left out: somebody who asks for a plan takes them back.
#[must_use]
pub fn session_rules(stance: Stance, paths: AgentPaths<'_>, grants: &[Saved], extra: &[Rule]) -> Vec<Rule> {
    let mut rules = vec![blanket("*", Effect::Allow)];
    if stance.mode.narrows() {
        let edit = if stance.mode == Mode::AutoAcceptEdits { Effect::Allow } else { Effect::Ask };
        rules.extend([blanket("shell", Effect::Ask), blanket("edit", edit), blanket(OUTSIDE, Effect::Ask)]);
        // A tool's output that was too long lies outside the project: without these, reading it would be asked.
        rules.extend(paths.acting.iter().filter(|rule| rule.action == OUTSIDE).cloned());
    }
    if stance.plan {
        rules.push(blanket(EDIT, Effect::Deny));
        // Where nothing is asked outside the project, there is nothing of it to be taken back.
        let wanted = |rule: &&Rule| match rule.action.as_str() {
            EDIT => true,
            OUTSIDE => stance.mode.narrows() || rule.effect == Effect::Allow,
            _ => false,
        };
        rules.extend(paths.plan.iter().filter(wanted).cloned());
    }
    let edits = |grant: &&Saved| Pattern::new(&grant.action, Case::Folded).matches(EDIT);
    let grants = grants.iter().filter(|grant| !(stance.plan && edits(grant)));
    rules.extend(grants.map(allowance));
    rules.extend_from_slice(extra);
    if !stance.subagents {
        rules.push(blanket("subagent", Effect::Deny));
    }
    rules
}

/// The rules that are Gavel's in a session: those of its stance, or without one merely its grants.
#[must_use]
pub fn own_rules(stance: Option<Stance>, paths: AgentPaths<'_>, grants: &[Saved]) -> Vec<Rule> {
    match stance {
        Some(stance) => session_rules(stance, paths, grants, &[]),
        None => grants.iter().map(allowance).collect(),
    }
}

fn allowance(Saved { action, resource }: &Saved) -> Rule {
    Rule { action: action.clone(), resource: resource.clone(), effect: Effect::Allow }
}

/// The action of going outside the project.
const OUTSIDE: &str = "external_directory";

/// The action of changing a file.
const EDIT: &str = "edit";

fn blanket(action: &str, effect: Effect) -> Rule {
    Rule { action: action.to_owned(), resource: "*".to_owned(), effect }
}
