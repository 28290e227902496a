//! Whether fields make a form.

use serde_json::Value;

use super::{Field, Kind, When, Wrong};

/// What is wrong with the fields of a new form; the first thing that is.
pub(crate) fn consistent(fields: &[Field]) -> Result<(), Wrong> {
    if fields.is_empty() {
        return Err(wrong(String::new(), "Expected at least one field"));
    }
    for (at, field) in fields.iter().enumerate() {
        let earlier = fields.get(..at).unwrap_or_default();
        if earlier.iter().any(|one| one.key == field.key) {
            return Err(wrong(format!("[{at}][\"key\"]"), format!("Duplicate form field: {}", field.key)));
        }
        if let Kind::Text { pattern: Some(pattern), .. } = &field.kind
            && regress::Regex::new(pattern).is_err()
        {
            return Err(wrong(format!("[{at}][\"pattern\"]"), format!("Invalid pattern: {pattern}")));
        }
        for (number, when) in field.when.iter().flatten().enumerate() {
            let known = earlier.iter().find(|one| one.key == when.key && !one.is_external());
            let why = match known {
                None => Some(format!("Form field condition must reference an earlier field: {}", when.key)),
                Some(known) if !fits(known, when) => Some(format!("Invalid form field condition value: {}", when.key)),
                Some(_) => None,
            };
            if let Some(why) = why {
                return Err(wrong(format!("[{at}][\"when\"][{number}]"), why));
            }
        }
    }
    Ok(())
}

fn wrong(place: String, why: impl Into<String>) -> Wrong {
    Wrong { place, why: why.into() }
}

/// Whether the value of a condition is one that the field could have.
fn fits(field: &Field, when: &When) -> bool {
    let listed =
        |text: &str| field.closed_choices().is_none_or(|choices| choices.iter().any(|choice| choice.value == text));
    match &field.kind {
        Kind::Text { .. } | Kind::Several { .. } => when.value.as_str().is_some_and(listed),
        Kind::Number { whole, .. } => when.value.as_f64().is_some_and(|number| !whole || number.fract() == 0.0),
        Kind::Truth => when.value.is_boolean(),
        Kind::External { .. } => matches!(when.value, Value::Null),
    }
}
