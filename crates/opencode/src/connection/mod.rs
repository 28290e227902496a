//! The connection to one server: one task owns its single event stream, a cheap handle sends answers.

mod agents;
mod backoff;
mod directories;
mod ends;
mod hidden;
mod judging;
mod leftovers;
mod lister;
mod listing;
mod outlet;
mod own_title;
mod rules;
mod saved;
mod tuning;
mod turns;
mod watch;
mod words;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use gavel_core::flow::{Event, Outcome, WireEvent};
use gavel_core::question::{Question, Response};
use gavel_core::rules::Rule;
use gavel_core::{Ask, Decision, Moment, Route, ServerId, SessionId, say};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use self::agents::KnownAgents;
use self::directories::Directories;
use self::ends::Ends;
use self::leftovers::Leftovers;
use self::lister::Order;
use self::outlet::Outlet;
pub use self::rules::Applied;
pub use self::saved::{Project, SavedApprovals};
pub use self::tuning::Tuning;
use self::turns::Turns;
use self::words::Words;
use crate::Error;
use crate::dialect::v2::to_wire::FormOutcome;
use crate::dialect::{Dialect, Existence, Greeting, greet, v1, v2};
use crate::http::{Credentials, Http};

/// The server to connect to.
#[derive(Debug, Clone)]
pub struct Target {
    /// By what name its events go. See [`crate::server_id`].
    pub id: ServerId,
    /// Where it is.
    pub url: Url,
    /// What it is told about who we are.
    pub credentials: Option<Credentials>,
}

/// So many heartbeats in a row don't get lost.
const HEARTBEATS: u32 = 3;

/// How many sessions are looked up, and how many are given rules, at once.
const LOOK_UPS: usize = 2;

/// The most directories that are remembered as listed. Many more than are ever in use at once, so that none of those is
/// listed again and again.
const COVERED: usize = 1000;

/// The handle to a connection. Cheap to clone; when the last one is dropped, the connection closes.
#[derive(Debug, Clone)]
pub struct Connection {
    shared: Arc<Shared>,
    orders: mpsc::UnboundedSender<Order>,
    ended: CancellationToken,
    _guard: Arc<DropGuard>,
}

/// What the tasks of a connection have in common.
#[derive(Debug)]
struct Shared {
    id: ServerId,
    /// For what is read without anybody waiting for it.
    http: Http,
    /// For what a person waits for: however much is read meanwhile, and however long that hangs, a click is carried out.
    clicks: Http,
    outlet: Outlet,
    tuning: Tuning,
    /// Cancelled when the connection is to close.
    closing: CancellationToken,
    /// Notified when waiting any longer before the next attempt makes no sense.
    hurry: Notify,
    /// For what makes a request easier to judge: however long that takes, listings and clicks are as quick as ever.
    asides: Http,
    /// Turns for asking the server's model: a crowd of requests is not to become a crowd of sessions at the server.
    opinions: Arc<Semaphore>,
    /// What has to be ended before the connection may be.
    errands: Mutex<JoinSet<()>>,
    /// What may not have ended of it.
    leftovers: Leftovers,
    /// What users said.
    words: Words,
    /// Turns for looking up sessions, so that no listing waits for a crowd of them.
    look_ups: Semaphore,
    /// Turns for the rules of sessions and of agents, so that no answer waits for a crowd of them.
    rulings: Semaphore,
    /// The agents of its directories.
    agents: KnownAgents,
    /// Which runs ended.
    ends: Ends,
    /// Turns for asking for the agents of a directory.
    loading: Turns<String>,
    /// Turns for setting the rules of a session.
    ruling: Turns<SessionId>,
    /// Numbers the listings.
    listings: AtomicU64,
    /// Who answers at the address; `None` until that is known.
    peer: Mutex<Option<Greeting>>,
    /// Whether another program was last seen to answer there.
    foreign: AtomicBool,
    /// Which routes it was seen to have.
    routes: v2::routes::Routes,
    /// Directories that were listed, or are about to be, since the stream was opened.
    covered: Mutex<Directories>,
}

