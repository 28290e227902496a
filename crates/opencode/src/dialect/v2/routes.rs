//! Routes that moved between releases, and which of them a server turned out to have.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::Error;
use crate::dialect::failure::is_no_route;
use crate::http::Answer;

/// What was found out about one server's routes. Forgotten when another version may have taken its place.
#[derive(Debug, Default)]
pub struct Routes {
    /// Which way a session's rules are set.
    pub(super) rules: Way,
    /// Whether rules that were sent this way were seen to be there afterwards.
    rules_proven: AtomicBool,
    /// Which way a form is cancelled.
    pub(super) cancel: Way,
}

impl Routes {
    /// Forgets everything.
    pub fn forget(&self) {
        self.rules.0.store(UNKNOWN, Ordering::Relaxed);
        self.rules_proven.store(false, Ordering::Relaxed);
        self.cancel.0.store(UNKNOWN, Ordering::Relaxed);
    }

    /// Forgets what seemed not to be there at all.
    pub fn look_again(&self) {
        for way in [&self.rules.0, &self.cancel.0] {
            // Somebody else may just have found a way: that stays.
            let _ = way.compare_exchange(NEITHER, UNKNOWN, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Rules that were sent are there.
    pub fn rules_landed(&self) {
        self.rules_proven.store(true, Ordering::Relaxed);
    }

    /// Rules were sent, the server said that it took them, and nothing of them is there: some releases skip what they
    /// don't know. After the newer way the older one is left to be tried, after that none. `false` if rules were seen to
    /// be taken before: then somebody else has a hand in it, and the way is a good one.
    pub fn rules_ignored(&self) -> bool {
        if self.rules_proven.load(Ordering::Relaxed) {
            return false;
        }
        let used = self.rules.0.load(Ordering::Relaxed);
        self.rules.0.store(if used == NEWER { OLDER } else { NEITHER }, Ordering::Relaxed);
        true
    }

    /// There is no way to set a session's rules.
    pub fn remember_no_rules(&self) {
        self.rules.0.store(NEITHER, Ordering::Relaxed);
    }

    /// Whether it is known that there is no way to set a session's rules.
    pub fn has_no_rules(&self) -> bool {
        self.rules.0.load(Ordering::Relaxed) == NEITHER
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
