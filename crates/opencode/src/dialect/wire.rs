//! The shapes on the wire, read with forbearance: a field of the wrong type must not cost us the whole message.
//!
//! Fields whose type may surprise are kept as the JSON text they are and judged one by one. What is not named here
//! is skipped without being built.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use self::provider::*;
use super::lenient::Raw;

mod provider;

/// What arrives on a stream: `/global/event` wraps a payload, `/event` and `/api/event` send it bare.
#[derive(Debug, Deserialize)]
pub struct Frame<'a> {
    #[serde(borrow)]
    pub directory: Raw<'a>,
    #[serde(borrow)]
    pub payload: Raw<'a>,
}

/// The kind of an event and its particulars, not yet looked into.
#[derive(Debug, Deserialize)]
pub struct Payload<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub properties: Raw<'a>,
    #[serde(borrow)]
    pub data: Raw<'a>,
    #[serde(borrow)]
    pub location: Raw<'a>,
}

/// A permission request, in every spelling seen: 1.x, its predecessor, and the preview of 2.x.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask<'a> {
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow, rename = "sessionID")]
    pub session: Raw<'a>,
    #[serde(borrow)]
    pub permission: Raw<'a>,
    #[serde(borrow)]
    pub action: Raw<'a>,
    #[serde(borrow, rename = "type")]
    pub kind: Raw<'a>,
    #[serde(borrow)]
    pub patterns: Raw<'a>,
    #[serde(borrow)]
    pub resources: Raw<'a>,
    #[serde(borrow)]
    pub pattern: Raw<'a>,
    #[serde(borrow)]
    pub always: Raw<'a>,
    #[serde(borrow)]
    pub save: Raw<'a>,
    #[serde(borrow)]
    pub metadata: Raw<'a>,
    #[serde(borrow)]
    pub tool: Raw<'a>,
    #[serde(borrow)]
    pub source: Raw<'a>,
    #[serde(borrow)]
    pub message: Raw<'a>,
    #[serde(borrow, rename = "messageID")]
    pub message_id: Raw<'a>,
    #[serde(borrow, rename = "callID")]
    pub call_id: Raw<'a>,
    #[serde(borrow)]
    pub time: Raw<'a>,
}

/// Where the tool call of a request is.
#[derive(Debug, Deserialize)]
pub struct Call<'a> {
    #[serde(borrow, rename = "messageID")]
    pub message: Raw<'a>,
    #[serde(borrow, rename = "callID")]
    pub call: Raw<'a>,
    #[serde(borrow)]
    pub id: Raw<'a>,
}

/// What a request's metadata may say.
#[derive(Debug, Default, Deserialize)]
pub struct Metadata<'a> {
    #[serde(borrow)]
    pub command: Raw<'a>,
    #[serde(borrow)]
    pub filepath: Raw<'a>,
    #[serde(borrow, rename = "filePath")]
    pub file_path: Raw<'a>,
    #[serde(borrow)]
    pub diff: Raw<'a>,
    #[serde(borrow)]
    pub files: Raw<'a>,
    #[serde(borrow)]
    pub url: Raw<'a>,
}

/// A file that an edit changes.
#[derive(Debug, Deserialize)]
pub struct FileDiff<'a> {
    #[serde(borrow)]
    pub file: Raw<'a>,
    #[serde(borrow)]
    pub patch: Raw<'a>,
}

/// When something was made.
#[derive(Debug, Deserialize)]
pub struct Time {
    pub created: Option<f64>,
    pub updated: Option<f64>,
}

/// That a request was answered.
#[derive(Debug, Deserialize)]
pub struct Replied<'a> {
    #[serde(borrow, rename = "requestID")]
    pub request: Raw<'a>,
    #[serde(borrow, rename = "permissionID")]
    pub permission: Raw<'a>,
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow)]
    pub reply: Raw<'a>,
    #[serde(borrow)]
    pub response: Raw<'a>,
    #[serde(borrow)]
    pub decision: Raw<'a>,
}

/// What the events about sessions and tool calls have in common.
#[derive(Debug, Deserialize)]
pub struct Happening<'a> {
    #[serde(borrow, rename = "sessionID")]
    pub session: Raw<'a>,
    #[serde(borrow)]
    pub info: Raw<'a>,
    #[serde(borrow)]
    pub status: Raw<'a>,
    #[serde(borrow)]
    pub part: Raw<'a>,
    #[serde(borrow)]
    pub directory: Raw<'a>,
    #[serde(borrow, rename = "callID")]
    pub call: Raw<'a>,
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow)]
    pub input: Raw<'a>,
    #[serde(borrow, rename = "assistantMessageID")]
    pub assistant_message: Raw<'a>,
    #[serde(borrow)]
    pub permissions: Raw<'a>,
}

/// The state of a session's run, or of a tool call.
#[derive(Debug, Deserialize)]
pub struct Status<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Raw<'a>,
}

