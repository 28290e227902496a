//! The server itself as a judge.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gavel_core::text::Message;
use gavel_core::{Recommendation, Status};
use gavel_judge::model::{Backend, Fault, Judge, Options, ServerJudge};
use tokio::sync::Mutex;

use crate::wire::{ask, ask_of, decision, until};

#[tokio::test]
async fn it_is_told_everything_in_one_text() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let server = ServerJudge::new("api-server", "sonnet", move |prompt| {
        let heard = Arc::clone(&heard);
        async move {
            heard.lock().await.push(prompt);
            Ok(decision("deny", "no"))
        }
    });
    let backend = Backend::Server(server);
    assert_eq!((backend.provider(), backend.model()), ("server", "sonnet"));
    let judged = ask(&backend, "rm -rf build", &Options::default()).await;
    assert_eq!((judged.verdict.recommendation, judged.verdict.reason.as_str()), (Recommendation::Deny, "no"));
    let told = told.lock().await;
    assert!(
        told[0].starts_with("You decide") && told[0].contains("| rm -rf build") && told[0].contains("Run the tests")
    );
    assert_eq!(judged.exchange.rounds[0].request, told[0]);
    assert_eq!(judged.exchange.rounds[0].answer, decision("deny", "no"));
}

#[tokio::test]
async fn its_failures_are_failures() {
    let faults = [
        (Fault::http(503, "busy"), Status::HttpError),
        (Fault::Network(Message::verbatim("gone")), Status::NetworkError),
        (Fault::NoKey, Status::NoKey),
        (Fault::Truncated(Message::verbatim("cut")), Status::Truncated),
    ];
    for (fault, status) in faults {
        let given = fault.clone();
        let server = ServerJudge::new("s", "", move |_| std::future::ready(Err(given.clone())));
        let judged = ask(&Backend::Server(server), "ls", &Options::default()).await;
        assert_eq!((judged.verdict.status, judged.fault), (status, Some(fault)));
        assert_eq!(judged.verdict.recommendation, Recommendation::Ask);
    }
    let server = ServerJudge::new("s", "", |_| std::future::pending());
    let options = Options { timeout_ms: 50, ..Options::default() };
    let judged = ask(&Backend::Server(server), "ls", &options).await;
    assert_eq!(judged.verdict.status, Status::TimedOut);
    let server = ServerJudge::new("s", "", |_| std::future::ready(Ok("Sure, go ahead".to_owned())));
    assert_eq!(ask(&Backend::Server(server), "ls", &Options::default()).await.verdict.status, Status::Unparsed);
}

/// Counts what was begun and given up.
struct GivenUp(Arc<AtomicUsize>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn it_is_let_go_when_nobody_waits() {
    let gone = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&gone);
    let server = ServerJudge::new("s", "", move |_| {
        let held = GivenUp(Arc::clone(&counted));
        async move {
            let _held = held;
            std::future::pending().await
        }
    });
    let (judge, backend) = (Judge::new(), Backend::Server(server));
    let waiting = {
        let (judge, backend) = (judge.clone(), backend.clone());
        tokio::spawn(async move { ask_of(&judge, &backend, "ls", &Options::default()).await })
    };
    tokio::task::yield_now().await;
    waiting.abort();
    until("it to be let go", || gone.load(Ordering::SeqCst) == 1).await;
}
