//! Where Gavel keeps things: the XDG directories, or what stands for them on the platform.

use std::path::PathBuf;

use etcetera::BaseStrategy as _;

use crate::Error;

/// The folders and files Gavel owns or shares. Nothing is created until something is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `settings.json`: what the user chose. No secrets.
    pub settings: PathBuf,
    /// `activity.jsonl`: what was asked and what became of it.
    pub activity: PathBuf,
    /// `grants.json`: what the user allowed for sessions that still live.
    pub grants: PathBuf,
    /// `told.json`: which rules of sessions are Gavel's.
    pub told: PathBuf,
    /// `drafts.json`: what is half typed for questions that still wait.
    pub drafts: PathBuf,
    /// `waiting.json`: what waits, so that the next run can tell what became of it.
    pub waiting: PathBuf,
    /// `running.lock`: that Gavel runs.
    pub running: PathBuf,
    /// The folder that exports are written to: where the user's downloads are, if there is such a place.
    pub exports: PathBuf,
    /// `marks.json`: by what the sessions are known that Gavel begins on servers for itself.
    pub marks: PathBuf,
    /// The folder of the projects' rules files. It is the plugin's, which keeps them there on every system.
    pub rules: PathBuf,
}

impl Places {
    /// The places of the current user, from `XDG_CONFIG_HOME`, `XDG_DATA_HOME` and `HOME`.
    ///
    /// # Errors
    /// [`Error::NoHome`] if none of these is known.
    pub fn of_user() -> Result<Self, Error> {
        let base = etcetera::choose_base_strategy().map_err(|_| Error::NoHome)?;
        Ok(Self {
            settings: base.config_dir().join("gavel").join("settings.json"),
            activity: base.data_dir().join("gavel").join("activity.jsonl"),
            grants: base.data_dir().join("gavel").join("grants.json"),
            told: base.data_dir().join("gavel").join("told.json"),
            drafts: base.data_dir().join("gavel").join("drafts.json"),
            waiting: base.data_dir().join("gavel").join("waiting.json"),
            running: base.data_dir().join("gavel").join("running.lock"),
            exports: dirs::download_dir().unwrap_or_else(|| base.data_dir().join("gavel").join("exports")),
            marks: base.data_dir().join("gavel").join("marks.json"),
            rules: base.data_dir().join("opencode-auto-permission"),
        })
    }
}
