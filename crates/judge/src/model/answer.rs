//! Reads what a model answered: tolerant of wrapping, strict about the decision.

use gavel_core::text::{Message, Template, code};
use gavel_core::{Recommendation, display, say, term};
use serde::Deserialize;

use super::fault::{Fault, fit};

/// The most characters of a reason.
pub const LONGEST_REASON: usize = 400;

/// What a model decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Its decision.
    pub recommendation: Recommendation,
    /// Why, in its words: every character visible, at most [`LONGEST_REASON`] characters.
    pub reason: String,
}

/// A model's words, as an API wrapped them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// Whether the API says that the text ends before its end, and in which words.
    pub cut: Option<Message>,
    /// What it cost.
    pub usage: super::Usage,
}

/// The object that is asked for. A key that comes twice is a mistake.
#[derive(Deserialize)]
struct Object {
    decision: String,
    reason: Option<String>,
}

/// What `said` decides.
///
/// # Errors
/// [`Fault::Truncated`] or [`Fault::Unparsed`]: there is no decision.
pub fn decided(said: &Said) -> Result<Decided, Fault> {
    match &said.cut {
        Some(why) => Err(Fault::Truncated(why.clone())),
        None => read(&said.text),
    }
}

/// The decision in a model's text.
///
/// # Errors
/// As [`decided`].
pub fn read(text: &str) -> Result<Decided, Fault> {
    let unparsed = |why: Template| Err(Fault::Unparsed(why.into()));
    let text = after_thinking(text)?.trim();
    if text.is_empty() {
        return unparsed(term!("it is empty"));
    }
    let start = text.get(..9).unwrap_or(text).to_ascii_lowercase();
    if start.starts_with("<!doctype") || start.starts_with("<html") {
        return unparsed(term!("it is a web page"));
    }
    let Some(begin) = text.find('{') else { return unparsed(term!("it holds no JSON object")) };
    let (before, from) = text.split_at(begin);
    let mut objects = serde_json::Deserializer::from_str(from).into_iter::<Object>();
    let object = match objects.next() {
        Some(Ok(object)) => object,
        Some(Err(error)) if error.is_eof() => return Err(Fault::Truncated(say!("its JSON object has no end"))),
        Some(Err(error)) => return Err(Fault::Unparsed(Message::verbatim(fit(&error.to_string())))),
        None => return unparsed(term!("it holds no JSON object")),
    };
    let after = from.get(objects.byte_offset()..).unwrap_or_default();
    if after.contains('{') {
        return unparsed(term!("it holds more than one JSON object"));
    }
    // Brackets around it make a list, and quotes a text about an object: both say something else.
    if before.trim_end().ends_with(['[', '"', '\\']) || after.trim_start().starts_with(['"', '}']) {
        return unparsed(term!("its JSON object is a part of something else"));
    }
    let recommendation = match object.decision.as_str() {
        "allow" => Recommendation::Allow,
        "deny" => Recommendation::Deny,
        "ask" => Recommendation::Ask,
        other => return Err(Fault::Unparsed(say!("{} is no decision", code(other)))),
    };
    Ok(Decided { recommendation, reason: reason(object.reason.as_deref().unwrap_or_default()) })
}

/// What stands behind the thoughts that some models put before their answer.
fn after_thinking(text: &str) -> Result<&str, Fault> {
    const NAMES: [&str; 3] = ["think", "thinking", "reasoning"];
    let lower = text.to_ascii_lowercase();
    let ends = NAMES.iter().filter_map(|name| {
        let tag = format!("</{name}>");
        lower.rfind(&tag).map(|at| at + tag.len())
    });
    let from = ends.max().unwrap_or(0);
    let opened = |name: &&str| lower.get(from..).is_some_and(|rest| rest.contains(&format!("<{name}>")));
    if NAMES.iter().any(opened) {
        return Err(Fault::Truncated(say!("its thoughts have no end")));
    }
    Ok(text.get(from..).unwrap_or_default())
}

/// A reason as it is shown and told to the agent.
fn reason(text: &str) -> String {
    let visible = display::visible(text.trim());
    visible.chars().take(LONGEST_REASON).collect()
}

#[cfg(test)]
mod tests;
