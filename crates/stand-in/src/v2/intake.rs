//! What comes in: locations, queries, identifiers and bodies.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use gavel_core::rules::Rule;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::App;
use super::errors::Refusal;
use crate::world::rules::{effect_named, rule};
use crate::world::session::Model;

/// The location a request means: an absolute directory that exists.
pub(super) struct Location(pub(super) String);

impl FromRequestParts<App> for Location {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Location, Refusal> {
        location(app, &parts.uri, &parts.headers).map(Location)
    }
}

/// The location that query or header name, or that of the server itself.
pub(super) fn location(app: &App, uri: &Uri, headers: &HeaderMap) -> Result<String, Refusal> {
    let header = || Some(decoded(headers.get("x-opencode-directory")?.to_str().ok()?));
    let named = query(uri, "location[directory]").or_else(header);
    existing(app, &named.unwrap_or_else(|| app.directory.clone()))
}

/// A directory as it is kept, if it is absolute and exists.
pub(super) fn existing(app: &App, directory: &str) -> Result<String, Refusal> {
    let missing = || Refusal::NoLocation(directory.to_owned());
    let trimmed = match directory.trim_end_matches('/') {
        "" if directory.is_empty() => return Err(missing()),
        "" => "/",
        trimmed => trimmed,
    };
    let exists = trimmed.starts_with('/') && app.agents.stage.see(|world| world.places.exists(trimmed));
    if exists { Ok(trimmed.to_owned()) } else { Err(missing()) }
}

/// Text that is percent-encoded; what decodes to no UTF-8 is used as it is.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

/// One value of the query.
pub(super) fn query(uri: &Uri, key: &str) -> Option<String> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(name, _)| decoded(name) == key).map(|(_, value)| decoded(&value.replace('+', " ")))
}

/// A session's identifier that looks like one.
pub(super) fn session_id(id: &str) -> Result<(), Refusal> {
    if id.starts_with("ses") {
        return Ok(());
    }
    let message = "Invalid session ID".to_owned();
    Err(Refusal::Invalid { message, kind: Some("Params"), field: Some("sessionID") })
}

/// A request's identifier that looks like one.
pub(super) fn ask_id(id: &str) -> Result<(), Refusal> {
    if id.starts_with("per") { Ok(()) } else { Err(Refusal::prefix(id, "per", "requestID")) }
}

/// The session of a request, if there is one.
pub(super) fn session(app: &App, id: &str) -> Result<crate::Session, Refusal> {
    session_id(id)?;
    let found = app.agents.stage.see(|world| world.session(id).cloned());
    found.ok_or_else(|| Refusal::NoSession(id.to_owned()))
}

/// The fields of a body. Keys that nobody knows are left alone.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn read(body: &[u8]) -> Result<Fields, Refusal> {
        if body.is_empty() {
            return Err(Refusal::payload("Expected object, got undefined"));
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => Ok(Fields(fields)),
            Ok(other) => Err(Refusal::payload(format!("Expected object, got {other}"))),
            Err(_) => Err(Refusal::payload("Invalid JSON")),
        }
    }

    /// For a body that may be missing.
    pub(super) fn read_or_none(body: &[u8]) -> Result<Fields, Refusal> {
        if body.is_empty() { Ok(Fields(Map::new())) } else { Fields::read(body) }
    }

    /// `null` is no value of any key here, so it is refused like any other wrong one.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub(super) fn need(&self, key: &str) -> Result<&Value, Refusal> {
        self.get(key).ok_or_else(|| Refusal::payload(format!("Missing key\n  at [\"{key}\"]")))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, Refusal> {
        self.get(key).map(|value| as_text(value, &place(key))).transpose()
    }

    pub(super) fn need_text(&self, key: &str) -> Result<&str, Refusal> {
        as_text(self.need(key)?, &place(key))
    }

    pub(super) fn truth(&self, key: &str) -> Result<Option<bool>, Refusal> {
        let wrong = |value: &Value| expected("boolean", value, &place(key));
        self.get(key).map(|value| value.as_bool().ok_or_else(|| wrong(value))).transpose()
    }

    pub(super) fn object(&self, key: &str) -> Result<Option<&Value>, Refusal> {
        let is_object = |value: &&Value| value.is_object();
        self.get(key)
            .map(|value| Some(value).filter(is_object).ok_or_else(|| expected("object", value, &place(key))))
            .transpose()
    }

    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, Refusal> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let items = value.as_array().ok_or_else(|| expected("array", value, &place(key)))?;
        let item = |(at, item): (usize, &Value)| as_text(item, &format!("{}[{at}]", place(key))).map(str::to_owned);
        items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn rules(&self, key: &str) -> Result<Option<Vec<Rule>>, Refusal> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let items = value.as_array().ok_or_else(|| expected("array", value, &place(key)))?;
        let item = |(at, item): (usize, &Value)| as_rule(item, &format!("{}[{at}]", place(key)));
        items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Some)
    }

    /// A model, with a variant or without.
    pub(super) fn model(&self, key: &str) -> Result<Option<Model>, Refusal> {
        let Some(value) = self.object(key)? else { return Ok(None) };
        let part = |name: &str| {
            let at = format!("{}[\"{name}\"]", place(key));
            value.get(name).map(|part| as_text(part, &at).map(str::to_owned)).transpose()
        };
        let missing = |name: &str| Refusal::payload(format!("Missing key{}[\"{name}\"]", place(key)));
        Ok(Some(Model {
            id: part("id")?.ok_or_else(|| missing("id"))?,
            provider: part("providerID")?.ok_or_else(|| missing("providerID"))?,
            variant: part("variant")?,
        }))
    }
}

fn place(key: &str) -> String {
    format!("\n  at [\"{key}\"]")
}

pub(super) fn expected(kind: &str, value: &Value, place: &str) -> Refusal {
    Refusal::payload(format!("Expected {kind}, got {value}{place}"))
}

fn as_text<'value>(value: &'value Value, place: &str) -> Result<&'value str, Refusal> {
    value.as_str().ok_or_else(|| expected("string", value, place))
}

fn as_rule(value: &Value, place: &str) -> Result<Rule, Refusal> {
    if !value.is_object() {
        return Err(expected("object", value, place));
    }
    let text = |key: &str| {
        let missing = || Refusal::payload(format!("Missing key{place}[\"{key}\"]"));
        as_text(value.get(key).ok_or_else(missing)?, &format!("{place}[\"{key}\"]"))
    };
    let (action, resource, effect) = (text("action")?, text("resource")?, text("effect")?);
    let known = effect_named(effect).ok_or_else(|| {
        Refusal::payload(format!("Expected \"allow\" | \"deny\" | \"ask\", got \"{effect}\"{place}[\"effect\"]"))
    })?;
    Ok(rule(action, resource, known))
}
