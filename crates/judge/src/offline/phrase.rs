//! Pieces of sentences.

use gavel_core::display;

/// The most characters of a name that a sentence holds.
const MOST: usize = 80;

/// `text` in backticks, on one line, every character visible; what is left out of a long one is said.
pub(super) fn code(text: &str) -> String {
    let shown = display::visible(text).replace('\n', "⏎").replace(['\t', '`'], " ");
    let length = shown.chars().count();
    if length <= MOST {
        return format!("`{shown}`");
    }
    let head: String = shown.chars().take(MOST).collect();
    format!("`{head}…` ({} more characters)", length - MOST)
}

/// A sentence, should a piece of it have come in unseen.
pub(super) fn visible(sentence: String) -> String {
    let plain = !display::is_deceptive_text(&sentence) && !sentence.contains(['\n', '\t']);
    if plain { sentence } else { display::visible(&sentence).replace('\n', "⏎").replace('\t', " ") }
}

/// Up to three names in backticks, and how many more there are.
pub(super) fn list<T: AsRef<str>>(names: &[T]) -> String {
    let coded: Vec<String> = names.iter().take(3).map(|name| code(name.as_ref())).collect();
    joined(&coded, names.len())
}

/// Up to three pieces, and how many more there are.
pub(super) fn join(pieces: &[String]) -> String {
    joined(pieces, pieces.len())
}

fn joined(first: &[String], count: usize) -> String {
    match first {
        [] => "something that isn't named".to_owned(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, two, three, ..] if count == 3 => format!("{one}, {two} and {three}"),
        [one, two, ..] => format!("{one}, {two} and {} more", count - 2),
    }
}

/// `count` of `one`, with an `s` where there are several.
pub(super) fn count(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
