//! Which language a person reads.

use serde::{Deserialize, Serialize};

/// A language that everything can be said in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Russian.
    Russian,
}

impl Language {
    /// The language that `locale`, such as `ru_RU.UTF-8` or `en-GB`, names; `None` if it is none of those spoken here.
    #[must_use]
    pub fn of_locale(locale: &str) -> Option<Self> {
        let name = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "en" | "c" | "posix" => Some(Self::English),
            "ru" => Some(Self::Russian),
            _ => None,
        }
    }
}
