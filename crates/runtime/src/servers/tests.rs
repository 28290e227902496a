use std::time::Duration;

use gavel_core::flow::WireEvent;
use gavel_stand_in::{Options, StandIn, Switches};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::*;

const DEADLINE: Duration = Duration::from_secs(20);

/// A server that turns everybody away, and notes what it was told about them.
struct Doorkeeper {
    id: ServerId,
    told: mpsc::UnboundedReceiver<Option<String>>,
}

impl Doorkeeper {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let id = server_id(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        let (tells, told) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") && stream.read_buf(&mut head).await.is_ok_and(|read| read > 0) {}
                let head = String::from_utf8(head).unwrap();
                let header = head.lines().find_map(|line| line.strip_prefix("authorization: "));
                let body = r#"{"_tag":"UnauthorizedError","message":"no"}"#;
                let answer = format!(
                    "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
                if tells.send(header.map(str::to_owned)).is_err() {
                    return;
                }
            }
        });
        Self { id, told }
    }

    /// Returns when somebody came who said this about themselves.
    async fn hears(&mut self, expected: Option<&Credentials>) {
        let expected = expected.map(|credentials| credentials.password.as_str());
        timeout(DEADLINE, async { while decoded(self.told.recv().await.unwrap()).as_deref() != expected {} })
            .await
            .unwrap_or_else(|_| panic!("nobody came who said {expected:?}"));
    }
}

/// The password in a header, one of those that are used here.
fn decoded(header: Option<String>) -> Option<String> {
    let known = [
        ("Basic b3BlbmNvZGU6Zmlyc3Q=", "first"),
        ("Basic b3BlbmNvZGU6c2Vjb25k", "second"),
        ("Basic b3BlbmNvZGU6dGhpcmQ=", "third"),
        ("Basic b3BlbmNvZGU6bWluZQ==", "mine"),
    ];
    header.map(|header| known.iter().find(|(sent, _)| *sent == header).expect("a password of these tests").1.to_owned())
}

fn with(password: &str) -> Option<Credentials> {
    Some(Credentials { username: "opencode".to_owned(), password: password.to_owned() })
}

fn found(id: &ServerId, credentials: Option<Credentials>) -> Sighting {
    Sighting::Found(Found { id: id.clone(), version: Some("2.1.2".to_owned()), credentials })
}

struct Scene {
    servers: Servers,
    messages: mpsc::UnboundedReceiver<Message>,
    settings: Settings,
}

impl Scene {
    fn new(places: Places) -> Self {
        let (sender, messages) = mpsc::unbounded_channel();
        // Who was turned away comes again only with something new to say.
        let tuning = Tuning { slow_pause: Duration::from_secs(3600), ..Tuning::default() };
        let mut servers = Servers::new(sender, Secrets::Nowhere, tuning);
        servers.places = places;
        Self { servers, messages, settings: Settings::default() }
    }

    fn queued(&self) -> usize {
        self.servers.watched.values().filter_map(|known| known.heard.as_ref()).map(mpsc::Receiver::len).sum()
    }

    /// Does what the driver does until a connection was opened.
    async fn until_connected(&mut self) {
        loop {
            match timeout(DEADLINE, self.messages.recv()).await.unwrap().unwrap() {
                Message::Sighting(sighting) => drop(self.servers.sighted(sighting, &self.settings)),
                Message::Fetched(stay, credentials) if self.servers.lasts(&stay) => {
                    return self.servers.connect(&stay.server, credentials);
                }
                Message::Fetched(..) => {}
                _ => panic!("another message"),
            }
        }
    }
}

#[tokio::test]
async fn a_found_password_is_used_and_follows_its_file() {
    let mut door = Doorkeeper::start().await;
    let mut scene = Scene::new(Places::default());
    let event = scene.servers.sighted(found(&door.id, with("first")), &scene.settings);
    let Some(Event::ServerAdded(info)) = event else { panic!("{event:?}") };
    assert_eq!((&info.id, info.origin), (&door.id, Origin::Discovered));
    scene.until_connected().await;
    door.hears(with("first").as_ref()).await;
    assert_eq!(scene.servers.sighted(found(&door.id, with("second")), &scene.settings), None);
    door.hears(with("second").as_ref()).await;
    assert_eq!(
        scene.servers.sighted(Sighting::Lost(door.id.clone()), &scene.settings),
        Some(Event::ServerRemoved(door.id.clone()))
    );
    assert!(scene.servers.connection(&door.id).is_none());
    assert_eq!(scene.settings, Settings::default(), "it is kept nowhere");
}

