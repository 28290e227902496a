//! A notifier without a desktop, for tests.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gavel_core::RequestKey;
use tokio::sync::{mpsc::UnboundedSender, watch};

use crate::{Button, Capabilities, Notice, Notifier, Report, State};

/// Remembers what is shown, and clicks when told to.
pub struct Recorder {
    inner: Mutex<Inner>,
    reports: UnboundedSender<Report>,
    shown: watch::Sender<Vec<Notice>>,
}

struct Inner {
    log: Vec<Recorded>,
    state: State,
}

/// Something a [`Recorder`] was asked to do and that a desktop would have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// A notification came up.
    Shown(Notice),
    /// A notification changed in place.
    Updated(Notice),
    /// A notification was taken back.
    Closed(RequestKey),
}

impl Recorder {
    /// A recorder that is ready, with buttons, and reports to `reports`.
    #[must_use]
    pub fn new(reports: UnboundedSender<Report>) -> Arc<Self> {
        let capabilities =
            Capabilities { actions: true, body: true, markup: false, persistence: true, server: "recorder".to_owned() };
        let inner = Inner { log: Vec::new(), state: State::Ready(capabilities) };
        Arc::new(Self { inner: Mutex::new(inner), reports, shown: watch::Sender::new(Vec::new()) })
    }

    /// What is on the screen, oldest first.
    #[must_use]
    pub fn shown(&self) -> Vec<Notice> {
        self.shown.borrow().clone()
    }

    /// Everything that was done so far.
    #[must_use]
    pub fn log(&self) -> Vec<Recorded> {
        self.lock().log.clone()
    }

    /// Waits until what is on the screen fulfils `wish`, for at most `within`; tells whether it does.
    pub async fn wait_for(&self, within: Duration, wish: impl Fn(&[Notice]) -> bool) -> bool {
        let mut watch = self.shown.subscribe();
        tokio::time::timeout(within, watch.wait_for(|shown| wish(shown))).await.is_ok_and(|found| found.is_ok())
    }

    /// Clicks `button` of the notification of `key`, which goes away. False, and nothing happens, if there is none or
    /// it lacks the button.
    pub fn click(&self, key: &RequestKey, button: Button) -> bool {
        self.act(key, Some(button), Report::Clicked { key: key.clone(), button })
    }

    /// Clicks the notification of `key` itself, which goes away. False if there is none.
    pub fn open(&self, key: &RequestKey) -> bool {
        self.act(key, None, Report::Opened { key: key.clone() })
    }

    /// Puts the notification of `key` away, as a person would. False if there is none.
    pub fn dismiss(&self, key: &RequestKey) -> bool {
        self.act(key, None, Report::Dismissed { key: key.clone() })
    }

    /// Changes and reports the state.
    pub fn set_state(&self, state: State) {
        self.lock().state = state.clone();
        // A test that no longer listens wants nothing.
        let _ = self.reports.send(Report::State(state));
    }

    fn act(&self, key: &RequestKey, button: Option<Button>, report: Report) -> bool {
        let fits = |notice: &Notice| notice.key == *key && button.is_none_or(|button| notice.buttons.contains(&button));
        let there = self.shown.send_if_modified(|shown| {
            let before = shown.len();
            shown.retain(|notice| !fits(notice));
            shown.len() != before
        });
        there && self.reports.send(report).is_ok()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notifier for Recorder {
    fn show(&self, notice: Notice) {
        let mut inner = self.lock();
        self.shown.send_if_modified(|shown| match shown.iter_mut().find(|old| old.key == notice.key) {
            Some(old) if *old == notice => false,
            Some(old) => {
                *old = notice.clone();
                inner.log.push(Recorded::Updated(notice));
                true
            }
            None => {
                shown.push(notice.clone());
                inner.log.push(Recorded::Shown(notice));
                true
            }
        });
    }

    fn close(&self, key: &RequestKey) {
        let mut inner = self.lock();
        self.shown.send_if_modified(|shown| {
            let before = shown.len();
            shown.retain(|notice| notice.key != *key);
            if shown.len() != before {
                inner.log.push(Recorded::Closed(key.clone()));
            }
            shown.len() != before
        });
    }

    fn close_all(&self) {
        for notice in self.shown() {
            self.close(&notice.key);
        }
    }

    fn state(&self) -> State {
        self.lock().state.clone()
    }

    fn flush(&self, _within: Duration) -> bool {
        true
    }
}
