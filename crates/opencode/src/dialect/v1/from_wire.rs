//! From the words of a 1.x server to events. Pure.
//!
//! A server that streams an answer sends hundreds of events a second, nearly all of no concern here: the kind is
//! peeked at first, and only what matters is looked into.

use gavel_core::flow::WireEvent;
use gavel_core::{CallRef, Moment, Route, ServerId, SessionId};

use crate::Error;
use crate::dialect::heard::{Decoded, Said};
use crate::dialect::lenient::{self, mend, part, word};
use crate::dialect::place::is_absolute;
use crate::dialect::request::{self, Particulars, call_ref, particulars};
use crate::dialect::{Dialect, question, session, wire};

/// Reads one frame of `server`'s stream, of any of the three streams, as it arrives at `now`.
#[must_use]
pub fn decode(frame: &str, now: Moment, server: &ServerId) -> Decoded {
    let mut diagnostics = Vec::new();
    let (mut also, mut prompted) = (None, None);
    let (directory, said) = match open(frame) {
        Ok((directory, payload)) => {
            let (directory_of, notes) = (directory.as_deref(), &mut diagnostics);
            let (also, prompted) = (&mut also, &mut prompted);
            let said = Reader { now, server, directory: directory_of, notes, also, prompted }.read(&payload);
            (directory, said)
        }
        Err(error) => {
            diagnostics.push(format!("an event was skipped: {error}"));
            (None, Said::Unreadable)
        }
    };
    Decoded { directory, said, also, prompted, diagnostics }
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
    also: &'a mut Option<WireEvent>,
    prompted: &'a mut Option<SessionId>,
}

impl Reader<'_> {
    fn read(&mut self, payload: &wire::Payload<'_>) -> Said {
        let kind = payload.kind.as_deref().unwrap_or_default();
        // Everything the match below leaves out ends here, without having been looked into.
        if let Some(said) = at_a_glance(kind) {
            if said == Said::Event(WireEvent::Disposed(None)) {
                *self.also = Some(WireEvent::AgentsChanged(String::new()));
            }
            return said;
        }
        let Some(body) = payload.properties.or(payload.data) else {
            return self.unreadable(kind, "it has no particulars");
        };
        let body = mend(body.get());
        let event = match kind {
            "permission.asked" | "permission.updated" => self.asked(&body, Route::V1),
            "permission.v2.asked" => self.asked(&body, Route::Preview),
            "permission.replied" | "permission.v2.replied" => request::replied(&body),
            "question.asked" => self.question(&body, Route::V1),
            "question.v2.asked" => self.question(&body, Route::Preview),
            "question.replied" | "question.v2.replied" => question::answered(&body),
            "question.rejected" | "question.v2.rejected" => question::cancelled(&body),
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

    fn question(&mut self, body: &str, route: Route) -> Option<WireEvent> {
        let question = question::question(body, self.server, self.directory.unwrap_or_default(), route, self.now)?;
        if question.directory.is_empty() {
            self.notes.push("a question came without its directory".to_owned());
        }
        Some(WireEvent::QuestionAsked(Box::new(question)))
    }

    fn happening(&mut self, kind: &str, body: &str) -> Said {
        let Ok(wire) = lenient::read::<wire::Happening<'_>>(body) else {
            return self.unreadable(kind, "its particulars are no object");
        };
        let id = word(wire.session).map(SessionId);
        let event = match kind {
            "session.created" | "session.updated" => {
                let info = part::<wire::Session<'_>>(wire.info);
                info.and_then(|info| Some((session::session(&info)?, info.rules(Dialect::V1)))).map(
                    |(mut seen, rules)| {
                        if seen.directory.is_empty() {
                            seen.directory = self.directory.unwrap_or_default().to_owned();
                        }
                        *self.also = rules.map(|rules| WireEvent::RulesChanged { session: seen.id.clone(), rules });
                        if kind == "session.created" {
                            WireEvent::SessionBegan(seen)
                        } else {
                            WireEvent::SessionSeen(seen)
                        }
                    },
                )
            }
            "session.deleted" => {
                let info = part::<wire::Session<'_>>(wire.info);
                id.or_else(|| word(info?.id).map(SessionId)).map(WireEvent::SessionDeleted)
            }
            "session.status" if session::is_busy(wire.status) => id.map(WireEvent::RunBegan),
            "session.status" if !session::is_idle(wire.status) => return Said::Nothing,
            // An error that belongs to no session ends no run.
            "session.error" if id.is_none() => return Said::Nothing,
            "session.status" | "session.idle" | "session.error" => id.map(WireEvent::RunEnded),
            "message.part.updated" => {
                let Some(tool) = part::<wire::Part<'_>>(wire.part).filter(is_tool) else { return Said::Nothing };
                return self.tool_part(&tool, id);
            }
            "message.updated" => {
                let info = part::<wire::MessageInfo<'_>>(wire.info);
                if info.and_then(|info| word(info.role)).as_deref() == Some("user") {
                    *self.prompted = id.or_else(|| {
                        part::<wire::Happening<'_>>(wire.info).and_then(|info| word(info.session)).map(SessionId)
                    });
                }
                return Said::Nothing;
            }
            // Only sessions of the preview say this. Rules that are set for one on the other routes are kept, and no more.
            "session.next.prompted" => {
                self.prompted.clone_from(&id);
                id.map(WireEvent::RulesIgnored)
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
                // There is no other word for a changed configuration.
                *self.also = directory.clone().map(WireEvent::AgentsChanged);
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
        let Particulars { command, purpose, workdir, placed } = particulars(input, self.directory.unwrap_or_default());
        WireEvent::CallStarted { session, call, command, purpose, workdir, placed }
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
        | "question.asked"
        | "question.replied"
        | "question.rejected"
        | "question.v2.asked"
        | "question.v2.replied"
        | "question.v2.rejected"
        | "session.created"
        | "session.updated"
        | "session.deleted"
        | "session.status"
        | "session.idle"
        | "session.error"
        | "message.updated"
        | "message.part.updated"
        | "session.next.prompted"
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

fn is_tool(part: &wire::Part<'_>) -> bool {
    word(part.kind).as_deref() == Some("tool")
}

#[cfg(test)]
mod tests;
