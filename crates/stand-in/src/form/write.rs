//! Writes a field for the wire.

use serde_json::{Map, Value, json};

use super::{Choice, Field, Kind};

/// The field as clients are shown it.
pub(crate) fn field(field: &Field) -> Value {
    let mut whole = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            whole.insert(key.to_owned(), value);
        }
    };
    let text = |value: &Option<String>| value.as_ref().map(|value| json!(value));
    put("key", Some(json!(field.key)));
    put("title", text(&field.title));
    put("description", text(&field.description));
    put("required", field.required.map(|required| json!(required)));
    put("hidden", field.hidden.map(|hidden| json!(hidden)));
    let conditions = field.when.as_ref().map(|conditions| {
        let one = |when: &super::When| {
            json!({ "key": when.key, "op": if when.equal { "eq" } else { "neq" }, "value": when.value })
        };
        conditions.iter().map(one).collect::<Vec<_>>()
    });
    put("when", conditions.map(|conditions| json!(conditions)));
    let kind = match &field.kind {
        Kind::Text { format, shortest, longest, pattern, placeholder, choices: offered, custom } => {
            put("format", format.map(|format| json!(format.name())));
            put("minLength", shortest.map(|count| json!(count)));
            put("maxLength", longest.map(|count| json!(count)));
            put("pattern", text(pattern));
            put("placeholder", text(placeholder));
            put("options", offered.as_ref().map(|offered| choices(offered)));
            put("custom", custom.map(|custom| json!(custom)));
            "string"
        }
        Kind::Number { whole, least, most } => {
            put("minimum", least.map(number));
            put("maximum", most.map(number));
            if *whole { "integer" } else { "number" }
        }
        Kind::Truth => "boolean",
        Kind::Several { choices: offered, fewest, most, custom } => {
            put("options", Some(choices(offered)));
            put("minItems", fewest.map(|count| json!(count)));
            put("maxItems", most.map(|count| json!(count)));
            put("custom", custom.map(|custom| json!(custom)));
            "multiselect"
        }
        Kind::External { url } => {
            put("url", Some(json!(url)));
            "external"
        }
    };
    put("type", Some(json!(kind)));
    put("default", field.default.clone());
    Value::Object(whole)
}

fn choices(choices: &[Choice]) -> Value {
    let one = |choice: &Choice| match &choice.description {
        Some(description) => json!({ "value": choice.value, "label": choice.label, "description": description }),
        None => json!({ "value": choice.value, "label": choice.label }),
    };
    choices.iter().map(one).collect()
}

fn number(number: f64) -> Value {
    // Whole numbers are written as such, as JavaScript writes them.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        return serde_json::from_str(&format!("{number:.0}")).unwrap_or(Value::Null);
    }
    let name = if number > 0.0 { "Infinity" } else { "-Infinity" };
    if number.is_finite() { json!(number) } else { json!(name) }
}
