//! Gavel without a desktop shell: notifications and a log.

use std::collections::HashSet;

use gavel_core::RequestKey;
use tokio::sync::broadcast::error::RecvError;

use crate::api::{Activity, Snapshot};
use crate::signals::Signals;
use crate::start::Home;
use crate::{Handle, Wish};

/// Runs until it is told to end (`SIGINT`, `SIGTERM`), writing a log to standard error.
///
/// # Errors
/// If Gavel can't begin, in words for the user.
pub async fn run(demo: bool) -> Result<(), String> {
    let mut signals = Signals::listen().map_err(|error| error.to_string())?;
    let home = Home::open()?;
    let _seat = home.take(true)?;
    let settings = home.settings()?;
    let demo = if demo { Some(crate::demo::Demo::start().await?) } else { None };
    let handle =
        home.start(settings, Box::new(|_| Err("a headless Gavel changes no settings".to_owned())), demo.as_ref())?;
    tracing::info!("Gavel is watching. Press Ctrl+C to end it.");
    tokio::select! {
        () = narrate(&handle) => {}
        ended = signals.ended() => tracing::info!("ending: {ended}"),
    }
    handle.shut_down().await;
    Ok(())
}

/// Writes what happens to the log, until the driver or the user ends it.
async fn narrate(handle: &Handle) {
    let mut snapshots = handle.snapshots();
    let mut activity = handle.activity();
    let mut wishes = handle.wishes();
    let mut told = Told::default();
    loop {
        tokio::select! {
            changed = snapshots.changed() => {
                if changed.is_err() {
                    return;
                }
                let snapshot = snapshots.borrow_and_update().clone();
                told.tell(&snapshot);
            }
            row = activity.recv() => match row {
                Ok(row) => told.settled(&row),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
            wish = wishes.recv() => match wish {
                Ok(Wish::Show(key)) => told.show(&snapshots.borrow().clone(), &key),
                // Without a window nobody asks for this.
                Ok(Wish::Open(_)) => {}
                Ok(Wish::Quit) | Err(RecvError::Closed) => return,
                Err(RecvError::Lagged(_)) => {}
            },
        }
    }
}

/// What the log has said already.
#[derive(Default)]
struct Told {
    requests: HashSet<RequestKey>,
    problem: String,
}

impl Told {
    fn tell(&mut self, snapshot: &Snapshot) {
        for request in &snapshot.requests {
            if self.requests.insert(request.key.clone()) {
                tracing::info!(project = %request.project, server = %request.server_name, "asks: {}", request.headline);
            }
        }
        for question in &snapshot.questions {
            if self.requests.insert(question.key.clone()) {
                tracing::info!(project = %question.project, server = %question.server_name, "asks: {}", question.headline);
            }
        }
        let requests = snapshot.requests.iter().map(|request| &request.key);
        let waiting: HashSet<&RequestKey> = requests.chain(snapshot.questions.iter().map(|one| &one.key)).collect();
        self.requests.retain(|key| waiting.contains(key));
        let notifications = &snapshot.notifications;
        if self.problem != notifications.problem {
            self.problem.clone_from(&notifications.problem);
            if !self.problem.is_empty() {
                tracing::warn!("notifications: {}. {}", self.problem, notifications.hint);
            }
        }
    }

    fn settled(&self, row: &Activity) {
        // The driver logs the outcome; the request may come and go between two pictures, so it is named here again.
        tracing::debug!("settled: {} ({:?})", row.title, row.outcome);
    }

    /// There is no window to show it in: the log has to do.
    fn show(&self, snapshot: &Snapshot, key: &RequestKey) {
        if let Some(request) = snapshot.requests.iter().find(|request| request.key == *key) {
            tracing::info!("{} · {}\n{}", request.headline, request.project, request.text);
        }
        if let Some(question) = snapshot.questions.iter().find(|question| question.key == *key) {
            let asked: Vec<&str> = question.fields.iter().filter_map(|field| field.description.as_deref()).collect();
            tracing::info!("{} · {}\n{}", question.headline, question.project, asked.join("\n"));
        }
    }
}
