//! Shows notifications on this desktop and prints what comes back, until all of them are dealt with: to see with one's
//! own eyes what a notification service makes of them.
//!
//! `cargo run -p gavel-notify --example ask -- 'npm test' 'rm -rf "a<b" && echo "<b>bold</b>"'`

use std::time::Duration;

use gavel_core::RequestKey;
use gavel_notify::{Draft, Report, compose, desktop};

#[tokio::main]
async fn main() {
    let (send, mut reports) = tokio::sync::mpsc::unbounded_channel();
    let notifier = desktop(send);
    let commands: Vec<String> = std::env::args().skip(1).collect();
    for (number, command) in commands.iter().enumerate() {
        let headline = format!("Run {command}");
        let remarks = ["Looks harmless: it only reads".to_owned()];
        let draft = Draft {
            headline: &headline,
            project: "shop",
            remarks: &remarks,
            text: command,
            approvable: true,
            ..Draft::default()
        };
        notifier.show(compose(RequestKey::new("http://127.0.0.1:4096", number.to_string()), &draft));
    }
    let mut left = commands.len();
    while left > 0
        && let Some(report) = reports.recv().await
    {
        println!("{report:?}");
        left -= usize::from(!matches!(report, Report::State(_)));
    }
    notifier.close_all();
    notifier.flush(Duration::from_secs(1));
}
