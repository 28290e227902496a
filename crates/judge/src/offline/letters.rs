//! Characters that make a text look like another one.

use gavel_core::text::{Message, Piece, plain};
use gavel_core::{display, say, term};

/// What is deceptive about the characters of `text`, in words; nothing if all are understood.
///
/// Latin, Greek, Cyrillic and the large East Asian scripts are understood as long as a run of letters keeps to one of
/// them. Everything else is named, because what isn't understood can't be vouched for.
pub(super) fn deceptive(text: &str) -> Option<Message> {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~')) {
        return None;
    }
    hidden(text).or_else(|| mixed(text)).or_else(|| strange(text))
}

fn hidden(text: &str) -> Option<Message> {
    let c = text.chars().find(|c| display::is_deceptive_text(c.encode_utf8(&mut [0; 4])))?;
    let kind = match c {
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}' | '\u{061C}' => {
            term!("a character that turns the direction of the text around")
        }
        _ if c.is_control() => term!("a control character"),
        _ if c.is_whitespace() => term!("a space that isn't the ordinary one"),
        _ => term!("an invisible character"),
    };
    Some(say!("holds {} (U+{})", kind, number(c)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Other,
}

fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        // Without the dotless i and the long s, which pass for other letters.
        '\u{0131}' | '\u{017F}' => return None,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ſ' => Script::Latin,
        '\u{0400}'..='\u{0481}' | '\u{048A}'..='\u{052F}' => Script::Cyrillic,
        'Ά' | 'Έ'..='Ώ' | 'ΐ'..='ώ' => Script::Greek,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => {
            Script::Other
        }
        _ => return None,
    })
}

/// The Latin letter that `c` passes for.
fn twin(c: char) -> Option<char> {
    const CYRILLIC: &str = "аaеeоoрpсcуyхxіiјjѕsԁdһhкkвbнhтtмmгrпnАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅS";
    const GREEK: &str = "αaοoνvρpιiυuκkτtεeηnΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX";
    let mut pairs = CYRILLIC.chars().chain(GREEK.chars());
    while let (Some(foreign), Some(latin)) = (pairs.next(), pairs.next()) {
        if foreign == c {
            return Some(latin);
        }
    }
    None
}

/// The number of a character, as it is usually written.
fn number(c: char) -> Piece {
    plain(format!("{:04X}", u32::from(c)))
}

fn named(c: char, word: &str) -> Message {
    let origin = match script(c) {
        Some(Script::Cyrillic) => term!("a Cyrillic letter"),
        Some(Script::Greek) => term!("a Greek letter"),
        _ => term!("a foreign letter"),
    };
    let like = twin(c).map_or_else(Message::default, |latin| say!(" that looks like `{}`", plain(latin)));
    say!("holds {} (U+{}){} in `{}`", origin, number(c), like, plain(word))
}

/// A run of letters from two scripts, or one that a reader takes for Latin although it isn't.
fn mixed(text: &str) -> Option<Message> {
    let runs = || text.split(|c| script(c).is_none()).filter(|run| !run.is_empty());
    for run in runs() {
        let latin = run.chars().any(|c| script(c) == Some(Script::Latin));
        let foreign = run.chars().find(|c| matches!(script(*c), Some(Script::Cyrillic | Script::Greek)));
        let kinds = |wanted: Script| run.chars().any(|c| script(c) == Some(wanted));
        if let Some(c) = foreign
            && (latin || (kinds(Script::Cyrillic) && kinds(Script::Greek)))
        {
            return Some(named(c, run));
        }
    }
    // Words such as «с» are honest in a sentence that has letters no Latin word could have.
    let honest = runs().any(|run| run.chars().any(|c| script(c) != Some(Script::Latin) && twin(c).is_none()));
    let disguised = runs().find(|run| run.chars().all(|c| twin(c).is_some()));
    disguised.filter(|_| !honest).and_then(|run| run.chars().next().map(|c| named(c, run)))
}

/// A character of no script that is understood here.
fn strange(text: &str) -> Option<Message> {
    let c = text.chars().find(|c| !c.is_ascii() && script(*c).is_none() && !is_ordinary_sign(*c))?;
    Some(say!("holds a character that isn't understood here, `{}` (U+{})", plain(c), number(c)))
}

fn is_ordinary_sign(c: char) -> bool {
    matches!(c, '«' | '»' | '—' | '№' | '€' | '£' | '°' | '§')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_understood_and_what_is_named() {
        let honest = ["ls -la\n", "grep 'ошибка с файлом' log", "echo déjà vu", "grep 日本語 a", "echo «да»", "λόγος"];
        for text in honest {
            assert_eq!(deceptive(text), None, "{text}");
        }
        for (text, says) in [
            ("саt x", "Cyrillic letter (U+0441) that looks like `c` in `саt`"),
            ("сор x", "Cyrillic letter (U+0441) that looks like `c` in `сор`"),
            ("gοοgle", "Greek letter"),
            ("a\u{200B}b", "an invisible character (U+200B)"),
            ("a\u{202E}b", "turns the direction"),
            ("a\u{7}b", "a control character (U+0007)"),
            ("a\u{A0}b", "a space that isn't the ordinary one"),
            ("a\rb", "a control character"),
            ("e\u{301}", "isn't understood"),
            ("a\u{FF1B}b", "isn't understood"),
            ("a\u{2044}b", "isn't understood"),
            ("ı", "isn't understood"),
        ] {
            let found = deceptive(text).unwrap_or_default().to_string();
            assert!(found.contains(says), "{text}: {found}");
        }
    }
}
