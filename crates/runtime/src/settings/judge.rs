//! Who judges, and how. Never a key: only where it is kept.

use gavel_judge::model::{Kind, Options};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Who judges, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JudgeSettings {
    /// Who is asked; `None` if nobody has chosen: then it is the session's own model, until they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub who: Option<Who>,
    /// The API of [`Who::Endpoint`].
    pub provider: Kind,
    /// Where it is, with the version in its path; empty for the vendor's own.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Where its key comes from.
    pub key: JudgeKey,
    /// What about, and with what patience: for whoever judges.
    pub options: Options,
    /// What a later Gavel has written here.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// Who is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Nobody.
    Off,
    /// The model that works in the session that asks, by way of its own provider.
    #[default]
    SessionModel,
    /// The model that is named.
    Endpoint,
}

/// Where a judge's key comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum JudgeKey {
    /// None is sent.
    #[default]
    Nowhere,
    /// The keychain, under the judge's address: no other address ever gets it.
    Keychain,
    /// An environment variable.
    Variable {
        /// Its name.
        name: String,
    },
}

impl Default for JudgeSettings {
    fn default() -> Self {
        Self {
            who: None,
            provider: Kind::OpenAi,
            base_url: String::new(),
            model: String::new(),
            key: JudgeKey::Nowhere,
            options: Options::default(),
            others: Map::new(),
        }
    }
}

impl JudgeSettings {
    /// Nobody judges, by choice.
    #[must_use]
    pub fn nobody() -> Self {
        Self { who: Some(Who::Off), ..Self::default() }
    }

    /// Who is asked, chosen or not.
    #[must_use]
    pub fn asked(&self) -> Who {
        self.who.unwrap_or_default()
    }

    /// Where the judge is: as it was given, or the vendor's own address.
    #[must_use]
    pub fn address(&self) -> &str {
        let given = self.base_url.trim().trim_end_matches('/');
        if given.is_empty() { self.provider.usual_url() } else { given }
    }

    /// Under which name the keychain holds the key of this address.
    #[must_use]
    pub fn account(&self) -> String {
        format!("judge:{}", self.address())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn read(json: &str) -> JudgeSettings {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn where_nobody_was_chosen_it_is_the_sessions_own_model() {
        let settings: Settings = serde_json::from_str(r#"{"servers":[]}"#).unwrap();
        assert_eq!((settings.judge.clone(), settings.judge.asked()), (JudgeSettings::default(), Who::SessionModel));
        assert_eq!(read("{}"), JudgeSettings::default());
        // What is kept for another reason is no choice, and who chose nobody is asked about nothing.
        let kept = serde_json::to_value(&settings).unwrap();
        assert_eq!((kept["judge"].get("who"), kept["judge"].is_object()), (None, true));
        assert_eq!(read(r#"{"who":"off"}"#).asked(), Who::Off);
        let chosen = serde_json::to_value(JudgeSettings::nobody()).unwrap();
        assert_eq!((&chosen["who"], read(&chosen.to_string())), (&"off".into(), JudgeSettings::nobody()));
    }

    #[test]
    fn what_is_written_is_read_again_whoever_wrote_it() {
        for json in [
            r#"{"who":"session_model","options":{"timeoutMs":5000,"skipTools":[]}}"#,
            r#"{"who":"endpoint","provider":"anthropic","model":"m","key":{"from":"variable","name":"MY_KEY"}}"#,
            r#"{"who":"endpoint","base_url":"http://127.0.0.1:11434/v1","key":{"from":"keychain"}}"#,
            r#"{"who":"off","shadow":{"later":true}}"#,
        ] {
            let settings = read(json);
            let written = serde_json::to_value(&settings).unwrap();
            assert_eq!(serde_json::from_value::<JudgeSettings>(written.clone()).unwrap(), settings);
            let Value::Object(given) = serde_json::from_str(json).unwrap() else { unreachable!() };
            for (name, value) in given.iter().filter(|(name, _)| *name != "options") {
                assert_eq!(&written[name], value, "{json}");
            }
        }
        assert_eq!(read(r#"{"options":{"timeoutMs":5000}}"#).options.timeout_ms, 5_000);
    }

    #[test]
    fn a_key_is_kept_for_one_address_however_that_is_written() {
        let account = |provider, base_url: &str| {
            JudgeSettings { provider, base_url: base_url.to_owned(), ..JudgeSettings::default() }.account()
        };
        assert_eq!(account(Kind::OpenAi, ""), "judge:https://api.openai.com/v1");
        assert_eq!(account(Kind::OpenAi, " https://api.openai.com/v1/ "), "judge:https://api.openai.com/v1");
        assert_eq!(account(Kind::Anthropic, ""), "judge:https://api.anthropic.com/v1");
        assert_eq!(account(Kind::OpenAi, "http://127.0.0.1:4000"), "judge:http://127.0.0.1:4000");
    }
}
