//! The projects' rules files, on a thread of their own: a disk may take its time, and changes keep their order.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use gavel_core::rules_file::{Change, CommandLine, Match};
use gavel_disk::{RulesFile, premises};
use tokio::sync::oneshot;

/// So many files are held open to be written; beyond that, those with nothing left to write are let go.
const HELD: usize = 64;

/// The projects' rules files.
pub(crate) struct Rules {
    jobs: Option<Sender<Job>>,
}

enum Job {
    LookUp { project: String, line: CommandLine, proven: bool, looked: Box<dyn FnOnce(Option<Match>) + Send> },
    Learn { project: String, change: Change },
    Finish(oneshot::Sender<()>),
}

impl Rules {
    /// The rules files in `folder`; none without one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let jobs = folder.and_then(|folder| {
            let (jobs, inbox) = channel();
            let begun = std::thread::Builder::new().name("rules".to_owned()).spawn(move || work(&folder, &inbox));
            if let Err(error) = &begun {
                tracing::error!("the rules files are not read: {error}");
            }
            begun.is_ok().then_some(jobs)
        });
        Self { jobs }
    }

    /// Looks `line` up in the rules of `project`, as they are on the disk now, and tells `looked` the line that lets it
    /// pass, if there is one.
    pub(crate) fn look_up(
        &self,
        project: &str,
        line: CommandLine,
        proven: bool,
        looked: impl FnOnce(Option<Match>) + Send + 'static,
    ) {
        if self.jobs.is_none() {
            return looked(None);
        }
        self.send(Job::LookUp { project: project.to_owned(), line, proven, looked: Box::new(looked) });
    }

    /// Makes `change` to the rules of `project`.
    pub(crate) fn learn(&self, project: String, change: Change) {
        self.send(Job::Learn { project, change });
    }

    /// Waits until what was to be written is, for as long as `patience`.
    pub(crate) async fn finish(&self, patience: Duration) {
        let (done, finished) = oneshot::channel();
        self.send(Job::Finish(done));
        let _ = tokio::time::timeout(patience, finished).await;
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread ends only with its sender.
            let _ = jobs.send(job);
        }
    }
}

fn work(folder: &Path, inbox: &Receiver<Job>) {
    let mut files: HashMap<String, RulesFile> = HashMap::new();
    while let Ok(job) = inbox.recv() {
        match job {
            Job::LookUp { project, line, proven, looked } => {
                let file = file(&mut files, folder, &project);
                // Others write it as well.
                file.look();
                looked(file.matches(&line, || proven && bears_out(&project, &line)));
            }
            Job::Learn { project, change } => {
                if let Err(error) = file(&mut files, folder, &project).apply(change) {
                    tracing::warn!("what was learned is not being kept: {error}");
                }
            }
            Job::Finish(done) => {
                let _ = done.send(());
            }
        }
    }
}

/// Whether the disk bears out that `line` only reads within `project`.
fn bears_out(project: &str, line: &CommandLine) -> bool {
    let held = premises::hold(project, line.as_str());
    if let Err(why) = &held {
        tracing::info!("`{}` reads by its letters, but is asked about: {why}", line.as_str());
    }
    held.is_ok()
}

fn file<'a>(files: &'a mut HashMap<String, RulesFile>, folder: &Path, project: &str) -> &'a mut RulesFile {
    if files.len() >= HELD && !files.contains_key(project) {
        files.retain(|_, file| file.waiting() > 0);
    }
    files.entry(project.to_owned()).or_insert_with(|| RulesFile::open(folder, project, None))
}
