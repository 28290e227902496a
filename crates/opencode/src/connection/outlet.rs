//! The way out: events to whoever drives the flow machine.

use std::time::Duration;

use gavel_core::flow::{Event, WireEvent};
use gavel_core::{Link, ServerId};
use tokio::sync::mpsc::{self, error::SendTimeoutError};

use super::hidden::Hidden;
use crate::Error;

/// Passes events on, in order.
///
/// The stream must always be read, for a server keeps in memory what its readers don't take; and no event about a
/// request may be dropped. Both hold because very little gets here: the flood of a streaming answer ends in the
/// decoder, and a mere sign of life is dropped when the channel is full. Anything else waits for room, but only for a
/// limited time: then the stream is given up, the server is rid of us, and the listing after the next connect restores
/// what was missed.
#[derive(Debug)]
pub(super) struct Outlet {
    id: ServerId,
    events: mpsc::Sender<Event>,
    stall: Duration,
    /// What nobody is told of.
    pub(super) hidden: Hidden,
}

impl Outlet {
    pub(super) fn new(id: ServerId, events: mpsc::Sender<Event>, stall: Duration) -> Self {
        Self { id, events, stall, hidden: Hidden::default() }
    }

    /// Something was said.
    ///
    /// # Errors
    /// Nobody took it in time, or ever will.
    pub(super) async fn wire(&self, event: WireEvent) -> Result<(), Error> {
        match self.hidden.visible(event) {
            Some(event) => self.send(Event::Wire(self.id.clone(), event)).await,
            None => Ok(()),
        }
    }

    /// The connection changed its state.
    ///
    /// # Errors
    /// As [`Self::wire`].
    pub(super) async fn link(&self, link: Link) -> Result<(), Error> {
        self.send(Event::Link(self.id.clone(), link)).await
    }

    /// The server lives.
    pub(super) fn heard(&self) {
        // A full channel shows that there is livelier news.
        let _ = self.events.try_send(Event::Heard(self.id.clone()));
    }

    /// Waits until nobody takes events any more.
    pub(super) async fn closed(&self) {
        self.events.closed().await;
    }

    async fn send(&self, event: Event) -> Result<(), Error> {
        self.events.send_timeout(event, self.stall).await.map_err(|error| match error {
            SendTimeoutError::Timeout(_) | SendTimeoutError::Closed(_) => Error::Stalled,
        })
    }
}
