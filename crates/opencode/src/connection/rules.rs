//! The own rules of sessions: what they are, and how Gavel's come among them.

use gavel_core::SessionId;
use gavel_core::modes::Cause;
use gavel_core::rules::Rule;

use super::Connection;
use crate::Error;
use crate::dialect::rules::holds;

/// What came of giving a session rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It had them already.
    Unchanged,
    /// It has them now.
    Written {
        /// How many rules it has in all.
        count: usize,
    },
    /// It no longer exists.
    Deleted,
    /// This server can't set the rules of a session, whatever it may say.
    Unsupported,
}

/// How often rules are sent before it is given up: once for each way there is, and once more because of others.
const TRIES: usize = 4;

impl Connection {
    /// A session's own rules, in 2.x words. `None` if the session is deleted. Its directory may be empty.
    ///
    /// # Errors
    /// They could not be had, or not all of them are understood.
    pub async fn session_rules(&self, session: &SessionId, directory: &str) -> Result<Option<Vec<Rule>>, Error> {
        let shared = &self.shared;
        let dialect = shared.language().await?;
        let _turn = shared.rulings.acquire().await;
        let rules = dialect.session_rules(&shared.clicks, session, directory).await?;
        Ok(rules.map(|rules| dialect.newer(rules)))
    }

    /// Lets a session have the rules `wanted`, behind all others, in the place of `previous`, which Gavel gave it before.
    /// Both are in 2.x words. Nothing is sent if nothing would change, and what is there afterwards is looked at.
    ///
    /// On 1.x, rules can only be added, so nothing is ever taken away there: `wanted` must say everything that
    /// `previous` did. What others have added behind `previous` is overridden if the user's choice is the `cause`.
    ///
    /// # Errors
    /// The server did not do it, gave no clear answer, or has rules that are not understood and would be lost; or other
    /// clients changed the rules every time.
    pub async fn apply_rules(
        &self,
        session: &SessionId,
        directory: &str,
        previous: &[Rule],
        wanted: &[Rule],
        cause: Cause,
    ) -> Result<Applied, Error> {
        let shared = &self.shared;
        let (http, routes) = (&shared.clicks, &shared.routes);
        let dialect = shared.language().await?;
        // Two at once would each undo what the other did.
        let _alone = shared.ruling.take(session).await;
        let _turn = shared.rulings.acquire().await;
        let (mut previous, wanted) = (dialect.spelled(previous), dialect.spelled(wanted));
        let read = async || dialect.session_rules(http, session, directory).await;
        let Some(mut before) = read().await? else { return Ok(Applied::Deleted) };
        let (mut sent_any, mut contested) = (false, false);
        for _ in 0..TRIES {
            let Some(sent) = dialect.to_send(&before, &previous, &wanted, cause) else {
                let count = before.len();
                return Ok(if sent_any { Applied::Written { count } } else { Applied::Unchanged });
            };
            let taken = dialect.send_rules(http, routes, session, directory, &sent).await;
            match taken {
                Ok(true) => sent_any = true,
                Ok(false) => return Ok(Applied::Unsupported),
                Err(error @ Error::Status { status: 404, .. }) => {
                    return if read().await?.is_none() { Ok(Applied::Deleted) } else { Err(error) };
                }
                Err(error) => return Err(error),
            }
            let Some(after) = read().await? else { return Ok(Applied::Deleted) };
            if dialect.has_taken(&before, &sent, &after) {
                routes.rules_landed();
                return Ok(Applied::Written { count: after.len() });
            }
            if after == before && routes.rules_ignored() {
                continue;
            }
            // Another client set the rules in between. Once that may be chance.
            if std::mem::replace(&mut contested, true) {
                return Err(Error::Contested);
            }
            if holds(&after, &wanted) {
                previous.clone_from(&wanted);
            }
            before = after;
        }
        Ok(Applied::Unsupported)
    }
}
