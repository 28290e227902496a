//! Three answer at the same time, a thousand times: exactly one answer lands, and everybody knows whose it was.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use gavel_core::flow::{Happened, Record};
use gavel_core::{Decision, Reply, RequestId, Settled};
use gavel_runtime::api::Request;
use gavel_stand_in::StandIn;
use gavel_tests::gavel::{DEADLINE, Gavel};
use gavel_tests::host::Kind;
use gavel_tests::on_both_dialects;
use gavel_tests::wait::eventually;
use serde_json::{Value, json};

const ROUNDS: usize = 1_000;

const PROJECT: &str = "/home/dev/project";

/// How many requests wait at the same time.
const AT_ONCE: usize = 25;

on_both_dialects! { of_three_answers_one_lands }

/// A person approves in one Gavel, another Gavel stops the run as a judge would, and another client says "always".
async fn of_three_answers_one_lands(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let person = Gavel::in_a_hurry(&[server.url()]).await;
    let judge = Gavel::in_a_hurry(&[server.url()]).await;
    let client = reqwest::Client::new();
    for _ in 0..ROUNDS / AT_ONCE {
        for _ in 0..AT_ONCE {
            // There is no pattern that "always" could allow: it counts once.
            let session = server.create_session(PROJECT, "race");
            server.prompt(&session, "ask gate\n: pattern production").unwrap();
        }
        let (mut seen, mut judged) = (person.inbox(AT_ONCE).await, judge.inbox(AT_ONCE).await);
        seen.sort_by(|one, other| one.key.cmp(&other.key));
        judged.sort_by(|one, other| one.key.cmp(&other.key));
        let rounds = seen.iter().zip(&judged).enumerate().map(|(nth, (seen, judged))| {
            assert_eq!(seen.key.request, judged.key.request);
            let asked = server.pending().into_iter().find(|ask| ask.id == seen.key.request.as_str()).unwrap();
            let (person, judge, client, kind, url) = (&person, &judge, &client, &kind, server.url());
            async move {
                // Each of them is often the first to be let go; now and then all are let go together.
                let head_start = |place: usize| if nth % 4 == place { 0 } else { nth % 5 };
                tokio::join!(
                    after(head_start(0), person.decide_as_displayed(seen, Decision::AllowOnce)),
                    after(head_start(1), judge.decide_as_displayed(judged, Decision::Stop)),
                    after(head_start(2), always(client, kind, &url, seen, &asked)),
                );
            }
        });
        futures_util::future::join_all(rounds).await;
        person.inbox(0).await;
        judge.inbox(0).await;
    }

    let landed = eventually("every answer to be counted", DEADLINE, async || {
        let replies = server.replies();
        let landed = replies.iter().filter(|reply| (200..300).contains(&reply.status));
        let landed: Vec<(RequestId, &'static str)> =
            landed.map(|reply| (reply.id.as_str().into(), word(&reply.body))).collect();
        if landed.len() == ROUNDS { Ok(landed) } else { Err(format!("{} of {ROUNDS}", landed.len())) }
    })
    .await;
    let truth: HashMap<RequestId, &str> = landed.into_iter().collect();
    assert_eq!(truth.len(), ROUNDS, "exactly one answer for each");
    assert!(truth.values().collect::<HashSet<_>>().len() > 1, "it was no race: {:?}", truth.values().next());
    for (gavel, own, decision) in [(&person, "once", Decision::AllowOnce), (&judge, "reject", Decision::Stop)] {
        for (request, settled) in outcomes(gavel) {
            let word = truth[&request];
            let reply = match word {
                "once" => Reply::Once,
                "always" => Reply::Always,
                _ => Reply::Reject,
            };
            let expected = if word == own {
                vec![Settled::You { decision: decision.clone() }]
            } else {
                // That an answer came too late may be known before the event says what the first one was.
                vec![Settled::AnotherClient { reply: Some(reply) }, Settled::AnotherClient { reply: None }]
            };
            assert!(expected.contains(&settled), "{request}: {settled:?}, but {word} landed");
        }
    }
    let ran = server.executed().len();
    assert_eq!(ran, truth.values().filter(|word| **word != "reject").count(), "what ran is what was allowed");
}

/// Lets others go first, so many times 20 milliseconds.
async fn after(steps: usize, act: impl Future<Output = ()>) {
    tokio::time::sleep(Duration::from_millis(20) * u32::try_from(steps).unwrap()).await;
    act.await;
}

async fn always(client: &reqwest::Client, kind: &Kind, url: &str, request: &Request, asked: &gavel_stand_in::Ask) {
    let id = request.key.request.as_str();
    let (route, body) = if kind.keeps_ghosts() {
        (format!("{url}/permission/{id}/reply?directory={}", asked.directory), json!({ "reply": "always" }))
    } else {
        (format!("{url}/api/session/{}/permission/{id}/reply", asked.session), json!({ "decision": "always" }))
    };
    client.post(route).json(&body).send().await.unwrap();
}

fn word(body: &Value) -> &'static str {
    let word = body["decision"].as_str().or_else(|| body["reply"].as_str()).unwrap();
    ["once", "always", "reject"].into_iter().find(|known| *known == word).unwrap()
}

/// How each request ended, as the log tells.
fn outcomes(gavel: &Gavel) -> Vec<(RequestId, Settled)> {
    let records = gavel.log().lines().map(|line| serde_json::from_str::<Record>(line).unwrap()).collect::<Vec<_>>();
    let settled = records.into_iter().filter_map(|record| match record.what {
        Happened::Settled { settled } => Some((record.key.request, settled)),
        Happened::Decided { .. } | Happened::Responded { .. } | Happened::Undelivered { .. } => None,
    });
    let outcomes: Vec<_> = settled.collect();
    assert_eq!(outcomes.len(), ROUNDS, "one end for each");
    outcomes
}
