//! Faults on purpose: what a broken server, proxy or network does to one route.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// What happens to requests on a faulty route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// 200 with a web page, as a proxy's login page or the server's own fallback. Nothing takes effect.
    Html,
    /// This status, with no body. Nothing takes effect.
    Status(u16),
    /// No answer, ever. Nothing takes effect.
    Hang,
    /// The request takes effect, and the answer is never sent.
    Lost,
    /// The request takes effect, and the answer breaks off in the middle.
    Truncated,
    /// The request takes effect, after this time.
    Slow(Duration),
}

/// The faulty routes, by method and path as the routes are written: `POST /permission/{id}/reply`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults {
    routes: Arc<Mutex<HashMap<String, Fault>>>,
}

impl Faults {
    pub(crate) fn set(&self, route: &str, fault: Fault) {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).insert(route.to_owned(), fault);
    }

    pub(crate) fn clear(&self) {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn of(&self, request: &Request) -> Option<Fault> {
        let path = request.extensions().get::<MatchedPath>().map_or(request.uri().path(), MatchedPath::as_str);
        let route = format!("{} {path}", request.method());
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).get(&route).cloned()
    }
}

/// Lets a request through, or does to it what its route's fault says.
pub(crate) async fn apply(State(faults): State<Faults>, request: Request, next: Next) -> Response {
    match faults.of(&request) {
        None => next.run(request).await,
        Some(Fault::Html) => page(),
        Some(Fault::Status(status)) => {
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR).into_response()
        }
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::Lost) => {
            next.run(request).await;
            std::future::pending().await
        }
        Some(Fault::Truncated) => truncate(next.run(request).await).await,
        Some(Fault::Slow(time)) => {
            tokio::time::sleep(time).await;
            next.run(request).await
        }
    }
}

/// A web page where a client expects JSON.
pub(crate) fn page() -> Response {
    let text =
        "<!doctype html>\n<html><head><title>OpenCode</title></head><body><div id=\"root\"></div></body></html>\n";
    ([(header::CONTENT_TYPE, "text/html")], text).into_response()
}

async fn truncate(whole: Response) -> Response {
    let (mut head, body) = whole.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(bytes.slice(..bytes.len() / 2)))
}
