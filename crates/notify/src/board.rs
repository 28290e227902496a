//! Which notifications there should be, and which there are. Pure.
//!
//! A notification is known to the desktop by a number, and the number comes late: only with the reply. So everything
//! that happens between asking and reply is kept apart by the number of the call, and everything between two lives of
//! one request by a mark that is part of what a click sends back.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use gavel_core::RequestKey;

use crate::{Button, Notice, Report};

/// What stands before the person, and what should.
#[derive(Debug, Default)]
pub(crate) struct Board {
    entries: BTreeMap<RequestKey, Entry>,
    /// Every number the desktop gave to a notification whose entry is still there, also after it went off the screen:
    /// some desktops tell that a notification closed before they tell that it was clicked.
    ids: HashMap<u32, RequestKey>,
    /// Notify calls whose reply has not come.
    calls: HashMap<u64, RequestKey>,
    last: u64,
}

#[derive(Debug)]
struct Entry {
    wanted: Notice,
    /// What the desktop was told last, or is being told.
    told: Option<Notice>,
    place: Place,
    /// The Notify call under way.
    call: Option<u64>,
    /// Tells this life of the request from every other; also the order of arrival.
    mark: u64,
    /// It was on the screen before, so it must not make a sound again.
    announced: bool,
    clicked: bool,
    /// After a refusal: don't try before.
    not_before: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Not on the screen.
    Off,
    /// On the screen, under this number.
    On(u32),
    /// The person dismissed or clicked it.
    PutAway,
}

/// A Notify call to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Post {
    pub call: u64,
    /// The number of the notification to replace; zero for a new one.
    pub replaces: u32,
    pub mark: u64,
    pub notice: Notice,
    /// It has been announced before.
    pub again: bool,
}

impl Board {
    /// The reason for closing that means: the person did it.
    pub const DISMISSED: u32 = 2;

    /// Wants `notice` to stand.
    pub fn show(&mut self, notice: Notice) {
        self.last += 1;
        let mark = self.last;
        match self.entries.get_mut(&notice.key) {
            Some(entry) => {
                if entry.place == Place::PutAway && notice.urgent && !entry.wanted.urgent {
                    entry.place = Place::Off;
                    entry.told = None;
                    entry.clicked = false;
                }
                entry.wanted = notice;
            }
            None => {
                let key = notice.key.clone();
                let entry = Entry {
                    wanted: notice,
                    told: None,
                    place: Place::Off,
                    call: None,
                    mark,
                    announced: false,
                    clicked: false,
                    not_before: None,
                };
                self.entries.insert(key, entry);
            }
        }
    }

    /// Forgets `key`. Returns the number of its notification, if that is to be closed.
    #[must_use]
    pub fn close(&mut self, key: &RequestKey) -> Option<u32> {
        let entry = self.entries.remove(key)?;
        self.ids.retain(|_, of| of != key);
        match entry.place {
            Place::On(id) => Some(id),
            Place::Off | Place::PutAway => None,
        }
    }

    /// Forgets everything. Returns the numbers to be closed.
    #[must_use]
    pub fn close_all(&mut self) -> Vec<u32> {
        self.keys().iter().filter_map(|key| self.close(key)).collect()
    }

    /// Every request it has not forgotten.
    pub fn keys(&self) -> Vec<RequestKey> {
        self.entries.keys().cloned().collect()
    }

    /// Whether anything is to be seen by the person.
    pub fn is_open(&self) -> bool {
        self.entries.values().any(|entry| entry.place != Place::PutAway)
    }

    /// The next notification the desktop must be told about, taken as told by call number `call`.
    #[must_use]
    pub fn post(&mut self, call: u64, now: Instant) -> Option<Post> {
        let due =
            self.entries.values_mut().filter(|entry| entry.is_due() && entry.not_before.is_none_or(|at| at <= now));
        let entry = due.min_by_key(|entry| entry.mark)?;
        entry.call = Some(call);
        entry.told = Some(entry.wanted.clone());
        entry.not_before = None;
        self.calls.insert(call, entry.wanted.key.clone());
        let replaces = if let Place::On(id) = entry.place { id } else { 0 };
        Some(Post { call, replaces, mark: entry.mark, notice: entry.wanted.clone(), again: entry.announced })
    }

    /// When the first refused notification is due again.
    pub fn due_at(&self) -> Option<Instant> {
        self.entries.values().filter(|entry| entry.is_due()).filter_map(|entry| entry.not_before).min()
    }

