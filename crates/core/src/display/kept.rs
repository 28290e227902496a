//! What a log keeps in English, in the user's language: the words that are Gavel's are, and all else stays as it is.

use super::{CHECKED, CHECKED_ELSE, MORE_CHARACTERS, MORE_FILES, ONE_MORE_FILE, SEARCHED, VERBS};
use crate::flow::Record;
use crate::question::words::{MORE_QUESTIONS, ONE_MORE_QUESTION};
use crate::text::{Language, Template};

/// A [`headline`](super::headline) of a request for `action`, or of a question, that was kept in English.
#[must_use]
pub fn retitled(action: &str, title: &str, language: Language) -> String {
    if action == Record::QUESTION {
        let (question, more) = title.rfind(" (").map_or((title, ""), |at| title.split_at(at));
        let more = more.trim_start();
        return match reread(&[ONE_MORE_QUESTION, MORE_QUESTIONS], more, language) {
            Some(more) => format!("{question} {more}"),
            None => title.to_owned(),
        };
    }
    let begun = VERBS.iter().filter_map(|verb| Some((verb, title.strip_prefix(verb.english())?.strip_prefix(' ')?)));
    // "Search the web for" begins as no other, but the longest is right in any case.
    let Some((verb, object)) = begun.max_by_key(|(verb, _)| verb.english().len()) else { return title.to_owned() };
    let about: &[Template] = match action {
        "edit" => &[ONE_MORE_FILE, MORE_FILES],
        "shell" | "webfetch" => &[CHECKED],
        _ => &[],
    };
    let object = reread(about, object, language).unwrap_or_else(|| object.to_owned());
    format!("{} {object}", verb.in_language(language))
}

/// A [`full_text`](super::full_text) of a request for `action` that was kept in English.
#[must_use]
pub fn retexted(action: &str, text: &str, language: Language) -> String {
    let text = recut(text, language);
    match action {
        // What the server checked stands last.
        "shell" | "webfetch" => match text.rsplit_once(&format!("\n{}\n", CHECKED_ELSE.english())) {
            Some((asked, checked)) => format!("{asked}\n{}\n{checked}", CHECKED_ELSE.in_language(language)),
            None => text,
        },
        "glob" | "grep" => text.split('\n').map(|line| searched(line, language)).collect::<Vec<_>>().join("\n"),
        _ => text,
    }
}

/// `text`, with what is said at its end of what was left out in `language`.
#[must_use]
pub fn recut(text: &str, language: Language) -> String {
    let cut = text.strip_suffix(" more characters)").and_then(|text| text.rsplit_once("… ("));
    match cut.and_then(|(kept, more)| Some((kept, more.parse::<usize>().ok()?))) {
        Some((kept, more)) => format!("{kept}… {}", MORE_CHARACTERS.with(more).in_language(language)),
        None => text.to_owned(),
    }
}

fn searched(line: &str, language: Language) -> String {
    let said = |word: Template| Some((word, line.strip_prefix(word.english())?.strip_prefix(": ")?));
    match SEARCHED.into_iter().find_map(|(_, word)| said(word)) {
        Some((word, told)) => format!("{}: {told}", word.in_language(language)),
        None => line.to_owned(),
    }
}

fn reread(sentences: &[Template], english: &str, language: Language) -> Option<String> {
    sentences.iter().find_map(|sentence| sentence.read(english)).map(|read| read.in_language(language))
}
