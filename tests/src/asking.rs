//! What must hold of questions on every server: from the agent's question to what its model hears.
//!
//! As with `scenarios`, they are written once, and played on a real server and on the stand-in in both dialects.

use std::collections::BTreeMap;

use gavel_core::Settled;
use gavel_core::question::{Given, Said};
use gavel_core::text::Message;
use gavel_notify::Button;
use gavel_runtime::api::{Answer, Call, Question};

use crate::gavel::{DEADLINE, Gavel};
use crate::host::{Host, Inquiry, Kind, Play};
use crate::wait::eventually;

/// Makes a test of every scenario about questions; as `play_scenarios`.
#[macro_export]
macro_rules! play_questions {
    (@ [on every $kinds:expr] $($scenario:ident)*) => {
        $(#[tokio::test]
        async fn $scenario() {
            $crate::scenarios::on_every($kinds, $crate::asking::$scenario).await;
        })*
    };
    (@ [on $kind:expr] $($scenario:ident)*) => {
        $(#[tokio::test]
        async fn $scenario() {
            $crate::asking::$scenario($kind).await;
        })*
    };
    ($($how:tt)*) => {
        $crate::play_questions!(@ [$($how)*]
            questions_are_answered_and_the_model_hears_it
            a_question_is_cancelled_or_answered_elsewhere
            a_question_of_an_aborted_run_is_no_ghost
        );
    };
}

async fn both(kind: &Kind) -> (Host, Gavel) {
    let host = Host::start(kind).await;
    let gavel = Gavel::watching(&[&host.url()]).await;
    gavel.in_sync(&host.url()).await;
    (host, gavel)
}

/// Waits for the only question there is.
pub async fn only_question(gavel: &Gavel) -> Question {
    gavel.questions(1).await.remove(0)
}

/// Answers a question with these texts and lists of texts.
pub async fn answer(gavel: &Gavel, question: &Question, given: &[(&str, Given)]) -> Answer {
    let answer: BTreeMap<String, Given> = given.iter().map(|(key, given)| ((*key).to_owned(), given.clone())).collect();
    gavel.call(Call::AnswerQuestion { key: question.key.clone(), answer, edition: question.edition }).await
}

/// That these words were the answer, and ours.
pub fn answered(answers: &[(&str, &str)]) -> Settled {
    let said = |(question, answer): &(&str, &str)| Said {
        question: (*question).into(),
        answer: (*answer).into(),
        said: Message::default(),
    };
    Settled::YouAnswered { answers: answers.iter().map(said).collect() }
}

async fn hears(host: &Host, session: &str, marker: &str, words: &[&str]) {
    eventually(format!("the model to hear {words:?}"), DEADLINE, async || {
        let told = host.told(session, marker);
        if words.iter().all(|word| told.contains(word)) { Ok(()) } else { Err(told) }
    })
    .await;
}

/// One of three options by a button of the notification; then three questions at once, with a free answer among them,
/// one of several answers and one that is skipped.
pub async fn questions_are_answered_and_the_model_hears_it(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let colour = Inquiry::single("Which colour?", &["Red", "Green", "Blue"]);
    let session = host.play(0, Play::new().ask(&[colour]).say("thanks")).await;
    let question = only_question(&gavel).await;
    assert_eq!((question.headline.as_str(), question.project.as_str()), ("Which colour?", "alpha"));
    assert_eq!(question.fields.len(), 1);
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    let notice = gavel.notifications.shown().remove(0);
    assert_eq!(notice.choices, ["Red", "Green", "Blue"]);
    assert!(gavel.notifications.click(&question.key, Button::Second));
    assert_eq!(gavel.settled(1).await, [answered(&[("Which colour?", "Green")])]);
    gavel.questions(0).await;
    hears(&host, &session, "Which colour?", &["Green"]).await;
    assert!(gavel.notifications.wait_for(DEADLINE, <[_]>::is_empty).await);
    host.idle(0, &session).await;

    let three = [
        Inquiry::single("Where to?", &["File", "Server"]),
        Inquiry::multiple("Which parts?", &["Login", "Search", "Export"]),
        Inquiry::single("Begin now?", &["Yes", "No"]),
    ];
    let session = host.play(0, Play::new().ask(&three).say("thanks")).await;
    let question = only_question(&gavel).await;
    assert_eq!(question.headline, "Where to? (and 2 more questions)");
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert_eq!(gavel.notifications.shown()[0].buttons, [Button::Answer]);
    let parts = Given::Several(vec!["Login".into(), "Export".into()]);
    let done = answer(&gavel, &question, &[("q0", "Into the cloud".into()), ("q1", parts)]).await;
    assert_eq!(done, Answer::Done);
    let told = answered(&[("Where to?", "Into the cloud"), ("Which parts?", "Login, Export")]);
    assert_eq!(gavel.settled(2).await[1], told);
    gavel.questions(0).await;
    hears(&host, &session, "Where to?", &["Into the cloud", "Login, Export", "Unanswered"]).await;
    host.idle(0, &session).await;
}

/// A cancelled question ends the run unless its agent can be told why; one that somebody else answered is so called.
pub async fn a_question_is_cancelled_or_answered_elsewhere(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let ask = |text: &str| Play::new().ask(&[Inquiry::single(text, &["So", "Otherwise"])]).say("well");
    let session = host.play(0, ask("Why?")).await;
    let question = only_question(&gavel).await;
    gavel.call(Call::CancelQuestion { key: question.key.clone(), reason: None }).await;
    assert_eq!(gavel.settled(1).await, [Settled::YouCancelled { reason: None }]);
    gavel.questions(0).await;
    host.idle(0, &session).await;
    assert_eq!(host.told(&session, "Why?"), "", "the model is not called again");

    let session = host.play(0, ask("How?")).await;
    let question = only_question(&gavel).await;
    host.answer(0, &session, question.key.request.as_str(), "So").await;
    gavel.questions(0).await;
    let said = vec![Said { question: "How?".into(), answer: "So".into(), said: Message::default() }];
    assert_eq!(gavel.settled(2).await[1], Settled::AnsweredElsewhere { answers: said });
    hears(&host, &session, "How?", &["So"]).await;
    // It comes too late, and changes nothing.
    let late = Call::AnswerQuestion { key: question.key, answer: BTreeMap::new(), edition: question.edition };
    assert!(gavel.try_call(late).await.is_err());
    host.idle(0, &session).await;
}

/// An abort takes its questions along, and a Gavel that begins later is not fooled by what the server still lists.
pub async fn a_question_of_an_aborted_run_is_no_ghost(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let ask = |text: &str| Play::new().ask(&[Inquiry::single(text, &["So", "Otherwise"])]).say("well");
    let session = host.play(0, ask("Gone?")).await;
    only_question(&gavel).await;
    host.abort(0, &session).await;
    gavel.questions(0).await;
    let settled = gavel.settled(1).await.remove(0);
    // A 2.x server cancels the form before it says that the run has ended.
    assert!(matches!(settled, Settled::RunEnded | Settled::CancelledElsewhere), "{settled:?}");
    host.idle(0, &session).await;

    host.go_on(0, &session, ask("Here?")).await;
    assert_eq!(only_question(&gavel).await.headline, "Here?");
    let second = Gavel::watching(&[&host.url()]).await;
    let question = only_question(&second).await;
    assert_eq!((question.headline.as_str(), question.chain.len()), ("Here?", 1), "what was pending before is listed");
    answer(&second, &question, &[("q0", "So".into())]).await;
    second.questions(0).await;
    gavel.questions(0).await;
    hears(&host, &session, "Here?", &["So"]).await;
}
