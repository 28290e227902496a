//! Where the judge's setup comes from: the environment, or else the settings and the keychain.

use gavel_core::say;
use gavel_core::text::{Message, plain};
use gavel_judge::model::{Access, Backend, Endpoint, Headers, Key, Kind, Options};
use url::{Host, Url};

use crate::Secrets;
use crate::settings::{JudgeKey, JudgeSettings, Who};

/// Who judges, ready to be asked. It may hold a key, which nothing shows.
#[derive(Debug, Clone)]
pub struct JudgeSetup {
    /// Who is asked.
    pub chosen: Chosen,
    /// What about, and with what patience.
    pub options: Options,
    /// What is wrong with it, in words for the user, if anything is.
    pub problem: Option<Message>,
}

/// Who is asked.
#[derive(Debug, Clone)]
pub enum Chosen {
    /// Nobody.
    Nobody,
    /// The model that works in the session that asks.
    SessionModel,
    /// This one, whatever asks.
    Model(Backend),
}

impl JudgeSetup {
    /// Nobody judges.
    #[must_use]
    pub fn nobody() -> Self {
        Self { chosen: Chosen::Nobody, options: Options::default(), problem: None }
    }

    /// `backend` judges.
    #[must_use]
    pub const fn of(backend: Backend, options: Options) -> Self {
        Self { chosen: Chosen::Model(backend), options, problem: None }
    }

    /// The judge that the environment names (`GAVEL_JUDGE_MODEL` and its kin, as for `gavel judge`), if it does. It comes
    /// before what the user chose in the window, except for the options. One that makes no sense is nobody, and a problem.
    #[must_use]
    pub fn of_environment(options: &Options) -> Option<Self> {
        let options = options.clone().bounded();
        match crate::judge::Model::default().backend() {
            Ok(named) => named.map(|(backend, _)| {
                let problem = match &backend {
                    Backend::Http(Endpoint { kind, access: Access::Missing, .. }) => {
                        Some(unset(&crate::judge::variable_of_key(*kind)))
                    }
                    Backend::Http(_) | Backend::Server(_) => None,
                };
                Self { problem, ..Self::of(backend, options) }
            }),
            Err(why) => Some(Self { chosen: Chosen::Nobody, options, problem: Some(Message::verbatim(why)) }),
        }
    }

    /// The judge that the user chose. Where its key is in the keychain, that may take as long as it takes to unlock it.
    pub async fn of_settings(settings: &JudgeSettings, secrets: &Secrets) -> Self {
        let options = settings.options.clone().bounded();
        let (chosen, problem) = match settings.asked() {
            Who::Off => (Chosen::Nobody, None),
            Who::SessionModel => (Chosen::SessionModel, None),
            Who::Endpoint => {
                let (access, problem) = access(settings, secrets).await;
                let endpoint = Endpoint {
                    kind: settings.provider,
                    base_url: settings.address().to_owned(),
                    model: settings.model.trim().to_owned(),
                    access,
                    headers: Headers::default(),
                };
                (Chosen::Model(Backend::Http(endpoint)), problem)
            }
        };
        Self { chosen, options, problem }
    }
}

/// The key, and what is wrong with it.
async fn access(settings: &JudgeSettings, secrets: &Secrets) -> (Access, Option<Message>) {
    let address = settings.address();
    let found = match &settings.key {
        JudgeKey::Nowhere if is_vendors(address) => Err(say!("{} wants a key, and none is set", plain(address))),
        JudgeKey::Nowhere => return (Access::Open, None),
        JudgeKey::Variable { name } => {
            let value = std::env::var(name).ok().and_then(|value| Key::new(&value));
            value.ok_or_else(|| unset(name))
        }
        JudgeKey::Keychain => match secrets.get(&settings.account()).await {
            Ok(kept) => kept
                .and_then(|key| Key::new(&key))
                .ok_or_else(|| say!("the keychain holds no key for {}: each address has its own", plain(address))),
            Err(error) => Err(say!("the key can't be read: {}", error.said())),
        },
    };
    match found {
        Ok(key) => (Access::Key(key), None),
        Err(why) => (Access::Missing, Some(why)),
    }
}

fn unset(variable: &str) -> Message {
    say!("the environment variable `{}` is not set", plain(variable))
}

/// Whether a vendor that answers nobody without a key is at `address`.
fn is_vendors(address: &str) -> bool {
    let host = |text: &str| Url::parse(text).ok().and_then(|url| url.host().map(|host: Host<&str>| host.to_owned()));
    [Kind::OpenAi, Kind::Anthropic].iter().any(|kind| host(kind.usual_url()) == host(address))
}
