//! Reading a rules file, and what is wrong with one that can't be.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::Content;
use super::lines::{Learned, Lines, Own, Pending};
use super::object::Object;
use crate::text::{Message, Template, code, plain};
use crate::{say, term};

/// A file of more bytes than this is not read.
const LARGEST: usize = 8 * 1024 * 1024;

/// The largest whole number that JavaScript counts in without gaps.
const LARGEST_COUNT: f64 = 9_007_199_254_740_992.0;

/// A file that gives no rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.said())]
pub struct Broken {
    /// What is wrong. Never empty.
    pub faults: Vec<Fault>,
    /// The lines that can be read all the same, to be shown. They allow nothing.
    pub readable: Lines,
}

/// Something wrong with a rules file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It has more bytes than any file of lines that people or judges allowed.
    TooLarge(usize),
    /// It is not UTF-8.
    NotText(usize),
    /// It is not a JSON object.
    NotJson(String),
    /// It is of a version that Gavel doesn't know.
    Version(String),
    /// It doesn't say which version it is of.
    NoVersion,
    /// A part is of the wrong type.
    Part {
        /// The key of the part.
        part: &'static str,
        /// What is wrong with it, as the end of a sentence.
        why: Message,
    },
}

impl Fault {
    /// What is wrong, for any language.
    pub fn said(&self) -> Message {
        match self {
            Self::TooLarge(bytes) => say!("it is too large ({} bytes)", *bytes),
            Self::NotText(byte) => say!("it is not text (byte {} is not UTF-8)", *byte),
            Self::NotJson(why) => say!("it is not a JSON object ({})", plain(why)),
            Self::Version(version) => say!("its version is {}, and only version 1 is known", code(version)),
            Self::NoVersion => say!("it has no `version`"),
            Self::Part { part, why } => say!("`{}` {}", plain(*part), why.clone()),
        }
    }
}

impl Broken {
    /// All that is wrong, for any language.
    pub fn said(&self) -> Message {
        self.faults.iter().map(Fault::said).reduce(|said, next| say!("{}; {}", said, next)).unwrap_or_default()
    }
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Self { faults: vec![fault], readable: Lines::default() }
    }
}

/// Reads the bytes of a rules file.
///
/// # Errors
/// [`Broken`] for everything that is not sound in all its parts: then there are no rules, and the file is to be left
/// alone.
pub fn parse(bytes: &[u8]) -> Result<Content, Broken> {
    if bytes.len() > LARGEST {
        return Err(Fault::TooLarge(bytes.len()).into());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Fault::NotText(error.valid_up_to()))?;
    let document: Object = serde_json::from_str(text).map_err(|error| Fault::NotJson(error.to_string()))?;
    let version = document.get("version").ok_or(Fault::NoVersion)?;
    // As in JavaScript, 1.0 is 1.
    if serde_json::from_str::<Value>(version).ok().and_then(|version| version.as_f64()) != Some(1.0) {
        return Err(Fault::Version(version.chars().take(40).collect()).into());
    }
    let mut faults = Vec::new();
    let part = |key: &'static str| Part { key, text: document.get(key) };
    let (own, human) = part("gavel").or_report(&mut faults, own);
    let mut lines = Lines {
        preset: part("preset").or_report(&mut faults, preset),
        learned: part("learned").or_report(&mut faults, learned),
        pending: part("pending").or_report(&mut faults, pending),
    };
    for learned in &mut lines.learned {
        learned.by_human = human.get(&learned.command).copied().unwrap_or(0).min(learned.approvals);
    }
    for pending in &mut lines.pending {
        pending.by_human = human.get(&pending.command).copied().unwrap_or(0).min(pending.count);
    }
    if faults.is_empty() { Ok(Content { document, lines, own }) } else { Err(Broken { faults, readable: lines }) }
}

/// A part of the file, by its key.
struct Part<'a> {
    key: &'static str,
    text: Option<&'a str>,
}

