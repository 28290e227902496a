//! Keeping what waits, so that the next run can tell what became of it meanwhile.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use gavel_core::flow::{Away, Flow, Happened};
use gavel_core::{Moment, RequestKey, Settled};
use gavel_disk::ActivityLog;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::activity;
use crate::message::Message;

/// Where it is kept what waits; gives the reason if that fails. It is called on a thread that may wait.
pub type KeepAway = Arc<dyn Fn(&Away) -> Result<(), String> + Send + Sync>;

/// How long a change may be gone again before it is written: most requests are settled soon.
const PAUSE: Duration = Duration::from_secs(1);

/// What waits, as it is kept.
pub(crate) struct Waiting {
    keep: KeepAway,
    /// What was written last, or is being written.
    kept: HashSet<RequestKey>,
    /// Whether the pause before the next writing has begun.
    is_due: bool,
    writing: Option<JoinHandle<()>>,
}

impl Waiting {
    pub(crate) fn new(keep: KeepAway, away: &Away) -> Self {
        Self { keep, kept: away.keys().cloned().collect(), is_due: false, writing: None }
    }

    /// Something may wait that did not, or wait no longer.
    pub(crate) fn look(&mut self, flow: &Flow, messages: &mpsc::UnboundedSender<Message>) {
        if self.is_due || !self.differs(flow) {
            return;
        }
        self.is_due = true;
        let messages = messages.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PAUSE).await;
            let _ = messages.send(Message::WaitingDue);
        });
    }

    /// The pause is over.
    pub(crate) fn due(&mut self, flow: &Flow, now: Moment) {
        self.is_due = false;
        if self.differs(flow) {
            self.write(flow, now);
        }
    }

    /// Gavel ends: what is kept is as it is now.
    pub(crate) async fn finish(&mut self, flow: &Flow, now: Moment, patience: Duration) {
        if self.differs(flow) {
            self.write(flow, now);
        }
        if let Some(writing) = self.writing.take() {
            // A disk that hangs must not keep the program from ending.
            let _ = tokio::time::timeout(patience, writing).await;
        }
    }

    fn differs(&self, flow: &Flow) -> bool {
        let waiting = flow.waiting();
        waiting.len() != self.kept.len() || waiting.into_iter().any(|key| !self.kept.contains(key))
    }

    fn write(&mut self, flow: &Flow, now: Moment) {
        self.kept = flow.waiting().into_iter().cloned().collect();
        let (keep, before, mut away) = (Arc::clone(&self.keep), self.writing.take(), flow.leave(now));
        self.writing = Some(tokio::spawn(async move {
            if let Some(before) = before {
                // What is older must not be written over what is newer.
                let _ = before.await;
            }
            let written = tokio::task::spawn_blocking(move || {
                // It lies on the disk as the log does, and no more of it.
                away.records_mut().for_each(activity::fit);
                keep(&away)
            });
            if let Ok(Err(why)) = written.await {
                tracing::error!("it is not being kept what waits: {why}");
            }
        }));
    }
}

/// What is still to be told of `away`: of some of it the log tells the end, if Gavel was killed soon after.
pub(crate) fn untold(mut away: Away, log: &ActivityLog) -> Away {
    let ended: Vec<(&RequestKey, Moment)> = log
        .newest_first()
        .filter(|row| match &row.record.what {
            // It may have come into sight again.
            Happened::Settled { settled } => *settled != Settled::Unseen,
            _ => false,
        })
        .map(|row| (&row.record.key, row.record.at))
        .collect();
    away.forget_ended(|key, since| ended.iter().any(|(ended, at)| *ended == key && *at >= since));
    away
}
