//! The command line of the one program `gavel`.

use clap::Parser;

/// Watches your OpenCode servers, tells you when an agent wants permission, and lets you answer with one click.
#[derive(Debug, Clone, Default, PartialEq, Eq, Parser)]
#[command(name = "gavel", version, about)]
pub struct Cli {
    /// Start the built-in demo server, whose agents ask for permissions of every kind.
    #[arg(long)]
    pub demo: bool,
    /// Notifications and a log only: no tray, no window.
    #[arg(long)]
    pub headless: bool,
    /// Open the window at the start.
    #[arg(long, conflicts_with = "headless")]
    pub window: bool,
}
