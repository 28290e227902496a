//! From the words of a 2.x server to events. Pure.

use gavel_core::flow::WireEvent;
use gavel_core::{CallRef, Moment, Route, ServerId, SessionId};

use crate::dialect::heard::{Decoded, Said};
use crate::dialect::lenient::{self, mend, part, word};
use crate::dialect::place::is_absolute;
use crate::dialect::request::{self, Particulars, call_ref, particulars};
use crate::dialect::rules::told;
use crate::dialect::session::{is_busy, is_idle, session};
use crate::dialect::{Dialect, question, wire};

/// Reads one frame of `server`'s stream, as it arrives at `now`.
#[must_use]
pub fn decode(frame: &str, now: Moment, server: &ServerId) -> Decoded {
    let mut diagnostics = Vec::new();
    let (mut also, mut prompted) = (None, None);
    let (directory, said) = match lenient::read::<wire::Payload<'_>>(frame) {
        Ok(event) => {
            let place = part::<wire::Location<'_>>(event.location).and_then(|place| word(place.directory));
            let directory = place.filter(|place| is_absolute(place));
            let (directory_of, notes) = (directory.as_deref(), &mut diagnostics);
            let (also, prompted) = (&mut also, &mut prompted);
            let said = Reader { now, server, directory: directory_of, notes, also, prompted }.read(&event);
            (directory, said)
        }
        Err(error) => {
            diagnostics.push(format!("an event was skipped: {error}"));
            (None, Said::Unreadable)
        }
    };
    Decoded { directory, said, also, prompted, diagnostics }
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
    fn read(&mut self, event: &wire::Payload<'_>) -> Said {
        let kind = event.kind.as_deref().unwrap_or_default();
        // Most of what a busy server says ends here, without having been looked into.
        if let Some(said) = at_a_glance(kind) {
            return said;
        }
        if matches!(kind, "agent.updated" | "config.updated") {
            return Said::Event(WireEvent::AgentsChanged(self.directory.unwrap_or_default().to_owned()));
        }
        let Some(body) = event.data else { return self.unreadable(kind, "it has no particulars") };
        let body = mend(body.get());
        let meant = match kind {
            "permission.asked" => self.asked(&body),
            "permission.replied" => request::replied(&body),
            "form.created" => self.form(&body),
            "form.replied" => question::answered(&body),
            "form.cancelled" => question::cancelled(&body),
            "session.created" => {
                let wire = lenient::read::<wire::Session<'_>>(&body).ok();
                wire.and_then(|wire| Some((session(&wire)?, wire.rules(Dialect::V2)))).map(|(mut seen, rules)| {
                    if seen.directory.is_empty() {
                        seen.directory = self.directory.unwrap_or_default().to_owned();
                    }
                    *self.also = rules.map(|rules| WireEvent::RulesChanged { session: seen.id.clone(), rules });
                    WireEvent::SessionBegan(seen)
                })
            }
            "location.shutdown" => self.directory.map(|directory| WireEvent::Disposed(Some(directory.to_owned()))),
            _ => return self.happening(kind, &body),
        };
        meant.map_or_else(|| self.unreadable(kind, "what it is about is missing"), Said::Event)
    }

    fn unreadable(&mut self, kind: &str, why: &str) -> Said {
        self.notes.push(format!("`{kind}` was skipped: {why}"));
        Said::Unreadable
    }

    fn asked(&mut self, body: &str) -> Option<WireEvent> {
        let wire: wire::Ask<'_> = lenient::read(body).ok()?;
        let directory = self.directory.unwrap_or_default();
        let ask = request::ask(&wire, self.server, directory, Route::V2, self.now)?;
        Some(WireEvent::Asked(Box::new(ask)))
    }

    fn form(&mut self, body: &str) -> Option<WireEvent> {
        let wire: wire::FormCreated<'_> = lenient::read(body).ok()?;
        let directory = self.directory.unwrap_or_default();
        let form = question::question(wire.form.get(), self.server, directory, Route::V2, self.now)?;
        Some(WireEvent::QuestionAsked(Box::new(form)))
    }

    fn happening(&mut self, kind: &str, body: &str) -> Said {
        let Ok(wire) = lenient::read::<wire::Happening<'_>>(body) else {
            return self.unreadable(kind, "its particulars are no object");
        };
        let Some(session) = word(wire.session).map(SessionId) else {
            return self.unreadable(kind, "its session is missing");
        };
        let call = || call_ref(wire.assistant_message, wire.call.or(wire.id));
        let meant = match kind {
            // What is delivered is among the messages from now on; whose it was, they say.
            "session.inbox.delivered" => {
                *self.prompted = Some(session);
                return Said::Nothing;
            }
            "session.deleted" => Some(WireEvent::SessionDeleted(session)),
            "session.agent.selected" | "session.moved" | "session.renamed" => Some(WireEvent::SessionChanged(session)),
            "session.permissions" | "session.permissions.updated" => {
                let Some(rules) = told(Dialect::V2, wire.permissions) else {
                    return self.unreadable(kind, "its rules can't be read");
                };
                Some(WireEvent::RulesChanged { session, rules })
            }
            "session.execution.started" => Some(WireEvent::RunBegan(session)),
            "session.status" if is_busy(wire.status) => Some(WireEvent::RunBegan(session)),
            "session.status" if !is_idle(wire.status) => return Said::Nothing,
            "session.status"
            | "session.idle"
            | "session.execution.succeeded"
            | "session.execution.failed"
            | "session.execution.interrupted" => Some(WireEvent::RunEnded(session)),
            "session.tool.called" => call().map(|call| self.started(session, call, part(wire.input).as_ref())),
            "session.tool.success" | "session.tool.failed" => call().map(|call| WireEvent::CallEnded { session, call }),
            _ => return Said::Unknown(kind.to_owned()),
        };
        meant.map_or_else(|| self.unreadable(kind, "its call is missing"), Said::Event)
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
        | "permission.replied"
        | "form.created"
        | "form.replied"
        | "form.cancelled"
        | "session.created"
        | "session.deleted"
        | "session.inbox.delivered"
        | "session.moved"
        | "session.renamed"
        | "session.agent.selected"
        | "session.permissions"
        | "session.permissions.updated"
        | "session.status"
        | "session.idle"
        | "session.execution.started"
        | "session.execution.succeeded"
        | "session.execution.failed"
        | "session.execution.interrupted"
        | "session.tool.called"
        | "session.tool.success"
        | "session.tool.failed"
        | "location.shutdown"
        | "agent.updated"
        | "config.updated" => return None,
        "server.connected" => Said::Connected,
        _ if UNCONCERNED.iter().any(|prefix| kind.starts_with(prefix)) => Said::Nothing,
        // Who knows what such a one says about a request.
        _ if kind.starts_with("permission.") || kind.starts_with("form.") => Said::Unreadable,
        _ => Said::Unknown(kind.to_owned()),
    })
}

/// Kinds of events, or beginnings of such, that are known and mean nothing to us.
const UNCONCERNED: &[&str] = &[
    "agent.",
    "catalog.",
    "command.",
    "config.",
    "credential.",
    "file.",
    "filesystem.",
    "integration.",
    "lsp.",
    "mcp.",
    "model.",
    "plugin.",
    "project.",
    "provider.",
    "pty.",
    "reference.",
    "session.",
    "shell.",
    "skill.",
    "todo.",
    "tui.",
    "vcs.",
    "workspace.",
    "worktree.",
];

#[cfg(test)]
mod tests;
