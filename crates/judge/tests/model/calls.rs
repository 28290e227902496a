//! What is sent, and when it is sent at all.

use std::sync::Arc;
use std::time::Duration;

use gavel_core::{Detail, Recommendation, Source};
use gavel_judge::model::{Access, Backend, Brief, Endpoint, Headers, Judge, Kind, Options};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::wire::{DEADLINE, Fake, KEY, Reply, ask, ask_of, brief, decision, said, until};

const KINDS: [Kind; 2] = [Kind::OpenAi, Kind::Anthropic];

fn yes(kind: Kind) -> Reply {
    Reply::json(200, &said(kind, &decision("allow", "fits")))
}

#[tokio::test]
async fn requests_are_as_the_apis_want_them() {
    let server = Fake::start(|_| yes(Kind::OpenAi)).await;
    let _ = ask(&server.backend(Kind::OpenAi), "npm test", &Options::default()).await;
    let seen = server.seen().remove(0);
    assert_eq!(seen.path, "/v1/chat/completions");
    assert_eq!(seen.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    let names: Vec<&String> = seen.body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["model", "messages", "max_tokens", "temperature"]);
    assert_eq!(
        (&seen.body["model"], &seen.body["max_tokens"], &seen.body["temperature"]),
        (&json!("judge-1"), &json!(16_000), &json!(0))
    );
    assert_eq!(seen.body["messages"][0]["role"], "system");
    assert_eq!(seen.body["messages"][1]["role"], "user");
    assert!(seen.body["messages"][1]["content"].as_str().unwrap().starts_with("<user_request>\nRun the tests\n"));
    assert_eq!(seen.body["messages"].as_array().unwrap().len(), 2);

    let server = Fake::start(|_| yes(Kind::Anthropic)).await;
    let options = Options { max_decision_tokens: 99, ..Options::default() };
    let _ = ask(&server.backend(Kind::Anthropic), "npm test", &options).await;
    let seen = server.seen().remove(0);
    assert_eq!(seen.path, "/v1/messages");
    assert_eq!((seen.header("x-api-key"), seen.header("authorization")), (Some(KEY), None));
    assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
    let names: Vec<&String> = seen.body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["model", "max_tokens", "system", "messages", "temperature"]);
    assert_eq!(seen.body["max_tokens"], 99);
    assert_eq!(seen.body["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn addresses_with_and_without_their_last_parts() {
    let cases = [
        (Kind::OpenAi, "/v1", "/v1/chat/completions"),
        (Kind::OpenAi, "/v1/", "/v1/chat/completions"),
        (Kind::OpenAi, "/openai/v1", "/openai/v1/chat/completions"),
        (Kind::OpenAi, "", "/chat/completions"),
        (Kind::OpenAi, "/x/chat/completions", "/x/chat/completions"),
        (Kind::Anthropic, "", "/v1/messages"),
        (Kind::Anthropic, "/", "/v1/messages"),
        (Kind::Anthropic, "/v1", "/v1/messages"),
        (Kind::Anthropic, "/anthropic", "/anthropic/v1/messages"),
        (Kind::Anthropic, "/anthropic/v1/messages", "/anthropic/v1/messages"),
    ];
    for (kind, base, path) in cases {
        let server = Fake::start(move |_| yes(kind)).await;
        let endpoint = Endpoint { base_url: format!("{}{base}", server.url), ..server.endpoint(kind) };
        let judged = ask(&Backend::Http(endpoint), "ls", &Options::default()).await;
        assert_eq!(judged.verdict.recommendation, Recommendation::Allow, "{base}: {judged:?}");
        assert_eq!(server.seen()[0].path, path, "{base}");
    }
}

#[tokio::test]
async fn headers_are_passed_through_and_win() {
    for kind in KINDS {
        let server = Fake::start(move |_| yes(kind)).await;
        let pairs = [("x-litellm-api-key", "lite"), ("Authorization", "Custom abc"), ("X-Api-Key", "own")];
        let headers = Headers::new(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec());
        let _ = ask(&Backend::Http(Endpoint { headers, ..server.endpoint(kind) }), "ls", &Options::default()).await;
        let seen = server.seen().remove(0);
        assert_eq!(seen.header("x-litellm-api-key"), Some("lite"));
        assert_eq!(seen.header("authorization"), Some("Custom abc"));
        assert_eq!(seen.header("x-api-key"), Some("own"));
        assert!(!seen.headers.iter().any(|(_, value)| value.contains(KEY)), "{seen:?}");
    }
    let server = Fake::start(|_| yes(Kind::OpenAi)).await;
    let open = Endpoint { access: Access::Open, ..server.endpoint(Kind::OpenAi) };
    let _ = ask(&Backend::Http(open), "ls", &Options::default()).await;
    assert_eq!(server.seen()[0].header("authorization"), None);
}

/// What a model that thinks first says about the usual parameters.
fn fussy(body: &Value) -> Reply {
    let complain =
        |text: &str| Reply::json(400, &json!({ "error": { "message": text, "code": "unsupported_parameter" } }));
    if body.get("max_tokens").is_some() {
        complain("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    } else if body.get("temperature").is_some() {
        complain("Unsupported value: 'temperature' does not support 0 with this model.")
    } else {
        yes(Kind::OpenAi)
    }
}

#[tokio::test]
async fn models_that_refuse_the_usual_parameters_are_asked_otherwise_and_remembered() {
    let server = Fake::start(|seen| fussy(&seen.body)).await;
    let (judge, backend, options) = (Judge::new(), server.backend(Kind::OpenAi), Options::default());
    let judged = ask_of(&judge, &backend, "one", &options).await;
    assert_eq!(judged.verdict.recommendation, Recommendation::Allow, "{judged:?}");
    let statuses: Vec<Option<u16>> = judged.exchange.rounds.iter().map(|round| round.status).collect();
    assert_eq!(statuses, [Some(400), Some(200)]);
    let judged = ask_of(&judge, &backend, "two", &options).await;
    assert_eq!(judged.exchange.rounds.len(), 1);
    let bodies: Vec<Value> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies.len(), 3);
    assert_eq!((&bodies[1]["max_completion_tokens"], bodies[1].get("temperature")), (&json!(16_000), None));
    assert_eq!((&bodies[2]["max_completion_tokens"], bodies[2].get("max_tokens")), (&json!(16_000), None));
    // Another model is another matter.
    let other = Endpoint { model: "judge-2".to_owned(), ..server.endpoint(Kind::OpenAi) };
    assert_eq!(ask_of(&judge, &Backend::Http(other), "three", &options).await.exchange.rounds.len(), 2);

    let server = Fake::start(|seen| match seen.body.get("temperature") {
        Some(_) => Reply::json(400, &json!({ "type": "error", "error": { "message": "temperature: must be 1" } })),
        None => yes(Kind::Anthropic),
    })
    .await;
    let judged = ask_of(&judge, &server.backend(Kind::Anthropic), "four", &options).await;
    assert_eq!(judged.verdict.recommendation, Recommendation::Allow, "{judged:?}");
    assert_eq!(server.seen()[1].body["max_tokens"], 16_000);

    // One that refuses both is asked twice and no more, and nothing is learned from it.
    let server = Fake::start(|_| Reply::json(400, &json!({ "error": { "message": "max_tokens is too large" } }))).await;
    for asked in [2, 4] {
        let judged = ask_of(&judge, &server.backend(Kind::OpenAi), "five", &options).await;
        assert_eq!(judged.verdict.recommendation, Recommendation::Ask);
        assert_eq!(server.seen().len(), asked);
    }
}

#[tokio::test]
async fn decisions_are_remembered_within_a_session_and_questions_are_not() {
    for (word, remembered) in [("allow", true), ("deny", true), ("ask", false)] {
        let server = Fake::start(move |_| Reply::json(200, &said(Kind::OpenAi, &decision(word, "so")))).await;
        let (judge, backend) = (Judge::new(), server.backend(Kind::OpenAi));
        let (options, detail) = (Options::default(), Detail::default());
        let other = Detail { command: Some("ls".to_owned()), ..Detail::default() };
        let (one, two) = (["a".to_owned()], ["b".to_owned()]);
        let first = judge.judge(&backend, &brief(&detail, &one, "s"), &options).await;
        let again = brief(&detail, &one, "s");
        let known = judge.remembered(&again, &options);
        assert_eq!(known.is_some(), remembered, "{word}");
        let second = judge.judge(&backend, &again, &options).await;
        assert_eq!(second.verdict.recommendation, first.verdict.recommendation);
        let source = if remembered { Source::Cache } else { Source::Model };
        assert_eq!((second.verdict.source, second.verdict.reason.as_str()), (source, "so"));
        assert_eq!(server.seen().len(), if remembered { 1 } else { 2 });
        if remembered {
            assert_eq!((second.usage.prompt, second.exchange.rounds.len()), (None, 0));
        }
        // Another session, action, resource or particular is another question.
        let mut asked = server.seen().len();
        for brief in [
            brief(&detail, &one, "t"),
            brief(&detail, &two, "s"),
            brief(&other, &one, "s"),
            Brief { action: "edit", ..brief(&detail, &one, "s") },
        ] {
            let judged = judge.judge(&backend, &brief, &options).await;
            asked += 1;
            assert_eq!((judged.verdict.source, server.seen().len()), (Source::Model, asked));
        }
        judge.forget("s");
        assert_eq!(judge.remembered(&again, &options), None);
        assert_eq!(judge.remembered(&brief(&detail, &one, "t"), &options).is_some(), remembered);
        let off = Options { cache: false, ..Options::default() };
        assert_eq!(judge.judge(&backend, &brief(&detail, &one, "t"), &off).await.verdict.source, Source::Model);
    }
}

#[tokio::test]
async fn what_is_asked_at_once_is_asked_once() {
    let gate = Arc::new(Notify::new());
    let opens = Arc::clone(&gate);
    let answering = Fake::start(move |_| Reply::Held(Arc::clone(&opens), Box::new(yes(Kind::OpenAi)))).await;
    let (judge, options) = (Judge::new(), Options::default());
    let backend = answering.backend(Kind::OpenAi);
    let asked = (0..20).map(|_| ask_of(&judge, &backend, "npm test", &options));
    let opened = async {
        until("the request", || !answering.seen().is_empty()).await;
        gate.notify_one();
    };
    let (judged, ()) = futures_util::future::join(futures_util::future::join_all(asked), opened).await;
    assert!(judged.iter().all(|judged| judged.verdict.recommendation == Recommendation::Allow));
    assert_eq!(answering.seen().len(), 1);
    assert_eq!(judged.iter().filter(|judged| !judged.shared).count(), 1);

    let server = Fake::start(|_| Reply::Silence).await;
    // Different questions, and the same to another judge, are not.
    let other = Endpoint { model: "judge-2".to_owned(), ..server.endpoint(Kind::OpenAi) };
    let (one, two) = (server.backend(Kind::OpenAi), Backend::Http(other));
    let waiting = [(&one, "a"), (&one, "b"), (&two, "a"), (&one, "a")].map(|(backend, command)| {
        let (judge, backend, options) = (judge.clone(), backend.clone(), options.clone());
        tokio::spawn(async move { ask_of(&judge, &backend, command, &options).await })
    });
    until("three requests", || server.seen().len() == 3).await;
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    until("their ends", || server.over() == 3).await;
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn a_call_ends_when_the_last_who_waits_has_gone() {
    for kind in KINDS {
        for reply in [Reply::Silence, Reply::Stalled] {
            let stalls = matches!(reply, Reply::Stalled);
            let server = Fake::start(move |_| reply.clone()).await;
            let (judge, backend, options) = (Judge::new(), server.backend(kind), Options::default());
            let start = || {
                let (judge, backend, options) = (judge.clone(), backend.clone(), options.clone());
                tokio::spawn(async move { ask_of(&judge, &backend, "npm test", &options).await })
            };
            let (first, second, third) = (start(), start(), start());
            until("the request", || server.seen().len() == 1).await;
            // The one that began it goes first: the others go on.
            first.abort();
            second.abort();
            assert!(first.await.unwrap_err().is_cancelled() && second.await.unwrap_err().is_cancelled());
            if !stalls {
                // To see that nothing ends takes a while of looking.
                for _ in 0..20 {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    assert_eq!(server.over(), 0);
                }
            }
            assert!(!third.is_finished());
            let began = std::time::Instant::now();
            third.abort();
            assert!(third.await.unwrap_err().is_cancelled());
            until("the server to see it", || server.over() == 1).await;
            assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
            // What was given up is asked anew.
            let again = start();
            until("a second request", || server.seen().len() == 2).await;
            again.abort();
        }
    }
}

#[tokio::test]
async fn others_get_the_answer_when_the_first_is_gone() {
    let gate = Arc::new(Notify::new());
    let opens = Arc::clone(&gate);
    let server = Fake::start(move |_| Reply::Held(Arc::clone(&opens), Box::new(yes(Kind::OpenAi)))).await;
    let (judge, backend, options) = (Judge::new(), server.backend(Kind::OpenAi), Options::default());
    let start = || {
        let (judge, backend, options) = (judge.clone(), backend.clone(), options.clone());
        tokio::spawn(async move { ask_of(&judge, &backend, "npm test", &options).await })
    };
    let (first, second) = (start(), start());
    until("the request", || server.seen().len() == 1).await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    gate.notify_one();
    let judged = tokio::time::timeout(DEADLINE, second).await.expect("it comes").unwrap();
    assert_eq!(judged.verdict.recommendation, Recommendation::Allow);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn nothing_is_asked_before_anybody_waits() {
    let server = Fake::start(|_| yes(Kind::OpenAi)).await;
    let (judge, detail) = (Judge::new(), Detail::default());
    let asked = judge.judge(&server.backend(Kind::OpenAi), &brief(&detail, &[], "s"), &Options::default());
    drop(asked);
    assert_eq!(server.seen().len(), 0);
}
