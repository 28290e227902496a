//! Whatever a model or its server does wrong, nothing runs by it, also in Auto, and the user decides.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use gavel_core::modes::{Defaults, Mode};
use gavel_core::{Decision, Recommendation, Settled, Status};
use gavel_judge::model::{Kind as Api, Options as JudgeOptions};
use gavel_runtime::api::{Advice, Call, JudgeChoice};
use gavel_runtime::{JudgeSettings, Who};
use gavel_stand_in::StandIn;
use gavel_tests::gavel::{Gavel, Options, hurry};
use gavel_tests::host::Kind;
use serde_json::{Value, json};

use super::advising::advised;
use super::{PROJECT, ran, runs, say};

/// What a server answers: its status and its body; `None` is nothing, ever.
type Answer = Option<(u16, String)>;

/// A body in which the model of `api` says `text`, and stops for `reason`.
fn said(api: Api, text: &str, reason: &str) -> Value {
    match api {
        Api::OpenAi => json!({ "choices": [{ "message": { "content": text }, "finish_reason": reason }] }),
        Api::Anthropic => json!({ "content": [{ "type": "text", "text": text }], "stop_reason": reason }),
    }
}

fn answers(api: Api) -> Vec<(&'static str, Answer, Status)> {
    let yes = r#"{"decision":"allow","reason":"fits"}"#;
    let (whole, cut) = match api {
        Api::OpenAi => ("stop", "length"),
        Api::Anthropic => ("end_turn", "max_tokens"),
    };
    let text = |text: &str| Some((200, said(api, text, whole).to_string()));
    let fails = |status: u16| Some((status, said(api, yes, whole).to_string()));
    let body = said(api, yes, whole).to_string();
    let mut huge = said(api, yes, whole);
    huge["padding"] = "x".repeat(10 * 1024 * 1024).into();
    vec![
        ("slow", None, Status::TimedOut),
        ("401", fails(401), Status::HttpError),
        ("429", fails(429), Status::HttpError),
        ("500", fails(500), Status::HttpError),
        ("cut by the model", Some((200, said(api, yes, cut).to_string())), Status::Truncated),
        ("cut in the text", text(&yes[..yes.len() - 3]), Status::Truncated),
        ("cut in the body", Some((200, body[..body.len() - 9].to_owned())), Status::Truncated),
        ("prose", text("I would allow this."), Status::Unparsed),
        ("two objects", text(&format!("{yes} {yes}")), Status::Unparsed),
        ("a decision that is none", text(r#"{"decision":"always","reason":"fits"}"#), Status::Unparsed),
        ("nothing said", text(""), Status::Unparsed),
        ("nothing at all", Some((200, String::new())), Status::Unparsed),
        ("HTML", Some((200, format!("<!DOCTYPE html><html>{yes}</html>"))), Status::Unparsed),
        ("10 MB", Some((200, huge.to_string())), Status::Truncated),
    ]
}

/// A server that answers what it is told to.
async fn model(answer: Arc<Mutex<Answer>>) -> String {
    let router = Router::new().fallback(move || {
        let answer = answer.lock().unwrap().clone();
        async move {
            let Some((status, body)) = answer else { return std::future::pending::<Response>().await };
            let status = StatusCode::from_u16(status).unwrap();
            if body.starts_with('<') { Html(body).into_response() } else { (status, body).into_response() }
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

pub async fn a_judge_that_fails_in_auto_leaves_it_to_the_user(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let mut modes = Defaults::default();
    modes.servers.insert(server.url().into(), Mode::Auto.into());
    let servers = vec![server.url()];
    let gavel = Gavel::start(Options { servers, modes, tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    let answer = Arc::new(Mutex::new(None));
    let base_url = model(Arc::clone(&answer)).await;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let choose = async |provider: Api, base_url: String, patience: Duration| {
        let timeout_ms = u64::try_from(patience.as_millis()).unwrap();
        let options = JudgeOptions { timeout_ms, ..JudgeOptions::default() };
        let (model, who) = ("small".to_owned(), Who::Endpoint);
        let choice = JudgeChoice { who, provider, base_url, model, options, ..JudgeSettings::default().into() };
        gavel.call(Call::SetJudge { choice }).await;
    };
    let mut done = 0;
    let mut fails = async |case: String, expected: Status| {
        say(&server, PROJECT, "shell make build");
        let request = advised(&gavel, |advice| matches!(advice, Advice::Given { .. })).await;
        let Some(Advice::Given { status, recommendation, .. }) = request.advice.clone() else { unreachable!() };
        assert_eq!((status, recommendation), (expected, Recommendation::Ask), "{case}: {request:?}");
        gavel.decide(&request, Decision::decline("no")).await;
        done += 1;
        let settled = gavel.settled(done).await.pop();
        assert!(matches!(settled, Some(Settled::You { .. })), "{case}: {settled:?}");
        gavel.inbox(0).await;
        assert!(ran(&server).is_empty(), "{case}");
    };
    for api in [Api::OpenAi, Api::Anthropic] {
        choose(api, format!("http://{nobody}/v1"), Duration::from_secs(20)).await;
        fails(format!("{api:?}, unreachable"), Status::NetworkError).await;
        for (what, given, expected) in answers(api) {
            let patience = if given.is_none() { Duration::from_secs(1) } else { Duration::from_secs(20) };
            *answer.lock().unwrap() = given;
            choose(api, base_url.clone(), patience).await;
            fails(format!("{api:?}, {what}"), expected).await;
        }
    }

    // The same judge, once it does what it should: what is catastrophic is the user's all the same.
    let body = said(Api::OpenAi, r#"{"decision":"allow","reason":"fits"}"#, "stop").to_string();
    *answer.lock().unwrap() = Some((200, body));
    choose(Api::OpenAi, base_url.clone(), Duration::from_secs(20)).await;
    say(&server, PROJECT, "shell rm -rf ~");
    let request = advised(&gavel, |advice| matches!(advice, Advice::Given { status: Status::Ok, .. })).await;
    assert_eq!(request.verdict.as_ref().unwrap().recommendation, Recommendation::Deny, "the analysis objects");
    gavel.decide(&request, Decision::decline("no")).await;
    gavel.inbox(0).await;
    say(&server, PROJECT, "shell make build");
    runs(&server, &["make build"]).await;

    // Its plain no to what destroys is the answer.
    let body = said(Api::OpenAi, r#"{"decision":"deny","reason":"it destroys"}"#, "stop").to_string();
    *answer.lock().unwrap() = Some((200, body));
    let before = gavel.activity(done + 2).await.len();
    say(&server, PROJECT, "shell rm -rf build");
    let settled = gavel.settled(before + 1).await.pop();
    assert_eq!(settled, Some(Settled::Judge { allowed: false, reason: "it destroys".into() }));
    assert_eq!(ran(&server), ["make build"]);
}