    /// The desktop gave `id` to the notification of `call`. Returns the number to be closed at once, if nobody wants
    /// the notification any more.
    #[must_use]
    pub fn posted(&mut self, call: u64, id: u32) -> Option<u32> {
        let entry = self.calls.remove(&call).and_then(|key| self.entries.get_mut(&key));
        let Some(entry) = entry.filter(|entry| entry.call == Some(call)) else {
            return (!self.stands(id)).then_some(id);
        };
        entry.call = None;
        entry.announced = true;
        if entry.place == Place::PutAway {
            // Put away while its update was under way, which brought it up again.
            return Some(id);
        }
        entry.place = Place::On(id);
        let key = entry.wanted.key.clone();
        if let Some(other) = self.ids.insert(id, key.clone()).filter(|other| *other != key)
            && let Some(other) = self.entries.get_mut(&other).filter(|other| other.place == Place::On(id))
        {
            other.place = Place::Off;
        }
        None
    }

    /// The desktop did not take the notification of `call`; try again, but not before `at`.
    pub fn refused(&mut self, call: u64, at: Instant) {
        let entry = self.calls.remove(&call).and_then(|key| self.entries.get_mut(&key));
        if let Some(entry) = entry.filter(|entry| entry.call == Some(call)) {
            entry.call = None;
            entry.told = None;
            entry.not_before = Some(at);
        }
    }

    /// The desktop answers again, but some replies never came: tell it again. Should a reply come after all, its
    /// notification is closed.
    pub fn forget_calls(&mut self) {
        self.calls.clear();
        for entry in self.entries.values_mut().filter(|entry| entry.call.is_some()) {
            entry.call = None;
            entry.told = None;
        }
    }

    /// The desktop that showed all this is gone, and every number with it.
    pub fn forget_ids(&mut self) {
        self.forget_calls();
        self.ids.clear();
        for entry in self.entries.values_mut() {
            entry.not_before = None;
            match entry.place {
                // Some services leave standing what was clicked. It need not come back.
                Place::On(_) if entry.clicked => entry.place = Place::PutAway,
                Place::On(_) => {
                    entry.place = Place::Off;
                    entry.told = None;
                }
                Place::Off | Place::PutAway => {}
            }
        }
    }

    /// Something named `action` was clicked on notification `id`.
    #[must_use]
    pub fn clicked(&mut self, id: u32, action: &str) -> Option<Report> {
        let entry = self.entries.get_mut(self.ids.get(&id)?)?;
        let key = entry.wanted.key.clone();
        let report = if action == DEFAULT {
            Report::Opened { key }
        } else {
            let button = entry.button(action)?;
            if entry.wanted.buttons.contains(&button) && (!button.allows() || entry.is_read()) {
                Report::Clicked { key, button }
            } else {
                // It stood there a moment ago, but there is more to read now than what was on the screen.
                Report::Opened { key }
            }
        };
        entry.clicked = true;
        Some(report)
    }

    /// Notification `id` went off the screen.
    #[must_use]
    pub fn closed(&mut self, id: u32, reason: u32) -> Option<Report> {
        let entry = self.entries.get_mut(self.ids.get(&id)?)?;
        if entry.place != Place::On(id) {
            return None;
        }
        if entry.clicked {
            entry.place = Place::PutAway;
            return None;
        }
        if reason != Self::DISMISSED {
            entry.place = Place::Off;
            return None;
        }
        entry.place = Place::PutAway;
        Some(Report::Dismissed { key: entry.wanted.key.clone() })
    }

    fn stands(&self, id: u32) -> bool {
        self.ids.get(&id).and_then(|key| self.entries.get(key)).is_some_and(|entry| entry.place == Place::On(id))
    }
}

impl Entry {
    /// Whether the desktop must be told, and is not being told already.
    fn is_due(&self) -> bool {
        self.place != Place::PutAway && self.call.is_none() && self.told.as_ref() != Some(&self.wanted)
    }

    /// Whether what the person sees is what there is to see. An update under way may not be on the screen yet.
    fn is_read(&self) -> bool {
        self.told.as_ref() == Some(&self.wanted) && self.call.is_none()
    }

    /// The button that `action` names, if it names one of this life of this request.
    fn button(&self, action: &str) -> Option<Button> {
        Button::ALL.into_iter().find(|button| action_name(*button, self.mark) == action)
    }
}

/// The name of the action that stands for a click on the notification itself.
pub(crate) const DEFAULT: &str = "default";

/// The name of the action behind `button` of the notification with this mark.
pub(crate) fn action_name(button: Button, mark: u64) -> String {
    format!("{}.{mark}", button.word())
}

#[cfg(test)]
mod tests;
