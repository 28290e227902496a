//! `sed`: a reader as long as its script is one that is known to only print.

use super::super::finding::{Class, Deed};
use super::super::shell::{Run, Word};
use super::options::Known;
use super::paths::{Part, readable};
use super::{has, names, operands};
use gavel_core::{say, term};

const SED: Known = Known {
    letters: "nErsuz",
    valued: "e",
    long: "quiet silent regexp-extended separate unbuffered null-data expression= line-length= posix sandbox",
    number: false,
};

pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    if !matches!(name, "sed" | "gsed") {
        return None;
    }
    let in_place = args.iter().any(|word| word.text.starts_with("--in-place") || word.text.starts_with("--i"))
        || has(args, "iI", &[]);
    let scripts_first = !has(args, "ef", &["expression", "file"]);
    if in_place {
        let all = operands(args);
        let files: Vec<&Word> = all.into_iter().skip(usize::from(scripts_first)).collect();
        return Some(super::write::changes(run, &|what| say!("changes {}", what), &files, term!(" in place")));
    }
    let parsed = match SED.parse(args) {
        Ok(parsed) => parsed,
        Err(why) => return Some(Deed::ask(Class::Unknown, say!("runs `sed`, but {}", why))),
    };
    let given: Vec<&str> = parsed.values(&["e", "expression"]).collect();
    let (scripts, files) = match (given.is_empty(), parsed.operands.split_first()) {
        (true, Some((script, _))) if script.glob => {
            return Some(Deed::ask(Class::Unknown, say!("runs `sed`, but the shell may replace its script")));
        }
        (true, Some((script, files))) => (vec![script.text.as_str()], files.to_vec()),
        (false, _) => (given, parsed.operands.clone()),
        (true, None) => return Some(Deed::ask(Class::Unknown, say!("runs `sed` without a script"))),
    };
    if !scripts.iter().all(|script| only_prints(script)) {
        return Some(Deed::ask(Class::RunsCode, say!("runs a `sed` script that may write files or run commands")));
    }
    if let Some(deed) = files.iter().find_map(|file| readable(run, file, Part::Content).err()) {
        return Some(deed);
    }
    let what = if files.is_empty() { say!("what it is given") } else { names(run, &files) };
    Some(Deed::allow(say!("prints parts of {}", what)))
}

/// Whether a script consists of `p`, `d`, `q`, `=` and `s` without the flags that write or run, each with plain addresses.
fn only_prints(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', ';']);
        if rest.is_empty() {
            return true;
        }
        match command(rest) {
            Some(after) => rest = after,
            None => return false,
        }
    }
}

/// What follows the first command of `script`; nothing if that command isn't known.
fn command(script: &str) -> Option<&str> {
    let mut rest = address(script)?;
    if let Some(second) = rest.strip_prefix(',') {
        let plus = second.strip_prefix(['+', '~']).unwrap_or(second);
        let after = address(plus)?;
        if after.len() == plus.len() {
            return None;
        }
        rest = after;
    }
    rest = rest.trim_start_matches(' ');
    rest = rest.strip_prefix('!').unwrap_or(rest);
    let letter = rest.chars().next()?;
    let after = rest.get(letter.len_utf8()..)?;
    match letter {
        'p' | 'd' | '=' => end(after),
        'q' | 'Q' => end(after.trim_start_matches(|c: char| c.is_ascii_digit())),
        's' => substitution(after),
        _ => None,
    }
}

/// A command ends at a `;` or with the script.
fn end(after: &str) -> Option<&str> {
    let after = after.trim_start_matches(' ');
    (after.is_empty() || after.starts_with(';')).then_some(after)
}

/// What follows the address at the beginning, if there is one: a number, `$`, or `/…/`.
fn address(text: &str) -> Option<&str> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < text.len() {
        return Some(digits);
    }
    match text.chars().next()? {
        '$' => text.get(1..),
        '/' => {
            let after = until(text.get(1..)?, '/')?;
            Some(after.strip_prefix('I').unwrap_or(after))
        }
        _ => Some(text),
    }
}

/// What follows the next `mark` that isn't escaped and doesn't stand in brackets, where it may mean another thing.
fn until(text: &str, mark: char) -> Option<&str> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            '[' if bracket(text.get(at + 1..).unwrap_or_default()).contains(mark) => return None,
            _ if c == mark => return text.get(at + c.len_utf8()..),
            _ => {}
        }
    }
    None
}

/// The inside of a bracket expression, up to the `]` that surely ends it.
fn bracket(after: &str) -> &str {
    let first = after.find(|c| c != '^' && c != ']').unwrap_or(after.len());
    let end = after.get(first..).and_then(|rest| rest.find(']')).map_or(after.len(), |at| first + at);
    after.get(..end).unwrap_or_default()
}

fn substitution(after: &str) -> Option<&str> {
    let mark = after.chars().next().filter(|c| matches!(c, '/' | '|' | '#' | ',' | ':' | '@' | '!'))?;
    let replacement = until(after.get(1..)?, mark)?;
    let flags = until(replacement, mark)?;
    end(flags.trim_start_matches(|c: char| matches!(c, 'g' | 'p' | 'i' | 'I') || c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    #[test]
    fn scripts_that_only_print() {
        for script in [
            "1,20p",
            "5p;9p",
            "$p",
            "/foo/p",
            "/a/,/b/p",
            "10q",
            "s/a/b/",
            "s/a\\/b/c/gp",
            "s|/x|/y|g",
            "/a/!d",
            "2,$p",
            "1,+3p",
            "=",
        ] {
            assert!(only_prints(script), "{script}");
        }
        for script in [
            "w out",
            "1w out",
            "s/a/b/w out",
            "s/a/b/e",
            "e",
            "1e rm x",
            "s/a/b/ge",
            "r /etc/passwd",
            "p w x",
            "s/[/]/e",
            "s/[]/]/e/",
            "y/a/b/",
            "p\nw x",
            "{p}",
            "1~2p",
            "s",
            "s/a",
            "1,p",
        ] {
            assert!(!only_prints(script), "{script}");
        }
    }
}
