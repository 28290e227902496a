//! What can go wrong on the wire.

use std::fmt;
use std::time::Duration;

use gavel_core::say;
use gavel_core::text::{Message, Template, plain};

/// What can go wrong on the wire. The text is meant for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// An address that can't name a server.
    Address {
        /// What was given, without any password in it.
        given: String,
        /// What is wrong with it.
        why: Template,
    },
    /// Connection refused: no process listens there.
    Refused,
    /// The host's name has no address.
    Unresolved,
    /// No answer in time.
    TimedOut(Duration),
    /// Something answers, but not in HTTP.
    NotHttp,
    /// The stream is open, but nothing came.
    Silent(Duration),
    /// The connection ended in the middle of an answer.
    Cut,
    /// Any other failure of the network.
    Network(String),
    /// A password is wanted, or the one given is refused.
    Unauthorized {
        /// What the server calls the area, if it says so.
        realm: Option<String>,
        /// The body of its answer, if that is short text. Not meant for a person.
        said: Option<String>,
    },
    /// A web page came where data was due: the way OpenCode answers for routes that it doesn't have.
    WebPage,
    /// The body was not the JSON it should have been.
    Garbled(Message),
    /// The body was longer than is taken in.
    TooLong(usize),
    /// The server answered that it could not do it.
    Status {
        /// The HTTP status.
        status: u16,
        /// What it said about it.
        message: Option<String>,
    },
    /// The directory that was asked about is there no longer.
    NoDirectory,
    /// The session that was asked about is there no longer, or leads to none that a person began.
    NoSession,
    /// The server has no way to ask its model anything beside the sessions.
    NoModel,
    /// Other clients changed the same thing again and again.
    Contested,
    /// Events came faster than they were taken for too long.
    Stalled,
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

impl Error {
    /// What went wrong, for any language.
    pub fn said(&self) -> Message {
        let seconds = |time: &Duration| plain(time.as_secs_f32().to_string());
        match self {
            Self::Address { given, why } => say!("`{}` is not the address of a server: {}", plain(given), *why),
            Self::Refused => say!("nothing listens at this address"),
            Self::Unresolved => say!("the host name could not be resolved"),
            Self::TimedOut(time) => say!("no answer within {} s", seconds(time)),
            Self::NotHttp => say!("something answers at this address, but it does not speak HTTP"),
            Self::Silent(time) => say!("nothing was heard for {} s", seconds(time)),
            Self::Cut => say!("the connection broke off"),
            Self::Network(why) => say!("the network failed: {}", plain(why)),
            Self::Unauthorized { .. } => say!("the server wants a password"),
            Self::WebPage => say!("the server answered with a web page where data was due"),
            Self::Garbled(why) => say!("the server's answer could not be understood: {}", why.clone()),
            Self::TooLong(most) => say!("the server's answer is longer than {} MiB", *most / 1_048_576),
            Self::Status { status, message: None } => say!("the server answered {}", plain(status.to_string())),
            Self::Status { status, message: Some(message) } => {
                say!("the server answered {}: {}", plain(status.to_string()), plain(message))
            }
            Self::NoDirectory => say!("the server does not find this directory"),
            Self::NoSession => say!("the session is there no longer"),
            Self::NoModel => say!("this server offers no way to ask its model"),
            Self::Contested => say!("another client keeps changing the rules of this session"),
            Self::Stalled => say!("events could not be passed on in time"),
        }
    }

    /// Whether no process listens at the address any more.
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        matches!(self, Self::Refused)
    }
}
