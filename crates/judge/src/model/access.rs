//! What opens the door to a judge. None of it is ever shown, logged or written.

use std::fmt;

/// What stands in the place of a secret wherever it would be shown.
pub(super) const HIDDEN: &str = "***";

/// A key, as it was handed in. It can't be printed, and its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key(String);

impl Key {
    /// The key in `text`, without the white space that a file or a variable may have around it; `None` if it is empty.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key itself, for the one request it is made for.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({HIDDEN})")
    }
}

/// Whether there is a key, and whether one is needed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Access {
    /// With this key.
    Key(Key),
    /// Without one: a model on this machine, or one whose key is among the headers.
    Open,
    /// One is needed and is not to be had. Nothing is sent.
    Missing,
}

/// Headers that are passed through as they are, such as `x-litellm-api-key`. Their values count as secrets.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// These headers.
    #[must_use]
    pub fn new(headers: Vec<(String, String)>) -> Self {
        Self(headers)
    }

    /// Names and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether a header of this name is among them.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(name, _)| (name, HIDDEN))).finish()
    }
}
