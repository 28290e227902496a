//! When a judge that answers in the user's stead is stopped from doing so.

/// So many refusals one after the other are a sign that agent and judge are at odds.
const IN_A_ROW: u8 = 3;

/// So many refusals in one session are, too.
const IN_ALL: u8 = 20;

/// What a judge refused in a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Breaker {
    row: u8,
    all: u8,
}

impl Breaker {
    /// The judge allowed something.
    pub(super) fn allowed(&mut self) {
        self.row = 0;
    }

    /// The judge refused something.
    pub(super) fn refused(&mut self) {
        self.row = self.row.saturating_add(1);
        self.all = self.all.saturating_add(1);
    }

    /// Whether the user has to decide from now on.
    pub(super) const fn is_open(self) -> bool {
        self.row >= IN_A_ROW || self.all >= IN_ALL
    }
}
