//! What people do with notifications.

use gavel_core::flow::Event;
use gavel_core::{Decision, RequestKey};
use gavel_notify::{Button, Report};

use super::Driver;
use crate::handle::Wish;
use crate::picture;

impl Driver {
    pub(super) fn report(&mut self, report: Report) {
        match report {
            Report::Clicked { key, button: Button::Approve } => self.decide(key, Decision::AllowOnce),
            Report::Clicked { key, button: Button::AllowSession } => {
                match self.find(&key).and_then(|(entry, server)| picture::granted_for_session(entry, server)) {
                    Some(decision) => self.decide(key, decision),
                    None => self.report(Report::Opened { key }),
                }
            }
            Report::Clicked { key, button: Button::Decline } => {
                self.decide(key, Decision::decline(""));
            }
            Report::Clicked { key, button: Button::First } => self.choose(key, 0),
            Report::Clicked { key, button: Button::Second } => self.choose(key, 1),
            Report::Clicked { key, button: Button::Third } => self.choose(key, 2),
            Report::Clicked { key, button: Button::Review | Button::Answer } | Report::Opened { key } => {
                let _ = self.wishes.send(Wish::Show(key));
            }
            // Putting a notification away is no answer: the request waits in the tray and the window.
            Report::Dismissed { .. } => {}
            // The next picture asks the notifier for its state.
            Report::State(_) => self.dirty = true,
        }
    }

    /// What a notification says is known to the notifier: it gives no clicks on a text that has changed since.
    fn decide(&mut self, key: RequestKey, decision: Decision) {
        self.feed(Event::Decide { key, decision, edition: None });
    }
}
