//! Servers that are broken, and things that are no OpenCode.

use std::time::Duration;

use gavel_core::Link;
use gavel_core::flow::{Event, WireEvent};
use gavel_opencode::Tuning;
use gavel_opencode::http::Limits;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use crate::support::{Answer, Fake, Watched, hurried, listed, whole};

/// The first state after the connecting one.
async fn state_of(watched: &mut Watched) -> Link {
    assert_eq!(watched.link().await, Link::Connecting);
    watched.link().await
}

#[tokio::test]
async fn what_is_no_opencode_is_said_in_plain_words() {
    let json = |status, body: &str| Answer::Raw(whole(status, "application/json", body));
    let cases = [
        ("a web page", Answer::Page(200), "the server answered with a web page where data was due"),
        ("a page that is missing", Answer::Page(404), "the server answered with a web page where data was due"),
        ("a redirect", Answer::Page(302), "the server answered 302"),
        ("text", Answer::Raw(whole(200, "text/plain", "{\"healthy\":true}")), "it is not JSON"),
        ("truncated JSON", json(200, "{\"healthy\":tr"), "could not be understood"),
        ("other JSON", json(200, "[1]"), "could not be understood"),
        ("a sick one", json(200, "{\"healthy\":false,\"version\":\"1.18.33\"}"), "does not say that it is healthy"),
        ("one without a version", json(200, "{\"healthy\":true}"), "does not name a version"),
        ("SSH", Answer::Raw(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()), "does not speak HTTP"),
        ("garbage", Answer::Raw(vec![0xFF; 300]), "does not speak HTTP"),
    ];
    for (name, answer, expected) in cases {
        let fake = Fake::start().await;
        fake.on("GET /global/health", answer);
        let mut watched = Watched::new(&fake.url);
        let Link::NotOpenCode { reason, gone: false } = state_of(&mut watched).await else { panic!("{name}") };
        let reason = reason.to_string();
        assert!(reason.contains(expected), "{name}: {reason}");
        assert!(!reason.contains("reqwest") && !reason.contains("hyper") && !reason.ends_with('.'), "{reason}");
    }
}

#[tokio::test]
async fn a_server_in_trouble_is_offline_not_foreign() {
    let cases = [
        ("overloaded", Answer::Json(503, json!({})), "the server answered 503"),
        ("cut off", Answer::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{".to_vec()), "the connection broke off"),
        ("nothing at all", Answer::Raw(Vec::new()), "the connection broke off"),
    ];
    for (name, answer, expected) in cases {
        let fake = Fake::start().await;
        fake.on("GET /global/health", answer);
        let mut watched = Watched::new(&fake.url);
        let link = state_of(&mut watched).await;
        assert_eq!(
            link,
            Link::Offline { reason: gavel_core::text::Message::verbatim(expected), gone: false },
            "{name}"
        );
        fake.on("GET /global/health", Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" })));
        watched.online().await;
    }
}

#[tokio::test]
async fn a_stream_that_is_none_is_noticed() {
    for (answer, expected) in [
        (Answer::Page(200), "the server answered with a web page where data was due"),
        (Answer::Json(200, json!({})), "the server's answer could not be understood: it is not an event stream"),
    ] {
        let fake = Fake::start().await;
        fake.on("GET /global/event", answer);
        let mut watched = Watched::new(&fake.url);
        assert_eq!(
            state_of(&mut watched).await,
            Link::NotOpenCode { reason: gavel_core::text::Message::verbatim(expected), gone: false }
        );
    }
}

/// A server that is just starting accepts connections and never answers them.
#[tokio::test]
async fn a_port_that_says_nothing_is_asked_again() {
    let fake = Fake::start().await;
    let healthy = Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" }));
    fake.on("GET /global/health", Answer::Silence.times(1, healthy));
    let limits = Limits { greeting: Duration::from_millis(300), ..hurried().limits };
    let mut watched = Watched::tuned(&fake.url, None, Tuning { limits, ..hurried() });
    let link = state_of(&mut watched).await;
    assert_eq!(
        link,
        Link::Offline { reason: gavel_core::text::Message::verbatim("no answer within 0.3 s"), gone: false }
    );
    watched.online().await;
}

#[tokio::test]
async fn a_protocol_in_which_the_server_speaks_first() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let serving = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(b"220 mail ESMTP\r\n").await.unwrap();
            let _ = stream.read(&mut [0; 1024]).await;
        }
    });
    let mut watched = Watched::new(&url);
    let Link::NotOpenCode { reason, gone: false } = state_of(&mut watched).await else { panic!("it is not OpenCode") };
    assert_eq!(reason, "something answers at this address, but it does not speak HTTP");
    watched.connection.close().await;
    serving.abort();
}

