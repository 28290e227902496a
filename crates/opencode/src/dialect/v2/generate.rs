//! What the model of a 2.x server says to a question that belongs to no session.

use gavel_core::say;
use serde_json::json;

use crate::Error;
use crate::dialect::failure::{done, is_no_route};
use crate::dialect::history::ModelRef;
use crate::dialect::lenient::{self, mend, text};
use crate::dialect::wire;
use crate::http::Http;

/// What `model` says to `prompt`; without one, the server chooses.
///
/// # Errors
/// Nothing was said, or the server has no such way.
pub async fn text_of(http: &Http, prompt: &str, model: Option<&ModelRef>) -> Result<String, Error> {
    let body = match model {
        Some(ModelRef { provider, model }) => {
            json!({ "prompt": prompt, "model": { "providerID": provider, "id": model } })
        }
        None => json!({ "prompt": prompt }),
    };
    let answer = http.post("/api/experimental/generate", &body).await?;
    if is_no_route(&answer) {
        return Err(Error::NoModel);
    }
    done(&answer)?;
    let body = mend(answer.json()?);
    let whole: wire::Enveloped<'_> = lenient::read(&body)?;
    let generated: wire::Generated<'_> = lenient::read(whole.data.get())?;
    text(generated.text).ok_or_else(|| Error::Garbled(say!("it holds no text")))
}
