//! What a notification says, what comes back from it, and the one trait that every back-end fulfils.

use std::time::Duration;

use gavel_core::text::{Language, Message, Template};
use gavel_core::{RequestKey, term};

/// What a notification says. All text is plain: a back-end escapes it if its desktop reads markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The request it is about. There is at most one notification per request.
    pub key: RequestKey,
    /// One line: what is asked, and in which project.
    pub title: String,
    /// Everything else, lines separated by line feeds.
    pub body: String,
    /// The buttons, in the order they stand. A desktop that has no buttons shows none.
    pub buttons: Vec<Button>,
    /// What is written on the buttons of [`Button::CHOICES`] that it has, in their order.
    pub choices: Vec<String>,
    /// Whether it may break through "do not disturb". Ordinary requests don't: the person asked for quiet.
    pub urgent: bool,
    /// The language of its words, and of what is written on its buttons.
    pub language: Language,
}

/// A button of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Button {
    /// Let it happen once. Absent whenever part of what would happen is not displayed.
    Approve,
    /// Let it happen, and in this session whatever else the patterns match that the notification names. Absent
    /// whenever one of them is not displayed.
    AllowSession,
    /// Refuse it.
    Decline,
    /// Open the window at this request, to read all of it.
    Review,
    /// Give the first of the offered answers. Absent whenever part of the question is not displayed.
    First,
    /// Give the second one.
    Second,
    /// Give the third one.
    Third,
    /// Open the window at this question, to answer it there.
    Answer,
}

impl Button {
    /// Every button there is.
    pub const ALL: [Self; 8] = [
        Self::Approve,
        Self::AllowSession,
        Self::Decline,
        Self::Review,
        Self::First,
        Self::Second,
        Self::Third,
        Self::Answer,
    ];

    /// The buttons that give an answer to a question.
    pub const CHOICES: [Self; 3] = [Self::First, Self::Second, Self::Third];

    /// The word that stands for the button where the desktop gives back what was clicked.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::AllowSession => "session",
            Self::Decline => "decline",
            Self::Review => "review",
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
            Self::Answer => "answer",
        }
    }

    /// Whether it lets something happen, or says something in the user's name: then what that is must have been read.
    #[must_use]
    pub const fn allows(self) -> bool {
        matches!(self, Self::Approve | Self::AllowSession | Self::First | Self::Second | Self::Third)
    }
}

/// What is written on the button that opens the window at a question.
const ANSWER: Template = term!("Answer…");

impl Notice {
    /// What is written on `button` of this notification.
    ///
    /// Where approving needs reading first, the button that opens the window says so.
    #[must_use]
    pub fn label(&self, button: Button) -> String {
        let choice = |at: usize| self.choices.get(at).cloned().ok_or(ANSWER);
        let label = match button {
            Button::Approve => Err(term!("Approve")),
            Button::AllowSession => Err(term!("Allow this session")),
            Button::Decline => Err(term!("Decline")),
            Button::Review if self.buttons.contains(&Button::Approve) => Err(term!("Open")),
            Button::Review => Err(term!("Review…")),
            Button::First => choice(0),
            Button::Second => choice(1),
            Button::Third => choice(2),
            Button::Answer => Err(ANSWER),
        };
        label.unwrap_or_else(|word: Template| word.in_language(self.language))
    }
}

/// What a back-end has to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// A button was clicked. Most desktops take the notification off the screen with that; [`Notifier::close`] does it
    /// on all of them.
    Clicked {
        /// The request.
        key: RequestKey,
        /// The button, one of those the notice has.
        button: Button,
    },
    /// The notification itself was clicked: show the request, answer nothing.
    Opened {
        /// The request.
        key: RequestKey,
    },
    /// The person put the notification away. Not an answer: the request still waits.
    Dismissed {
        /// The request.
        key: RequestKey,
    },
    /// Whether notifications can be shown has changed.
    State(State),
}

/// What the desktop's notifications can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// Buttons.
    pub actions: bool,
    /// More than a title.
    pub body: bool,
    /// Markup in the body; what is sent there is escaped.
    pub markup: bool,
    /// They stay until they are dealt with.
    pub persistence: bool,
    /// Who shows them: name and version.
    pub server: String,
}

/// Whether notifications can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Not known yet.
    Starting,
    /// They can.
    Ready(Capabilities),
    /// They can't, at the moment. What is open is kept and shown as soon as they can.
    Unavailable {
        /// Why, for a person.
        reason: Message,
        /// What the person can do about it.
        hint: Message,
    },
}

/// Shows notifications.
///
/// Nothing but [`Notifier::flush`] ever waits: every call hands over to one task that does the work in order.
pub trait Notifier: Send + Sync {
    /// Shows `notice`, or brings the notification of its request up to date in place. The same content again does
    /// nothing. A notification that the person put away or clicked does not come back, unless the notice has become
    /// urgent or [`Notifier::close`] came in between.
    fn show(&self, notice: Notice);

    /// Takes back the notification of `key` and forgets everything about it, wherever it has got to.
    fn close(&self, key: &RequestKey);

    /// Takes back all notifications.
    fn close_all(&self);

    /// Whether notifications can be shown; changes are reported as [`Report::State`].
    fn state(&self) -> State;

    /// Waits until the desktop has taken in everything asked for so far, or is known not to be able to, for at most
    /// `within`; false if that was too short. Blocks the thread: only for the moment before the process ends, after
    /// [`Notifier::close_all`].
    fn flush(&self, within: Duration) -> bool;
}
