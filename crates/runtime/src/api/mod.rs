//! What hosts (the window, the tray, tests) may ask of Gavel, and what they are shown.
//!
//! One closed set of calls, one closed set of answers. TypeScript for the window is generated from these types into
//! `ui/src/bindings`; a test fails when the two drift apart.

mod activity;
pub mod bindings;
mod call;
mod judge;
mod modes;
mod question;
mod rules;
mod saved;
mod snapshot;
mod verdict;

pub use activity::{
    Answerer, AskedOften, AutoCase, AutoRule, Case, Day, Ending, ExportFormat, Facet, Facets, FailureCount, JudgeCard,
    Opinion, Pictures, Query, ReportCard,
};
pub use call::{Answer, Call, Code, Failure};
pub use judge::{JudgeChoice, JudgeFailure, JudgeRound, JudgeRow, JudgeTest, PausedThread};
pub use modes::{GrantRow, ModeRow, Modes, Scope, SessionRow, Trial, TrialSource, UnaskedRow};
pub use question::{Choice, Field, FieldKind, Problem, Question, QuestionPhase, Quick, When};
pub use rules::{
    CommandTrial, Evidence, EvidenceBy, ExportedFrom, ExportedRule, HeldCheck, HeldExample, ImportFate, ImportedLine,
    LearnProblem, LearnedLine, PendingLine, PresetCheck, PresetLine, PresetProblem, ProjectRules, RulesChange,
    RulesExport, RulesImport, RulesProject, RulesState, Suggestion, TrialOutcome,
};
pub use saved::{PastRequest, SavedApproval, SavedProject, WouldMatch};
pub use snapshot::{
    Activity, Always, Keychain, Language, Notifications, Offer, Outcome, Panel, PasswordSource, Phase, Preferences,
    RemovedServer, Request, ServerRow, SessionStep, Shortcut, Snapshot,
};
pub use verdict::{Advice, Part, Verdict};
