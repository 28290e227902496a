//! How long trying a pattern may take: agents write patterns, and one that goes back and forth without end would hold
//! up everything.

/// The most steps that a pattern is tried for.
const MOST: f64 = 10_000_000.0;

/// The longest pattern that is looked at, in bytes.
const LONGEST: usize = 1_000;

/// Whether trying `pattern` on `text` is certain to end soon, in an engine that goes back to try otherwise. Patterns
/// that look around or back, or repeat what holds a choice, are not.
pub(super) fn is_small(pattern: &str, text: &str) -> bool {
    let Some(repeats) = repeats(pattern).filter(|_| pattern.len() <= LONGEST) else { return false };
    let anchored = pattern.starts_with('^') && !pattern.contains('|');
    let places = text.encode_utf16().count().max(2);
    let exponent = repeats + usize::from(!anchored);
    // Each repeat may end anywhere, and so may the beginning unless it is fixed.
    (0..exponent).try_fold(1.0, |steps, _| Some(steps * places as f64).filter(|steps| *steps <= MOST)).is_some()
}

/// How many things the pattern repeats or leaves open; `None` if that says nothing about the effort.
fn repeats(pattern: &str) -> Option<usize> {
    let mut letters = pattern.chars().peekable();
    // Whether each open group holds a choice.
    let mut open = vec![false];
    let mut count = 0;
    let mut atom_has_choice = false;
    while let Some(letter) = letters.next() {
        let mut choice_here = false;
        match letter {
            // What was matched earlier, or named.
            '\\' if matches!(letters.next()?, '1'..='9' | 'k') => return None,
            '[' => loop {
                match letters.next()? {
                    ']' => break,
                    '\\' => _ = letters.next()?,
                    _ => {}
                }
            },
            '(' => {
                if letters.next_if_eq(&'?').is_some() && letters.next()? != ':' {
                    return None;
                }
                open.push(false);
            }
            ')' => {
                let inner = open.pop()?;
                *open.last_mut()? |= inner;
                atom_has_choice = inner;
                continue;
            }
            '|' => {
                *open.last_mut()? = true;
                // As much of a choice as a repeat that may be left out.
                count += 1;
            }
            '*' | '+' | '?' => choice_here = true,
            '{' if letters.peek().is_some_and(char::is_ascii_digit) => {
                while letters.next()? != '}' {}
                choice_here = true;
            }
            _ => {}
        }
        if choice_here {
            if atom_has_choice {
                return None;
            }
            letters.next_if_eq(&'?');
            count += 1;
            *open.last_mut()? = true;
        }
        atom_has_choice = false;
    }
    (open.len() == 1).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::is_small;

    #[test]
    fn only_what_ends_soon_is_tried() {
        let long = "a".repeat(300);
        for (pattern, text, small) in [
            ("^[a-z]+$", "abc", true),
            ("^[a-z]+$", long.as_str(), true),
            ("abc", long.as_str(), true),
            (r"^v\d+\.\d+\.\d+$", "v1.20.3", true),
            (r"^[\w.-]+@[\w-]+\.[a-z]{2,}$", "somebody@example.org", true),
            ("^(?:ab)+c", long.as_str(), true),
            ("^(foo|bar)$", "foo", true),
            (r"[(*+]\(\*", long.as_str(), true),
            // A repeat of what can be had in more than one way.
            ("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", false),
            ("^(a|a)*$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", false),
            ("^((a?)){40}$", "a", false),
            ("^(?:(?:a*)b?)+$", "a", false),
            ("^(a{1,9}){9}$", "a", false),
            // One after another.
            ("a*a*a*a*a*b", long.as_str(), false),
            ("a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaa", "aaaaaaaaaa", false),
            // Choices, one after another.
            ("(.|.)(.|.)(.|.)(.|.)(.|.)(.|.)(.|.)(.|.)#", "aaaaaaaaaaaaaaaaaaaa", false),
            // Looking around and back.
            (r"^(a)\1$", "aa", false),
            ("^(?=a)a", "a", false),
            // What can't be understood.
            ("(", "a", false),
            ("a)", "a", false),
            ("[a", "a", false),
            ("a\\", "a", false),
        ] {
            assert_eq!(is_small(pattern, text), small, "{pattern}");
        }
    }
}
