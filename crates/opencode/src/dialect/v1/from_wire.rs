//! From the words of a 1.x server to events. Pure.
//!
//! A server that streams an answer sends hundreds of events a second, nearly all of no concern here: the kind is
//! peeked at first, and only what matters is looked into.

use gavel_core::flow::WireEvent;
use gavel_core::{
    Ask, CallId, CallRef, Detail, Moment, Reply, RequestId, RequestKey, Route, ServerId, Session, SessionId,
};

use super::wire::{self, Raw, mend, part, text, texts, value, word};
use crate::Error;

/// What one frame of the stream came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// Absolute path of the project directory it is about, if it is about one.
    pub directory: Option<String>,
    /// What it said.
    pub said: Said,
    /// What was odd about it, for the log. Holds no content.
    pub diagnostics: Vec<String>,
}

/// What a frame said.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The stream is open.
    Connected,
    /// The server lives.
    Heartbeat,
    /// Something that matters.
    Event(WireEvent),
    /// Something known, of no concern.
    Nothing,
    /// A kind of event that is not known.
    Unknown(String),
    /// It could not be read, or lacks what it can't do without.
    Unreadable,
}

/// Reads one frame of `server`'s stream, of any of the three streams, as it arrives at `now`.
#[must_use]
pub fn decode(frame: &str, now: Moment, server: &ServerId) -> Decoded {
    let mut diagnostics = Vec::new();
    let (directory, said) = match open(frame) {
        Ok((directory, payload)) => {
            let said = Reader { now, server, directory: directory.as_deref(), notes: &mut diagnostics }.read(&payload);
            (directory, said)
        }
        Err(error) => {
            diagnostics.push(format!("an event was skipped: {error}"));
            (None, Said::Unreadable)
        }
    };
    Decoded { directory, said, diagnostics }
}

/// Takes the envelope off, whichever it is.
fn open(frame: &str) -> Result<(Option<String>, wire::Payload<'_>), Error> {
    let outer: wire::Frame<'_> = wire::read(frame)?;
    let (directory, payload): (_, wire::Payload<'_>) = match outer.payload {
        Some(payload) => (word(outer.directory), wire::read(payload.get())?),
        None => {
            let payload: wire::Payload<'_> = wire::read(frame)?;
            let place = part::<wire::Location<'_>>(payload.location);
            (place.and_then(|place| word(place.directory)), payload)
        }
    };
    // What belongs to no project is said to be in a directory called `global`.
    Ok((directory.filter(|directory| is_absolute(directory)), payload))
}

struct Reader<'a> {
    now: Moment,
    server: &'a ServerId,
    directory: Option<&'a str>,
    notes: &'a mut Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self, payload: &wire::Payload<'_>) -> Said {
        let kind = payload.kind.as_deref().unwrap_or_default();
        // Everything the match below leaves out ends here, without having been looked into.
        if let Some(said) = at_a_glance(kind) {
            return said;
        }
        let Some(body) = payload.properties.or(payload.data) else {
            return self.unreadable(kind, "it has no particulars");
        };
        let body = mend(body.get());
        let event = match kind {
            "permission.asked" | "permission.updated" => self.asked(&body, Route::V1),
            "permission.v2.asked" => self.asked(&body, Route::Preview),
            "permission.replied" | "permission.v2.replied" => replied(&body),
            _ => return self.happening(kind, &body),
        };
        event.map_or_else(|| self.unreadable(kind, "its id or session is missing"), Said::Event)
    }

    fn unreadable(&mut self, kind: &str, why: &str) -> Said {
        self.notes.push(format!("`{kind}` was skipped: {why}"));
        Said::Unreadable
    }

    fn asked(&mut self, body: &str, route: Route) -> Option<WireEvent> {
        let wire: wire::Ask<'_> = wire::read(body).ok()?;
        let ask = ask(&wire, self.server, self.directory.unwrap_or_default(), route, self.now)?;
        if ask.directory.is_empty() {
            self.notes.push("a request came without its directory".to_owned());
        }
        Some(WireEvent::Asked(Box::new(ask)))
    }

    fn happening(&mut self, kind: &str, body: &str) -> Said {
        let Ok(wire) = wire::read::<wire::Happening<'_>>(body) else {
            return self.unreadable(kind, "its particulars are no object");
        };
        let id = word(wire.session).map(SessionId);
        let event = match kind {
            "session.created" | "session.updated" => {
                let seen = part::<wire::Session<'_>>(wire.info).and_then(|info| session(&info));
                seen.map(|mut seen| {
                    if seen.directory.is_empty() {
                        seen.directory = self.directory.unwrap_or_default().to_owned();
                    }
                    WireEvent::SessionSeen(seen)
                })
            }
            "session.deleted" => {
                let info = part::<wire::Session<'_>>(wire.info);
                id.or_else(|| word(info?.id).map(SessionId)).map(WireEvent::SessionDeleted)
            }
            "session.status" if !is_idle(wire.status) => return Said::Nothing,
            // An error that belongs to no session ends no run.
            "session.error" if id.is_none() => return Said::Nothing,
            "session.status" | "session.idle" | "session.error" => id.map(WireEvent::RunEnded),
            "message.part.updated" => {
                let Some(tool) = part::<wire::Part<'_>>(wire.part).filter(is_tool) else { return Said::Nothing };
                return self.tool_part(&tool, id);
            }
            "session.next.tool.called" => {
                let input = part::<wire::Input<'_>>(wire.input);
                id.zip(call_ref(wire.assistant_message, wire.call))
                    .map(|(session, call)| self.started(session, call, input.as_ref()))
            }
            "session.next.tool.success" | "session.next.tool.failed" => id
                .zip(call_ref(wire.assistant_message, wire.call))
                .map(|(session, call)| WireEvent::CallEnded { session, call }),
            "server.instance.disposed" => {
                // Taken for "all of them", a missing directory would throw away what is still pending elsewhere.
                let directory = word(wire.directory).or_else(|| self.directory.map(str::to_owned));
                directory.map(|directory| WireEvent::Disposed(Some(directory)))
            }
            _ => return Said::Unknown(kind.to_owned()),
        };
        event.map_or_else(|| self.unreadable(kind, "what it is about is missing"), Said::Event)
    }

    fn tool_part(&self, tool: &wire::Part<'_>, session: Option<SessionId>) -> Said {
        let session = word(tool.session).map(SessionId).or(session);
        let Some((session, call)) = session.zip(call_ref(tool.message, tool.call)) else { return Said::Nothing };
        let Some(state) = part::<wire::ToolState<'_>>(tool.state) else { return Said::Nothing };
        match word(state.status).as_deref() {
            Some("running") => Said::Event(self.started(session, call, part(state.input).as_ref())),
            Some("completed" | "error") => Said::Event(WireEvent::CallEnded { session, call }),
            _ => Said::Nothing,
        }
    }

    fn started(&self, session: SessionId, call: CallRef, input: Option<&wire::Input<'_>>) -> WireEvent {
        let Particulars { command, purpose, workdir } = particulars(input, self.directory.unwrap_or_default());
        WireEvent::CallStarted { session, call, command, purpose, workdir }
    }
}

