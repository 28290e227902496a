//! Questions as they are shown.

use std::sync::Arc;

use gavel_core::display::{self, is_deceptive_text, visible};
use gavel_core::flow::{Flow, QuestionEntry, QuestionPhase, Server};
use gavel_core::question::{self, Choice, Field, Given, Kind, Question, Response};
use gavel_core::text::{Language, Template};
use gavel_core::{Decision, RequestKey, Settled, say, term};
use serde_json::Value;
use url::Url;

use super::told::{said, told};
use super::{chain, clip};
use crate::api;
use crate::drafts::Drafts;

pub(super) fn questions(
    flow: &Flow,
    drafts: &Drafts,
    serves: &dyn Fn(&RequestKey) -> Option<Arc<str>>,
    language: Language,
) -> Vec<api::Question> {
    let drafts = drafts.by_key();
    let shown = |entry: &QuestionEntry| {
        let server = flow.servers().get(&entry.question.key.server)?;
        let draft = drafts.get(&entry.question.key).map(|(asked, text)| (*asked, *text));
        let serves = serves(&entry.question.key).map(|said| told(&said, language));
        Some(api::Question { serves, ..one(entry, server, draft, language) })
    };
    flow.questions().into_iter().filter_map(shown).collect()
}

fn one(entry: &QuestionEntry, server: &Server, draft: Option<(&str, &str)>, language: Language) -> api::Question {
    let asked = &entry.question;
    let draft = draft.filter(|(of, _)| *of == question::full_text(asked)).map(|(_, text)| text.to_owned());
    api::Question {
        key: asked.key.clone(),
        server_name: server.info.name.clone(),
        online: server.link.is_online(),
        title: told(&asked.title, language),
        headline: question::headline_in(asked, language),
        fields: asked.fields.iter().map(field).collect(),
        quick: question::quick_in(asked, language)
            .into_iter()
            .map(|(label, answer)| api::Quick { label, answer })
            .collect(),
        deceptive: is_deceptive(asked),
        answerable: asked.is_answerable(),
        passes_reason: asked.passes_reason(),
        raw: visible(&pretty(&asked.metadata)),
        project: if asked.directory.is_empty() { String::new() } else { display::project_name(&asked.directory) },
        directory: visible(&asked.directory),
        chain: asked.session.as_ref().map(|session| chain(server, session, language)).unwrap_or_default(),
        serves: None,
        since: entry.since.0,
        phase: match &entry.phase {
            QuestionPhase::Waiting => api::QuestionPhase::Waiting,
            QuestionPhase::Replying { response, .. } => api::QuestionPhase::Replying { response: response.clone() },
            QuestionPhase::Undelivered { response, why } => {
                api::QuestionPhase::Undelivered { response: response.clone(), why: said(why, language) }
            }
        },
        edition: entry.edition,
        refused: entry.refused.as_ref().map(|refused| problem(refused, language)),
        draft,
    }
}

