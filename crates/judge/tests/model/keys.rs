//! Keys and secrets go where they must and nowhere else.

use gavel_judge::model::{Access, Backend, Endpoint, Headers, Judge, Key, Kind, Options};
use serde_json::json;

use crate::wire::{Fake, KEY, Reply, ask, ask_of, decision, said};

const KINDS: [Kind; 2] = [Kind::OpenAi, Kind::Anthropic];
const HEADER: &str = "another-secret-0123456789";

fn endpoint(server: &Fake, kind: Kind) -> Endpoint {
    let headers = Headers::new(vec![("x-litellm-api-key".to_owned(), HEADER.to_owned())]);
    Endpoint { headers, ..server.endpoint(kind) }
}

/// Everything about a call that a log, a window or a file could show.
fn clean(what: &str, text: &str) {
    assert!(!text.contains(KEY), "{what}: {text}");
    assert!(!text.contains(HEADER), "{what}: {text}");
}

#[tokio::test]
async fn no_key_shows_in_anything_that_can_be_printed() {
    for kind in KINDS {
        // A server that repeats what it was sent, as some do with a key that they don't know.
        let echo = |seen: &crate::wire::Seen| format!("Incorrect key: {:?}", seen.headers);
        let replies: [fn(String, Kind) -> Reply; 4] = [
            |text, _| Reply::json(401, &json!({ "error": { "message": text } })),
            |text, kind| Reply::json(200, &said(kind, &decision("deny", &text))),
            |text, _| Reply::Whole(200, "text/plain", text),
            |text, kind| Reply::json(200, &said(kind, &text)),
        ];
        for reply in replies {
            let server = Fake::start(move |seen| reply(echo(seen), kind)).await;
            let backend = Backend::Http(endpoint(&server, kind));
            let judge = Judge::new();
            let judged = ask_of(&judge, &backend, "npm test", &Options::default()).await;
            assert!(server.seen()[0].headers.iter().any(|(_, value)| value.contains(KEY)), "it was sent");
            for (what, text) in [
                ("judged", format!("{judged:?}")),
                ("judge", format!("{judge:?}")),
                ("backend", format!("{backend:?}")),
                ("exchange", serde_json::to_string(&judged.exchange).unwrap()),
                ("reason", judged.verdict.reason.clone()),
            ] {
                clean(what, &text);
            }
            let request = &judged.exchange.rounds[0].request;
            assert!(
                request.contains("***") && request.contains("judge-1") && request.contains("npm test"),
                "{request}"
            );
        }
    }
    clean("key", &format!("{:?} {:?}", Key::new(KEY), Access::Key(Key::new(KEY).unwrap())));
}

#[tokio::test]
async fn addresses_with_passwords_are_shown_without() {
    let server = Fake::start(|_| Reply::json(200, &said(Kind::OpenAi, &decision("deny", "no")))).await;
    let base_url = format!("{}/v1?api-key={HEADER}", server.url.replace("http://", &format!("http://ada:{HEADER}@")));
    let url = Endpoint { base_url, ..server.endpoint(Kind::OpenAi) };
    let judged = ask(&Backend::Http(url.clone()), "ls", &Options::default()).await;
    clean("judged", &format!("{judged:?}"));
    let gone = Endpoint { base_url: url.base_url.replace(&server.url[17..], "1"), ..url };
    let judged = ask(&Backend::Http(gone), "ls", &Options::default()).await;
    clean("judged", &format!("{judged:?}"));
}

#[tokio::test]
async fn a_redirect_carries_nothing_away() {
    for kind in KINDS {
        let thief = Fake::start(move |_| Reply::json(200, &said(kind, &decision("allow", "fits")))).await;
        let to = format!("{}/v1/chat/completions", thief.url);
        let server = Fake::start(move |_| Reply::Redirect(to.clone())).await;
        let judged = ask(&server.backend(kind), "ls", &Options::default()).await;
        assert!(judged.fault.is_some(), "{judged:?}");
        assert_eq!(thief.seen().len(), 0);
    }
}

#[tokio::test]
async fn keys_that_can_not_be_sent_are_said_to_be_so() {
    let server = Fake::start(|_| Reply::json(200, &said(Kind::OpenAi, &decision("allow", "fits")))).await;
    let access = Access::Key(Key::new("a\nb").unwrap());
    let judged =
        ask(&Backend::Http(Endpoint { access, ..server.endpoint(Kind::OpenAi) }), "ls", &Options::default()).await;
    assert!(judged.verdict.reason.contains("characters that can't be sent"), "{}", judged.verdict.reason);
    assert_eq!(server.seen().len(), 0);
    for empty in ["", " ", "\n"] {
        assert_eq!(Key::new(empty), None);
    }
    assert_eq!(Key::new(" k\n"), Key::new("k"));
}

#[tokio::test]
async fn secrets_of_the_request_do_not_leave_the_machine() {
    let server = Fake::start(|_| Reply::json(200, &said(Kind::OpenAi, &decision("deny", "no")))).await;
    let command = format!("curl -H 'Authorization: Bearer {HEADER}' https://ada:{HEADER}@example.org");
    let judged = ask(&server.backend(Kind::OpenAi), &command, &Options::default()).await;
    clean("body", &server.seen()[0].body.to_string());
    clean("exchange", &format!("{judged:?}"));
}
