//! Reads a field as clients and scripts write it.

use serde_json::{Map, Value};

use super::{Choice, Field, Format, Kind, When, Wrong};

/// Reads one field. Keys that nobody knows are left alone.
///
/// # Errors
/// What is wrong, and where in it.
pub(crate) fn field(value: &Value) -> Result<Field, Wrong> {
    let fields = Fields { of: object(value, String::new())?, place: String::new() };
    let kind = kind(&fields)?;
    let external = matches!(kind, Kind::External { .. });
    let when = fields.list("when", when)?;
    let field = Field {
        key: fields.need_text("key")?,
        title: fields.text("title")?,
        description: fields.text("description")?,
        required: fields.truth("required")?,
        hidden: fields.truth("hidden")?,
        when,
        default: default(&fields, &kind)?,
        kind,
    };
    // An external field has no more than its words and its address.
    Ok(if external { Field { required: None, hidden: None, when: None, default: None, ..field } } else { field })
}

fn kind(fields: &Fields<'_>) -> Result<Kind, Wrong> {
    Ok(match fields.need_text("type")?.as_str() {
        "string" => Kind::Text {
            format: fields
                .text("format")?
                .map(|name| {
                    let names = "\"email\" | \"uri\" | \"date\" | \"date-time\"";
                    let wrong = || fields.wrong("format", format!("Expected {names}, got \"{name}\""));
                    Format::named(&name).ok_or_else(wrong)
                })
                .transpose()?,
            shortest: fields.count("minLength")?,
            longest: fields.count("maxLength")?,
            pattern: fields.text("pattern")?,
            placeholder: fields.text("placeholder")?,
            choices: fields.list("options", choice)?,
            custom: fields.truth("custom")?,
        },
        name @ ("number" | "integer") => {
            Kind::Number { whole: name == "integer", least: fields.number("minimum")?, most: fields.number("maximum")? }
        }
        "boolean" => Kind::Truth,
        "multiselect" => Kind::Several {
            choices: fields.list("options", choice)?.ok_or_else(|| fields.missing("options"))?,
            fewest: fields.count("minItems")?,
            most: fields.count("maxItems")?,
            custom: fields.truth("custom")?,
        },
        "external" => Kind::External { url: fields.need_text("url")? },
        other => {
            let names = "\"string\" | \"number\" | \"integer\" | \"boolean\" | \"multiselect\" | \"external\"";
            return Err(fields.wrong("type", format!("Expected {names}, got \"{other}\"")));
        }
    })
}

fn default(fields: &Fields<'_>, kind: &Kind) -> Result<Option<Value>, Wrong> {
    let Some(value) = fields.of.get("default") else { return Ok(None) };
    let (fits, name) = match kind {
        Kind::Text { .. } => (value.is_string(), "string"),
        Kind::Number { whole, .. } => {
            let fits = value.as_f64().is_some_and(|number| !whole || number.fract() == 0.0);
            (fits, if *whole { "integer" } else { "number" })
        }
        Kind::Truth => (value.is_boolean(), "boolean"),
        Kind::Several { .. } => (value.as_array().is_some_and(|items| items.iter().all(Value::is_string)), "array"),
        Kind::External { .. } => (true, ""),
    };
    if fits { Ok(Some(value.clone())) } else { Err(fields.wrong("default", format!("Expected {name}, got {value}"))) }
}

fn choice(value: &Value, place: String) -> Result<Choice, Wrong> {
    let fields = Fields { of: object(value, place.clone())?, place };
    Ok(Choice {
        value: fields.need_text("value")?,
        label: fields.need_text("label")?,
        description: fields.text("description")?,
    })
}

fn when(value: &Value, place: String) -> Result<When, Wrong> {
    let fields = Fields { of: object(value, place.clone())?, place };
    let equal = match fields.need_text("op")?.as_str() {
        "eq" => true,
        "neq" => false,
        other => return Err(fields.wrong("op", format!("Expected \"eq\" | \"neq\", got \"{other}\""))),
    };
    let value = fields.of.get("value").ok_or_else(|| fields.missing("value"))?;
    if !(value.is_string() || value.is_number() || value.is_boolean()) {
        return Err(fields.wrong("value", format!("Expected string | number | boolean, got {value}")));
    }
    Ok(When { key: fields.need_text("key")?, equal, value: value.clone() })
}

fn object(value: &Value, place: String) -> Result<&Map<String, Value>, Wrong> {
    value.as_object().ok_or_else(|| Wrong { place, why: format!("Expected object, got {value}") })
}

struct Fields<'value> {
    of: &'value Map<String, Value>,
    place: String,
}

impl Fields<'_> {
    fn wrong(&self, key: &str, why: String) -> Wrong {
        Wrong { place: format!("{}[\"{key}\"]", self.place), why }
    }

    fn missing(&self, key: &str) -> Wrong {
        self.wrong(key, "Missing key".to_owned())
    }

    fn of_kind<T>(&self, key: &str, kind: &str, read: impl FnOnce(&Value) -> Option<T>) -> Result<Option<T>, Wrong> {
        let Some(value) = self.of.get(key) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| self.wrong(key, format!("Expected {kind}, got {value}")))
    }

    fn text(&self, key: &str) -> Result<Option<String>, Wrong> {
        self.of_kind(key, "string", |value| value.as_str().map(str::to_owned))
    }

    fn need_text(&self, key: &str) -> Result<String, Wrong> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    fn truth(&self, key: &str) -> Result<Option<bool>, Wrong> {
        self.of_kind(key, "boolean", Value::as_bool)
    }

    fn count(&self, key: &str) -> Result<Option<usize>, Wrong> {
        self.of_kind(key, "integer", |value| usize::try_from(value.as_u64()?).ok())
    }

    /// JSON has no words for the numbers without end, so they are written as text.
    fn number(&self, key: &str) -> Result<Option<f64>, Wrong> {
        self.of_kind(key, "number", |value| match value.as_str() {
            Some("Infinity") => Some(f64::INFINITY),
            Some("-Infinity") => Some(f64::NEG_INFINITY),
            Some(_) => None,
            None => value.as_f64(),
        })
    }

    fn list<T>(&self, key: &str, item: fn(&Value, String) -> Result<T, Wrong>) -> Result<Option<Vec<T>>, Wrong> {
        let Some(value) = self.of.get(key) else { return Ok(None) };
        let items = value.as_array().ok_or_else(|| self.wrong(key, format!("Expected array, got {value}")))?;
        let place = |at: usize| format!("{}[\"{key}\"][{at}]", self.place);
        items.iter().enumerate().map(|(at, value)| item(value, place(at))).collect::<Result<_, _>>().map(Some)
    }
}
