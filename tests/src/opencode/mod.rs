//! Real OpenCode servers in a world of their own: home, projects, port and model belong to one test.
//!
//! The binaries come from `tests/opencode` (`npm ci --prefix tests/opencode`).

mod client;
mod events;
mod world;

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    time::Duration,
};

pub use client::{Client, REQUEST_TIMEOUT};
pub use events::{Envelope, Events};
use serde_json::{Value, json};
pub use world::World;

use crate::{
    process::{self, Process},
    scripted_model::ScriptedModel,
    wait::try_eventually,
};

/// One test per version and scenario, so that a failure names both. A scenario is `async fn(Version)` of the same module.
#[macro_export]
macro_rules! on_every_version {
    ($($scenario:ident),* $(,)?) => {
        $crate::on_every_version!(@ v1_14_41 V1_14_41 $($scenario)*);
        $crate::on_every_version!(@ v1_15_13 V1_15_13 $($scenario)*);
        $crate::on_every_version!(@ v1_18_33 V1_18_33 $($scenario)*);
    };
    (@ $module:ident $version:ident $($scenario:ident)*) => {
        mod $module {
            $(#[tokio::test]
            async fn $scenario() {
                super::$scenario($crate::opencode::Version::$version).await;
            })*
        }
    };
}

/// How long a server may take to come up: 2 to 3 s on an idle machine, more than 30 on one with six times its load.
pub const START_DEADLINE: Duration = Duration::from_secs(90);
/// A killed server was seen to hold its socket for up to a minute while it dies.
const PORT_DEADLINE: Duration = Duration::from_secs(60);

/// A published version of OpenCode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// The oldest that Gavel supports.
    V1_14_41,
    /// One in between.
    V1_15_13,
    /// The newest of the 1.x line.
    V1_18_33,
}

impl Version {
    /// All of them, oldest first.
    pub const ALL: [Self; 3] = [Self::V1_14_41, Self::V1_15_13, Self::V1_18_33];
    /// The newest.
    pub const NEWEST: Self = Self::V1_18_33;

    /// As the server itself writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1_14_41 => "1.14.41",
            Self::V1_15_13 => "1.15.13",
            Self::V1_18_33 => "1.18.33",
        }
    }

    /// The path of the binary.
    ///
    /// # Panics
    /// With the remedy, when it is not installed.
    pub fn binary(self) -> PathBuf {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("opencode/node_modules");
        let binary = packages.join(format!("opencode-{}/bin/opencode", self.as_str()));
        assert!(
            binary.is_file(),
            "OpenCode {} is not installed (no `{}`).\n  hint: run `npm ci --prefix tests/opencode` at the top of the project",
            self.as_str(),
            binary.display()
        );
        binary
    }
}

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The model that every agent uses.
    pub model: &'a ScriptedModel,
    /// A given port, or a fresh one.
    pub port: Option<u16>,
    /// The password that requests must carry.
    pub password: Option<&'a str>,
    /// Names of the projects to create. The server is started in the first.
    pub projects: &'a [&'a str],
    /// Merged into the top level of the configuration file.
    pub config: Value,
}

impl<'a> Options<'a> {
    /// A fresh port, no password, one project, and "ask" for everything that can be asked.
    pub fn new(model: &'a ScriptedModel) -> Self {
        Self { model, port: None, password: None, projects: &["alpha"], config: json!({}) }
    }

    /// With these projects.
    #[must_use]
    pub fn projects(self, projects: &'a [&'a str]) -> Self {
        Self { projects, ..self }
    }

    /// With this password.
    #[must_use]
    pub fn password(self, password: &'a str) -> Self {
        Self { password: Some(password), ..self }
    }

    /// On this port.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
    }

    /// With `config` merged into the top level of the configuration file.
    #[must_use]
    pub fn config(self, config: Value) -> Self {
        Self { config, ..self }
    }
}

/// A running server. Everything a client can do is on [`Client`], which this derefs to.
#[derive(Debug)]
pub struct OpenCode {
    version: Version,
    process: Process,
    client: Client,
    // Dropped after the process, which writes into it.
    world: World,
}

impl OpenCode {
    /// Starts a server and waits until it is healthy.
    ///
    /// # Panics
    /// When it is not installed, or not healthy within [`START_DEADLINE`]; the message has its output.
    pub async fn start(version: Version, options: Options<'_>) -> Self {
        let world = World::create(version, &options);
        let password = options.password.map(str::to_owned);
        for attempt in 1.. {
            let port = options.port.unwrap_or_else(process::free_port);
            let mut process = launch(version, &world, port, password.as_deref());
            let client = Client::new(port, password.clone(), world.dirs().to_vec());
            match healthy(&mut process, &client).await {
                Ok(()) => return Self { version, process, client, world },
                // Somebody else may have taken the port between our finding it free and the server's binding it.
                Err(_) if options.port.is_none() && attempt < 3 && process.exited().is_some() => {}
                Err(missed) => panic!("OpenCode {}: {missed}\n{}", version.as_str(), process.tail()),
            }
        }
        unreachable!("the loop ends by returning or by a panic")
    }

    /// The version that was started.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The process id; its name in `/proc` is `opencode`.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// What the server printed, for failure messages.
    pub fn tail(&self) -> String {
        self.process.tail()
    }

    /// The home and the projects.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Another client of the same server: to be moved into a task, or to hold a conversation of its own.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Ends the server with SIGKILL, as a crash does.
    pub fn kill9(&mut self) {
        self.process.kill9();
    }

    /// Ends the server with SIGTERM and waits until it is gone.
    pub async fn terminate(&mut self) {
        self.process.terminate();
        self.process.wait_exit(Duration::from_secs(20)).await;
    }

    /// Kills the server and starts it again with the same home, and with the same port unless that stays occupied.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub async fn restart(&mut self) {
        self.kill9();
        let (old, password) = (self.client.port(), self.client.password().map(str::to_owned));
        let free =
            process::port_is_free(old, PORT_DEADLINE).await.is_ok() && TcpListener::bind(("127.0.0.1", old)).is_ok();
        let port = if free { old } else { process::free_port() };
        self.process = launch(self.version, &self.world, port, password.as_deref());
        self.client = Client::new(port, password, self.world.dirs().to_vec());
        if let Err(missed) = healthy(&mut self.process, &self.client).await {
            panic!("OpenCode {} after a restart: {missed}\n{}", self.version.as_str(), self.tail());
        }
    }
}

impl std::ops::Deref for OpenCode {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

fn launch(version: Version, world: &World, port: u16, password: Option<&str>) -> Process {
    let mut command = process::command(version.binary());
    command.args(["serve", "--hostname", "127.0.0.1", "--port", &port.to_string()]);
    command.current_dir(&world.dirs()[0]).env_clear().envs(world.env());
    if let Some(password) = password {
        command.env("OPENCODE_SERVER_PASSWORD", password);
    }
    Process::spawn(format!("opencode {}", version.as_str()), command, world.root().join("opencode.log"))
}

async fn healthy(process: &mut Process, client: &Client) -> Result<(), String> {
    let up = try_eventually("the server to be healthy", START_DEADLINE, async || {
        if let Some(status) = process.exited() {
            return Ok(Some(status));
        }
        client.is_healthy().await.map(|()| None)
    });
    match up.await? {
        None => Ok(()),
        Some(status) => Err(format!("the server ended with {status} instead of serving")),
    }
}
