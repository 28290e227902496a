//! Plain requests to one server: bounded in time and size, never redirected, never sent to a proxy on loopback.

mod fault;

use std::fmt::Write as _;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use gavel_core::say;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, WWW_AUTHENTICATE};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use tokio::sync::Semaphore;
use url::Url;

use crate::Error;

/// The longest body that is taken in, in bytes: a listing carries whole diffs.
pub const LIMIT: usize = 16 * 1024 * 1024;

/// How many requests run at once through one client, besides the event stream: a server is not to be flooded.
const AT_ONCE: usize = 8;

/// What stays as it is in a path or a query; everything else is escaped.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// User name and password for HTTP Basic authentication.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name; OpenCode's own default is `opencode`.
    pub username: String,
    /// The password.
    pub password: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A password must not get into a log by accident.
        f.debug_struct("Credentials").field("username", &self.username).finish_non_exhaustive()
    }
}

/// How long the network may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// To connect.
    pub connect: Duration,
    /// For a whole request with its answer; for a stream, until its head has arrived.
    pub request: Duration,
    /// For the first word of a server. One that is just starting accepts connections that it never answers: it is
    /// better asked again soon.
    pub greeting: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), request: Duration::from_secs(10), greeting: Duration::from_secs(3) }
    }
}

/// A client for one server. Its requests take turns.
#[derive(Debug)]
pub struct Http {
    client: Client,
    base: Arc<str>,
    credentials: Arc<RwLock<Option<Credentials>>>,
    limits: Limits,
    turns: Semaphore,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// What kind of body the head announced.
    pub kind: Kind,
    /// The body, whole.
    pub body: Vec<u8>,
}

/// What an answer's head says about its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// JSON.
    Json,
    /// A web page.
    Html,
    /// An event stream.
    Events,
    /// Nothing, or anything else.
    Other,
}

impl Answer {
    /// Whether the status says that it worked.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }

    /// The body as text, if it is the JSON of a successful answer.
    ///
    /// # Errors
    /// A status other than 2xx, a web page, or a body that isn't text.
    pub fn json(&self) -> Result<&str, Error> {
        if !self.is_success() {
            return Err(Error::Status { status: self.status, message: None });
        }
        match self.kind {
            Kind::Json => std::str::from_utf8(&self.body).map_err(|_| Error::Garbled(say!("it is not text"))),
            Kind::Html => Err(Error::WebPage),
            Kind::Events | Kind::Other => Err(Error::Garbled(say!("it is not JSON"))),
        }
    }
}

impl Http {
    /// A client for the server at `url`.
    ///
    /// # Errors
    /// The system offers no TLS.
    pub fn new(url: &Url, credentials: Option<Credentials>, limits: Limits) -> Result<Self, Error> {
        Ok(Self::over(client(limits, is_loopback(url))?, url, credentials, limits))
    }

    /// As [`Self::new`], with a client that is there already.
    pub(crate) fn over(client: Client, url: &Url, credentials: Option<Credentials>, limits: Limits) -> Self {
        let base = url.as_str().trim_end_matches('/').into();
        let credentials = Arc::new(RwLock::new(credentials));
        Self { client, base, credentials, limits, turns: Semaphore::new(AT_ONCE) }
    }

