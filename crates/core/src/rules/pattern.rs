//! OpenCode's wildcard matcher: `*` is any run of characters, `?` is one, everything else stands for itself.
//!
//! Characters are UTF-16 code units, because that is what the original counts. What lies between two stars is found by
//! running all its beginnings side by side in the bits of a word (the shift-and method), so that no pattern, however
//! hostile, makes it look at a value again and again.

use std::collections::HashMap;

/// Whether capital letters differ from small ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// They do: everywhere but on Windows.
    #[default]
    Sensitive,
    /// They don't.
    Folded,
}

/// A pattern, ready to be held against values.
#[derive(Debug, Clone)]
pub struct Pattern {
    case: Case,
    /// What stands between the stars, the first and the last piece bound to the ends of the value.
    pieces: Vec<Vec<Unit>>,
    /// For a pattern that ends in a space and one star: how it reads without this tail, which is optional.
    bare: Option<Vec<Vec<Unit>>>,
}

/// A place in a piece: a code unit that must stand there, or any (`?`).
type Unit = Option<u16>;

const QUESTION: u16 = b'?' as u16;
const STAR: u16 = b'*' as u16;

impl Pattern {
    /// Reads a pattern. Every text is one.
    #[must_use]
    pub fn new(text: &str, case: Case) -> Self {
        let units = units(text, case);
        let tail = [u16::from(b' '), STAR];
        let bare = units.strip_suffix(&tail).map(pieces);
        Self { case, pieces: pieces(&units), bare }
    }

    /// Whether the whole of `value` matches.
    #[must_use]
    pub fn matches(&self, value: &str) -> bool {
        let value = units(value, self.case);
        fits(&self.pieces, &value) || self.bare.as_ref().is_some_and(|bare| fits(bare, &value))
    }
}

/// The code units of `text`. A backslash counts as a slash, on both sides.
fn units(text: &str, case: Case) -> Vec<u16> {
    let text = text.replace('\\', "/");
    match case {
        Case::Sensitive => text.encode_utf16().collect(),
        Case::Folded => text.to_lowercase().encode_utf16().collect(),
    }
}

fn pieces(pattern: &[u16]) -> Vec<Vec<Unit>> {
    let unit = |unit: &u16| if *unit == QUESTION { None } else { Some(*unit) };
    pattern.split(|unit| *unit == STAR).map(|piece| piece.iter().map(unit).collect()).collect()
}

fn fits(pieces: &[Vec<Unit>], value: &[u16]) -> bool {
    let Some((first, rest)) = pieces.split_first() else { return false };
    let Some((last, between)) = rest.split_last() else {
        return stands(first, value);
    };
    let Some((head, value)) = value.split_at_checked(first.len()) else { return false };
    let Some(end) = value.len().checked_sub(last.len()) else { return false };
    let (value, tail) = value.split_at(end);
    stands(first, head) && stands(last, tail) && in_order(between, value)
}

/// Whether `piece` is exactly `value`.
fn stands(piece: &[Unit], value: &[u16]) -> bool {
    piece.len() == value.len() && piece.iter().zip(value).all(|(unit, found)| unit.is_none_or(|unit| unit == *found))
}

/// Whether all of `pieces` are in `value`, one behind the other. Taking each as early as possible leaves most room.
fn in_order(pieces: &[Vec<Unit>], mut value: &[u16]) -> bool {
    for piece in pieces {
        match after(piece, value) {
            Some(rest) => value = rest,
            None => return false,
        }
    }
    true
}

/// What is behind the first place where `piece` stands in `value`.
fn after<'a>(piece: &[Unit], value: &'a [u16]) -> Option<&'a [u16]> {
    if piece.is_empty() {
        return Some(value);
    }
    let words = piece.len().div_ceil(64);
    let mut anything = vec![0_u64; words];
    let mut places: HashMap<u16, Vec<u64>> = HashMap::new();
    for (at, unit) in piece.iter().enumerate() {
        let mask = match unit {
            Some(unit) => places.entry(*unit).or_insert_with(|| vec![0; words]),
            None => &mut anything,
        };
        if let Some(word) = mask.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }
    let found = (piece.len() - 1) / 64;
    let bit = 1_u64 << ((piece.len() - 1) % 64);
    // Bit n is set while the n + 1 first units of the piece stand right before the place that is looked at.
    let mut begun = vec![0_u64; words];
    for (at, unit) in value.iter().enumerate() {
        let here = places.get(unit);
        let mut carry = 1;
        for (index, word) in begun.iter_mut().enumerate() {
            let mask =
                here.and_then(|mask| mask.get(index)).copied().unwrap_or(0) | anything.get(index).copied().unwrap_or(0);
            let shifted = (*word << 1) | carry;
            carry = *word >> 63;
            *word = shifted & mask;
        }
        if begun.get(found).is_some_and(|word| word & bit != 0) {
            return value.get(at + 1..);
        }
    }
    None
}
