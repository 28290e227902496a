//! One request to a model's API: bounded in size, never redirected, with the key in a header and nowhere else.

use std::error::Error as _;
use std::sync::OnceLock;
use std::time::Duration;

use gavel_core::text::{Message, Piece, code, plain};
use gavel_core::{say, term};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde_json::Value;

use super::access::HIDDEN;
use super::fault::fit;
use super::{Access, Endpoint, Fault, Kind, Round, anthropic};

/// The longest answer that is taken in, in bytes. A decision takes some hundred; thoughts take more.
const LONGEST: usize = 1024 * 1024;

/// How long connecting may take: a judge that is not there should not be waited for as long as one that thinks.
const CONNECT: Duration = Duration::from_secs(10);

/// What requests are made with.
#[derive(Debug, Default)]
pub(super) struct Http {
    /// For the world, by way of the proxy that the system names, if it does.
    far: OnceLock<Result<Client, String>>,
    /// For this machine, by no proxy.
    near: OnceLock<Result<Client, String>>,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: u16,
    pub body: String,
    /// Whether the body was longer than what is taken in.
    pub cut: bool,
}

impl Answer {
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}

impl Http {
    /// Sends `body` to `address`; what was said is added to `rounds` as far as it came.
    pub(super) async fn post(
        &self,
        endpoint: &Endpoint,
        address: &str,
        body: &Value,
        rounds: &mut Vec<Round>,
    ) -> Result<Answer, Fault> {
        let url = url(address)?;
        let headers = headers(endpoint)?;
        let client = self.client(is_loopback(&url))?;
        rounds.push(Round { request: shown(&url, &headers, body), ..Round::default() });
        let text = body.to_string();
        let response = client.post(url).headers(headers).body(text).send().await.map_err(|error| fault(&error))?;
        let status = response.status().as_u16();
        if let Some(round) = rounds.last_mut() {
            round.status = Some(status);
        }
        let (body, cut) = take_in(response).await?;
        // Some servers repeat a key that they don't know, and a model can be made to.
        let body = without_secrets(endpoint, &body);
        if let Some(round) = rounds.last_mut() {
            round.answer.clone_from(&body);
        }
        Ok(Answer { status, body, cut })
    }

    fn client(&self, near: bool) -> Result<&Client, Fault> {
        let cell = if near { &self.near } else { &self.far };
        let made = cell.get_or_init(|| {
            let client = Client::builder()
                // A redirect would carry the key, or the request, to somebody else.
                .redirect(Policy::none())
                .connect_timeout(CONNECT)
                .tcp_nodelay(true)
                .user_agent(concat!("gavel/", env!("CARGO_PKG_VERSION")));
            let client = if near { client.no_proxy() } else { client };
            client.build().map_err(|error| error.to_string())
        });
        made.as_ref().map_err(|error| Fault::Network(Message::verbatim(fit(error))))
    }
}

/// `text` with the endpoint's secrets hidden, should a server repeat them.
fn without_secrets(endpoint: &Endpoint, text: &str) -> String {
    let key = match &endpoint.access {
        Access::Key(key) => Some(key.expose()),
        Access::Open | Access::Missing => None,
    };
    let values = endpoint.headers.iter().map(|(_, value)| value);
    let mut out = text.to_owned();
    for secret in key.into_iter().chain(values).filter(|secret| secret.len() > 3) {
        out = out.replace(secret, HIDDEN);
    }
    out
}

fn url(address: &str) -> Result<Url, Fault> {
    let url = Url::parse(address)
        .map_err(|error| Fault::Network(say!("its address makes no sense: {}", plain(error.to_string()))))?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        other => {
            Err(Fault::Network(say!("its address begins with {}, and not with `https:`", code(&format!("{other}:")))))
        }
    }
}

/// The headers of a request; those of the user win.
fn headers(endpoint: &Endpoint) -> Result<HeaderMap, Fault> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if endpoint.kind == Kind::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(anthropic::VERSION));
    }
    match &endpoint.access {
        Access::Missing => return Err(Fault::NoKey),
        Access::Open => {}
        Access::Key(key) => {
            let (name, text) = match endpoint.kind {
                Kind::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.expose())),
                Kind::Anthropic => (HeaderName::from_static("x-api-key"), key.expose().to_owned()),
            };
            if !endpoint.headers.has(name.as_str()) {
                headers.insert(name, secret(&text).ok_or_else(|| unfit(term!("the key").into()))?);
            }
        }
    }
    for (name, value) in endpoint.headers.iter() {
        let shown = || Piece::from(say!("the header {}", code(name)));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unfit(shown()))?;
        headers.insert(name, secret(value).ok_or_else(|| unfit(shown()))?);
    }
    Ok(headers)
}

/// A header's value that no log of the HTTP library shows.
fn secret(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn unfit(what: Piece) -> Fault {
    Fault::Network(say!("{} holds characters that can't be sent", what))
}

/// The body, as far as it is taken in, and whether there was more.
async fn take_in(mut response: Response) -> Result<(String, bool), Fault> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| fault(&error))? {
        let room = LONGEST - body.len();
        body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() > room {
            return Ok((String::from_utf8_lossy(&body).into_owned(), true));
        }
    }
    Ok((String::from_utf8_lossy(&body).into_owned(), false))
}

/// The request as it is shown to the user.
fn shown(url: &Url, headers: &HeaderMap, body: &Value) -> String {
    let mut url = url.clone();
    if url.password().is_some() {
        // An address that can have a password can also have another one.
        let _ = url.set_password(Some(HIDDEN));
    }
    if url.query().is_some() {
        let pairs: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
        url.query_pairs_mut().clear().extend_pairs(pairs.iter().map(|name| (name.as_str(), HIDDEN)));
    }
    let mut text = format!("POST {url}\n");
    for (name, value) in headers {
        let value = if value.is_sensitive() { HIDDEN } else { value.to_str().unwrap_or(HIDDEN) };
        text.push_str(&format!("{name}: {value}\n"));
    }
    let body = serde_json::to_string_pretty(body).unwrap_or_default();
    format!("{text}\n{body}")
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// What a failure of the HTTP library means. Its own words carry the address, which may carry a password.
fn fault(error: &reqwest::Error) -> Fault {
    let mut last = None;
    let mut cause = error.source();
    while let Some(inner) = cause {
        last = Some(inner.to_string());
        cause = inner.source();
    }
    if error.is_timeout() && error.is_connect() {
        return Fault::Network(say!("no connection within {} s", plain(CONNECT.as_secs().to_string())));
    }
    Fault::Network(last.map_or_else(|| say!("the connection failed"), |why| Message::verbatim(fit(&why))))
}

/// A number that tells this endpoint's key and headers from others, within this run of the program.
pub(super) fn fingerprint(endpoint: &Endpoint) -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    static SEED: OnceLock<RandomState> = OnceLock::new();
    SEED.get_or_init(RandomState::new).hash_one(endpoint)
}
