//! `notify-rust` on a desktop of freedesktop.org, kept from waiting without end.

use notify_rust::{Hint, Notification, NotificationHandle, Timeout, Urgency};
use tokio::time::timeout;

use crate::letter::Letter;
use crate::{Capabilities, Error, Options};

pub(super) type Shown = NotificationHandle;

/// What the desktop can do of what is asked of it here.
pub(super) async fn capabilities(options: &Options) -> Result<Capabilities, Error> {
    let (send, answer) = tokio::sync::oneshot::channel();
    // It blocks, and can't be told for how long: a thread of its own waits, if need be longer than we do.
    let asked = std::thread::Builder::new().name("capabilities".to_owned()).spawn(move || {
        let both =
            notify_rust::get_server_information().and_then(|server| Ok((server, notify_rust::get_capabilities()?)));
        // Too late for whoever asked.
        let _ = send.send(both);
    });
    asked.map_err(|_| Error::Silent)?;
    let both = timeout(options.patience, answer).await.map_err(|_| Error::Silent)?;
    let (server, words) = both.map_err(|_| Error::Ended)??;
    let has = |word: &str| words.iter().any(|offered| offered == word);
    Ok(Capabilities {
        actions: false,
        body: has("body"),
        markup: has("body-markup"),
        persistence: has("persistence"),
        server: format!("{} {}", server.name, server.version),
    })
}

pub(super) async fn show(letter: &Letter, urgent: bool, options: &Options) -> Result<Shown, Error> {
    let mut notification = Notification::new();
    notification
        .appname("Gavel")
        .summary(&letter.title)
        .body(&letter.body)
        .hint(Hint::Urgency(if urgent { Urgency::Critical } else { Urgency::Normal }))
        .hint(Hint::Category("x-gavel.request".to_owned()))
        .hint(Hint::DesktopEntry("gavel".to_owned()))
        .timeout(Timeout::Never);
    if let Some(icon) = &options.icon {
        notification.icon(&icon.to_string_lossy());
    }
    Ok(timeout(options.patience, notification.show_async()).await.map_err(|_| Error::Silent)??)
}

pub(super) async fn close(shown: Shown, options: &Options) {
    if timeout(options.patience, shown.close_async()).await.is_err() {
        tracing::warn!("a notification could not be taken back: the desktop does not answer");
    }
}
