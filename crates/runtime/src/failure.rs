//! Why a call could not be carried out, before it is said in a language.

use std::fmt;

use gavel_core::text::{Language, Message};

use crate::api::{Code, Failure};

/// A [`Failure`] for any language. As text it is English, for the log.
#[derive(Debug, Clone)]
pub(crate) struct Failed {
    pub(crate) code: Code,
    /// What went wrong.
    pub(crate) message: Message,
    /// What the user can do about it.
    pub(crate) hint: Message,
}

impl Failed {
    pub(crate) fn in_language(&self, language: Language) -> Failure {
        Failure { code: self.code, message: self.message.in_language(language), hint: self.hint.in_language(language) }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}