#[tokio::test]
async fn a_host_that_has_no_address() {
    let mut watched = Watched::new(&Url::parse("http://no-such-host.invalid:4096").unwrap());
    let link = state_of(&mut watched).await;
    assert_eq!(
        link,
        Link::Offline {
            reason: gavel_core::text::Message::verbatim("the host name could not be resolved"),
            gone: false
        }
    );
}

#[tokio::test]
async fn a_port_where_nothing_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    drop(listener);
    let mut watched = Watched::new(&url);
    let link = state_of(&mut watched).await;
    assert_eq!(
        link,
        Link::Offline { reason: gavel_core::text::Message::verbatim("nothing listens at this address"), gone: true }
    );
}

#[tokio::test]
async fn frames_that_make_no_sense_are_stepped_over() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    for frame in [
        "data: {\n\n",
        "data: \n\n",
        "data: []\n\n",
        "data: \"x\"\n\n",
        "data: {\"payload\":3}\n\n",
        "data: {\"payload\":{\"type\":7}}\n\n",
        "data: {\"payload\":{\"type\":\"permission.asked\"}}\n\n",
        "data: {\"payload\":{\"type\":\"permission.asked\",\"properties\":{\"id\":\"per_1\"}}}\n\n",
        "data: {\"payload\":{\"type\":\"brand.new\",\"properties\":{}}}\n\n",
        "data: <html>\n\n",
        ": \u{FFFF}\n\n",
    ] {
        fake.send(frame);
    }
    fake.say("permission.asked", listed("per_9", "ses_1"));
    let id = watched
        .said("the request", |event| if let WireEvent::Asked(ask) = event { Some(ask.key.request.0) } else { None })
        .await;
    assert_eq!(id, "per_9");
    assert_eq!(fake.seen("GET /global/event").len(), 1);
}

#[tokio::test]
async fn a_command_of_a_megabyte_arrives_whole() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    let command = format!("echo {}\u{202E}жук", "x".repeat(1024 * 1024));
    let mut long = listed("per_1", "ses_1");
    long["metadata"]["command"] = command.clone().into();
    fake.say("permission.asked", long);
    let ask =
        watched.said("the request", |event| if let WireEvent::Asked(ask) = event { Some(ask) } else { None }).await;
    assert_eq!(ask.detail.command, Some(command));
}

/// Largest memory this process has held, in bytes.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_event_of_300_megabytes_is_dropped_without_being_held() {
    // Plainly sent by a task of its own: the fake would hold it all.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let serving = tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = vec![0; 4096];
            let read = stream.read(&mut head).await.unwrap();
            if !head[..read].starts_with(b"GET /global/event") {
                let body = if head[..read].starts_with(b"GET /global/health") {
                    "{\"healthy\":true,\"version\":\"1.18.33\"}"
                } else {
                    "[]"
                };
                stream.write_all(&whole(200, "application/json", body)).await.unwrap();
                continue;
            }
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hi\n\ndata: ";
            stream.write_all(head.as_bytes()).await.unwrap();
            tokio::spawn(async move {
                let chunk = vec![b'x'; 1024 * 1024];
                for _ in 0..300 {
                    stream.write_all(&chunk).await.unwrap();
                }
                let event = json!({ "directory": "/p", "payload": {
                    "type": "permission.asked", "properties": listed("per_1", "ses_1") } });
                stream.write_all(format!("\n\ndata: {event}\n\n").as_bytes()).await.unwrap();
                let _ = stream.read(&mut [0; 16]).await;
            });
        }
    });
    let before = peak();
    let mut watched = Watched::new(&url);
    watched
        .next("the request behind it", |event| matches!(event, Event::Wire(_, WireEvent::Asked(_))).then_some(()))
        .await;
    let grown = peak() - before;
    assert!(grown < 120 * 1024 * 1024, "{} MiB", grown / 1024 / 1024);
    watched.connection.close().await;
    serving.abort();
}
