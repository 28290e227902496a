//! Whether anything shows tray icons here. Tauri can't tell, and draws a stray window where nothing does.

use gavel_runtime::Handle;
use tauri::AppHandle;

use crate::{tray, window};

/// Shows the tray icon once something can show it, and opens the window instead as long as nothing can.
#[cfg(target_os = "linux")]
pub(crate) fn watch(app: &AppHandle, handle: Handle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = linux::follow(&app, &handle).await {
            tracing::warn!("no tray: the session's D-Bus can't be reached ({error})");
            absent(&app, &handle);
        }
    });
}

/// Everywhere else there always is a tray.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch(app: &AppHandle, handle: Handle) {
    handle.set_tray(true);
    tray::create(app);
}

#[cfg(target_os = "linux")]
fn absent(app: &AppHandle, handle: &Handle) {
    handle.set_tray(false);
    // A window that is open is where its user wants it.
    if !window::is_open(app) {
        window::open(app, window::Place::INBOX);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use futures_util::StreamExt as _;
    use gavel_runtime::Handle;
    use tauri::AppHandle;
    use zbus::fdo::DBusProxy;
    use zbus::names::BusName;

    use super::{absent, tray};

    /// Who keeps the list of tray icons.
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";

    pub(super) async fn follow(app: &AppHandle, handle: &Handle) -> zbus::Result<()> {
        let bus = zbus::Connection::session().await?;
        let dbus = DBusProxy::new(&bus).await?;
        let mut owners = dbus.receive_name_owner_changed_with_args(&[(0, WATCHER)]).await?;
        if dbus.name_has_owner(BusName::try_from(WATCHER)?).await? {
            handle.set_tray(true);
            tray::create(app);
        } else {
            tracing::info!("nothing shows tray icons here: the window opens instead");
            absent(app, handle);
        }
        while let Some(change) = owners.next().await {
            let present = change.args()?.new_owner().is_some();
            handle.set_tray(present);
            if present {
                tray::create(app);
            }
        }
        Ok(())
    }
}
