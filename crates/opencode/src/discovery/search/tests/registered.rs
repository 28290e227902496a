//! Servers that are found by what they say in a file.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::super::*;
use crate::discovery::service::fake::{PASSWORD, Reply, Service, TRAVELLING, credentials, info, registration, write};

const PID: u64 = 4242;

fn protected() -> Reply {
    Reply::To(TRAVELLING.to_owned(), info(PID))
}

fn places(folder: &Path) -> Places {
    Places { registrations: Some(folder.to_owned()), ..Places::default() }
}

fn found(id: &ServerId) -> Sighting {
    let version = Some("2.1.2".to_owned());
    Sighting::Found(Found { id: id.clone(), version, credentials: credentials() })
}

fn scene() -> (TempDir, Search) {
    let folder = tempfile::tempdir().unwrap();
    let search = Search::new(places(folder.path())).unwrap();
    (folder, search)
}

#[tokio::test]
async fn a_server_found_twice_is_one_server() {
    let service = Service::start(protected()).await;
    let (folder, mut search) = scene();
    search.places.addresses.push(service.id.clone());
    let without_password = Found { id: service.id.clone(), version: None, credentials: None };
    assert_eq!(search.look().await, [Sighting::Found(without_password)], "it wants a password");
    let mut content = registration(&service.id, PID);
    let port = service.id.as_str().rsplit(':').next().unwrap();
    content["url"] = Value::from(format!("http://localhost:{port}/"));
    write(folder.path(), "service.json", &content);
    assert_eq!(search.look().await, [found(&service.id)], "and now the password is known");
    for _ in 0..30 {
        assert_eq!(search.look().await, []);
    }
    assert_eq!(search.known.len(), 1);

    let (folder, mut search) = scene();
    search.places.addresses.push(service.id.clone());
    write(folder.path(), "service.json", &content);
    assert_eq!(search.look().await, [found(&service.id)], "both at once");
    assert_eq!(search.look().await, []);
    service.stop().await;
}

/// A living service writes its file again. What still listens when it doesn't may be anybody.
#[tokio::test]
async fn without_its_file_a_service_is_there_for_a_moment_only() {
    let service = Service::start(protected()).await;
    let (folder, mut search) = scene();
    let content = registration(&service.id, PID);
    let file = folder.path().join("service.json");
    for _ in 0..3 {
        write(folder.path(), "service.json", &content);
        search.look().await;
        std::fs::remove_file(&file).unwrap();
        assert_eq!(search.look().await, [], "missed once, and written again");
    }
    assert_eq!(search.look().await, [Sighting::Lost(service.id.clone())]);
    assert_eq!(search.look().await, []);
    write(folder.path(), "service.json", &content);
    assert_eq!(search.look().await, [found(&service.id)], "it is back");
    service.stop().await;
}

#[tokio::test]
async fn a_crash_leaves_a_file_but_no_server() {
    let service = Service::start(protected()).await;
    let (folder, mut search) = scene();
    write(folder.path(), "service.json", &registration(&service.id, PID));
    assert_eq!(search.look().await, [found(&service.id)]);
    let id = service.id.clone();
    let address = service.stop().await;
    assert_eq!(search.look().await, []);
    assert_eq!(search.look().await, [Sighting::Lost(id.clone())]);
    for _ in 0..5 {
        assert_eq!(search.look().await, []);
    }
    // It starts again in the same place, by the same password.
    let service = Service::start_at(&address, Reply::To(TRAVELLING.to_owned(), info(PID + 1))).await;
    write(folder.path(), "service.json", &registration(&id, PID + 1));
    assert_eq!(search.look_at_services(false).await, [found(&id)]);
    service.stop().await;
}

#[tokio::test]
async fn what_took_the_place_of_a_service_is_not_that_service() {
    let service = Service::start(protected()).await;
    let (folder, mut search) = scene();
    write(folder.path(), "service.json", &registration(&service.id, PID));
    assert_eq!(search.look().await, [found(&service.id)]);
    // The same port, but something else: it listens, so only asking tells.
    service.say(Reply::Json(200, info(PID + 1)));
    let mut seen = Vec::new();
    for _ in 0..30 {
        seen.extend(search.look().await);
    }
    assert_eq!(seen, [Sighting::Lost(service.id.clone())]);
    service.stop().await;
}