/// A session, or that one was created.
#[derive(Debug, Deserialize)]
pub struct Session<'a> {
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow, rename = "sessionID")]
    pub session: Raw<'a>,
    #[serde(borrow, rename = "parentID")]
    pub parent: Raw<'a>,
    #[serde(borrow)]
    pub title: Raw<'a>,
    #[serde(borrow)]
    pub directory: Raw<'a>,
    #[serde(borrow)]
    pub location: Raw<'a>,
    #[serde(borrow)]
    pub agent: Raw<'a>,
    #[serde(borrow)]
    pub permission: Raw<'a>,
    #[serde(borrow)]
    pub permissions: Raw<'a>,
    #[serde(borrow)]
    pub time: Raw<'a>,
    #[serde(borrow)]
    pub model: Raw<'a>,
}

/// Where something is.
#[derive(Debug, Deserialize)]
pub struct Location<'a> {
    #[serde(borrow)]
    pub directory: Raw<'a>,
}

/// A part of a message; only tool calls matter here.
#[derive(Debug, Deserialize)]
pub struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Raw<'a>,
    #[serde(borrow, rename = "sessionID")]
    pub session: Raw<'a>,
    #[serde(borrow, rename = "messageID")]
    pub message: Raw<'a>,
    #[serde(borrow, rename = "callID")]
    pub call: Raw<'a>,
    #[serde(borrow)]
    pub id: Raw<'a>,
    #[serde(borrow)]
    pub state: Raw<'a>,
}

/// How far a tool call has come.
#[derive(Debug, Deserialize)]
pub struct ToolState<'a> {
    #[serde(borrow)]
    pub status: Raw<'a>,
    #[serde(borrow)]
    pub input: Raw<'a>,
}

/// What a tool call is given.
#[derive(Debug, Deserialize)]
pub struct Input<'a> {
    #[serde(borrow)]
    pub description: Raw<'a>,
    #[serde(borrow)]
    pub workdir: Raw<'a>,
    #[serde(borrow)]
    pub command: Raw<'a>,
}

/// A message with its parts.
#[derive(Debug, Deserialize)]
pub struct Message<'a> {
    #[serde(borrow)]
    pub info: Raw<'a>,
    #[serde(borrow, default)]
    pub parts: Vec<&'a RawValue>,
}

/// A message of the `/api` routes with its parts.
#[derive(Debug, Deserialize)]
pub struct ApiMessage<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Raw<'a>,
    #[serde(borrow)]
    pub text: Raw<'a>,
    #[serde(borrow)]
    pub model: Raw<'a>,
    #[serde(borrow, default)]
    pub content: Vec<&'a RawValue>,
}

/// Whose message it is, what it answers, and which model spoke or is to speak.
#[derive(Debug, Deserialize)]
pub struct MessageInfo<'a> {
    #[serde(borrow)]
    pub role: Raw<'a>,
    #[serde(borrow, rename = "parentID")]
    pub parent: Raw<'a>,
    #[serde(borrow, rename = "providerID")]
    pub provider: Raw<'a>,
    #[serde(borrow, rename = "modelID")]
    pub model_id: Raw<'a>,
    #[serde(borrow)]
    pub model: Raw<'a>,
    #[serde(borrow)]
    pub error: Raw<'a>,
    #[serde(borrow)]
    pub finish: Raw<'a>,
}

/// A part of a message that is text.
#[derive(Debug, Deserialize)]
pub struct TextPart<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Raw<'a>,
    #[serde(borrow)]
    pub text: Raw<'a>,
    #[serde(borrow)]
    pub synthetic: Raw<'a>,
    #[serde(borrow)]
    pub ignored: Raw<'a>,
}

/// A model, in every spelling seen.
#[derive(Debug, Deserialize)]
pub struct ModelRef<'a> {
    #[serde(borrow, rename = "providerID")]
    pub provider: Raw<'a>,
    #[serde(borrow, rename = "modelID")]
    pub model: Raw<'a>,
    #[serde(borrow)]
    pub id: Raw<'a>,
}

/// That a form was raised.
#[derive(Debug, Deserialize)]
pub struct FormCreated<'a> {
    #[serde(borrow)]
    pub form: &'a RawValue,
}

/// An answer of the `/api` routes.
#[derive(Debug, Deserialize)]
pub struct Enveloped<'a> {
    #[serde(borrow)]
    pub data: &'a RawValue,
    #[serde(borrow)]
    pub location: Raw<'a>,
    #[serde(borrow)]
    pub cursor: Raw<'a>,
}

/// Where a list goes on.
#[derive(Debug, Deserialize)]
pub struct Cursor<'a> {
    #[serde(borrow)]
    pub next: Raw<'a>,
}

/// How a server says it is, or what.
#[derive(Debug, Deserialize)]
pub struct Health {
    pub healthy: Option<bool>,
    pub version: Option<String>,
    pub pid: Option<i64>,
}
