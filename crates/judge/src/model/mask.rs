//! Takes secrets out of what a judge is told, before anything leaves the machine.
//!
//! When in doubt it is a secret: the judge can do without the value, and the user can't take it back. What the shell would
//! put in the place of a variable or a substitution is no secret that is written down, so those stay: they are what
//! a judge has to see.

mod shapes;

use std::collections::BTreeSet;

use regex::Captures;
use shapes::{ASSIGNMENT, SHAPES};

use crate::offline::secrets;

/// Takes secrets out of several texts that belong together.
#[derive(Debug, Default)]
pub struct Mask {
    found: BTreeSet<String>,
    hides: bool,
}

/// A shorter value isn't looked for elsewhere: it would be found in ordinary words.
const SHORTEST_KNOWN: usize = 8;

/// What begins everything that stands in the place of a secret.
const MARK: &str = "[masked:";

/// What is said when nothing can be vouched for.
const ALL: &str = "[masked: everything]";

impl Mask {
    /// `text` without the secrets in it.
    pub fn text(&mut self, text: &str) -> String {
        let Some(shapes) = &*SHAPES else { return ALL.to_owned() };
        let mut out = text.to_owned();
        for shape in shapes {
            if shape.finds.is_match(&out) {
                out = shape
                    .finds
                    .replace_all(&out, |found: &Captures<'_>| self.replacement(found, shape.kind, shape.doubtful))
                    .into_owned();
            }
        }
        if mentions_secret_file(text) { self.assignments(&out) } else { out }
    }

    /// Whether something was taken out that might be more than one plain word: a part of a command behind a name that
    /// tells of a secret, say. What a judge then allows, it allows without having seen it.
    #[must_use]
    pub fn hides(&self) -> bool {
        self.hides
    }

    /// `text`, which is the content of a file that usually holds secrets: nothing but names and comments' marks are left.
    pub fn content(&mut self, text: &str) -> String {
        let text = self.text(text);
        let text = self.assignments(&text);
        let mut hidden = false;
        let mut line = |line: &str| {
            let mark: String = line.chars().take_while(|c| matches!(c, '+' | '-' | ' ' | '\t')).collect();
            let rest = line.get(mark.len()..).unwrap_or_default();
            let plain = rest.is_empty() || rest.contains(MARK) || rest.starts_with('#') || is_patch_head(line);
            hidden |= !plain;
            if plain { line.to_owned() } else { format!("{mark}{MARK} line]") }
        };
        let text = text.split('\n').map(&mut line).collect::<Vec<_>>().join("\n");
        self.hides |= hidden;
        text
    }

    /// `text` without the secrets that were found before, wherever they stand.
    #[must_use]
    pub fn known(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for secret in self.found.iter().rev().filter(|secret| out.contains(secret.as_str())).collect::<Vec<_>>() {
            out = out.replace(secret.as_str(), &format!("{MARK} secret]"));
        }
        out
    }

    /// Whether one of these paths is a file that usually holds secrets.
    pub fn names_secret_file<'a>(&self, paths: impl Iterator<Item = &'a String>) -> bool {
        let mut paths = paths;
        paths.any(|path| secrets::reason(path).is_some())
    }

