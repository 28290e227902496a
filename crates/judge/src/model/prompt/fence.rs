//! What keeps a stranger's text inside its block.
//!
//! The text that comes out holds no `<`, no character that looks like one, nothing invisible, and the name of no block
//! where a tag could be meant. So the only tags of a prompt are those that were put there, whatever the text was. The
//! spellings can be told apart: `⟨` and `⟩` stand for nothing but themselves once the text has been through here.

use std::sync::LazyLock;

use gavel_core::display;
use regex::Regex;

/// `text` as it may stand inside a block.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' if rest.peek().is_some_and(|next| next.is_ascii_alphabetic() || *next == '#') => out.push_str("&amp;"),
            _ if c.is_ascii() && !c.is_ascii_control() || c == '\n' || c == '\t' => out.push(c),
            _ if passes_for_another(c) || display::is_deceptive_text(c.encode_utf8(&mut [0; 4])) => spell(c, &mut out),
            _ => out.push(c),
        }
    }
    unnamed(&out)
}

/// `text` in lines that can't be taken for a heading of the block.
pub(super) fn lines(text: &str) -> String {
    quoted(text).split('\n').map(|line| format!("| {line}\n")).collect()
}

fn spell(c: char, out: &mut String) {
    out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
}

/// Brackets like `<` and `>`, slashes like `/`, and the letters, digits and signs that Unicode has twice.
fn passes_for_another(c: char) -> bool {
    matches!(c,
        // Angle brackets and what is drawn like them.
        '«' | '»' | '‹' | '›' | '˂' | '˃' | 'ᐊ' | 'ᐅ' | 'ᐸ' | 'ᐳ' | '≪' | '≫' | '≺' | '≻' | '⋖' | '⋗' | '⩽' | '⩾'
        | '\u{2264}'..='\u{2273}' | '\u{2329}' | '\u{232A}' | '\u{2768}'..='\u{2775}' | '\u{27E6}'..='\u{27EF}'
        | '\u{2985}'..='\u{2998}' | '\u{29FC}' | '\u{29FD}' | '\u{2AA1}' | '\u{2AA2}' | '\u{3008}'..='\u{300B}'
        | '\u{1D236}' | '\u{1D237}'
        // Slashes and lines.
        | '\u{2044}' | '\u{2215}' | '\u{2216}' | '\u{29F5}'..='\u{29F9}' | '\u{27CB}' | '\u{27CD}' | '\u{2571}' | '\u{2572}'
        | '\u{2AFB}' | '\u{2AFD}' | '\u{203F}' | '\u{2040}' | '\u{2054}'
        // Marks that are drawn over a letter, and letters that are drawn small, wide, round or ornate.
        | '\u{0250}'..='\u{036F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1D00}'..='\u{1DFF}' | '\u{2070}'..='\u{209F}'
        | '\u{20D0}'..='\u{20FF}' | '\u{2100}'..='\u{218F}' | '\u{2460}'..='\u{24FF}' | '\u{FE10}'..='\u{FE19}'
        | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FFEF}' | '\u{1D400}'..='\u{1D7FF}' | '\u{1F100}'..='\u{1F1FF}')
}

/// A block's name where a tag could be meant: behind a bracket or a slash, however either is encoded, and whatever stands
/// between its letters that is no letter, or an encoded `&` or `_`: who decodes the text may drop it.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const LEAD: &str = r"[/\\⟩;]|lt|sol|3c|2f|60|47";
    const BETWEEN: &str = r"(?:[^a-z0-9]|amp|lowbar|95|(?:u00|x)?5f)*";
    // Foreign letters that are drawn like those of the names count as well.
    const FIRST: &str = "[uυս]";
    const DATA: [&str; 12] =
        ["[nпην]", "[tтτ]", "[rгᴦ]", "[uυս]", "[sѕ]", "[tтτ]", "[eеεҽ]", "[dԁ]", "[dԁ]", "[aаα]", "[tтτ]", "[aаα]"];
    const REQUEST: [&str; 10] =
        ["[sѕ]", "[eеεҽ]", "[rгᴦ]", "[rгᴦ]", "[eеεҽ]", "[qԛ]", "[uυս]", "[eеεҽ]", "[sѕ]", "[tтτ]"];
    let (data, request) = (DATA.join(BETWEEN), REQUEST.join(BETWEEN));
    Regex::new(&format!("(?i)({LEAD})({BETWEEN})({FIRST})({BETWEEN}(?:{data}|{request}))")).ok()
});

/// `text` with the first letter of such names spelled out.
fn unnamed(text: &str) -> String {
    match &*NAME {
        Some(name) => name
            .replace_all(text, |found: &regex::Captures<'_>| {
                let part = |number| found.get(number).map_or("", |part| part.as_str());
                let letter = part(3).chars().map(|c| format!("⟨U+{:04X}⟩", u32::from(c))).collect::<String>();
                format!("{}{}{letter}{}", part(1), part(2), part(4))
            })
            .into_owned(),
        // It is constant and a test compiles it. Without it there is still no `<` in the text.
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_commands_stay_readable() {
        for text in [
            "npm test && cargo build 2>&1 | tee log; echo $? > out",
            "grep -rn 'a&b' src | sort -u",
            "git log --format='%h %s' -- src/",
            "curl 'https://example.org/?a=1&2=b'",
            "echo Grüße, мир, 世界",
            "handle the user request with untrusted data",
        ] {
            let expected = text.replace("a&b", "a&amp;b");
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(quoted("cat <<EOF\nx\nEOF"), "cat &lt;&lt;EOF\nx\nEOF");
        assert!(NAME.is_some());
    }

    #[test]
    fn spellings_can_be_told_apart() {
        let pairs =
            [("<", "&lt;"), ("&lt;", "&amp;lt;"), ("⟨U+200B⟩", "\u{200B}"), ("/user_request", "/⟨U+0075⟩ser_request")];
        for (one, other) in pairs {
            assert_ne!(quoted(one), quoted(other), "{one:?} {other:?}");
        }
    }
}