#[tokio::test]
async fn what_the_user_gave_comes_first() {
    let mut door = Doorkeeper::start().await;
    let mut scene = Scene::new(Places::default());
    scene.servers.sighted(found(&door.id, None), &scene.settings).unwrap();
    scene.until_connected().await;
    door.hears(None).await;
    scene.servers.connect(&door.id, with("mine"));
    door.hears(with("mine").as_ref()).await;
    scene.servers.sighted(found(&door.id, with("first")), &scene.settings);
    scene.servers.sighted(found(&door.id, with("second")), &scene.settings);
    // The user takes it back: now the newest of the file is used, and nothing else was in between.
    scene.servers.connect(&door.id, None);
    assert_eq!(decoded(timeout(DEADLINE, door.told.recv()).await.unwrap().unwrap()).as_deref(), Some("second"));
}

#[tokio::test]
async fn a_server_of_the_settings_uses_a_found_password_until_it_is_gone() {
    let mut door = Doorkeeper::start().await;
    let mut scene = Scene::new(Places::default());
    scene.settings.servers.push(ServerSetting { url: format!("{}/", door.id), name: String::new() });
    scene.servers.watch_configured(&scene.settings, None);
    scene.until_connected().await;
    door.hears(None).await;
    assert_eq!(scene.servers.sighted(found(&door.id, with("third")), &scene.settings), None);
    door.hears(with("third").as_ref()).await;
    assert_eq!(scene.servers.sighted(Sighting::Lost(door.id.clone()), &scene.settings), None);
    door.hears(None).await;
    assert!(scene.servers.connection(&door.id).is_some());
}

/// The whole way, from the file to the connection.
#[tokio::test]
async fn a_registered_service_is_connected_to_with_its_password() {
    let state = tempfile::tempdir().unwrap();
    let registrations = Some(state.path().join("opencode"));
    let mut scene = Scene::new(Places { registrations, ..Places::default() });
    assert_eq!(scene.servers.discover(true), []);
    let switches = Switches { state_home: Some(state.path().to_owned()), ..Switches::default() };
    let options = Options { password: Some("known only to its file".to_owned()), ..Options::v2(switches) };
    let server = StandIn::start(options).await.unwrap();
    scene.until_connected().await;
    let id = server_id(&server.url()).unwrap();
    let version = timeout(DEADLINE, async {
        loop {
            match scene.servers.next().await {
                Event::Link(from, Link::Online { version, .. }) if from == id => return version,
                Event::Link(_, Link::Connecting) => {}
                other => panic!("{other:?}"),
            }
        }
    });
    assert_eq!(version.await.expect("it is connected to in time"), "2.1.2");
    assert_eq!(scene.servers.discover(false), [id]);
}

/// What a server said before it was removed belongs to nobody, also if it is watched again at once.
#[tokio::test]
async fn what_an_earlier_connection_heard_does_not_reach_the_next_one() {
    let server = StandIn::start(Options::default()).await.unwrap();
    let session = server.create_session("/p", "Tidy up");
    server.prompt(&session, "shell touch a").unwrap();
    let mut scene = Scene::new(Places::default());
    scene.settings.servers.push(ServerSetting { url: server.url(), name: String::new() });
    let id = server_id(&server.url()).unwrap();
    scene.servers.watch_configured(&scene.settings, None);
    scene.until_connected().await;
    // Nobody takes what it says, until it has said it all.
    timeout(DEADLINE, async {
        while scene.queued() < 6 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    scene.servers.unwatch(&id);
    assert!(server.reply(&server.pending()[0].id, gavel_stand_in::Reply::Once, None));
    scene.servers.watch_configured(&scene.settings, None);
    scene.until_connected().await;
    let mut heard = Vec::new();
    while !matches!(heard.last(), Some(Event::Wire(_, WireEvent::InSync))) {
        heard.push(timeout(DEADLINE, scene.servers.next()).await.unwrap());
    }
    let asked = |event: &&Event| matches!(event, Event::Wire(_, WireEvent::Asked(_) | WireEvent::Listed { .. }));
    let named: Vec<&Event> =
        heard.iter().filter(asked).filter(|event| format!("{event:?}").contains("touch a")).collect();
    assert_eq!(named, Vec::<&Event>::new());
}
