//! The command line of the one program `gavel`.

mod audit;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use gavel_disk::{Places, read_settings};

use crate::explain::Explain;
use crate::judge::Judge;
use crate::{JudgeSettings, Secrets, Settings};
pub use audit::Audit;

/// Watches your OpenCode servers, tells you when an agent wants permission, and lets you answer with one click.
#[derive(Debug, Clone, Default, PartialEq, Eq, Parser)]
#[command(name = "gavel", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// Start the built-in demo server, whose agents ask for permissions of every kind.
    #[arg(long)]
    pub demo: bool,
    /// Notifications and a log only: no tray, no window.
    #[arg(long)]
    pub headless: bool,
    /// Open the window at the start.
    #[arg(long, visible_alias = "show", conflicts_with = "headless")]
    pub window: bool,
    /// Something to be said on the command line, instead of watching.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be asked on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// What would the rules say, and which of them?
    Explain(Explain),
    /// What would the judge say about a command, and why?
    Judge(Judge),
    /// What was asked and what became of it, for other programs.
    Audit(Audit),
}

impl Command {
    /// Says it on standard output. Fails quietly when something is not as it was expected.
    ///
    /// # Errors
    /// What went wrong, in words for the user.
    pub fn run(&self) -> Result<ExitCode, String> {
        match self {
            Self::Explain(explain) => {
                let as_expected = explain.run(&mut std::io::stdout().lock())?;
                Ok(if as_expected { ExitCode::SUCCESS } else { ExitCode::FAILURE })
            }
            Self::Audit(audit) => audit.run(&mut std::io::stdout().lock(), &mut std::io::stderr().lock()),
            Self::Judge(judge) => judge.run(of_user, &mut std::io::stdout().lock(), &mut std::io::stderr().lock()),
        }
    }
}

/// What the user chose in the window about the judge, and where its key is. Gavel may be running: nothing is written.
fn of_user() -> Result<(JudgeSettings, Secrets), String> {
    let places = Places::of_user().map_err(|error| error.to_string())?;
    let settings: Settings = read_settings(&places.settings).map_err(|error| error.to_string())?;
    Ok((settings.judge, Secrets::Keychain))
}
