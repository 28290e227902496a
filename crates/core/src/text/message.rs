//! Sentences made of a template and pieces.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Language, ru};
use crate::{display, say};

/// The most characters of a name that a sentence holds.
const MOST: usize = 80;

/// An English sentence, or a part of one, with a `{}` for each piece. Made by `term!`, so that none escapes the catalogues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Template(&'static str);

impl Template {
    #[doc(hidden)]
    #[must_use]
    pub const fn of(english: &'static str) -> Self {
        Self(english)
    }

    /// The English, holes and all.
    #[must_use]
    pub const fn english(self) -> &'static str {
        self.0
    }

    /// The sentence with `piece` in its hole.
    pub fn with(self, piece: impl Into<Piece>) -> Message {
        Message::new(self, vec![piece.into()])
    }

    /// The sentence with `pieces` in its holes.
    pub fn with_all<const N: usize>(self, pieces: [Piece; N]) -> Message {
        Message::new(self, pieces.into())
    }

    /// The sentence that reads `english`, if it can be made of this template: for what was kept as text. Its pieces are
    /// numbers, where they are written like one, and else names; the first of several ways to cut it counts.
    #[must_use]
    pub fn read(self, english: &str) -> Option<Message> {
        let mut parts = self.0.split("{}");
        let mut rest = english.strip_prefix(parts.next()?)?;
        let mut pieces = Vec::new();
        let mut parts = parts.peekable();
        while let Some(part) = parts.next() {
            let at = if parts.peek().is_none() { rest.len().checked_sub(part.len())? } else { rest.find(part)? };
            let (piece, after) = rest.split_at_checked(at)?;
            rest = after.strip_prefix(part)?;
            pieces.push(number(piece).map_or_else(|| plain(piece), Piece::Number));
        }
        rest.is_empty().then(|| Message::new(self, pieces))
    }

    /// The sentence, which has no holes, in `language`.
    #[must_use]
    pub fn in_language(self, language: Language) -> String {
        Message::from(self).in_language(language)
    }
}

/// A sentence that can be said in every language. As text it is English.
#[derive(Debug, Clone, Eq, Default)]
#[must_use]
pub struct Message {
    template: Template,
    pieces: Vec<Piece>,
}

/// What fills a hole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Letters that are the same in every language.
    Plain(String),
    /// The beginning of a name, every character visible, and how many characters more it has. Stands in backticks.
    Code(String, usize),
    /// A number; the first one of a sentence chooses its plural.
    Number(usize),
    /// A number of things for a person, its thousands set apart; chooses a plural as well.
    Grouped(usize),
    /// A sentence, or a part of one.
    Message(Message),
}

impl From<Message> for Piece {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<Template> for Piece {
    fn from(template: Template) -> Self {
        Self::Message(template.into())
    }
}

impl From<usize> for Piece {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<Template> for Message {
    fn from(template: Template) -> Self {
        Self { template, pieces: Vec::new() }
    }
}

impl From<Piece> for Message {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Message(message) => message,
            other => Self { template: Template("{}"), pieces: vec![other] },
        }
    }
}

/// `text` as it stands, in every language.
#[must_use]
pub fn plain(text: impl Into<String>) -> Piece {
    Piece::Plain(text.into())
}

/// A number whose thousands are set apart.
#[must_use]
pub const fn grouped(number: usize) -> Piece {
    Piece::Grouped(number)
}

/// `text` in backticks, on one line, every character visible; what is left out of a long one is said.
#[must_use]
pub fn code(text: &str) -> Piece {
    let shown = display::visible(text).replace('\n', "⏎").replace(['\t', '`'], " ");
    match shown.char_indices().nth(MOST) {
        None => Piece::Code(shown, 0),
        Some((end, _)) => {
            let (head, tail) = shown.split_at(end);
            Piece::Code(head.to_owned(), tail.chars().count())
        }
    }
}

/// Up to three of `pieces`, and how many more of `count` there are.
pub fn list(pieces: impl IntoIterator<Item = Piece>, count: usize) -> Message {
    let mut pieces = pieces.into_iter();
    match (pieces.next(), pieces.next(), pieces.next()) {
        (None, ..) => say!("something that isn't named"),
        (Some(one), None, _) => one.into(),
        (Some(one), Some(two), None) => say!("{} and {}", one, two),
        (Some(one), Some(two), Some(three)) if count == 3 => say!("{}, {} and {}", one, two, three),
        (Some(one), Some(two), Some(_)) => say!("{}, {} and {} more", one, two, count - 2),
    }
}

/// The number that is written exactly like `text`.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}

