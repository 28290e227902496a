//! A notice as the desktop is told it, fitted to what the desktop can show. Pure.

use gavel_core::display::visible;
use gavel_core::term;
use gavel_core::text::Template;

use crate::board::{DEFAULT, action_name};
use crate::{Capabilities, Notice};

/// Stands at the end of the body where there are no buttons.
pub(crate) const ELSEWHERE: Template = term!("Answer from Gavel's tray icon or its window.");

/// The texts of a Notify call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letter {
    pub title: String,
    pub body: String,
    /// Names and labels by turns.
    pub actions: Vec<String>,
}

/// Fits `notice`, whose clicks are told by `mark`, to a desktop that can do `can`.
pub(crate) fn fit(notice: &Notice, mark: u64, can: &Capabilities) -> Letter {
    let mut notice = notice.clone();
    if !can.body {
        // Where the body isn't displayed, nobody has read what they would approve.
        notice.buttons.retain(|button| !button.allows());
    }
    // Composed notices are visible throughout already; this keeps the promise for any other.
    let mut body = if can.body { visible(&notice.body) } else { String::new() };
    let mut actions = Vec::new();
    if can.actions {
        actions.extend([DEFAULT.to_owned(), term!("Open").in_language(notice.language)]);
        for button in &notice.buttons {
            actions.extend([action_name(*button, mark), notice.label(*button)]);
        }
    } else if can.body {
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(&ELSEWHERE.in_language(notice.language));
    }
    if can.markup {
        body = escape(&body);
    }
    let title = visible(&notice.title).replace('\n', "⏎").replace('\t', " ");
    Letter { title, body, actions }
}

/// `text` for a reader of markup.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
