//! Narrower patterns for what is asked just now.

use super::shell;
use crate::modes::covers;
use crate::rules::{Case, Pattern};

/// Patterns for `resource` that match less than `wide` does, the narrowest first. Each matches the resource.
///
/// A star, a question mark or a backslash in the resource itself can't be expressed in a pattern, so no pattern is
/// offered that would hold one.
#[must_use]
pub fn narrower(action: &str, resource: &str, wide: &str) -> Vec<String> {
    // What asks for a folder asks for all that is in it.
    let exact = if action == "external_directory" { resource.strip_suffix("/*") } else { None };
    let mut found = vec![exact.map_or((resource, ""), |folder| (folder, "/*"))];
    match action {
        // Behind the first command of several, a star would match any other: then only the line itself will do.
        "shell" if shell::read(resource).chained => {}
        "shell" => found.extend(words(resource).into_iter().map(|words| (words, " *"))),
        "edit" | "read" | "external_directory" | "webfetch" => {
            found.extend(parents(exact.unwrap_or(resource)).into_iter().map(|folder| (folder, "/*")));
        }
        _ => {}
    }
    let is_plain = |fixed: &str| !fixed.contains(['*', '?', '\\']) && !fixed.trim().is_empty();
    let is_narrower = |pattern: &String| {
        covers(wide, pattern) && !covers(pattern, wide) && Pattern::new(pattern, Case::Sensitive).matches(resource)
    };
    found.retain(|(fixed, _)| is_plain(fixed));
    found.into_iter().map(|(fixed, tail)| format!("{fixed}{tail}")).filter(is_narrower).collect()
}

/// The beginnings of a command line that end at a word's end, longest first, without the whole.
fn words(line: &str) -> Vec<&str> {
    let mut quote = None;
    let mut ends = Vec::new();
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') if last != ' ' => ends.push(at),
            _ => {}
        }
        last = c;
    }
    ends.into_iter().rev().filter_map(|end| line.get(..end)).collect()
}

/// The folders that hold a path or an address, the nearest first. The root and a host's scheme are none.
fn parents(path: &str) -> Vec<&str> {
    let start = path.find("://").map_or(0, |at| at + 3);
    let slashes = path.match_indices('/').filter(|(at, _)| *at > start);
    let mut all: Vec<&str> = slashes.filter_map(|(at, _)| path.get(..at)).collect();
    all.retain(|folder| !folder.split('/').all(|part| matches!(part, "" | "." | "..")));
    all.reverse();
    all
}
