//! What differs between the generations of OpenCode in the world itself. A dialect chooses; the world keeps to it.

use tokio::sync::Semaphore;

/// How things are done here.
#[derive(Debug, Clone)]
pub(crate) struct Customs {
    /// What `always` leaves behind, and which rules are looked at.
    pub(crate) approvals: Approvals,
    /// What becomes of the requests of a run that ended without their answers.
    pub(crate) orphans: Orphans,
    /// What an interruption does to a run that waits for sub-agents.
    pub(crate) interruption: Interruption,
    /// Where a prompt waits for its agent.
    pub(crate) prompts: Prompts,
    /// What tools are called, what they ask for, and how they are asked about.
    pub(crate) kit: Kit,
    /// Which happenings have a number in the history of their session.
    pub(crate) history: History,
    /// Whether a status that was told already is told again.
    pub(crate) repeats_status: bool,
    /// So many events behind, a client is cut off.
    pub(crate) backlog: usize,
    /// Whether the same call three times in a row is asked about.
    pub(crate) doom: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approvals {
    /// By directory, until the server ends. They beat every rule.
    InMemory,
    /// By project, for good. They answer an ask and never lift a deny; agents have rules of their own.
    Saved,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Orphans {
    /// They stay listed, and nobody waits for their answers.
    Linger,
    /// They are rejected, one by one.
    Rejected,
    /// They are not listed any more, and nobody is told.
    Dropped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// Only the sub-agents are taken away; their caller speaks once more.
    WindsUp,
    /// The sub-agents and their caller are taken away.
    TakesAll,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prompts {
    /// Among the messages, from the moment they are said. They are dropped if the run before them is stopped.
    Message,
    /// In the inbox of the session, until they are delivered.
    Inbox,
}

/// The generation of the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kit {
    First,
    Second {
        /// Requests for commands carry the whole line rather than command by command.
        raw: bool,
        /// Requests say what `always` would save.
        save: bool,
        /// Requests for edits show what would change.
        previews: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum History {
    /// Rows of the database: sessions, messages, parts.
    Rows,
    /// What was done: a session created, a run begun, a call made.
    Acts,
}

impl Customs {
    /// Those of OpenCode 1.x.
    pub(crate) fn first() -> Customs {
        Customs {
            approvals: Approvals::InMemory,
            orphans: Orphans::Linger,
            interruption: Interruption::WindsUp,
            prompts: Prompts::Message,
            kit: Kit::First,
            history: History::Rows,
            repeats_status: true,
            backlog: Semaphore::MAX_PERMITS,
            doom: true,
        }
    }

    /// Those of OpenCode 2.x.
    pub(crate) fn second(kit: Kit, orphans: Orphans) -> Customs {
        Customs {
            approvals: Approvals::Saved,
            orphans,
            interruption: Interruption::TakesAll,
            prompts: Prompts::Inbox,
            kit,
            history: History::Acts,
            repeats_status: false,
            backlog: 4096,
            doom: false,
        }
    }
}

impl Default for Customs {
    fn default() -> Customs {
        Customs::first()
    }
}
