//! The model every agent uses, its provider, and what is shown in the terminal interface.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use serde_json::{Value, json};

use super::App;
use super::intake::{self, Directory};
use super::refusals::Refusal;
use crate::script::{Prompt, Saying, Script, Turn};
use crate::world::World;
use crate::world::record::Toast;
use crate::{MODEL, PROVIDER};

/// `GET /config/providers`: the key stands among the options, in clear.
pub(super) async fn providers(State(app): State<App>) -> Json<Value> {
    let provider = app.agents.stage.see(|world| world.generated.provider.clone());
    let mut options = provider.settings();
    options.insert("headers".to_owned(), Value::from(provider.headers()));
    let api = json!({ "id": MODEL, "url": "", "npm": "@ai-sdk/openai-compatible" });
    let model = json!({ "id": MODEL, "providerID": PROVIDER, "api": api, "name": "Scripted 1", "headers": {} });
    let provider = json!({
        "id": PROVIDER, "name": "Stand-in", "source": "config", "env": [], "options": options, "models": { MODEL: model },
    });
    Json(json!({ "providers": [provider], "default": { PROVIDER: MODEL } }))
}

/// What the model says to `words` in a session that may do nothing: there is no script to be played there.
pub(super) fn thought(world: &mut World, session: &str, words: &str) -> Option<Prompt> {
    if !["bash", "edit", "task"].iter().all(|tool| world.is_tool_absent(session, tool)) {
        return None;
    }
    world.generated.asked.push((session.to_owned(), words.to_owned()));
    let mut turn = Turn { words: vec![Saying::Wait(world.generated.pause)], ..Turn::default() };
    match &world.generated.text {
        Some(text) => turn.words.push(Saying::Text(text.clone())),
        None => turn.failure = Some((503, "the model can't be reached".to_owned())),
    }
    Some(Prompt { words: words.to_owned(), script: Script { turns: vec![turn] } })
}

/// `POST /tui/show-toast`: done whether somebody sees it or not.
pub(super) async fn toast(State(app): State<App>, directory: Directory, body: Bytes) -> Result<Json<bool>, Refusal> {
    let fields = intake::object(&body)?;
    let text = |key: &str| intake::field(&fields, key).map(|value| value.as_str().unwrap_or_default().to_owned());
    let (message, variant) = (text("message")?, text("variant")?);
    let duration = fields.get("duration").and_then(Value::as_u64).unwrap_or(5_000);
    let toast = Toast { directory: directory.path, message, variant, duration };
    app.agents.stage.with(|world| world.toasts.push(toast));
    Ok(Json(true))
}
