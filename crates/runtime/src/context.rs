//! What the user had asked for where a request comes from: read once for every request, beside everything else.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use gavel_core::{Ask, RequestKey, Route, SessionId};
use gavel_opencode::Connection;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

use crate::message::Message;

/// How long the server may take to say it. A judge waits for it that long, and nothing else does.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the user said, in a request that is or was waiting.
pub(crate) struct Context {
    messages: UnboundedSender<Message>,
    asked: HashMap<RequestKey, (SessionId, Words)>,
}

/// A request or a question, as far as it says where it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asks<'a> {
    pub(crate) key: &'a RequestKey,
    pub(crate) session: &'a SessionId,
    pub(crate) route: Route,
}

impl<'a> From<&'a Ask> for Asks<'a> {
    fn from(ask: &'a Ask) -> Self {
        Self { key: &ask.key, session: &ask.session, route: ask.route }
    }
}

/// What the user said, as soon as that is known, or known not to be had.
#[derive(Debug, Clone)]
pub(crate) struct Words(watch::Receiver<Option<Said>>);

/// What the user said; `None` if that is not to be had.
type Said = Option<Arc<str>>;

impl Words {
    /// Words that nobody will say.
    pub(crate) fn none() -> Self {
        Self(watch::channel(Some(None)).1)
    }

    /// The words, once they are known.
    pub(crate) async fn known(mut self) -> Said {
        // Whoever is to say them may be gone without having done so.
        self.0.wait_for(Option::is_some).await.ok().and_then(|said| said.clone().flatten())
    }
}

impl Context {
    pub(crate) fn new(messages: UnboundedSender<Message>) -> Self {
        Self { messages, asked: HashMap::new() }
    }

    /// Whether the server was asked what the user said there.
    pub(crate) fn knows(&self, asks: Asks<'_>) -> bool {
        self.asked.get(asks.key).is_some_and(|(session, _)| session == asks.session)
    }

    /// Asks the server what the user said, unless that was done for this request already. `waits` says which requests
    /// are still to be remembered.
    pub(crate) fn seek(&mut self, asks: Asks<'_>, connection: Option<Connection>, waits: impl Fn(&RequestKey) -> bool) {
        if self.knows(asks) {
            return;
        }
        self.asked.retain(|key, _| waits(key));
        let Some(connection) = connection else { return };
        let (known, words) = watch::channel(None);
        let Asks { key, session, route } = asks;
        self.asked.insert(key.clone(), (session.clone(), Words(words)));
        let (messages, session) = (self.messages.clone(), session.clone());
        tokio::spawn(async move {
            let read = tokio::time::timeout(PATIENCE, connection.last_request(route, &session)).await;
            let said = match read {
                Ok(Ok(said)) => said.map(Arc::from),
                Ok(Err(error)) => {
                    tracing::debug!(%error, "what the user said is not known");
                    None
                }
                Err(_) => None,
            };
            known.send_replace(Some(said));
            // What is shown has changed.
            let _ = messages.send(Message::Words);
        });
    }

    /// What the user said where the request `key` comes from.
    pub(crate) fn words(&self, key: &RequestKey) -> Words {
        self.asked.get(key).map_or_else(Words::none, |(_, words)| words.clone())
    }

    /// As [`Self::words`], as far as it is known now.
    pub(crate) fn said(&self, key: &RequestKey) -> Option<Arc<str>> {
        self.asked.get(key).and_then(|(_, words)| words.0.borrow().clone().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn words_are_waited_for_and_none_are_not() {
        assert_eq!(Words::none().known().await, None);
        let (known, words) = watch::channel(None);
        let (waiting, late) = (tokio::spawn(Words(words.clone()).known()), Words(words));
        known.send_replace(Some(Some("tidy up".into())));
        assert_eq!(waiting.await.unwrap().as_deref(), Some("tidy up"));
        assert_eq!(late.known().await.as_deref(), Some("tidy up"));
        let (known, words) = watch::channel(None);
        drop(known);
        assert_eq!(Words(words).known().await, None);
    }
}