    /// The same server, and the same credentials whoever sets them, but with as many turns again: whatever takes all of
    /// this one's holds nothing up there.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self {
            client: self.client.clone(),
            base: Arc::clone(&self.base),
            credentials: Arc::clone(&self.credentials),
            limits: self.limits,
            turns: Semaphore::new(AT_ONCE),
        }
    }

    /// As [`Self::beside`], for requests that may take so long.
    #[must_use]
    pub fn patient(&self, limit: Duration) -> Self {
        Self { limits: Limits { request: limit, ..self.limits }, ..self.beside() }
    }

    /// Uses these credentials from now on.
    pub fn set_credentials(&self, credentials: Option<Credentials>) {
        *self.credentials.write().unwrap_or_else(PoisonError::into_inner) = credentials;
    }

    /// Whether the server is on this machine.
    pub fn is_here(&self) -> bool {
        Url::parse(&self.base).is_ok_and(|url| is_loopback(&url))
    }

    /// Whether there are credentials.
    pub fn has_credentials(&self) -> bool {
        self.credentials.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Asks for `path`, which begins with a slash and is already escaped.
    ///
    /// # Errors
    /// Everything but an answer: also 401, which means the same everywhere.
    pub async fn get(&self, path: &str) -> Result<Answer, Error> {
        let request = self.request(Method::GET, path).header(ACCEPT, "application/json");
        self.whole(request, self.limits.request).await
    }

    /// As [`Self::get`], for a question that is answered at once or not at all.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn greet(&self, path: &str) -> Result<Answer, Error> {
        let request = self.request(Method::GET, path).header(ACCEPT, "application/json");
        self.whole(request, self.limits.greeting).await
    }

    /// Sends `body` to `path`.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn post(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        self.send(Method::POST, path, body).await
    }

    /// Changes what is at `path` as `body` says.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn patch(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        self.send(Method::PATCH, path, body).await
    }

    /// Deletes what is at `path`.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn delete(&self, path: &str) -> Result<Answer, Error> {
        let request = self.request(Method::DELETE, path).header(ACCEPT, "application/json");
        self.whole(request, self.limits.request).await
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> Result<Answer, Error> {
        let request = self.request(method, path).header(ACCEPT, "application/json").json(body);
        self.whole(request, self.limits.request).await
    }

    /// Opens the event stream at `path`. There is no limit to how long it may last.
    ///
    /// # Errors
    /// As [`Self::get`], and when the answer isn't an event stream.
    pub async fn stream(&self, path: &str) -> Result<Response, Error> {
        let request = self.request(Method::GET, path).header(ACCEPT, "text/event-stream");
        let response = tokio::time::timeout(self.limits.request, request.send())
            .await
            .map_err(|_| Error::TimedOut(self.limits.request))?
            .map_err(|error| self.fault(&error))?;
        if response.status().as_u16() == 401 {
            return Err(unauthorized(response.headers(), &[]));
        }
        match (response.status().is_success(), kind(response.headers())) {
            (false, _) => Err(Error::Status { status: response.status().as_u16(), message: None }),
            (true, Kind::Events) => Ok(response),
            (true, Kind::Html) => Err(Error::WebPage),
            (true, _) => Err(Error::Garbled(say!("it is not an event stream"))),
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &*self.credentials.read().unwrap_or_else(PoisonError::into_inner) {
            Some(Credentials { username, password }) => request.basic_auth(username, Some(password)),
            None => request,
        }
    }

    async fn whole(&self, request: RequestBuilder, limit: Duration) -> Result<Answer, Error> {
        let fetch = async {
            // The semaphore is never closed; were it to, the bound would be lost and nothing else.
            let _turn = self.turns.acquire().await;
            let mut response = request.send().await.map_err(|error| self.fault(&error))?;
            let mut body = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(|error| self.fault(&error))? {
                if body.len() + chunk.len() > LIMIT {
                    return Err(Error::TooLong(LIMIT));
                }
                body.extend_from_slice(&chunk);
            }
            if response.status().as_u16() == 401 {
                return Err(unauthorized(response.headers(), &body));
            }
            Ok(Answer { status: response.status().as_u16(), kind: kind(response.headers()), body })
        };
        tokio::time::timeout(limit, fetch).await.map_err(|_| Error::TimedOut(limit))?
    }
}

/// What requests are made with.
pub(crate) fn client(limits: Limits, loopback: bool) -> Result<Client, Error> {
    let mut client = Client::builder()
        .redirect(Policy::none())
        .connect_timeout(limits.connect)
        .tcp_nodelay(true)
        .user_agent(concat!("gavel/", env!("CARGO_PKG_VERSION")));
    if loopback {
        client = client.no_proxy();
    }
    client.build().map_err(|error| Error::Network(error.to_string()))
}

/// `path` from its segments and query pairs, escaped.
#[must_use]
pub fn path(segments: &[&str], query: &[(&str, &str)]) -> String {
    let mut path = String::new();
    for segment in segments {
        path.push('/');
        if matches!(*segment, "." | "..") {
            // Dots alone would lead elsewhere, escaped or not; this name means nothing to any server.
            path.push_str(&segment.replace('.', "%252E"));
            continue;
        }
        path.extend(utf8_percent_encode(segment, ESCAPED));
    }
    for (number, (name, value)) in query.iter().enumerate() {
        path.push(if number == 0 { '?' } else { '&' });
        // Writing to a string can't fail.
        let _ = write!(path, "{}={}", utf8_percent_encode(name, ESCAPED), utf8_percent_encode(value, ESCAPED));
    }
    path
}

/// Whether `url` stays on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

fn kind(headers: &HeaderMap) -> Kind {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "application/json" => Kind::Json,
        "text/html" => Kind::Html,
        "text/event-stream" => Kind::Events,
        _ => Kind::Other,
    }
}

fn unauthorized(headers: &HeaderMap, body: &[u8]) -> Error {
    /// More than a refusal has to say.
    const LONGEST: usize = 4096;
    let challenge = headers.get(WWW_AUTHENTICATE).and_then(|value| value.to_str().ok());
    let realm = challenge.and_then(|text| text.split_once("realm=\"")).and_then(|(_, rest)| rest.split('"').next());
    let said = std::str::from_utf8(body).ok().filter(|text| !text.is_empty() && text.len() <= LONGEST);
    Error::Unauthorized { realm: realm.map(str::to_owned), said: said.map(str::to_owned) }
}

#[cfg(test)]
mod tests;
