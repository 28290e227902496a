//! The shapes of what a server says of itself, of its model, and of how that is reached.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::dialect::lenient::Raw;

/// Where a server keeps things.
#[derive(Debug, Deserialize)]
pub struct Paths<'a> {
    #[serde(borrow)]
    pub state: Raw<'a>,
}

/// What a model said to a question of no session.
#[derive(Debug, Deserialize)]
pub struct Generated<'a> {
    #[serde(borrow)]
    pub text: Raw<'a>,
}

/// The providers that are connected.
#[derive(Debug, Deserialize)]
pub struct Providers<'a> {
    #[serde(borrow)]
    pub providers: Vec<&'a RawValue>,
}

/// A provider, in every spelling seen: 1.x, the preview of 2.x, and 2.x.
#[derive(Deserialize)]
pub struct Provider<'a> {
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow)]
    pub key: Raw<'a>,
    #[serde(borrow)]
    pub options: Raw<'a>,
    #[serde(borrow)]
    pub models: Raw<'a>,
    #[serde(borrow)]
    pub package: Raw<'a>,
    #[serde(borrow)]
    pub settings: Raw<'a>,
    #[serde(borrow)]
    pub headers: Raw<'a>,
    #[serde(borrow)]
    pub body: Raw<'a>,
    #[serde(borrow)]
    pub api: Raw<'a>,
    #[serde(borrow)]
    pub request: Raw<'a>,
}

/// A model of a provider.
#[derive(Deserialize)]
pub struct ProviderModel<'a> {
    #[serde(borrow)]
    pub api: Raw<'a>,
    #[serde(borrow)]
    pub headers: Raw<'a>,
}

/// By which API a model is reached.
#[derive(Deserialize)]
pub struct Api<'a> {
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow)]
    pub npm: Raw<'a>,
    #[serde(borrow)]
    pub package: Raw<'a>,
    #[serde(borrow)]
    pub url: Raw<'a>,
    #[serde(borrow)]
    pub settings: Raw<'a>,
}

/// What a provider is reached with.
#[derive(Default, Deserialize)]
pub struct ProviderSettings<'a> {
    #[serde(borrow, rename = "baseURL")]
    pub base_url: Raw<'a>,
    #[serde(borrow, rename = "apiKey")]
    pub key: Raw<'a>,
    #[serde(borrow)]
    pub headers: Raw<'a>,
}

/// What the preview sends along with every request to a provider.
#[derive(Default, Deserialize)]
pub struct ProviderRequest<'a> {
    #[serde(borrow)]
    pub headers: Raw<'a>,
    #[serde(borrow)]
    pub body: Raw<'a>,
}
