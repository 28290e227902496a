use std::time::Instant;

use serde_json::json;

use super::super::fake::{PASSWORD, Reply, Service, TRAVELLING, credentials, info};
use super::*;

const PID: u64 = 4242;

fn registration(service: &Service) -> Registration {
    Registration {
        server: service.id.clone(),
        pid: PID,
        start: None,
        version: Some("2.1.2".to_owned()),
        credentials: credentials(),
    }
}

fn ready() -> Liveness {
    Liveness::Ready { version: "2.1.2".to_owned() }
}

#[tokio::test]
async fn believes_only_what_the_service_itself_says() {
    let text = |status, kind, text: &str| Reply::Text(status, kind, text.to_owned());
    let cases = [
        (Reply::Json(200, info(PID)), ready()),
        (Reply::Json(299, info(PID)), ready()),
        (Reply::To(TRAVELLING.to_owned(), info(PID)), ready()),
        (Reply::Json(500, info(PID)), Liveness::Failed),
        (Reply::Json(503, info(PID)), Liveness::Starting),
        (Reply::Json(425, info(PID)), Liveness::Starting),
        (Reply::Json(404, info(PID)), Liveness::OtherProtocol),
        (text(404, "text/html", "<html>"), Liveness::OtherProtocol),
        (text(404, "text/plain", ""), Liveness::OtherProtocol),
        (Reply::Json(200, info(PID + 1)), Liveness::Stale),
        (Reply::Json(503, info(PID + 1)), Liveness::Stale),
        (Reply::Json(200, json!({ "version": "2.1.3", "pid": PID })), Liveness::Stale),
        (Reply::Json(200, json!({ "pid": PID })), Liveness::Stale),
        (Reply::Json(200, json!({ "version": "2.1.2" })), Liveness::Stale),
        (Reply::Json(200, json!({ "version": "2.1.2", "pid": "4242" })), Liveness::Stale),
        (Reply::Json(500, json!({ "_tag": "UnknownError", "message": "no" })), Liveness::Stale),
        (Reply::To("Basic b3RoZXI=".to_owned(), info(PID)), Liveness::Stale),
        (text(200, "text/html", "<html>"), Liveness::Stale),
        (text(200, "text/html", &info(PID).to_string()), Liveness::Stale),
        (text(200, "application/json", "{"), Liveness::Stale),
    ];
    for (reply, expected) in cases {
        let service = Service::start(reply.clone()).await;
        let registration = registration(&service);
        assert_eq!(ask(client().unwrap(), &registration).await, expected, "{reply:?}");
        service.stop().await;
        assert_eq!(ask(client().unwrap(), &registration).await, Liveness::Stale, "{reply:?}, stopped");
    }
}

#[tokio::test]
async fn a_registration_need_not_name_a_version_or_a_password() {
    let service = Service::start(Reply::Json(200, json!({ "version": "2.9.9", "pid": PID }))).await;
    let registration = Registration { version: None, credentials: None, ..registration(&service) };
    let expected = Liveness::Ready { version: "2.9.9".to_owned() };
    assert_eq!(ask(client().unwrap(), &registration).await, expected);
    assert_eq!(service.asked(), [("/api/info".to_owned(), None)]);
}

#[tokio::test]
async fn the_password_goes_nowhere_else() {
    let other = Service::start(Reply::Json(200, info(PID))).await;
    let service = Service::start(Reply::Elsewhere(format!("{}/api/info", other.id.as_str()))).await;
    assert_eq!(ask(client().unwrap(), &registration(&service)).await, Liveness::Stale);
    assert_eq!(service.asked(), [("/api/info".to_owned(), Some(TRAVELLING.to_owned()))]);
    assert_eq!(other.asked(), []);
    assert!(!format!("{:?}", registration(&service)).contains(PASSWORD));
}

#[tokio::test]
async fn silence_has_an_end() {
    let service = Service::start(Reply::Silence).await;
    let began = Instant::now();
    assert_eq!(ask(client().unwrap(), &registration(&service)).await, Liveness::Silent);
    assert!(began.elapsed() >= PATIENCE);
}
