//! Identifiers of the kind OpenCode makes: a prefix, twelve hexadecimal digits of time, fourteen random characters.

use std::time::{SystemTime, UNIX_EPOCH};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TIME_MASK: u64 = 0xffff_ffff_ffff;

/// Milliseconds since 1970, the unit of every time on the wire.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// Makes identifiers that sort by the time they were made, and never twice the same.
#[derive(Debug, Default)]
pub(crate) struct Mint {
    last: u64,
}

impl Mint {
    /// Sorts after all that was made before: messages, parts, events, requests.
    pub(crate) fn ascending(&mut self, prefix: &str) -> String {
        self.make(prefix, false)
    }

    /// Sorts before all that was made before: sessions, of which the newest is listed first.
    pub(crate) fn descending(&mut self, prefix: &str) -> String {
        self.make(prefix, true)
    }

    /// The next number of a running count, for call identifiers.
    pub(crate) fn call(&mut self) -> String {
        self.make("call", false)
    }

    fn make(&mut self, prefix: &str, reversed: bool) -> String {
        self.last = (now() << 12).max(self.last + 1);
        let time = if reversed { !self.last } else { self.last } & TIME_MASK;
        let tail: String = (0..14).map(|_| letter()).collect();
        format!("{prefix}_{time:012x}{tail}")
    }
}

fn letter() -> char {
    let index = rand::random_range(0..ALPHABET.len());
    ALPHABET.get(index).copied().map_or('0', char::from)
}

/// Forty hexadecimal digits that are always the same for the same text: project and snapshot identifiers.
pub(crate) fn fingerprint(text: &str) -> String {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    let mut digits = String::new();
    while digits.len() < 40 {
        for byte in text.bytes().chain([u8::try_from(digits.len()).unwrap_or(0)]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        digits.push_str(&format!("{state:016x}"));
    }
    digits.truncate(40);
    digits
}

const ADJECTIVES: [&str; 8] = ["amber", "brisk", "calm", "dapper", "early", "fair", "gentle", "honest"];
const NOUNS: [&str; 8] = ["harbour", "island", "kettle", "lantern", "meadow", "orchard", "pebble", "river"];

/// Two words for a session, as OpenCode gives them.
pub(crate) fn slug() -> String {
    let pick = |words: [&'static str; 8]| words.get(rand::random_range(0..words.len())).copied().unwrap_or("plain");
    format!("{}-{}", pick(ADJECTIVES), pick(NOUNS))
}

/// `2026-11-30T07:35:16.733Z` for milliseconds since 1970.
pub(crate) fn iso(milliseconds: u64) -> String {
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000);
    // Count years from March, so that the leap day is the last of its year; an era is 400 years.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{:03}Z", rest % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_sort_by_the_time_they_were_made() {
        let mut mint = Mint::default();
        let (first, second) = (mint.ascending("per"), mint.ascending("per"));
        assert!(first < second && first.starts_with("per_") && first.len() == 30);
        assert!(mint.descending("ses") > mint.descending("ses"));
    }

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(1_796_024_116_733), "2026-11-30T07:35:16.733Z");
        assert_eq!(iso(1_709_164_800_000), "2024-02-29T00:00:00.000Z");
    }

    #[test]
    fn fingerprints_tell_directories_apart() {
        assert_eq!(fingerprint("/a").len(), 40);
        assert_eq!(fingerprint("/a"), fingerprint("/a"));
        assert_ne!(fingerprint("/a"), fingerprint("/b"));
    }
}
