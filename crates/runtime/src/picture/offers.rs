//! What a server proposes to allow with a request, and what should be known about it.

use gavel_core::display::{is_deceptive_text, visible};
use gavel_core::flow::{Entry, Phase, Server};
use gavel_core::grants::{Lasts, is_offered};
use gavel_core::reach::{self, Hazard, Lines, narrower};
use gavel_core::rules::Saved;
use gavel_core::text::Language;
use gavel_core::{Ask, Decision};
use gavel_notify::Button;

use crate::api;

/// How many narrower patterns are suggested for one that is proposed.
const SUGGESTIONS: usize = 4;

/// How many of them for one resource: itself, and the widest of the others.
const EACH: usize = 3;

/// The longest resource that is looked into, in bytes: this is done for every picture.
const LONGEST: usize = 500;

/// The patterns that the server proposes to allow with `ask`.
pub(super) fn patterns(ask: &Ask) -> Vec<Saved> {
    ask.save.iter().map(|resource| Saved { action: ask.action.clone(), resource: resource.clone() }).collect()
}

/// The same as they are shown, where a line of several commands is asked about as `lines` says.
pub(super) fn offers(ask: &Ask, lines: Lines) -> Vec<api::Offer> {
    let offer = |pattern: Saved| api::Offer {
        shown: visible(&pattern.resource),
        hazard: hazard(&pattern, lines),
        narrower: suggestions(ask, &pattern.resource),
        pattern,
    };
    patterns(ask).into_iter().map(offer).collect()
}

/// The resources of the patterns that a notification offers to allow for the session: all that are proposed, and none
/// if there is something to be known about one of them that takes the window to say.
pub(super) fn for_session(entry: &Entry, server: &Server) -> Vec<String> {
    let lines = server.lines(&entry.ask);
    let harmless = |pattern: &Saved| reach::hazard(pattern, lines).is_none();
    if entry.phase != Phase::Waiting || !patterns(&entry.ask).iter().all(harmless) {
        return Vec::new();
    }
    entry.ask.save.clone()
}

/// What the button of the notification decides, which is what the window decides if nothing is changed there; `None` if
/// by now it would not be offered any more.
pub(crate) fn granted_for_session(entry: &Entry, server: &Server) -> Option<Decision> {
    let offered = super::notice(entry, server, true, Language::default()).buttons.contains(&Button::AllowSession);
    let patterns = patterns(&entry.ask);
    offered.then(|| Decision::AllowForSession { patterns, includes_children: false, lasts: Lasts::default() })
}

/// What is the matter with a pattern, every character visible.
pub(crate) fn hazard(pattern: &Saved, lines: Lines) -> Option<Hazard> {
    Some(match reach::hazard(pattern, lines)? {
        Hazard::Deletes { example } => Hazard::Deletes { example: visible(&example) },
        Hazard::Chained { example } => Hazard::Chained { example: visible(&example) },
        Hazard::RunsAnything { program } => Hazard::RunsAnything { program: visible(&program) },
        plain @ (Hazard::Everything | Hazard::Broad) => plain,
    })
}

/// Narrower patterns for what is asked.
fn suggestions(ask: &Ask, wide: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for resource in ask.resources.iter().filter(|resource| resource.len() <= LONGEST).take(SUGGESTIONS) {
        let mut all = narrower(&ask.action, resource, wide);
        let is_good = |resource: &String| {
            !is_deceptive_text(resource)
                && is_offered(ask, &Saved { action: ask.action.clone(), resource: resource.clone() })
        };
        all.retain(is_good);
        if all.len() > EACH {
            // Between the text itself and what is barely narrower there is little that anybody wants.
            all.drain(1..all.len() - (EACH - 1));
        }
        for pattern in all {
            if found.len() < SUGGESTIONS && !found.contains(&pattern) {
                found.push(pattern);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
