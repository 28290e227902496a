//! What the user reads. What is shown is what will run: nothing is hidden, interpreted or silently cut.

mod kept;

pub use kept::{recut, retexted, retitled};

use crate::text::{Language, Message, Template, plain};
use crate::{Ask, say, term};

/// `text` with every character that would be invisible, or would change how its neighbours look, spelled out as
/// `⟨U+202E⟩`. Line feeds and tabs stay.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_deceptive(c) {
            shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether `text` holds a character that [`visible`] spells out.
#[must_use]
pub fn is_deceptive_text(text: &str) -> bool {
    text.chars().any(is_deceptive)
}

/// Controls, bidirectional and other format characters, fillers, and every space that isn't the ordinary one.
fn is_deceptive(c: char) -> bool {
    match c {
        '\n' | '\t' | ' ' => false,
        _ if c.is_control() || c.is_whitespace() => true,
        _ => matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{0600}'..='\u{0605}' | '\u{061C}' | '\u{06DD}' | '\u{070F}'
            | '\u{0890}'..='\u{0891}' | '\u{08E2}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
            | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}' | '\u{16FE4}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D159}' | '\u{1D173}'..='\u{1D17A}' | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{E0FFF}'
            | '\u{F0000}'..='\u{10FFFF}'),
    }
}

/// A text cut for a small place, and how much is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The beginning, made [`visible`].
    pub text: String,
    /// How many characters are left out; zero if all is shown.
    pub missing: usize,
}

/// The beginning of `text`, at most `limit` shown characters and `lines` lines.
#[must_use]
pub fn excerpt(text: &str, limit: usize, lines: usize) -> Excerpt {
    let shown = visible(text);
    let mut end = shown.len();
    let mut breaks = 0;
    for (count, (at, c)) in shown.char_indices().enumerate() {
        if c == '\n' {
            breaks += 1;
        }
        if count == limit || breaks == lines {
            end = at;
            break;
        }
    }
    let (head, tail) = shown.split_at(end);
    Excerpt { text: head.to_owned(), missing: tail.chars().count() }
}

/// Every way in which a headline begins.
const VERBS: [Template; 11] = [
    term!("Run"),
    term!("Edit"),
    term!("Read"),
    term!("Search for"),
    term!("Fetch"),
    term!("Search the web for"),
    term!("Go outside the project:"),
    term!("Start sub-agent"),
    term!("Use skill"),
    term!("Repeat the same call again:"),
    ALLOW,
];

const ALLOW: Template = term!("Allow");
const CHECKED: Template = term!("{} (checked: {})");
const ONE_MORE_FILE: Template = term!("{} and 1 more file: {}");
const MORE_CHARACTERS: Template = term!("({} more characters)");
const MORE_FILES: Template = term!("{} and {} more files: {}");
const CHECKED_ELSE: Template = term!("The server checked something else:");

/// What is asked, as words and object: (`Run`, `npm test`).
fn phrase(ask: &Ask) -> (Template, Message) {
    let detail = &ask.detail;
    let first = || Message::verbatim(ask.resources.join(", "));
    let and_unsaid = |text: &str| {
        let unsaid = unsaid(ask, text).join(", ");
        if unsaid.is_empty() { Message::verbatim(text) } else { CHECKED.with_all([plain(text), plain(unsaid)]) }
    };
    let or_first = |value: &Option<String>| said(value).map_or_else(first, and_unsaid);
    match ask.action.as_str() {
        "shell" => (term!("Run"), or_first(&detail.command)),
        "edit" => (term!("Edit"), said(&detail.path).map_or_else(first, |path| file_and_others(ask, path))),
        "read" => (term!("Read"), first()),
        "glob" | "grep" => (term!("Search for"), first()),
        "webfetch" => (term!("Fetch"), or_first(&detail.url)),
        "websearch" => (term!("Search the web for"), first()),
        "external_directory" => (term!("Go outside the project:"), first()),
        "subagent" => (term!("Start sub-agent"), first()),
        "skill" => (term!("Use skill"), first()),
        "doom_loop" => (term!("Repeat the same call again:"), first()),
        _ => (ALLOW, Message::verbatim(format!("{} {}", ask.action, first()).trim_end())),
    }
}

/// Whether `text` says all that the server checked.
pub(crate) fn says_all(ask: &Ask, text: &str) -> bool {
    unsaid(ask, text).is_empty()
}

/// What the server checked but `text` does not say: the two come by different ways and need not be about the same.
fn unsaid<'a>(ask: &'a Ask, text: &str) -> Vec<&'a str> {
    ask.resources.iter().map(String::as_str).filter(|resource| !text.contains(resource)).collect()
}

