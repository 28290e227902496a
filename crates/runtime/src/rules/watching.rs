//! Noticing that rules files change while somebody looks at them.

use gavel_disk::RulesWatch;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

use super::Rules;
use crate::message::Message;

/// What is being watched.
#[derive(Default)]
pub(super) struct Watching {
    /// The project whose file is watched beside the folder of all.
    project: Option<String>,
    task: Option<AbortHandle>,
    /// How often something stirred.
    stirred: u64,
}

impl Rules {
    /// Watches the folder of the rules files from now on, if nothing is watched yet.
    pub(super) fn watch_all(&mut self, messages: &mpsc::UnboundedSender<Message>) {
        if let (Some(folder), None) = (&self.folder, &self.watching.task) {
            let watch = RulesWatch::folder(folder);
            self.watch(watch, messages);
        }
    }

    /// Watches the file of `project` as well, wherever it is. What was watched before still is, until this one is.
    pub(super) fn watch_project(&mut self, project: &str, messages: &mpsc::UnboundedSender<Message>) {
        self.watch_all(messages);
        if self.watching.project.as_deref() == Some(project) {
            return;
        }
        self.watching.project = Some(project.to_owned());
        let (project, messages) = (project.to_owned(), messages.clone());
        self.with_files(move |files| {
            let watch = files.peek(&project, gavel_disk::RulesFile::watch);
            let _ = messages.send(Message::RulesWatch(watch));
        });
    }

    /// Watches this from now on, and nothing else.
    pub(crate) fn watch(&mut self, mut watch: RulesWatch, messages: &mpsc::UnboundedSender<Message>) {
        let messages = messages.clone();
        let task = tokio::spawn(async move {
            loop {
                watch.changed().await;
                if messages.send(Message::RulesStirred).is_err() {
                    return;
                }
            }
        });
        if let Some(before) = self.watching.task.replace(task.abort_handle()) {
            before.abort();
        }
        // What happened between a look and this one is not known.
        self.stir();
    }

    /// Something happened to a rules file.
    pub(crate) fn stir(&mut self) {
        self.watching.stirred += 1;
    }

    /// Grows whenever a rules file may have changed.
    pub(crate) const fn stirred(&self) -> u64 {
        self.watching.stirred
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}
