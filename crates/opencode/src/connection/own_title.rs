//! How a session of Gavel's own is called: by this it is known again, and by nothing that others could guess.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How a session of Gavel's is called by whoever looks at the server's own lists.
const TITLE: &str = "Gavel asks for an opinion";

/// How many digits of the number tell when it began, in milliseconds since the Unix epoch.
const TIME: usize = 12;

/// The title of a session that is to be known again by `mark`, and begins `now`.
pub(super) fn title(mark: &str, now: Duration) -> String {
    format!("{TITLE} {mark} {:012x}{:020x}", now.as_millis() & 0xFFFF_FFFF_FFFF, rand::random::<u128>() >> 48)
}

/// Whether a session of this title was begun under one of these marks.
pub(super) fn bears(title: &str, marks: &[String]) -> bool {
    parts(title).is_some_and(|(mark, _)| marks.iter().any(|known| known == mark))
}

/// How old a session of this title is; one that is not ours is as old as can be. Should the clock have been put back, what
/// began in the future is as old as it is far.
pub(super) fn age(title: &str, now: Duration) -> Duration {
    let began = parts(title).and_then(|(_, number)| u64::from_str_radix(number.get(..TIME)?, 16).ok());
    began.map_or(Duration::MAX, |began| now.abs_diff(Duration::from_millis(began)))
}

/// The time since the Unix epoch.
pub(super) fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The mark and the number of a session of Gavel's.
fn parts(title: &str) -> Option<(&str, &str)> {
    let (mark, number) = title.strip_prefix(TITLE)?.strip_prefix(' ')?.split_once(' ')?;
    let is_number = number.len() == 32 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_number && !mark.is_empty()).then_some((mark, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_title_with_a_known_mark_is_ours() {
        let marks = ["a1".to_owned(), "b2".to_owned()];
        let ours = title("a1", now());
        assert!(bears(&ours, &marks) && !bears(&ours, &marks[1..]) && !bears(&ours, &[]));
        assert_ne!(title("a1", now()), ours);
        for not in [
            TITLE,
            "Gavel asks for an opinion a1",
            "Gavel asks for an opinion a1 0123",
            "Gavel asks for an opinion  00000000000000000000000000000000",
            "Gavel asks for an opinion c3 00000000000000000000000000000000",
            "a1 00000000000000000000000000000000",
        ] {
            assert!(!bears(not, &marks), "{not}");
        }
        assert!(!bears(&format!("{ours} "), &marks) && !bears(&format!(" {ours}"), &marks));
    }

    #[test]
    fn a_title_tells_its_age() {
        let begun = Duration::from_millis(1_796_000_000_000);
        let seconds = Duration::from_secs;
        for (now, age_then) in [
            (begun, Duration::ZERO),
            (begun + seconds(90), seconds(90)),
            // A clock that was put back a little makes it no older than that.
            (begun - seconds(5), seconds(5)),
        ] {
            assert_eq!(age(&title("a1", begun), now), age_then);
        }
        assert_eq!(age("Gavel asks for an opinion", begun), Duration::MAX);
    }
}
