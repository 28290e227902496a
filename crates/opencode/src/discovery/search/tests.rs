use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::*;
use crate::discovery::service::fake::{Reply, Service, info};

mod registered;

/// Answers every request with `answer`, and counts them.
struct Server {
    id: ServerId,
    asked: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Server {
    async fn start(at: &str, answer: &'static str) -> Self {
        let listener = TcpListener::bind(at).await.unwrap();
        let id = ServerId(format!("http://{}", listener.local_addr().unwrap()));
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let count = Arc::clone(&count);
                tokio::spawn(async move {
                    // A mere connection without a request isn't counted.
                    if stream.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {
                        count.fetch_add(1, Ordering::SeqCst);
                        stream.write_all(answer.as_bytes()).await.unwrap();
                    }
                });
            }
        });
        Self { id, asked, task }
    }

    async fn stop(self) -> String {
        self.task.abort();
        assert!(self.task.await.unwrap_err().is_cancelled());
        self.id.0
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

const OPENCODE: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: 36\r\nconnection: close\r\n\r\n{\"healthy\":true,\"version\":\"1.18.33\"}";
const PROTECTED: &str = "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic realm=\"Secure Area\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const PROTECTED_2: &str = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: 43\r\nconnection: close\r\n\r\n{\"_tag\":\"UnauthorizedError\",\"message\":\"no\"}";
const SHOP: &str = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: 33\r\nconnection: close\r\n\r\n{\"message\":\"UnauthorizedError..\"}";
const ROUTER: &str = "HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Basic realm=\"Router\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const PAGE: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>";
const DRESSED_UP: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 36\r\nconnection: close\r\n\r\n{\"healthy\":true,\"version\":\"1.18.33\"}";
const SICK: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 37\r\nconnection: close\r\n\r\n{\"healthy\":false,\"version\":\"1.18.33\"}";
const SSH: &str = "SSH-2.0-OpenSSH_9.2\r\n";

fn search(addresses: Vec<ServerId>) -> Search {
    Search::new(Places { addresses, ..Places::default() }).unwrap()
}

#[tokio::test]
async fn tells_what_answers() {
    let cases = [
        (OPENCODE, Probed::Found { version: "1.18.33".to_owned() }),
        (PROTECTED, Probed::NeedsPassword),
        (PROTECTED_2, Probed::NeedsPassword),
        (SHOP, Probed::NotOpenCode),
        (ROUTER, Probed::NotOpenCode),
        (PAGE, Probed::NotOpenCode),
        (DRESSED_UP, Probed::NotOpenCode),
        (SICK, Probed::NotOpenCode),
        (SSH, Probed::NotOpenCode),
        ("HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n", Probed::Unclear),
    ];
    for (answer, expected) in cases {
        let server = Server::start("127.0.0.1:0", answer).await;
        let url = Url::parse(server.id.as_str()).unwrap();
        assert_eq!(Prober::new().unwrap().probe(&url).await, expected, "{answer}");
        server.stop().await;
        assert_eq!(Prober::new().unwrap().probe(&url).await, Probed::Gone, "{answer}, stopped");
    }
}

#[tokio::test]
async fn finds_once_and_loses_only_what_is_gone_twice() {
    let server = Server::start("127.0.0.1:0", OPENCODE).await;
    let id = server.id.clone();
    let mut search = search(vec![id.clone()]);
    let found = Sighting::Found(Found { id: id.clone(), version: Some("1.18.33".to_owned()), credentials: None });
    assert_eq!(search.look().await, std::slice::from_ref(&found));
    for _ in 0..5 {
        assert_eq!(search.look().await, []);
    }
    assert_eq!(server.asked(), 1, "a server that is known is not asked again");

    let address = server.stop().await;
    assert_eq!(search.look().await, [], "missed once");
    let server = Server::start(address.strip_prefix("http://").unwrap(), OPENCODE).await;
    assert_eq!(search.look().await, [], "it was only restarting");
    server.stop().await;
    assert_eq!(search.look().await, []);
    assert_eq!(search.look().await, [Sighting::Lost(id.clone())]);
    assert_eq!(search.look().await, []);

    let server = Server::start(address.strip_prefix("http://").unwrap(), OPENCODE).await;
    assert_eq!(search.look().await, [found], "found anew");
    server.stop().await;
}

#[tokio::test]
async fn a_protected_server_is_found() {
    let server = Server::start("127.0.0.1:0", PROTECTED).await;
    let found = search(vec![server.id.clone()]).look().await;
    let [Sighting::Found(found)] = found.as_slice() else { panic!("{found:?}") };
    assert!(found.needs_password());
    server.stop().await;
}

#[tokio::test]
async fn a_foreground_server_of_either_generation_is_found() {
    let server = Service::start(Reply::Info(info(1))).await;
    let found = Found { id: server.id.clone(), version: Some("2.1.2".to_owned()), credentials: None };
    assert_eq!(search(vec![server.id.clone()]).look().await, [Sighting::Found(found)]);
    assert!(server.asked().iter().all(|(_, told)| told.is_none()), "no password is tried");
    let server = Server::start("127.0.0.1:0", OPENCODE).await;
    let found = Found { id: server.id.clone(), version: Some("1.18.33".to_owned()), credentials: None };
    assert_eq!(search(vec![server.id.clone()]).look().await, [Sighting::Found(found)]);
    server.stop().await;
}

#[tokio::test]
async fn something_else_is_seldom_asked() {
    let server = Server::start("127.0.0.1:0", PAGE).await;
    let mut search = search(vec![server.id.clone()]);
    assert_eq!(search.look().await, []);
    let first = server.asked();
    for _ in 0..PATIENCE {
        assert_eq!(search.look().await, []);
    }
    assert_eq!(server.asked(), first);
    assert_eq!(search.look().await, []);
    assert!(server.asked() > first);
    server.stop().await;
}

#[tokio::test]
async fn looks_again_and_again_until_dropped() {
    let first = Server::start("127.0.0.1:0", OPENCODE).await;
    let (sender, mut sightings) = mpsc::channel(8);
    let places = Places { addresses: vec![first.id.clone()], ..Places::default() };
    let discovery = Discovery::begin(places, Duration::from_millis(10), sender).unwrap();
    let next = async |sightings: &mut mpsc::Receiver<Sighting>| {
        timeout(Duration::from_secs(10), sightings.recv()).await.expect("in time")
    };
    assert!(matches!(next(&mut sightings).await, Some(Sighting::Found(found)) if found.id == first.id));
    let id = ServerId(first.stop().await);
    assert_eq!(next(&mut sightings).await, Some(Sighting::Lost(id)));
    drop(discovery);
    assert_eq!(next(&mut sightings).await, None, "the task has ended");
}
