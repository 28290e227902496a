//! What a shell makes of one word, as far as it can be told without running anything.

mod codes;

use std::collections::HashMap;
use std::rc::Rc;

use gavel_core::term;
use gavel_core::text::Template;

/// What is known when a word is read.
#[derive(Debug, Default)]
pub(in crate::offline) struct Known {
    pub home: Option<String>,
    pub cwd: Option<String>,
    /// Variables that the text itself has set to a plain value.
    pub variables: Rc<HashMap<String, String>>,
}

/// A word of a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::offline) struct Word {
    /// Where it stands in the text it was read from, in bytes.
    pub start: usize,
    pub end: usize,
    /// Its value. What isn't known stays as it is written.
    pub text: String,
    /// Whether `text` is all there is to it; a glob that may become file names still counts as exact.
    pub exact: bool,
    /// Whether it holds a `*`, `?` or `[` that the shell takes for file names.
    pub glob: bool,
    /// Whether any part is quoted or escaped.
    pub quoted: bool,
    /// The way of writing it that makes it hard to read, if it has one.
    pub odd: Option<Template>,
    /// Where its value stands letter by letter.
    pub verbatim: Option<usize>,
}

/// The length from which on a word isn't made longer by what variables hold.
const LONGEST: usize = 4096;

const CODES: Template = term!("spells letters as codes (`$'…'`)");
const LOCALE: Template = term!("lets the locale translate a word (`$\"…\"`)");
const EMPTY: Template = term!("puts empty quotes into a word");
const SPLIT: Template = term!("breaks a word up with quotes");
const BACKSLASH: Template = term!("puts a backslash before a letter");
const LINE: Template = term!("breaks a word over two lines");
const BRACES: Template = term!("lets braces make several words of one");
const SPACE: Template = term!("makes a space of `$IFS`");
const NOTHING: Template = term!("puts an empty parameter into a word");

/// Reads the word `source`, which begins at byte `start` of its text.
pub(in crate::offline) fn read(source: &str, start: usize, known: &Known) -> Word {
    let mut reader = Reader {
        rest: source,
        known,
        word: Word { start, end: start + source.len(), exact: true, ..Word::default() },
        last: ' ',
        closed: None,
    };
    reader.tilde();
    while reader.step() {}
    let mut word = reader.word;
    word.verbatim = if word.text == source {
        Some(start)
    } else {
        source.get(1..source.len().saturating_sub(1)).filter(|inner| *inner == word.text).map(|_| start + 1)
    };
    word
}

