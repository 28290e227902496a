//! What the user last said in a session, and which model speaks there.
//!
//! Only the user's own words count: not what the server adds to a message, what tools gave out, or what the agent says.

use gavel_core::{Route, SessionId};
use serde_json::value::RawValue;

use super::lenient::{self, mend, part, word};
use super::wire;
use crate::Error;
use crate::http::{Http, path};

/// How many of the latest messages are looked through when the last ones are not the user's.
const BACK: &str = "50";

/// A model, as a server knows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelRef {
    /// The provider's id.
    pub provider: String,
    /// The model's id there.
    pub model: String,
}

/// What the user last said in a session; `None` if they said nothing that is known.
///
/// # Errors
/// The messages could not be had.
pub async fn last_request(http: &Http, route: Route, session: &SessionId) -> Result<Option<String>, Error> {
    match route {
        Route::V1 => v1_request(http, session).await,
        Route::Preview | Route::V2 => v2_request(http, session).await,
    }
}

/// The model that spoke last in a session, or that is to speak there; `None` if the session names none.
///
/// # Errors
/// The messages could not be had.
pub async fn last_model(http: &Http, route: Route, session: &SessionId) -> Result<Option<ModelRef>, Error> {
    let (messages, own) = match route {
        Route::V1 => (latest(http, session, "1").await?, path(&["session", session.as_str()], &[])),
        Route::Preview | Route::V2 => {
            let query = [("order", "desc"), ("limit", "1"), ("type", "assistant")];
            (api_messages(http, session, &query).await?, path(&["api", "session", session.as_str()], &[]))
        }
    };
    let spoken = lenient::read::<Vec<&RawValue>>(&messages)?.into_iter().rev().find_map(|message| match route {
        Route::V1 => {
            let info = part::<wire::MessageInfo<'_>>(part::<wire::Message<'_>>(Some(message))?.info)?;
            let spelled = word(info.provider).zip(word(info.model_id));
            spelled.map(|(provider, model)| ModelRef { provider, model }).or_else(|| model(info.model))
        }
        Route::Preview | Route::V2 => model(part::<wire::ApiMessage<'_>>(Some(message))?.model),
    });
    if spoken.is_some() {
        return Ok(spoken);
    }
    let answer = http.get(&own).await?;
    let body = mend(answer.json()?);
    Ok(match route {
        Route::V1 => model(lenient::read::<wire::Session<'_>>(&body)?.model),
        Route::Preview | Route::V2 => {
            let whole: wire::Enveloped<'_> = lenient::read(&body)?;
            model(lenient::read::<wire::Session<'_>>(whole.data.get())?.model)
        }
    })
}

/// A model from its wire form.
fn model(raw: lenient::Raw<'_>) -> Option<ModelRef> {
    let wire: wire::ModelRef<'_> = part(raw)?;
    Some(ModelRef { provider: word(wire.provider)?, model: word(wire.model).or_else(|| word(wire.id))? })
}

/// The last message is the user's, or names the one that it answers. Else the latest ones are looked through.
async fn v1_request(http: &Http, session: &SessionId) -> Result<Option<String>, Error> {
    let newest = latest(http, session, "1").await?;
    let newest = lenient::read::<Vec<wire::Message<'_>>>(&newest)?.pop();
    if let Some(said) = newest.as_ref().and_then(users) {
        return Ok(Some(said));
    }
    let answered = newest.and_then(|message| word(part::<wire::MessageInfo<'_>>(message.info)?.parent));
    if let Some(answered) = answered {
        let answer = http.get(&path(&["session", session.as_str(), "message", &answered], &[])).await?;
        let said = answer.json().ok().and_then(|body| users(&lenient::read(&mend(body)).ok()?));
        if said.is_some() {
            return Ok(said);
        }
    }
    let body = latest(http, session, BACK).await?;
    Ok(lenient::read::<Vec<wire::Message<'_>>>(&body)?.iter().rev().find_map(users))
}

/// The latest messages of a session, oldest first, as JSON.
async fn latest(http: &Http, session: &SessionId, limit: &str) -> Result<String, Error> {
    let answer = http.get(&path(&["session", session.as_str(), "message"], &[("limit", limit)])).await?;
    Ok(mend(answer.json()?).into_owned())
}

/// What the user says in a message, if it is theirs: its text, without what the server added to it.
fn users(message: &wire::Message<'_>) -> Option<String> {
    let info: wire::MessageInfo<'_> = part(message.info)?;
    if word(info.role).as_deref() != Some("user") {
        return None;
    }
    let texts: Vec<String> = message
        .parts
        .iter()
        .filter_map(|raw| {
            let text: wire::TextPart<'_> = part(Some(raw))?;
            let added = |flag| part::<bool>(flag).unwrap_or(false);
            let theirs = word(text.kind).as_deref() == Some("text") && !added(text.synthetic) && !added(text.ignored);
            word(text.text).filter(|_| theirs)
        })
        .collect();
    Some(texts.join("\n")).filter(|text| !text.trim().is_empty())
}

/// Builds that don't know kinds of messages leave the word aside, and are asked for more of them.
async fn v2_request(http: &Http, session: &SessionId) -> Result<Option<String>, Error> {
    let tries: [&[(&str, &str)]; 2] =
        [&[("order", "desc"), ("limit", "1"), ("type", "user")], &[("order", "desc"), ("limit", BACK)]];
    for query in tries {
        let body = match api_messages(http, session, query).await {
            Err(Error::Status { status: 400, .. }) => continue,
            other => other?,
        };
        let messages: Vec<wire::ApiMessage<'_>> = lenient::read(&body)?;
        let none = messages.is_empty();
        let said = messages
            .into_iter()
            .find_map(|message| word(message.text).filter(|_| word(message.kind).as_deref() == Some("user")));
        if said.is_some() || none {
            return Ok(said.filter(|text| !text.trim().is_empty()));
        }
    }
    Ok(None)
}

/// Messages of a session, as JSON. A build that takes a word of the query for wrong has none of them.
async fn api_messages(http: &Http, session: &SessionId, query: &[(&str, &str)]) -> Result<String, Error> {
    let answer = http.get(&path(&["api", "session", session.as_str(), "message"], query)).await?;
    let body = mend(answer.json()?);
    let whole: wire::Enveloped<'_> = lenient::read(&body)?;
    Ok(whole.data.get().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn said(message: &Value) -> Option<String> {
        let text = message.to_string();
        users(&lenient::read(&text).unwrap())
    }

    #[test]
    fn only_what_the_user_typed_is_theirs() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let synthetic = json!({ "type": "text", "text": "Called the Read tool", "synthetic": true });
        let ignored = json!({ "type": "text", "text": "not for the model", "ignored": true });
        let output = json!({ "type": "tool", "text": "rm -rf", "state": { "output": "allow everything" } });
        let reasoning = json!({ "type": "reasoning", "text": "I think" });
        let cases = [
            ("user", vec![text("tidy up")], Some("tidy up")),
            ("user", vec![synthetic.clone(), text("a"), ignored.clone(), text("b"), output], Some("a\nb")),
            ("user", vec![synthetic, ignored, reasoning], None),
            ("user", vec![text("  ")], None),
            ("user", vec![json!({ "type": "text", "text": 7 }), json!("text"), text("c")], Some("c")),
            ("assistant", vec![text("I was told to allow it")], None),
            ("system", vec![text("no")], None),
        ];
        for (role, parts, expected) in cases {
            let message = json!({ "info": { "role": role, "sessionID": "ses_1" }, "parts": parts });
            assert_eq!(said(&message).as_deref(), expected, "{message}");
        }
        assert_eq!(said(&json!({ "parts": [text("nobody's")] })), None);
    }

    #[test]
    fn a_model_is_named_in_many_ways() {
        let expected = Some(ModelRef { provider: "fake".to_owned(), model: "fake-1".to_owned() });
        for spelled in [
            json!({ "providerID": "fake", "modelID": "fake-1" }),
            json!({ "providerID": "fake", "id": "fake-1", "variant": "default" }),
        ] {
            let text = spelled.to_string();
            assert_eq!(model(Some(&lenient::read::<Box<RawValue>>(&text).unwrap())), expected, "{spelled}");
        }
        for no_model in [json!({ "id": "fake-1" }), json!({ "providerID": "fake" }), json!("fake/fake-1"), json!(null)]
        {
            let text = no_model.to_string();
            assert_eq!(model(Some(&lenient::read::<Box<RawValue>>(&text).unwrap())), None, "{no_model}");
        }
    }
}
