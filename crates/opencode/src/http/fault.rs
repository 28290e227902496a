//! What a failure of the HTTP client means.

use std::error::Error as _;
use std::io::ErrorKind;

use super::Http;
use crate::Error;

impl Http {
    /// What a failure of the client means.
    pub(crate) fn fault(&self, error: &reqwest::Error) -> Error {
        if error.is_timeout() {
            return Error::TimedOut(if error.is_connect() { self.limits.connect } else { self.limits.request });
        }
        let mut last = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let text = inner.to_string();
            if let Some(io) = inner.downcast_ref::<std::io::Error>() {
                match io.kind() {
                    ErrorKind::ConnectionRefused => return Error::Refused,
                    ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe => return Error::Cut,
                    _ => {}
                }
            }
            // The client library keeps these kinds to itself: only their words are public.
            if error.is_connect() && text.contains("dns error") {
                return Error::Unresolved;
            }
            if text.contains("invalid HTTP") {
                return Error::NotHttp;
            }
            if text.contains("connection closed before message completed") || text.contains("incomplete") {
                return Error::Cut;
            }
            last = text;
            cause = inner.source();
        }
        Error::Network(last)
    }
}
