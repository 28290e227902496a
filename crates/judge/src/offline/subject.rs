//! What is judged.

use gavel_core::{Ask, Detail};

/// A request, with the places that it is measured by.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// What kind of thing is asked, in the words of [`Ask::action`].
    pub action: &'a str,
    /// What exactly is asked for.
    pub resources: &'a [String],
    /// The particulars.
    pub detail: &'a Detail,
    /// Absolute path of the project. Where it isn't an absolute POSIX path nothing is ever allowed.
    pub project: &'a str,
    /// Absolute path of the user's home, if it is known.
    pub home: Option<&'a str>,
}

impl<'a> Subject<'a> {
    /// The subject of `ask`, asked on a machine where the user's home is `home`.
    #[must_use]
    pub fn of(ask: &'a Ask, home: Option<&'a str>) -> Self {
        Self { action: &ask.action, resources: &ask.resources, detail: &ask.detail, project: &ask.directory, home }
    }
}
