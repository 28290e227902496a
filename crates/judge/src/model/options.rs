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
        }
    }
}

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
        let read: Options = serde_json::from_str(r#"{"notify": true, "learnAfter": 3, "auditLog": "x"}"#).unwrap();
        assert_eq!(read, Options::default());
        let json = serde_json::to_value(Options::default()).unwrap();
        let expected = serde_json::json!({
            "tools": null, "skipTools": ["doom_loop"], "timeoutMs": 60000, "maxMetadataChars": 8000,
            "sessionContext": true, "maxContextChars": 2000, "maxDecisionTokens": 16000, "systemPrompt": null,
            "cache": true, "cacheMax": 500,
        });
        assert_eq!(json, expected);
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
