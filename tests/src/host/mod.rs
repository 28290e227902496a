//! An OpenCode server of whatever kind, so that one scenario can be played on all of them: real ones with the scripted
//! model, and the stand-in in either dialect.

mod permissive;
mod play;
mod switches;

use std::path::PathBuf;
use std::time::Duration;

use gavel_core::Reply;
use serde_json::json;

use gavel_stand_in::{Options as StandInOptions, StandIn, Status, Switches};

pub use self::play::{Inquiry, Play, Step};
pub use self::switches::all as all_switches;
use self::switches::describe;
use crate::opencode::{OpenCode, Options, Version};
use crate::scripted_model::ScriptedModel;
use crate::wait::eventually;

/// How long anything may take that a server does.
const DEADLINE: Duration = Duration::from_secs(60);

/// A kind of server.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A published one.
    Real(Version),
    /// The stand-in, speaking 1.x.
    StandInV1,
    /// The stand-in, speaking 2.x with these differences between releases.
    StandInV2(Switches),
}

/// Makes tests of functions that take a [`Kind`] of stand-in: one for either dialect.
#[macro_export]
macro_rules! on_both_dialects {
    ($($scenario:ident),* $(,)?) => {
        mod v1 {
            $(#[tokio::test]
            async fn $scenario() {
                super::$scenario($crate::host::Kind::StandInV1).await;
            })*
        }

        mod v2 {
            $(#[tokio::test]
            async fn $scenario() {
                super::$scenario($crate::host::Kind::StandInV2(Default::default())).await;
            })*
        }
    };
}

impl Kind {
    /// How a stand-in of this kind is set up.
    ///
    /// # Panics
    /// It is a real server.
    pub fn options(&self) -> StandInOptions {
        match self {
            Self::Real(_) => panic!("a real server"),
            Self::StandInV1 => StandInOptions::default(),
            Self::StandInV2(switches) => StandInOptions::v2(switches.clone()),
        }
    }

    /// Whether requests of runs that have ended stay in the server's list.
    pub const fn keeps_ghosts(&self) -> bool {
        matches!(self, Self::Real(_) | Self::StandInV1)
    }

    /// The routes on which the stand-in takes replies, the newest first.
    pub const fn reply_routes(&self) -> &'static [&'static str] {
        match self {
            Self::Real(_) | Self::StandInV1 => &["POST /permission/{id}/reply", "POST /session/{id}/permissions/{ask}"],
            Self::StandInV2(_) => &["POST /api/session/{id}/permission/{ask}/reply"],
        }
    }

    /// The route on which it is asked what it is.
    pub const fn health_route(&self) -> &'static str {
        match self {
            Self::Real(_) | Self::StandInV1 => "GET /global/health",
            Self::StandInV2(_) => "GET /api/info",
        }
    }

    /// The route that lists what is pending.
    pub const fn list_route(&self) -> &'static str {
        match self {
            Self::Real(_) | Self::StandInV1 => "GET /permission",
            Self::StandInV2(_) => "GET /api/permission/request",
        }
    }

    /// The routes that tell more about what is listed: sessions, runs, messages.
    pub const fn check_routes(&self) -> &'static [&'static str] {
        match self {
            Self::Real(_) | Self::StandInV1 => {
                &["GET /session/{id}", "GET /session/status", "GET /session/{id}/message/{message}"]
            }
            Self::StandInV2(_) => &["GET /api/session/{id}", "GET /api/session/{id}/message/{message}"],
        }
    }
}

/// A running server with projects `alpha` and `beta`.
pub struct Host {
    kind: Kind,
    inner: Inner,
}

enum Inner {
    Real { server: Box<OpenCode>, model: ScriptedModel },
    StandIn(StandIn),
}

impl Host {
    /// Starts a server.
    pub async fn start(kind: &Kind) -> Self {
        Self::locked(kind, None).await
    }

