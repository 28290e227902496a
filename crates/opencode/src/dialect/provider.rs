//! What a server says of the provider of a model: where it is, what protocol it speaks and what opens its door.

use std::collections::BTreeMap;
use std::fmt;

use gavel_core::say;
use serde_json::value::RawValue;

use super::failure::Failure;
use super::history::ModelRef;
use super::lenient::{self, mend, part, word};
use super::{Dialect, wire};
use crate::Error;
use crate::http::{Http, path};

/// The provider of a model, as the server has it. Values may be templates such as `{env:NAME}`.
#[derive(Clone, PartialEq, Eq)]
pub struct Provider {
    /// The package that the server speaks to it with, e.g. `@ai-sdk/anthropic`.
    pub package: String,
    /// Its base URL; empty for the package's own.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Its key, if there is one.
    pub key: Option<String>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the key nor what a header says must get into a log by accident.
        f.debug_struct("Provider").field("package", &self.package).field("model", &self.model).finish_non_exhaustive()
    }
}

impl Dialect {
    /// The provider of `model`, as the configuration in `directory` has it; `None` if there is none.
    ///
    /// # Errors
    /// It could not be had.
    pub async fn provider(self, http: &Http, directory: &str, model: &ModelRef) -> Result<Option<Provider>, Error> {
        match self {
            Self::V1 => {
                let answer = http.get(&path(&["config", "providers"], &[("directory", directory)])).await?;
                v1(&mend(answer.json()?), model)
            }
            Self::V2 => {
                let query = [("location[directory]", directory)];
                let answer = http.get(&path(&["api", "provider", &model.provider], &query)).await?;
                if answer.status == 404 && Failure::named(&answer, "ProviderNotFoundError") {
                    return Ok(None);
                }
                v2(&mend(answer.json()?), model)
            }
        }
    }
}

/// One of all the providers that are connected. A model that it does not list has no protocol that is known.
fn v1(body: &str, model: &ModelRef) -> Result<Option<Provider>, Error> {
    let listed: wire::Providers<'_> = lenient::read(body)?;
    let is_it = |provider: &wire::Provider<'_>| word(provider.id).as_deref() == Some(&model.provider);
    let Some(found) = listed.providers.iter().filter_map(|raw| part(Some(raw))).find(is_it) else { return Ok(None) };
    let models: BTreeMap<String, &RawValue> = part(found.models).unwrap_or_default();
    let Some(known) = models.get(&model.model).and_then(|raw| part::<wire::ProviderModel<'_>>(Some(raw))) else {
        return Ok(None);
    };
    let api = part::<wire::Api<'_>>(known.api);
    let options = part::<wire::ProviderSettings<'_>>(found.options).unwrap_or_default();
    let api = api.as_ref();
    Ok(Some(Provider {
        package: api.and_then(|api| word(api.npm)).unwrap_or_default(),
        base_url: word(options.base_url).or_else(|| word(api?.url)).unwrap_or_default(),
        model: api.and_then(|api| word(api.id)).unwrap_or_else(|| model.model.clone()),
        key: word(options.key).or_else(|| word(found.key)),
        headers: headers(&[options.headers, known.headers]),
    }))
}

