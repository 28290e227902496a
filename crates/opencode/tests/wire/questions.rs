//! Questions: as they are heard, as they are listed, what is sent for an answer, and what is made of the server's word.

use gavel_core::flow::{Ending, Outcome, WireEvent};
use gavel_core::question::{Answer as Given, Kind, Problem, Question, Response};
use gavel_core::{Moment, Route, ServerId};
use gavel_opencode::Dialect;
use gavel_opencode::dialect::Said;
use serde_json::{Value, json};

use crate::support::{Answer, Fake, Watched, done, message, not_found, session, tagged};

fn hear(dialect: Dialect, kind: &str, body: Value) -> Said {
    let frame = match dialect {
        Dialect::V1 => json!({ "directory": "/p", "payload": { "type": kind, "properties": body } }),
        Dialect::V2 => json!({ "type": kind, "location": { "directory": "/p" }, "data": body }),
    };
    dialect.decode(&frame.to_string(), Moment(1_796_026_500_000), &ServerId::from("http://s")).said
}

fn asked(dialect: Dialect, kind: &str, body: Value) -> Question {
    let said = hear(dialect, kind, body);
    let Said::Event(WireEvent::QuestionAsked(question)) = said else { panic!("{said:?}") };
    *question
}

fn inquiry(id: &str) -> Value {
    json!({
        "id": id, "sessionID": "ses_1", "tool": { "messageID": "msg_1", "callID": "call_1" },
        "questions": [
            { "question": "Which?", "header": "Colour", "custom": false,
              "options": [{ "label": "Red", "description": "A red one" }, { "label": "Blue" }] },
            { "question": "And?", "header": "Parts", "multiple": true, "options": [{ "label": "A" }] },
        ],
    })
}

fn form(fields: Value) -> Value {
    json!({ "form": { "id": "frm_1", "sessionID": "ses_1", "title": "Deploy", "fields": fields,
        "metadata": { "kind": "question", "tool": { "messageID": "msg_1", "id": "call_1" } } } })
}

#[test]
fn questions_of_1_x_are_forms_that_always_take_another_answer() {
    for (kind, route) in [("question.asked", Route::V1), ("question.v2.asked", Route::Preview)] {
        let question = asked(Dialect::V1, kind, inquiry("que_22b6122ff001Gr1iNIzWvsSqP9"));
        assert_eq!((question.route, question.directory.as_str()), (route, "/p"));
        assert_eq!(question.asked, Some(Moment(1_796_024_115_967)));
        assert_eq!(question.call.as_ref().map(|call| call.call.as_str()), Some("call_1"));
        let keys: Vec<&str> = question.fields.iter().map(|field| field.key.as_str()).collect();
        assert_eq!(keys, ["q0", "q1"]);
        assert!(
            matches!(&question.fields[0].kind, Kind::Text { custom: true, options: Some(options), .. } if options.len() == 2)
        );
        assert!(matches!(&question.fields[1].kind, Kind::Multiselect { custom: true, .. }));
        assert_eq!(question.fields[0].options()[0].description.as_deref(), Some("A red one"));
    }
    let bare = json!({ "id": "que_1", "sessionID": "ses_1", "questions": [{ "question": "Why?" }] });
    assert!(matches!(&asked(Dialect::V1, "question.asked", bare).fields[0].kind, Kind::Text { options: None, .. }));
}

#[test]
fn ends_are_heard_with_what_they_say() {
    let ended = |dialect, kind: &str, body| {
        let said = hear(dialect, kind, body);
        let Said::Event(WireEvent::QuestionEnded { request, ending }) = said else { panic!("{kind}: {said:?}") };
        (request.0, ending)
    };
    let answered = |answer: Value| Ending::Answered(Some(serde_json::from_value(answer).unwrap()));
    for kind in ["question.replied", "question.v2.replied"] {
        let body = json!({ "sessionID": "s", "requestID": "que_1", "answers": [["Red"], [], ["A", "B"]] });
        let expected = answered(json!({ "q0": "Red", "q2": ["A", "B"] }));
        assert_eq!(ended(Dialect::V1, kind, body), ("que_1".into(), expected));
        assert_eq!(ended(Dialect::V1, kind, json!({ "requestID": "que_1" })).1, Ending::Answered(None));
    }
    for kind in ["question.rejected", "question.v2.rejected"] {
        assert_eq!(ended(Dialect::V1, kind, json!({ "requestID": "que_1" })), ("que_1".into(), Ending::Cancelled));
    }
    let body = json!({ "id": "frm_1", "sessionID": "s", "answer": { "a": true, "n": 1.5, "s": ["x"], "t": "y" } });
    let expected = answered(json!({ "a": true, "n": 1.5, "s": ["x"], "t": "y" }));
    assert_eq!(ended(Dialect::V2, "form.replied", body), ("frm_1".into(), expected));
    assert_eq!(ended(Dialect::V2, "form.cancelled", json!({ "id": "frm_1" })).1, Ending::Cancelled);
}

