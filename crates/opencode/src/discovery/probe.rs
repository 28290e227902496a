//! Asks an address whether OpenCode answers there.

use std::time::Duration;

use reqwest::Client;
use url::Url;

use crate::Error;
use crate::dialect;
use crate::http::{self, Http, Limits};

/// What answers at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probed {
    /// An OpenCode server.
    Found {
        /// Its version, e.g. `1.18.33`; empty if it does not name one.
        version: String,
    },
    /// An OpenCode server that wants a password.
    NeedsPassword,
    /// Something else.
    NotOpenCode,
    /// Nothing listens there.
    Gone,
    /// No clear answer in time; it may be clearer later.
    Unclear,
}

/// On this machine an answer comes at once or not at all.
const QUICK: Duration = Duration::from_secs(1);

/// A prober. Reuses what is costly to make.
#[derive(Debug, Clone)]
pub struct Prober {
    client: Client,
    limits: Limits,
}

impl Prober {
    /// A prober for addresses on this machine.
    ///
    /// # Errors
    /// The system offers no TLS.
    pub fn new() -> Result<Self, Error> {
        let limits = Limits { connect: QUICK, request: QUICK, greeting: QUICK };
        Ok(Self { client: http::client(limits, true)?, limits })
    }

    /// Asks the address whether OpenCode answers there. No password is sent.
    pub async fn probe(&self, url: &Url) -> Probed {
        let http = Http::over(self.client.clone(), url, None, self.limits);
        match dialect::greet(&http).await {
            Ok(dialect::Greeting { version, .. }) => Probed::Found { version },
            Err(error) if dialect::asks_for_password(&error) => Probed::NeedsPassword,
            Err(Error::Refused) => Probed::Gone,
            // A server that is just starting, or has too much to do.
            Err(Error::TimedOut(_) | Error::Cut | Error::Network(_) | Error::Status { status: 500.., .. }) => {
                Probed::Unclear
            }
            Err(_) => Probed::NotOpenCode,
        }
    }
}
