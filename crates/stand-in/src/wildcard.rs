//! OpenCode's pattern language: `*` is any text, `?` is one UTF-16 unit, `\` is the same as `/`, and a pattern that ends
//! in ` *` also matches without that tail (`ls *` matches `ls`).

/// Whether `pattern` matches the whole of `value`.
pub(crate) fn matches(pattern: &str, value: &str) -> bool {
    if let Some(stem) = pattern.strip_suffix(" *")
        && whole(stem, value)
    {
        return true;
    }
    whole(pattern, value)
}

const STAR: u16 = b'*' as u16;
const QUESTION: u16 = b'?' as u16;

/// The original compares JavaScript strings, so that is what this compares.
fn units(text: &str) -> Vec<u16> {
    text.replace('\\', "/").encode_utf16().collect()
}

fn whole(pattern: &str, value: &str) -> bool {
    let (pattern, value) = (units(pattern), units(value));
    // Greedy with one point to come back to: the last star, and how much of the value it has taken so far.
    let mut pattern_rest = pattern.iter();
    let mut value_rest = value.iter();
    let mut star = None;
    loop {
        let before = pattern_rest.clone();
        let fits = match (pattern_rest.next(), value_rest.clone().next()) {
            (Some(&STAR), _) => {
                star = Some((pattern_rest.clone(), value_rest.clone()));
                true
            }
            (Some(&QUESTION), Some(_)) => {
                value_rest.next();
                true
            }
            (Some(wanted), Some(found)) if wanted == found => {
                value_rest.next();
                true
            }
            (None, None) => return true,
            _ => false,
        };
        if fits {
            continue;
        }
        pattern_rest = before;
        let Some((after_star, taken)) = &mut star else { return false };
        if taken.next().is_none() {
            return false;
        }
        pattern_rest.clone_from(after_star);
        value_rest.clone_from(taken);
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_cover_what_they_should() {
        for (pattern, value, expected) in [
            ("*", "anything/at all\nreally", true),
            ("ls *", "ls", true),
            ("ls *", "ls -la", true),
            ("ls *", "lsof", false),
            ("git status", "git status --short", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("file?.txt", "file1.txt", true),
            ("file?.txt", "file.txt", false),
            ("/home/dev/outside/*", "/home/dev/outside/a/b", true),
            ("", "", true),
            ("", "a", false),
            ("?", "é", true),
            ("?", "😀", false),
            ("??", "😀", true),
            ("src/*", "src\\a.ts", true),
            ("src\\*", "src/a.ts", true),
        ] {
            assert_eq!(matches(pattern, value), expected, "`{pattern}` against `{value}`");
        }
    }
}
