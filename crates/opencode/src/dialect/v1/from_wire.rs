//! From the words of a 1.x server to events. Pure.
//!
//! A server that streams an answer sends hundreds of events a second, nearly all of no concern here: the kind is
//! peeked at first, and only what matters is looked into.

use gavel_core::flow::WireEvent;
use gavel_core::{CallRef, Moment, Reply, RequestId, Route, ServerId, Session, SessionId};

use super::lenient::{self, Raw, mend, part, text, word};
use super::place::{elsewhere, is_absolute};
use super::request::{self, call_ref};
use super::wire;
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
    let outer: wire::Frame<'_> = lenient::read(frame)?;
    let (directory, payload): (_, wire::Payload<'_>) = match outer.payload {
        Some(payload) => (word(outer.directory), lenient::read(payload.get())?),
        None => {
            let payload: wire::Payload<'_> = lenient::read(frame)?;
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
        let wire: wire::Ask<'_> = lenient::read(body).ok()?;
        let ask = request::ask(&wire, self.server, self.directory.unwrap_or_default(), route, self.now)?;
        if ask.directory.is_empty() {
            self.notes.push("a request came without its directory".to_owned());
        }
        Some(WireEvent::Asked(Box::new(ask)))
    }

    fn happening(&mut self, kind: &str, body: &str) -> Said {
        let Ok(wire) = lenient::read::<wire::Happening<'_>>(body) else {
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

fn replied(body: &str) -> Option<WireEvent> {
    let wire: wire::Replied<'_> = lenient::read(body).ok()?;
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

#[cfg(test)]
mod tests;
