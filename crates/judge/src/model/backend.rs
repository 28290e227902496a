//! Who is asked.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::{Access, Fault, Headers};

/// Who is asked for a verdict.
#[derive(Debug, Clone)]
pub enum Backend {
    /// A model behind an API.
    Http(Endpoint),
    /// The OpenCode server itself, with its own credentials.
    Server(ServerJudge),
}

/// Which API a model is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Chat completions as OpenAI defined them: OpenAI, Groq, OpenRouter, Together, Ollama, LiteLLM, …
    #[serde(rename = "openai")]
    OpenAi,
    /// Messages as Anthropic defined them.
    Anthropic,
}

/// A model behind an API.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    /// Which API.
    pub kind: Kind,
    /// Where it is, with the version in its path (`https://api.openai.com/v1`). For Anthropic it may be left out.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The key, if there is one.
    pub access: Access,
    /// Further headers; one of the same name takes the place of Gavel's own.
    pub headers: Headers,
}

impl Kind {
    /// Where the vendor itself offers the API.
    #[must_use]
    pub const fn usual_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
        }
    }

    /// The environment variable that usually holds the key.
    #[must_use]
    pub const fn usual_variable(self) -> &'static str {
        match self {
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
        }
    }

    /// The word for it in settings and in the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

type Ask = dyn Fn(String) -> BoxFuture<'static, Result<String, Fault>> + Send + Sync;

/// The way to an OpenCode server that judges with its own credentials. What it does on the wire is its maker's business.
#[derive(Clone)]
pub struct ServerJudge {
    /// Which server, in words that tell it from others: two judges of the same name share calls.
    pub name: String,
    /// Which model the server asks; empty for its own choice.
    pub model: String,
    ask: Arc<Ask>,
}

impl ServerJudge {
    /// A judge that hands the whole prompt to `ask` and takes what it gives for the model's words. When nobody waits for
    /// the verdict any more, the future is dropped: whatever it holds must end with it.
    pub fn new<F>(
        name: impl Into<String>,
        model: impl Into<String>,
        ask: impl Fn(String) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<String, Fault>> + Send + 'static,
    {
        let ask = move |prompt| ask(prompt).boxed();
        Self { name: name.into(), model: model.into(), ask: Arc::new(ask) }
    }

    /// Asks it.
    pub(super) fn ask(&self, prompt: String) -> BoxFuture<'static, Result<String, Fault>> {
        (self.ask)(prompt)
    }
}

impl fmt::Debug for ServerJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerJudge").field("name", &self.name).field("model", &self.model).finish_non_exhaustive()
    }
}

impl Backend {
    /// The word for the provider in the log and the report card: `openai`, `anthropic`, `server`.
    #[must_use]
    pub const fn provider(&self) -> &'static str {
        match self {
            Self::Http(endpoint) => endpoint.kind.word(),
            Self::Server(_) => "server",
        }
    }

    /// The model that is asked.
    #[must_use]
    pub fn model(&self) -> &str {
        match self {
            Self::Http(endpoint) => &endpoint.model,
            Self::Server(server) => &server.model,
        }
    }

    /// What tells it from other judges.
    pub(super) fn identity(&self) -> String {
        match self {
            Self::Http(endpoint) => format!("{} {} {}", endpoint.kind.word(), endpoint.base_url, endpoint.model),
            Self::Server(server) => format!("server {} {}", server.name, server.model),
        }
    }
}
