//! Keys that are heard wherever the user is: they bring up what has waited longest.

use gavel_runtime::Handle;
use gavel_runtime::api::Shortcut;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Manager as _, Wry};
use tauri_plugin_global_shortcut::{Builder, GlobalShortcut, GlobalShortcutExt as _, ShortcutState};

use crate::window;

/// What hears the keys. The window can't ask it for anything. It looks for keys many times a second, so it only exists
/// once somebody has chosen some.
fn plugin() -> TauriPlugin<Wry> {
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
    let begun = app.try_state::<GlobalShortcut<Wry>>();
    if let Some(Err(error)) = begun.as_ref().map(|shortcuts| shortcuts.unregister_all()) {
        tracing::warn!("the keys that were heard are heard on: {error}");
    }
    if keys.is_empty() {
        return Shortcut::Off;
    }
    if std::env::var_os("WAYLAND_DISPLAY").is_some() {
        // There it would seem to work, and hear nothing.
        return Shortcut::Withheld;
    }
    let ready = if begun.is_some() { Ok(()) } else { app.plugin(plugin()).map_err(|error| error.to_string()) };
    match ready.and_then(|()| app.global_shortcut().register(keys).map_err(|error| error.to_string())) {
        Ok(()) => Shortcut::Heard,
        Err(why) => Shortcut::Unheard { why },
    }
}
