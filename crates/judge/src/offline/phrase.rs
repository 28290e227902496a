//! Pieces of sentences.

pub(super) use gavel_core::text::{code, plain};

use gavel_core::text::{Message, Piece};

/// Up to three names in backticks, and how many more there are.
pub(super) fn list<T: AsRef<str>>(names: &[T]) -> Message {
    gavel_core::text::list(names.iter().map(|name| code(name.as_ref())), names.len())
}

/// Up to three pieces, and how many more there are.
pub(super) fn join(pieces: Vec<Piece>) -> Message {
    let count = pieces.len();
    gavel_core::text::list(pieces, count)
}
