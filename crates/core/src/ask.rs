//! A permission request, in the words of OpenCode 2.x whatever server it came from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CallId, Moment, RequestKey, SessionId};

/// Which family of routes a request belongs to: it decides where it is listed and how it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The 1.x routes, which are separate for every directory.
    V1,
    /// The `/api` routes that 1.18 offers as a preview of 2.x.
    Preview,
    /// The `/api` routes of 2.x.
    V2,
}

/// A permission request as the server sent it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// Server and request id.
    pub key: RequestKey,
    /// The session that asked; for a sub-agent this is the child.
    pub session: SessionId,
    /// Absolute path of the project directory the request lives in. The reply must name it.
    pub directory: String,
    /// Which routes list and answer it.
    pub route: Route,
    /// What kind of thing is asked, in 2.x words: `shell`, `edit`, `read`, `webfetch`, `external_directory`, …
    /// An unknown kind keeps the server's word.
    pub action: String,
    /// What exactly is asked for: commands, paths, addresses. May be narrower than what runs; see [`Detail::command`].
    pub resources: Vec<String>,
    /// The patterns that "always" would allow. May be broader than `resources`.
    pub save: Vec<String>,
    /// The tool call behind the request, when the server names one.
    pub call: Option<CallRef>,
    /// When it was asked, if the server's id tells; otherwise Gavel counts from when it first saw the request.
    pub asked: Option<Moment>,
    /// Particulars of the action.
    pub detail: Detail,
}

/// Where the tool call of a request is found in its session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CallRef {
    /// The assistant message (`msg_…`) that holds the call.
    pub message: String,
    /// The call.
    pub call: CallId,
}

/// The particulars of an action, as far as the server told them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// The full command line, exactly as it will run.
    pub command: Option<String>,
    /// What the agent says the command is for. The agent's own words: never to be trusted as a fact.
    pub purpose: Option<String>,
    /// Absolute directory the command runs in, when it is not the project's.
    pub workdir: Option<String>,
    /// Whether it is known where the command runs: without that, a missing `workdir` says nothing.
    pub placed: bool,
    /// The file that is changed or read.
    pub path: Option<String>,
    /// Unified diff of the change, uncut.
    pub diff: Option<String>,
    /// The address that is fetched.
    pub url: Option<String>,
    /// What a plugin of the server says about why this is asked. Its own words: never to be trusted as a fact.
    pub note: Option<String>,
    /// Everything the server sent about the action, for kinds that have no field above.
    pub metadata: Value,
}
