//! What the driver is set up with.

use std::path::PathBuf;
use std::sync::Arc;

use gavel_core::flow::{Away, Told};
use gavel_core::grants::Grants;
use gavel_core::text::Language;
use gavel_disk::ActivityLog;
use gavel_notify::{Notifier, Report};
use gavel_opencode::Tuning;
use tokio::sync::mpsc;

use crate::asides::Marks;
use crate::drafts::{Drafts, KeepDrafts};
use crate::judge_setup::JudgeSetup;
use crate::secrets::Secrets;
use crate::settings::Settings;
use crate::waiting::KeepAway;

/// Where settings are kept; gives the reason if that fails.
pub type Keep = Box<dyn Fn(&Settings) -> Result<(), String> + Send + Sync>;

/// Where grants are kept; gives the reason if that fails.
pub type KeepGrants = Box<dyn Fn(&Grants) -> Result<(), String> + Send + Sync>;

/// Where it is kept what servers were told; gives the reason if that fails.
pub type KeepTold = Box<dyn Fn(&Told) -> Result<(), String> + Send + Sync>;

/// Makes the notifier, given where its reports go.
pub type MakeNotifier = Box<dyn FnOnce(mpsc::UnboundedSender<Report>) -> Arc<dyn Notifier> + Send>;

/// What the driver is set up with.
pub struct Setup {
    /// What the user chose earlier.
    pub settings: Settings,
    /// Where changed settings are kept.
    pub keep: Keep,
    /// The activity log.
    pub log: ActivityLog,
    /// Where passwords are kept.
    pub secrets: Secrets,
    /// Makes the notifier.
    pub notifier: MakeNotifier,
    /// Times of the connections.
    pub tuning: Tuning,
    /// The language of the system, for a user who has chosen none.
    pub language: Language,
    /// Base URL of the built-in demo server, if it runs.
    pub demo: Option<String>,
    /// The folder of the projects' rules files; without one, nothing passes by a rule and nothing is learned.
    pub rules: Option<PathBuf>,
    /// The folder that exports are written to.
    pub exports: PathBuf,
    /// The judge that nothing in the settings changes, if there is one: the environment names it, or a test.
    pub judge: Option<JudgeSetup>,
    /// How what Gavel leaves on servers for a moment is known again.
    pub marks: Arc<Marks>,
    /// Absolute path of a directory on this machine that is no project, if there is one.
    pub elsewhere: Option<String>,
    /// The grants that were kept when Gavel last ended.
    pub grants: Grants,
    /// Where grants are kept.
    pub keep_grants: KeepGrants,
    /// What servers had been told of the rules of sessions when Gavel last ended.
    pub told: Told,
    /// Where that is kept.
    pub keep_told: KeepTold,
    /// What waited when Gavel last ended.
    pub away: Away,
    /// Where that is kept.
    pub keep_away: KeepAway,
    /// What was half typed for questions when Gavel last ended.
    pub drafts: Drafts,
    /// Where that is kept.
    pub keep_drafts: KeepDrafts,
}
