//! `notify-rust` on macOS and Windows.

use notify_rust::{Notification, Timeout};

use crate::letter::Letter;
use crate::{Capabilities, Error, Options};

/// Neither desktop gives back anything to take a notification back by.
pub(super) type Shown = ();

/// What the desktop can do of what is asked of it here.
#[expect(clippy::unused_async, reason = "the other desktop has to be asked")]
pub(super) async fn capabilities(options: &Options) -> Result<Capabilities, Error> {
    #[cfg(target_os = "macos")]
    if let Some(id) = &options.app_id {
        // Can be said once; saying it again fails and changes nothing.
        if let Err(error) = notify_rust::set_application(id) {
            tracing::debug!(%error, "the desktop keeps the name it knows");
        }
    }
    let _ = options;
    let server = std::env::consts::OS.to_owned();
    Ok(Capabilities { actions: false, body: true, markup: false, persistence: false, server })
}

#[expect(clippy::unused_async, reason = "the other desktop has to be waited for")]
pub(super) async fn show(letter: &Letter, urgent: bool, options: &Options) -> Result<Shown, Error> {
    let mut notification = Notification::new();
    notification.appname("Gavel").summary(&letter.title).body(&letter.body).timeout(Timeout::Never);
    if let Some(icon) = &options.icon {
        notification.icon(&icon.to_string_lossy());
    }
    #[cfg(target_os = "windows")]
    {
        if let Some(id) = &options.app_id {
            notification.app_id(id);
        }
        if urgent {
            notification.urgency(notify_rust::Urgency::Critical);
        }
    }
    let _ = urgent;
    // On macOS it is sent when the handle is dropped.
    drop(notification.show()?);
    Ok(())
}

#[expect(clippy::unused_async, reason = "the other desktop has to be waited for")]
pub(super) async fn close((): Shown, _: &Options) {}
