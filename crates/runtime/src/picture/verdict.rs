//! What a judge says of a request: in the window, and in the one line that a notification and the tray have for it.

use gavel_core::display::visible;
use gavel_core::flow::Advice;
use gavel_core::text::{Language, plain};
use gavel_core::{Ask, Finding, Opinion, Recommendation, Segment, Source, Status, Verdict, say};
use gavel_judge::model::fault_said;

use super::told::{said, told};
use crate::api;

/// The verdict on `ask`, whose displayed text is `text`.
pub(super) fn of(finding: &Finding, ask: &Ask, text: &str, language: Language) -> api::Verdict {
    marked(finding, ask.detail.command.as_deref().unwrap_or_default(), text, language)
}

/// The verdict on `command`, which is displayed by itself.
pub(crate) fn of_command(finding: &Finding, command: &str, language: Language) -> api::Verdict {
    marked(finding, command, &visible(command), language)
}

fn marked(finding: &Finding, command: &str, text: &str, language: Language) -> api::Verdict {
    // Parts are marked in the text only if it begins with the command that they are parts of.
    let marked = text.starts_with(&visible(command));
    let parts = finding.segments.iter().filter(|_| marked).filter_map(|segment| part(segment, command, language));
    api::Verdict {
        recommendation: finding.recommendation,
        reason: finding.reason_in(language),
        source: Source::Offline,
        status: Status::Ok,
        class: Some(finding.class),
        parts: parts.collect(),
    }
}

/// `segment` of `command`, as it lies in what is displayed of it.
fn part(segment: &Segment, command: &str, language: Language) -> Option<api::Part> {
    let length = |text: &str| visible(text).encode_utf16().count();
    let start = length(command.get(..segment.start)?);
    let end = start + length(command.get(segment.start..segment.end)?);
    Some(api::Part {
        start,
        end,
        class: segment.class,
        recommendation: segment.recommendation,
        why: segment.why_in(language),
    })
}

/// What a judge makes of a request.
pub(super) fn advice(advice: &Advice, language: Language) -> Option<api::Advice> {
    match advice {
        Advice::None => None,
        Advice::Awaited => Some(api::Advice::Awaited),
        Advice::Given(Opinion { verdict, .. }) => Some(api::Advice::Given {
            recommendation: verdict.recommendation,
            reason: reason(verdict, language),
            status: verdict.status,
            took: verdict.took,
        }),
    }
}

/// What a judge makes of a request, in one line. That there is no verdict is no news to who has `chosen` no judge.
pub(super) fn advice_line(advice: &Advice, chosen: bool, language: Language) -> Option<String> {
    let Advice::Given(Opinion { verdict, .. }) = advice else { return None };
    if verdict.status != Status::Ok && !chosen {
        return None;
    }
    let reason = plain(reason(verdict, language));
    let line = match (verdict.status, verdict.recommendation) {
        (Status::Ok, Recommendation::Allow) => say!("The judge would allow it: {}", reason),
        (Status::Ok, Recommendation::Deny) => say!("The judge would decline it: {}", reason),
        (Status::Ok, Recommendation::Ask) => say!("The judge leaves it to you: {}", reason),
        _ => say!("No verdict: {}", reason),
    };
    Some(line.in_language(language))
}

/// The judge's own words; what went wrong with it is said in `language`.
pub(super) fn reason(verdict: &Verdict, language: Language) -> String {
    match verdict.status {
        Status::Ok => told(&verdict.reason_in(language), language),
        _ => said(&fault_said(verdict), language),
    }
}