/// The provider that was asked for. Early builds have the same in other places.
fn v2(body: &str, model: &ModelRef) -> Result<Option<Provider>, Error> {
    let whole: wire::Enveloped<'_> = lenient::read(body)?;
    let found: wire::Provider<'_> = lenient::read(whole.data.get())?;
    if word(found.id).is_some_and(|id| id != model.provider) {
        return Err(Error::Garbled(say!("it is not the provider asked for")));
    }
    let api = part::<wire::Api<'_>>(found.api);
    let early = api.as_ref().and_then(|api| part::<wire::ProviderSettings<'_>>(api.settings)).unwrap_or_default();
    let request = part::<wire::ProviderRequest<'_>>(found.request).unwrap_or_default();
    let settings = part::<wire::ProviderSettings<'_>>(found.settings).unwrap_or_default();
    let bodies = [found.body, request.body].map(|raw| part::<wire::ProviderSettings<'_>>(raw).unwrap_or_default());
    let key = [settings.key, early.key].into_iter().chain(bodies.iter().map(|body| body.key)).find_map(word);
    let early_package = api.as_ref().and_then(|api| word(api.package));
    Ok(Some(Provider {
        package: word(found.package).or(early_package).unwrap_or_default(),
        base_url: word(settings.base_url)
            .or_else(|| word(early.base_url))
            .or_else(|| word(api.as_ref()?.url))
            .unwrap_or_default(),
        model: model.model.clone(),
        key,
        headers: headers(&[found.headers, request.headers]),
    }))
}

/// Headers from all these places; a later one takes the place of an earlier one of the same name.
fn headers(places: &[lenient::Raw<'_>]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for place in places {
        let here: BTreeMap<String, &RawValue> = part(*place).unwrap_or_default();
        for (name, value) in here {
            let Some(value) = word(Some(value)) else { continue };
            all.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            all.push((name, value));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// What was recorded of a real server.
    fn recorded(name: &str) -> Value {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/recordings/v1");
        let text = std::fs::read_to_string(format!("{folder}/22-provider-info-{name}.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn model(provider: &str, model: &str) -> ModelRef {
        ModelRef { provider: provider.to_owned(), model: model.to_owned() }
    }

    fn fake(key: &str) -> Provider {
        Provider {
            package: "@ai-sdk/openai-compatible".to_owned(),
            base_url: "http://127.0.0.1:18080/v1".to_owned(),
            model: "fake-1".to_owned(),
            key: Some(key.to_owned()),
            headers: vec![("x-lab-header".to_owned(), "header-value-1".to_owned())],
        }
    }

    #[test]
    fn what_a_real_server_says_of_a_provider() {
        let listed = recorded("config-providers").to_string();
        assert_eq!(v1(&listed, &model("fake", "fake-1")), Ok(Some(fake("sk-EXAMPLE"))));
        assert_eq!(v1(&listed, &model("fake", "other")), Ok(None));
        assert_eq!(v1(&listed, &model("other", "fake-1")), Ok(None));
        let one = recorded("api-provider-fake").to_string();
        assert_eq!(v2(&one, &model("fake", "fake-1")), Ok(Some(fake("{env:FAKE_LLM_KEY}"))));
        assert!(v2(&one, &model("other", "fake-1")).is_err());
        let zen = json!({ "data": recorded("api-provider")["data"][0] }).to_string();
        let zen = v2(&zen, &model("opencode", "big-pickle")).unwrap().unwrap();
        assert_eq!((zen.base_url.as_str(), zen.key.as_deref()), ("https://opencode.ai/zen/v1", Some("public")));
    }

    #[test]
    fn the_places_of_every_release() {
        let released = json!({ "data": {
            "id": "p", "package": "@ai-sdk/anthropic", "headers": { "X-A": "1", "x-b": 2 },
            "settings": { "baseURL": "https://p.example", "apiKey": "{env:P_KEY}" },
        } });
        let found = v2(&released.to_string(), &model("p", "m")).unwrap().unwrap();
        let headers = vec![("X-A".to_owned(), "1".to_owned())];
        let (package, base_url) = ("@ai-sdk/anthropic".to_owned(), "https://p.example".to_owned());
        let key = Some("{env:P_KEY}".to_owned());
        assert_eq!(found, Provider { package, base_url, model: "m".to_owned(), key, headers });
        let bare = json!({ "data": { "id": "p", "package": "@ai-sdk/openai" } }).to_string();
        let bare = v2(&bare, &model("p", "m")).unwrap().unwrap();
        assert_eq!((bare.base_url.as_str(), bare.key), ("", None));

        let logged_in = json!({ "providers": [7, { "id": "p", "key": "sk-1", "options": { "headers": { "x-a": "1" } },
            "models": { "m": { "api": { "id": "m-1", "npm": "@ai-sdk/groq", "url": "https://groq.example/v1" },
                "headers": { "X-A": "2" } } } }] });
        let found = v1(&logged_in.to_string(), &model("p", "m")).unwrap().unwrap();
        assert_eq!((found.model.as_str(), found.base_url.as_str()), ("m-1", "https://groq.example/v1"));
        assert_eq!(
            (found.key.as_deref(), found.headers.clone()),
            (Some("sk-1"), vec![("X-A".to_owned(), "2".to_owned())])
        );
        assert!(!format!("{found:?}").contains("sk-1"));
    }
}
