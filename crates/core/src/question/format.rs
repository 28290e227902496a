//! What texts of certain formats look like. In doubt a text passes: the server has the last word.

use super::Format;

pub(super) fn is_of(format: Format, text: &str) -> bool {
    match format {
        Format::Email => is_email(text),
        Format::Uri => is_uri(text),
        Format::Date => is_date(text),
        Format::DateTime => is_date_time(text),
    }
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let plain = |c: char| !c.is_whitespace() && c != '@';
    let labels: Vec<&str> = host.split('.').collect();
    !name.is_empty()
        && text.chars().filter(|c| *c != '@').all(plain)
        && !host.contains('@')
        && labels.len() > 1
        && labels.iter().all(|label| !label.is_empty())
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut letters = scheme.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        && rest.chars().any(|c| c != '/')
        && !rest.chars().any(char::is_whitespace)
}

/// The number that exactly `length` digits are.
fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=last).contains(&day)
}

/// `2026-11-30T19:43:00.5Z`, or with a distance from that zone at the end.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else { return false };
    let Some(at) = time.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, zone) = time.split_at(at);
    let offset = zone.strip_prefix(['+', '-']);
    is_date(date) && is_clock(clock) && (zone.eq_ignore_ascii_case("z") || offset.is_some_and(is_minute))
}

/// `19:43`
fn is_minute(text: &str) -> bool {
    let Some((hour, minute)) = text.split_once(':') else { return false };
    digits(hour, 2).is_some_and(|hour| hour < 24) && digits(minute, 2).is_some_and(|minute| minute < 60)
}

/// `19:43:00`, perhaps with a fraction.
fn is_clock(text: &str) -> bool {
    let Some((minute, second)) = text.rsplit_once(':') else { return false };
    let (second, fraction) = second.split_once('.').unwrap_or((second, "0"));
    is_minute(minute)
        // A minute may have a leap second.
        && digits(second, 2).is_some_and(|second| second < 61)
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}
