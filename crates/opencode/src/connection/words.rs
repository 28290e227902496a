//! What the user last said where a request comes from, and which model speaks there.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gavel_core::{Route, SessionId};

use super::Connection;
use crate::Error;
use crate::dialect::history::{self, ModelRef};
use crate::dialect::{Dialect, Existence};

/// Chains of sessions are followed this far.
const DEEPEST: usize = 64;

/// Of how many sessions it is remembered what belongs to them.
const MOST: usize = 1000;

/// What is remembered of what users said.
#[derive(Debug, Default)]
pub(super) struct Words(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// What was last said in a root session.
    said: HashMap<SessionId, Option<String>>,
    /// The parents of sessions; they never change.
    parents: HashMap<SessionId, Option<SessionId>>,
    /// Counts what made something out of date.
    news: u64,
}

impl Words {
    /// Something new may have been said in a session.
    pub(super) fn said_something(&self, session: &SessionId) {
        let mut known = self.known();
        known.news += 1;
        known.said.remove(session);
    }

    /// What was said meanwhile was not heard.
    pub(super) fn missed(&self) {
        let mut known = self.known();
        known.news += 1;
        known.said.clear();
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// What the user last said in the session that `session` is, or works for; `None` if they said nothing there. It is
    /// remembered until something else is said.
    ///
    /// # Errors
    /// It could not be had.
    pub async fn last_request(&self, route: Route, session: &SessionId) -> Result<Option<String>, Error> {
        let words = &self.shared.words;
        let root = self.root(route, session).await?;
        let before = {
            let known = words.known();
            if let Some(said) = known.said.get(&root) {
                return Ok(said.clone());
            }
            known.news
        };
        let said = history::last_request(&self.shared.asides, route, &root).await?;
        let mut known = words.known();
        // What was said while this was being read may be newer.
        if known.news == before {
            if known.said.len() >= MOST {
                known.said.clear();
            }
            known.said.insert(root, said.clone());
        }
        Ok(said)
    }

    /// The model that speaks in a session; `None` if the session names none.
    ///
    /// # Errors
    /// It could not be had.
    pub async fn last_model(&self, route: Route, session: &SessionId) -> Result<Option<ModelRef>, Error> {
        history::last_model(&self.shared.asides, route, session).await
    }

    /// The session at the top of `session`'s chain.
    async fn root(&self, route: Route, session: &SessionId) -> Result<SessionId, Error> {
        let dialect = if route == Route::V2 { Dialect::V2 } else { Dialect::V1 };
        let words = &self.shared.words;
        let mut top = session.clone();
        for _ in 0..DEEPEST {
            let known = words.known().parents.get(&top).cloned();
            let parent = match known {
                Some(parent) => parent,
                None => {
                    let Existence::Alive(found) = dialect.session(&self.shared.asides, &top, "").await? else {
                        return Err(Error::NoSession);
                    };
                    let mut known = words.known();
                    if known.parents.len() >= MOST {
                        known.parents.clear();
                    }
                    known.parents.insert(top.clone(), found.parent.clone());
                    found.parent
                }
            };
            match parent {
                Some(parent) => top = parent,
                None => return Ok(top),
            }
        }
        // A chain without an end has no user at its top.
        Err(Error::NoSession)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_counts_until_something_else_is() {
        let words = Words::default();
        let said = |session: &str| words.known().said.get(&session.into()).cloned();
        words.known().said.extend([("a".into(), Some("one".to_owned())), ("b".into(), None)]);
        words.said_something(&"a".into());
        assert_eq!((said("a"), said("b")), (None, Some(None)));
        words.missed();
        assert_eq!((said("b"), words.known().news), (None, 2));
    }
}
