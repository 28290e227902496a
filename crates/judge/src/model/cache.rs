//! Verdicts that were given before.

use std::collections::HashMap;

use gavel_core::{Recommendation, Source, Status, Verdict};

/// The longest key that is remembered, in bytes: a request may carry a whole diff.
const LONGEST_KEY: usize = 64 * 1024;

/// The last verdicts; the one that was of no use for longest makes room.
#[derive(Debug, Default)]
pub(super) struct Cache {
    kept: HashMap<String, Kept>,
    turn: u64,
}

#[derive(Debug)]
struct Kept {
    scope: String,
    verdict: Verdict,
    used: u64,
}

impl Cache {
    /// The verdict on `key`, if there was one, as one that was remembered.
    pub(super) fn get(&mut self, key: &str) -> Option<Verdict> {
        self.turn += 1;
        let kept = self.kept.get_mut(key)?;
        kept.used = self.turn;
        Some(Verdict { source: Source::Cache, took: 0, ..kept.verdict.clone() })
    }

    /// Remembers `verdict` if it is one of those that are: never an `ask`, never a failure.
    pub(super) fn put(&mut self, scope: &str, key: &str, verdict: &Verdict, most: usize) {
        let decided = verdict.status == Status::Ok && verdict.recommendation != Recommendation::Ask;
        if !decided || most == 0 || key.len() > LONGEST_KEY {
            return;
        }
        self.turn += 1;
        let kept = Kept { scope: scope.to_owned(), verdict: verdict.clone(), used: self.turn };
        self.kept.insert(key.to_owned(), kept);
        while self.kept.len() > most {
            // Some hundreds at most, and only when a model has just been asked.
            let Some(oldest) = self.kept.iter().min_by_key(|(_, kept)| kept.used).map(|(key, _)| key.clone()) else {
                break;
            };
            self.kept.remove(&oldest);
        }
    }

    /// Forgets everything of a scope.
    pub(super) fn forget(&mut self, scope: &str) {
        self.kept.retain(|_, kept| kept.scope != scope);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gavel_core::text::Message;

    fn verdict(recommendation: Recommendation, status: Status) -> Verdict {
        Verdict {
            recommendation,
            reason: "so".to_owned(),
            said: Message::default(),
            source: Source::Model,
            status,
            took: 12,
        }
    }

    #[test]
    fn only_decisions_are_remembered() {
        let mut cache = Cache::default();
        let cases = [
            (Recommendation::Allow, Status::Ok, true),
            (Recommendation::Deny, Status::Ok, true),
            (Recommendation::Ask, Status::Ok, false),
            (Recommendation::Ask, Status::TimedOut, false),
            (Recommendation::Allow, Status::Truncated, false),
        ];
        for (number, (recommendation, status, kept)) in cases.into_iter().enumerate() {
            let key = number.to_string();
            cache.put("a", &key, &verdict(recommendation, status), 9);
            let expected =
                kept.then(|| Verdict { source: Source::Cache, took: 0, ..verdict(recommendation, Status::Ok) });
            assert_eq!(cache.get(&key), expected, "{recommendation:?} {status:?}");
        }
        let long = "x".repeat(LONGEST_KEY + 1);
        cache.put("a", &long, &verdict(Recommendation::Allow, Status::Ok), 9);
        assert_eq!(cache.get(&long), None);
    }

    #[test]
    fn what_was_of_no_use_for_longest_makes_room() {
        let mut cache = Cache::default();
        let allow = verdict(Recommendation::Allow, Status::Ok);
        for key in ["one", "two", "three"] {
            cache.put("a", key, &allow, 3);
        }
        assert!(cache.get("one").is_some());
        cache.put("b", "four", &allow, 3);
        let mut known = |key: &str| cache.get(key).is_some();
        assert_eq!(["one", "two", "three", "four"].map(&mut known), [true, false, true, true]);
        cache.forget("a");
        let mut known = |key: &str| cache.get(key).is_some();
        assert_eq!(["one", "three", "four"].map(&mut known), [false, false, true]);
        cache.put("a", "five", &allow, 0);
        assert_eq!(cache.get("five"), None);
    }
}
