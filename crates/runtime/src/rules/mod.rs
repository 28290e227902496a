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
    LookUp { project: String, line: CommandLine, proven: bool, looked: Box<dyn FnOnce(Looked) + Send> },
    Learn { project: String, change: Change },
    Finish(oneshot::Sender<()>),
}

/// What became of looking a command up.
pub(crate) enum Looked {
    /// This line lets it pass.
    Passes(Match),
    /// A line would, but the disk doesn't bear out that the command only reads. Why not, for a person.
    Doubted(String),
    /// No line lets it pass.
    Nothing,
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

    /// Looks `line` up in the rules of `project`, as they are on the disk now, and tells `looked` what became of it.
    pub(crate) fn look_up(
        &self,
        project: &str,
        line: CommandLine,
        proven: bool,
        looked: impl FnOnce(Looked) + Send + 'static,
    ) {
        if self.jobs.is_none() {
            return looked(Looked::Nothing);
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
                looked(look_up(file, &project, &line, proven));
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

fn look_up(file: &RulesFile, project: &str, line: &CommandLine, proven: bool) -> Looked {
    let mut doubt = None;
    let found = file.matches(line, || {
        if proven {
            doubt = premises::hold(project, line.as_str()).err();
        }
        proven && doubt.is_none()
    });
    match (found, doubt) {
        (Some(rule), _) => Looked::Passes(rule),
        (None, Some(why)) => Looked::Doubted(why.to_string()),
        (None, None) => Looked::Nothing,
    }
}

fn file<'a>(files: &'a mut HashMap<String, RulesFile>, folder: &Path, project: &str) -> &'a mut RulesFile {
    if files.len() >= HELD && !files.contains_key(project) {
        files.retain(|_, file| file.waiting() > 0);
    }
    files.entry(project.to_owned()).or_insert_with(|| RulesFile::open(folder, project, None))
}
