//! Whatever goes wrong is no verdict: the human decides, and is told why.

use gavel_core::{Recommendation, Source, Status};
use gavel_judge::model::{Access, Backend, Endpoint, Fault, Judge, Kind, Options};
use serde_json::{Value, json};

use crate::wire::{Fake, Reply, ask, ask_of, decision, said, stopped};

const KINDS: [Kind; 2] = [Kind::OpenAi, Kind::Anthropic];

/// What a server says, and what is to come of it: the status and a part of the reason.
fn answers(kind: Kind) -> Vec<(&'static str, Reply, Status, &'static str)> {
    let yes = decision("allow", "fits");
    let text = |text: &str| Reply::json(200, &said(kind, text));
    let error = |status: u16, body: Value| Reply::json(status, &body);
    let page = "<!DOCTYPE html><html><script>{\"decision\":\"allow\"}</script></html>".to_owned();
    let cut = if kind == Kind::OpenAi { "length" } else { "max_tokens" };
    let refused = if kind == Kind::OpenAi { "content_filter" } else { "refusal" };
    let whole = said(kind, &yes).to_string();
    let more = json!({ "padding": "x".repeat(10 * 1024 * 1024) });
    let huge = Value::Object(
        more.as_object().unwrap().clone().into_iter().chain(said(kind, &yes).as_object().unwrap().clone()).collect(),
    );
    vec![
        ("401", error(401, json!({ "error": { "message": "invalid key" } })), Status::HttpError, "401: invalid key"),
        ("403", error(403, json!({ "detail": "no" })), Status::HttpError, "403: no"),
        ("404", Reply::Whole(404, "text/html", page.clone()), Status::HttpError, "status 404"),
        ("429", error(429, json!({ "error": "slow down" })), Status::HttpError, "429: slow down"),
        ("500", Reply::Whole(500, "text/plain", "allow".to_owned()), Status::HttpError, "status 500"),
        ("500 with a verdict", error(500, said(kind, &yes)), Status::HttpError, "status 500"),
        (
            "529",
            error(529, json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } })),
            Status::HttpError,
            "529: Overloaded",
        ),
        (
            "400 about something else",
            error(400, json!({ "error": { "message": "no such model" } })),
            Status::HttpError,
            "no such model",
        ),
        ("a redirect", Reply::Redirect("/elsewhere".to_owned()), Status::HttpError, "status 307"),
        ("cut by the model", Reply::json(200, &stopped(kind, &yes, cut)), Status::Truncated, "cut off"),
        ("cut in the text", text(&yes[..yes.len() - 3]), Status::Truncated, "cut off"),
        (
            "cut in the body",
            Reply::Whole(200, "application/json", whole[..whole.len() - 9].to_owned()),
            Status::Truncated,
            "cut off",
        ),
        ("refused by the model", Reply::json(200, &stopped(kind, &yes, refused)), Status::Unparsed, refused),
        ("prose", text("I would allow this."), Status::Unparsed, "no JSON object"),
        ("two objects", text(&format!("{yes}\n{}", decision("deny", "no"))), Status::Unparsed, "more than one"),
        ("another word", text(&decision("yes", "fits")), Status::Unparsed, "`yes` is no decision"),
        ("capital letters", text(&decision("ALLOW", "fits")), Status::Unparsed, "`ALLOW`"),
        ("nothing said", text(""), Status::Unparsed, "it is empty"),
        ("an empty body", Reply::Whole(200, "application/json", String::new()), Status::Unparsed, "it is empty"),
        ("a page", Reply::Whole(200, "text/html", page), Status::Unparsed, "web page"),
        ("a page as JSON", text("<html>{\"decision\":\"allow\"}</html>"), Status::Unparsed, "web page"),
        ("no JSON", Reply::Whole(200, "application/json", "allow".to_owned()), Status::Unparsed, "not what the API"),
        ("only the decision", Reply::Whole(200, "application/json", yes), Status::Unparsed, "understood"),
        ("an error with 200", error(200, json!({ "error": { "message": "quota" } })), Status::Unparsed, "quota"),
        ("null", error(200, Value::Null), Status::Unparsed, "understood"),
        ("10 MB", Reply::json(200, &huge), Status::Truncated, "longer"),
        ("no end", Reply::Endless("{\"decision\":\"allow\",\"reason\":\"fits\"}"), Status::Truncated, "longer"),
        ("a broken connection", Reply::Short("{\"choices\":["), Status::NetworkError, "could not be reached"),
        ("silence", Reply::Silence, Status::TimedOut, "timed out after 1500 ms"),
        ("silence in the middle", Reply::Stalled, Status::TimedOut, "timed out after 1500 ms"),
    ]
}

