//! Why there is no verdict.

use std::fmt;
use std::time::Duration;

use gavel_core::text::{Message, Template, plain};
use gavel_core::{Recommendation, Source, Status, Verdict, display, term};

/// The most characters of a stranger's words that a fault repeats.
const LONGEST: usize = 200;

/// Why a judge gave no verdict. The text is meant for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// There is no key to ask it with.
    NoKey,
    /// It answered with another status than success.
    Http {
        /// The status.
        code: u16,
        /// What it said about it; empty if nothing.
        message: String,
    },
    /// It could not be reached, or the connection broke.
    Network(Message),
    /// It did not answer in time.
    TimedOut(Duration),
    /// Its answer did not come whole.
    Truncated(Message),
    /// Its answer could not be understood.
    Unparsed(Message),
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

/// Every sentence that a fault is.
const SENTENCES: [Template; 7] = [NO_KEY, HTTP_SAID, HTTP, NETWORK, TIMED_OUT, TRUNCATED, UNPARSED];
const NO_KEY: Template = term!("no key is configured for the judge");
const HTTP_SAID: Template = term!("the judge answered with HTTP status {}: {}");
const HTTP: Template = term!("the judge answered with HTTP status {}");
const NETWORK: Template = term!("the judge could not be reached: {}");
const TIMED_OUT: Template = term!("timed out after {} ms");
const TRUNCATED: Template = term!("the answer of the judge was cut off: {}");
const UNPARSED: Template = term!("the answer of the judge could not be understood: {}");
const NO_VERDICT: &str = "no verdict: ";

/// Why there is no verdict, where `verdict`'s status says so, for any language.
pub fn fault_said(verdict: &Verdict) -> Message {
    if !verdict.said.is_empty() {
        return verdict.said.clone();
    }
    // Logs of older versions keep only the English.
    let reason = &verdict.reason;
    let fault = reason.strip_prefix(NO_VERDICT).unwrap_or(reason);
    SENTENCES.iter().find_map(|sentence| sentence.read(fault)).unwrap_or_else(|| Message::verbatim(reason))
}

impl Fault {
    /// What it is, for any language.
    pub fn said(&self) -> Message {
        match self {
            Self::NoKey => NO_KEY.into(),
            Self::Http { code, message } if message.is_empty() => HTTP.with(plain(code.to_string())),
            Self::Http { code, message } => HTTP_SAID.with_all([plain(code.to_string()), plain(message)]),
            Self::Network(why) => NETWORK.with(why.clone()),
            Self::TimedOut(time) => TIMED_OUT.with(plain(time.as_millis().to_string())),
            Self::Truncated(why) => TRUNCATED.with(why.clone()),
            Self::Unparsed(why) => UNPARSED.with(why.clone()),
        }
    }

    /// An HTTP status with what was said about it, made fit to be read.
    #[must_use]
    pub fn http(code: u16, message: &str) -> Self {
        Self::Http { code, message: fit(message) }
    }

    /// The word for it in a verdict.
    #[must_use]
    pub const fn status(&self) -> Status {
        match self {
            Self::NoKey => Status::NoKey,
            Self::Http { .. } => Status::HttpError,
            Self::Network(_) => Status::NetworkError,
            Self::TimedOut(_) => Status::TimedOut,
            Self::Truncated(_) => Status::Truncated,
            Self::Unparsed(_) => Status::Unparsed,
        }
    }

    /// The word and the particulars by which the log that is shared with the plugin tells it. Being late is no word of
    /// its own there.
    #[must_use]
    pub fn logged(&self) -> (&'static str, Option<String>) {
        match self {
            Self::NoKey => ("no_key", None),
            Self::Http { code, .. } => ("http_error", Some(code.to_string())),
            Self::Network(why) => ("network_error", Some(why.to_string())),
            Self::TimedOut(_) => ("network_error", Some(self.to_string())),
            Self::Truncated(_) => ("truncated", None),
            Self::Unparsed(_) => ("unparsed", None),
        }
    }

    /// The verdict that leaves the request with the human, after `took` milliseconds.
    #[must_use]
    pub fn verdict(&self, took: u64) -> Verdict {
        Verdict {
            recommendation: Recommendation::Ask,
            reason: format!("{NO_VERDICT}{self}"),
            said: self.said(),
            source: Source::Model,
            status: self.status(),
            took,
        }
    }
}

/// The beginning of a stranger's words, on one line and with every character visible.
pub(super) fn fit(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let excerpt = display::excerpt(&line, LONGEST, 1);
    if excerpt.missing == 0 { excerpt.text } else { format!("{}…", excerpt.text) }
}

#[cfg(test)]
mod tests {
    use gavel_core::text::Language;

    use super::*;

    fn in_russian(verdict: &Verdict) -> String {
        fault_said(verdict).in_language(Language::Russian)
    }

    #[test]
    fn every_fault_has_its_words() {
        let late = Duration::from_secs(60);
        let cases = [
            (Fault::NoKey, Status::NoKey, "no_key", None),
            (Fault::http(429, "slow\n down"), Status::HttpError, "http_error", Some("429")),
            (Fault::Network(Message::verbatim("refused")), Status::NetworkError, "network_error", Some("refused")),
            (Fault::TimedOut(late), Status::TimedOut, "network_error", Some("timed out after 60000 ms")),
            (Fault::Truncated(Message::verbatim("cut")), Status::Truncated, "truncated", None),
            (Fault::Unparsed(Message::verbatim("prose")), Status::Unparsed, "unparsed", None),
        ];
        for (fault, status, word, detail) in cases {
            assert_eq!((fault.status(), fault.logged()), (status, (word, detail.map(str::to_owned))));
            let verdict = fault.verdict(7);
            assert_eq!((verdict.recommendation, verdict.took), (Recommendation::Ask, 7));
            assert_eq!(verdict.reason, format!("no verdict: {fault}"));
            // As it is now, and as logs of older versions have it.
            for verdict in [verdict.clone(), Verdict { said: Message::default(), ..verdict }] {
                assert_eq!(in_russian(&verdict), fault.said().in_language(Language::Russian));
            }
        }
        let empty = Fault::Unparsed(term!("it is empty").into()).verdict(7);
        assert_eq!(in_russian(&empty), "ответ судьи не удалось понять: он пуст");
        assert_eq!(Fault::http(429, "slow\n down").to_string(), "the judge answered with HTTP status 429: slow down");
        let long = Fault::http(500, &format!("a\u{202E}{}", "x".repeat(1_000))).to_string();
        assert!(long.contains("a⟨U+202E⟩x") && long.ends_with('…') && long.chars().count() < 260, "{long}");
    }
}