/// A problem as it is shown.
pub(crate) fn problem(problem: &question::Problem, language: Language) -> api::Problem {
    let field = (!problem.field.is_empty()).then(|| problem.field.clone());
    api::Problem { field, message: said(&problem.said(), language) }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

fn field(field: &Field) -> api::Field {
    let seen = |text: &Option<String>| text.as_deref().map(visible);
    api::Field {
        key: field.key.clone(),
        title: seen(&field.title),
        description: seen(&field.description),
        required: field.required,
        hidden: field.hidden,
        when: field
            .when
            .iter()
            .map(|when| api::When { key: when.key.clone(), equal: when.equal, value: when.value.clone() })
            .collect(),
        default: field.default.clone(),
        kind: kind(&field.kind),
    }
}

fn kind(kind: &Kind) -> api::FieldKind {
    match kind {
        Kind::Text { format, min_length, max_length, pattern, placeholder, options, custom } => api::FieldKind::Text {
            format: *format,
            min_length: *min_length,
            max_length: *max_length,
            pattern: pattern.clone(),
            placeholder: placeholder.as_deref().map(visible),
            options: options.as_deref().map(choices),
            custom: *custom,
        },
        Kind::Number { whole, minimum, maximum } => {
            api::FieldKind::Number { whole: *whole, minimum: *minimum, maximum: *maximum }
        }
        Kind::Boolean => api::FieldKind::Boolean,
        Kind::Multiselect { options, min_items, max_items, custom } => api::FieldKind::Multiselect {
            options: choices(options),
            min_items: *min_items,
            max_items: *max_items,
            custom: *custom,
        },
        Kind::External { url } => api::FieldKind::External { url: visible(url), opens: link(url).is_some() },
        Kind::Unknown { raw, .. } => api::FieldKind::Unknown { raw: visible(&pretty(raw)) },
    }
}

fn choices(options: &[Choice]) -> Vec<api::Choice> {
    let one = |choice: &Choice| api::Choice {
        value: choice.value.clone(),
        label: visible(&choice.label),
        description: choice.description.as_deref().map(visible),
    };
    options.iter().map(one).collect()
}

/// The address `url`, if it may be opened in a browser: one for the web, and all of it is seen.
pub(crate) fn link(url: &str) -> Option<Url> {
    let parsed = Url::parse(url).ok().filter(|parsed| matches!(parsed.scheme(), "http" | "https"))?;
    // Who reads `https://bank.example@evil.example` takes it for the bank's.
    let plain = parsed.has_host() && parsed.username().is_empty() && parsed.password().is_none();
    (plain && !is_deceptive_text(url) && !url.contains(['\n', '\t'])).then_some(parsed)
}

/// Whether any of its words hold characters that are made visible.
fn is_deceptive(asked: &Question) -> bool {
    let of_field = |field: &Field| {
        let options = field.options().iter().flat_map(|option| {
            [Some(option.value.as_str()), Some(option.label.as_str()), option.description.as_deref()]
        });
        let url = if let Kind::External { url } = &field.kind { Some(url.as_str()) } else { None };
        let words = [field.title.as_deref(), field.description.as_deref(), url];
        words.into_iter().chain(options).flatten().any(is_deceptive_text)
    };
    is_deceptive_text(&asked.title) || asked.fields.iter().any(of_field)
}

/// What is logged of the answers to a question, each of them bounded.
pub(crate) fn bound_answers(settled: &mut Settled) {
    match settled {
        Settled::YouAnswered { answers } | Settled::AnsweredElsewhere { answers } => {
            for one in answers {
                clip(&mut one.question);
                clip(&mut one.answer);
            }
        }
        Settled::YouCancelled { reason } => reason.iter_mut().for_each(clip),
        _ => {}
    }
}

/// How a request for `action` ended, with what is said by Gavel in `language`, and without the words that agents are told
/// where the user gave none.
pub(super) fn settled_in(mut settled: Settled, action: &str, language: Language) -> Settled {
    match &mut settled {
        Settled::Grant { title } => *title = display::retitled(action, title, language),
        Settled::YouAnswered { answers } | Settled::AnsweredElsewhere { answers } => {
            for one in answers {
                one.answer = std::mem::take(&mut one.said).or_english(&one.answer, language);
            }
        }
        Settled::You { decision: Decision::Decline { reason } } | Settled::YouStopped { reason }
            if reason == Decision::DEFAULT_REASON =>
        {
            reason.clear();
        }
        _ => {}
    }
    settled
}

/// What is logged of an answer that is about to be sent, each part of it bounded.
pub(crate) fn bound_response(response: &mut Response) {
    match response {
        Response::Answer { answer } => {
            for given in answer.values_mut() {
                match given {
                    Given::Text(text) => clip(text),
                    Given::Several(items) => items.iter_mut().for_each(clip),
                    Given::Boolean(_) | Given::Number(_) => {}
                }
            }
        }
        Response::Cancel { reason } => reason.iter_mut().for_each(clip),
    }
}

/// A notification's words for a question.
pub(crate) fn question_notice(entry: &QuestionEntry, server: &Server, language: Language) -> gavel_notify::Notice {
    let asked = &entry.question;
    let mut remarks = Vec::new();
    if let QuestionPhase::Undelivered { why, .. } = &entry.phase {
        remarks.push(say!("Your answer was not delivered: {}", why.clone()).in_language(language));
    }
    if let Some(problem) = &entry.refused {
        remarks.push(say!("Your answer was not taken: {}", problem.said()).in_language(language));
    }
    let chain = asked.session.as_ref().map(|session| server.sessions.chain(session)).unwrap_or_default();
    if let Some(root) = chain.first() {
        let who = if chain.len() > 1 { term!(" (sub-agent)") } else { Template::default() };
        remarks.push(format!("{}{}", root.title, who.in_language(language)));
    }
    // What was not delivered is to be sent again, or thought over, in the window.
    let is_new = matches!(entry.phase, QuestionPhase::Waiting) && entry.refused.is_none();
    let choices: Vec<String> = if is_new {
        question::quick_in(asked, language).into_iter().map(|(label, _)| label).collect()
    } else {
        Vec::new()
    };
    gavel_notify::compose_question(
        asked.key.clone(),
        &gavel_notify::Query {
            headline: &question::headline_in(asked, language),
            project: &display::project_name(&asked.directory),
            remarks: &remarks,
            text: &question::full_text(asked),
            choices: &choices,
            urgent: matches!(entry.phase, QuestionPhase::Undelivered { .. }),
            language,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_of_the_web_are_opened() {
        for fine in ["https://example.com/terms?a=1#b", "http://127.0.0.1:8080", "https://пример.рф/"] {
            assert!(link(fine).is_some(), "{fine}");
        }
        for foul in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "mailto:a@b.cd",
            "data:text/html,x",
            "https://bank.example@evil.example",
            "https://user:word@example.com",
            "https://example.com/\u{202E}gpj",
            "https://example.com/\na",
            "example.com",
            "https://",
            "",
        ] {
            assert_eq!(link(foul), None, "{foul}");
        }
    }
}
