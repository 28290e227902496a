//! Patterns by which no command ever passes, told from their letters alone.

use super::lookup::{FLAGS, Held, SPECIAL};

/// Why no command that `pattern` covers can pass the strict checks of preset lines; `None` if some may. It says what every
/// such command would have.
#[must_use]
pub fn never_counts(pattern: &str) -> Option<Held> {
    // The matcher takes one for the other.
    let pattern = pattern.replace('\\', "/");
    let wild = |c: char| matches!(c, '*' | '?');
    let special = |c: &char| !wild(*c) && (SPECIAL.contains(*c) || c.is_control() || (c.is_whitespace() && *c != ' '));
    if let Some(c) = pattern.chars().find(special) {
        return Some(Held::Character(c));
    }
    // What stands behind a blank of the pattern begins an argument of every command that it covers. The tail ` *` need
    // not be there, and says nothing.
    for argument in pattern.split(' ').skip(1) {
        let fixed = argument.split(wild).next().unwrap_or_default();
        if argument.starts_with('/') {
            return Some(Held::Absolute(argument.to_owned()));
        }
        if argument.contains("..") {
            return Some(Held::Upwards(argument.to_owned()));
        }
        let flag = fixed.split('=').next().unwrap_or_default();
        let ends = fixed.len() == argument.len() || fixed.contains('=');
        if ends && FLAGS.contains(&flag) {
            return Some(Held::Flag(argument.to_owned()));
        }
    }
    None
}