/// What can be said of an event by its kind alone; `None` if it must be looked into.
fn at_a_glance(kind: &str) -> Option<Said> {
    Some(match kind {
        "permission.asked"
        | "permission.updated"
        | "permission.v2.asked"
        | "permission.replied"
        | "permission.v2.replied"
        | "session.created"
        | "session.updated"
        | "session.deleted"
        | "session.status"
        | "session.idle"
        | "session.error"
        | "message.part.updated"
        | "session.next.tool.called"
        | "session.next.tool.success"
        | "session.next.tool.failed"
        | "server.instance.disposed" => return None,
        "server.connected" => Said::Connected,
        "server.heartbeat" => Said::Heartbeat,
        "global.disposed" => Said::Event(WireEvent::Disposed(None)),
        // A stored twin of an event that comes by itself, too.
        "sync" => Said::Nothing,
        _ if UNCONCERNED.iter().any(|prefix| kind.starts_with(prefix)) => Said::Nothing,
        _ => Said::Unknown(kind.to_owned()),
    })
}

/// Kinds of events, or beginnings of such, that are known and mean nothing to us.
const UNCONCERNED: &[&str] = &[
    "catalog.",
    "command.",
    "file.",
    "ide.",
    "installation.",
    "integration.",
    "lsp.",
    "mcp.",
    "message.",
    "plugin.",
    "project.",
    "pty.",
    "question.",
    "reference.",
    "session.compacted",
    "session.diff",
    "session.next.",
    "todo.",
    "tui.",
    "vcs.",
    "workspace.",
    "worktree.",
];