#[test]
fn what_is_not_understood_is_shown_whole_and_costs_nothing_else() {
    let known = json!({ "key": "ok", "type": "boolean", "required": true });
    for strange in [
        json!({ "key": "x", "type": "drawing", "title": "Sketch", "required": true }),
        json!({ "key": "x", "type": "multiselect", "required": true }),
        json!({ "key": "x", "type": "string", "format": "phone", "required": true }),
        json!({ "key": "x", "type": "string", "options": [{ "label": "no value" }], "required": true }),
        json!({ "key": "x", "type": "external", "required": true }),
        json!({ "key": "x", "type": "string", "when": [{ "key": "ok", "op": "gt", "value": 1 }], "required": true }),
        json!({ "type": "string" }),
        json!("x"),
    ] {
        let question = asked(Dialect::V2, "form.created", form(json!([known, strange])));
        assert_eq!(question.fields[0].kind, Kind::Boolean, "{strange}");
        let Kind::Unknown { raw, .. } = &question.fields[1].kind else { panic!("{strange}") };
        assert_eq!((raw, question.is_answerable()), (&strange, false));
    }
    let may_be_skipped = json!([known, { "key": "x", "type": "drawing" }]);
    assert!(asked(Dialect::V2, "form.created", form(may_be_skipped)).is_answerable());
    // Early betas had forms of another shape.
    for none in [json!([]), json!(null), json!("x")] {
        let question = asked(Dialect::V2, "form.created", form(none));
        assert!(matches!(&question.fields[..], [field] if matches!(field.kind, Kind::Unknown { .. })));
        assert!(!question.is_answerable());
    }
    for lacking in [json!({ "form": { "id": "frm_1" } }), json!({ "form": { "sessionID": "s" } }), json!({}), json!(7)]
    {
        assert_eq!(hear(Dialect::V2, "form.created", lacking), Said::Unreadable);
    }
    let global = json!({ "form": { "id": "frm_1", "sessionID": "global", "title": "T", "fields": [known] } });
    assert_eq!(asked(Dialect::V2, "form.created", global).session, None);
}

/// A server of 1.x with one session in `/p`, which runs and has a question.
async fn asking() -> Fake {
    let fake = Fake::start().await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let mut recent = session("ses_1", None);
    recent["time"] = json!({ "created": 1, "updated": now });
    fake.on("GET /experimental/session", Answer::Json(200, json!([recent])));
    fake.on("GET /question?directory=%2Fp", Answer::Json(200, json!([inquiry("que_1")])));
    fake.on("GET /session/status", Answer::Json(200, json!({ "ses_1": { "type": "busy" } })));
    fake.on("GET /session/ses_1", Answer::Json(200, session("ses_1", None)));
    fake.on("GET /session/ses_1/message/msg_1", Answer::Json(200, message("running")));
    fake
}

/// The questions that are told to be alive, and those of deleted sessions.
async fn listed(fake: &Fake, route: Route) -> (Vec<String>, Vec<String>) {
    let mut watched = Watched::new(&fake.url);
    let ids = |questions: Vec<Question>| questions.into_iter().map(|question| question.key.request.0).collect();
    let found = watched
        .said("a listing", |event| match event {
            WireEvent::QuestionsListed { scope, questions, orphans, .. } if scope.route == route => {
                assert_eq!(scope.directory, "/p");
                Some((ids(questions), ids(orphans)))
            }
            _ => None,
        })
        .await;
    watched.connection.close().await;
    found
}

#[tokio::test]
async fn ghosts_are_left_out_and_orphans_told_apart() {
    let alive = (vec!["que_1".to_owned()], vec![]);
    assert_eq!(listed(&asking().await, Route::V1).await, alive);
    let none = (vec![], vec![]);
    let cases = [
        ("GET /session/status", Answer::Json(200, json!({})), none.clone()),
        ("GET /session/ses_1/message/msg_1", Answer::Json(200, message("error")), none.clone()),
        ("GET /session/ses_1/message/msg_1", Answer::Json(200, message("completed")), none),
        ("GET /session/ses_1", not_found("ses_1"), (vec![], vec!["que_1".to_owned()])),
        // A check that fails is no reason to hide it.
        ("GET /session/status", Answer::Json(500, json!({})), alive.clone()),
        ("GET /session/ses_1/message/msg_1", Answer::Page(200), alive.clone()),
    ];
    for (line, answer, expected) in cases {
        let fake = asking().await;
        fake.on(line, answer.clone());
        assert_eq!(listed(&fake, Route::V1).await, expected, "{line}: {answer:?}");
    }
}