impl Shared {
    fn peer(&self) -> Option<Greeting> {
        self.peer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What becomes of an answer while another program is at the address: it is none of its business.
    fn foreign(&self) -> Option<Outcome> {
        if !self.foreign.load(Ordering::Relaxed) {
            return None;
        }
        // It may be gone by the second attempt.
        self.hurry.notify_one();
        Some(Outcome::Failed { why: say!("another program answers at the server's address") })
    }

    fn errands(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.errands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn covered(&self) -> MutexGuard<'_, Directories> {
        self.covered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn dialect(&self) -> Dialect {
        self.peer().map_or(Dialect::V1, |peer| peer.dialect)
    }

    /// What the server speaks; it is asked if that is not known yet.
    async fn language(&self) -> Result<Dialect, Error> {
        match self.peer() {
            Some(peer) => Ok(peer.dialect),
            None => Ok(greet(&self.clicks).await?.dialect),
        }
    }

    /// Remembers who answers. What was found out about another server in its place is forgotten.
    fn met(&self, greeting: &Greeting) {
        let mut peer = self.peer.lock().unwrap_or_else(PoisonError::into_inner);
        if peer.as_ref() != Some(greeting) {
            self.routes.forget();
            *peer = Some(greeting.clone());
        }
        // What seemed to be missing may only have been hidden by a proxy's page.
        self.routes.look_again();
    }
}

impl Connection {
    /// Begins to watch a server. Everything that happens goes to `events`, in order. Must be called within a Tokio
    /// runtime.
    ///
    /// # Errors
    /// The address can't be used, or the system offers no TLS.
    pub fn open(target: Target, events: mpsc::Sender<Event>) -> Result<Self, Error> {
        Self::open_with(target, events, Tuning::default())
    }

    /// As [`Self::open`], with another patience.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with(target: Target, events: mpsc::Sender<Event>, tuning: Tuning) -> Result<Self, Error> {
        let Target { id, url, credentials } = target;
        let closing = CancellationToken::new();
        let http = Http::new(&url, credentials, tuning.limits)?;
        let shared = Arc::new(Shared {
            clicks: http.beside(),
            asides: http.beside(),
            opinions: Arc::new(Semaphore::new(judging::AT_ONCE)),
            errands: Mutex::default(),
            leftovers: Leftovers::default(),
            words: Words::default(),
            http,
            outlet: Outlet::new(id.clone(), events, tuning.stall),
            id,
            tuning,
            closing: closing.clone(),
            hurry: Notify::new(),
            look_ups: Semaphore::new(LOOK_UPS),
            rulings: Semaphore::new(LOOK_UPS),
            agents: KnownAgents::default(),
            ends: Ends::default(),
            loading: Turns::default(),
            ruling: Turns::default(),
            listings: AtomicU64::new(0),
            peer: Mutex::default(),
            foreign: AtomicBool::new(false),
            routes: v2::routes::Routes::default(),
            covered: Mutex::new(Directories::at_most(COVERED)),
        });
        let (orders, received) = mpsc::unbounded_channel();
        let ended = CancellationToken::new();
        let task = watch::run(Arc::clone(&shared), orders.clone(), received);
        let end = ended.clone().drop_guard();
        tokio::spawn(async move {
            task.await;
            drop(end);
        });
        Ok(Self { shared, orders, ended, _guard: Arc::new(closing.drop_guard()) })
    }

    /// Sends `decision` about `ask`, which is one of this server's. Never turns an error into an approval.
    pub async fn reply(&self, ask: &Ask, decision: &Decision) -> Outcome {
        if let Some(foreign) = self.shared.foreign() {
            return foreign;
        }
        let http = &self.shared.clicks;
        match ask.route {
            Route::V1 | Route::Preview => {
                let version = self.shared.peer().map(|peer| peer.version).unwrap_or_default();
                v1::to_wire::reply(http, &version, ask, decision).await
            }
            Route::V2 => v2::to_wire::reply(http, ask, decision).await,
        }
    }

    /// Answers `question`, which is one of this server's, or cancels it.
    pub async fn answer(&self, question: &Question, response: &Response) -> Outcome {
        if let Some(foreign) = self.shared.foreign() {
            return foreign;
        }
        let http = &self.shared.clicks;
        match question.route {
            Route::V1 | Route::Preview => {
                let version = self.shared.peer().map(|peer| peer.version).unwrap_or_default();
                v1::to_wire::answer(http, &version, question, response).await
            }
            Route::V2 => v2::to_wire::answer(http, &self.shared.routes, question, response).await,
        }
    }

    /// Replaces the rules of a session of a 2.x server. `false` if this server can't.
    ///
    /// # Errors
    /// The server did not do it.
    pub async fn set_session_rules(&self, session: &SessionId, rules: &[Rule]) -> Result<bool, Error> {
        v2::to_wire::set_session_rules(&self.shared.clicks, &self.shared.routes, session, rules).await
    }

    /// Cancels a form of a 2.x server. `reason` is what the agent is told, where the server can pass it on.
    ///
    /// # Errors
    /// The server did not do it.
    pub async fn cancel_form(&self, session: &str, form: &str, reason: Option<&str>) -> Result<FormOutcome, Error> {
        v2::to_wire::cancel_form(&self.shared.clicks, &self.shared.routes, session, form, reason).await
    }

    /// Finds out about a session. What is found comes as [`WireEvent::SessionSeen`]; nothing comes if there is none.
    pub async fn look_up(&self, session: &SessionId) {
        const TRIES: u32 = 3;
        for attempt in 1..=TRIES {
            // The semaphore is never closed; were it to, the bound would be lost and nothing else.
            let turn = self.shared.closing.run_until_cancelled(self.shared.look_ups.acquire()).await;
            if turn.is_none() {
                return;
            }
            let found = self.shared.dialect().session(&self.shared.http, session, "").await;
            // Nobody else has to wait while this one pauses.
            drop(turn);
            match found {
                Ok(_) if self.shared.closing.is_cancelled() => return,
                Ok(Existence::Alive(found)) => {
                    // Nobody takes events any more: then nobody wants to know.
                    let _ = self.shared.outlet.wire(WireEvent::SessionSeen(found)).await;
                    return;
                }
                Ok(Existence::Deleted) => {
                    let _ = self.shared.outlet.wire(WireEvent::SessionDeleted(session.clone())).await;
                    return;
                }
                Err(error) => tracing::debug!(server = %self.shared.id, %error, attempt, "session not looked up"),
            }
            let pause = self.shared.tuning.retry_listing * attempt;
            if self.shared.closing.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                return;
            }
        }
    }

    /// The directories in which something happens or happened lately, the latest first, while the stream is open. Asking the server about
    /// another one would make it load that project.
    #[must_use]
    pub fn directories(&self) -> Vec<String> {
        self.shared.covered().all()
    }

    /// Lists again what is pending, in the directories where something happened.
    pub fn relist(&self) {
        // Without a task to take it the connection is closed, and there is nothing to list.
        let _ = self.orders.send(Order::Active);
    }

    /// Uses these credentials from now on, and tries at once if the server had refused the others.
    pub fn set_credentials(&self, credentials: Option<Credentials>) {
        self.shared.http.set_credentials(credentials);
        self.shared.hurry.notify_one();
    }

    /// Closes the stream at once. No event comes after this has returned.
    pub async fn close(&self) {
        self.shared.closing.cancel();
        self.ended.cancelled().await;
        self.shared.finish_errands().await;
    }
}

/// The present moment.
fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
