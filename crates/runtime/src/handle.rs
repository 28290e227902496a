//! The cheap handle by which hosts reach the driver.

use std::sync::Arc;

use gavel_core::{RequestKey, say};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use url::Url;

use crate::api::{Activity, Answer, Call, Code, Failure, Shortcut, Snapshot};
use crate::failure::Failed;
use crate::message::Message;

/// Something the driver wants of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Show this request: the user opened its notification.
    Show(RequestKey),
    /// Open this address, which the user has read and clicked, in their browser.
    Open(Url),
    /// End the program: the user asked for it.
    Quit,
}

/// The way for hosts to reach the driver. Clones reach the same one.
#[derive(Debug, Clone)]
pub struct Handle {
    pub(crate) messages: mpsc::UnboundedSender<Message>,
    pub(crate) snapshots: watch::Receiver<Arc<Snapshot>>,
    pub(crate) activity: broadcast::Sender<Activity>,
    pub(crate) wishes: broadcast::Sender<Wish>,
}

impl Handle {
    /// Carries out a call of a host.
    ///
    /// # Errors
    /// Whatever went wrong, in words for the user.
    pub async fn call(&self, call: Call) -> Result<Answer, Failure> {
        let (answer, answered) = oneshot::channel();
        let sent = self.messages.send(Message::Call(call, answer));
        match (sent, answered.await) {
            (Ok(()), Ok(answer)) => answer,
            _ => Err(Failed { code: Code::Failed, message: say!("Gavel is ending."), hint: say!("Start it again.") }),
        }
        .map_err(|failed| failed.in_language(self.snapshots.borrow().language))
    }

    /// What is shown now, and everything that will be.
    #[must_use]
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.clone()
    }

    /// Rows of the activity from now on.
    #[must_use]
    pub fn activity(&self) -> broadcast::Receiver<Activity> {
        self.activity.subscribe()
    }

    /// What the driver wants of its host from now on.
    #[must_use]
    pub fn wishes(&self) -> broadcast::Receiver<Wish> {
        self.wishes.subscribe()
    }

    /// Tells the driver whether a tray shows Gavel's icon.
    pub fn set_tray(&self, shown: bool) {
        // A driver that has ended has nobody to tell about the tray.
        let _ = self.messages.send(Message::Tray(shown));
    }

    /// Tells the driver whether the keys that bring the inbox up are heard.
    pub fn set_shortcut(&self, shortcut: Shortcut) {
        // A driver that has ended has nobody to tell.
        let _ = self.messages.send(Message::Shortcut(shortcut));
    }

    /// Takes back notifications, closes the streams, and returns when that is done.
    pub async fn shut_down(&self) {
        let (done, finished) = oneshot::channel();
        if self.messages.send(Message::ShutDown(done)).is_ok() {
            // The sender is dropped without a word if the driver has ended already: that is what was wanted.
            let _ = finished.await;
        }
    }
}
