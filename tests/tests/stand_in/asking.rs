//! Questions of every kind: what is asked, what is taken, and what others do meanwhile.

use std::collections::BTreeMap;

use gavel_core::question::{Given, Said};
use gavel_core::text::Message;
use gavel_core::{Decision, Settled};
use gavel_notify::Button;
use gavel_runtime::Wish;
use gavel_runtime::api::{Answer, Call, Code, FieldKind, Problem, Question, QuestionPhase};
use gavel_stand_in::{Fault, StandIn};
use gavel_tests::asking::{answer, answered, only_question};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::eventually;
use serde_json::{Value, json};

use super::{PROJECT, both, say};

const WHICH: &str = "question Which colour?\n: header Colour\n: option Red\n: option Blue\nsay Thanks.";

const EVERYTHING: &str = r#"form Deploy
| {"key": "name", "type": "string", "title": "Service", "required": true, "pattern": "^[a-z]+$", "maxLength": 8}
| {"key": "mail", "type": "string", "format": "email"}
| {"key": "copies", "type": "integer", "minimum": 1, "maximum": 9, "default": 2}
| {"key": "budget", "type": "number", "minimum": 0}
| {"key": "public", "type": "boolean", "required": true}
| {"key": "domain", "type": "string", "format": "uri", "required": true, "when": [{"key": "public", "op": "eq", "value": true}]}
| {"key": "regions", "type": "multiselect", "minItems": 1, "maxItems": 2, "options": [{"value": "eu-1", "label": "Frankfurt"}, {"value": "us-1", "label": "Virginia"}, {"value": "ap-1", "label": "Singapore"}]}
| {"key": "origin", "type": "string", "hidden": true, "default": "gavel"}
| {"key": "terms", "type": "external", "url": "https://example.com/terms", "title": "Terms"}
say Deployed."#;

fn told(server: &StandIn, session: &str) -> String {
    server.told(session).concat()
}

async fn hears(server: &StandIn, session: &str, words: &str) {
    eventually(format!("the model to hear `{words}`"), DEADLINE, async || {
        let told = told(server, session);
        if told.contains(words) { Ok(()) } else { Err(told) }
    })
    .await;
}

/// What the route of a server's answers is.
fn reply_route(kind: &Kind) -> &'static str {
    match kind {
        Kind::StandInV2(_) => "POST /api/session/{id}/form/{form}/reply",
        _ => "POST /question/{id}/reply",
    }
}

fn problem(field: &str, message: &str) -> Problem {
    Problem { field: Some(field.to_owned()), message: format!("{message}: {field}") }
}

fn given(pairs: Value) -> BTreeMap<String, Given> {
    serde_json::from_value(pairs).unwrap()
}

async fn send(gavel: &Gavel, question: &Question, pairs: Value) -> Answer {
    let call = Call::AnswerQuestion { key: question.key.clone(), answer: given(pairs), edition: question.edition };
    gavel.call(call).await
}

