//! The handle by which the demo and the tests hold the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::agent::{Agents, Manners};
use crate::fault::{Fault, Faults};
use crate::listener::Listener;
use crate::script::Prompt;
use crate::v2::registration::Registration;
use crate::v2::switches::{ShellResources, Switches};
use crate::world::ask::Reply;
use crate::world::customs::Customs;
use crate::world::rules::rule;
use crate::world::session::NewSession;
use crate::world::{Stage, World};
use crate::{Ask, Effect, Executed, Received, Rule, StandInError, v1, v2};

/// The generation of OpenCode that is played.
#[derive(Debug, Clone)]
pub enum Dialect {
    /// 1.x, as 1.18.33.
    V1,
    /// 2.x, as 2.1.2 unless the switches say otherwise.
    V2(Switches),
}

impl Dialect {
    fn customs(&self) -> Customs {
        match self {
            Dialect::V1 => Customs::first(),
            Dialect::V2(switches) => Customs::second(switches.shell == ShellResources::Raw, switches.save),
        }
    }
}

/// How the stand-in shall be.
#[derive(Debug, Clone)]
pub struct Options {
    /// What it speaks, and how it behaves.
    pub dialect: Dialect,
    /// Where to listen on 127.0.0.1; any free port if `None`.
    pub port: Option<u16>,
    /// HTTP Basic with the user name `opencode`, if set and not empty.
    pub password: Option<String>,
    /// Between two heartbeats of an event stream.
    pub heartbeat: Duration,
    /// The version it says it has.
    pub version: String,
    /// The directory it is taken to be started in: that of requests which name none.
    pub directory: String,
    /// How long an agent thinks before each of its messages.
    pub pace: Duration,
    /// How long after an abort the open tool calls are closed.
    pub clearing: Duration,
    /// Words are also sent piece by piece, as noise among the events.
    pub pieces: bool,
    /// What the configuration says to every agent of 2.x, behind the rules they have by birth. Unless it is changed,
    /// commands, edits and fetches are asked about, as 1.x does here.
    pub permissions: Vec<Rule>,
}

impl Options {
    /// A 2.x server, as 2.1.2 unless the switches say otherwise.
    #[must_use]
    pub fn v2(switches: Switches) -> Options {
        Options {
            dialect: Dialect::V2(switches),
            heartbeat: Duration::from_secs(15),
            version: "2.1.2".to_owned(),
            ..Options::default()
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialect: Dialect::V1,
            port: None,
            password: None,
            heartbeat: Duration::from_secs(10),
            version: "1.18.33".to_owned(),
            directory: "/home/dev/project".to_owned(),
            pace: Duration::ZERO,
            clearing: Duration::from_millis(300),
            pieces: true,
            permissions: ["shell", "edit", "webfetch"].map(|action| rule(action, "*", Effect::Ask)).to_vec(),
        }
    }
}

/// A running stand-in. Clones are handles of the same one; with the last of them it ends.
#[derive(Clone)]
pub struct StandIn {
    inner: Arc<Inner>,
}

struct Inner {
    stage: Stage,
    options: Options,
    port: AtomicU16,
    faults: Faults,
    refuses: Arc<AtomicBool>,
    process: Mutex<Option<Process>>,
}

/// What ends when the server is killed.
struct Process {
    agents: Agents,
    life: DropGuard,
    serving: JoinHandle<()>,
    /// Where clients of 2.x find it. Taken back when it is dropped.
    registration: Option<Registration>,
}

impl StandIn {
    /// Starts a stand-in.
    ///
    /// # Errors
    /// [`StandInError::Listen`] if the port is taken.
    pub async fn start(options: Options) -> Result<StandIn, StandInError> {
        let port = options.port.unwrap_or(0);
        let stage = Stage::new(options.dialect.customs());
        stage.with(|world| {
            world.places.make_up(&options.directory);
            world.configure(options.permissions.clone());
            world.generated.text = Some("OK".to_owned());
        });
        let inner = Inner {
            stage,
            options,
            port: AtomicU16::new(port),
            faults: Faults::default(),
            refuses: Arc::default(),
            process: Mutex::new(None),
        };
        let stand_in = StandIn { inner: Arc::new(inner) };
        stand_in.serve(port).await?;
        Ok(stand_in)
    }

