//! Reading JSON with forbearance: what can't be understood is kept as it is, or left out, but never spoils the rest.

use std::borrow::Cow;

use gavel_core::say;
use gavel_core::text::plain;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Error;

/// A field as the JSON text that it is.
pub type Raw<'a> = Option<&'a RawValue>;

/// Reads `text` as a `T`.
pub fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        // The words of the parser may quote the text; what it is about stays out of logs.
        let (line, column) = (error.line().to_string(), error.column().to_string());
        Error::Garbled(say!("it is not what was expected at line {}, column {}", plain(line), plain(column)))
    })
}

/// A field as a `T`, if it is one.
pub fn part<'a, T: Deserialize<'a>>(raw: Raw<'a>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

/// A field as text. Anything but a string is given as the JSON it is: shown oddly rather than lost.
pub fn text(raw: Raw<'_>) -> Option<String> {
    let raw = raw?.get();
    Some(serde_json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned()))
}

/// A field as text that isn't empty, if it is a string.
pub fn word(raw: Raw<'_>) -> Option<String> {
    part::<String>(raw).filter(|text| !text.is_empty())
}

/// A field as several texts. A single one counts as a list of one.
pub fn texts(raw: Raw<'_>) -> Vec<String> {
    match part::<Vec<&RawValue>>(raw) {
        Some(items) => items.into_iter().filter_map(|item| text(Some(item))).collect(),
        None => text(raw).into_iter().collect(),
    }
}

/// A field as any JSON value. One that can't be held, such as one nested very deeply, is given as its text.
pub fn value(raw: Raw<'_>) -> Value {
    raw.map_or(Value::Null, |raw| {
        serde_json::from_str(raw.get()).unwrap_or_else(|_| Value::String(raw.get().to_owned()))
    })
}

/// `json` with every half of a surrogate pair that stands alone replaced by U+FFFD. JavaScript may send such a
/// half, no Rust string can hold it, and an agent must not be able to hide a request behind one.
pub fn mend(json: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    let bytes = json.as_bytes();
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        let start = at + found;
        at = match unit(bytes, start) {
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, start + 6), Some(0xDC00..=0xDFFF)) => start + 12,
            Some(0xD800..=0xDFFF) => {
                mended.push_str(json.get(copied..start).unwrap_or_default());
                mended.push_str("\\ufffd");
                copied = start + 6;
                copied
            }
            Some(_) => start + 6,
            None => start + 2,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    mended.push_str(json.get(copied..).unwrap_or_default());
    Cow::Owned(mended)
}

/// The code unit that the escape at `at` stands for, if one is there.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mends_only_halves_that_stand_alone() {
        let cases = [
            (r#""plain""#, r#""plain""#),
            (r#""\n\\ud800""#, r#""\n\\ud800""#),
            (r#""\ud83e\udd80""#, r#""\ud83e\udd80""#),
            (r#""a\ud800b""#, r#""a\ufffdb""#),
            (r#""\udc00\ud800""#, r#""\ufffd\ufffd""#),
            (r#""\ud800\ud83e\udd80\u0041""#, r#""\ufffd\ud83e\udd80\u0041""#),
            (r#""жук\uDFFFжук""#, r#""жук\ufffdжук""#),
        ];
        for (given, expected) in cases {
            assert_eq!(mend(given), expected, "{given}");
            assert!(serde_json::from_str::<String>(&mend(given)).is_ok(), "{given}");
        }
    }
}
