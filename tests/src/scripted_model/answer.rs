//! A turn in OpenAI's form, whole or as a stream of chunks.

use std::{
    convert::Infallible,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use axum::{
    Json,
    response::{IntoResponse, Response, Sse, sse::Event},
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use super::Turn;

/// Call ids must differ between turns: OpenCode keys tool parts by them.
fn fresh(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{prefix}_scripted_{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn usage() -> Value {
    json!({"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100})
}

/// The turn as one JSON body.
pub fn whole(model: &Value, turn: &Turn) -> Response {
    let (message, finish) = match turn {
        Turn::Calls(calls) => {
            let calls: Vec<_> = calls
                .iter()
                .map(|(name, arguments)| {
                    let function = json!({"name": name, "arguments": arguments.to_string()});
                    json!({"id": fresh("call"), "type": "function", "function": function})
                })
                .collect();
            (json!({"role": "assistant", "content": null, "tool_calls": calls}), "tool_calls")
        }
        Turn::Say(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Turn::Stream { count, .. } => (json!({"role": "assistant", "content": "word ".repeat(*count)}), "stop"),
        Turn::Fail(_) => unreachable!("a failure has no turn"),
    };
    let choice = json!({"index": 0, "message": message, "finish_reason": finish});
    let id = fresh("chatcmpl");
    Json(json!({"id": id, "object": "chat.completion", "created": 0, "model": model, "choices": [choice], "usage": usage()}))
        .into_response()
}

/// The turn as a stream of server-sent events.
pub fn stream(model: &Value, turn: Turn) -> Response {
    let (id, model) = (fresh("chatcmpl"), model.clone());
    let chunk = move |choices: Value, usage: Value| {
        let mut chunk =
            json!({"id": id, "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices});
        if !usage.is_null() {
            chunk["usage"] = usage;
        }
        chunk.to_string()
    };
    let delta = |delta: Value, finish: Option<&str>| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);

    let (deltas, finish, pause) = match turn {
        Turn::Calls(calls) => {
            let pieces =
                calls.iter().enumerate().flat_map(|(index, (name, arguments))| call_in_pieces(index, name, arguments));
            (pieces.collect(), "tool_calls", 0)
        }
        Turn::Say(text) => (text.split_inclusive(' ').map(|word| json!({"content": word})).collect(), "stop", 0),
        Turn::Stream { count, pause } => {
            ((0..count).map(|n| json!({"content": format!("word{n} ")})).collect(), "stop", pause)
        }
        Turn::Fail(_) => unreachable!("a failure has no turn"),
    };
    let first = chunk(delta(json!({"role": "assistant", "content": ""}), None), Value::Null);
    let last = [chunk(delta(json!({}), Some(finish)), Value::Null), chunk(json!([]), usage()), "[DONE]".to_owned()];
    let middle: Vec<String> = Vec::into_iter(deltas).map(|piece| chunk(delta(piece, None), Value::Null)).collect();
    let middle = stream::iter(middle).then(move |data| async move {
        if pause > 0 {
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        data
    });
    let all = stream::iter([first]).chain(middle).chain(stream::iter(last));
    Sse::new(all.map(|data| Ok::<_, Infallible>(Event::default().data(data)))).into_response()
}

/// A call as real models stream it: the name first, then the arguments in parts that are no JSON by themselves.
fn call_in_pieces(index: usize, name: &str, arguments: &Value) -> Vec<Value> {
    let begin =
        json!({"index": index, "id": fresh("call"), "type": "function", "function": {"name": name, "arguments": ""}});
    let text = arguments.to_string();
    let parts = text.chars().collect::<Vec<_>>();
    let rest = parts
        .chunks(parts.len().div_ceil(3).max(1))
        .map(|part| json!({"index": index, "function": {"arguments": part.iter().collect::<String>()}}));
    std::iter::once(begin).chain(rest).map(|call| json!({"tool_calls": [call]})).collect()
}