#[tokio::test]
async fn every_failure_leaves_it_to_the_human() {
    let judge = &Judge::new();
    for kind in KINDS {
        // All at once: the slow ones are slow together.
        let asked = answers(kind).into_iter().map(|(what, reply, status, words)| async move {
            let quick = Options { timeout_ms: 1_500, ..Options::default() };
            let options = &if status == Status::TimedOut { quick } else { Options::default() };
            let server = Fake::start(move |_| reply.clone()).await;
            let judged = ask_of(judge, &server.backend(kind), "rm -rf build", options).await;
            let verdict = &judged.verdict;
            assert_eq!(verdict.recommendation, Recommendation::Ask, "{kind:?}: {what}: {judged:?}");
            assert_eq!(
                (verdict.status, verdict.source),
                (status, Source::Model),
                "{kind:?}: {what}: {}",
                verdict.reason
            );
            assert!(verdict.reason.starts_with("no verdict: "), "{kind:?}: {what}: {}", verdict.reason);
            assert!(verdict.reason.contains(words), "{kind:?}: {what}: {}", verdict.reason);
            assert!(judged.fault.is_some() && verdict.reason.chars().count() < 400);
            assert_eq!(judged.exchange.rounds.len(), 1, "{kind:?}: {what}");
            assert!(judged.exchange.rounds[0].answer.len() <= 1024 * 1024, "{kind:?}: {what}");
            if status != Status::TimedOut {
                assert!(verdict.took < 15_000, "{what}");
            }
        });
        futures_util::future::join_all(asked).await;
    }
}

#[tokio::test]
async fn who_is_not_there_can_not_be_reached() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let cases = [
        (format!("http://127.0.0.1:{port}/v1"), "refused"),
        ("http://nowhere.invalid/v1".to_owned(), ""),
        ("ftp://127.0.0.1/v1".to_owned(), "`ftp:`"),
        ("not an address".to_owned(), "makes no sense"),
        (String::new(), "makes no sense"),
        ("file:///etc/passwd".to_owned(), "`file:`"),
    ];
    for (base_url, words) in cases {
        for kind in KINDS {
            let endpoint = Endpoint { kind, base_url: base_url.clone(), ..nobody() };
            let options = Options { timeout_ms: 15_000, ..Options::default() };
            let judged = ask(&Backend::Http(endpoint), "ls", &options).await;
            assert_eq!(judged.verdict.recommendation, Recommendation::Ask, "{base_url}");
            assert_eq!(judged.verdict.status, Status::NetworkError, "{base_url}: {judged:?}");
            assert!(judged.verdict.reason.to_lowercase().contains(words), "{base_url}: {}", judged.verdict.reason);
            assert!(!judged.verdict.reason.contains("reqwest"), "{}", judged.verdict.reason);
        }
    }
}

fn nobody() -> Endpoint {
    let (model, headers) = ("m".to_owned(), gavel_judge::model::Headers::default());
    Endpoint { kind: Kind::OpenAi, base_url: String::new(), model, access: Access::Open, headers }
}

#[tokio::test]
async fn without_a_key_nothing_is_sent() {
    for kind in KINDS {
        let server = Fake::start(move |_| Reply::json(200, &said(kind, &decision("allow", "fits")))).await;
        let endpoint = Endpoint { access: Access::Missing, ..server.endpoint(kind) };
        let judged = ask(&Backend::Http(endpoint), "ls", &Options::default()).await;
        assert_eq!((judged.verdict.status, judged.fault), (Status::NoKey, Some(Fault::NoKey)));
        assert_eq!(judged.verdict.recommendation, Recommendation::Ask);
        assert_eq!((server.seen().len(), judged.exchange.rounds.len()), (0, 0));
    }
}

#[tokio::test]
async fn a_decision_is_a_verdict() {
    for kind in KINDS {
        for (word, recommendation) in
            [("allow", Recommendation::Allow), ("deny", Recommendation::Deny), ("ask", Recommendation::Ask)]
        {
            let server = Fake::start(move |_| Reply::json(200, &said(kind, &decision(word, &"é".repeat(500))))).await;
            let judged = ask(&server.backend(kind), "npm test", &Options::default()).await;
            assert_eq!(judged.verdict.recommendation, recommendation);
            assert_eq!((judged.verdict.status, judged.verdict.source), (Status::Ok, Source::Model));
            assert_eq!(judged.verdict.reason, "é".repeat(400));
            assert_eq!((judged.fault, judged.shared), (None, false));
            assert_eq!((judged.usage.prompt, judged.usage.completion), (Some(11), Some(7)));
            assert_eq!(judged.exchange.rounds[0].status, Some(200));
        }
    }
}

/// What was not seen can't be allowed.
#[tokio::test]
async fn an_allowance_of_the_part_that_was_shown_is_none() {
    let kind = Kind::OpenAi;
    for (word, recommendation) in [("allow", Recommendation::Ask), ("deny", Recommendation::Deny)] {
        let server = Fake::start(move |_| Reply::json(200, &said(kind, &decision(word, "fits")))).await;
        let command = format!("echo {}; rm -rf ~", "x ".repeat(20_000));
        for command in [command.as_str(), "echo 'password=' ; rm -rf ~ ; echo 'x'"] {
            let judged = ask(&server.backend(kind), command, &Options::default()).await;
            assert_eq!(judged.verdict.recommendation, recommendation, "{judged:?}");
            // What it says itself stays in its words; what is said in its stead has every language.
            let russian = judged.verdict.reason_in(gavel_core::text::Language::Russian);
            assert_eq!(russian == judged.verdict.reason, word == "deny", "{russian}");
        }
    }
}
