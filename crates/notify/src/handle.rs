//! The cheap end of a back-end: hands every call over to the thread that owns the desktop.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use gavel_core::text::plain;
use gavel_core::{RequestKey, say};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::{Notice, Notifier, Report, State};

/// What a [`Handle`] asks of the thread behind it.
#[derive(Debug)]
pub(crate) enum Command {
    Show(Notice),
    Close(RequestKey),
    CloseAll,
    /// Say so when everything asked for before is done.
    Flush(mpsc::SyncSender<()>),
}

/// A [`Notifier`] that hands over. When the last one is dropped, the thread takes back what it shows and ends.
pub(crate) struct Handle {
    commands: UnboundedSender<Command>,
    state: Shared,
}

/// The state as the callers see it, and the way reports go out.
#[derive(Clone)]
pub(crate) struct Shared {
    state: Arc<Mutex<State>>,
    reports: UnboundedSender<Report>,
}

impl Shared {
    pub(crate) fn get(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the state, and reports it if it is news.
    pub(crate) fn set(&self, new: State) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state != new {
            tracing::info!(state = ?new, "notifications");
            *state = new.clone();
            drop(state);
            self.report(Report::State(new));
        }
    }

    /// Sends a report. Nobody listening is no reason to stop: the program is about to end.
    pub(crate) fn report(&self, report: Report) {
        if self.reports.send(report).is_err() {
            tracing::debug!("nobody listens to notifications");
        }
    }
}

/// Starts the thread of a back-end and returns the end that hands over to it.
///
/// A thread of its own, so that it works whether or not the caller lives in a runtime, and so that nothing a desktop
/// does can hold up anything else.
pub(crate) fn start(
    reports: UnboundedSender<Report>,
    body: impl FnOnce(UnboundedReceiver<Command>, &Shared) + Send + 'static,
) -> Arc<dyn Notifier> {
    let (commands, received) = unbounded_channel();
    let state = Shared { state: Arc::new(Mutex::new(State::Starting)), reports };
    let inside = state.clone();
    let started = std::thread::Builder::new().name("notifications".to_owned()).spawn(move || body(received, &inside));
    if let Err(error) = started {
        state.set(no_thread(&error));
    }
    Arc::new(Handle { commands, state })
}

/// Runs `body`, the whole life of a back-end, on this thread.
pub(crate) fn block_on(shared: &Shared, body: impl Future<Output = ()>) {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(body),
        Err(error) => shared.set(no_thread(&error)),
    }
}

fn no_thread(error: &std::io::Error) -> State {
    State::Unavailable {
        reason: say!("the thread for notifications could not be started: {}", plain(error.to_string())),
        hint: say!("use the tray and the window, and restart Gavel"),
    }
}

impl Handle {
    fn hand_over(&self, command: Command) {
        if self.commands.send(command).is_err() {
            // Its state says why; the request waits in the tray and the window all the same.
            tracing::debug!("no thread for notifications");
        }
    }
}

impl Notifier for Handle {
    fn show(&self, notice: Notice) {
        self.hand_over(Command::Show(notice));
    }

    fn close(&self, key: &RequestKey) {
        self.hand_over(Command::Close(key.clone()));
    }

    fn close_all(&self) {
        self.hand_over(Command::CloseAll);
    }

    fn state(&self) -> State {
        self.state.get()
    }

    fn flush(&self, within: Duration) -> bool {
        let (done, wait) = mpsc::sync_channel(1);
        self.hand_over(Command::Flush(done));
        wait.recv_timeout(within).is_ok()
    }
}