    async fn serve(&self, port: u16) -> Result<(), StandInError> {
        let Inner { stage, options, faults, refuses, .. } = &*self.inner;
        let socket = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        self.inner.port.store(socket.local_addr()?.port(), Ordering::Relaxed);
        let life = CancellationToken::new();
        let manners = Manners { pace: options.pace, clearing: options.clearing, pieces: options.pieces };
        let agents = Agents { stage: stage.clone(), manners, life: life.clone() };
        let password = options.password.clone().filter(|password| !password.is_empty());
        let (heartbeat, version, directory) = (options.heartbeat, options.version.clone(), options.directory.clone());
        let (agents_here, faults) = (agents.clone(), faults.clone());
        let mut registration = None;
        let router = match &options.dialect {
            Dialect::V1 => v1::router(v1::App { agents: agents_here, faults, heartbeat, version, directory, password }),
            Dialect::V2(switches) => {
                registration = Registration::write(switches, &self.url(), &version, password.as_deref())?;
                let (url, switches) = (self.url(), Arc::new(switches.clone()));
                v2::router(v2::App {
                    agents: agents_here,
                    faults,
                    heartbeat,
                    version,
                    directory,
                    password,
                    url,
                    switches,
                })
            }
        };
        let listener = Listener::new(socket, life.clone(), Arc::clone(refuses));
        let serving = tokio::spawn({
            let life = life.clone();
            async move {
                tokio::select! {
                    () = life.cancelled() => {}
                    _ = axum::serve(listener, router) => {}
                }
            }
        });
        let process = Process { agents, life: life.drop_guard(), serving, registration };
        *self.inner.process.lock().unwrap_or_else(PoisonError::into_inner) = Some(process);
        Ok(())
    }

    fn agents(&self) -> Option<Agents> {
        let process = self.inner.process.lock().unwrap_or_else(PoisonError::into_inner);
        process.as_ref().map(|process| process.agents.clone())
    }

