//! Between the driver and the desktop: snapshots out to tray and window, calls in.

use std::time::Duration;

use gavel_runtime::api::{Answer, Call, Failure};
use gavel_runtime::{Handle, Wish};
use tauri::{AppHandle, Emitter as _, Manager as _, State};
use tokio::sync::broadcast::error::RecvError;

use crate::{tray, window};

/// The one command of the window.
#[tauri::command]
pub(crate) async fn call(app: AppHandle, handle: State<'_, Handle>, call: Call) -> Result<Answer, Failure> {
    let asks_for_all = call == Call::Snapshot;
    let answer = handle.call(call).await;
    if asks_for_all {
        // A window asks for everything once it listens: it can be told now where to go.
        window::arrived(&app);
    }
    answer
}

/// Carries what happens to the tray and the window from now on.
pub(crate) fn start(app: &AppHandle, handle: &Handle) {
    tauri::async_runtime::spawn(show(app.clone(), handle.clone()));
    tauri::async_runtime::spawn(follow(app.clone(), handle.clone()));
}

async fn show(app: AppHandle, handle: Handle) {
    let mut snapshots = handle.snapshots();
    loop {
        let snapshot = snapshots.borrow_and_update().clone();
        tray::show(&app, &snapshot);
        window::emit(&app, "snapshot", snapshot.as_ref());
        if snapshots.changed().await.is_err() {
            return;
        }
    }
}

async fn follow(app: AppHandle, handle: Handle) {
    let mut activity = handle.activity();
    let mut wishes = handle.wishes();
    loop {
        tokio::select! {
            row = activity.recv() => match row {
                Ok(row) => window::emit(&app, "activity", &row),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
            wish = wishes.recv() => match wish {
                Ok(Wish::Show(key)) => window::open(&app, window::Place::Inbox { request: Some(key) }),
                Ok(Wish::Open(url)) => open_in_browser(url.as_str()),
                Ok(Wish::Quit) => quit(&app).await,
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
        }
    }
}

/// Hands an address over to the user's browser.
fn open_in_browser(url: &str) {
    if let Err(error) = open::that_detached(url) {
        tracing::error!("the browser was not opened: {error}");
    }
}

/// Makes a call for the tray, whose user sees the result in the next snapshot.
pub(crate) fn call_in_background(app: &AppHandle, call: Call) {
    let handle = app.state::<Handle>().inner().clone();
    tauri::async_runtime::spawn(async move {
        if let Err(failure) = handle.call(call).await {
            tracing::warn!("{failure}");
        }
    });
}

/// Ends the program: notifications are taken back and streams closed first.
pub(crate) async fn quit(app: &AppHandle) {
    // Whoever starts Gavel from now on waits for this one to end: what is handed over to it would be lost.
    let (name, patience) = (app.clone(), Duration::from_secs(1));
    let let_go = tauri::async_runtime::spawn_blocking(move || tauri_plugin_single_instance::destroy(&name));
    // A bus that doesn't answer keeps nobody.
    let _ = tokio::time::timeout(patience, let_go).await;
    tracing::info!("ending");
    // It may be told to end before it has quite begun.
    if let Some(handle) = app.try_state::<Handle>() {
        let handle = handle.inner().clone();
        handle.shut_down().await;
    }
    app.exit(0);
}

/// Sends `payload` to the window, if there is one.
pub(crate) fn emit<T: serde::Serialize>(app: &AppHandle, event: &str, payload: &T) {
    if let Err(error) = app.emit_to(window::LABEL, event, payload) {
        tracing::warn!("the window missed `{event}`: {error}");
    }
}
