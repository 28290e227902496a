//! What is said, and left behind, on servers beside the answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gavel_core::ServerId;

use super::{Driver, now};
use crate::message::Message;
use crate::toasts::{self, Says};

impl Driver {
    /// Says in the terminals of servers what is to be said there now.
    pub(super) fn toast(&mut self) {
        let wants = self.settings.preferences.toasts && !self.paused;
        let language = self.language();
        let mut wanted = BTreeMap::new();
        if wants {
            let servers = self.flow.servers().values().filter(|server| !server.entries.is_empty());
            for server in servers.filter(|server| server.link.dialect() == Some(gavel_core::Dialect::V1)) {
                wanted.extend(toasts::line(&self.flow, server, language).map(|line| (server.info.id.clone(), line)));
            }
        }
        let (times, now) = (self.settings.toasts, now());
        let due = self.toasts.step(wanted, times, now);
        for (server, line) in due.send {
            let Some(connection) = self.servers.connection(&server) else { continue };
            tokio::spawn(async move {
                let warns = line.says == Says::UpToYou;
                let said =
                    connection.toast(&line.directory, &line.message(language), warns, times.notify_duration_ms).await;
                // It is a courtesy: the inbox has it all.
                if let Err(error) = said {
                    tracing::debug!(%server, %error, "nothing is said in the terminal");
                }
            });
        }
        if let Some(at) = due.wake {
            let messages = self.messages.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(at.since(now))).await;
                let _ = messages.send(Message::ToastDue);
            });
        }
    }

    /// Ends what this program may have left behind on a server, in this run or an earlier one.
    pub(super) fn sweep(&self, server: &ServerId) {
        let (Some(connection), marks) = (self.servers.connection(server), Arc::clone(&self.marks)) else { return };
        tokio::spawn(async move {
            match connection.sweep(marks.earlier()).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "sessions of ours that were left behind are ended"),
                Err(error) => tracing::debug!(%error, "what may have been left behind is not looked for"),
            }
        });
    }
}
