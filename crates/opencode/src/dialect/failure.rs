//! Why something did not work, in the servers' words; two spellings are in use.

use serde_json::Value;

use super::lenient::mend;
use crate::Error;
use crate::http::{Answer, Kind};

/// Why something did not work.
#[derive(Debug, Default)]
pub struct Failure {
    tag: Option<String>,
    name: Option<String>,
    message: Option<String>,
}

impl Failure {
    /// The failure that `answer` tells of, if it is one and says so in JSON.
    pub fn of(answer: &Answer) -> Option<Self> {
        if answer.is_success() || answer.kind != Kind::Json {
            return None;
        }
        Self::read(std::str::from_utf8(&answer.body).ok()?)
    }

    /// The failure that `body` tells of. A field of another kind than usual counts as absent, and costs no other one.
    fn read(body: &str) -> Option<Self> {
        let body: Value = serde_json::from_str(&mend(body)).ok().filter(Value::is_object)?;
        let text = |field: &str| body.pointer(field)?.as_str().map(str::to_owned);
        let message = text("/message").or_else(|| text("/data/message"));
        Some(Self { tag: text("/_tag"), name: text("/name"), message })
    }

    /// The HTTP status and the words of a failure that a message tells of, as far as it has them.
    pub fn told(body: &str) -> (u16, Option<String>) {
        let status = serde_json::from_str::<Value>(body).ok();
        let status = status.and_then(|body| body.pointer("/data/statusCode")?.as_u64()?.try_into().ok());
        (status.unwrap_or(502), Self::read(body).and_then(|failure| failure.message))
    }

    /// Whether `answer` is a failure that goes by this name.
    pub fn named(answer: &Answer, name: &str) -> bool {
        Self::of(answer).is_some_and(|failure| failure.is(name))
    }

    /// Whether it has a tag, as every failure of a 2.x route has.
    pub const fn is_tagged(&self) -> bool {
        self.tag.is_some()
    }

    /// Whether it goes by this name.
    pub fn is(&self, name: &str) -> bool {
        self.tag.as_deref().or(self.name.as_deref()) == Some(name)
    }

    /// What the server says about it.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

/// That it was done.
///
/// # Errors
/// The answer says that it was not, and perhaps why.
pub fn done(answer: &Answer) -> Result<(), Error> {
    if answer.is_success() {
        return Ok(());
    }
    let message = Failure::of(answer).and_then(|failure| failure.message().map(str::to_owned));
    Err(Error::Status { status: answer.status, message })
}

/// Whether the server doesn't have the route at all: such are answered with its web page and "all is well", or
/// plainly. A failure that is tagged comes from a route that is there.
pub fn is_no_route(answer: &Answer) -> bool {
    let page = answer.is_success() && answer.kind == Kind::Html;
    let tagged = || Failure::of(answer).is_some_and(|failure| failure.is_tagged());
    page || answer.status == 405 || (answer.status == 404 && !tagged())
}

/// Whether `body` is how a 2.x server asks for a password. Other programs use the same name, but not as a tag.
pub fn is_unauthorized(body: &str) -> bool {
    Failure::read(body).is_some_and(|failure| failure.tag.as_deref() == Some("UnauthorizedError"))
}
