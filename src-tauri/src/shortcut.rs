//! Keys that are heard wherever the user is: they bring up what has waited longest.

use gavel_runtime::Handle;
use gavel_runtime::api::Shortcut;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use tauri_plugin_global_shortcut::{Builder, GlobalShortcutExt as _, ShortcutState};

use crate::window;

/// What hears the keys. The window can't ask it for anything.
pub(crate) fn plugin() -> TauriPlugin<Wry> {
    Builder::new()
        .with_handler(|app, _, event| {
            if event.state() == ShortcutState::Pressed {
                window::open_oldest(app);
            }
        })
        .build()
}

/// Listens to the keys of the preferences from now on, and tells whether they are heard.
pub(crate) fn watch(app: &AppHandle, handle: Handle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let mut snapshots = handle.snapshots();
        let mut heard = String::new();
        loop {
            let wanted = snapshots.borrow_and_update().preferences.shortcut.clone();
            if wanted != heard {
                handle.set_shortcut(listen(&app, &wanted));
                heard = wanted;
            }
            if snapshots.changed().await.is_err() {
                return;
            }
        }
    });
}

/// Listens to `keys` alone.
fn listen(app: &AppHandle, keys: &str) -> Shortcut {
    let shortcuts = app.global_shortcut();
    if let Err(error) = shortcuts.unregister_all() {
        tracing::warn!("the keys that were heard are heard on: {error}");
    }
    if keys.is_empty() {
        return Shortcut::Off;
    }
    match shortcuts.register(keys) {
        Ok(()) => Shortcut::Heard,
        Err(error) => Shortcut::Unheard { why: error.to_string() },
    }
}
