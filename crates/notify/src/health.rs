//! Whether the notification service can be counted on, in words for a person. Pure.

use std::time::Instant;

use gavel_core::display::visible;
use gavel_core::say;
use gavel_core::text::plain;

use crate::{Capabilities, State};

/// What is known of the service.
#[derive(Debug, Default)]
pub(crate) enum Health {
    /// Nothing yet.
    #[default]
    Unknown,
    /// It was asked.
    Asked { since: Instant },
    /// It answers.
    Ready(Capabilities),
    /// There is none.
    Absent,
    /// It does not answer in time.
    Silent,
    /// It answers, but not what it should.
    Odd { why: String },
    /// There is no bus to find it on.
    NoBus { why: String },
}

impl Health {
    pub const fn is_ready(&self) -> bool {
        matches!(self, Self::Ready(_))
    }

    /// The state for a person. `server` is the name of the service, if it ever told; `running` whether there is one;
    /// `refusal` why it refused what it was told last, if it did.
    pub fn state(&self, server: Option<&str>, running: bool, refusal: Option<&str>) -> State {
        let server = server.map_or_else(|| say!("the notification service"), |name| say!("`{}`", plain(visible(name))));
        let (reason, hint) = match (self, refusal) {
            (Self::Unknown | Self::Asked { .. }, _) => return State::Starting,
            (Self::Ready(can), None) => return State::Ready(can.clone()),
            (Self::Ready(_), Some(why)) => (
                say!("{} refused a notification: {}", server, plain(visible(why))),
                say!("use the tray and the window meanwhile; Gavel tries again"),
            ),
            (Self::Absent, _) => (
                say!("no notification service is running on this session's D-Bus"),
                say!("install one, for example dunst, or use the tray and the window"),
            ),
            (Self::Silent, _) if running => {
                (say!("{} does not answer", server), say!("restart it, or use the tray and the window"))
            }
            (Self::Silent, _) => (
                say!("the notification service was asked to start and does not answer"),
                say!("start it by hand, or use the tray and the window"),
            ),
            (Self::Odd { why }, _) => (
                say!("{} can't be asked what it can do: {}", server, plain(visible(why))),
                say!("restart it or install another, for example dunst, or use the tray and the window"),
            ),
            (Self::NoBus { why }, _) => (
                say!("there is no session D-Bus: {}", plain(visible(why))),
                say!("start Gavel inside a desktop session, or use the tray and the window"),
            ),
        };
        State::Unavailable { reason, hint }
    }
}

/// What the service says it can do.
pub(crate) fn capabilities(words: &[String], server: Option<&str>) -> Capabilities {
    let has = |word: &str| words.iter().any(|offered| offered == word);
    Capabilities {
        actions: has("actions"),
        body: has("body"),
        markup: has("body-markup"),
        persistence: has("persistence"),
        server: server.map_or_else(|| "unknown".to_owned(), visible),
    }
}
