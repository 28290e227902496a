//! Whether an answer is taken. The checks run in the order and the words of the real server.

use serde_json::Value;

use super::{Answers, Choice, Field, Format, Kind, When};

/// What is wrong with an answer, in the words for the wire; the first thing that is.
pub(crate) fn check(fields: &[Field], answers: &Answers) -> Result<(), String> {
    if let Some(unknown) = answers.keys().find(|key| !fields.iter().any(|field| field.key == **key)) {
        return Err(format!("Unknown form field: {unknown}"));
    }
    fields.iter().try_for_each(|field| check_field(field, answers))
}

fn check_field(field: &Field, answers: &Answers) -> Result<(), String> {
    let key = &field.key;
    let answer = answers.get(key);
    if field.is_external() {
        let done = answer == Some(&Value::Bool(true));
        return if done { Ok(()) } else { Err(format!("External form field must be acknowledged: {key}")) };
    }
    let active = field.when.iter().flatten().all(|when| holds(when, answers));
    let required = field.required.unwrap_or(false);
    let missing = || format!("Missing required form field: {key}");
    let Some(answer) = answer else {
        return if required && active { Err(missing()) } else { Ok(()) };
    };
    if !active {
        return Err(format!("Form field is not active: {key}"));
    }
    let wrong = |what: &str| format!("{what}: {key}");
    match &field.kind {
        Kind::Text { format, shortest, longest, pattern, .. } => {
            let text = answer.as_str().ok_or_else(|| wrong("Expected string for form field"))?;
            if required && text.is_empty() {
                return Err(missing());
            }
            let length = text.encode_utf16().count();
            within(length, *shortest, *longest, "Form field is too short", "Form field is too long").map_err(wrong)?;
            if pattern.as_ref().is_some_and(|pattern| !is_found(pattern, text)) {
                return Err(wrong("Form field does not match pattern"));
            }
            if let Some(expected) = format.filter(|format| !is_of(*format, text)) {
                let name = match expected {
                    Format::Uri => "URI",
                    other => other.name(),
                };
                return Err(format!("Expected {name} for form field: {key}"));
            }
            offered(field, &[text]).map_err(wrong)
        }
        Kind::Number { whole, least, most } => {
            let number = answer.as_f64().ok_or_else(|| wrong("Expected number for form field"))?;
            if *whole && number.fract() != 0.0 {
                return Err(wrong("Expected integer for form field"));
            }
            within(number, *least, *most, "Form field is too small", "Form field is too large").map_err(wrong)
        }
        Kind::Truth => answer.as_bool().map(drop).ok_or_else(|| wrong("Expected boolean for form field")),
        Kind::Several { fewest, most, .. } => {
            let texts: Option<Vec<&str>> =
                answer.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
            let texts = texts.ok_or_else(|| wrong("Expected string array for form field"))?;
            if required && texts.is_empty() {
                return Err(missing());
            }
            let (few, many) = ("Too few selections for form field", "Too many selections for form field");
            within(texts.len(), *fewest, *most, few, many).map_err(wrong)?;
            offered(field, &texts).map_err(wrong)
        }
        Kind::External { .. } => Ok(()),
    }
}

fn within<N: PartialOrd>(
    value: N,
    least: Option<N>,
    most: Option<N>,
    below: &'static str,
    above: &'static str,
) -> Result<(), &'static str> {
    if least.is_some_and(|least| value < least) {
        return Err(below);
    }
    if most.is_some_and(|most| value > most) { Err(above) } else { Ok(()) }
}

fn offered(field: &Field, answers: &[&str]) -> Result<(), &'static str> {
    let is_known =
        |choices: &[Choice]| answers.iter().all(|answer| choices.iter().any(|choice| choice.value == **answer));
    if field.closed_choices().is_none_or(is_known) { Ok(()) } else { Err("Invalid option for form field") }
}

/// A condition on a field without an answer does not hold, whichever way it asks.
fn holds(when: &When, answers: &Answers) -> bool {
    let Some(answer) = answers.get(&when.key) else { return false };
    let equal = match answer {
        Value::Array(items) => items.iter().any(|item| same(item, &when.value)),
        one => same(one, &when.value),
    };
    equal == when.equal
}

/// Numbers are the same however they are written.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one.total_cmp(&other).is_eq(),
        _ => one == other,
    }
}

fn is_found(pattern: &str, text: &str) -> bool {
    // Forms with a pattern that is none are refused when they are made.
    regress::Regex::new(pattern).is_ok_and(|pattern| pattern.find(text).is_some())
}

fn is_of(format: Format, text: &str) -> bool {
    match format {
        Format::Email => text.split_once('@').is_some_and(|(name, host)| {
            let plain = |part: &str| !part.is_empty() && !part.contains(|c: char| c == '@' || c.is_whitespace());
            plain(name) && plain(host) && host.split('.').count() > 1 && host.split('.').all(|part| !part.is_empty())
        }),
        Format::Uri => text.split_once(':').is_some_and(|(scheme, rest)| {
            let letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(letter)
                && !rest.trim_start_matches('/').is_empty()
                && !rest.contains(char::is_whitespace)
        }),
        Format::Date => is_date(text),
        Format::DateTime => {
            let (date, time) = text.split_once(['T', 't', ' ']).unwrap_or((text, ""));
            is_date(date) && is_time(time)
        }
    }
}

fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// `2026-11-30`
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// `07:35:16.733Z`, or with a distance from it at the end
fn is_time(text: &str) -> bool {
    let hours_and_minutes = |text: &str| {
        let part = text.split_once(':').and_then(|(hours, minutes)| Some((number(hours, 2)?, number(minutes, 2)?)));
        part.is_some_and(|(hours, minutes)| hours < 24 && minutes < 60)
    };
    let Some(end) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, zone) = text.split_at(end);
    let zoned = zone.eq_ignore_ascii_case("z") || hours_and_minutes(zone.trim_start_matches(['+', '-']));
    let Some((start, seconds)) = clock.rsplit_once(':') else { return false };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let whole = number(seconds, 2).is_some_and(|seconds| seconds < 61);
    zoned && hours_and_minutes(start) && whole && number(fraction, fraction.len()).is_some() && !fraction.is_empty()
}