impl Part<'_> {
    /// The part as `read` reads it, or as much of it as can be; what is wrong goes into `faults`. A part that is not
    /// there is an empty one.
    fn or_report<T: Default>(self, faults: &mut Vec<Fault>, read: fn(&str, &mut Vec<Message>) -> T) -> T {
        let mut wrong = Vec::new();
        let part = self.text.map(|text| read(text, &mut wrong)).unwrap_or_default();
        faults.extend(wrong.into_iter().map(|why| Fault::Part { part: self.key, why }));
        part
    }
}

/// `text` as a `T`; its default with a word in `wrong` if it is none.
fn typed<'a, T: Deserialize<'a> + Default>(text: &'a str, what: Message, wrong: &mut Vec<Message>) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| {
        let error = error.to_string();
        // Where it is would be told relative to the part.
        let why = error.split(" at line ").next().unwrap_or(&error);
        wrong.push(say!("is not {} ({})", what, plain(why)));
        T::default()
    })
}

/// The texts in a list of texts.
pub(super) fn preset(text: &str, wrong: &mut Vec<Message>) -> Vec<String> {
    let items: Vec<Value> = typed(text, say!("a list of patterns"), wrong);
    let one = |(place, item)| match item {
        Value::String(line) => Some(line),
        _ => {
            wrong.push(say!("has no text as entry {}", place));
            None
        }
    };
    (1..).zip(items).filter_map(one).collect()
}

/// The entries of a list of learned commands.
pub(super) fn learned(text: &str, wrong: &mut Vec<Message>) -> Vec<Learned> {
    let items: Vec<&serde_json::value::RawValue> = typed(text, say!("a list of commands"), wrong);
    let mut entries = Vec::new();
    for (place, item) in (1..).zip(items) {
        match entry(item.get()) {
            Ok(entry) => entries.push(entry),
            Err(why) => wrong.push(say!("is broken at entry {}: {}", place, why)),
        }
    }
    entries
}

fn entry(text: &str) -> Result<Learned, Template> {
    let entry: Object = serde_json::from_str(text).map_err(|_| term!("it is not an object"))?;
    let string = |text| serde_json::from_str::<String>(text).ok();
    let command = entry.get("command").ok_or(term!("there is no `command`"))?;
    let command = string(command).ok_or(term!("`command` is not a text"))?;
    let approvals = entry.get("approvals").map_or(Some(0), count).ok_or(term!("`approvals` is not a count"))?;
    let last_seen = match entry.get("lastSeen") {
        Some(text) => Some(string(text).ok_or(term!("`lastSeen` is not a text"))?),
        None => None,
    };
    Ok(Learned { command, approvals, by_human: 0, last_seen, entry })
}

/// The commands with their counts.
pub(super) fn pending(text: &str, wrong: &mut Vec<Message>) -> Vec<Pending> {
    let counts = counts(text, wrong);
    counts.into_iter().map(|(command, count)| Pending { command, count, by_human: 0 }).collect()
}

fn counts(text: &str, wrong: &mut Vec<Message>) -> Vec<(String, u64)> {
    let object: Object = typed(text, say!("an object of counts"), wrong);
    let one = |(key, text): (&str, &str)| match count(text) {
        Some(count) => Some((key.to_owned(), count)),
        None => {
            wrong.push(say!("has no count at {}", code(key)));
            None
        }
    };
    object.entries().filter_map(one).collect()
}

fn count(text: &str) -> Option<u64> {
    let number: Value = serde_json::from_str(text).ok()?;
    let number = number.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=LARGEST_COUNT).contains(number))?;
    // Within these bounds it is exact.
    Some(number as u64)
}

/// What Gavel keeps for itself, and how often the human allowed what.
pub(super) fn own(text: &str, wrong: &mut Vec<Message>) -> (Own, BTreeMap<String, u64>) {
    let object: Object = typed(text, say!("an object"), wrong);
    let mut string = |key| {
        object.get(key).map(|text| typed::<String>(text, say!("an object whose `{}` is a text", plain(key)), wrong))
    };
    let own = Own { project: string("project"), write: string("write") };
    let human = object.get("human").map(|text| counts(text, wrong)).unwrap_or_default();
    (own, human.into_iter().collect())
}
