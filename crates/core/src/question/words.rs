//! Questions and answers in words for a person, every character visible.

use super::{Answer, Choice, Field, Given, Kind, Question, Said};
use crate::display::visible;
use crate::term;
use crate::text::{Language, Message, Template};

pub(crate) const ONE_MORE_QUESTION: Template = term!("(and 1 more question)");
pub(crate) const MORE_QUESTIONS: Template = term!("(and {} more questions)");

/// What a field asks: its question, or else its heading, or else its name. Every character is visible.
#[must_use]
pub fn prompt(field: &Field) -> String {
    let said = |text: &&String| !text.trim().is_empty();
    let words = field.description.as_ref().filter(said).or(field.title.as_ref().filter(said));
    visible(words.unwrap_or(&field.key))
}

/// What is asked, on one line: the first question, and how many there are.
#[must_use]
pub fn headline(question: &Question) -> String {
    headline_in(question, Language::English)
}

/// [`headline`], with the words in `language` that are not the agent's.
#[must_use]
pub fn headline_in(question: &Question, language: Language) -> String {
    let mut shown = question.fields.iter().filter(|field| !field.hidden);
    let first = shown.next().map_or_else(|| visible(&question.title), prompt);
    let first = first.replace('\n', "⏎").replace('\t', " ");
    let more = match shown.count() {
        0 => return first,
        1 => ONE_MORE_QUESTION.into(),
        more => MORE_QUESTIONS.with(more),
    };
    format!("{first} {}", more.in_language(language))
}

/// Everything that is asked, with what is offered. Never cut.
#[must_use]
pub fn full_text(question: &Question) -> String {
    let mut lines = Vec::new();
    for field in question.fields.iter().filter(|field| !field.hidden) {
        lines.push(prompt(field));
        lines.extend(field.options().iter().map(option_line));
        match &field.kind {
            Kind::External { url } => lines.push(format!("  {}", visible(url))),
            Kind::Unknown { raw, .. } => lines.push(visible(&raw.to_string())),
            _ => {}
        }
    }
    if lines.is_empty() { visible(&question.title) } else { lines.join("\n") }
}

fn option_line(option: &Choice) -> String {
    let meaning = option.description.as_ref().filter(|text| !text.trim().is_empty());
    let meaning = meaning.map(|text| format!(": {}", visible(text))).unwrap_or_default();
    format!("  – {}{meaning}", visible(&option.label))
}

/// What was asked and what was answered, field by field. Hidden ones were never read by anybody.
#[must_use]
pub fn said(fields: &[Field], answer: &Answer) -> Vec<Said> {
    let told = |field: &Field| {
        let given = answer.get(&field.key).filter(|_| !field.hidden)?;
        let (answer, said) = in_words(field, given);
        Some(Said { question: prompt(field), answer, said })
    };
    fields.iter().filter_map(told).collect()
}

/// What was given, and what it is in any language where the word is neither the question's nor the user's own.
fn in_words(field: &Field, given: &Given) -> (String, Message) {
    let label = |value: &String| {
        let option = field.options().iter().find(|option| option.value == *value);
        visible(option.map_or(value, |option| &option.label))
    };
    let word = match given {
        Given::Text(text) => return (label(text), Message::default()),
        Given::Several(items) => return (items.iter().map(label).collect::<Vec<_>>().join(", "), Message::default()),
        Given::Number(number) => return (number.to_string(), Message::default()),
        Given::Boolean(true) if matches!(field.kind, Kind::External { .. }) => term!("Done"),
        Given::Boolean(true) => term!("Yes"),
        Given::Boolean(false) => term!("No"),
    };
    (word.english().to_owned(), word.into())
}
