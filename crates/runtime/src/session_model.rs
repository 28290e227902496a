//! The model that works in the session that asks, as its judge.
//!
//! What a server says of a provider may have been written by others, so this is what is believed:
//!
//! - It is read outside of every project. A repository can't name the address that a key goes to, nor the variable that
//!   is sent there.
//! - It is used only if the server runs on this machine. Another one judges with its own model, and its keys stay there.
//! - A variable of Gavel's environment goes to the well-known provider that it is the key of, over https, and to nobody
//!   else, whatever the server says (`variables`); and only in a key or a header, never in an address.
//! - Whatever is missing or unclear leaves it to the server, which has what it needs or says that it has not.

mod variables;

use std::sync::Arc;
use std::time::Duration;

use gavel_core::Ask;
use gavel_core::say;
use gavel_judge::model::{Access, Backend, Endpoint, Fault, Headers, Judged, Key, Kind, ServerJudge};
use gavel_opencode::dialect::history::ModelRef;
use gavel_opencode::dialect::provider::Provider;
use gavel_opencode::{Connection, Error};
use url::{Host, Url};

use crate::asides::Marks;
use crate::judging::is_here;

/// How long the server may take to say which model that is, and how it is reached.
const PATIENCE: Duration = Duration::from_secs(5);

/// The ways to the model of the session that `ask` comes from, the best one first: by its own API, and through the
/// server. `elsewhere` is a directory on this machine that is no project.
pub(crate) async fn ways(
    connection: &Connection,
    ask: &Ask,
    elsewhere: Option<&str>,
    marks: &Arc<Marks>,
) -> Vec<Backend> {
    let model = soon(connection.last_model(ask.route, &ask.session)).await.flatten();
    let mut ways = Vec::new();
    if let Some(model) = model.as_ref().filter(|_| is_here(&ask.key.server))
        && let Some(provider) = soon(connection.provider(model, elsewhere)).await.flatten()
    {
        match endpoint(provider, &model.provider, &|name| std::env::var(name).ok()) {
            Ok(endpoint) => ways.push(Backend::Http(endpoint)),
            Err(why) => tracing::debug!(provider = model.provider, why, "the server is to judge"),
        }
    }
    ways.push(Backend::Server(server(connection.clone(), ask, model, Arc::clone(marks))));
    ways
}

/// Whether the next way may do better: the key was none, or was not taken.
pub(crate) fn is_locked_out(judged: &Judged) -> bool {
    matches!(judged.fault, Some(Fault::NoKey | Fault::Http { code: 401 | 403, .. }))
}

async fn soon<T>(read: impl Future<Output = Result<T, Error>>) -> Option<T> {
    match tokio::time::timeout(PATIENCE, read).await {
        Ok(Ok(found)) => Some(found),
        Ok(Err(error)) => {
            tracing::debug!(%error, "the session's model is not known");
            None
        }
        Err(_) => None,
    }
}

fn server(connection: Connection, ask: &Ask, model: Option<ModelRef>, marks: Arc<Marks>) -> ServerJudge {
    let label = model.as_ref().map(|ModelRef { provider, model }| format!("{provider}/{model}")).unwrap_or_default();
    ServerJudge::new(ask.key.server.0.clone(), label, move |prompt| {
        let (connection, model, marks) = (connection.clone(), model.clone(), Arc::clone(&marks));
        async move {
            match connection.ask_model(&prompt, model.as_ref(), || marks.own().to_owned()).await {
                Ok(spoken) if spoken.cut => Err(Fault::Truncated(say!("its model was not done"))),
                Ok(spoken) => Ok(spoken.text),
                Err(Error::TimedOut(limit)) => Err(Fault::TimedOut(limit)),
                Err(Error::Status { status, message }) => Err(Fault::http(status, &message.unwrap_or_default())),
                Err(error) => Err(Fault::Network(error.said())),
            }
        }
    })
}

/// How the model of a provider is reached without the server; `id` is what the provider is called there, and `variable`
/// looks into the environment.
///
/// # Errors
/// What stands against it, for the log: it names no key and no value.
fn endpoint(provider: Provider, id: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Endpoint, &'static str> {
    let Provider { package, base_url, model, key, headers } = provider;
    let kind = match package.as_str() {
        "@ai-sdk/anthropic" => Kind::Anthropic,
        "@ai-sdk/openai"
        | "@ai-sdk/openai-compatible"
        | "@ai-sdk/groq"
        | "@ai-sdk/togetherai"
        | "@ai-sdk/mistral"
        | "@ai-sdk/xai"
        | "@ai-sdk/deepinfra"
        | "@ai-sdk/cerebras"
        | "@ai-sdk/perplexity"
        | "@openrouter/ai-sdk-provider" => Kind::OpenAi,
        _ => return Err("its protocol is not one that Gavel speaks"),
    };
    let base_url = match base_url.trim() {
        "" if matches!(package.as_str(), "@ai-sdk/anthropic" | "@ai-sdk/openai") => kind.usual_url().to_owned(),
        "" => return Err("its address is not told"),
        given => given.to_owned(),
    };
    let url = Url::parse(&base_url).map_err(|_| "its address makes no sense")?;
    if base_url.contains('{') || !matches!(url.scheme(), "http" | "https") {
        return Err("its address makes no sense");
    }
    let own = variables::of(id, &url);
    let filled = |text: &str| variables::fill(text, own, variable);
    let headers = headers.into_iter().map(|(name, value)| Some((name, filled(&value)?)));
    let headers = headers.collect::<Option<Vec<_>>>().ok_or("a header is not to be had")?;
    let access = match key.as_deref().map(filled) {
        Some(Some(key)) => Access::Key(Key::new(&key).ok_or("its key is empty")?),
        Some(None) => return Err("its key is not to be had"),
        None if is_loopback(&url) || headers.iter().any(|(name, _)| opens(name)) => Access::Open,
        None => return Err("its key is not told"),
    };
    Ok(Endpoint { kind, base_url, model, access, headers: Headers::new(headers) })
}

/// Whether a header of this name is usually a key.
fn opens(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["authorization", "api-key", "apikey", "token"].iter().any(|word| name.contains(word))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests;
