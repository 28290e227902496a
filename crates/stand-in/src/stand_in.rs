//! The handle by which the demo and the tests hold the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::TcpListener;

use crate::agent::Agents;
use crate::fault::{Fault, Faults};
use crate::options::Options;
use crate::process::Process;
use crate::script::Prompt;
use crate::world::ask::Reply;
use crate::world::session::NewSession;
use crate::world::{Stage, World};
use crate::{Ask, Executed, ProviderSettings, Received, Rule, Ruled, StandInError};

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
        let process = Process::begin(socket, &self.url(), stage, options, faults, refuses)?;
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

    /// What the model says when it is asked beside a session, under 1.x in one that may do nothing, from now on; `None`
    /// if it can't be reached.
    pub fn set_generated(&self, text: Option<&str>) {
        self.inner.stage.with(|world| world.generated.text = text.map(str::to_owned));
    }

    /// How long the model thinks when it is asked beside a session, from now on.
    pub fn set_thinking(&self, pause: Duration) {
        self.inner.stage.with(|world| world.generated.pause = pause);
    }

    /// How the provider of the model is reached, as clients are told from now on.
    pub fn set_provider(&self, provider: ProviderSettings) {
        self.inner.stage.with(|world| world.generated.provider = provider);
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

    /// Every request to set a session's rules that came in over the wire.
    #[must_use]
    pub fn ruled(&self) -> Vec<Ruled> {
        self.world(|world| world.ruled().to_vec())
    }

    /// Sets the rules of a session in the words of its dialect, as another client would: all of them under 2.x, further
    /// ones under 1.x.
    pub fn set_rules(&self, session: &str, rules: &[Rule]) {
        self.inner.stage.with(|world| world.set_rules(session, rules));
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
        let Some(process) = process else { return };
        process.end(in_peace).await;
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
