//! What preview sessions are about to run. Their requests name resources only, which may be less than the command.

use std::collections::HashMap;

use gavel_core::flow::WireEvent;
use gavel_core::{Ask, CallId, Route, SessionId};

use super::from_wire::{Decoded, Said};

/// How many calls are remembered. A request follows its call within milliseconds.
const MOST: usize = 256;

/// The commands of recent calls of preview sessions on one server.
#[derive(Debug, Default)]
pub struct Commands(HashMap<(SessionId, CallId), String>);

impl Commands {
    /// The event that `decoded` holds, if it matters, with the full command line where only an earlier event told it.
    pub fn complete(&mut self, decoded: Decoded) -> Option<WireEvent> {
        match decoded.said {
            Said::Event(WireEvent::Asked(mut ask)) => {
                self.fill(&mut ask);
                Some(WireEvent::Asked(ask))
            }
            Said::Event(event) => {
                if let WireEvent::CallEnded { session, call } = &event
                    && !self.0.is_empty()
                {
                    self.0.remove(&(session.clone(), call.clone()));
                }
                Some(event)
            }
            Said::Called { session, call, command, purpose, workdir } => {
                if self.0.len() >= MOST {
                    self.0.clear();
                }
                self.0.extend(command.map(|command| ((session.clone(), call.clone()), command)));
                Some(WireEvent::CallStarted { session, call, purpose, workdir })
            }
            Said::Connected | Said::Heartbeat | Said::Nothing | Said::Unknown(_) | Said::Unreadable => None,
        }
    }

    fn fill(&self, ask: &mut Ask) {
        if ask.route == Route::Preview
            && ask.detail.command.is_none()
            && let Some(at) = &ask.call
        {
            ask.detail.command = self.0.get(&(ask.session.clone(), at.call.clone())).cloned();
        }
    }
}
