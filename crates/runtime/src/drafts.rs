//! What is half typed for questions that still wait. It survives the window, and Gavel.

use std::collections::HashMap;

use gavel_core::{Moment, RequestKey};
use serde::{Deserialize, Serialize};

/// The longest draft, in bytes.
pub(crate) const LONGEST: usize = 64 * 1024;

/// The most drafts that are kept: the oldest go first.
const MOST: usize = 64;

/// For how long a draft is kept that nobody came back to, in milliseconds.
const OLDEST: u64 = 7 * 24 * 60 * 60 * 1000;

/// Where drafts are kept; gives the reason if that fails.
pub type KeepDrafts = Box<dyn Fn(&Drafts) -> Result<(), String> + Send + Sync>;

/// The drafts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Drafts(Vec<Draft>);

/// What is half typed for one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Draft {
    key: RequestKey,
    /// What is asked, whole: under the same key, a server that has begun anew may ask something else.
    asked: String,
    /// What the window makes of it.
    text: String,
    at: Moment,
}

impl Drafts {
    /// The draft for what is `asked` under `key`.
    pub(crate) fn get(&self, key: &RequestKey, asked: &str) -> Option<&str> {
        self.0.iter().find(|draft| draft.key == *key && draft.asked == asked).map(|draft| draft.text.as_str())
    }

    /// Which question each draft is for.
    pub(crate) fn by_key(&self) -> HashMap<&RequestKey, (&str, &str)> {
        self.0.iter().map(|draft| (&draft.key, (draft.asked.as_str(), draft.text.as_str()))).collect()
    }

    /// Keeps a draft. Whether that changes anything.
    pub(crate) fn keep(&mut self, key: RequestKey, asked: String, text: String, now: Moment) -> bool {
        if self.get(&key, &asked) == Some(&text) {
            return false;
        }
        self.0.retain(|draft| draft.key != key && now.since(draft.at) < OLDEST);
        self.0.push(Draft { key, asked, text, at: now });
        let excess = self.0.len().saturating_sub(MOST);
        self.0.drain(..excess);
        true
    }

    /// Forgets a draft. Whether there was one.
    pub(crate) fn forget(&mut self, key: &RequestKey) -> bool {
        let before = self.0.len();
        self.0.retain(|draft| draft.key != *key);
        self.0.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment(1_796_026_500_000);

    fn key(id: &str) -> RequestKey {
        RequestKey::new("http://127.0.0.1:4096", id)
    }

    #[test]
    fn a_draft_is_for_what_was_asked_and_for_nothing_else() {
        let mut drafts = Drafts::default();
        assert!(drafts.keep(key("que_1"), "Which?".into(), "a".into(), NOW));
        assert!(!drafts.keep(key("que_1"), "Which?".into(), "a".into(), NOW.plus(1)), "the same again is no change");
        assert_eq!(drafts.get(&key("que_1"), "Which?"), Some("a"));
        assert_eq!(drafts.get(&key("que_1"), "Who?"), None);
        assert_eq!(drafts.get(&key("que_2"), "Which?"), None);
        let again: Drafts =
            serde_json::from_str(&serde_json::to_string(&drafts).unwrap_or_default()).unwrap_or_default();
        assert_eq!(again, drafts);
        assert!(drafts.forget(&key("que_1")));
        assert!(!drafts.forget(&key("que_1")));
    }

    #[test]
    fn drafts_are_few_and_young() {
        let mut drafts = Drafts::default();
        for n in 0..=MOST {
            drafts.keep(key(&n.to_string()), "Which?".into(), "a".into(), NOW);
        }
        assert_eq!((drafts.0.len(), drafts.get(&key("0"), "Which?")), (MOST, None));
        drafts.keep(key("new"), "Which?".into(), "a".into(), NOW.plus(OLDEST));
        assert_eq!(drafts.0.len(), 1);
    }
}
