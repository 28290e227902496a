//! What was said of a request before it ended, and by whom: kept, so that it can be held against what the user did.

use serde::{Deserialize, Serialize};

use crate::{Status, Verdict};

/// What a judge said, or failed to say, and what that took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// What it said. After a failure it leaves the request with the human.
    pub verdict: Verdict,
    /// Who was asked, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeName>,
    /// The particulars of a failure: the number of an HTTP status, or what was wrong in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Tokens::is_unknown")]
    pub tokens: Tokens,
}

/// The name of a judge: what tells it from others on the report card.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JudgeName {
    /// The kind of API it is behind: `openai`, `anthropic`, `server`.
    pub provider: String,
    /// The model; empty where a server chooses for itself.
    pub model: String,
}

/// How many tokens an opinion took, as far as the judge says. An opinion that was remembered took none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<u64>,
    /// Tokens of the answer, thinking included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completion: Option<u64>,
}

impl Tokens {
    /// Whether nothing is known of them.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Verdict> for Opinion {
    /// The verdict of a judge of which nothing more is known.
    fn from(verdict: Verdict) -> Self {
        Self { verdict, judge: None, detail: None, tokens: Tokens::default() }
    }
}

/// What was said of one request, each judge by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Kept")]
pub struct Opinions {
    /// What the analysis on this machine said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offline: Option<Verdict>,
    /// What a model said, if one was asked and had spoken by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Opinion>,
}

impl Opinions {
    /// What was recommended: by the model, if it could do its work, or else by the analysis on this machine.
    #[must_use]
    pub fn recommended(&self) -> Option<&Verdict> {
        let model = self.model.as_ref().map(|opinion| &opinion.verdict);
        model.filter(|verdict| verdict.status == Status::Ok).or(self.offline.as_ref())
    }
}

/// What logs hold: those of older versions have one verdict, whoever gave it.
#[derive(Deserialize)]
struct Kept {
    offline: Option<Verdict>,
    model: Option<Opinion>,
    verdict: Option<Verdict>,
}

impl From<Kept> for Opinions {
    fn from(kept: Kept) -> Self {
        match kept.verdict {
            None => Self { offline: kept.offline, model: kept.model },
            Some(verdict) if verdict.source == crate::Source::Offline => {
                Self { offline: kept.offline.or(Some(verdict)), model: kept.model }
            }
            Some(verdict) => Self { offline: kept.offline, model: kept.model.or_else(|| Some(verdict.into())) },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::text::Message;
    use crate::{Recommendation, Source};

    fn verdict(source: Source, status: Status) -> Verdict {
        Verdict {
            recommendation: Recommendation::Allow,
            reason: "reads".into(),
            said: Message::default(),
            source,
            status,
            took: 7,
        }
    }

    #[test]
    fn one_verdict_of_an_older_version_is_told_by_its_source() {
        for source in [Source::Offline, Source::Model, Source::Cache] {
            let verdict = verdict(source, Status::Ok);
            let read: Opinions = serde_json::from_value(json!({ "verdict": verdict })).unwrap();
            let expected = if source == Source::Offline {
                Opinions { offline: Some(verdict), model: None }
            } else {
                Opinions { offline: None, model: Some(verdict.into()) }
            };
            assert_eq!(read, expected, "{source:?}");
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_the_unknown_is_left_out() {
        let judge = JudgeName { provider: "openai".into(), model: "small".into() };
        let opinion = Opinion {
            judge: Some(judge),
            detail: Some("429".into()),
            tokens: Tokens { prompt: Some(5), completion: None },
            ..verdict(Source::Model, Status::HttpError).into()
        };
        for opinions in [
            Opinions::default(),
            Opinions { offline: Some(verdict(Source::Offline, Status::Ok)), model: Some(opinion) },
            Opinions { offline: None, model: Some(verdict(Source::Cache, Status::Ok).into()) },
        ] {
            let kept = serde_json::to_value(&opinions).unwrap();
            assert_eq!(serde_json::from_value::<Opinions>(kept.clone()).unwrap(), opinions);
            let nulls = |value: &Value| value.to_string().contains("null");
            assert!(!nulls(&kept), "{kept}");
        }
    }

    #[test]
    fn a_failure_recommends_nothing() {
        let offline = verdict(Source::Offline, Status::Ok);
        for (status, source) in [(Status::Ok, Source::Model), (Status::TimedOut, Source::Offline)] {
            let model = Some(verdict(Source::Model, status).into());
            let opinions = Opinions { offline: Some(offline.clone()), model };
            assert_eq!(opinions.recommended().unwrap().source, source);
        }
        assert_eq!(Opinions::default().recommended(), None);
    }
}
