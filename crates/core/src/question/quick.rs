//! Questions that a click can answer.

use super::{Answer, Field, Given, Kind, Question, complete, problems};
use crate::display::visible;
use crate::term;
use crate::text::Language;

/// The most options that have a button each.
const MOST: usize = 3;

/// The whole answers that can be given with one click, and what they are called in `language`: the options of a single choice, if there
/// are at most three, or yes and no. Empty where more than that is asked, or the server would refuse one of them.
#[must_use]
pub fn quick_in(question: &Question, language: Language) -> Vec<(String, Answer)> {
    let fields = &question.fields;
    let mut shown = fields.iter().filter(|field| !field.hidden);
    let (Some(field), None) = (shown.next(), shown.next()) else { return Vec::new() };
    // What depends on conditions is looked at in the window, and patterns of agents are not tried for a label's sake.
    let is_plain = |field: &Field| field.when.is_empty() && !matches!(field.kind, Kind::Text { pattern: Some(_), .. });
    if !fields.iter().all(is_plain) {
        return Vec::new();
    }
    let choices: Vec<(String, Given)> = match &field.kind {
        Kind::Text { options: Some(options), .. } if options.len() <= MOST => {
            options.iter().map(|option| (visible(&option.label), Given::Text(option.value.clone()))).collect()
        }
        Kind::Boolean => {
            vec![(term!("Yes").in_language(language), true.into()), (term!("No").in_language(language), false.into())]
        }
        _ => return Vec::new(),
    };
    let whole = |(label, given)| (label, complete(fields, &Answer::from([(field.key.clone(), given)])));
    let answers: Vec<(String, Answer)> = choices.into_iter().map(whole).collect();
    let is_taken = |(_, answer): &(String, Answer)| problems(fields, answer).is_empty();
    if answers.iter().all(is_taken) { answers } else { Vec::new() }
}

/// [`quick_in`] English.
#[must_use]
pub fn quick(question: &Question) -> Vec<(String, Answer)> {
    quick_in(question, Language::English)
}
