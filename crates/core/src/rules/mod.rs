//! OpenCode's rules: what they say about a request, and which of them says it.

pub mod evaluate;
mod overlap;
mod pattern;

use serde::{Deserialize, Serialize};

pub(crate) use evaluate::is_absolute;
pub use evaluate::{Decided, Origin, Rules, Ruling, evaluate};
pub use overlap::may_overlap;
pub use pattern::{Case, Pattern};

/// A rule: what happens to an action on a resource. Of all that match, the last one counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Pattern for the action, in 2.x words.
    pub action: String,
    /// Pattern for the resource.
    pub resource: String,
    /// What happens.
    pub effect: Effect,
}

/// What a rule says shall happen. (A 1.x rule calls this its "action".)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It passes without a question.
    Allow,
    /// Somebody is asked.
    Ask,
    /// It is refused without a question.
    Deny,
}

/// An approval that a project has saved: it answers an ask, and never lifts a deny.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    /// Pattern for the action.
    pub action: String,
    /// Pattern for the resource.
    pub resource: String,
}