/// How many holes `template` has.
#[doc(hidden)]
#[must_use]
pub const fn holes(template: &str) -> usize {
    let mut rest = template.as_bytes();
    let mut count = 0;
    while let [first, tail @ ..] = rest {
        count += (*first == b'{') as usize;
        rest = tail;
    }
    count
}

/// What a form of a word is for, where a language has forms: the hole says it, and what fills the hole obeys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Case {
    #[default]
    Nominative,
    Genitive,
    Dative,
    Accusative,
    Instrumental,
    Prepositional,
}

impl Message {
    /// Words of others, which are the same in every language.
    pub fn verbatim(text: impl Into<String>) -> Self {
        plain(text).into()
    }

    #[doc(hidden)]
    pub fn new(template: Template, pieces: Vec<Piece>) -> Self {
        Self { template, pieces }
    }

    /// What it is made of.
    pub(super) fn parts(&self) -> (Template, &[Piece]) {
        (self.template, &self.pieces)
    }

    /// Changes, by `change`, every name and every word of others that it holds, wherever it stands in it.
    pub fn reword(&mut self, change: &mut impl FnMut(&mut String)) {
        for piece in &mut self.pieces {
            match piece {
                Piece::Plain(text) | Piece::Code(text, _) => change(text),
                Piece::Message(message) => message.reword(change),
                Piece::Number(_) | Piece::Grouped(_) => {}
            }
        }
    }

    /// Whether it is but [somebody's words](Self::verbatim).
    #[must_use]
    pub fn is_verbatim(&self) -> bool {
        self.template.0 == "{}" && matches!(*self.pieces, [Piece::Plain(_)])
    }

    /// The sentence in `language`; `english`, which says the same, where there is none.
    #[must_use]
    pub fn or_english(&self, english: &str, language: Language) -> String {
        if self.is_empty() { english.to_owned() } else { self.in_language(language) }
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.template.0.is_empty()
    }

    /// The sentence in `language`, on one line, every character visible.
    #[must_use]
    pub fn in_language(&self, language: Language) -> String {
        let mut sentence = String::with_capacity(self.template.0.len() + 32);
        self.write(&mut sentence, language, Case::default());
        let is_printable = sentence.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if is_printable || !display::is_deceptive_text(&sentence) && !sentence.contains(['\n', '\t']) {
            sentence
        } else {
            display::visible(&sentence).replace('\n', "⏎").replace('\t', " ")
        }
    }

    fn write(&self, sentence: &mut String, language: Language, case: Case) {
        let english = self.template.0;
        let number = || self.pieces.iter().find_map(Piece::number);
        let template = match language {
            Language::English => english,
            Language::Russian => ru::form(english, number, case),
        };
        let mut next = 0;
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            sentence.push_str(before);
            let (hole, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            let (index, wanted) = if hole.is_empty() { (None, None) } else { ru::hole(hole) };
            let index = index.unwrap_or(next);
            next = index + 1;
            if let Some(piece) = self.pieces.get(index) {
                piece.write(sentence, language, wanted.unwrap_or(case));
            }
        }
        sentence.push_str(rest);
    }
}

impl Piece {
    fn number(&self) -> Option<usize> {
        match self {
            Self::Number(number) | Self::Grouped(number) => Some(*number),
            _ => None,
        }
    }

    fn write(&self, sentence: &mut String, language: Language, case: Case) {
        match self {
            Self::Plain(text) => sentence.push_str(text),
            Self::Code(shown, 0) => {
                sentence.push('`');
                sentence.push_str(shown);
                sentence.push('`');
            }
            Self::Code(shown, more) => {
                sentence.push('`');
                sentence.push_str(shown);
                sentence.push_str("…` ");
                say!("({} more characters)", *more).write(sentence, language, Case::default());
            }
            Self::Number(number) => sentence.push_str(&number.to_string()),
            Self::Grouped(number) => write_grouped(sentence, *number, language),
            Self::Message(message) => message.write(sentence, language, case),
        }
    }
}

/// With a mark between every three digits. A blank is an ordinary one: others are spelled out wherever names are shown.
fn write_grouped(sentence: &mut String, number: usize, language: Language) {
    let mark = match language {
        Language::English => ',',
        Language::Russian => ' ',
    };
    let digits = number.to_string();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            sentence.push(mark);
        }
        sentence.push(digit);
    }
}

/// Equal are those that say the same, however they came to be put together.
impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.template == other.template && self.pieces == other.pieces || self.to_string() == other.to_string()
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, english: &&str) -> bool {
        self.in_language(Language::English).as_str() == *english
    }
}

/// As text: what is kept is English.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::verbatim)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::English))
    }
}