#[tokio::test]
async fn the_preview_and_2_x_list_on_routes_of_their_own() {
    let fake = asking().await;
    fake.on("GET /api/permission/request", Answer::Json(200, json!({ "data": [] })));
    fake.on("GET /api/question/request", Answer::Json(200, json!({ "data": [inquiry("que_2")] })));
    assert_eq!(listed(&fake, Route::Preview).await.0, ["que_2"]);

    let fake = Fake::start_v2().await;
    let found = json!({ "id": "ses_1", "title": "T", "location": { "directory": "/p" }, "time": { "created": 1, "updated": 9e15 } });
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": [found], "cursor": { "next": null } })));
    fake.on("GET /api/session/ses_1", Answer::Json(200, json!({ "data": found })));
    let mut global = form(json!([{ "key": "a", "type": "boolean" }]))["form"].clone();
    global["sessionID"] = json!("global");
    fake.on("GET /api/form", Answer::Json(200, json!({ "location": { "directory": "/p" }, "data": [global] })));
    assert_eq!(listed(&fake, Route::V2).await.0, ["frm_1"]);
}

fn answer(pairs: Value) -> Response {
    Response::Answer { answer: serde_json::from_value::<Given>(pairs).unwrap() }
}

async fn send(fake: &Fake, mut question: Question, route: Route, response: &Response) -> Outcome {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    (question.route, question.directory) = (route, "/p".into());
    let outcome = watched.connection.answer(&question, response).await;
    watched.connection.close().await;
    outcome
}

async fn send_v1(fake: &Fake, route: Route, response: &Response) -> Outcome {
    send(fake, asked(Dialect::V1, "question.asked", inquiry("que_1")), route, response).await
}

async fn send_v2(fake: &Fake, response: &Response) -> Outcome {
    let fields = json!([{ "key": "a", "type": "string" }, { "key": "ba", "type": "integer" }]);
    send(fake, asked(Dialect::V2, "form.created", form(fields)), Route::V2, response).await
}

#[tokio::test]
async fn answers_of_1_x_are_texts_for_each_question() {
    const REPLY: &str = "POST /question/que_1/reply";
    let fake = asking().await;
    fake.on(REPLY, Answer::Json(200, json!(true)));
    fake.on("POST /question/que_1/reject", Answer::Json(200, json!(true)));
    assert_eq!(send_v1(&fake, Route::V1, &answer(json!({ "q0": "Mauve", "q1": ["A"] }))).await, Outcome::Accepted);
    assert_eq!(send_v1(&fake, Route::V1, &answer(json!({ "q1": ["A", "B"] }))).await, Outcome::Accepted);
    let seen = fake.seen(REPLY);
    assert_eq!(seen[0].line, format!("{REPLY}?directory=%2Fp"));
    assert_eq!(seen[0].body, json!({ "answers": [["Mauve"], ["A"]] }));
    assert_eq!(seen[1].body, json!({ "answers": [[], ["A", "B"]] }));
    let cancel = Response::Cancel { reason: Some("later".into()) };
    assert_eq!(send_v1(&fake, Route::V1, &cancel).await, Outcome::Accepted);

    fake.on(REPLY, tagged(404, "QuestionNotFoundError"));
    assert_eq!(send_v1(&fake, Route::V1, &answer(json!({}))).await, Outcome::Lost);
    for fault in
        [Answer::Page(200), Answer::Json(500, json!({})), Answer::Json(200, json!(false)), Answer::Json(404, json!({}))]
    {
        fake.on(REPLY, fault.clone());
        let outcome = send_v1(&fake, Route::V1, &answer(json!({}))).await;
        assert!(matches!(outcome, Outcome::Failed { .. }), "{fault:?}: {outcome:?}");
    }

    const PREVIEW: &str = "POST /api/session/ses_1/question/que_1";
    fake.on(&format!("{PREVIEW}/reply"), done());
    fake.on(&format!("{PREVIEW}/reject"), done());
    assert_eq!(send_v1(&fake, Route::Preview, &answer(json!({ "q0": "Red" }))).await, Outcome::Accepted);
    assert_eq!(fake.seen(PREVIEW)[0].body, json!({ "answers": [["Red"], []] }));
    assert_eq!(send_v1(&fake, Route::Preview, &Response::Cancel { reason: None }).await, Outcome::Accepted);
}