    /// Its address: `http://127.0.0.1:4096`, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port())
    }

    /// The port it listens on, or listened on before it was killed.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.inner.port.load(Ordering::Relaxed)
    }

    /// Makes a session in a directory; gives its identifier.
    #[must_use]
    pub fn create_session(&self, directory: &str, title: &str) -> String {
        self.inner.stage.with(|world| world.places.make_up(directory));
        let (directory, title) = (directory.to_owned(), Some(title.to_owned()));
        self.open_session(NewSession { directory, title, ..NewSession::default() })
    }

    pub(crate) fn open_session(&self, new: NewSession) -> String {
        self.inner.stage.with(|world| world.create_session(new)).id
    }

    /// Deletes a session with its children and forgets that there ever was one, if all of it is over.
    pub(crate) fn forget(&self, session: &str) {
        self.inner.stage.with(|world| world.forget_session(session));
    }

    /// Says something to a session's agent: a script, with what the user says above a line `---` if it shall not be
    /// the script itself.
    ///
    /// # Errors
    /// [`StandInError::Script`] if it is no script, [`StandInError::NoSuchSession`] if there is no such session or the
    /// server is killed.
    pub fn prompt(&self, session: &str, script: &str) -> Result<(), StandInError> {
        let prompt = Prompt::read(script)?;
        let agents = self.agents().ok_or_else(|| StandInError::NoSuchSession(session.to_owned()))?;
        // Nobody here waits for the end of the run.
        agents.prompt(session, prompt).map(drop)
    }

    /// Aborts a session's run, as another client would.
    pub async fn abort(&self, session: &str) {
        if let Some(agents) = self.agents() {
            let directory = self.world(|world| world.directory_of(session));
            agents.abort(session, &directory).await;
        }
    }

    /// Deletes a session, as another client would. `false` if there is none.
    pub fn delete(&self, session: &str) -> bool {
        self.inner.stage.with(|world| world.delete_session(session))
    }

    /// Tells the server of a directory that need not be on the disk, and whether it is a repository. Under 2.x all
    /// that is in none belongs to the project `global`.
    pub fn add_directory(&self, directory: &str, repository: bool) {
        self.inner.stage.with(|world| world.places.tell(directory, repository));
    }

    /// Gives an agent of 2.x these rules and no others; it is made if there is none of that name. Clients are told.
    pub fn set_agent(&self, agent: &str, rules: Vec<Rule>) {
        self.inner.stage.with(|world| world.set_agent(agent, rules));
    }

    /// Replaces what the configuration says to every agent of 2.x. Clients are told.
    pub fn configure(&self, rules: Vec<Rule>) {
        self.inner.stage.with(|world| world.configure(rules));
    }

    /// What the model of 2.x says when it is asked beside a session, from now on; `None` if it can't be reached.
    pub fn set_generated(&self, text: Option<&str>) {
        self.inner.stage.with(|world| world.generated.text = text.map(str::to_owned));
    }

    /// Disposes of a directory's instance, as another client would; under 2.x, shuts a location down.
    pub async fn dispose(&self, directory: &str) {
        if let Some(agents) = self.agents() {
            agents.dispose(directory).await;
        }
    }

    /// Answers a request, as another client would. `false` if it is not pending any more.
    pub fn reply(&self, ask: &str, reply: Reply, reason: Option<&str>) -> bool {
        self.inner.stage.with(|world| world.reply(ask, None, reply, reason)).is_some()
    }

    /// All that ran, in order.
    #[must_use]
    pub fn executed(&self) -> Vec<Executed> {
        self.world(|world| world.executed().to_vec())
    }

    /// What a session's model was told about its calls, in order.
    #[must_use]
    pub fn told(&self, session: &str) -> Vec<String> {
        self.world(|world| world.told(session))
    }

    /// The pending requests, oldest first, zombies too.
    #[must_use]
    pub fn pending(&self) -> Vec<Ask> {
        self.world(World::pending)
    }

    /// Every reply that came in over the wire.
    #[must_use]
    pub fn replies(&self) -> Vec<Received> {
        self.world(|world| world.replies().to_vec())
    }

    /// Looks at the state.
    pub fn world<R>(&self, look: impl FnOnce(&World) -> R) -> R {
        self.inner.stage.see(look)
    }

    /// Waits for the state to be as wanted; looks again at every change.
    ///
    /// # Errors
    /// [`StandInError::TimedOut`] if that is not so at the deadline, counted from now.
    pub async fn wait_until(&self, deadline: Duration, holds: impl FnMut(&World) -> bool) -> Result<(), StandInError> {
        self.inner.stage.until(deadline, holds).await
    }

    /// Ends all event streams, as a restarting proxy does. Clients may connect anew.
    pub fn cut_streams(&self) {
        self.inner.stage.with(World::cut_streams);
    }

    /// From now on every new connection is closed at once, or accepted again.
    pub fn refuse(&self, refuses: bool) {
        self.inner.refuses.store(refuses, Ordering::Relaxed);
    }

    /// Makes a route faulty until [`heal`](StandIn::heal). Routes are named by method and path as
    /// `POST /permission/{id}/reply`.
    pub fn fault(&self, route: &str, fault: Fault) {
        self.inner.faults.set(route, fault);
    }

    /// Ends all faults, and refuses no more.
    pub fn heal(&self) {
        self.inner.faults.clear();
        self.refuse(false);
    }

    /// Ends the server as SIGKILL does: connections break, runs and pending requests are gone, the port is free.
    /// Sessions, messages and saved approvals stay, as they do in the database, and a registration stays behind.
    pub async fn kill(&self) {
        self.end(false).await;
    }

    /// Ends the server as a signal does that it can answer: as [`kill`](StandIn::kill), but it takes its registration
    /// back.
    pub async fn stop(&self) {
        self.end(true).await;
    }

    async fn end(&self, in_peace: bool) {
        let process = self.inner.process.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut process) = process else { return };
        if let Some(registration) = process.registration.take()
            && !in_peace
        {
            registration.leave_behind();
        }
        drop(process.life);
        // The task only ends; an error would mean that it panicked, and then it has ended too.
        let _ = process.serving.await;
        self.inner.stage.with(World::crash);
    }

    /// Starts the server again on the port it had.
    ///
    /// # Errors
    /// [`StandInError::Listen`] if someone else took the port.
    pub async fn restart(&self) -> Result<(), StandInError> {
        self.kill().await;
        self.serve(self.port()).await
    }
}
