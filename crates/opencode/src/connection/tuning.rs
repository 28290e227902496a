//! How patient a connection is.

use std::time::Duration;

use crate::http::Limits;

/// How patient a connection is. The defaults are meant for real servers; tests hurry.
#[derive(Debug, Clone, Copy)]
pub struct Tuning {
    /// Limits to every single request.
    pub limits: Limits,
    /// The stream counts as dead when not a byte came for this long; `None` for three heartbeats of the dialect.
    pub silence: Option<Duration>,
    /// The first pause between two attempts to connect. Each next one is twice as long.
    pub first_pause: Duration,
    /// The longest pause between two attempts.
    pub longest_pause: Duration,
    /// The pause when an attempt is pointless until somebody acts: a password is missing, or it is no OpenCode.
    pub slow_pause: Duration,
    /// A stream that lasted this long was a stable one: pauses start over.
    pub stable: Duration,
    /// How long after the first listing the second one follows: events of the first moments may be lost.
    pub second_look: Duration,
    /// The pause before a failed listing is tried again. Each next one is twice as long, up to a minute.
    pub retry_listing: Duration,
    /// The pause before agents are asked for again where there are none yet.
    pub agents_pause: Duration,
    /// For how long they are.
    pub agents_patience: Duration,
    /// How long an event may wait to be taken before the stream is given up and begun anew.
    pub stall: Duration,
    /// How old a session of Gavel's is before it is taken for one that a run left behind: no judge has more patience.
    pub left_behind: Duration,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            silence: None,
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(15),
            slow_pause: Duration::from_secs(15),
            stable: Duration::from_secs(30),
            second_look: Duration::from_secs(1),
            retry_listing: Duration::from_secs(1),
            agents_pause: Duration::from_millis(250),
            agents_patience: Duration::from_secs(5),
            stall: Duration::from_secs(10),
            left_behind: Duration::from_secs(16 * 60),
        }
    }
}
