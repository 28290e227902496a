//! The server's process, as far as there is one: what is gone when it is killed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::agent::{Agents, Manners};
use crate::fault::Faults;
use crate::listener::Listener;
use crate::options::{Dialect, Options};
use crate::v2::registration::Registration;
use crate::world::Stage;
use crate::{v1, v2};

/// What ends when the server is killed.
pub(crate) struct Process {
    pub(crate) agents: Agents,
    life: DropGuard,
    serving: JoinHandle<()>,
    /// Where clients of 2.x find it. Taken back when it is dropped.
    registration: Option<Registration>,
}

impl Process {
    /// Begins to serve on a socket that listens under `url`.
    pub(crate) fn begin(
        socket: TcpListener,
        url: &str,
        stage: &Stage,
        options: &Options,
        faults: &Faults,
        refuses: &Arc<AtomicBool>,
    ) -> io::Result<Process> {
        let life = CancellationToken::new();
        let manners = Manners { pace: options.pace, clearing: options.clearing, pieces: options.pieces };
        let agents = Agents { stage: stage.clone(), manners, life: life.clone() };
        let (router, registration) = routes(url, options, agents.clone(), faults.clone())?;
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
        Ok(Process { agents, life: life.drop_guard(), serving, registration })
    }

    /// Ends it: as a signal does that it can answer, or as SIGKILL does.
    pub(crate) async fn end(mut self, in_peace: bool) {
        if let Some(registration) = self.registration.take()
            && !in_peace
        {
            registration.leave_behind();
        }
        drop(self.life);
        // The task only ends; an error would mean that it panicked, and then it has ended too.
        let _ = self.serving.await;
    }
}

fn routes(url: &str, options: &Options, agents: Agents, faults: Faults) -> io::Result<(Router, Option<Registration>)> {
    let password = options.password.clone().filter(|password| !password.is_empty());
    let (heartbeat, version, directory) = (options.heartbeat, options.version.clone(), options.directory.clone());
    Ok(match &options.dialect {
        Dialect::V1 => (v1::router(v1::App { agents, faults, heartbeat, version, directory, password }), None),
        Dialect::V2(switches) => {
            let registration = Registration::write(switches, url, &version, password.as_deref())?;
            let (url, switches) = (url.to_owned(), Arc::new(switches.clone()));
            let app = v2::App { agents, faults, heartbeat, version, directory, password, url, switches };
            (v2::router(app), registration)
        }
    })
}
