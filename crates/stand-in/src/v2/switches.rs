//! What differs between the releases of 2.x, to be chosen.

use std::path::PathBuf;
use std::time::Duration;

/// The releases of 2.x differ in these. The default is what 2.1.2 does.
#[derive(Debug, Clone)]
pub struct Switches {
    /// The key that an answer to a request has its word under. The other key alone is refused with 400.
    pub reply_key: ReplyKey,
    /// How a form is cancelled. The other way is no route: a web page.
    pub form_cancel: FormCancel,
    /// How the rules of a session are replaced. The other ways are no routes.
    pub session_rules: SessionRules,
    /// Whether requests for commands are taken apart.
    pub shell: ShellResources,
    /// Whether requests say what `always` would save.
    pub save: bool,
    /// Whether requests for edits show what would change. The preview of 1.18.33 does not.
    pub previews: bool,
    /// Whether it is told that a request or a form ended with its run or its session. The preview of 1.18.33 only
    /// drops them from its lists when a run is interrupted.
    pub tells_endings: bool,
    /// Whether a saved approval can be changed: `PATCH /api/permission/saved/{id}`.
    pub saved_update: bool,
    /// Whether lists of messages can be filtered by their type. Where not, they come unfiltered.
    pub message_types: bool,
    /// For so many looks the list of agents of a location is empty.
    pub agents_after: u32,
    /// The release channel, for the name of the registration. `None`, `latest` and `next` have the plain name.
    pub channel: Option<String>,
    /// If set, the server is the background service of this state directory and registers itself in
    /// `<state_home>/opencode/`.
    pub state_home: Option<PathBuf>,
    /// How often the registration is looked after.
    pub reassert: Duration,
}

/// The key of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyKey {
    /// `decision`, as from 2.0.10 on at the latest.
    Decision,
    /// `reply`, as the betas had it.
    Reply,
}

/// How a form is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormCancel {
    /// `DELETE /api/session/{id}/form/{form}`.
    Delete,
    /// `POST /api/session/{id}/form/{form}/cancel`, without a reason.
    Post,
}

/// How the rules of a session are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionRules {
    /// `PATCH /api/session/{id}`.
    Patch,
    /// `POST /api/session/{id}/permissions`; there is no `PATCH` of sessions.
    Post,
    /// Not at all, and no `PATCH` either; they are not even taken when a session is made.
    Neither,
}

/// What a request for a command names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellResources {
    /// Each command of the line.
    Split,
    /// The line as it is.
    Raw,
}

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            reply_key: ReplyKey::Decision,
            form_cancel: FormCancel::Delete,
            session_rules: SessionRules::Patch,
            shell: ShellResources::Split,
            save: true,
            previews: true,
            tells_endings: true,
            saved_update: true,
            message_types: true,
            agents_after: 0,
            channel: None,
            state_home: None,
            reassert: Duration::from_secs(5),
        }
    }
}
