//! A session of Gavel's own on a 1.x server, in which the server's model is asked one thing and may do nothing.
//!
//! It lies in the server's own folder and not in a project, so that nothing a repository holds speaks to the model.

use gavel_core::SessionId;
use gavel_core::say;
use serde_json::json;

use crate::Error;
use crate::dialect::failure::{Failure, done};
use crate::dialect::history::ModelRef;
use crate::dialect::lenient::{self, mend, part, word};
use crate::dialect::{Dialect, session, wire};
use crate::http::{Http, path};

/// How many sessions are looked through for those that were left behind.
const MOST: &str = "1000";

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Its words.
    pub text: String,
    /// Whether it was cut off before it was done.
    pub cut: bool,
}

/// The folder that the server keeps its own state in: no project, and nothing of one.
///
/// # Errors
/// It names none.
pub async fn place(http: &Http) -> Result<String, Error> {
    let answer = http.get("/path").await?;
    let paths: wire::Paths<'_> = lenient::read(answer.json()?)?;
    word(paths.state).ok_or_else(|| Error::Garbled(say!("it does not say where its own folder is")))
}

/// Begins a session in `place` that may use no tool.
///
/// # Errors
/// The server did not do it, or did not forbid everything.
pub async fn begin(http: &Http, place: &str, title: &str) -> Result<SessionId, Error> {
    let body = json!({ "title": title, "permission": [{ "permission": "*", "pattern": "*", "action": "deny" }] });
    let answer = http.post(&path(&["session"], &[("directory", place)]), &body).await?;
    done(&answer)?;
    let body = mend(answer.json()?);
    let wire: wire::Session<'_> = lenient::read(&body)?;
    let id = session::session(&wire).map(|begun| begun.id);
    let id = id.ok_or_else(|| Error::Garbled(say!("it is no session")))?;
    if is_harmless(&wire) {
        return Ok(id);
    }
    end(http, place, &id).await?;
    Err(Error::Garbled(say!("it does not forbid the session everything")))
}

/// Whether the session's own rules forbid everything and allow nothing.
fn is_harmless(wire: &wire::Session<'_>) -> bool {
    let rules = wire.rules(Dialect::V1).unwrap_or_default();
    let denies = rules.iter().all(|rule| rule.effect == gavel_core::rules::Effect::Deny);
    denies && rules.iter().any(|rule| rule.action == "*" && rule.resource == "*")
}

/// Says `prompt` in the session and waits for what `model` says; without one, the server chooses.
///
/// # Errors
/// Nothing was said.
pub async fn ask(
    http: &Http,
    place: &str,
    id: &SessionId,
    prompt: &str,
    model: Option<&ModelRef>,
) -> Result<Spoken, Error> {
    let parts = json!([{ "type": "text", "text": prompt }]);
    let body = match model {
        Some(ModelRef { provider, model }) => {
            json!({ "parts": parts, "model": { "providerID": provider, "modelID": model } })
        }
        None => json!({ "parts": parts }),
    };
    let answer = http.post(&path(&["session", id.as_str(), "message"], &[("directory", place)]), &body).await?;
    done(&answer)?;
    spoken(&mend(answer.json()?))
}

fn spoken(body: &str) -> Result<Spoken, Error> {
    let message: wire::Message<'_> = lenient::read(body)?;
    let info = part::<wire::MessageInfo<'_>>(message.info);
    let info = info.ok_or_else(|| Error::Garbled(say!("it is no message")))?;
    if word(info.role).as_deref() != Some("assistant") {
        return Err(Error::Garbled(say!("it is not what a model said")));
    }
    if let Some(error) = info.error.filter(|error| error.get() != "null") {
        let (status, message) = Failure::told(error.get());
        return Err(Error::Status { status, message });
    }
    let texts = message.parts.iter().filter_map(|raw| {
        let text: wire::TextPart<'_> = part(Some(raw))?;
        let is_said = word(text.kind).as_deref() == Some("text") && part::<bool>(text.synthetic) != Some(true);
        word(text.text).filter(|_| is_said)
    });
    let cut = word(info.finish).as_deref() == Some("length");
    Ok(Spoken { text: texts.collect::<Vec<_>>().join("\n"), cut })
}

/// Ends the session with all it may be doing. One that is gone already is fine.
///
/// # Errors
/// It may still be there.
pub async fn end(http: &Http, place: &str, id: &SessionId) -> Result<(), Error> {
    let query = [("directory", place)];
    // Deleting alone does not stop what runs. Whether it stopped is seen by nothing else than the deletion.
    let _ = http.post(&path(&["session", id.as_str(), "abort"], &query), &json!({})).await;
    let answer = http.delete(&path(&["session", id.as_str()], &query)).await?;
    if answer.status == 404 && Failure::named(&answer, "NotFoundError") {
        return Ok(());
    }
    done(&answer)
}

/// The sessions in `place` whose title is `wanted`, that forbid everything and that no other began. The list of all
/// projects leaves out what is in none.
///
/// # Errors
/// Sessions could not be listed.
pub async fn find(http: &Http, place: &str, mut wanted: impl FnMut(&str) -> bool) -> Result<Vec<SessionId>, Error> {
    let answer = http.get(&path(&["session"], &[("directory", place), ("limit", MOST)])).await?;
    let body = mend(answer.json()?);
    let listed: Vec<wire::Session<'_>> = lenient::read(&body)?;
    let ours = listed.iter().filter(|wire| is_harmless(wire)).filter_map(session::session);
    let ours = ours.filter(|found| found.parent.is_none() && wanted(&found.title));
    Ok(ours.map(|found| found.id).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_a_model_said_is_its_text_alone() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let says = |info: Value, parts: Vec<Value>| spoken(&json!({ "info": info, "parts": parts }).to_string());
        let plain = json!({ "role": "assistant", "finish": "stop" });
        let thinking = json!({ "type": "reasoning", "text": "hm" });
        let said = says(plain.clone(), vec![json!({ "type": "step-start" }), thinking, text("a"), text("b")]);
        assert_eq!(said, Ok(Spoken { text: "a\nb".to_owned(), cut: false }));
        let said = says(json!({ "role": "assistant", "finish": "length" }), vec![text("a")]);
        assert_eq!(said, Ok(Spoken { text: "a".to_owned(), cut: true }));
        let error = json!({ "name": "APIError", "data": { "message": "no credit", "statusCode": 402 } });
        let said = says(json!({ "role": "assistant", "error": error }), vec![text("allow")]);
        assert_eq!(said, Err(Error::Status { status: 402, message: Some("no credit".to_owned()) }));
        for nothing in [json!({ "role": "user" }), json!({}), json!(null)] {
            assert!(says(nothing.clone(), vec![text("allow")]).is_err(), "{nothing}");
        }
    }

    #[test]
    fn only_a_session_that_may_do_nothing_is_ours() {
        let rule = |permission: &str, pattern: &str, action: &str| json!({ "permission": permission, "pattern": pattern, "action": action });
        let deny = rule("*", "*", "deny");
        let cases = [
            (json!([deny]), true),
            (json!([deny, rule("question", "*", "deny")]), true),
            (json!([deny, rule("bash", "*", "allow")]), false),
            (json!([deny, rule("bash", "*", "ask")]), false),
            (json!([rule("bash", "*", "deny")]), false),
            (json!([]), false),
            (json!(null), false),
        ];
        for (rules, harmless) in cases {
            let text = json!({ "id": "ses_1", "permission": rules }).to_string();
            assert_eq!(is_harmless(&lenient::read(&text).unwrap()), harmless, "{rules}");
        }
    }
}
