//! Messages, as Anthropic defined them.

use gavel_core::say;
use gavel_core::text::{code, plain};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Said;
use super::fault::{Fault, fit};
use super::openai::{Dialect, complaint, unreadable};
use super::prompt::Prompt;
use super::{Endpoint, Usage};

/// The version of the API that is spoken.
pub(super) const VERSION: &str = "2023-06-01";

/// Where the request goes: an address as it is configured, with or without the version and the last part.
pub(super) fn path(base: &str) -> String {
    let base = base.trim_end_matches('/');
    let last = base.rsplit('/').next().unwrap_or_default();
    let versioned = last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if last == "messages" {
        base.to_owned()
    } else if versioned {
        format!("{base}/messages")
    } else {
        format!("{base}/v1/messages")
    }
}

/// The body of the request.
pub(super) fn body(endpoint: &Endpoint, prompt: &Prompt, most_tokens: u32, dialect: Dialect) -> Value {
    let mut body = json!({
        "model": endpoint.model,
        "max_tokens": most_tokens,
        "system": prompt.system,
        "messages": [{ "role": "user", "content": prompt.user() }],
    });
    if let (Dialect::Usual, Value::Object(fields)) = (dialect, &mut body) {
        fields.insert("temperature".to_owned(), json!(0));
    }
    body
}

/// Whether a refusal is about the parameter that [`Dialect::Reasoning`] does without.
pub(super) fn refuses_parameters(status: u16, body: &str) -> bool {
    status == 400 && body.contains("temperature")
}

#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

/// The model's words in the body of a successful answer.
pub(super) fn said(body: &str) -> Result<Said, Fault> {
    let value: Value = serde_json::from_str(body).map_err(|error| unreadable(body, &error))?;
    if value.get("type").and_then(Value::as_str) == Some("error") || value.get("error").is_some_and(|it| !it.is_null())
    {
        return Err(Fault::Unparsed(say!("it is an error: {}", plain(fit(&complaint(&value))))));
    }
    let message = Message::deserialize(&value).map_err(|error| {
        Fault::Unparsed(say!("it is not what the API promises: {}", plain(fit(&error.to_string()))))
    })?;
    let usage = message.usage.unwrap_or_default();
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let usage = Usage { prompt: count("input_tokens"), completion: count("output_tokens") };
    let cut = match message.stop_reason.as_deref() {
        None | Some("end_turn" | "stop_sequence" | "stop") => None,
        Some(word @ ("max_tokens" | "model_context_window_exceeded" | "length")) => {
            Some(say!("the model stopped by {}", code(word)))
        }
        Some(other) => return Err(Fault::Unparsed(say!("the model stopped by {}", code(other)))),
    };
    let texts = message.content.into_iter().filter(|block| block.kind == "text").filter_map(|block| block.text);
    Ok(Said { text: texts.collect(), cut, usage })
}