/// Only 2.x has forms: every kind of field, checked before anything is sent, and conditions as they are answered.
#[tokio::test]
async fn every_kind_of_field_is_checked_before_it_is_sent() {
    let (server, gavel) = both(&Kind::StandInV2(Default::default())).await;
    let session = say(&server, PROJECT, EVERYTHING);
    let question = only_question(&gavel).await;
    assert_eq!((question.title.as_str(), question.answerable, question.passes_reason), ("Deploy", true, true));
    assert!(matches!(&question.fields[8].kind, FieldKind::External { opens: true, .. }), "{:?}", question.fields[8]);
    let mut wishes = gavel.handle.wishes();
    let open = |field: &str| Call::OpenLink { key: question.key.clone(), field: field.to_owned() };
    gavel.call(open("terms")).await;
    let wished = wishes.recv().await.unwrap();
    assert!(matches!(&wished, Wish::Open(url) if url.as_str() == "https://example.com/terms"), "{wished:?}");
    assert!(gavel.try_call(open("domain")).await.is_err(), "that is no link");
    let check = async |pairs: Value| {
        let call = Call::CheckAnswer { key: question.key.clone(), answer: given(pairs) };
        let Answer::Checked { problems, active } = gavel.call(call).await else { panic!("another answer") };
        (problems, active)
    };
    let (_, active) = check(json!({ "public": false })).await;
    assert!(!active.contains(&"domain".to_owned()), "{active:?}");
    let (_, active) = check(json!({ "public": true })).await;
    assert!(active.contains(&"domain".to_owned()), "{active:?}");

    let wrong = json!({ "name": "Api", "mail": "nobody", "copies": 1.5, "budget": -1, "public": true, "regions": [] });
    let problems = [
        problem("name", "Form field does not match pattern"),
        problem("mail", "Expected email for form field"),
        problem("copies", "Expected integer for form field"),
        problem("budget", "Form field is too small"),
        problem("domain", "Missing required form field"),
        problem("regions", "Too few selections for form field"),
        problem("terms", "External form field must be acknowledged"),
    ];
    let Answer::Checked { problems: found, .. } = send(&gavel, &question, wrong).await else { panic!("it was sent") };
    assert_eq!(found, problems);
    assert_eq!(only_question(&gavel).await.phase, QuestionPhase::Waiting, "nothing was sent");

    let right = json!({ "name": "api", "copies": 3, "public": false, "domain": "https://left.over", "regions": ["eu-1"], "terms": true });
    assert_eq!(send(&gavel, &question, right).await, Answer::Done);
    let said = [("Service", "api"), ("copies", "3"), ("public", "No"), ("regions", "Frankfurt"), ("Terms", "Done")];
    assert_eq!(gavel.settled(1).await, [answered(&said)]);
    gavel.questions(0).await;
    hears(&server, &session, "\"origin\":\"gavel\"").await;
    let sent: Value = serde_json::from_str(&told(&server, &session)).unwrap();
    let expected =
        json!({ "name": "api", "copies": 3, "public": false, "regions": ["eu-1"], "origin": "gavel", "terms": true });
    assert_eq!(sent, expected);
}

/// A pattern that may take for ever is the server's to judge: its refusal stands at the field, and nothing is lost.
#[tokio::test]
async fn what_the_server_refuses_stays_open() {
    let (server, gavel) = both(&Kind::StandInV2(Default::default())).await;
    let field = json!({ "key": "v", "type": "string", "pattern": "^v\\d(?!\\d)", "description": "Which version?" });
    let session = say(&server, PROJECT, &format!("form Release\n| {field}\nsay Out."));
    let question = only_question(&gavel).await;
    assert_eq!(send(&gavel, &question, json!({ "v": "v12" })).await, Answer::Done);
    let refused = problem("v", "Form field does not match pattern");
    let question = eventually("the refusal", DEADLINE, async || {
        let question = gavel.snapshot().questions[0].clone();
        if question.refused.is_some() { Ok(question) } else { Err(format!("{:?}", question.phase)) }
    })
    .await;
    assert_eq!((question.refused.clone(), question.phase.clone()), (Some(refused), QuestionPhase::Waiting));
    let told =
        |shown: &[gavel_notify::Notice]| shown.iter().any(|notice| notice.body.contains("not taken: Form field"));
    assert!(gavel.notifications.wait_for(DEADLINE, told).await, "{:?}", gavel.notifications.shown());
    send(&gavel, &question, json!({ "v": "v2" })).await;
    assert_eq!(gavel.settled(1).await, [answered(&[("Which version?", "v2")])]);
    gavel.questions(0).await;
    hears(&server, &session, "v2").await;
}