struct Reader<'a> {
    rest: &'a str,
    known: &'a Known,
    word: Word,
    /// The last character that was read outside quotes.
    last: char,
    /// The last character of a quoted part that has just been closed.
    closed: Option<char>,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
        Some(c)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn odd(&mut self, how: Template) {
        self.word.odd.get_or_insert(how);
    }

    fn tilde(&mut self) {
        let Some(rest) = self.rest.strip_prefix('~') else { return };
        match &self.known.home {
            Some(home) if rest.is_empty() || rest.starts_with('/') => {
                self.word.text.push_str(home);
                self.rest = rest;
            }
            Some(home) if rest.split('/').next() == home.rsplit('/').next() => {
                let name = rest.split('/').next().map_or(0, str::len);
                self.word.text.push_str(home);
                self.rest = rest.get(name..).unwrap_or_default();
            }
            _ if rest == "root" || rest.starts_with("root/") => {
                self.word.text.push('/');
                self.rest = rest;
            }
            _ => self.word.exact = false,
        }
    }

    fn step(&mut self) -> bool {
        let closed = self.closed.take();
        let Some(c) = self.next() else { return false };
        if closed.is_some_and(char::is_alphanumeric) && c.is_alphanumeric() {
            self.odd(SPLIT);
        }
        match c {
            '\'' => self.single(),
            '"' => self.double(),
            '\\' => self.escape(),
            '$' => self.dollar(false),
            '`' => self.backtick(),
            '*' | '?' | '[' => {
                self.word.glob = true;
                self.word.text.push(c);
            }
            '{' => {
                let inside = self.rest.split_once('}').map(|(inside, _)| inside);
                if inside.is_some_and(|inside| inside.contains(',') || inside.contains("..")) {
                    self.odd(BRACES);
                    self.word.exact = false;
                }
                self.word.text.push(c);
            }
            '<' | '>' if self.peek() == Some('(') => {
                self.word.exact = false;
                self.word.text.push(c);
                self.take_rest();
            }
            _ => self.word.text.push(c),
        }
        self.last = self.closed.unwrap_or(c);
        true
    }

    fn take_rest(&mut self) {
        self.word.text.push_str(self.rest);
        self.rest = "";
    }

    /// A quoted part begins; `content` is what it holds.
    fn quoted(&mut self, content: &str) {
        self.word.quoted = true;
        if content.is_empty() && (!self.rest.is_empty() || !self.word.text.is_empty()) {
            self.odd(EMPTY);
        }
        if self.last.is_alphanumeric() && content.chars().next().is_some_and(char::is_alphanumeric) {
            self.odd(SPLIT);
        }
        self.closed = content.chars().last();
    }

    fn single(&mut self) {
        let (content, rest) = match self.rest.split_once('\'') {
            Some((content, rest)) => (content, rest),
            None => (self.rest, ""),
        };
        self.rest = rest;
        self.quoted(content);
        self.word.text.push_str(content);
    }

    fn double(&mut self) {
        let before = self.word.text.len();
        let outside = self.last;
        let whole = self.rest;
        let mut end = whole.len();
        while let Some(c) = self.next() {
            match c {
                '"' => {
                    end = whole.len() - self.rest.len() - 1;
                    break;
                }
                '\\' => match self.peek() {
                    Some('\n') => {
                        self.next();
                    }
                    Some(escaped @ ('$' | '`' | '"' | '\\')) => {
                        self.next();
                        self.word.text.push(escaped);
                    }
                    _ => self.word.text.push('\\'),
                },
                '$' => self.dollar(true),
                '`' => self.backtick(),
                _ => self.word.text.push(c),
            }
        }
        let content = whole.get(..end).unwrap_or_default();
        // What stood before must be looked at without what has just been added.
        let added = self.word.text.split_off(before.min(self.word.text.len()));
        self.last = outside;
        self.quoted(content);
        self.word.text.push_str(&added);
    }

    fn escape(&mut self) {
        match self.next() {
            Some('\n') => self.odd(LINE),
            Some(c) => {
                self.word.quoted = true;
                if c.is_alphanumeric() {
                    self.odd(BACKSLASH);
                }
                self.word.text.push(c);
            }
            None => self.word.text.push('\\'),
        }
    }

    fn backtick(&mut self) {
        self.word.exact = false;
        self.word.text.push('`');
        match self.rest.split_once('`') {
            Some((inside, rest)) => {
                self.word.text.push_str(inside);
                self.word.text.push('`');
                self.rest = rest;
            }
            None => self.take_rest(),
        }
    }

    fn dollar(&mut self, in_quotes: bool) {
        match self.peek() {
            Some('\'') if !in_quotes => {
                self.next();
                self.odd(CODES);
                self.word.quoted = true;
                self.codes();
            }
            Some('"') if !in_quotes => {
                self.odd(LOCALE);
                self.word.exact = false;
            }
            Some('(') => self.substitution(),
            Some('{') => {
                let Some((inside, rest)) = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) else {
                    self.word.exact = false;
                    self.word.text.push('$');
                    return;
                };
                self.rest = rest;
                self.variable(inside, &format!("${{{inside}}}"), in_quotes);
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
                let (name, rest) = self.rest.split_at(end);
                self.rest = rest;
                self.variable(name, &format!("${name}"), in_quotes);
            }
            Some(c @ ('@' | '*' | '#' | '?' | '-' | '$' | '!' | '0'..='9')) => {
                self.next();
                self.word.exact = false;
                if matches!(c, '@' | '*' | '1'..='9') && !in_quotes {
                    self.odd(NOTHING);
                } else {
                    self.word.text.push('$');
                    self.word.text.push(c);
                }
            }
            _ => self.word.text.push('$'),
        }
    }

    fn variable(&mut self, name: &str, written: &str, in_quotes: bool) {
        let value = match name {
            "HOME" => self.known.home.as_deref(),
            "PWD" => self.known.cwd.as_deref(),
            _ => None,
        };
        if name == "IFS" || name.starts_with("IFS") {
            self.odd(SPACE);
            self.word.exact = false;
            self.word.text.push(' ');
        // Values in values must not make a word grow without end.
        } else if let Some(value) = value
            .or_else(|| self.known.variables.get(name).map(String::as_str))
            .filter(|_| self.word.text.len() <= LONGEST)
        {
            if !in_quotes && value.contains([' ', '\t', '\n', '*', '?', '[']) {
                self.word.exact = false;
            }
            self.word.text.push_str(value);
        } else {
            self.word.exact = false;
            self.word.text.push_str(written);
        }
    }

    /// `$(…)` and `$((…))`: what they give isn't known.
    fn substitution(&mut self) {
        self.word.exact = false;
        self.word.text.push('$');
        let mut depth = 0_usize;
        while let Some(c) = self.next() {
            self.word.text.push(c);
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests;
