//! What every host does at the start: find the user's files and set the driver up with them.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gavel_disk::{ActivityLog, Holder, Places, Seat, read_kept, read_settings, write_kept};
use gavel_opencode::Tuning;
use tracing_subscriber::EnvFilter;

use crate::demo::Demo;
use crate::{Handle, JudgeSetup, Keep, Marks, Secrets, Settings, Setup};

/// As long as a Gavel may take to end after it was told to, and some.
const ENDING: Duration = Duration::from_secs(5);

/// So long it is until it is looked again whether it has.
const LOOK: Duration = Duration::from_millis(50);

/// The user's files.
pub struct Home {
    /// Where they are.
    pub places: Places,
}

impl Home {
    /// Finds the user's files and begins to log to standard error (`GAVEL_LOG` sets what, `info` by default).
    ///
    /// # Errors
    /// If there is no home, in words for the user.
    pub fn open() -> Result<Self, String> {
        let filter = EnvFilter::try_from_env("GAVEL_LOG").unwrap_or_else(|_| EnvFilter::new("gavel=info"));
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
        // A host may have begun a log of its own.
        let _ = log.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init();
        Ok(Self { places: Places::of_user().map_err(|error| error.to_string())? })
    }

    /// Takes the files for this process, until the seat is dropped: two Gavels would write over each other's. One that is
    /// about to end is waited for.
    ///
    /// # Errors
    /// If another Gavel has them, in words for the user.
    pub fn take(&self, headless: bool) -> Result<Seat, String> {
        let until = Instant::now() + ENDING;
        let holder = Holder { pid: std::process::id(), headless };
        let mut waits = false;
        loop {
            match Seat::take(&self.places.running, &holder).map_err(|error| error.to_string())? {
                Ok(seat) => return Ok(seat),
                Err(other) if Instant::now() >= until => return Err(taken(&other)),
                Err(other) => {
                    if !std::mem::replace(&mut waits, true) {
                        tracing::info!("waiting for the Gavel of process {} to end", other.pid);
                    }
                    std::thread::sleep(LOOK);
                }
            }
        }
    }

    /// The settings.
    ///
    /// # Errors
    /// If they can't be read or understood, in words for the user. They must not be written then.
    pub fn settings(&self) -> Result<Settings, String> {
        read_settings(&self.places.settings).map_err(|error| error.to_string())
    }

    /// Starts the driver with what the user's machine offers.
    ///
    /// # Errors
    /// If the activity log can't be written, in words for the user.
    pub fn start(&self, settings: Settings, keep: Keep, demo: Option<&Demo>) -> Result<Handle, String> {
        let log = ActivityLog::open(&self.places.activity).map_err(|error| error.to_string())?;
        if log.unreadable > 0 {
            tracing::warn!("{} lines of {} can't be read", log.unreadable, self.places.activity.display());
        }
        let judge = JudgeSetup::of_environment(&settings.judge.options);
        if let Some(why) = judge.as_ref().and_then(|judge| judge.problem.as_ref()) {
            tracing::error!("the judge that the environment names is of no use: {why}");
        }
        Ok(crate::start(Setup {
            settings,
            keep,
            log,
            secrets: Secrets::Keychain,
            notifier: Box::new(gavel_notify::desktop),
            tuning: Tuning::default(),
            language: crate::language::of_system(),
            demo: demo.map(Demo::url),
            judge,
            marks: {
                let path = self.places.marks.clone();
                let keep = Box::new(move |marks: &[String]| {
                    write_kept(&path, &marks.to_vec()).map_err(|error| error.to_string())
                });
                Marks::new(read_kept(&self.places.marks), keep)
            },
            // It is there since the activity log is.
            elsewhere: self.places.activity.parent().and_then(|folder| folder.to_str()).map(str::to_owned),
            rules: Some(self.places.rules.clone()),
            exports: self.places.exports.clone(),
            grants: read_kept(&self.places.grants),
            keep_grants: {
                let path = self.places.grants.clone();
                Box::new(move |grants| write_kept(&path, grants).map_err(|error| error.to_string()))
            },
            away: read_kept(&self.places.waiting),
            keep_away: {
                let path = self.places.waiting.clone();
                Arc::new(move |away| write_kept(&path, away).map_err(|error| error.to_string()))
            },
            drafts: read_kept(&self.places.drafts),
            keep_drafts: {
                let path = self.places.drafts.clone();
                Box::new(move |drafts| write_kept(&path, drafts).map_err(|error| error.to_string()))
            },
            told: read_kept(&self.places.told),
            keep_told: {
                let path = self.places.told.clone();
                Box::new(move |told| write_kept(&path, told).map_err(|error| error.to_string()))
            },
        }))
    }
}

/// That another Gavel has the files, for the user.
fn taken(holder: &Holder) -> String {
    let who = match holder.pid {
        0 => "another process".to_owned(),
        pid => format!("process {pid}"),
    };
    let how = if holder.headless { " without a window" } else { "" };
    format!("Gavel runs already{how}, in {who}; end that one first")
}