/// Of a cancelled question the agent of 2.x hears why and goes on; a form of no session is shown like any other.
#[tokio::test]
async fn forms_are_cancelled_with_a_reason_and_may_belong_to_no_session() {
    let (server, gavel) = both(&Kind::StandInV2(Default::default())).await;
    let session = say(&server, PROJECT, WHICH);
    let question = only_question(&gavel).await;
    gavel.call(Call::CancelQuestion { key: question.key, reason: Some(" Ask me tomorrow. ".into()) }).await;
    assert_eq!(gavel.settled(1).await, [Settled::YouCancelled { reason: Some("Ask me tomorrow.".into()) }]);
    hears(&server, &session, "Ask me tomorrow.").await;
    gavel.questions(0).await;

    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let raise = async |title: &str| {
        let fields = json!([{ "key": "sure", "type": "boolean", "description": "Update now?" }]);
        let route = format!("{}/api/session/global/form", server.url());
        let body = json!({ "title": title, "fields": fields });
        let raised = http.post(route).header("x-opencode-directory", PROJECT).json(&body).send().await.unwrap();
        assert!(raised.status().is_success(), "{raised:?}");
    };
    raise("Update").await;
    let question = only_question(&gavel).await;
    assert_eq!((question.chain.len(), question.headline.as_str()), (0, "Update now?"));
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert_eq!(gavel.notifications.shown()[0].choices, ["Yes", "No"]);
    assert!(gavel.notifications.click(&question.key, Button::First));
    assert_eq!(gavel.settled(2).await[1], answered(&[("Update now?", "Yes")]));
    gavel.questions(0).await;

    raise("Again").await;
    only_question(&gavel).await;
    let second = Gavel::in_a_hurry(&[server.url()]).await;
    let question = only_question(&second).await;
    second.call(Call::CancelQuestion { key: question.key, reason: None }).await;
    second.questions(0).await;
    gavel.questions(0).await;
    assert_eq!(gavel.settled(3).await[2], Settled::CancelledElsewhere);
}

pub async fn a_question_settled_elsewhere_while_it_is_typed_takes_the_draft_along(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let session = say(&server, PROJECT, WHICH);
    let question = only_question(&gavel).await;
    assert_eq!(question.passes_reason, matches!(kind, Kind::StandInV2(_)));
    gavel.call(Call::KeepDraft { key: question.key.clone(), draft: Some("{\"q0\":\"Mau".into()) }).await;
    eventually("the draft to be shown", DEADLINE, async || gavel.snapshot().questions[0].draft.is_some()).await;

    let other = Gavel::in_a_hurry(&[server.url()]).await;
    let same = only_question(&other).await;
    assert_eq!(same.draft, None, "what is typed here is nobody else's");
    answer(&other, &same, &[("q0", "Blue".into())]).await;
    gavel.questions(0).await;
    let said = vec![Said { question: "Which colour?".into(), answer: "Blue".into(), said: Message::default() }];
    assert_eq!(gavel.settled(1).await, [Settled::AnsweredElsewhere { answers: said }]);
    assert_eq!(serde_json::to_value(&*gavel.drafts.lock().unwrap()).unwrap(), json!([]));
    let late = Call::AnswerQuestion { key: question.key.clone(), answer: BTreeMap::new(), edition: question.edition };
    assert_eq!(gavel.try_call(late).await.unwrap_err().code, Code::QuestionGone);
    gavel.call(Call::KeepDraft { key: question.key, draft: Some("late".into()) }).await;
    assert_eq!(serde_json::to_value(&*gavel.drafts.lock().unwrap()).unwrap(), json!([]));
    hears(&server, &session, "Blue").await;
}

pub async fn what_is_half_typed_outlives_gavel(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, WHICH);
    let question = only_question(&gavel).await;
    let draft = Some("{\"q0\":\"Mauv".to_owned());
    gavel.call(Call::KeepDraft { key: question.key.clone(), draft: draft.clone() }).await;
    let too_long = Call::KeepDraft { key: question.key.clone(), draft: Some("x".repeat(70_000)) };
    assert!(gavel.try_call(too_long).await.is_err());
    gavel.handle.shut_down().await;
    let kept = gavel.drafts.lock().unwrap().clone();

    let options = Options { servers: vec![server.url()], tuning: hurry(), drafts: kept, ..Options::default() };
    let again = Gavel::start(options).await;
    let question = only_question(&again).await;
    assert_eq!(question.draft, draft);
    again.call(Call::KeepDraft { key: question.key.clone(), draft: None }).await;
    eventually("the draft to go", DEADLINE, async || again.snapshot().questions[0].draft.is_none()).await;
    answer(&again, &question, &[("q0", "Mauve".into())]).await;
    assert_eq!(again.settled(1).await, [answered(&[("Which colour?", "Mauve")])]);
    again.questions(0).await;
}

