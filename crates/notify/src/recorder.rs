//! A notifier without a desktop, for tests: it keeps the rules of the real one and shows nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gavel_core::RequestKey;
use tokio::sync::{mpsc::UnboundedSender, watch};

use crate::board::{Board, DEFAULT, action_name};
use crate::{Button, Capabilities, Notice, Notifier, Report, State};

/// Remembers what is shown, and clicks when told to.
pub struct Recorder {
    inner: Mutex<Inner>,
    reports: UnboundedSender<Report>,
    shown: watch::Sender<Vec<Notice>>,
}

struct Inner {
    board: Board,
    /// What stands, oldest first.
    screen: Vec<Standing>,
    calls: u32,
    log: Vec<Recorded>,
    state: State,
}

struct Standing {
    id: u32,
    mark: u64,
    notice: Notice,
}

/// Something that a desktop would have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// A notification came up.
    Shown(Notice),
    /// A notification changed in place.
    Updated(Notice),
    /// A notification that stood was taken back.
    Closed(RequestKey),
}

impl Recorder {
    /// A recorder that is ready, has buttons, and reports to `reports`.
    #[must_use]
    pub fn new(reports: UnboundedSender<Report>) -> Arc<Self> {
        let server = "recorder".to_owned();
        let can = Capabilities { actions: true, body: true, markup: false, persistence: true, server };
        let inner =
            Inner { board: Board::default(), screen: Vec::new(), calls: 0, log: Vec::new(), state: State::Ready(can) };
        Arc::new(Self { inner: Mutex::new(inner), reports, shown: watch::Sender::new(Vec::new()) })
    }

    /// What stands on the screen, oldest first.
    #[must_use]
    pub fn shown(&self) -> Vec<Notice> {
        self.shown.borrow().clone()
    }

    /// Everything that was done so far.
    #[must_use]
    pub fn log(&self) -> Vec<Recorded> {
        self.lock().log.clone()
    }

    /// Waits until what stands on the screen fulfils `wish`, for at most `within`; tells whether it does.
    pub async fn wait_for(&self, within: Duration, wish: impl Fn(&[Notice]) -> bool) -> bool {
        let mut watch = self.shown.subscribe();
        tokio::time::timeout(within, watch.wait_for(|shown| wish(shown))).await.is_ok_and(|found| found.is_ok())
    }

    /// Clicks `button` of the notification of `key`, which goes away. False, and nothing happens, if none stands or it
    /// lacks the button.
    pub fn click(&self, key: &RequestKey, button: Button) -> bool {
        self.act(key, |board, standing| {
            let pressed = standing.notice.buttons.contains(&button);
            pressed.then(|| board.clicked(standing.id, &action_name(button, standing.mark)))?
        })
    }

    /// Clicks the notification of `key` itself, which goes away. False if none stands.
    pub fn open(&self, key: &RequestKey) -> bool {
        self.act(key, |board, standing| board.clicked(standing.id, DEFAULT))
    }

    /// Puts the notification of `key` away, as a person would. False if none stands.
    pub fn dismiss(&self, key: &RequestKey) -> bool {
        self.act(key, |board, standing| board.closed(standing.id, Board::DISMISSED))
    }

    /// Changes and reports the state. Nothing comes up before it is [`State::Ready`] again.
    pub fn set_state(&self, state: State) {
        let mut inner = self.lock();
        inner.state = state.clone();
        // A test that no longer listens wants nothing.
        let _ = self.reports.send(Report::State(state));
        self.settle(&mut inner);
    }

    fn act(&self, key: &RequestKey, act: impl FnOnce(&mut Board, &Standing) -> Option<Report>) -> bool {
        let mut inner = self.lock();
        let Inner { board, screen, .. } = &mut *inner;
        let Some(standing) = screen.iter().find(|standing| standing.notice.key == *key) else { return false };
        let Some(report) = act(board, standing) else { return false };
        // Whatever the person does to it makes it go away. That it is gone is reported with what they did, if at all.
        let _ = board.closed(standing.id, Board::DISMISSED);
        screen.retain(|standing| standing.notice.key != *key);
        let heard = self.reports.send(report).is_ok();
        self.settle(&mut inner);
        heard
    }

    /// Does what a desktop would have to do by now.
    fn settle(&self, inner: &mut Inner) {
        while matches!(inner.state, State::Ready(_)) {
            inner.calls += 1;
            let Some(post) = inner.board.post(inner.calls.into(), Instant::now()) else { break };
            let id = if post.replaces == 0 { inner.calls } else { post.replaces };
            if let Some(unwanted) = inner.board.posted(post.call, id) {
                inner.screen.retain(|standing| standing.id != unwanted);
                continue;
            }
            if let Some(standing) = inner.screen.iter_mut().find(|standing| standing.id == id) {
                standing.notice = post.notice.clone();
                inner.log.push(Recorded::Updated(post.notice));
            } else {
                inner.screen.push(Standing { id, mark: post.mark, notice: post.notice.clone() });
                inner.log.push(Recorded::Shown(post.notice));
            }
        }
        let shown: Vec<Notice> = inner.screen.iter().map(|standing| standing.notice.clone()).collect();
        self.shown.send_if_modified(|old| std::mem::replace(old, shown) != *old);
    }

    fn take_back(&self, keys: &[RequestKey]) {
        let mut inner = self.lock();
        for key in keys {
            if let Some(id) = inner.board.close(key) {
                inner.screen.retain(|standing| standing.id != id);
                inner.log.push(Recorded::Closed(key.clone()));
            }
        }
        self.settle(&mut inner);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notifier for Recorder {
    fn show(&self, notice: Notice) {
        let mut inner = self.lock();
        inner.board.show(notice);
        self.settle(&mut inner);
    }

    fn close(&self, key: &RequestKey) {
        self.take_back(std::slice::from_ref(key));
    }

    fn close_all(&self) {
        let keys = self.lock().board.keys();
        self.take_back(&keys);
    }

    fn state(&self) -> State {
        self.lock().state.clone()
    }

    fn flush(&self, _within: Duration) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
