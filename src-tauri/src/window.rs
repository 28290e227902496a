//! The window: made when somebody wants to see it, destroyed when it is closed.

use std::sync::{Mutex, PoisonError};

use gavel_core::RequestKey;
use gavel_runtime::Handle;
use serde::Serialize;
use tauri::{AppHandle, Manager as _, WebviewUrl, WebviewWindowBuilder};

use crate::bridge;

/// Tauri's label of the window.
pub(crate) const LABEL: &str = "main";

/// What the window is to show.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "view", rename_all = "snake_case")]
pub(crate) enum Place {
    /// The inbox.
    Inbox {
        /// The request to bring up.
        request: Option<RequestKey>,
    },
    /// The servers.
    Servers,
    /// The modes.
    Modes,
}

impl Place {
    /// The inbox as it is.
    pub(crate) const INBOX: Self = Self::Inbox { request: None };
}

/// Where a window that is still loading is to go.
#[derive(Default)]
pub(crate) struct Window {
    wanted: Mutex<Option<Place>>,
}

/// Shows the window at `place`, making it if there is none.
pub(crate) fn open(app: &AppHandle, place: Place) {
    let app = app.clone();
    // Windows are made on the main thread; elsewhere the call could wait for it for ever.
    let result = app.clone().run_on_main_thread(move || {
        if let Some(window) = app.get_webview_window(LABEL) {
            bridge::emit(&app, "show", &place);
            for step in [window.unminimize(), window.show(), window.set_focus()] {
                if let Err(error) = step {
                    tracing::warn!("the window can't be brought up: {error}");
                }
            }
            return;
        }
        // A new window begins in the inbox: sending it there would take back what its user chose meanwhile.
        want(&app, Some(place).filter(|place| !matches!(place, Place::Inbox { request: None })));
        let built = WebviewWindowBuilder::new(&app, LABEL, WebviewUrl::App("index.html".into()))
            .title("Gavel")
            .inner_size(920.0, 640.0)
            .min_inner_size(480.0, 400.0)
            .build();
        if let Err(error) = built {
            tracing::error!("the window can't be opened: {error}");
        }
    });
    if let Err(error) = result {
        tracing::error!("the window can't be opened: {error}");
    }
}

/// Shows the window at what has waited longest.
pub(crate) fn open_oldest(app: &AppHandle) {
    // A second start may come before the first has quite begun.
    let oldest = app.try_state::<Handle>().and_then(|handle| handle.snapshots().borrow().oldest().cloned());
    open(app, Place::Inbox { request: oldest });
}

/// Whether there is a window.
pub(crate) fn is_open(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL).is_some()
}

/// The window has loaded and listens: sends it where it is wanted.
pub(crate) fn arrived(app: &AppHandle) {
    if let Some(place) = want(app, None) {
        bridge::emit(app, "show", &place);
    }
}

/// Sends `payload` to the window, if there is one.
pub(crate) fn emit<T: Serialize>(app: &AppHandle, event: &str, payload: &T) {
    if is_open(app) {
        bridge::emit(app, event, payload);
    }
}

fn want(app: &AppHandle, place: Option<Place>) -> Option<Place> {
    let window = app.state::<Window>();
    let mut wanted = window.wanted.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *wanted, place)
}
