//! The projects' rules files, on a thread of their own: a disk may take its time, and changes keep their order.

mod calls;
mod check;
mod exchange;
mod past;
mod project;
mod trial;
mod watching;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use gavel_core::rules_file::{Change, CommandLine, Match, Restore};
use gavel_core::text::Message;
use gavel_disk::{RulesFile, premises};
use tokio::sync::oneshot;

use watching::Watching;

/// So many files are held open to be written; beyond that, those with nothing left to write are let go.
const HELD: usize = 64;

/// So many changes can be taken back; beyond that, the oldest can't any more.
const UNDONE: usize = 100;

/// The projects' rules files.
pub(crate) struct Rules {
    jobs: Option<Sender<Job>>,
    folder: Option<PathBuf>,
    watching: Watching,
}

/// The files that are held open, and what is remembered of them.
struct Files {
    folder: PathBuf,
    open: HashMap<String, RulesFile>,
    /// What takes the last changes back, by number, with their projects.
    undo: VecDeque<(u64, String, Restore)>,
    changes: u64,
}

enum Job {
    LookUp { project: String, line: CommandLine, proven: bool, looked: Box<dyn FnOnce(Looked) + Send> },
    Learn { project: String, change: Change },
    Do(Box<dyn FnOnce(&mut Files) + Send>),
    Finish(oneshot::Sender<()>),
}

/// What became of looking a command up.
pub(crate) enum Looked {
    /// This line lets it pass.
    Passes(Match),
    /// A line would, but the disk doesn't bear out that the command only reads. Why not, for a person.
    Doubted(Message),
    /// No line lets it pass.
    Nothing,
}

impl Rules {
    /// The rules files in `folder`; none without one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let jobs = folder.clone().and_then(|folder| {
            let (jobs, inbox) = channel();
            let begun = std::thread::Builder::new().name("rules".to_owned()).spawn(move || work(folder, &inbox));
            if let Err(error) = &begun {
                tracing::error!("the rules files are not read: {error}");
            }
            begun.is_ok().then_some(jobs)
        });
        Self { jobs, folder, watching: Watching::default() }
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

    /// Does something with the files, after all that was to be done before. Whether there are any.
    fn with_files(&self, work: impl FnOnce(&mut Files) + Send + 'static) -> bool {
        self.send(Job::Do(Box::new(work)));
        self.jobs.is_some()
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

fn work(folder: PathBuf, inbox: &Receiver<Job>) {
    let mut files = Files { folder, open: HashMap::new(), undo: VecDeque::new(), changes: 0 };
    while let Ok(job) = inbox.recv() {
        match job {
            Job::LookUp { project, line, proven, looked } => {
                let file = files.of(&project);
                // Others write it as well.
                file.look();
                looked(look_up(file, &project, &line, proven));
            }
            Job::Learn { project, change } => {
                if let Err(error) = files.of(&project).apply(change) {
                    tracing::warn!("what was learned is not being kept: {error}");
                }
            }
            Job::Do(work) => work(&mut files),
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
        (None, Some(why)) => Looked::Doubted(why.said()),
        (None, None) => Looked::Nothing,
    }
}

impl Files {
    fn of(&mut self, project: &str) -> &mut RulesFile {
        if self.open.len() >= HELD && !self.open.contains_key(project) {
            self.open.retain(|_, file| file.waiting() > 0);
        }
        let folder = &self.folder;
        self.open.entry(project.to_owned()).or_insert_with(|| RulesFile::open(folder, project, None))
    }

    /// Gives the file of `project`, as it is now, to `read`; one that isn't held open already is let go again.
    fn peek<T>(&mut self, project: &str, read: impl FnOnce(&RulesFile) -> T) -> T {
        match self.open.get_mut(project) {
            Some(file) => {
                file.look();
                read(file)
            }
            None => read(&RulesFile::open(&self.folder, project, None)),
        }
    }

    /// Makes a change that the user asks for. By which number it can be taken back; `None` if it changes nothing.
    fn change(&mut self, project: &str, change: &Change) -> Result<Option<u64>, gavel_disk::Error> {
        let Some(restore) = self.of(project).make(change)? else { return Ok(None) };
        self.changes += 1;
        if self.undo.len() >= UNDONE {
            self.undo.pop_front();
        }
        self.undo.push_back((self.changes, project.to_owned(), restore));
        Ok(Some(self.changes))
    }

    /// Takes a change back. That can itself be taken back.
    fn take_back(&mut self, number: u64) -> Result<Option<u64>, gavel_disk::Error> {
        let Some(place) = self.undo.iter().position(|(known, ..)| *known == number) else { return Ok(None) };
        let Some((_, project, restore)) = self.undo.get(place).cloned() else { return Ok(None) };
        let undone = self.change(&project, &Change::Restore(Box::new(restore)))?;
        self.undo.retain(|(known, ..)| *known != number);
        Ok(undone)
    }
}
