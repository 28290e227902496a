//! Sessions of Gavel's that may not have ended: they are tried again, and stay hidden until then.

use std::sync::{Mutex, PoisonError};

use gavel_core::SessionId;

/// The most that are remembered. The next run finds what is beyond them by its mark.
const MOST: usize = 10;

/// What may be left. Titles are of sessions that may begin yet: nobody else can have one of these.
#[derive(Debug, Default)]
pub(super) struct Leftovers(Mutex<Left>);

/// Some of it.
#[derive(Debug, Default)]
pub(super) struct Left {
    pub(super) titles: Vec<String>,
    pub(super) ids: Vec<SessionId>,
}

impl Leftovers {
    /// The session of this title may begin yet. Gives a title that there is no room for any more.
    pub(super) fn keep_title(&self, title: &str) -> Option<String> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.titles.push(title.to_owned());
        (left.titles.len() > MOST).then(|| left.titles.remove(0))
    }

    /// This session could not be ended.
    pub(super) fn keep(&self, id: &SessionId) {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.ids.push(id.clone());
        if left.ids.len() > MOST {
            left.ids.remove(0);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        left.titles.is_empty() && left.ids.is_empty()
    }

    /// All of it, for whoever tries again and keeps what is left even then.
    pub(super) fn take(&self) -> Left {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
