//! Notifications without buttons, through `notify-rust`: what macOS and Windows get.
//!
//! It claims no more than holds everywhere: `notify-rust` has buttons on some of these desktops, but on macOS it takes
//! a click on the list of buttons for a click on the first of them, which would be to approve. And since a
//! notification can neither be replaced nor, on macOS and Windows, taken back, each request is shown once.
//!
//! On Linux [`crate::linux`] is better in every way, because `notify-rust` begins to listen for clicks only after a
//! notification is shown, and waits for the desktop without end. There this module serves the tests.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use gavel_core::{RequestKey, say};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::handle::{self, Command, Shared};
use crate::letter::fit;
use crate::probe::Probe;
use crate::{Capabilities, Error, Notice, Notifier, Options, Report, State};

#[cfg_attr(all(unix, not(target_os = "macos")), path = "plain/freedesktop.rs")]
#[cfg_attr(not(all(unix, not(target_os = "macos"))), path = "plain/native.rs")]
mod desktop;

/// Notifications without buttons.
#[must_use]
pub fn start(options: Options, reports: UnboundedSender<Report>) -> Arc<dyn Notifier> {
    handle::start(reports, move |commands, shared| {
        handle::block_on(shared, Thread::new(options, shared.clone()).run(commands));
    })
}

struct Thread {
    options: Options,
    shared: Shared,
    sheets: BTreeMap<RequestKey, Sheet>,
    /// What the desktop can do, once it is known.
    can: Option<Capabilities>,
    retry: Probe,
    last: u64,
}

struct Sheet {
    notice: Notice,
    arrived: u64,
    shown: Option<desktop::Shown>,
}

impl Thread {
    fn new(options: Options, shared: Shared) -> Self {
        let retry = Probe::new(options.retry);
        Self { options, shared, sheets: BTreeMap::new(), can: None, retry, last: 0 }
    }

    async fn run(mut self, mut commands: UnboundedReceiver<Command>) {
        loop {
            let due = self.can.is_none() || self.sheets.values().any(|sheet| sheet.shown.is_none());
            if due && self.retry.is_due(Instant::now()) {
                self.catch_up().await;
            }
            let again = async {
                match self.retry.at().filter(|_| due) {
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            let command = tokio::select! {
                command = commands.recv() => command,
                () = again => continue,
            };
            match command {
                Some(Command::Show(notice)) => self.take(notice),
                Some(Command::Close(key)) => {
                    if let Some(sheet) = self.sheets.remove(&key) {
                        self.take_back(sheet).await;
                    }
                }
                Some(Command::CloseAll) => self.close_all().await,
                Some(Command::Flush(done)) => {
                    // A caller that no longer waits is none the worse.
                    let _ = done.try_send(());
                }
                None => return self.close_all().await,
            }
        }
    }

    /// Keeps `notice` for [`Thread::catch_up`], unless its request has been shown and has not become urgent since.
    fn take(&mut self, notice: Notice) {
        self.last += 1;
        match self.sheets.get_mut(&notice.key) {
            Some(sheet) => {
                if notice.urgent && !sheet.notice.urgent {
                    sheet.shown = None;
                }
                sheet.notice = notice;
            }
            None => {
                self.sheets.insert(notice.key.clone(), Sheet { notice, arrived: self.last, shown: None });
            }
        }
        if self.can.is_some() {
            self.retry = Probe::new(self.options.retry);
        } else {
            self.retry.hasten();
        }
    }

    /// Shows everything that has not been shown, oldest first, until the desktop fails.
    async fn catch_up(&mut self) {
        let state = match self.show_all().await {
            Ok(can) => State::Ready(can),
            Err(error) => {
                tracing::warn!(%error, "a notification could not be shown");
                self.can = None;
                State::Unavailable {
                    reason: error.said(),
                    hint: say!("use the tray and the window meanwhile; Gavel tries again"),
                }
            }
        };
        self.retry.sent(Instant::now());
        self.shared.set(state);
    }

    async fn show_all(&mut self) -> Result<Capabilities, Error> {
        let can = match &self.can {
            Some(can) => can.clone(),
            None => desktop::capabilities(&self.options).await?,
        };
        let mut waiting: Vec<&mut Sheet> = self.sheets.values_mut().filter(|sheet| sheet.shown.is_none()).collect();
        waiting.sort_by_key(|sheet| sheet.arrived);
        for sheet in waiting {
            let letter = fit(&sheet.notice, 0, &can);
            sheet.shown = Some(desktop::show(&letter, sheet.notice.urgent, &self.options).await?);
        }
        self.can = Some(can.clone());
        Ok(can)
    }

    async fn close_all(&mut self) {
        for sheet in std::mem::take(&mut self.sheets).into_values() {
            self.take_back(sheet).await;
        }
    }

    async fn take_back(&self, sheet: Sheet) {
        if let Some(shown) = sheet.shown {
            desktop::close(shown, &self.options).await;
        }
    }
}
