//! Whether two patterns have anything in common.

/// Patterns whose lengths multiplied are more than this are not compared.
const MOST: usize = 4_000_000;

/// Whether there may be a text that both patterns match. Where that takes too long to find out, there may.
#[must_use]
pub fn may_overlap(one: &str, other: &str) -> bool {
    let readings = |pattern: &str| {
        let units: Vec<char> = pattern.replace('\\', "/").chars().collect();
        // What ends in a blank and a star also matches without them.
        let bare = units.strip_suffix(&[' ', '*']).map(<[char]>::to_vec);
        [Some(units), bare].into_iter().flatten().collect::<Vec<_>>()
    };
    let (ones, others) = (readings(one), readings(other));
    ones.iter().any(|one| others.iter().any(|other| meet(one, other)))
}

/// Walks through both at once: `row[n]` says whether the beginnings looked at, of one and of `n` units of the other, have
/// a text in common.
fn meet(one: &[char], other: &[char]) -> bool {
    if one.len().saturating_mul(other.len()) > MOST {
        return true;
    }
    let mut row: Vec<bool> = Vec::with_capacity(other.len() + 1);
    row.push(true);
    for unit in other {
        row.push(*unit == '*' && row.last().copied().unwrap_or(false));
    }
    for unit in one {
        let mut next = Vec::with_capacity(row.len());
        next.push(*unit == '*' && row.first().copied().unwrap_or(false));
        for (place, against) in other.iter().enumerate() {
            let at = |row: &[bool], place: usize| row.get(place).copied().unwrap_or(false);
            let (both, without_one, without_other) = (at(&row, place), at(&row, place + 1), at(&next, place));
            let alike = *unit == '?' || *against == '?' || unit == against;
            next.push(match (*unit, *against) {
                ('*', '*') => without_one || without_other || both,
                // A star stands for nothing, or for one more of what the other has.
                ('*', _) => without_one || without_other,
                (_, '*') => without_other || without_one,
                _ => alike && both,
            });
        }
        row = next;
    }
    row.last().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_overlap_where_a_text_matches_both() {
        let cases = [
            ("git *", "git push *", true),
            ("git *", "git", true),
            ("git status *", "git push *", false),
            ("ls *", "ls", true),
            ("ls", "lsof", false),
            ("*", "anything", true),
            ("*a*", "*b*", true),
            ("a*", "*b", true),
            ("a*", "b*", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a*c", "a?d", false),
            ("cat *.env*", "cat *", true),
            ("cat src/*", "cat docs/*", false),
            ("", "*", true),
            ("", "a", false),
            ("a\\b", "a/b", true),
            ("*?", "a", true),
            ("**", "?", true),
            ("a*b*c", "a*c", true),
            ("x * *", "x y", true),
        ];
        for (one, other, expected) in cases {
            assert_eq!(may_overlap(one, other), expected, "{one} and {other}");
            assert_eq!(may_overlap(other, one), expected, "{other} and {one}");
        }
        assert!(may_overlap(&"a".repeat(3000), &"b".repeat(3000)), "in doubt, they do");
    }

    #[test]
    fn whatever_both_match_is_an_overlap() {
        use crate::rules::{Case, Pattern};
        let patterns = ["a*", "*a", "a?", "?", "*", "a *", "ab", "b*a", "", "a*b", "*?b", "a b"];
        let texts = ["", "a", "b", "ab", "ba", "aa", "a b", "aab", "bab", "a "];
        for (one, other) in patterns.iter().flat_map(|one| patterns.iter().map(move |other| (one, other))) {
            let both = |text: &&&str| [one, other].iter().all(|it| Pattern::new(it, Case::Sensitive).matches(text));
            if let Some(text) = texts.iter().find(both) {
                assert!(may_overlap(one, other), "{one} and {other} both match {text}");
            }
        }
    }
}
