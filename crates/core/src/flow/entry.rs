//! A request that is not settled yet.

use super::deputy::Deputy;
use crate::text::Message;
use crate::{Ask, Decision, Finding, Moment, Opinion, Opinions, Reply, RequestKey};

/// How long it takes at least to read a request, in milliseconds: servers tell the last of it a moment after the first.
const GLANCE: u64 = 200;

/// For how long nobody can have read what was just added to a request, in milliseconds.
const READING: u64 = 1_000;

/// A request that is not settled yet, and how far its answer has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What is asked.
    pub ask: Ask,
    /// Since when it waits.
    pub since: Moment,
    /// How far its answer has come.
    pub phase: Phase,
    /// Grows whenever what would run turns out to be more: what is approved must be the edition that was displayed.
    pub edition: u32,
    /// What the analysis on this machine says of this edition.
    pub finding: Option<Finding>,
    /// How long that took, in milliseconds, rounded up.
    pub(super) took: u64,
    /// What a judge says of this edition.
    pub advice: Advice,
    /// When Gavel first knew of it.
    pub(super) met: Moment,
    /// When what would run turned out to be more than what was shown, unless that was decided about since.
    pub(super) grown: Option<Moment>,
    /// Number of the event that brought it; a listing begun earlier says nothing about it.
    pub(super) arrived: u64,
    /// Whether the stream brought it; otherwise only a listing did.
    pub(super) by_stream: bool,
    /// Whether a notification was shown for it.
    pub(super) announced: bool,
    /// The server announced an answer while ours was under way: `Some(reply)`, and which, if known.
    pub(super) observed: Option<Option<Reply>>,
    /// Its run ended while our answer was under way.
    pub(super) run_ended: bool,
    /// Our refusal of this other request of the session makes the server refuse this one too.
    pub(super) swept_by: Option<RequestKey>,
    /// Whether it has outlasted the grace delay.
    pub(super) lasts: bool,
    /// Whether no rule lets this edition pass, so that a judge may be asked about it.
    pub(super) open_to_judges: bool,
    /// Whether a judge was to be asked about this edition.
    pub(super) sought: bool,
    /// Who answered in the user's stead, if somebody did.
    pub(super) deputy: Option<Deputy>,
    /// A listing lacked it, and no event has said why.
    pub(super) gone: bool,
    /// Whether it was said of it that it is asked in another directory than before: where it runs isn't known then.
    pub(super) moved: bool,
}

/// What a judge says of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Advice {
    /// Nothing: none was asked.
    #[default]
    None,
    /// One is being asked.
    Awaited,
    /// This.
    Given(Opinion),
}

/// What was said of a tool call when it began.
#[derive(Debug, Clone, Default)]
pub(super) struct Call {
    pub(super) command: Option<String>,
    pub(super) purpose: Option<String>,
    pub(super) workdir: Option<String>,
    pub(super) placed: bool,
}

/// How far the answer of a request has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Nobody has answered.
    Waiting,
    /// Our answer is under way.
    Replying {
        /// The answer.
        decision: Decision,
        /// 1, or 2 for the second and last attempt.
        attempt: u8,
    },
    /// Our answer could not be delivered: the user must choose to try again.
    Undelivered {
        /// The answer.
        decision: Decision,
        /// Why it was not delivered, for a person.
        why: Message,
    },
}

impl Entry {
    pub(super) fn new(ask: Ask, now: Moment, arrived: u64) -> Self {
        // A server whose clock is ahead must not make a request wait since the future.
        let since = ask.asked.map_or(now, |asked| asked.min(now));
        Self {
            ask,
            since,
            phase: Phase::Waiting,
            edition: 1,
            finding: None,
            took: 0,
            advice: Advice::None,
            lasts: false,
            open_to_judges: false,
            sought: false,
            met: now,
            grown: None,
            arrived,
            by_stream: false,
            announced: false,
            observed: None,
            run_ended: false,
            swept_by: None,
            deputy: None,
            gone: false,
            moved: false,
        }
    }

    /// Whether the user can decide about it now.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !matches!(self.phase, Phase::Replying { .. })
    }

    /// Fills in what a later message knew and an earlier one didn't. Whether that changes anything.
    pub(super) fn complete(&mut self, call: &Call, now: Moment) -> bool {
        let detail = &mut self.ask.detail;
        detail.placed |= call.placed && !self.moved;
        let fill = |field: &mut Option<String>, value: &Option<String>| {
            let fills = field.is_none() && value.is_some();
            if fills {
                field.clone_from(value);
            }
            fills
        };
        let told_otherwise = call.command.is_some() && detail.command.is_some() && detail.command != call.command;
        if told_otherwise {
            detail.command.clone_from(&call.command);
        }
        let more_runs =
            told_otherwise | fill(&mut detail.command, &call.command) | fill(&mut detail.workdir, &call.workdir);
        let changed = more_runs | fill(&mut detail.purpose, &call.purpose);
        if more_runs {
            self.begin_edition();
        }
        // Whoever answers in the user's stead is quicker than a glance.
        if more_runs && (now.since(self.met) > GLANCE || self.deputy.is_some()) {
            self.grown = Some(now);
        }
        changed
    }

    /// It is asked in `directory`. Whether what was said of it, as asked elsewhere, no longer stands.
    pub(super) fn belongs_to(&mut self, directory: &str) -> bool {
        let plain = |path: &str| path.trim_end_matches('/').to_owned();
        let (before, after) = (plain(&self.ask.directory), plain(directory));
        if directory.is_empty() {
            return false;
        }
        let begun = !self.ask.directory.is_empty();
        directory.clone_into(&mut self.ask.directory);
        if begun && before != after {
            self.moved = true;
            self.ask.detail.placed = false;
            self.begin_edition();
        }
        !begun || before != after
    }

    /// What was said of it was said of something else.
    fn begin_edition(&mut self) {
        self.edition += 1;
        self.finding = None;
        self.advice = Advice::None;
        self.open_to_judges = false;
        self.sought = false;
    }

    /// What was said of this edition so far.
    #[must_use]
    pub fn opinions(&self) -> Opinions {
        let model = match &self.advice {
            Advice::Given(opinion) => Some(opinion.clone()),
            Advice::None | Advice::Awaited => None,
        };
        Opinions { offline: self.finding.clone().map(|finding| finding.verdict(self.took)), model }
    }

    /// Whether what would run grew so lately that the user can't have read it.
    pub(super) fn is_unread(&self, now: Moment) -> bool {
        self.grown.is_some_and(|at| (at..at.plus(READING)).contains(&now))
    }

    /// Whether `ask`, which has the same id, asks for something else: the server has begun anew, and numbers as before.
    pub(super) fn is_another(&self, ask: &Ask) -> bool {
        let words = |ask: &Ask| (ask.session.clone(), ask.action.clone(), ask.resources.clone());
        let (known, told) = (&self.ask.detail, &ask.detail);
        let unlike = |known: &Option<String>, told: &Option<String>| known.is_some() && told.is_some() && known != told;
        let differs = words(&self.ask) != words(ask)
            || unlike(&known.command, &told.command)
            || unlike(&known.path, &told.path)
            || unlike(&known.diff, &told.diff)
            || unlike(&known.url, &told.url);
        differs && self.ask.route == ask.route
    }
}
