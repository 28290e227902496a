//! Whether a server would take an answer: its own rules, in its own order and words.

use super::condition::is_active;
use super::{Answer, Field, Format, Given, Kind, effort, format};

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The field it is about; one that is not in the form, too.
    pub field: String,
    /// What is wrong, as the server says it.
    pub message: String,
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
    let strangers = answer.keys().filter(|key| !is_known(key)).map(|key| (key, "Unknown form field"));
    let wrong = fields.iter().filter_map(|field| Some((&field.key, field_problem(field, answer)?)));
    strangers
        .chain(wrong)
        .map(|(key, what)| Problem { field: key.clone(), message: format!("{what}: {key}") })
        .collect()
}

const MISSING: &str = "Missing required form field";

fn field_problem(field: &Field, answer: &Answer) -> Option<&'static str> {
    let given = answer.get(&field.key);
    if matches!(field.kind, Kind::External { .. }) {
        return (given != Some(&Given::Boolean(true))).then_some("External form field must be acknowledged");
    }
    let active = is_active(field, answer);
    let Some(given) = given else { return (field.required && active).then_some(MISSING) };
    if !active {
        return Some("Form field is not active");
    }
    match &field.kind {
        Kind::Text { .. } => text_problem(field, given),
        Kind::Number { whole, minimum, maximum } => {
            let Some(number) = given.as_number() else { return Some("Expected number for form field") };
            if *whole && number.fract() != 0.0 {
                return Some("Expected integer for form field");
            }
            outside(&number, minimum.as_ref(), maximum.as_ref(), ["Form field is too small", "Form field is too large"])
        }
        Kind::Boolean => (!matches!(given, Given::Boolean(_))).then_some("Expected boolean for form field"),
        Kind::Multiselect { min_items, max_items, .. } => {
            let Given::Several(items) = given else { return Some("Expected string array for form field") };
            if field.required && items.is_empty() {
                return Some(MISSING);
            }
            let words = ["Too few selections for form field", "Too many selections for form field"];
            outside(&count(items.len()), min_items.as_ref(), max_items.as_ref(), words)
                .or_else(|| not_offered(field, items))
        }
        // Nobody knows what it takes. The server will say.
        Kind::Unknown { .. } | Kind::External { .. } => None,
    }
}

fn text_problem(field: &Field, given: &Given) -> Option<&'static str> {
    let Kind::Text { format, min_length, max_length, pattern, .. } = &field.kind else { return None };
    let Given::Text(text) = given else { return Some("Expected string for form field") };
    if field.required && text.is_empty() {
        return Some(MISSING);
    }
    let words = ["Form field is too short", "Form field is too long"];
    let length = count(text.encode_utf16().count());
    outside(&length, min_length.as_ref(), max_length.as_ref(), words)
        .or_else(|| {
            pattern.as_ref().filter(|pattern| !is_found(pattern, text)).map(|_| "Form field does not match pattern")
        })
        .or_else(|| format.filter(|format| !format::is_of(*format, text)).map(expected))
        .or_else(|| not_offered(field, std::slice::from_ref(text)))
}

const fn expected(format: Format) -> &'static str {
    match format {
        Format::Email => "Expected email for form field",
        Format::Uri => "Expected URI for form field",
        Format::Date => "Expected date for form field",
        Format::DateTime => "Expected date-time for form field",
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn outside<N: PartialOrd>(
    value: &N,
    least: Option<&N>,
    most: Option<&N>,
    words: [&'static str; 2],
) -> Option<&'static str> {
    let [below, above] = words;
    if least.is_some_and(|least| value < least) {
        return Some(below);
    }
    most.is_some_and(|most| value > most).then_some(above)
}

fn not_offered(field: &Field, items: &[String]) -> Option<&'static str> {
    let options = field.closed_options()?;
    let is_offered = |item: &String| options.iter().any(|option| option.value == *item);
    (!items.iter().all(is_offered)).then_some("Invalid option for form field")
}

/// Whether `pattern` is found in `text`. What can't be tried is the server's to judge.
fn is_found(pattern: &str, text: &str) -> bool {
    !effort::is_small(pattern, text)
        || regress::Regex::new(pattern).map_or(true, |pattern| pattern.find(text).is_some())
}
