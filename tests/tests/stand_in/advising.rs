//! A model is asked about what no rule lets pass. It answers in the mode Auto, and is quoted everywhere else.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use gavel_core::modes::{Defaults, Mode};
use gavel_core::{Decision, Recommendation, Settled, Status};
use gavel_judge::model::{Access, Backend, Endpoint, Headers, Kind as Api, Options as JudgeOptions};
use gavel_notify::Notice;
use gavel_runtime::JudgeSetup;
use gavel_runtime::api::{Advice, Request};
use gavel_stand_in::StandIn;
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::{eventually, stays};
use serde_json::json;

use super::{PROJECT, ran, runs, say, you};

/// A model that does what the command says: `touch allow…`, `touch deny…`, `touch fail…`, `touch hang…`.
#[derive(Clone, Default)]
pub struct Model {
    pub asked: Arc<Mutex<Vec<String>>>,
    /// What stood in their `Authorization`.
    pub keys: Arc<Mutex<Vec<String>>>,
    /// Calls that were given up before they were answered.
    pub given_up: Arc<AtomicUsize>,
}

impl Model {
    pub async fn start(&self) -> String {
        let model = self.clone();
        let router = Router::new().fallback(move |headers: HeaderMap, body: Bytes| {
            let model = model.clone();
            let key = headers.get("authorization").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
            async move { model.answer(&String::from_utf8_lossy(&body), &key) }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    fn answer(&self, asked: &str, key: &str) -> Response {
        self.asked.lock().unwrap().push(asked.to_owned());
        self.keys.lock().unwrap().push(key.to_owned());
        let says = |decision: &str| {
            let content = json!({ "decision": decision, "reason": format!("{decision} it is") }).to_string();
            Json(json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }] })).into_response()
        };
        match () {
            () if asked.contains("touch allow") => says("allow"),
            () if asked.contains("touch deny") => says("deny"),
            // As some servers do with keys that they don't know.
            () if asked.contains("touch echo") => {
                (StatusCode::UNAUTHORIZED, format!("no such key: {key}")).into_response()
            }
            () if asked.contains("npm test") => says("allow"),
            () if asked.contains("touch fail") => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            () if asked.contains("touch hang") => {
                let waiting = Waiting(Arc::clone(&self.given_up));
                let never = futures_util::stream::unfold(waiting, |waiting| async move {
                    std::future::pending::<()>().await;
                    Some((Ok::<_, Infallible>(Bytes::new()), waiting))
                });
                Body::from_stream(never).into_response()
            }
            () => says("ask"),
        }
    }
}

/// Counts itself when the call it belongs to is given up.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