    fn assignments(&mut self, text: &str) -> String {
        match &*ASSIGNMENT {
            Some(assignment) => {
                assignment.replace_all(text, |found: &Captures<'_>| self.replacement(found, "value", true)).into_owned()
            }
            None => ALL.to_owned(),
        }
    }

    /// What takes the place of a find.
    fn replacement(&mut self, found: &Captures<'_>, kind: &str, doubtful: bool) -> String {
        let Some(whole) = found.get(0) else { return String::new() };
        let secret = found.name("secret").unwrap_or(whole);
        let name = found.name("name").map_or("", |name| name.as_str());
        let (open, value, close) = unquoted(secret.as_str());
        if value.contains(MARK) || doubtful && is_harmless(name, value) {
            return whole.as_str().to_owned();
        }
        let before = text_before(whole.as_str(), secret.start() - whole.start());
        self.hides |= may_run(value) || begins_a_command(before);
        if value.len() >= SHORTEST_KNOWN {
            self.found.insert(value.to_owned());
        }
        let after = whole.as_str().get(before.len() + secret.len()..).unwrap_or_default();
        format!("{before}{open}{MARK} {kind}]{close}{after}")
    }
}

/// Whether `value` may be more than a plain word to a shell: several commands or words, an expansion, or a path.
fn may_run(value: &str) -> bool {
    let path = ["/", "~", "./", "../"].iter().any(|start| value.starts_with(start)) || matches!(value, "." | "..");
    path || value.contains(|c: char| c.is_whitespace() || ";|&<>(){}$`*?#\\'\"".contains(c))
}

/// Whether what was taken out of a command stands where the name of a program would.
pub(super) fn hides_a_program(command: &str) -> bool {
    let mut from = 0;
    while let Some(at) = command.get(from..).and_then(|rest| rest.find(MARK)).map(|at| from + at) {
        let before = command.get(..at).unwrap_or_default().trim_end_matches([' ', '\t', '"', '\'']);
        if before.is_empty() || before.ends_with(|c: char| ";|&(){}`!\n".contains(c)) {
            return true;
        }
        from = at + MARK.len();
    }
    false
}

fn text_before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default()
}

/// Whether what follows `before` is the beginning of a command: on a line of its own, or behind an empty assignment.
fn begins_a_command(before: &str) -> bool {
    let name = before.trim_end();
    let gap = before.get(name.len()..).unwrap_or_default();
    let assigned = name.strip_suffix('=').is_some_and(|name| !name.ends_with(char::is_whitespace));
    gap.contains('\n') || assigned && !gap.is_empty()
}

/// A value and the quotes around it.
fn unquoted(text: &str) -> (&str, &str, &str) {
    for quote in ["\"", "'"] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return (quote, inner, quote);
        }
    }
    ("", text, "")
}

/// Whether `value`, which stands where a secret might, is surely none.
fn is_harmless(name: &str, value: &str) -> bool {
    /// Counts and port numbers; a PIN has its own name.
    const COUNT: usize = 6;
    let lower = value.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    let starts = ["$", "`", "{{", "%", "<", "***", "process.env", "os.environ", "os.getenv", "env.", "import.meta.env"];
    let words =
        ["", "true", "false", "null", "none", "nil", "undefined", "yes", "no", "string", "str", "bool", "required"];
    let number = value.len() <= COUNT && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let counted =
        ["tokens", "pass"].iter().any(|word| name.ends_with(word)) || name.contains("token") || name.is_empty();
    let hash = value.len() >= 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let unnamed_hash = name.is_empty() && hash;
    starts.iter().any(|start| lower.starts_with(start))
        || value.contains("$(")
        || value.contains('`')
        || words.contains(&lower.as_str())
        || number && counted
        || unnamed_hash
        || name.contains("tokeniz")
        || name.ends_with("pwd") && value.starts_with(['/', '.', '~'])
        || name.is_empty() && value.len() == AWS_SECRET && !is_mixed(value)
}

/// How long AWS makes its secret keys.
const AWS_SECRET: usize = 40;

/// Whether `text` has small and capital letters and digits, as random text of some length always has.
fn is_mixed(text: &str) -> bool {
    let has = |of: fn(&u8) -> bool| text.as_bytes().iter().any(of);
    has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit)
}

/// Whether a word of `text` is the name of a file that usually holds secrets.
fn mentions_secret_file(text: &str) -> bool {
    let ends = |c: char| c.is_whitespace() || "\"'`;|&<>()=:,".contains(c);
    text.split(ends).any(|word| secrets::reason(word).is_some())
}

/// The lines of a patch that say where it belongs.
fn is_patch_head(line: &str) -> bool {
    ["+++ ", "--- ", "@@ ", "diff ", "index "].iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests;