#[tokio::test]
async fn a_question_of_a_deleted_session_is_only_ever_dismissed() {
    let fake = asking().await;
    fake.on("GET /session/ses_1", not_found("ses_1"));
    fake.on("POST /question/que_1/reject", Answer::Json(200, json!(true)));
    assert_eq!(send_v1(&fake, Route::V1, &answer(json!({ "q0": "Red" }))).await, Outcome::RunGone);
    assert!(fake.seen("POST /question/que_1/reply").is_empty());
    assert_eq!(fake.seen("POST /question/que_1/reject").len(), 1);
}

#[tokio::test]
async fn releases_that_take_every_answer_are_asked_first() {
    let fake = asking().await;
    fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.14.41" })));
    fake.on("POST /question/que_1/reply", Answer::Json(200, json!(true)));
    assert_eq!(send_v1(&fake, Route::V1, &answer(json!({}))).await, Outcome::Accepted);
    fake.on("GET /question?directory=%2Fp", Answer::Json(200, json!([])));
    assert_eq!(send_v1(&fake, Route::V1, &answer(json!({}))).await, Outcome::Lost);
    assert_eq!(fake.seen("POST /question/que_1/reply").len(), 1);
}

#[tokio::test]
async fn answers_of_2_x_are_values_and_refusals_name_their_field() {
    const REPLY: &str = "POST /api/session/ses_1/form/frm_1/reply";
    let fake = Fake::start_v2().await;
    fake.on(REPLY, done());
    assert_eq!(send_v2(&fake, &answer(json!({ "a": "x", "ba": 3 }))).await, Outcome::Accepted);
    assert_eq!(fake.seen(REPLY)[0].body, json!({ "answer": { "a": "x", "ba": 3 } }));
    for (message, field) in [
        ("Expected integer for form field: ba", "ba"),
        ("Form field is too short: a", "a"),
        ("Unknown form field: gone", ""),
        ("Something else", ""),
    ] {
        let refusal = json!({ "_tag": "FormInvalidAnswerError", "id": "frm_1", "message": message });
        fake.on(REPLY, Answer::Json(400, refusal));
        let problem = Problem { field: field.into(), message: message.into() };
        assert_eq!(send_v2(&fake, &answer(json!({}))).await, Outcome::Refused(problem));
    }
    let cases = [
        (tagged(404, "FormNotFoundError"), Outcome::Lost),
        (tagged(409, "FormAlreadySettledError"), Outcome::Lost),
        (tagged(404, "SessionNotFoundError"), Outcome::RunGone),
    ];
    for (said, outcome) in cases {
        fake.on(REPLY, said.clone());
        assert_eq!(send_v2(&fake, &answer(json!({}))).await, outcome, "{said:?}");
    }
    for fault in [Answer::Page(200), tagged(400, "InvalidRequestError"), tagged(500, "UnknownError")] {
        fake.on(REPLY, fault.clone());
        assert!(matches!(send_v2(&fake, &answer(json!({}))).await, Outcome::Failed { .. }), "{fault:?}");
    }

    let global = json!({ "form": { "id": "frm_1", "sessionID": "global", "title": "T", "fields": [] } });
    fake.on("POST /api/session/global/form/frm_1/reply", done());
    let question = asked(Dialect::V2, "form.created", global);
    assert_eq!(send(&fake, question, Route::V2, &answer(json!({}))).await, Outcome::Accepted);
}

#[tokio::test]
async fn forms_are_cancelled_the_way_the_server_has() {
    const NEWER: &str = "DELETE /api/session/ses_1/form/frm_1";
    const OLDER: &str = "POST /api/session/ses_1/form/frm_1/cancel";
    let cancel = Response::Cancel { reason: Some("not now".into()) };
    let fake = Fake::start_v2().await;
    fake.on(NEWER, done());
    assert_eq!(send_v2(&fake, &cancel).await, Outcome::Accepted);
    assert_eq!(fake.seen(NEWER)[0].line, format!("{NEWER}?message=not%20now"));
    for (status, tag) in [(404, "FormNotFoundError"), (409, "FormAlreadySettledError"), (404, "SessionNotFoundError")] {
        fake.on(NEWER, tagged(status, tag));
        assert_eq!(send_v2(&fake, &cancel).await, Outcome::Lost, "{tag}");
    }
    fake.on(NEWER, tagged(500, "UnknownError"));
    assert!(matches!(send_v2(&fake, &cancel).await, Outcome::Failed { .. }), "it did not happen");
    assert!(fake.seen(OLDER).is_empty());
    for missing in [Answer::Page(200), Answer::Json(404, json!({})), Answer::Json(405, json!({}))] {
        let fake = Fake::start_v2().await;
        fake.on(NEWER, missing.clone());
        fake.on(OLDER, done());
        assert_eq!(send_v2(&fake, &cancel).await, Outcome::Accepted, "{missing:?}");
    }
    assert!(matches!(send_v2(&Fake::start_v2().await, &cancel).await, Outcome::Failed { .. }));
}
