//! Forms: what an agent may ask a person, the answers that are taken, and those that are not.

mod answer;
mod fields;
mod read;
mod write;

use serde_json::Map;
use serde_json::Value;

pub(crate) use answer::check;
pub(crate) use fields::consistent;
pub(crate) use read::field as read_field;
pub(crate) use write::field as write_field;

/// An answer: a value for each key that is answered.
pub(crate) type Answers = Map<String, Value>;

/// One field of a form.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) required: Option<bool>,
    /// Only says how it is shown.
    pub(crate) hidden: Option<bool>,
    /// It is to be answered only if all of these hold.
    pub(crate) when: Option<Vec<When>>,
    pub(crate) kind: Kind,
    /// What a client may suggest. It is never filled in here.
    pub(crate) default: Option<Value>,
}

/// A condition on an earlier field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct When {
    pub(crate) key: String,
    pub(crate) equal: bool,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Text {
        format: Option<Format>,
        /// Lengths in UTF-16 units.
        shortest: Option<usize>,
        longest: Option<usize>,
        /// A regular expression of JavaScript, found anywhere.
        pattern: Option<String>,
        placeholder: Option<String>,
        choices: Option<Vec<Choice>>,
        /// Whether other answers than the choices are taken.
        custom: Option<bool>,
    },
    Number {
        whole: bool,
        least: Option<f64>,
        most: Option<f64>,
    },
    Truth,
    Several {
        choices: Vec<Choice>,
        fewest: Option<usize>,
        most: Option<usize>,
        custom: Option<bool>,
    },
    /// Something to be done elsewhere.
    External {
        url: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Email,
    Uri,
    Date,
    DateTime,
}

/// One offered answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) description: Option<String>,
}

/// Why something is no field: where in it, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// As errors of the wire write it: `["options"][0]["value"]`.
    pub(crate) place: String,
    pub(crate) why: String,
}

impl Field {
    pub(crate) fn is_external(&self) -> bool {
        matches!(self.kind, Kind::External { .. })
    }

    /// What an answer is limited to; `None` if it is not.
    fn closed_choices(&self) -> Option<&[Choice]> {
        match &self.kind {
            Kind::Text { choices: Some(choices), custom, .. } | Kind::Several { choices, custom, .. } => {
                (!custom.unwrap_or(false)).then_some(choices)
            }
            _ => None,
        }
    }
}

impl Format {
    const ALL: [(Format, &'static str); 4] =
        [(Format::Email, "email"), (Format::Uri, "uri"), (Format::Date, "date"), (Format::DateTime, "date-time")];

    /// Its name on the wire.
    pub(crate) fn name(self) -> &'static str {
        Format::ALL.iter().find(|(format, _)| *format == self).map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Option<Format> {
        Format::ALL.iter().find(|(_, known)| *known == name).map(|(format, _)| *format)
    }
}
