//! Which fields are asked, and what is sent for them.

use std::collections::BTreeSet;

use super::{Answer, Field, When};

/// Whether a condition holds. On a field without an answer none does, whichever way it asks.
fn holds(when: &When, answer: &Answer) -> bool {
    answer.get(&when.key).is_some_and(|given| given.is(&when.value) == when.equal)
}

/// Whether `field` is asked when `answer` is given.
pub(super) fn is_active(field: &Field, answer: &Answer) -> bool {
    field.when.iter().all(|when| holds(when, answer))
}

/// The fields that are asked while this much is `given`, in their order. What is given for a field that is not asked
/// doesn't count for others, and hidden fields count with their defaults.
#[must_use]
pub fn active<'a>(fields: &'a [Field], given: &Answer) -> Vec<&'a Field> {
    walk(fields, given).0
}

/// What is to be sent when this much is `given`: nothing for fields that are not asked, and the defaults of those that
/// are hidden. What is given under a name that no field has stays, for the server to refuse.
#[must_use]
pub fn complete(fields: &[Field], given: &Answer) -> Answer {
    let known: BTreeSet<&str> = fields.iter().map(|field| field.key.as_str()).collect();
    let (_, mut answer) = walk(fields, given);
    let strangers = given.iter().filter(|(key, _)| !known.contains(key.as_str()));
    answer.extend(strangers.map(|(key, given)| (key.clone(), given.clone())));
    answer
}

fn walk<'a>(fields: &'a [Field], given: &Answer) -> (Vec<&'a Field>, Answer) {
    let (mut active, mut answer) = (Vec::new(), Answer::new());
    // Conditions only name earlier fields.
    for field in fields.iter() {
        if !is_active(field, &answer) {
            continue;
        }
        active.push(field);
        let default = field.default.as_ref().filter(|_| field.hidden);
        if let Some(value) = given.get(&field.key).or(default) {
            answer.insert(field.key.clone(), value.clone());
        }
    }
    (active, answer)
}
