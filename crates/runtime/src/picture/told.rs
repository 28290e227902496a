//! A server's own words, for people to read. Pure.

use gavel_core::Link;
use gavel_core::display;

/// The longest of a server's own words that are passed on where nothing depends on them, in shown characters.
const LONGEST_TOLD: usize = 500;

/// What a server says, made visible. The cut is stated.
pub(crate) fn told(text: &str) -> String {
    let shown = display::excerpt(text, LONGEST_TOLD, usize::MAX);
    if shown.missing == 0 { shown.text } else { format!("{}… ({} more characters)", shown.text, shown.missing) }
}

/// `link` with what the server says in it as it is [`told`].
pub(super) fn link(link: &Link) -> Link {
    match link {
        Link::Online { version, dialect } => Link::Online { version: told(version), dialect: *dialect },
        Link::Offline { reason, gone } => Link::Offline { reason: told(reason), gone: *gone },
        Link::NotOpenCode { reason } => Link::NotOpenCode { reason: told(reason) },
        Link::Connecting | Link::NeedsPassword { .. } => link.clone(),
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::Dialect;

    use super::*;

    #[test]
    fn what_a_server_says_is_visible_and_bounded() {
        assert_eq!(told("a\u{202E}b\u{200B}"), "a⟨U+202E⟩b⟨U+200B⟩");
        assert_eq!(told(&"x".repeat(500)), "x".repeat(500));
        assert_eq!(told(&"é".repeat(1_500)), format!("{}… (1000 more characters)", "é".repeat(500)));
        let (reason, shown) = ("cut\u{202E}".to_owned(), "cut⟨U+202E⟩".to_owned());
        let online = |version: &str| Link::Online { version: version.to_owned(), dialect: Dialect::V2 };
        let links = [
            (online(&reason), online(&shown)),
            (Link::Offline { reason: reason.clone(), gone: true }, Link::Offline { reason: shown.clone(), gone: true }),
            (Link::NotOpenCode { reason }, Link::NotOpenCode { reason: shown }),
        ];
        for (said, displayed) in links {
            assert_eq!(link(&said), displayed);
        }
    }
}