pub async fn what_is_settled_while_gavel_is_away_is_on_record(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell touch ghp_abcdefghijklmnopqrstuvwxyz0123456789");
    say(&server, PROJECT, WHICH);
    say(&server, PROJECT, "shell touch stays");
    gavel.inbox(2).await;
    gavel.questions(1).await;
    gavel.handle.shut_down().await;
    let kept = gavel.away.lock().unwrap().clone();
    assert!(!serde_json::to_string(&kept).unwrap().contains("ghp_"), "it lies on the disk as the log does");

    let other = Gavel::in_a_hurry(&[server.url()]).await;
    let secret = other.inbox(2).await.into_iter().find(|request| request.headline.contains("ghp_")).unwrap();
    other.decide(&secret, Decision::AllowOnce).await;
    answer(&other, &only_question(&other).await, &[("q0", "Blue".into())]).await;
    other.settled(2).await;
    let options = Options { servers: vec![server.url()], tuning: hurry(), away: kept, ..Options::default() };
    let again = Gavel::start(options).await;
    assert_eq!(again.settled(2).await, [Settled::WhileAway, Settled::WhileAway]);
    again.inbox(1).await;
    eventually("what is kept to be brought up to date", DEADLINE, async || {
        serde_json::to_value(&*again.away.lock().unwrap()).unwrap().as_array().unwrap().len() == 1
    })
    .await;
}

pub async fn an_answer_that_does_not_arrive_can_be_sent_again(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let session = say(&server, PROJECT, WHICH);
    let question = only_question(&gavel).await;
    server.fault(reply_route(&kind), Fault::Status(500));
    answer(&gavel, &question, &[("q0", "Red".into())]).await;
    let phase = || gavel.snapshot().questions[0].phase.clone();
    let undelivered = async || matches!(phase(), QuestionPhase::Undelivered { .. });
    eventually("an undelivered answer", DEADLINE, undelivered).await;
    let urgent = |shown: &[gavel_notify::Notice]| shown.iter().any(|notice| notice.urgent && notice.choices.is_empty());
    assert!(gavel.notifications.wait_for(DEADLINE, urgent).await);
    server.heal();
    gavel.call(Call::Retry { key: question.key }).await;
    gavel.questions(0).await;
    hears(&server, &session, "Red").await;

    // An answer whose receipt is lost was given all the same.
    let (server, gavel) = both(&kind).await;
    let session = say(&server, PROJECT, WHICH);
    let question = only_question(&gavel).await;
    server.fault(reply_route(&kind), Fault::Lost);
    answer(&gavel, &question, &[("q0", "Blue".into())]).await;
    gavel.questions(0).await;
    hears(&server, &session, "Blue").await;
    assert_eq!(gavel.settled(1).await, [answered(&[("Which colour?", "Blue")])]);
}

pub async fn labels_that_would_deceive_are_made_visible(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let session =
        say(&server, PROJECT, "question Go\u{202E}?\n: header H\n: option Yes\u{200B}\n: option No\nsay Well.");
    let question = only_question(&gavel).await;
    assert!(question.deceptive);
    assert_eq!(question.headline, "Go⟨U+202E⟩?");
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    let notice = gavel.notifications.shown().remove(0);
    assert_eq!(notice.choices, ["Yes⟨U+200B⟩", "No"]);
    assert!(!format!("{notice:?}").contains(['\u{202E}', '\u{200B}']));
    assert!(gavel.notifications.click(&question.key, Button::First));
    // What is sent is what the server offered.
    hears(&server, &session, "Yes\u{200B}").await;
    gavel.questions(0).await;
}