/// The files that `path` does not stand for. A resource may be relative to the project's directory or to one above.
fn other_files<'a>(ask: &'a Ask, path: &str) -> Vec<&'a str> {
    let path = path.replace('\\', "/");
    let is_it = |resource: &str| {
        let resource = resource.replace('\\', "/");
        let below = resource.trim_start_matches("../");
        path == resource || path.strip_suffix(below).is_some_and(|rest| rest.ends_with('/') && !below.is_empty())
    };
    ask.resources.iter().map(String::as_str).filter(|resource| !is_it(resource)).collect()
}

/// `path`, and how many files are changed beside it.
fn file_and_others(ask: &Ask, path: &str) -> Message {
    let file = within(&ask.directory, path);
    match other_files(ask, path).as_slice() {
        [] => Message::verbatim(file),
        [other] => ONE_MORE_FILE.with_all([plain(file), plain(*other)]),
        others => MORE_FILES.with_all([plain(file), others.len().into(), plain(others.join(", "))]),
    }
}

/// `text`, if there is anything in it: a blank one must not stand in the way of what else is known.
fn said(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

/// `path` relative to `directory` when it lies inside.
fn within(directory: &str, path: &str) -> String {
    path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path).to_owned()
}

/// What is asked, whole, on one line, every character visible: `Run npm test`.
#[must_use]
pub fn headline(ask: &Ask) -> String {
    headline_in(ask, Language::English)
}

/// [`headline`] in `language`.
#[must_use]
pub fn headline_in(ask: &Ask, language: Language) -> String {
    let (verb, object) = phrase(ask);
    let says_nothing = object.to_string().trim().is_empty();
    let (verb, object) = if says_nothing { (ALLOW, Message::verbatim(&ask.action)) } else { (verb, object) };
    say!("{} {}", verb, object).in_language(language)
}

/// The full text of what is asked, every character visible. Never cut.
#[must_use]
pub fn full_text(ask: &Ask) -> String {
    full_text_in(ask, Language::English)
}

/// [`full_text`], with the words in `language` that are not the server's.
#[must_use]
pub fn full_text_in(ask: &Ask, language: Language) -> String {
    let detail = &ask.detail;
    let resources = || ask.resources.join("\n");
    let with_unsaid = |text: &str| {
        let unsaid = unsaid(ask, text).join("\n");
        if unsaid.is_empty() {
            text.to_owned()
        } else {
            let other = CHECKED_ELSE.in_language(language);
            format!("{text}\n{other}\n{unsaid}")
        }
    };
    let text = match ask.action.as_str() {
        "shell" => said(&detail.command).map_or_else(resources, with_unsaid),
        "webfetch" => said(&detail.url).map_or_else(resources, with_unsaid),
        "external_directory" => said(&detail.command).map_or_else(resources, str::to_owned),
        "edit" | "read" => said(&detail.path).map_or_else(resources, |path| {
            let files: Vec<&str> = std::iter::once(path).chain(other_files(ask, path)).collect();
            files.join("\n")
        }),
        "glob" | "grep" => searched(ask, language),
        "websearch" | "subagent" | "skill" => resources(),
        // An unknown kind is shown raw.
        _ => raw(ask),
    };
    // So is a known one that says nothing where it should.
    visible(&if text.trim().is_empty() { raw(ask) } else { text })
}

/// What else is told of a search, and the word for it.
const SEARCHED: [(&str, Template); 4] =
    [("pattern", term!("for")), ("root", term!("below")), ("path", term!("in")), ("include", term!("files"))];

/// What is searched for, and where: the same words found elsewhere are another approval.
fn searched(ask: &Ask, language: Language) -> String {
    let mut lines = ask.resources.clone();
    for (key, word) in SEARCHED {
        let told = match ask.detail.metadata.get(key) {
            None | Some(serde_json::Value::Null) => continue,
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let is_known = match key {
            "pattern" => ask.resources.contains(&told),
            "path" => told == "." || told == ask.directory,
            "root" => told == ask.directory,
            _ => false,
        };
        if !is_known && !told.is_empty() {
            lines.push(format!("{}: {told}", word.in_language(language)));
        }
    }
    lines.join("\n")
}

fn raw(ask: &Ask) -> String {
    // The kind may be all that tells what it does, and headlines are cut.
    let mut lines = ask.action.clone();
    for resource in &ask.resources {
        lines.push('\n');
        lines.push_str(resource);
    }
    if !ask.detail.metadata.is_null() {
        lines.push('\n');
        // Serialising a JSON value can't fail; were it to, its plain form is still shown.
        lines.push_str(
            &serde_json::to_string_pretty(&ask.detail.metadata).unwrap_or_else(|_| ask.detail.metadata.to_string()),
        );
    }
    lines
}

/// The last part of a directory's path, by which people call a project.
#[must_use]
pub fn project_name(directory: &str) -> String {
    let name = directory.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(directory);
    visible(if name.is_empty() { directory } else { name })
}
