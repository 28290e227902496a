//! Questions in the menu.

use gavel_core::text::{Language, Template, plain};
use gavel_core::{say, term};

use super::{APPROVABLE, Action, FACTS, Item, hint, label};
use crate::api::{Call, FieldKind, Question, QuestionPhase};

pub(super) const fn is_open(question: &Question) -> bool {
    !matches!(question.phase, QuestionPhase::Replying { .. })
}

/// An entry for a question: its answers, if one click can give them and all of it can be read here.
pub(super) fn menu(question: &Question, language: Language) -> Item {
    let word = |word: Template| word.in_language(language);
    let open = Action::Open(Some(question.key.clone()));
    let mut menu = Vec::new();
    let (lines, whole) = text(question, language);
    menu.extend(lines.into_iter().map(Item::Text));
    match &question.phase {
        QuestionPhase::Undelivered { why, .. } => {
            menu.push(Item::Text(hint(&say!("Not delivered: {}", plain(why)).in_language(language))));
            menu.push(Item::Action(word(term!("Retry")), Action::Call(Call::Retry { key: question.key.clone() })));
        }
        QuestionPhase::Waiting if question.refused.is_none() && whole => {
            menu.extend(question.quick.iter().map(|quick| {
                let (key, answer, edition) = (question.key.clone(), quick.answer.clone(), question.edition);
                Item::Action(quick.label.clone(), Action::Call(Call::AnswerQuestion { key, answer, edition }))
            }));
        }
        QuestionPhase::Waiting | QuestionPhase::Replying { .. } => {}
    }
    menu.push(Item::Action(word(term!("Answer…")), open));
    Item::Menu(label(&question.headline, &question.project), menu)
}

/// What is asked, and whether that is all of it.
fn text(question: &Question, language: Language) -> (Vec<String>, bool) {
    let mut lines = Vec::new();
    for field in question.fields.iter().filter(|field| !field.hidden) {
        let prompt = field.description.as_ref().or(field.title.as_ref()).unwrap_or(&field.key);
        lines.push(prompt.clone());
        if let FieldKind::Text { options: Some(options), .. } = &field.kind {
            let told = |meaning: &String, label: &str| format!("{label}: {meaning}");
            lines.extend(options.iter().filter_map(|one| Some(told(one.description.as_ref()?, &one.label))));
        }
    }
    let fits = |line: &String| line.chars().count() <= APPROVABLE && !line.contains('\n');
    let labels = question.quick.iter().map(|quick| &quick.label);
    if lines.len() <= FACTS && lines.iter().chain(labels).all(fits) {
        (lines, true)
    } else {
        (vec![term!("Too long to be read here").in_language(language)], false)
    }
}
