//! The wording of a notification for a question, from plain inputs. Pure.

use gavel_core::RequestKey;
use gavel_core::display::{excerpt, visible};
use gavel_core::text::Language;

use crate::notice::{LINE_LIMIT, PROJECT_LIMIT, TEXT_LIMIT, TEXT_LINES, TITLE_LIMIT, cut, missing};
use crate::{Button, Notice};

/// The longest label of a button, in shown characters: desktops cut longer ones.
pub const LABEL_LIMIT: usize = 40;

/// What there is to say about a question.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<'a> {
    /// What is asked, on one line. Cut freely, for `text` says it whole.
    pub headline: &'a str,
    /// The project's name; empty if there is none.
    pub project: &'a str,
    /// Who asks, and what went wrong, one remark a line.
    pub remarks: &'a [String],
    /// The whole of what is asked, uncut.
    pub text: &'a str,
    /// The answers that can be given with one click, at most as many as there are in [`Button::CHOICES`]; none to have it
    /// answered in the window.
    pub choices: &'a [String],
    /// See [`Notice::urgent`].
    pub urgent: bool,
    /// See [`Notice::language`].
    pub language: Language,
}

/// Words the notification for the question `key`.
///
/// Every invisible character is spelled out. If a part of what is asked does not fit, or an answer doesn't fit its
/// button, the question can only be answered in the window.
#[must_use]
pub fn compose_question(key: RequestKey, query: &Query<'_>) -> Notice {
    let mut lines: Vec<String> = query.remarks.iter().map(|remark| cut(remark, LINE_LIMIT).0).collect();
    let shown = excerpt(query.text, TEXT_LIMIT, TEXT_LINES);
    let whole = shown.missing == 0;
    lines.push(shown.text);
    if !whole {
        lines.push(missing(shown.missing).in_language(query.language));
    }
    let mut title = cut(query.headline, TITLE_LIMIT).0;
    if !query.project.is_empty() {
        title = format!("{title} · {}", cut(query.project, PROJECT_LIMIT).0);
    }
    let choices: Vec<String> = query.choices.iter().map(|label| visible(label)).collect();
    let fits = |label: &String| {
        !label.trim().is_empty() && label.chars().count() <= LABEL_LIMIT && !label.contains(['\n', '\t'])
    };
    let distinct =
        choices.iter().enumerate().all(|(at, label)| !choices.iter().skip(at + 1).any(|other| other == label));
    let choices = if whole && distinct && choices.iter().all(fits) && choices.len() <= Button::CHOICES.len() {
        choices
    } else {
        Vec::new()
    };
    let mut buttons: Vec<Button> = Button::CHOICES.into_iter().take(choices.len()).collect();
    buttons.push(Button::Answer);
    Notice { key, title, body: lines.join("\n"), buttons, choices, urgent: query.urgent, language: query.language }
}

#[cfg(test)]
mod tests;
