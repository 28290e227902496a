//! How a sentence is kept, so that it can be said in another language later: its template and what fills the holes.
//!
//! It stands beside the English, which is what other programs read. A template that this version doesn't know, because
//! another one kept it, makes no sentence: the English stays.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::message::{Message, Piece, Template, holes};
use super::ru;

/// The templates without words, which are in no catalogue.
pub const WORDLESS: [&str; 12] =
    ["", "{}", ", {}", "`{}`", "`{}` {}", "{} {}", "{}, {}", "{}.", "{}: {}", "{}{}", "{}{}{}", "{}; {}"];

#[derive(Serialize, Deserialize)]
struct Kept {
    say: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<KeptPiece>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptPiece {
    Plain(String),
    Code(String, usize),
    Number(usize),
    Grouped(usize),
    Said(Kept),
}

/// For `#[serde(with = …)]`: writes the template and the pieces of `message`.
///
/// # Errors
/// Those of `serializer`.
pub fn serialize<S: Serializer>(message: &Message, serializer: S) -> Result<S::Ok, S::Error> {
    Kept::from(message).serialize(serializer)
}

/// For `#[serde(with = …)]`: an empty message where no sentence can be made of what was kept, in whatever shape.
///
/// # Errors
/// Those of `deserializer`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
    // The line that it stands in must not be lost for it.
    let kept = Value::deserialize(deserializer)?;
    Ok(Kept::deserialize(kept).ok().and_then(Kept::message).unwrap_or_default())
}

impl From<&Message> for Kept {
    fn from(message: &Message) -> Self {
        let (template, pieces) = message.parts();
        Self { say: template.english().to_owned(), with: pieces.iter().map(KeptPiece::from).collect() }
    }
}

impl From<&Piece> for KeptPiece {
    fn from(piece: &Piece) -> Self {
        match piece {
            Piece::Plain(text) => Self::Plain(text.clone()),
            Piece::Code(shown, more) => Self::Code(shown.clone(), *more),
            Piece::Number(number) => Self::Number(*number),
            Piece::Grouped(number) => Self::Grouped(*number),
            Piece::Message(message) => Self::Said(message.into()),
        }
    }
}

impl Kept {
    fn message(self) -> Option<Message> {
        let wordless = || WORDLESS.iter().copied().find(|template| *template == self.say);
        let template = ru::known(&self.say).or_else(wordless)?;
        let pieces: Vec<Piece> = self.with.into_iter().map(KeptPiece::piece).collect::<Option<_>>()?;
        (holes(template) == pieces.len()).then(|| Message::new(Template::of(template), pieces))
    }
}

impl KeptPiece {
    fn piece(self) -> Option<Piece> {
        Some(match self {
            Self::Plain(text) => Piece::Plain(text),
            Self::Code(shown, more) => Piece::Code(shown, more),
            Self::Number(number) => Piece::Number(number),
            Self::Grouped(number) => Piece::Grouped(number),
            Self::Said(kept) => Piece::Message(kept.message()?),
        })
    }
}
