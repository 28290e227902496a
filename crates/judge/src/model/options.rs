//! The options that concern judging, with the names and defaults of the plugin.

use std::time::Duration;

use gavel_core::modes::newer_word;
use serde::{Deserialize, Serialize};

/// The options that concern judging. Keys that are not known here are left to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Options {
    /// Which actions are judged, in the words of either OpenCode; `None` for all but `external_directory`.
    pub tools: Option<Vec<String>>,
    /// Which actions are never judged. Wins over `tools`.
    pub skip_tools: Vec<String>,
    /// How long a judge may take, in milliseconds.
    pub timeout_ms: u64,
    /// The most characters of the request's particulars that the judge is told.
    pub max_metadata_chars: usize,
    /// Whether the judge is told the user's last message.
    pub session_context: bool,
    /// The most characters of the user's last message.
    pub max_context_chars: usize,
    /// The most tokens that the judge may answer with, thinking included.
    pub max_decision_tokens: u32,
    /// Words to take the place of the built-in system prompt.
    pub system_prompt: Option<String>,
    /// Whether allowances and denials are remembered within a session.
    pub cache: bool,
    /// How many are remembered.
    pub cache_max: usize,
    /// How many allowances of a command in a row, of the judge or the user, make it learned; 0 learns nothing.
    pub learn_after: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tools: None,
            skip_tools: vec!["doom_loop".to_owned()],
            timeout_ms: 60_000,
            max_metadata_chars: 8_000,
            session_context: true,
            max_context_chars: 2_000,
            max_decision_tokens: 16_000,
            system_prompt: None,
            cache: true,
            cache_max: 500,
            learn_after: 3,
        }
    }
}

/// What makes sense of each number: less is useless, more is an accident.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bounds {
    /// Of [`Options::timeout_ms`].
    pub timeout_ms: (u64, u64),
    /// Of [`Options::max_metadata_chars`].
    pub max_metadata_chars: (usize, usize),
    /// Of [`Options::max_context_chars`].
    pub max_context_chars: (usize, usize),
    /// Of [`Options::max_decision_tokens`].
    pub max_decision_tokens: (u32, u32),
    /// Of the characters of [`Options::system_prompt`].
    pub system_prompt: (usize, usize),
    /// Of [`Options::cache_max`].
    pub cache_max: (usize, usize),
    /// Of [`Options::learn_after`].
    pub learn_after: (u64, u64),
}

impl Bounds {
    /// The bounds.
    pub const ALL: Self = Self {
        timeout_ms: (1_000, 600_000),
        max_metadata_chars: (500, 100_000),
        max_context_chars: (100, 50_000),
        max_decision_tokens: (100, 128_000),
        system_prompt: (0, 20_000),
        cache_max: (0, 10_000),
        learn_after: (0, 100),
    };
}

/// The most actions that are named, and the longest name, in characters.
const MOST_NAMES: (usize, usize) = (100, 100);

/// What is never judged unless it is asked for by name.
const BY_NAME_ONLY: &str = "external_directory";

impl Options {
    /// Whether requests for `action` are judged.
    #[must_use]
    pub fn judges(&self, action: &str) -> bool {
        let action = newer_word(action);
        let named = |list: &[String]| list.iter().any(|word| newer_word(word.trim()) == action);
        if named(&self.skip_tools) {
            return false;
        }
        self.tools.as_deref().map_or(action != BY_NAME_ONLY, named)
    }

    /// These options with every number within its [`Bounds`], every list without blanks, and no empty prompt.
    #[must_use]
    pub fn bounded(self) -> Self {
        fn within<T: Ord>(value: T, (least, most): (T, T)) -> T {
            value.clamp(least, most)
        }
        let bounds = Bounds::ALL;
        let tidy = |words: Vec<String>| -> Vec<String> {
            let words = words.iter().map(|word| word.trim()).filter(|word| !word.is_empty());
            words.map(|word| word.chars().take(MOST_NAMES.1).collect()).take(MOST_NAMES.0).collect()
        };
        let prompt = self.system_prompt.filter(|own| !own.trim().is_empty());
        Self {
            tools: self.tools.map(tidy),
            skip_tools: tidy(self.skip_tools),
            timeout_ms: within(self.timeout_ms, bounds.timeout_ms),
            max_metadata_chars: within(self.max_metadata_chars, bounds.max_metadata_chars),
            max_context_chars: within(self.max_context_chars, bounds.max_context_chars),
            max_decision_tokens: within(self.max_decision_tokens, bounds.max_decision_tokens),
            system_prompt: prompt.map(|own| own.chars().take(bounds.system_prompt.1).collect()),
            cache_max: within(self.cache_max, bounds.cache_max),
            learn_after: within(self.learn_after, bounds.learn_after),
            ..self
        }
    }

    /// How long a judge may take.
    pub(super) fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_plugins_and_unknown_keys_are_ignored() {
        let read: Options =
            serde_json::from_str(r#"{"notify": true, "notifyDurationMs": 5, "auditLog": "x"}"#).unwrap();
        assert_eq!(read, Options::default());
        let json = serde_json::to_value(Options::default()).unwrap();
        let expected = serde_json::json!({
            "tools": null, "skipTools": ["doom_loop"], "timeoutMs": 60000, "maxMetadataChars": 8000,
            "sessionContext": true, "maxContextChars": 2000, "maxDecisionTokens": 16000, "systemPrompt": null,
            "cache": true, "cacheMax": 500, "learnAfter": 3,
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn what_makes_no_sense_is_brought_within_bounds() {
        let options = |json: &str| -> Options { serde_json::from_str(json).unwrap() };
        assert_eq!(Options::default().bounded(), Options::default());
        let wild = options(
            r#"{"tools":[" bash ","",""],"skipTools":["  "],"timeoutMs":0,"maxMetadataChars":0,"maxContextChars":0,
                "maxDecisionTokens":0,"systemPrompt":" \n","cacheMax":99999999,"learnAfter":99999999}"#,
        );
        let tame = options(
            r#"{"tools":["bash"],"skipTools":[],"timeoutMs":1000,"maxMetadataChars":500,"maxContextChars":100,
                "maxDecisionTokens":100,"cacheMax":10000,"learnAfter":100}"#,
        );
        assert_eq!(wild.bounded(), tame);
        // Nothing named is nothing judged, and not everything.
        assert_eq!(options(r#"{"tools":[" "]}"#).bounded().tools, Some(Vec::new()));
        let long = Options { system_prompt: Some("é".repeat(30_000)), ..Options::default() };
        assert_eq!(long.bounded().system_prompt.map(|own| own.chars().count()), Some(20_000));
    }

    #[test]
    fn who_is_judged() {
        let options = |json: &str| -> Options { serde_json::from_str(json).unwrap() };
        let cases = [
            ("{}", "shell", true),
            ("{}", "some_mcp_tool", true),
            ("{}", "doom_loop", false),
            ("{}", "external_directory", false),
            (r#"{"tools":["external_directory"]}"#, "external_directory", true),
            (r#"{"tools":["bash"]}"#, "shell", true),
            (r#"{"tools":["bash"]}"#, "edit", false),
            (r#"{"tools":["write"]}"#, "edit", true),
            (r#"{"tools":["shell"],"skipTools":["bash"]}"#, "shell", false),
            (r#"{"tools":["doom_loop"]}"#, "doom_loop", false),
            (r#"{"tools":["doom_loop"],"skipTools":[]}"#, "doom_loop", true),
            (r#"{"tools":[]}"#, "shell", false),
        ];
        for (json, action, judged) in cases {
            assert_eq!(options(json).judges(action), judged, "{json} {action}");
        }
    }
}
