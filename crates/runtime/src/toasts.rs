//! What is said in the terminals of 1.x servers, for whoever sits there while a judge is at work. Pure but for sending.
//!
//! Each server shows one such line at a time, and a line is gone after a few seconds: while it should stay, it is sent
//! again. Nothing is sent and no timer runs where nobody waits.

use std::collections::BTreeMap;

use gavel_core::display;
use gavel_core::flow::{Advice, Flow, Phase, Server};
use gavel_core::modes::Mode;
use gavel_core::text::{Language, plain};
use gavel_core::{Moment, Origin, RequestKey, ServerId, say};
use serde::{Deserialize, Serialize};

/// For how long something is said, with the names and defaults of the plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ToastTimes {
    /// How long a line stays by itself, in milliseconds.
    pub notify_duration_ms: u64,
    /// After how long it is sent again while it should stay, in milliseconds; 0 for never.
    pub notify_heartbeat_ms: u64,
    /// For how long it is held at most, in milliseconds.
    pub notify_stalled_max_ms: u64,
}

impl Default for ToastTimes {
    fn default() -> Self {
        Self { notify_duration_ms: 5_000, notify_heartbeat_ms: 2_000, notify_stalled_max_ms: 300_000 }
    }
}

impl ToastTimes {
    /// The least that is taken for a heartbeat: a server is not to be flooded.
    const LEAST: u64 = 500;

    /// After how long a line is sent again, if it is.
    fn heartbeat(self) -> Option<u64> {
        (self.notify_heartbeat_ms > 0).then_some(self.notify_heartbeat_ms.max(Self::LEAST))
    }
}

/// What there is to say about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// A judge is at it, and will answer.
    NoAnswerNeeded,
    /// It is for the user.
    UpToYou,
}

/// A line that should be read on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// What it is about.
    pub(crate) key: RequestKey,
    /// In which directory.
    pub(crate) directory: String,
    /// What there is to say.
    pub(crate) says: Says,
    /// Of what, in one line.
    pub(crate) headline: String,
}

/// The most of a headline that is said, in characters.
const LONGEST: usize = 80;

impl Line {
    /// The words, in the user's language.
    pub(crate) fn message(&self, language: Language) -> String {
        let about = display::excerpt(&self.headline, LONGEST, 1);
        let about = if about.missing == 0 { about.text } else { format!("{}…", about.text) };
        let said = match self.says {
            Says::NoAnswerNeeded => say!("No answer needed, the judge is at it: {}", plain(about)),
            Says::UpToYou => say!("It is up to you: {}", plain(about)),
        };
        said.in_language(language)
    }
}

/// What should be read on a server: about the request that waited longest of those that are for the user, or else of
/// those that a judge is at.
pub(crate) fn line(flow: &Flow, server: &Server, language: Language) -> Option<Line> {
    if server.info.origin == Origin::Demo || !server.link.is_online() {
        return None;
    }
    let said = |entry: &gavel_core::flow::Entry| {
        let chain = server.sessions.chain(&entry.ask.session);
        let stance = flow.stances().narrowest(&server.info.id, &chain);
        let answers = stance.is_some_and(|stance| stance.mode == Mode::Auto);
        let answers = answers && !server.judges_no_more(&entry.ask.session);
        match &entry.advice {
            _ if entry.phase != Phase::Waiting => None,
            Advice::None => None,
            Advice::Awaited if answers => Some(Says::NoAnswerNeeded),
            Advice::Awaited | Advice::Given(_) => Some(Says::UpToYou),
        }
    };
    let waiting = server.entries.values().filter_map(|entry| Some((said(entry)?, entry)));
    let (says, entry) =
        waiting.min_by_key(|(says, entry)| (*says == Says::NoAnswerNeeded, entry.since, entry.ask.key.clone()))?;
    Some(Line {
        key: entry.ask.key.clone(),
        directory: entry.ask.directory.clone(),
        says,
        headline: display::headline_in(&entry.ask, language),
    })
}

/// What was said where, and when.
#[derive(Debug, Default)]
pub(crate) struct Toasts {
    shown: BTreeMap<ServerId, Shown>,
    /// When somebody was asked to wake this up.
    due: Option<Moment>,
}

#[derive(Debug)]
struct Shown {
    line: Line,
    /// Since when.
    began: Moment,
    /// When it was last sent.
    sent: Moment,
}

/// What is to be done now.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    /// What is to be sent, and where.
    pub(crate) send: Vec<(ServerId, Line)>,
    /// When to look again, if nothing happens before.
    pub(crate) wake: Option<Moment>,
}

impl Toasts {
    /// What is to be done at `now`, if this should be read.
    pub(crate) fn step(&mut self, mut wanted: BTreeMap<ServerId, Line>, times: ToastTimes, now: Moment) -> Due {
        let mut due = Due::default();
        let mut next: Option<Moment> = None;
        self.shown.retain(|server, _| wanted.contains_key(server));
        while let Some((server, line)) = wanted.pop_first() {
            let known = self.shown.get_mut(&server).filter(|shown| shown.line == line);
            let shown = match known {
                Some(shown) => shown,
                None => {
                    due.send.push((server.clone(), line.clone()));
                    self.shown.insert(server.clone(), Shown { line, began: now, sent: now });
                    next = earlier(next, times.heartbeat().map(|pause| now.plus(pause)));
                    continue;
                }
            };
            let Some(pause) = times.heartbeat() else { continue };
            // Held no longer than this: then it fades by itself.
            let last = shown.began.plus(times.notify_stalled_max_ms);
            if shown.sent.plus(pause) <= now && now < last {
                shown.sent = now;
                due.send.push((server, shown.line.clone()));
            }
            let again = shown.sent.plus(pause);
            next = earlier(next, (again < last).then_some(again));
        }
        // One timer at a time: an earlier one looks again anyway.
        let running = self.due.is_some_and(|at| at > now && next.is_some_and(|next| at <= next));
        if !running {
            self.due = next;
            due.wake = next;
        }
        due
    }
}

fn earlier(one: Option<Moment>, other: Option<Moment>) -> Option<Moment> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests;
