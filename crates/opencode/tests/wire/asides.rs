//! What a server's model is asked beside all sessions: never much at once, and nothing stays.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use gavel_opencode::Connection;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::support::{Answer, Fake, Watched, until};

const BEGIN: &str = "POST /session?";
const SAID: &str = "allow";

fn begun(id: &str, title: &Value) -> Value {
    let deny = json!([{ "permission": "*", "pattern": "*", "action": "deny" }]);
    json!({ "id": id, "title": title, "directory": "/state", "permission": deny })
}

fn spoken() -> Answer {
    let info = json!({ "role": "assistant", "finish": "stop" });
    Answer::Json(200, json!({ "info": info, "parts": [{ "type": "text", "text": SAID }] }))
}

/// The server begins so many sessions that can be asked, `ses_0` first. Gives how many there are, and the most there were.
fn begins(fake: &Fake, count: usize, saying: &Answer) -> Arc<Mutex<(usize, usize)>> {
    let alive = Arc::<Mutex<(usize, usize)>>::default();
    let (number, more) = (AtomicUsize::new(0), Arc::clone(&alive));
    fake.on("GET /path", Answer::Json(200, json!({ "state": "/state" })));
    fake.on(
        "POST /session",
        Answer::made(move |seen| {
            let mut alive = more.lock().unwrap();
            alive.0 += 1;
            alive.1 = alive.1.max(alive.0);
            let id = format!("ses_{}", number.fetch_add(1, Ordering::SeqCst));
            Answer::Json(200, begun(&id, &seen.body["title"]))
        }),
    );
    for number in 0..count {
        fake.on(&format!("POST /session/ses_{number}/message"), saying.clone());
        fake.on(&format!("POST /session/ses_{number}/abort"), Answer::Json(200, json!(true)));
        let less = Arc::clone(&alive);
        let ended = Answer::made(move |_| {
            less.lock().unwrap().0 -= 1;
            Answer::Json(200, json!(true))
        });
        fake.on(&format!("DELETE /session/ses_{number}"), ended);
    }
    alive
}

async fn asks(connection: &Connection) -> Result<String, gavel_opencode::Error> {
    let said = connection.ask_model("May it?", None, || "m1".to_owned()).await;
    said.map(|said| said.text)
}

fn asked(fake: &Fake) -> usize {
    fake.seen("POST /session/ses_").iter().filter(|seen| seen.line.contains("/message?")).count()
}

#[tokio::test]
async fn a_server_has_three_sessions_of_ours_at_most() {
    let fake = Fake::start().await;
    let go_on = Arc::new(Notify::new());
    let alive = begins(&fake, 10, &Answer::Held(Arc::clone(&go_on), Box::new(spoken())));
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let begin = |_| {
        let connection = watched.connection.clone();
        tokio::spawn(async move { asks(&connection).await })
    };
    let mut all: Vec<JoinHandle<_>> = (0..3).map(begin).collect();
    until("three to be asked", || asked(&fake) == 3).await;
    all.extend((0..7).map(begin));
    // Who waits no more makes room for others.
    for waiting in all.drain(8..) {
        tokio::task::yield_now().await;
        waiting.abort();
        assert!(waiting.await.unwrap_err().is_cancelled());
    }
    // Whatever was to be sent is sent by the time that this is answered.
    assert_eq!(watched.connection.sweep(&["none".to_owned()]).await, Ok(0));
    assert_eq!((fake.seen(BEGIN).len(), *alive.lock().unwrap()), (3, (3, 3)));
    // One that is given up while it is asked is ended before another one begins.
    all.remove(0).abort();
    until("a fourth to be asked", || asked(&fake) == 4).await;
    until("all to be answered", || {
        go_on.notify_one();
        all.iter().all(JoinHandle::is_finished)
    })
    .await;
    for one in all {
        assert_eq!(one.await.unwrap(), Ok(SAID.to_owned()));
    }
    until("all to be ended", || alive.lock().unwrap().0 == 0).await;
    assert_eq!((fake.seen(BEGIN).len(), alive.lock().unwrap().1), (8, 3));
}

#[tokio::test]
async fn what_is_left_over_is_ended_before_the_next_begins() {
    let fake = Fake::start().await;
    begins(&fake, 2, &spoken());
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let healthy = Answer::Json(200, json!(true));
    // It begins only after it was looked for.
    fake.on("POST /session", Answer::Raw(Vec::new()));
    assert!(asks(&watched.connection).await.is_err());
    let title = fake.seen(BEGIN)[0].body["title"].clone();
    let others = begun("others", &json!("Gavel asks for an opinion m1 0"));
    fake.on("GET /session", Answer::Json(200, json!([begun("late", &title), others])));
    fake.on("POST /session/late/abort", healthy.clone());
    // The server fails to end it at first.
    fake.on("DELETE /session/late", Answer::Json(500, json!({})).times(1, healthy));
    begins(&fake, 2, &spoken());
    for again in [false, true] {
        if again {
            // As after the server is connected to anew.
            assert_eq!(watched.connection.sweep(&[]).await, Ok(0));
            assert_eq!(fake.seen("DELETE /session/late").len(), 2);
        }
        assert_eq!(asks(&watched.connection).await, Ok(SAID.to_owned()));
    }
    let order: Vec<String> = fake.seen("").into_iter().map(|seen| seen.line).collect();
    let order: Vec<&str> = order.iter().filter_map(|line| line.split('?').next()).collect();
    let order: Vec<&str> =
        order.into_iter().filter(|line| *line == "POST /session" || line.starts_with("DELETE ")).collect();
    let late = "DELETE /session/late";
    let expected = ["POST /session", late, "POST /session", "DELETE /session/ses_0", late, "POST /session"];
    assert_eq!(order[..6], expected);
    assert_eq!((fake.seen(late).len(), fake.seen("DELETE /session/others").len()), (2, 0));
}
