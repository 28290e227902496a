//! What can go wrong on the wire.

use std::time::Duration;

/// What can go wrong on the wire. The text is meant for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An address that can't name a server.
    #[error("`{given}` is not the address of a server: {why}")]
    Address {
        /// What was given, without any password in it.
        given: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Connection refused: no process listens there.
    #[error("nothing listens at this address")]
    Refused,
    /// The host's name has no address.
    #[error("the host name could not be resolved")]
    Unresolved,
    /// No answer in time.
    #[error("no answer within {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// Something answers, but not in HTTP.
    #[error("something answers at this address, but it does not speak HTTP")]
    NotHttp,
    /// The stream is open, but nothing came.
    #[error("nothing was heard for {} s", .0.as_secs_f32())]
    Silent(Duration),
    /// The connection ended in the middle of an answer.
    #[error("the connection broke off")]
    Cut,
    /// Any other failure of the network.
    #[error("the network failed: {0}")]
    Network(String),
    /// A password is wanted, or the one given is refused.
    #[error("the server wants a password")]
    Unauthorized {
        /// What the server calls the area, if it says so.
        realm: Option<String>,
        /// The body of its answer, if that is short text. Not meant for a person.
        said: Option<String>,
    },
    /// A web page came where data was due: the way OpenCode answers for routes that it doesn't have.
    #[error("the server answered with a web page where data was due")]
    WebPage,
    /// The body was not the JSON it should have been.
    #[error("the server's answer could not be understood: {0}")]
    Garbled(String),
    /// The body was longer than is taken in.
    #[error("the server's answer is longer than {} MiB", .0 / 1_048_576)]
    TooLong(usize),
    /// The server answered that it could not do it.
    #[error("the server answered {status}{}", .message.as_ref().map(|text| format!(": {text}")).unwrap_or_default())]
    Status {
        /// The HTTP status.
        status: u16,
        /// What it said about it.
        message: Option<String>,
    },
    /// The directory that was asked about is there no longer.
    #[error("the server does not find this directory")]
    NoDirectory,
    /// The session that was asked about is there no longer, or leads to none that a person began.
    #[error("the session is there no longer")]
    NoSession,
    /// The server has no way to ask its model anything beside the sessions.
    #[error("this server offers no way to ask its model")]
    NoModel,
    /// Other clients changed the same thing again and again.
    #[error("another client keeps changing the rules of this session")]
    Contested,
    /// Events came faster than they were taken for too long.
    #[error("events could not be passed on in time")]
    Stalled,
}

impl Error {
    /// Whether no process listens at the address any more.
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Refused)
    }
}
