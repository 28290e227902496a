//! The wording of a notification, from plain inputs. Pure.

use gavel_core::display::{excerpt, is_deceptive_text, visible};
use gavel_core::text::{Language, Message, grouped, plain};
use gavel_core::{RequestKey, say};

use crate::{Button, Notice};

/// How much of what is asked a notification holds, in shown characters. Desktops show about this much without being
/// asked for more.
pub const TEXT_LIMIT: usize = 280;

/// How many lines of what is asked a notification holds.
pub const TEXT_LINES: usize = 6;

/// The longest other line of a notification, in shown characters.
pub const LINE_LIMIT: usize = 160;

/// The longest title, in shown characters, the project's name left out.
pub const TITLE_LIMIT: usize = 72;

/// The longest project name in a title, in shown characters.
pub const PROJECT_LIMIT: usize = 32;

/// What there is to say about a request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Draft<'a> {
    /// What is asked, on one line: `Run npm test`. Cut freely, for `text` says it whole.
    pub headline: &'a str,
    /// The project's name; empty if there is none.
    pub project: &'a str,
    /// What a judge or the agent says about it, one remark a line. Not part of what is approved: a long remark is cut
    /// and that is all.
    pub remarks: &'a [String],
    /// What else is approved along with the text, one fact a line: where it runs, for instance.
    pub facts: &'a [String],
    /// The whole of what is asked, uncut: the command, the path, the address.
    pub text: &'a str,
    /// The patterns that would be allowed for the session along with it. Empty: that is not offered.
    pub session: &'a [String],
    /// Whether approving may be offered at all.
    pub approvable: bool,
    /// See [`Notice::urgent`].
    pub urgent: bool,
    /// See [`Notice::language`].
    pub language: Language,
}

/// Words the notification for `key`.
///
/// Every invisible character of every part is spelled out. If any part of what would be approved does not fit, the
/// notification says how much is missing and does not offer to approve. Allowing for the session is offered only where
/// approving is, and where every pattern is displayed.
#[must_use]
pub fn compose(key: RequestKey, draft: &Draft<'_>) -> Notice {
    let mut lines: Vec<String> = draft.remarks.iter().map(|remark| cut(remark, LINE_LIMIT).0).collect();
    let mut whole = true;
    for fact in draft.facts {
        let (line, complete) = cut(fact, LINE_LIMIT);
        whole &= complete;
        lines.push(line);
    }
    // Before the text: whatever that says, this line has been read first.
    let session = session(draft.session, draft.language).filter(|_| draft.approvable);
    let place = lines.len();
    let shown = excerpt(draft.text, TEXT_LIMIT, TEXT_LINES);
    if !shown.text.is_empty() {
        lines.push(shown.text);
    }
    if shown.missing > 0 {
        whole = false;
        lines.push(missing(shown.missing).in_language(draft.language));
    }
    let (mut title, complete) = cut(draft.headline, TITLE_LIMIT);
    if draft.text.is_empty() {
        // Then the title is all there is to read.
        whole &= complete;
    }
    if !draft.project.is_empty() {
        title = format!("{title} · {}", cut(draft.project, PROJECT_LIMIT).0);
    }
    let mut buttons = vec![Button::Decline, Button::Review];
    if whole && draft.approvable {
        buttons.insert(0, Button::Approve);
        if let Some(line) = session {
            // Second, for some desktops have room for three only, and a click on the notification opens it as well.
            buttons.insert(1, Button::AllowSession);
            lines.insert(place, line);
        }
    }
    Notice {
        key,
        title,
        body: lines.join("\n"),
        buttons,
        choices: Vec::new(),
        urgent: draft.urgent,
        language: draft.language,
    }
}

/// The line that names the patterns allowed for a session, if they can all be named and told from one another.
fn session(patterns: &[String], language: Language) -> Option<String> {
    let is_plain = |pattern: &String| !pattern.contains(['`', '\n', '\t']) && !is_deceptive_text(pattern);
    if patterns.is_empty() || !patterns.iter().all(is_plain) {
        return None;
    }
    let quoted: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
    let (line, complete) =
        cut(&say!("Allow this session: also {}", plain(quoted.join(", "))).in_language(language), LINE_LIMIT);
    complete.then_some(line)
}

/// `text` on one line, every character visible, at most `limit` characters; and whether that is all of it.
pub(crate) fn cut(text: &str, limit: usize) -> (String, bool) {
    let line = visible(text).replace('\n', "⏎").replace('\t', " ");
    match line.char_indices().nth(limit) {
        Some((at, _)) => (format!("{}…", line.get(..at).unwrap_or_default()), false),
        None => (line, true),
    }
}

/// How much is missing, and where it is to be read.
pub(crate) fn missing(count: usize) -> Message {
    say!("… {} more characters: open Gavel to read all", grouped(count))
}

#[cfg(test)]
mod tests;
