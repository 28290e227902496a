//! Whether the service that a registration speaks of is there.

use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;
use url::Url;

use super::file::Registration;
use crate::Error;
use crate::http::{self, Answer, Http, Kind, Limits};

/// What is found at the address of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Liveness {
    /// The service, ready.
    Ready {
        /// Its version.
        version: String,
    },
    /// The service, not yet ready.
    Starting,
    /// The service, and it will never be ready.
    Failed,
    /// Something that has no such route.
    OtherProtocol,
    /// Not the service: nothing listens, or it is something else that answers.
    Stale,
    /// No answer in time. The registration counts as stale, but a service that was there may merely be busy.
    Silent,
}

/// How long the service has to answer.
const PATIENCE: Duration = Duration::from_secs(2);

const LIMITS: Limits = Limits { connect: PATIENCE, request: PATIENCE, greeting: PATIENCE };

/// What the questions are asked with: never through a proxy, never redirected.
pub(super) fn client() -> Result<Client, Error> {
    http::client(LIMITS, true)
}

/// Asks the service, with the password of its registration.
pub(super) async fn ask(client: Client, registration: &Registration) -> Liveness {
    let Ok(url) = Url::parse(registration.server.as_str()) else { return Liveness::Stale };
    let http = Http::over(client, &url, registration.credentials.clone(), LIMITS);
    match http.get("/api/info").await {
        Ok(answer) => judge(&answer, registration),
        Err(Error::TimedOut(_)) => Liveness::Silent,
        Err(_) => Liveness::Stale,
    }
}

#[derive(Deserialize)]
struct Info {
    version: String,
    pid: u64,
}

/// What an answer says. A process of that number proves nothing: only the service itself can say who it is.
fn judge(answer: &Answer, registration: &Registration) -> Liveness {
    if answer.status == 404 {
        return Liveness::OtherProtocol;
    }
    let info = (answer.kind == Kind::Json).then(|| serde_json::from_slice::<Info>(&answer.body).ok()).flatten();
    let is_it = |info: &Info| {
        info.pid == registration.pid && registration.version.as_ref().is_none_or(|version| *version == info.version)
    };
    match (info.filter(is_it), answer.status) {
        (None, _) => Liveness::Stale,
        (Some(info), 200..=299) => Liveness::Ready { version: info.version },
        (Some(_), 500) => Liveness::Failed,
        (Some(_), _) => Liveness::Starting,
    }
}

#[cfg(test)]
mod tests;
