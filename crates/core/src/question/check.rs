//! Whether a server would take an answer: its own rules, in its own order and words.

use super::condition::is_active;
use super::{Answer, Field, Format, Given, Kind, effort, format};
use crate::text::{Message, Template, plain};
use crate::{say, term};

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field it is about; one that is not in the form, too.
    pub field: String,
    /// What is wrong, as the server says it.
    pub message: String,
}

/// Every word that the server has for a problem.
const WORDS: [Template; 21] = [
    term!("Expected URI for form field"),
    term!("Expected boolean for form field"),
    term!("Expected date for form field"),
    term!("Expected date-time for form field"),
    term!("Expected email for form field"),
    term!("Expected integer for form field"),
    term!("Expected number for form field"),
    term!("Expected string array for form field"),
    term!("Expected string for form field"),
    term!("External form field must be acknowledged"),
    term!("Form field does not match pattern"),
    term!("Form field is not active"),
    term!("Form field is too large"),
    term!("Form field is too long"),
    term!("Form field is too short"),
    term!("Form field is too small"),
    term!("Invalid option for form field"),
    term!("Missing required form field"),
    term!("Too few selections for form field"),
    term!("Too many selections for form field"),
    term!("Unknown form field"),
];

impl Problem {
    /// What is wrong, for any language: the server's own words are known, up to the name of the field.
    pub fn said(&self) -> Message {
        let known = WORDS
            .iter()
            .find_map(|words| Some((words, self.message.strip_prefix(words.english())?.strip_prefix(": ")?)));
        known.map_or_else(|| Message::verbatim(&self.message), |(words, field)| say!("{}: {}", *words, plain(field)))
    }
}

/// The problem that the server would refuse `answer` for.
///
/// # Errors
/// The first problem there is.
pub fn check(fields: &[Field], answer: &Answer) -> Result<(), Problem> {
    problems(fields, answer).into_iter().next().map_or(Ok(()), Err)
}

/// Everything that is wrong with `answer`, at most one thing for each field, in the order in which the server looks.
#[must_use]
pub fn problems(fields: &[Field], answer: &Answer) -> Vec<Problem> {
    let is_known = |key: &String| fields.iter().any(|field| field.key == *key);
    let strangers = answer.keys().filter(|key| !is_known(key)).map(|key| (key, term!("Unknown form field")));
    let wrong = fields.iter().filter_map(|field| Some((&field.key, field_problem(field, answer)?)));
    strangers
        .chain(wrong)
        .map(|(key, what)| Problem { field: key.clone(), message: format!("{}: {key}", what.english()) })
        .collect()
}

const MISSING: Template = term!("Missing required form field");

fn field_problem(field: &Field, answer: &Answer) -> Option<Template> {
    let given = answer.get(&field.key);
    if matches!(field.kind, Kind::External { .. }) {
        return (given != Some(&Given::Boolean(true))).then_some(term!("External form field must be acknowledged"));
    }
    let active = is_active(field, answer);
    let Some(given) = given else { return (field.required && active).then_some(MISSING) };
    if !active {
        return Some(term!("Form field is not active"));
    }
    match &field.kind {
        Kind::Text { .. } => text_problem(field, given),
        Kind::Number { whole, minimum, maximum } => {
            let Some(number) = given.as_number() else { return Some(term!("Expected number for form field")) };
            if *whole && number.fract() != 0.0 {
                return Some(term!("Expected integer for form field"));
            }
            outside(
                &number,
                minimum.as_ref(),
                maximum.as_ref(),
                [term!("Form field is too small"), term!("Form field is too large")],
            )
        }
        Kind::Boolean => (!matches!(given, Given::Boolean(_))).then_some(term!("Expected boolean for form field")),
        Kind::Multiselect { min_items, max_items, .. } => {
            let Given::Several(items) = given else { return Some(term!("Expected string array for form field")) };
            if field.required && items.is_empty() {
                return Some(MISSING);
            }
            let words = [term!("Too few selections for form field"), term!("Too many selections for form field")];
            outside(&count(items.len()), min_items.as_ref(), max_items.as_ref(), words)
                .or_else(|| not_offered(field, items))
        }
        // Nobody knows what it takes. The server will say.
        Kind::Unknown { .. } | Kind::External { .. } => None,
    }
}

fn text_problem(field: &Field, given: &Given) -> Option<Template> {
    let Kind::Text { format, min_length, max_length, pattern, .. } = &field.kind else { return None };
    let Given::Text(text) = given else { return Some(term!("Expected string for form field")) };
    if field.required && text.is_empty() {
        return Some(MISSING);
    }
    let words = [term!("Form field is too short"), term!("Form field is too long")];
    let length = count(text.encode_utf16().count());
    outside(&length, min_length.as_ref(), max_length.as_ref(), words)
        .or_else(|| {
            pattern
                .as_ref()
                .filter(|pattern| !is_found(pattern, text))
                .map(|_| term!("Form field does not match pattern"))
        })
        .or_else(|| format.filter(|format| !format::is_of(*format, text)).map(expected))
        .or_else(|| not_offered(field, std::slice::from_ref(text)))
}

const fn expected(format: Format) -> Template {
    match format {
        Format::Email => term!("Expected email for form field"),
        Format::Uri => term!("Expected URI for form field"),
        Format::Date => term!("Expected date for form field"),
        Format::DateTime => term!("Expected date-time for form field"),
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn outside<N: PartialOrd>(value: &N, least: Option<&N>, most: Option<&N>, words: [Template; 2]) -> Option<Template> {
    let [below, above] = words;
    if least.is_some_and(|least| value < least) {
        return Some(below);
    }
    most.is_some_and(|most| value > most).then_some(above)
}

fn not_offered(field: &Field, items: &[String]) -> Option<Template> {
    let options = field.closed_options()?;
    let is_offered = |item: &String| options.iter().any(|option| option.value == *item);
    (!items.iter().all(is_offered)).then_some(term!("Invalid option for form field"))
}

/// Whether `pattern` is found in `text`. What can't be tried is the server's to judge.
fn is_found(pattern: &str, text: &str) -> bool {
    !effort::is_small(pattern, text)
        || regress::Regex::new(pattern).map_or(true, |pattern| pattern.find(text).is_some())
}
