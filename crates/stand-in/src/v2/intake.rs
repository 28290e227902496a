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
    let named = query(uri, "location[directory]").filter(|named| !named.is_empty()).or_else(header);
    let directory = named.filter(|named| !named.is_empty()).unwrap_or_else(|| app.directory.clone());
    existing(app, &directory)?;
    Ok(directory)
}

/// Refuses a directory that is not absolute or does not exist. It is kept as it is written: with a slash at its end it
/// is a location of its own.
fn existing(app: &App, directory: &str) -> Result<(), Refusal> {
    let exists = directory.starts_with('/') && app.agents.stage.see(|world| world.places.exists(directory));
    if exists { Ok(()) } else { Err(Refusal::NoLocation(directory.to_owned())) }
}

/// An absolute path of a body. It need not exist.
pub(super) fn absolute(directory: &str, place: &str) -> Result<String, Refusal> {
    let message = || format!("Expected an absolute path, got \"{directory}\"{place}");
    if directory.starts_with('/') { Ok(directory.to_owned()) } else { Err(Refusal::payload(message())) }
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

/// A session's identifier that looks like one. The body's is refused in the words for bodies.
fn session_id(id: &str) -> Result<(), Refusal> {
    let message = "Invalid session ID".to_owned();
    let wrong = Refusal::Invalid { message, kind: None, field: Some("sessionID") };
    if id.starts_with("ses") { Ok(()) } else { Err(wrong) }
}

/// A request's identifier that looks like one.
pub(super) fn ask_id(id: &str) -> Result<(), Refusal> {
    if id.starts_with("per") { Ok(()) } else { Err(Refusal::prefix(id, "per", "requestID")) }
}

/// The session of a path. It is looked for before the rest of the request is looked at.
pub(super) fn session(app: &App, id: &str) -> Result<crate::Session, Refusal> {
    session_id(id)?;
    let found = app.agents.stage.see(|world| world.session(id).cloned());
    found.ok_or_else(|| Refusal::NoSession(id.to_owned()))
}

/// The session of a path that something is done to where it works, if there is such a place.
pub(super) fn located(app: &App, id: &str) -> Result<crate::Session, Refusal> {
    let session = session(app, id)?;
    existing(app, &session.directory)?;
    Ok(session)
}

/// The fields of a body. Keys that nobody knows are left alone.
pub(super) struct Fields {
    of: Map<String, Value>,
    /// The keys that may be `null`, which is as if they were not there.
    nullable: &'static [&'static str],
}

impl Fields {
    pub(super) fn read(body: &[u8]) -> Result<Fields, Refusal> {
        if body.is_empty() {
            return Err(Refusal::payload("Expected object, got undefined"));
        }
        match serde_json::from_slice(body) {
            Ok(Value::Object(of)) => Ok(Fields { of, nullable: &[] }),
            Ok(other) => Err(Refusal::payload(format!("Expected object, got {other}"))),
            Err(_) => Err(Refusal::Unexpected),
        }
    }

    /// Of these keys, `null` is taken as no value.
    pub(super) fn with_nullable(mut self, keys: &'static [&'static str]) -> Fields {
        self.of.retain(|key, value| !(value.is_null() && keys.contains(&key.as_str())));
        self.nullable = keys;
        self
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.of.get(key)
    }

    fn wrong(&self, kind: &str, key: &str, value: &Value) -> Refusal {
        let or_null = if self.nullable.contains(&key) { " | null" } else { "" };
        expected(&format!("{kind}{or_null}"), value, &place(key))
    }

    fn of_kind<'fields, T>(
        &'fields self,
        key: &str,
        kind: &str,
        read: impl FnOnce(&'fields Value) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.get(key) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| self.wrong(kind, key, value))
    }

    pub(super) fn need(&self, key: &str) -> Result<&Value, Refusal> {
        self.get(key).ok_or_else(|| Refusal::payload(format!("Missing key\n  at [\"{key}\"]")))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, Refusal> {
        self.of_kind(key, "string", Value::as_str)
    }

    pub(super) fn need_text(&self, key: &str) -> Result<&str, Refusal> {
        let value = self.need(key)?;
        value.as_str().ok_or_else(|| self.wrong("string", key, value))
    }

    pub(super) fn truth(&self, key: &str) -> Result<Option<bool>, Refusal> {
        self.of_kind(key, "boolean", Value::as_bool)
    }

    pub(super) fn object(&self, key: &str) -> Result<Option<&Value>, Refusal> {
        self.of_kind(key, "object", |value| Some(value).filter(|value| value.is_object()))
    }

    /// An identifier that begins as it shall.
    pub(super) fn id(&self, key: &str, prefix: &str) -> Result<Option<String>, Refusal> {
        let id = self.text(key)?;
        let wrong = |id: &str| {
            let message = format!("Expected a string starting with \"{prefix}\", got \"{id}\"{}", place(key));
            Refusal::payload(message)
        };
        id.map(|id| if id.starts_with(prefix) { Ok(id.to_owned()) } else { Err(wrong(id)) }).transpose()
    }

    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, Refusal> {
        let Some(items) = self.of_kind(key, "array", Value::as_array)? else { return Ok(None) };
        let item = |(at, item): (usize, &Value)| as_text(item, &format!("{}[{at}]", place(key))).map(str::to_owned);
        items.iter().enumerate().map(item).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn rules(&self, key: &str) -> Result<Option<Vec<Rule>>, Refusal> {
        let Some(items) = self.of_kind(key, "array", Value::as_array)? else { return Ok(None) };
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
