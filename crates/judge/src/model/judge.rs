//! Asks, remembers, and lets equal questions share one call.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use gavel_core::text::Message;
use gavel_core::{Recommendation, Source, Status, Verdict, say};
use serde_json::Value;

use super::answer::{self, Said};
use super::cache::Cache;
use super::http::{self, Http};
use super::openai::Dialect;
use super::prompt::Prompt;
use super::{
    Access, Backend, Brief, Endpoint, Exchange, Fault, Judged, Kind, Options, Round, Usage, anthropic, openai,
};

/// Asks models for verdicts. A cheap handle: clones share what is remembered and what is under way.
#[derive(Debug, Clone, Default)]
pub struct Judge(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    http: Http,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    cache: Cache,
    flights: HashMap<String, WeakShared<Flight>>,
    /// The models, by their addresses and names, that refused the usual parameters and took the others.
    reasoning: HashSet<(String, String)>,
}

type Flight = BoxFuture<'static, Arc<Judged>>;

impl Judge {
    /// A judge that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The verdict on `brief` that was given before, if there was one.
    #[must_use]
    pub fn remembered(&self, brief: &Brief<'_>, options: &Options) -> Option<Verdict> {
        options.cache.then(|| self.state().cache.get(&brief.key())).flatten()
    }

    /// Forgets what was decided within a scope (see [`Brief::scope`]): its session has ended.
    pub fn forget(&self, scope: &str) {
        self.state().cache.forget(scope);
    }

    /// The verdict of `backend` on `brief`. It always comes: whatever goes wrong is an `ask` that says why.
    ///
    /// Nothing happens before the future is polled. When it is dropped, so is the call, unless another caller asks the
    /// same and still waits.
    pub fn judge(
        &self,
        backend: &Backend,
        brief: &Brief<'_>,
        options: &Options,
    ) -> impl Future<Output = Judged> + Send + use<> {
        let (judge, backend, options) = (self.clone(), backend.clone(), options.clone());
        let key = brief.key();
        let call = Call { scope: brief.scope.clone(), key, prompt: Prompt::new(brief, &options), backend, options };
        async move { judge.answer(call).await }
    }

    async fn answer(self, call: Call) -> Judged {
        let began = Instant::now();
        let (flight, shared) = match self.board(call) {
            Seat::Remembered(verdict) => {
                let (usage, exchange) = (Usage::default(), Exchange::default());
                return Judged { verdict, fault: None, usage, shared: false, exchange };
            }
            Seat::Flight(flight, shared) => (flight, shared),
        };
        let mut judged = (*flight.await).clone();
        judged.shared = shared;
        judged.verdict.took = millis(began.elapsed());
        judged
    }