/// The verdict in one line: `Looks safe: reads `README.md``, `Deletes `build/` and everything under it`.
pub(crate) fn line(recommendation: Recommendation, reason: &str, language: Language) -> String {
    match recommendation {
        Recommendation::Allow => say!("Looks safe: {}", plain(reason)).in_language(language),
        Recommendation::Deny => say!("Dangerous: {}", plain(reason)).in_language(language),
        Recommendation::Ask => {
            let mut letters = reason.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::text::Message;
    use gavel_core::{Class, Detail, RequestKey, Route, Verdict};

    use super::*;

    fn ask(command: &str) -> Ask {
        Ask {
            key: RequestKey::new("http://s", "per_1"),
            session: "ses_1".into(),
            directory: "/p".into(),
            route: Route::V2,
            action: "shell".into(),
            resources: vec![command.to_owned()],
            save: Vec::new(),
            call: None,
            asked: None,
            detail: Detail { command: Some(command.to_owned()), placed: true, ..Detail::default() },
        }
    }

    fn finding(command: &str, parts: &[&str]) -> Finding {
        let segment = |part: &&str| {
            let start = command.find(part).unwrap();
            Segment {
                start,
                end: start + part.len(),
                class: Class::Writes,
                recommendation: Recommendation::Ask,
                why: format!("does {part}"),
                said: Message::default(),
            }
        };
        Finding {
            recommendation: Recommendation::Ask,
            reason: "writes".into(),
            said: Message::default(),
            class: Class::Writes,
            segments: parts.iter().map(segment).collect(),
        }
    }

    #[test]
    fn parts_lie_where_they_are_displayed() {
        let cases: [(&str, &[&str]); 4] = [
            ("ls && touch a", &["ls", "touch a"]),
            ("echo \u{1F600} && touch \u{1F600}.txt", &["touch \u{1F600}.txt"]),
            ("echo \u{202E} && touch b", &["touch b"]),
            ("touch a\u{200B}b; ls\n\ttouch c", &["touch a\u{200B}b", "touch c"]),
        ];
        for (command, parts) in cases {
            let ask = ask(command);
            let text = gavel_core::display::full_text(&ask);
            let units: Vec<u16> = text.encode_utf16().collect();
            let verdict = of(&finding(command, parts), &ask, &text, Language::English);
            let marked: Vec<String> =
                verdict.parts.iter().map(|part| String::from_utf16(&units[part.start..part.end]).unwrap()).collect();
            assert_eq!(marked, parts.iter().map(|part| visible(part)).collect::<Vec<_>>(), "{command:?}");
        }
    }

    #[test]
    fn a_judge_is_quoted_as_such_and_a_failure_is_no_verdict() {
        use Recommendation::{Allow, Ask, Deny};
        let cases = [
            (Status::Ok, Allow, "The judge would allow it: so\u{27e8}U+202E\u{27e9}"),
            (Status::Ok, Deny, "The judge would decline it: so\u{27e8}U+202E\u{27e9}"),
            (Status::Ok, Ask, "The judge leaves it to you: so\u{27e8}U+202E\u{27e9}"),
            (Status::TimedOut, Ask, "No verdict: so\u{27e8}U+202E\u{27e9}"),
            // Whatever comes with a failure is no recommendation.
            (Status::Truncated, Allow, "No verdict: so\u{27e8}U+202E\u{27e9}"),
        ];
        for (status, recommendation, said) in cases {
            let verdict = Verdict {
                recommendation,
                reason: "so\u{202E}".into(),
                said: Message::default(),
                source: Source::Model,
                status,
                took: 1,
            };
            let line = |chosen| advice_line(&Advice::Given(verdict.clone().into()), chosen, Language::English);
            assert_eq!(line(true).as_deref(), Some(said));
            // Who chose no judge misses none.
            assert_eq!(line(false).as_deref(), Some(said).filter(|_| status == Status::Ok));
        }
        assert_eq!(
            (
                advice_line(&Advice::None, true, Language::English),
                advice_line(&Advice::Awaited, true, Language::English)
            ),
            (None, None)
        );
        assert_eq!(
            (advice(&Advice::None, Language::English), advice(&Advice::Awaited, Language::English)),
            (None, Some(api::Advice::Awaited))
        );
    }

    #[test]
    fn nothing_is_marked_in_a_text_that_is_not_the_command() {
        let ask = ask("touch a");
        assert!(of(&finding("touch a", &["touch a"]), &ask, "something else", Language::English).parts.is_empty());
    }

    #[test]
    fn one_line_says_what_to_do_and_why() {
        for (recommendation, said) in [
            (Recommendation::Allow, "Looks safe: reads `a`"),
            (Recommendation::Ask, "Reads `a`"),
            (Recommendation::Deny, "Dangerous: reads `a`"),
        ] {
            assert_eq!(line(recommendation, "reads `a`", Language::English), said);
        }
        assert_eq!(line(Recommendation::Ask, "", Language::English), "");
    }
}