#[tokio::test]
async fn a_busy_service_is_not_lost() {
    let service = Service::start(protected()).await;
    let (folder, mut search) = scene();
    write(folder.path(), "service.json", &registration(&service.id, PID));
    assert_eq!(search.look().await, [found(&service.id)]);
    service.say(Reply::Silence);
    // Until it was asked again, and twice.
    while service.asked().len() < 3 {
        assert_eq!(search.look().await, []);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_restart_elsewhere_is_a_new_server_and_one_in_place_is_not() {
    let first = Service::start(protected()).await;
    let (folder, mut search) = scene();
    write(folder.path(), "service.json", &registration(&first.id, PID));
    assert_eq!(search.look().await, [found(&first.id)]);

    let mut content = registration(&first.id, PID);
    content["password"] = Value::from("changed");
    first.say(Reply::Json(200, info(PID)));
    write(folder.path(), "service.json", &content);
    let seen = search.look().await;
    let [Sighting::Found(changed)] = seen.as_slice() else { panic!("{seen:?}") };
    assert_eq!(changed.id, first.id);
    assert_eq!(changed.credentials.as_ref().unwrap().password, "changed");

    let second = Service::start(protected()).await;
    write(folder.path(), "service.json", &registration(&second.id, PID));
    let id = first.id.clone();
    first.stop().await;
    assert_eq!(search.look().await, [found(&second.id)]);
    assert_eq!(search.look().await, [Sighting::Lost(id)]);
    second.stop().await;
}

/// Longer than any test lasts: what is seen is seen by watching.
const HARDLY_EVER: Duration = Duration::from_secs(3600);

async fn next(sightings: &mut mpsc::Receiver<Sighting>) -> Sighting {
    timeout(Duration::from_secs(20), sightings.recv()).await.expect("in time").expect("the search goes on")
}

#[tokio::test]
async fn files_are_noticed_as_they_come_and_change() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("not/yet/there");
    let (sender, mut sightings) = mpsc::channel(8);
    let _discovery = Discovery::begin(places(&folder), HARDLY_EVER, sender).unwrap();
    let first = Service::start(protected()).await;
    std::fs::create_dir_all(&folder).unwrap();
    write(&folder, "service.json", &registration(&first.id, PID));
    assert_eq!(next(&mut sightings).await, found(&first.id));

    let second = Service::start(protected()).await;
    write(&folder, "service-beta.json", &registration(&second.id, PID));
    assert_eq!(next(&mut sightings).await, found(&second.id));

    first.say(Reply::Json(200, info(PID + 1)));
    let mut content = registration(&first.id, PID + 1);
    content["password"] = Value::from("changed");
    // Not renamed over, but written in place.
    std::fs::write(folder.join("service.json"), content.to_string()).unwrap();
    let Sighting::Found(changed) = next(&mut sightings).await else { panic!("lost") };
    assert_eq!(changed.credentials.unwrap().password, "changed");
}

#[tokio::test]
async fn a_service_that_goes_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(protected()).await;
    write(folder.path(), "service.json", &registration(&service.id, PID));
    let (sender, mut sightings) = mpsc::channel(8);
    let _discovery = Discovery::begin(places(folder.path()), Duration::from_millis(20), sender).unwrap();
    assert_eq!(next(&mut sightings).await, found(&service.id));
    std::fs::remove_file(folder.path().join("service.json")).unwrap();
    let id = service.id.clone();
    service.stop().await;
    assert_eq!(next(&mut sightings).await, Sighting::Lost(id));
}

/// Keeps all that is logged.
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_password_is_never_shown() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).finish();
    // The runtime of this test has one thread, and this is it.
    let logging = tracing::subscriber::set_default(subscriber);
    // Other tests may have met the places that log while nobody listened.
    tracing::callsite::rebuild_interest_cache();
    tracing::info!("this log is open");
    let service = Service::start(protected()).await;
    let (folder, mut search) = scene();
    let good = registration(&service.id, PID);
    let mut stale = registration(&service.id, PID + 1);
    stale["url"] = Value::from("http://127.0.0.1:1");
    let mut remote = good.clone();
    remote["url"] = Value::from("http://192.0.2.1:49374");
    let mut wrong = good.clone();
    wrong["pid"] = Value::from("text");
    for (name, content) in [("", &good), ("-stale", &stale), ("-remote", &remote), ("-wrong", &wrong)] {
        write(folder.path(), &format!("service{name}.json"), content);
    }
    std::fs::write(folder.path().join("service-torn.json"), format!(r#"{{"password":"{PASSWORD}","#)).unwrap();
    let seen = search.look().await;
    assert_eq!(seen, [found(&service.id)]);
    search.look().await;
    let shown = format!("{seen:?} {search:#?}");
    drop(logging);
    let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("this log is open"), "{logged}");
    for (what, text) in [("Debug", shown), ("the log", logged)] {
        // Neither as it is, nor as it travels.
        assert!(!text.contains(PASSWORD), "{what}: {text}");
        assert!(!text.contains(TRAVELLING.strip_prefix("Basic ").unwrap()), "{what}: {text}");
    }
    service.stop().await;
}
