//! What the offline analysis finds out on its way.

use gavel_core::Recommendation;
use gavel_core::text::Message;
pub use gavel_core::{Class, Finding, Segment};

/// One thing that a request does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deed {
    pub class: Class,
    pub recommendation: Recommendation,
    /// Begins with a verb in the third person; every character is visible.
    pub why: Message,
}

impl Deed {
    /// Something for the human to decide.
    pub fn ask(class: Class, why: impl Into<Message>) -> Self {
        Self { class, recommendation: Recommendation::Ask, why: why.into() }
    }

    /// A catastrophe.
    pub fn deny(why: impl Into<Message>) -> Self {
        Self { class: Class::Destructive, recommendation: Recommendation::Deny, why: why.into() }
    }

    /// Proven to only read inside the project.
    pub fn allow(why: impl Into<Message>) -> Self {
        Self { class: Class::Reads, recommendation: Recommendation::Allow, why: why.into() }
    }

    /// How bad it is, for choosing the one that decides.
    pub fn weight(&self) -> (u8, Class) {
        (gravity(self.recommendation), self.class)
    }
}

pub(super) fn gravity(recommendation: Recommendation) -> u8 {
    match recommendation {
        Recommendation::Allow => 0,
        Recommendation::Ask => 1,
        Recommendation::Deny => 2,
    }
}

/// A finding about something that has no parts.
pub(super) fn whole(deed: Deed) -> Finding {
    Finding {
        recommendation: deed.recommendation,
        reason: deed.why.to_string(),
        said: deed.why,
        class: deed.class,
        segments: Vec::new(),
    }
}
