use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::fake::{PASSWORD, Reply, Service, credentials, info, registration, write};
use super::*;

const PID: u64 = 4242;

struct Scene {
    folder: TempDir,
    services: Services,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let services = Services::new(folder.path().to_owned()).unwrap();
        Self { folder, services }
    }

    fn write(&self, name: &str, content: &serde_json::Value) {
        write(self.folder.path(), name, content);
    }

    async fn look(&mut self) -> Vec<Heard> {
        self.services.look(true).await
    }
}

fn found(service: &Service) -> Heard {
    Heard::Ready(Found { id: service.id.clone(), version: Some("2.1.2".to_owned()), credentials: credentials() })
}

#[tokio::test]
async fn a_service_that_is_ready_is_rarely_asked_again() {
    let service = Service::start(Reply::Json(200, info(PID))).await;
    let mut scene = Scene::new();
    scene.write("service.json", &registration(&service.id, PID));
    assert_eq!(scene.look().await, [found(&service)]);
    for _ in 0..PATIENCE {
        // It writes its file again and again while it lives.
        scene.write("service.json", &registration(&service.id, PID));
        assert_eq!(scene.look().await, []);
    }
    assert_eq!(service.asked().len(), 1);
    assert_eq!(scene.look().await, [found(&service)], "it is time to ask again");
    fs::remove_file(scene.folder.path().join("service.json")).unwrap();
    assert_eq!(scene.look().await, [], "without a file nothing is known, good or bad");
    assert_eq!(service.asked().len(), 2);
}

#[tokio::test]
async fn a_service_that_starts_is_asked_until_it_is_ready() {
    let service = Service::start(Reply::Json(503, info(PID))).await;
    let mut scene = Scene::new();
    scene.write("service.json", &registration(&service.id, PID));
    for looks in 1..=2 * PATIENCE as usize {
        assert_eq!(scene.look().await, []);
        assert_eq!(service.asked().len(), looks);
    }
    service.say(Reply::Json(200, info(PID)));
    assert_eq!(scene.look().await, [found(&service)]);
}

#[tokio::test]
async fn a_service_that_failed_to_start_is_left_alone() {
    let service = Service::start(Reply::Json(500, info(PID))).await;
    let mut scene = Scene::new();
    scene.write("service.json", &registration(&service.id, PID));
    for _ in 0..=PATIENCE {
        assert_eq!(scene.look().await, []);
    }
    assert_eq!(service.asked().len(), 1);
    service.say(Reply::Json(200, info(PID)));
    scene.write("service.json", &registration(&service.id, PID));
    assert_eq!(scene.look().await, [found(&service)], "its file was written again");
}

#[tokio::test]
async fn a_leftover_is_asked_twice_before_it_is_called_one() {
    let replies = [Reply::Json(200, info(PID + 1)), Reply::Text(200, "text/html", "<html>".to_owned())];
    for reply in replies {
        let service = Service::start(reply).await;
        let stale = Heard::Stale(service.id.clone());
        let mut scene = Scene::new();
        scene.write("service.json", &registration(&service.id, PID));
        assert_eq!(scene.look().await, []);
        assert_eq!(scene.look().await, [stale]);
        for _ in 0..PATIENCE {
            assert_eq!(scene.look().await, []);
        }
        assert_eq!(service.asked().len(), 2);
        // Somebody puts another file in its place.
        service.say(Reply::Json(200, info(PID + 2)));
        scene.write("service.json", &registration(&service.id, PID + 2));
        assert_eq!(scene.services.look(false).await, [found(&service)], "what is new is asked about at once");
    }
}

#[tokio::test]
async fn one_wrong_answer_is_no_end() {
    let service = Service::start(Reply::Json(200, info(PID))).await;
    let mut scene = Scene::new();
    scene.write("service.json", &registration(&service.id, PID));
    assert_eq!(scene.look().await, [found(&service)]);
    for _ in 0..PATIENCE {
        assert_eq!(scene.look().await, []);
    }
    service.say(Reply::Text(200, "text/html", String::new()));
    assert_eq!(scene.look().await, []);
    service.say(Reply::Json(200, info(PID)));
    assert_eq!(scene.look().await, [found(&service)]);
    assert_eq!(service.asked().len(), 3);
}

#[tokio::test]
async fn of_two_files_about_one_service_one_counts() {
    let service = Service::start(Reply::Json(200, info(PID))).await;
    let mut scene = Scene::new();
    let other = json!({ "url": format!("{}/", service.id.as_str()), "pid": PID, "password": "another" });
    scene.write("service-beta.json", &registration(&service.id, PID));
    scene.write("service.json", &other);
    assert_eq!(scene.look().await, [found(&service)]);
    // A leftover about the same address says nothing about the service that is there.
    scene.write("service.json", &registration(&service.id, PID + 1));
    for _ in 0..=PATIENCE {
        for heard in scene.look().await {
            assert_eq!(heard, found(&service));
        }
    }
    assert!(service.asked().len() >= 5, "both were asked about again");
}

#[tokio::test]
async fn what_can_not_be_used_asks_nobody() {
    let service = Service::start(Reply::Json(200, info(PID))).await;
    let mut scene = Scene::new();
    scene.write("service.json", &json!({ "url": service.id.as_str(), "pid": "4242", "password": PASSWORD }));
    scene.write("service-remote.json", &json!({ "url": "http://192.0.2.1:49374", "pid": PID, "password": PASSWORD }));
    for name in ["service.json.lock", "service.json.pty-handoff", "service.json.tmp"] {
        scene.write(name, &registration(&service.id, PID));
    }
    assert_eq!(scene.look().await, []);
    assert_eq!(service.asked(), []);
    scene.write("service.json", &registration(&service.id, PID));
    assert_eq!(scene.look().await, [found(&service)], "it was mended");
}

#[tokio::test]
async fn files_are_left_as_they_are() {
    let mut scene = Scene::new();
    let closed = Service::start(Reply::Silence).await;
    let id = closed.id.clone();
    closed.stop().await;
    let stale = registration(&id, PID);
    scene.write("service.json", &stale);
    let before = fs::metadata(scene.folder.path().join("service.json")).unwrap().modified().unwrap();
    for _ in 0..3 {
        scene.look().await;
    }
    let after = fs::metadata(scene.folder.path().join("service.json")).unwrap().modified().unwrap();
    assert_eq!(before, after);
    assert_eq!(fs::read_to_string(scene.folder.path().join("service.json")).unwrap(), stale.to_string());
    assert_eq!(fs::read_dir(scene.folder.path()).unwrap().count(), 1);
}