    /// Starts a server that wants `password`, if there is one.
    pub async fn locked(kind: &Kind, password: Option<&str>) -> Self {
        let inner = match kind {
            Kind::Real(version) => {
                let model = ScriptedModel::start().await;
                let mut options = Options::new(&model).projects(&["alpha", "beta"]);
                if let Some(password) = password {
                    options = options.password(password);
                }
                let server = Box::new(OpenCode::start(*version, options).await);
                Inner::Real { server, model }
            }
            Kind::StandInV1 | Kind::StandInV2(_) => Inner::stand_in(kind.options(), password).await,
        };
        Self { kind: kind.clone(), inner }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        match &self.inner {
            Inner::Real { server, .. } => server.url(),
            Inner::StandIn(server) => server.url(),
        }
    }

    /// The stand-in itself.
    ///
    /// # Panics
    /// It is a real server.
    pub fn stand_in(&self) -> &StandIn {
        let Inner::StandIn(server) = &self.inner else { panic!("a real server") };
        server
    }

    /// As [`Kind::keeps_ghosts`].
    pub const fn keeps_ghosts(&self) -> bool {
        self.kind.keeps_ghosts()
    }

    /// The address of a page that can be fetched.
    pub fn page_url(&self) -> String {
        match &self.inner {
            Inner::Real { model, .. } => model.page_url(),
            Inner::StandIn(_) => "https://example.com/page".to_owned(),
        }
    }

    /// Absolute path of project `at`: 0 is `alpha`, 1 is `beta`.
    pub fn directory(&self, at: usize) -> String {
        match &self.inner {
            Inner::Real { server, .. } => server.dir(at).to_string_lossy().into_owned(),
            Inner::StandIn(_) => format!("/home/dev/{}", ["alpha", "beta"][at]),
        }
    }

    fn path(&self, at: usize) -> PathBuf {
        PathBuf::from(self.directory(at))
    }

    /// Begins a session in project `at`.
    pub async fn begin(&self, at: usize) -> String {
        match &self.inner {
            Inner::Real { server, .. } => server.create_session(server.dir(at)).await,
            Inner::StandIn(server) => server.create_session(&self.directory(at), "work"),
        }
    }

    /// Begins a session in project `at` whose agent does as `play` says.
    pub async fn play(&self, at: usize, play: Play) -> String {
        let session = self.begin(at).await;
        self.go_on(at, &session, play).await;
        session
    }

    /// Lets a session of project `at` do more.
    pub async fn go_on(&self, at: usize, session: &str, play: Play) {
        match &self.inner {
            Inner::Real { server, .. } => server.prompt_async(server.dir(at), session, play.for_model(self)).await,
            Inner::StandIn(server) => server.prompt(session, &play.for_stand_in(self)).expect("a script"),
        }
    }

    /// Whether a command `touch FILE` of project `at` has run.
    pub fn touched(&self, at: usize, file: &str) -> bool {
        match &self.inner {
            Inner::Real { server, .. } => server.dir(at).join(file).exists(),
            Inner::StandIn(server) => server.world(|world| {
                let directory = self.directory(at);
                let mut executed = world.executed().iter();
                executed.any(|done| {
                    let here = world.session(&done.session).is_none_or(|session| session.directory == directory);
                    here && done.what.split(" && ").any(|command| command == format!("touch {file}"))
                })
            }),
        }
    }

    /// Whether an agent has written a file of project `at`.
    pub fn wrote(&self, at: usize, file: &str) -> bool {
        match &self.inner {
            Inner::Real { server, .. } => server.dir(at).join(file).exists(),
            Inner::StandIn(server) => server
                .executed()
                .iter()
                .any(|done| ["write", "edit"].contains(&done.tool.as_str()) && done.what.ends_with(file)),
        }
    }

    /// Waits until a command `touch FILE` of project `at` has run.
    pub async fn touches(&self, at: usize, file: &str) {
        eventually(format!("`touch {file}` to run"), DEADLINE, async || self.touched(at, file)).await;
    }

    /// Waits until a session of project `at` has nothing more to do.
    pub async fn idle(&self, at: usize, session: &str) {
        eventually("the run to end", DEADLINE, async || match &self.inner {
            Inner::Real { server, .. } => !server.is_busy(server.dir(at), session).await,
            Inner::StandIn(server) => server.world(|world| matches!(world.status(session), Status::Idle)),
        })
        .await;
    }

