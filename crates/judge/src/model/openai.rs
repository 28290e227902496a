//! Chat completions, as OpenAI defined them.

use gavel_core::say;
use gavel_core::text::{code, plain};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Said;
use super::fault::{Fault, fit};
use super::prompt::Prompt;
use super::{Endpoint, Usage};

/// What a model is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Dialect {
    /// With what most models know.
    #[default]
    Usual,
    /// With what models that think first insist on.
    Reasoning,
}

/// Where the request goes: an address as it is configured, with or without the last part.
pub(super) fn path(base: &str) -> String {
    let base = base.trim_end_matches('/');
    if base.ends_with("/chat/completions") { base.to_owned() } else { format!("{base}/chat/completions") }
}

/// The body of the request.
pub(super) fn body(endpoint: &Endpoint, prompt: &Prompt, most_tokens: u32, dialect: Dialect) -> Value {
    let messages = json!([
        { "role": "system", "content": prompt.system },
        { "role": "user", "content": prompt.user() },
    ]);
    match dialect {
        Dialect::Usual => {
            json!({ "model": endpoint.model, "messages": messages, "max_tokens": most_tokens, "temperature": 0 })
        }
        Dialect::Reasoning => {
            json!({ "model": endpoint.model, "messages": messages, "max_completion_tokens": most_tokens })
        }
    }
}

/// Whether a refusal is about the parameters that [`Dialect::Reasoning`] does without.
pub(super) fn refuses_parameters(status: u16, body: &str) -> bool {
    status == 400 && ["max_tokens", "max_completion_tokens", "temperature"].iter().any(|word| body.contains(word))
}

#[derive(Deserialize)]
struct Completion {
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Content>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

/// The model's words in the body of a successful answer.
pub(super) fn said(body: &str) -> Result<Said, Fault> {
    let completion: Completion = serde_json::from_str(body).map_err(|error| unreadable(body, &error))?;
    if let Some(error) = completion.error.filter(|error| !error.is_null()) {
        return Err(Fault::Unparsed(say!("it is an error: {}", plain(fit(&complaint(&error))))));
    }
    let mut choices = completion.choices.unwrap_or_default();
    let (Some(choice), true) = (choices.pop(), choices.is_empty()) else {
        return Err(Fault::Unparsed(say!("it holds not exactly one choice")));
    };
    if let Some(refusal) = choice.message.refusal.filter(|text| !text.is_empty()) {
        return Err(Fault::Unparsed(say!("the model declined to answer: {}", plain(fit(&refusal)))));
    }
    let text = match choice.message.content {
        Some(Content::Text(text)) => text,
        Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
        None => String::new(),
    };
    let usage = completion.usage.unwrap_or_default();
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let usage = Usage { prompt: count("prompt_tokens"), completion: count("completion_tokens") };
    let cut = match choice.finish_reason.as_deref() {
        None | Some("" | "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "complete") => None,
        Some(word @ ("length" | "max_tokens" | "model_length" | "max_output_tokens")) => {
            Some(say!("the model stopped by {}", code(word)))
        }
        Some(other) => return Err(Fault::Unparsed(say!("the model stopped by {}", code(other)))),
    };
    Ok(Said { text, cut, usage })
}

/// What an error object says.
pub(super) fn complaint(error: &Value) -> String {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    text(error)
        .or_else(|| error.get("message").and_then(text))
        .or_else(|| error.get("error").map(complaint))
        .or_else(|| error.get("detail").and_then(text))
        .unwrap_or_else(|| error.to_string())
}

/// Why a body is not what was expected.
pub(super) fn unreadable(body: &str, error: &serde_json::Error) -> Fault {
    let start = body.trim_start();
    if start.is_empty() {
        return Fault::Unparsed(say!("it is empty"));
    }
    if start.starts_with('<') {
        return Fault::Unparsed(say!("it is a web page"));
    }
    if error.is_eof() {
        return Fault::Truncated(say!("its JSON has no end"));
    }
    Fault::Unparsed(say!("it is not what the API promises: {}", plain(fit(&error.to_string()))))
}
