//! A server's own words, for people to read. Pure.

use gavel_core::text::{Language, Message, plain};
use gavel_core::{Link, display, say};

/// The longest of a server's own words that are passed on where nothing depends on them, in shown characters.
const LONGEST_TOLD: usize = 500;

/// What a server says, made visible. The cut is stated.
pub(crate) fn told(text: &str, language: Language) -> String {
    let shown = display::excerpt(text, LONGEST_TOLD, usize::MAX);
    if shown.missing == 0 {
        return shown.text;
    }
    format!("{}… {}", shown.text, say!("({} more characters)", shown.missing).in_language(language))
}

/// A sentence with what a server says in it, as it is [`told`].
pub(super) fn said(sentence: &Message, language: Language) -> String {
    told(&sentence.in_language(language), language)
}

/// `link` with what the server says in it as it is [`told`].
pub(super) fn link(link: &Link, language: Language) -> Link {
    let said = |reason| plain(said(reason, language)).into();
    match link {
        Link::Online { version, dialect } => Link::Online { version: told(version, language), dialect: *dialect },
        Link::Offline { reason, gone } => Link::Offline { reason: said(reason), gone: *gone },
        Link::NotOpenCode { reason, gone } => Link::NotOpenCode { reason: said(reason), gone: *gone },
        Link::Connecting | Link::NeedsPassword { .. } => link.clone(),
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::Dialect;

    use super::*;

    #[test]
    fn what_a_server_says_is_visible_and_bounded() {
        assert_eq!(told("a\u{202E}b\u{200B}", Language::English), "a⟨U+202E⟩b⟨U+200B⟩");
        assert_eq!(told(&"x".repeat(500), Language::English), "x".repeat(500));
        assert_eq!(told(&"é".repeat(1_500), Language::English), format!("{}… (1000 more characters)", "é".repeat(500)));
        let (reason, shown) = ("cut\u{202E}", "cut⟨U+202E⟩");
        let verbatim = |text: &str| Message::verbatim(text);
        let online = |version: &str| Link::Online { version: version.to_owned(), dialect: Dialect::V2 };
        let links = [
            (online(reason), online(shown)),
            (
                Link::Offline { reason: verbatim(reason), gone: true },
                Link::Offline { reason: verbatim(shown), gone: true },
            ),
            (
                Link::NotOpenCode { reason: verbatim(reason), gone: true },
                Link::NotOpenCode { reason: verbatim(shown), gone: true },
            ),
        ];
        for (said, displayed) in links {
            assert_eq!(link(&said, Language::English), displayed);
        }
    }
}