    /// What the model of `session` was last told about its calls, `marker` being words of its script.
    pub fn told(&self, session: &str, marker: &str) -> String {
        match &self.inner {
            Inner::Real { model, .. } => {
                model.turns_of(marker).last().map(|asked| asked.told().concat()).unwrap_or_default()
            }
            Inner::StandIn(server) => server.told(session).concat(),
        }
    }

    /// How many requests the server lists for project `at`, ghosts included.
    pub async fn listed(&self, at: usize) -> usize {
        match &self.inner {
            Inner::Real { server, .. } => server.permissions(server.dir(at)).await.len(),
            Inner::StandIn(server) => {
                let directory = self.directory(at);
                server.pending().iter().filter(|ask| ask.directory == directory).count()
            }
        }
    }

    /// Answers a request of project `at` as another client does.
    pub async fn reply(&self, at: usize, request: &str, reply: Reply) {
        match &self.inner {
            Inner::Real { server, .. } => {
                let word = match reply {
                    Reply::Once => "once",
                    Reply::Always => "always",
                    Reply::Reject => "reject",
                };
                server.reply(server.dir(at), request, word, None).await;
            }
            Inner::StandIn(server) => {
                let reply = match reply {
                    Reply::Once => gavel_stand_in::Reply::Once,
                    Reply::Always => gavel_stand_in::Reply::Always,
                    Reply::Reject => gavel_stand_in::Reply::Reject,
                };
                assert!(server.reply(request, reply, None), "it was pending");
            }
        }
    }

    /// Answers the only question of a form as another client does.
    pub async fn answer(&self, at: usize, session: &str, question: &str, label: &str) {
        match &self.inner {
            Inner::Real { server, .. } => {
                server.reply_question(server.dir(at), question, &[&[label]]).await;
            }
            Inner::StandIn(_) => {
                let http = reqwest::Client::builder().no_proxy().build().expect("a client");
                let directory = self.directory(at);
                let (route, body) = match self.kind {
                    Kind::StandInV2(_) => {
                        (format!("/api/session/{session}/form/{question}/reply"), json!({ "answer": { "q0": label } }))
                    }
                    _ => (format!("/question/{question}/reply"), json!({ "answers": [[label]] })),
                };
                let route = format!("{}{route}", self.url());
                let sent = http.post(route).header("x-opencode-directory", directory).json(&body).send().await;
                assert!(sent.is_ok_and(|answer| answer.status().is_success()), "it was pending");
            }
        }
    }

    /// Aborts the run of a session, as another client does.
    pub async fn abort(&self, at: usize, session: &str) {
        match &self.inner {
            Inner::Real { server, .. } => server.abort(server.dir(at), session).await,
            Inner::StandIn(server) => server.abort(session).await,
        }
    }

    /// Deletes a session, as another client does.
    pub async fn delete(&self, at: usize, session: &str) {
        match &self.inner {
            Inner::Real { server, .. } => server.delete_session(server.dir(at), session).await,
            Inner::StandIn(server) => assert!(server.delete(session)),
        }
    }

    /// Disposes of all that runs in project `at`.
    pub async fn dispose(&self, at: usize) {
        match &self.inner {
            Inner::Real { server, .. } => server.dispose(&self.path(at)).await,
            Inner::StandIn(server) => server.dispose(&self.directory(at)).await,
        }
    }

    /// Ends the server as SIGKILL does and starts it again at the same address.
    pub async fn restart(&mut self) {
        match &mut self.inner {
            Inner::Real { server, .. } => server.restart().await,
            Inner::StandIn(server) => server.restart().await.expect("the port is free"),
        }
    }
}

impl Inner {
    async fn stand_in(options: StandInOptions, password: Option<&str>) -> Self {
        let options = StandInOptions { password: password.map(str::to_owned), ..options };
        Self::StandIn(StandIn::start(options).await.expect("a free port"))
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Real(version) => write!(f, "OpenCode {}", version.as_str()),
            Self::StandInV1 => f.write_str("the stand-in of 1.x"),
            Self::StandInV2(switches) => write!(f, "the stand-in of 2.x: {}", describe(switches)),
        }
    }
}
