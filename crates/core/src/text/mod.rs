//! What a person reads, in the person's language.
//!
//! A sentence is written in English where it is said, with holes for its pieces:
//! `say!("deletes {} and everything under it", code(path))`. The English is what is looked up in the catalogue of another
//! language, so it stays whole; what is put into the holes is typed, because names must not be translated, numbers choose
//! a plural, and pieces that are sentences themselves have words of their own. Where a catalogue lacks a sentence, the
//! English stands; a test reads all sources and finds none lacking.
//!
//! What agents read, logs and the command line stay English; a log keeps beside it [what it was made of](kept).

pub mod kept;
mod language;
mod message;
mod ru;

pub use language::Language;
pub use message::{Message, Piece, Template, code, grouped, list, plain};

#[doc(hidden)]
pub use message::holes;
pub use ru::CATALOGUE as RUSSIAN;

/// A [`Message`] from an English sentence and the pieces for its holes.
#[macro_export]
macro_rules! say {
    ($english:literal $(, $piece:expr)* $(,)?) => {
        $crate::text::Message::new(
            const {
                assert!(
                    $crate::text::holes($english) == <[&str]>::len(&[$(stringify!($piece)),*]),
                    "as many pieces as holes"
                );
                $crate::text::Template::of($english)
            },
            ::std::vec![$($crate::text::Piece::from($piece)),*],
        )
    };
}

/// A [`Template`]: an English sentence, or a part of one, whose pieces come later.
#[macro_export]
macro_rules! term {
    ($english:literal) => {
        $crate::text::Template::of($english)
    };
}