pub(super) async fn with_judge(kind: &Kind, mode: Option<Mode>) -> (StandIn, Gavel, Model) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let model = Model::default();
    let endpoint = Endpoint {
        kind: Api::OpenAi,
        base_url: model.start().await,
        model: "small".to_owned(),
        access: Access::Open,
        headers: Headers::default(),
    };
    let judge = JudgeSetup::of(Backend::Http(endpoint), JudgeOptions::default());
    let mut modes = Defaults::default();
    modes.servers.extend(mode.map(|mode| (server.url().into(), mode.into())));
    let servers = vec![server.url()];
    let gavel =
        Gavel::start(Options { servers, judge: Some(judge), modes, tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    (server, gavel, model)
}

/// The request of which a judge has said `wish`.
pub async fn advised(gavel: &Gavel, wish: impl Fn(&Advice) -> bool) -> Request {
    eventually("the judge's word", DEADLINE, async || {
        let requests = gavel.snapshot().requests.clone();
        let found = requests.iter().find(|request| request.advice.as_ref().is_some_and(&wish)).cloned();
        found.ok_or_else(|| format!("{:?}", requests.iter().map(|request| &request.advice).collect::<Vec<_>>()))
    })
    .await
}

pub fn by_judge(allowed: bool) -> Settled {
    let reason = if allowed { "allow it is" } else { "deny it is" };
    Settled::Judge { allowed, reason: reason.into() }
}

pub async fn in_auto_a_plain_word_of_the_judge_is_an_answer(kind: Kind) {
    let (server, gavel, model) = with_judge(&kind, Some(Mode::Auto)).await;
    say(&server, PROJECT, "shell touch allowed");
    runs(&server, &["touch allowed"]).await;
    assert_eq!(gavel.settled(1).await, [by_judge(true)]);

    let session = say(&server, PROJECT, "shell touch denying\ninstead\n> say You said: {reason}");
    assert_eq!(gavel.settled(2).await[1], by_judge(false));
    let told = || server.told(&session).concat();
    let why = "auto-permission judge (not the human) denied this: deny it is";
    eventually("the reason", DEADLINE, async || if told().contains(why) { Ok(()) } else { Err(told()) }).await;

    gavel.inbox(0).await;

    // What it leaves open, or fails at, is the user's.
    for (before, (command, status)) in [(2, ("touch other", Status::Ok)), (3, ("touch fail", Status::HttpError))] {
        say(&server, PROJECT, &format!("shell {command}"));
        let given = |advice: &Advice| matches!(advice, Advice::Given { status: said, .. } if *said == status);
        let request = advised(&gavel, given).await;
        assert!(matches!(request.advice, Some(Advice::Given { recommendation: Recommendation::Ask, .. })));
        gavel.decide(&request, Decision::decline("no")).await;
        gavel.settled(before + 1).await;
        gavel.inbox(0).await;
    }
    assert_eq!(ran(&server), ["touch allowed"]);
    let asked = model.asked.lock().unwrap().concat();
    assert!(asked.contains("<untrusted_data>") && asked.contains("touch denying"), "{asked}");
}

pub async fn in_every_other_mode_the_judge_is_only_quoted(kind: Kind) {
    for mode in [None, Some(Mode::Supervised)] {
        let (server, gavel, _model) = with_judge(&kind, mode).await;
        say(&server, PROJECT, "shell touch allowed");
        let request = advised(&gavel, |advice| matches!(advice, Advice::Given { status: Status::Ok, .. })).await;
        let quoted =
            |shown: &[Notice]| shown.iter().any(|one| one.body.contains("The judge would allow it: allow it is"));
        assert!(gavel.notifications.wait_for(DEADLINE, quoted).await, "{:?}", gavel.notifications.shown());
        stays("nothing runs by itself", Duration::from_millis(200), async || ran(&server).is_empty()).await;
        gavel.decide(&request, Decision::AllowOnce).await;
        runs(&server, &["touch allowed"]).await;
        assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    }
}

pub async fn a_judge_that_hangs_holds_nothing_up_and_is_asked_no_longer_than_needed(kind: Kind) {
    let (server, gavel, model) = with_judge(&kind, Some(Mode::Auto)).await;
    say(&server, PROJECT, "shell touch hanging");
    let request = advised(&gavel, |advice| *advice == Advice::Awaited).await;
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    eventually("the judge to be asked", DEADLINE, async || model.asked.lock().unwrap().len() == 1).await;
    assert_eq!(model.given_up.load(Ordering::SeqCst), 0);
    gavel.decide(&request, Decision::AllowOnce).await;
    runs(&server, &["touch hanging"]).await;
    eventually("the call to be given up", DEADLINE, async || model.given_up.load(Ordering::SeqCst) == 1).await;
}

pub async fn a_slow_judge_makes_no_notification_later(kind: Kind) {
    const ROUNDS: usize = 15;
    let (server, gavel, model) = with_judge(&kind, None).await;
    let (plain_server, plain) = super::both(&kind).await;
    let took = async |server: &StandIn, gavel: &Gavel, model: Option<&Model>| {
        let mut took = Vec::new();
        for round in 0..ROUNDS {
            let began = Instant::now();
            say(server, PROJECT, &format!("shell touch hanging {round}"));
            assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
            took.push(began.elapsed());
            if let Some(model) = model {
                let asked = async || model.asked.lock().unwrap().len() == round + 1;
                eventually("the judge to be asked, who never answers", DEADLINE, asked).await;
            }
            gavel.decide(&gavel.only_request().await, Decision::decline("no")).await;
            gavel.inbox(0).await;
            assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.is_empty()).await);
        }
        took.sort_unstable();
        took[ROUNDS / 2]
    };
    let (without, with) = (took(&plain_server, &plain, None).await, took(&server, &gavel, Some(&model)).await);
    // That each came while the judge still kept silent is the test; how long it took is to be read (`--nocapture`).
    let ratio = with.as_secs_f64() / without.as_secs_f64();
    println!(
        "from the request to its notification: {without:?} without a judge, {with:?} with one that is slow ({ratio:.2})"
    );
}