/// A request from its wire form; `None` without the two things it can't do without, its id and session.
pub(super) fn ask(wire: &wire::Ask<'_>, server: &ServerId, directory: &str, route: Route, now: Moment) -> Option<Ask> {
    let id = word(wire.id)?;
    let session = word(wire.session).map(SessionId)?;
    let action = [wire.permission, wire.action, wire.kind].into_iter().find_map(text);
    let resources = [wire.patterns, wire.resources, wire.pattern].into_iter().flatten().next();
    let metadata = part::<wire::Metadata<'_>>(wire.metadata).unwrap_or_default();
    let call = [wire.tool, wire.source].into_iter().find_map(part::<wire::Call<'_>>);
    let call = call.and_then(|at| call_ref(at.message, at.call.or(at.id)));
    let created = part::<wire::Time>(wire.time).and_then(|time| moment(time.created?));
    Some(Ask {
        asked: created.filter(|at| is_plausible(*at, now)).or_else(|| asked_at(&id, now)),
        key: RequestKey { server: server.clone(), request: RequestId(id) },
        session,
        directory: directory.to_owned(),
        route,
        action: action_word(action.as_deref().unwrap_or("unknown")),
        resources: texts(resources),
        save: texts(wire.always.or(wire.save)),
        call: call.or_else(|| call_ref(wire.message_id, wire.call_id)),
        detail: Detail {
            command: text(metadata.command),
            purpose: None,
            workdir: None,
            path: text(metadata.filepath.or(metadata.file_path)),
            diff: text(metadata.diff),
            url: text(metadata.url),
            metadata: value(wire.metadata),
        },
    })
}

/// The word 2.x uses for what 1.x calls `word`.
fn action_word(word: &str) -> String {
    match word {
        "bash" => "shell",
        "task" => "subagent",
        "write" | "patch" | "multiedit" => "edit",
        other => other,
    }
    .to_owned()
}

fn replied(body: &str) -> Option<WireEvent> {
    let wire: wire::Replied<'_> = wire::read(body).ok()?;
    let request = [wire.request, wire.permission, wire.id].into_iter().find_map(word)?;
    // An answer that can't be read is an answer all the same: the request is no longer pending.
    let reply = match [wire.reply, wire.response, wire.decision].into_iter().find_map(word).as_deref() {
        Some("once") => Some(Reply::Once),
        Some("always") => Some(Reply::Always),
        Some("reject") => Some(Reply::Reject),
        _ => None,
    };
    Some(WireEvent::Answered { request: RequestId(request), reply })
}

/// A session from its wire form; `None` without an id.
pub(super) fn session(wire: &wire::Session<'_>) -> Option<Session> {
    let place = || part::<wire::Location<'_>>(wire.location).and_then(|place| word(place.directory));
    Some(Session {
        id: SessionId(word(wire.id)?),
        parent: word(wire.parent).map(SessionId),
        title: text(wire.title).unwrap_or_default(),
        directory: word(wire.directory).or_else(place).unwrap_or_default(),
        agent: word(wire.agent),
    })
}

pub(super) fn is_idle(status: Raw<'_>) -> bool {
    let kind = part::<wire::Status<'_>>(status).and_then(|status| word(status.kind));
    kind.or_else(|| word(status)).as_deref() == Some("idle")
}

fn is_tool(part: &wire::Part<'_>) -> bool {
    word(part.kind).as_deref() == Some("tool")
}

fn call_ref(message: Raw<'_>, call: Raw<'_>) -> Option<CallRef> {
    word(message).zip(word(call)).map(|(message, call)| CallRef { message, call: CallId(call) })
}

/// What a call's input says.
#[derive(Debug, Default)]
pub(super) struct Particulars {
    pub command: Option<String>,
    pub purpose: Option<String>,
    pub workdir: Option<String>,
}

pub(super) fn particulars(input: Option<&wire::Input<'_>>, directory: &str) -> Particulars {
    input.map_or_else(Particulars::default, |input| Particulars {
        command: part::<String>(input.command),
        purpose: word(input.description),
        workdir: word(input.workdir).and_then(|workdir| elsewhere(&workdir, directory)),
    })
}

/// Whether `path` is absolute on any system.
pub(super) fn is_absolute(path: &str) -> bool {
    let mut chars = path.chars();
    let has_drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':');
    path.starts_with(['/', '\\']) || has_drive
}

/// `workdir` as an absolute path, unless it is the project's own directory.
fn elsewhere(workdir: &str, directory: &str) -> Option<String> {
    let absolute = if is_absolute(workdir) || directory.is_empty() {
        workdir.to_owned()
    } else if matches!(workdir, "." | "./") {
        directory.to_owned()
    } else {
        format!("{}/{}", directory.trim_end_matches('/'), workdir.strip_prefix("./").unwrap_or(workdir))
    };
    (absolute.trim_end_matches('/') != directory.trim_end_matches('/')).then_some(absolute)
}

/// A request older than this, in milliseconds, is likelier an id that we misread.
const OLDEST: u64 = 30 * 24 * 60 * 60 * 1000;

fn is_plausible(at: Moment, now: Moment) -> bool {
    at <= now && now.since(at) <= OLDEST
}

pub(super) fn moment(millis: f64) -> Option<Moment> {
    // The range is checked first, so nothing is lost but the fraction.
    (millis.is_finite() && (0.0..9e15).contains(&millis)).then_some(Moment(millis as u64))
}

/// When a request was asked, from its id: twelve hexadecimal digits hold the lower 48 bits of the milliseconds
/// times 4096, plus a counter. What the upper bits were follows from `now`.
fn asked_at(id: &str, now: Moment) -> Option<Moment> {
    const SPAN: u64 = 1 << 36;
    let digits = id.strip_prefix("per_")?.get(..12)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let low = u64::from_str_radix(digits, 16).ok()? >> 12;
    let at = Moment(now.0 - now.0 % SPAN + low);
    let at = if at > now { Moment(at.0.checked_sub(SPAN)?) } else { at };
    is_plausible(at, now).then_some(at)
}

#[cfg(test)]
mod tests;
