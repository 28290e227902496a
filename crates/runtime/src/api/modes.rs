//! Modes and grants, as they are shown and chosen.

use gavel_core::Dialect;
use gavel_core::flow::RuleState;
use gavel_core::grants::Lasts;
use gavel_core::modes::{Stance, Unasked};
use gavel_core::rules::{Effect, Rule, Saved};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a mode is chosen for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum Scope {
    /// All sessions of a server.
    Server {
        /// Its id.
        server: String,
    },
    /// All sessions of a project, on whatever server.
    Project {
        /// Its absolute directory, exactly as it is called.
        directory: String,
    },
    /// One session, and those of its sub-agents.
    Session {
        /// The server's id.
        server: String,
        /// The session's id.
        session: String,
    },
}

/// What is chosen for what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Modes {
    /// Every watched server.
    pub servers: Vec<ModeRow>,
    /// Every project that is known, or that something was chosen for.
    pub projects: Vec<ModeRow>,
    /// The sessions that run or were used lately, those that run first.
    pub sessions: Vec<SessionRow>,
    /// The projects in which nobody is asked, as far as that is certain.
    pub unasked: Vec<UnaskedRow>,
}

/// What is chosen for a server or a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModeRow {
    /// What it is chosen for.
    pub scope: Scope,
    /// What that is called, every character visible.
    pub name: String,
    /// The same in full: an address, or a directory. Every character visible.
    pub place: String,
    /// What was chosen; `null` if nothing was.
    #[ts(type = "Stance | null")]
    pub chosen: Option<Stance>,
}

/// A session, and what counts for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SessionRow {
    /// The session.
    pub scope: Scope,
    /// Its title, every character visible.
    pub name: String,
    /// What its server is called.
    pub server_name: String,
    /// Its project's name.
    pub project: String,
    /// Its project's absolute directory, exactly as it is called.
    pub directory: String,
    /// The agent that runs in it, if that is known.
    pub agent: Option<String>,
    /// Whether it is one of a sub-agent.
    pub is_child: bool,
    /// Whether an agent is at work in it.
    pub runs: bool,
    /// What was chosen for it itself; `null` if nothing was.
    #[ts(type = "Stance | null")]
    pub chosen: Option<Stance>,
    /// What counts for it; `null` if Gavel leaves it to OpenCode.
    #[ts(type = "Stance | null")]
    pub counts: Option<Stance>,
    /// What was chosen for this makes it count: the session itself, the one above it, its project or its server.
    pub counts_by: Option<Scope>,
    /// How far the server knows of it; `null` if it was told nothing.
    #[ts(type = "RuleState | null")]
    pub state: Option<RuleState>,
    /// The rules that Gavel has set for it.
    #[ts(type = "Array<Rule>")]
    pub rules: Vec<Rule>,
}

/// A project in which a server asks about nothing that changes anything: Gavel is not called there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct UnaskedRow {
    /// The server's id.
    pub server: String,
    /// What the server is called, every character visible.
    pub server_name: String,
    /// The project's absolute directory, exactly as it is called.
    pub directory: String,
    /// The project's name, every character visible.
    pub project: String,
    /// Its directory, every character visible.
    pub place: String,
    /// What OpenCode's own rules never ask about.
    #[ts(type = "Unasked")]
    pub unasked: Unasked,
    /// Whether the user chose for the project, or its server, that nobody is asked.
    pub by_choice: bool,
    /// Which OpenCode the configuration is for.
    #[ts(type = "Dialect")]
    pub dialect: Dialect,
    /// What to put into its configuration so that it asks: JSON.
    pub configuration: String,
    /// The file that is for, every character visible.
    pub file: String,
    /// Whether the user wants to hear no more of it.
    pub put_aside: bool,
}

/// A grant: what the user allowed for a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantRow {
    /// Its number.
    #[ts(type = "number")]
    pub id: u64,
    /// The server's id.
    pub server: String,
    /// What the server is called.
    pub server_name: String,
    /// The title of the session, every character visible; empty while it is not known.
    pub session: String,
    /// The project's name; empty while it is not known.
    pub project: String,
    /// What is allowed, every character visible.
    #[ts(type = "Array<Saved>")]
    pub patterns: Vec<Saved>,
    /// Whether sessions of sub-agents are included.
    pub includes_children: bool,
    /// The request it was given for, in one line, every character visible.
    pub title: String,
    /// When it was given, in milliseconds since the Unix epoch.
    #[ts(type = "number")]
    pub given: u64,
    /// How long it lasts.
    #[ts(type = "Lasts")]
    pub lasts: Lasts,
    /// How often it has let something pass; `null` where the server itself lets it pass and tells nobody.
    #[ts(type = "number | null")]
    pub used: Option<u32>,
    /// Until when it can be had back, in milliseconds since the Unix epoch; `null` unless it was taken back.
    #[ts(type = "number | null")]
    pub back_until: Option<u64>,
}

/// What rules decide about something that is tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Trial {
    /// What happens.
    #[ts(type = "Effect")]
    pub effect: Effect,
    /// The rule that decides; `null` if none matches.
    #[ts(type = "Rule | null")]
    pub rule: Option<Rule>,
    /// Where that rule comes from.
    pub from: TrialSource,
}

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TrialSource {
    /// The agent's own rules: OpenCode's defaults and its configuration.
    Agent,
    /// The session's rules: those of the mode, of grants and of others.
    Session,
    /// No rule matches: then it is asked.
    None,
}