    /// What is remembered, or a seat in the call that is under way, or one in a new call.
    fn board(&self, call: Call) -> Seat {
        let mut state = self.state();
        if call.options.cache
            && let Some(verdict) = state.cache.get(&call.key)
        {
            return Seat::Remembered(verdict);
        }
        let name = call.name();
        if let Some(flight) = state.flights.get(&name).and_then(WeakShared::upgrade) {
            return Seat::Flight(flight, true);
        }
        // Calls that were given up leave their names behind.
        state.flights.retain(|_, flight| flight.upgrade().is_some());
        // The call must not keep the judge alive, nor itself: whoever waits does both.
        let judge = self.clone();
        let flight: Flight = {
            let name = name.clone();
            async move {
                let judged = call.make(&judge).await;
                let mut state = judge.state();
                if call.options.cache {
                    state.cache.put(&call.scope, &call.key, &judged.verdict, call.options.cache_max);
                }
                state.flights.remove(&name);
                Arc::new(judged)
            }
            .boxed()
        };
        let flight = flight.shared();
        if let Some(weak) = flight.downgrade() {
            state.flights.insert(name, weak);
        }
        Seat::Flight(flight, false)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Seat {
    Remembered(Verdict),
    Flight(Shared<Flight>, bool),
}

/// One question to one judge.
struct Call {
    scope: String,
    key: String,
    prompt: Prompt,
    backend: Backend,
    options: Options,
}

impl Call {
    /// What two calls must have in common to be one. The keys and headers count: one that is wrong is no other's fault.
    fn name(&self) -> String {
        let access = match &self.backend {
            Backend::Http(endpoint) => http::fingerprint(endpoint),
            Backend::Server(_) => 0,
        };
        let Self { key, prompt, backend, options, .. } = self;
        format!("{key}\n{access:x} {}\n{}\n{options:?}", backend.identity(), prompt.whole())
    }

    async fn make(&self, judge: &Judge) -> Judged {
        let began = Instant::now();
        let limit = self.options.timeout();
        let mut rounds = Vec::new();
        let said = tokio::time::timeout(limit, self.ask(judge, &mut rounds)).await;
        let said = said.unwrap_or(Err(Fault::TimedOut(limit)));
        let usage = said.as_ref().map(|said| said.usage).unwrap_or_default();
        let decided = said.and_then(|said| answer::decided(&said));
        let took = millis(began.elapsed());
        let (verdict, fault) = match decided {
            Ok(decided) => (self.verdict(decided, took), None),
            Err(fault) => (fault.verdict(took), Some(fault)),
        };
        Judged { verdict, fault, usage, shared: false, exchange: Exchange { rounds } }
    }

    fn verdict(&self, decided: answer::Decided, took: u64) -> Verdict {
        let unseen = match (&self.prompt, decided.recommendation) {
            (Prompt { partial: true, .. }, Recommendation::Allow) => {
                Some(say!("it is too long for the judge, which allowed only the part it saw"))
            }
            (Prompt { masked: true, .. }, Recommendation::Allow) => Some(say!(
                "what looks like a secret in it may be more, and the judge allowed it without having seen that"
            )),
            _ => None,
        };
        let (recommendation, reason, said) = match unseen {
            Some(why) => (Recommendation::Ask, why.to_string(), why),
            None => (decided.recommendation, decided.reason, Message::default()),
        };
        Verdict { recommendation, reason, said, source: Source::Model, status: Status::Ok, took }
    }

    async fn ask(&self, judge: &Judge, rounds: &mut Vec<Round>) -> Result<Said, Fault> {
        match &self.backend {
            Backend::Http(endpoint) => self.ask_model(judge, endpoint, rounds).await,
            Backend::Server(server) => {
                let prompt = self.prompt.whole();
                rounds.push(Round { request: prompt.clone(), ..Round::default() });
                let text = server.ask(prompt).await?;
                if let Some(round) = rounds.last_mut() {
                    round.answer.clone_from(&text);
                }
                Ok(Said { text, ..Said::default() })
            }
        }
    }

    async fn ask_model(&self, judge: &Judge, endpoint: &Endpoint, rounds: &mut Vec<Round>) -> Result<Said, Fault> {
        if endpoint.access == Access::Missing {
            return Err(Fault::NoKey);
        }
        let model = (endpoint.base_url.clone(), endpoint.model.clone());
        let known = judge.state().reasoning.contains(&model);
        let dialect = if known { Dialect::Reasoning } else { Dialect::Usual };
        let mut answer = self.send(judge, endpoint, dialect, rounds).await?;
        if dialect == Dialect::Usual && refuses_parameters(endpoint.kind, &answer) {
            answer = self.send(judge, endpoint, Dialect::Reasoning, rounds).await?;
            if answer.is_success() {
                judge.state().reasoning.insert(model);
            }
        }
        if !answer.is_success() {
            let said: Option<Value> = serde_json::from_str(&answer.body).ok();
            let said = said.map(|value| openai::complaint(&value)).unwrap_or_default();
            return Err(Fault::http(answer.status, &said));
        }
        if answer.cut {
            return Err(Fault::Truncated(say!("it is longer than what is taken in")));
        }
        match endpoint.kind {
            Kind::OpenAi => openai::said(&answer.body),
            Kind::Anthropic => anthropic::said(&answer.body),
        }
    }

    async fn send(
        &self,
        judge: &Judge,
        endpoint: &Endpoint,
        dialect: Dialect,
        rounds: &mut Vec<Round>,
    ) -> Result<http::Answer, Fault> {
        let most = self.options.max_decision_tokens;
        let (address, body) = match endpoint.kind {
            Kind::OpenAi => (openai::path(&endpoint.base_url), openai::body(endpoint, &self.prompt, most, dialect)),
            Kind::Anthropic => {
                (anthropic::path(&endpoint.base_url), anthropic::body(endpoint, &self.prompt, most, dialect))
            }
        };
        judge.0.http.post(endpoint, &address, &body, rounds).await
    }
}

fn refuses_parameters(kind: Kind, answer: &http::Answer) -> bool {
    match kind {
        Kind::OpenAi => openai::refuses_parameters(answer.status, &answer.body),
        Kind::Anthropic => anthropic::refuses_parameters(answer.status, &answer.body),
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
