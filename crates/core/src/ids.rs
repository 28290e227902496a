//! Identities, each a type of its own so that one is never taken for another.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The text of the identity, as it travels on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// A server, named by its base URL without a trailing slash, e.g. `http://127.0.0.1:4096`.
    ServerId
}
id! {
    /// A session of a server (`ses_…`).
    SessionId
}
id! {
    /// A request of a server (`per_…`).
    RequestId
}
id! {
    /// A tool call inside an assistant message .
    CallId
}

/// What identifies a request everywhere in Gavel: two servers may use the same request id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RequestKey {
    /// The server that asked.
    pub server: ServerId,
    /// The request's id on that server.
    pub request: RequestId,
}

impl RequestKey {
    /// The key of request `request` on server `server`.
    pub fn new(server: impl Into<ServerId>, request: impl Into<RequestId>) -> Self {
        Self { server: server.into(), request: request.into() }
    }
}

impl fmt::Display for RequestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.server, self.request)
    }
}
