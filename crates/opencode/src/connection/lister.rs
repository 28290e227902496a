//! Lists what is pending, directory by directory, a few at once.

use std::collections::{HashMap, HashSet, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gavel_core::flow::WireEvent;
use gavel_core::say;
use gavel_core::text::{Message, plain};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Shared;
use super::directories::Directories;
use super::listing::{Done, Job, carry_out};
use crate::Error;
use crate::dialect::Dialect;

/// What is to be listed.
#[derive(Debug)]
pub(super) enum Order {
    /// Every directory that can be known of, now and once more a little later: the stream was just opened.
    Everything,
    /// The directories in which something happened.
    Active,
    /// Something happened in this directory: list it if that is news.
    Met(String),
    /// An event could not be read, and may have been about a request. The active directories are listed soon, once
    /// for many such events.
    Doubt,
}

/// How many listings run at once. More would only make the server load more projects at the same time.
const AT_ONCE: usize = 4;

/// The most directories that are listed again when that is asked for.
const ACTIVE: usize = 200;

/// The pause before a job that failed is tried again doubles this many times. It is never given up: a request that
/// this server can't list makes the whole directory unreadable, but only until it is answered.
const DOUBLINGS: u32 = 6;

/// Carries out orders while the stream is open.
pub(super) struct Lister {
    shared: Arc<Shared>,
    orders: UnboundedReceiver<Order>,
    active: Directories,
    queue: VecDeque<Job>,
    running: JoinSet<(Job, Done)>,
    /// Jobs under way; `true` if another order for the same came meanwhile.
    under_way: HashMap<Job, bool>,
    /// Orders that are due later.
    later: JoinSet<Later>,
    /// A listing is due because of an event that could not be read.
    in_doubt: bool,
    /// Jobs that wait to be tried again.
    retrying: HashSet<Job>,
    /// Why a job of this round failed.
    problem: Option<Message>,
    /// How often in a row each job failed.
    failures: HashMap<Job, u32>,
    /// The server has no listing of the preview's requests.
    no_preview: Arc<AtomicBool>,
}

enum Later {
    SecondLook,
    Doubt,
    Retry(Job),
}

impl Lister {
    pub(super) fn new(shared: Arc<Shared>, orders: UnboundedReceiver<Order>) -> Self {
        Self {
            shared,
            orders,
            active: Directories::at_most(ACTIVE),
            queue: VecDeque::new(),
            running: JoinSet::new(),
            under_way: HashMap::new(),
            later: JoinSet::new(),
            in_doubt: false,
            retrying: HashSet::new(),
            problem: None,
            failures: HashMap::new(),
            no_preview: Arc::default(),
        }
    }

    /// Forgets everything that belongs to a stream that has ended. Nothing of it is told any more.
    pub(super) fn reset(&mut self) {
        self.running = JoinSet::new();
        self.later = JoinSet::new();
        self.queue.clear();
        self.under_way.clear();
        self.in_doubt = false;
        self.retrying.clear();
        self.problem = None;
        self.failures.clear();
        self.shared.covered().clear();
        // The next server at this address may be another version.
        self.no_preview = Arc::default();
        while self.orders.try_recv().is_ok() {}
    }

    /// Carries out orders for ever. May be dropped and called again at any time.
    pub(super) async fn run(&mut self) -> Infallible {
        loop {
            self.start();
            tokio::select! {
                Some(order) = self.orders.recv() => self.take(order),
                Some(Ok((job, done))) = self.running.join_next() => {
                    self.finished(&job, done);
                    self.tell_how_it_stands().await;
                }
                Some(Ok(due)) = self.later.join_next() => match due {
                    Later::SecondLook => self.everything(),
                    Later::Doubt => {
                        self.in_doubt = false;
                        self.active();
                    }
                    Later::Retry(job) => {
                        if self.retrying.remove(&job) {
                            self.add(job);
                        }
                    }
                },
                else => std::future::pending().await,
            }
        }
    }

    fn take(&mut self, order: Order) {
        match order {
            Order::Everything => {
                self.everything();
                self.after(self.shared.tuning.second_look, Later::SecondLook);
            }
            Order::Active => self.active(),
            Order::Doubt if self.in_doubt => {}
            Order::Doubt => {
                self.in_doubt = true;
                self.after(self.shared.tuning.second_look, Later::Doubt);
            }
            Order::Met(directory) => {
                self.active.meet(&directory);
                let is_news = !self.shared.covered().knows(&directory);
                if is_news {
                    self.look_into(vec![directory]);
                } else {
                    self.shared.covered().meet(&directory);
                }
            }
        }
    }

    fn active(&mut self) {
        let active = self.active.all();
        if active.is_empty() {
            self.everything();
        }
        for directory in active {
            self.list(directory);
        }
    }

    fn everything(&mut self) {
        self.look_into(self.active.all());
        self.add(Job::Discover);
    }

    /// Lists directories, and what runs there. Where runs are not told by directory, they come with the sessions.
    fn look_into(&mut self, directories: Vec<String>) {
        let by_directory = self.shared.dialect() == Dialect::V1;
        let running: Vec<Job> = directories.iter().filter(|_| by_directory).cloned().map(Job::Running).collect();
        for directory in directories {
            self.list(directory);
        }
        // What is pending is what people wait for.
        for job in running {
            self.add(job);
        }
    }

    fn list(&mut self, directory: String) {
        let forgotten = self.shared.covered().meet(&directory);
        if let Some(forgotten) = forgotten {
            self.leave(&forgotten);
        }
        self.add(Job::List(directory));
    }

    /// Nothing more is asked about this directory until it is met again.
    fn leave(&mut self, directory: &str) {
        let is_elsewhere = |job: &Job| job.directory() != Some(directory);
        self.queue.retain(is_elsewhere);
        self.retrying.retain(is_elsewhere);
        self.failures.retain(|job, _| is_elsewhere(job));
        self.active.forget(directory);
        self.shared.covered().forget(directory);
    }

    fn add(&mut self, job: Job) {
        if let Some(again) = self.under_way.get_mut(&job) {
            *again = true;
        } else if !self.queue.contains(&job) {
            self.queue.push_back(job);
        }
    }

    fn start(&mut self) {
        while self.running.len() < AT_ONCE
            && let Some(job) = self.queue.pop_front()
        {
            self.under_way.insert(job.clone(), false);
            let (shared, no_preview) = (Arc::clone(&self.shared), Arc::clone(&self.no_preview));
            self.running.spawn(async move {
                let done = carry_out(&shared, &no_preview, &job).await;
                (job, done)
            });
        }
    }

    fn finished(&mut self, job: &Job, done: Done) {
        let again = self.under_way.remove(job) == Some(true);
        match done {
            Done::Failed(Error::NoDirectory) => {
                if let Some(directory) = job.directory() {
                    tracing::debug!(server = %self.shared.id, "a directory is there no longer");
                    self.leave(directory);
                    // An order that came meanwhile was given by somebody who met it.
                    return if again {
                        self.list(directory.to_owned())
                    };
                }
            }
            Done::Failed(error) => self.failed(job, &error),
            Done::Discovered(directories, failure) => {
                match failure {
                    Some(error) => self.failed(job, &error),
                    None => drop(self.failures.remove(job)),
                }
                self.look_into(directories);
            }
            Done::Told => drop(self.failures.remove(job)),
            Done::Listed(any) => {
                self.failures.remove(job);
                if let (true, Job::List(directory)) = (any, job) {
                    self.active.meet(directory);
                }
            }
        }
        if again {
            self.add(job.clone());
        }
    }

    /// It is tried again later.
    fn failed(&mut self, job: &Job, error: &Error) {
        tracing::warn!(server = %self.shared.id, %error, "a listing failed");
        self.problem = Some(match job {
            Job::Discover => say!("its sessions can't be listed: {}", error.said()),
            Job::List(directory) | Job::Running(directory) => {
                say!("what is pending in `{}` can't be listed: {}", plain(directory), error.said())
            }
        });
        let failures = self.failures.entry(job.clone()).or_default();
        let pause = self.shared.tuning.retry_listing * 2_u32.pow((*failures).min(DOUBLINGS));
        *failures += 1;
        if self.retrying.insert(job.clone()) {
            self.after(pause, Later::Retry(job.clone()));
        }
    }

    /// Says so when nothing is left to be listed, and what could not be.
    async fn tell_how_it_stands(&mut self) {
        if !(self.queue.is_empty() && self.under_way.is_empty()) {
            return;
        }
        let event = match self.problem.take() {
            Some(why) => WireEvent::Unlisted(why),
            None if self.retrying.is_empty() => WireEvent::InSync,
            None => return,
        };
        // Nobody takes events any more: then nobody wants to know.
        let _ = self.shared.outlet.wire(event).await;
    }

    fn after(&mut self, pause: Duration, due: Later) {
        self.later.spawn(async move {
            sleep(pause).await;
            due
        });
    }
}
