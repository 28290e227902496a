//! Routes that moved between releases, and which of them a server turned out to have.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::Error;
use crate::dialect::failure::is_no_route;
use crate::http::Answer;

/// What was found out about one server's routes. Forgotten when another version may have taken its place.
#[derive(Debug, Default)]
pub struct Routes {
    /// Which way a session's rules are set.
    pub(super) rules: Way,
    /// Which way a form is cancelled.
    pub(super) cancel: Way,
}

impl Routes {
    /// Forgets everything.
    pub fn forget(&self) {
        self.rules.0.store(UNKNOWN, Ordering::Relaxed);
        self.cancel.0.store(UNKNOWN, Ordering::Relaxed);
    }
}

const UNKNOWN: u8 = 0;
const NEWER: u8 = 1;
const OLDER: u8 = 2;
const NEITHER: u8 = 3;

/// Which of two ways to do the same a server has: the newer, the older, or neither.
#[derive(Debug, Default)]
pub(super) struct Way(AtomicU8);

impl Way {
    /// Goes the way that is known to be there; otherwise tries the newer and then the older one. `None` if the server
    /// has neither.
    pub(super) async fn go(
        &self,
        newer: impl AsyncFnOnce() -> Result<Answer, Error>,
        older: impl AsyncFnOnce() -> Result<Answer, Error>,
    ) -> Result<Option<Answer>, Error> {
        let known = self.0.load(Ordering::Relaxed);
        if known == NEITHER {
            return Ok(None);
        }
        if known != OLDER {
            let answer = newer().await?;
            if !is_no_route(&answer) {
                self.0.store(NEWER, Ordering::Relaxed);
                return Ok(Some(answer));
            }
        }
        let answer = older().await?;
        let there = !is_no_route(&answer);
        self.0.store(if there { OLDER } else { NEITHER }, Ordering::Relaxed);
        Ok(there.then_some(answer))
    }
}
