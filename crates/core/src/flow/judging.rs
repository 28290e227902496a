//! What a request does is looked at, and looked at again when more of it becomes known.

use super::effect::Effect;
use super::machine::Step;
use super::server::Server;
use crate::{Finding, RequestId};

impl Step {
    /// Has the request looked at, as far as it is known now.
    pub(super) fn judge(&mut self, server: &Server, id: &RequestId) {
        let Some(entry) = server.entries.get(id) else { return };
        self.effects.push(Effect::Judge { ask: Box::new(entry.ask.clone()), edition: entry.edition });
    }

    /// What the request does is known: it stands with it from now on, wherever it is shown.
    pub(super) fn judged(&mut self, server: &mut Server, id: &RequestId, edition: u32, finding: Finding) {
        let Some(entry) = server.entries.get_mut(id).filter(|entry| entry.edition == edition) else { return };
        if entry.finding.as_ref() == Some(&finding) {
            return;
        }
        entry.finding = Some(finding);
        if entry.announced {
            self.effects.push(Effect::Notify(entry.ask.key.clone()));
        }
        self.publish();
    }
}
