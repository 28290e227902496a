//! Gavel itself, in this process: the real driver, wire and files, with a notifier that a test can look at and click.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gavel_core::flow::{Away, Told};
use gavel_core::grants::Grants;
use gavel_core::modes::Defaults;
use gavel_core::{Decision, Settled};
use gavel_notify::Recorder;
use gavel_opencode::Tuning;
use gavel_opencode::http::Limits;
use gavel_runtime::api::{
    Activity, Answer, Call, Failure, Outcome, Phase, Preferences, Query, Question, Request, ServerRow, Snapshot,
};
use gavel_runtime::{
    Drafts, Handle, JudgeSettings, JudgeSetup, Marks, PasswordSetting, Secrets, ServerSetting, Settings, Setup,
};
use tempfile::TempDir;

use crate::wait::eventually;

/// How long anything may take that Gavel does. Generous: machines that run tests are busy.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// The patience of a connection in a hurry.
pub fn hurry() -> Tuning {
    Tuning {
        limits: Limits { request: Duration::from_millis(700), ..Limits::default() },
        first_pause: Duration::from_millis(20),
        longest_pause: Duration::from_millis(100),
        slow_pause: Duration::from_millis(200),
        second_look: Duration::from_millis(200),
        retry_listing: Duration::from_millis(50),
        ..Tuning::default()
    }
}

/// A running Gavel that forgets everything when it is dropped.
pub struct Gavel {
    /// What a host would hold.
    pub handle: Handle,
    /// The notifications it shows.
    pub notifications: Arc<Recorder>,
    /// The settings that it keeps.
    pub settings: Arc<Mutex<Settings>>,
    /// The passwords that it keeps, by server.
    pub keychain: Arc<Mutex<HashMap<String, String>>>,
    /// The grants that it keeps.
    pub grants: Arc<Mutex<Grants>>,
    /// What it remembers of what is half typed.
    pub drafts: Arc<Mutex<Drafts>>,
    /// What it keeps of what waits.
    pub away: Arc<Mutex<Away>>,
    /// Under which marks it began sessions of its own.
    pub marks: Arc<Mutex<Vec<String>>>,
    /// What it remembers of what it told servers.
    pub told: Arc<Mutex<Told>>,
    folder: TempDir,
}

/// How Gavel is set up.
#[derive(Default)]
pub struct Options {
    /// Base URLs of the servers to watch.
    pub servers: Vec<String>,
    /// Passwords by server.
    pub passwords: HashMap<String, String>,
    /// How patient its connections are.
    pub tuning: Tuning,
    /// Base URL of a server that is watched as the demo.
    pub demo: Option<String>,
    /// How long a request waits before it is notified, in milliseconds.
    pub grace: u64,
    /// The grants that an earlier Gavel kept.
    pub grants: Grants,
    /// What an earlier Gavel told servers of the rules of sessions.
    pub told: Told,
    /// What was half typed for questions when an earlier Gavel ended.
    pub drafts: Drafts,
    /// What waited when an earlier Gavel ended.
    pub away: Away,
    /// Under which marks an earlier Gavel began sessions of its own.
    pub marks: Vec<String>,
    /// The folder of the projects' rules files, if there are any.
    pub rules: Option<PathBuf>,
    /// Which model is asked, if one is.
    pub judge: Option<JudgeSetup>,
    /// Which modes were chosen.
    pub modes: Defaults,
    /// Who judges, by the settings; nobody, unless somebody is named.
    pub judging: Option<JudgeSettings>,
}

impl Gavel {
    /// Gavel watching these servers, and no others.
    pub async fn watching(servers: &[&str]) -> Self {
        Self::start(Options { servers: servers.iter().map(|&url| url.to_owned()).collect(), ..Options::default() })
            .await
    }

    /// Gavel in a hurry, watching these servers and in sync with them.
    pub async fn in_a_hurry(servers: &[String]) -> Self {
        let gavel = Self::start(Options { servers: servers.to_vec(), tuning: hurry(), ..Options::default() }).await;
        for url in servers {
            gavel.in_sync(url).await;
        }
        gavel
    }

    /// Gavel, set up with care.
    pub async fn start(options: Options) -> Self {
        // `GAVEL_LOG=gavel=debug` shows what it does. Another test of the process may have begun the log.
        let filter = tracing_subscriber::EnvFilter::from_env("GAVEL_LOG");
        let _ = tracing_subscriber::fmt().with_env_filter(filter).with_test_writer().try_init();
        let folder = tempfile::tempdir().unwrap();
        let setting = |id: &String| (id.clone(), PasswordSetting { username: String::new(), variable: None });
        let settings = Settings {
            servers: options
                .servers
                .iter()
                .map(|url| ServerSetting { url: url.clone(), name: String::new() })
                .collect(),
            passwords: options.passwords.keys().map(setting).collect(),
            preferences: Preferences { discover: false, grace: options.grace, ..Preferences::default() },
            modes: options.modes,
            // What a scenario counts is what its agents ask, not what a judge is asked besides.
            judge: options.judging.unwrap_or_else(JudgeSettings::nobody),
            ..Settings::default()
        };
        let keychain = Arc::new(Mutex::new(options.passwords));
        let settings_kept = Arc::new(Mutex::new(settings.clone()));
        let kept = Arc::new(Mutex::new(options.grants.clone()));
        let told = Arc::new(Mutex::new(options.told.clone()));
        let marks = Arc::new(Mutex::new(options.marks.clone()));
        let drafts = Arc::new(Mutex::new(options.drafts.clone()));
        let away = Arc::new(Mutex::new(options.away.clone()));
        let recorder = Arc::new(Mutex::new(None));
        let made = Arc::clone(&recorder);
        let handle = gavel_runtime::start(Setup {
            language: gavel_core::text::Language::English,
            settings,
            keep: Box::new({
                let settings = Arc::clone(&settings_kept);
                move |now| {
                    *settings.lock().unwrap() = now.clone();
                    Ok(())
                }
            }),
            log: gavel_disk::ActivityLog::open(&folder.path().join("activity.jsonl")).unwrap(),
            secrets: Secrets::Memory(Arc::clone(&keychain)),
            notifier: Box::new(move |reports| {
                let recorder = Recorder::new(reports);
                *made.lock().unwrap() = Some(Arc::clone(&recorder));
                recorder
            }),
            tuning: options.tuning,
            demo: options.demo,
            rules: options.rules,
            exports: folder.path().join("exports"),
            judge: options.judge,
            marks: Marks::new(options.marks, {
                let kept = Arc::clone(&marks);
                Box::new(move |now| {
                    *kept.lock().unwrap() = now.to_vec();
                    Ok(())
                })
            }),
            elsewhere: folder.path().to_str().map(str::to_owned),
            grants: options.grants,
            away: options.away,
            keep_away: {
                let away = Arc::clone(&away);
                Arc::new(move |now| {
                    *away.lock().unwrap() = now.clone();
                    Ok(())
                })
            },
            drafts: options.drafts,
            keep_drafts: Box::new({
                let drafts = Arc::clone(&drafts);
                move |now| {
                    *drafts.lock().unwrap() = now.clone();
                    Ok(())
                }
            }),
            told: options.told,
            keep_told: Box::new({
                let told = Arc::clone(&told);
                move |now| {
                    *told.lock().unwrap() = now.clone();
                    Ok(())
                }
            }),
            keep_grants: Box::new({
                let kept = Arc::clone(&kept);
                move |grants| {
                    *kept.lock().unwrap() = grants.clone();
                    Ok(())
                }
            }),
        });
        let notifications = recorder.lock().unwrap().take().unwrap();
        Self {
            handle,
            keychain,
            notifications,
            settings: settings_kept,
            grants: kept,
            told,
            away,
            marks,
            drafts,
            folder,
        }
    }

    /// A directory that is no project.
    pub fn elsewhere(&self) -> String {
        self.folder.path().to_string_lossy().into_owned()
    }

    /// What is shown now.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.handle.snapshots().borrow().clone()
    }

    /// Makes a call that must succeed.
    pub async fn call(&self, call: Call) -> Answer {
        self.try_call(call).await.unwrap()
    }

    /// Makes a call.
    pub async fn try_call(&self, call: Call) -> Result<Answer, Failure> {
        self.handle.call(call).await
    }

    /// Waits until the inbox holds exactly `count` requests, and returns them, longest waiting first.
    pub async fn inbox(&self, count: usize) -> Vec<Request> {
        eventually(format!("an inbox of {count}"), DEADLINE, async || {
            let snapshot = self.snapshot();
            let shown: Vec<&str> = snapshot.requests.iter().map(|request| request.headline.as_str()).collect();
            if shown.len() == count { Ok(snapshot.requests.clone()) } else { Err(format!("{shown:?}")) }
        })
        .await
    }

    /// Waits until exactly `count` questions wait, and returns them, longest waiting first.
    pub async fn questions(&self, count: usize) -> Vec<Question> {
        eventually(format!("{count} questions"), DEADLINE, async || {
            let snapshot = self.snapshot();
            let shown: Vec<&str> = snapshot.questions.iter().map(|question| question.headline.as_str()).collect();
            if shown.len() == count { Ok(snapshot.questions.clone()) } else { Err(format!("{shown:?}")) }
        })
        .await
    }

    /// Waits for the only request there is.
    pub async fn only_request(&self) -> Request {
        self.inbox(1).await.remove(0)
    }

    /// Waits until the server fulfils `wish`.
    pub async fn server(&self, url: &str, what: &str, wish: impl Fn(&ServerRow) -> bool) -> ServerRow {
        eventually(format!("{url}: {what}"), DEADLINE, async || {
            let snapshot = self.snapshot();
            let row = snapshot.servers.iter().find(|row| row.id == url);
            row.filter(|row| wish(row)).cloned().ok_or_else(|| format!("{row:?}"))
        })
        .await
    }

    /// Waits until the server is online and what is pending on it has been listed.
    pub async fn in_sync(&self, url: &str) {
        self.server(url, "online", |row| row.link.is_online()).await;
    }

    /// Decides about a request, as somebody does who reads again what has grown meanwhile: servers tell the last of
    /// it a moment after the first. A request that is settled is left alone.
    pub async fn decide(&self, request: &Request, decision: Decision) {
        eventually("the decision to be taken", DEADLINE, async || {
            let Answer::Snapshot { snapshot } = self.call(Call::Snapshot).await else { return false };
            let displayed = snapshot.requests.iter().find(|displayed| displayed.key == request.key);
            match displayed.filter(|displayed| !matches!(displayed.phase, Phase::Replying { .. })) {
                Some(displayed) => {
                    self.decide_as_displayed(displayed, decision.clone()).await;
                    false
                }
                None => true,
            }
        })
        .await;
    }

    /// Decides about a request as it was when it was displayed, whatever it has become.
    pub async fn decide_as_displayed(&self, displayed: &Request, decision: Decision) {
        self.call(Call::Decide { key: displayed.key.clone(), decision, edition: displayed.edition }).await;
    }

    /// Waits until `count` requests have come to their end, and returns how, oldest first.
    pub async fn settled(&self, count: usize) -> Vec<Settled> {
        self.activity(count)
            .await
            .into_iter()
            .map(|row| match row.outcome {
                Outcome::Settled { settled } => settled,
                Outcome::Undelivered { why } => panic!("`{}` was not delivered: {why}", row.title),
            })
            .collect()
    }

    /// Waits until the activity has exactly `count` rows, and returns them, oldest first.
    pub async fn activity(&self, count: usize) -> Vec<Activity> {
        eventually(format!("an activity of {count} rows"), DEADLINE, async || {
            let Answer::Activity { mut rows, .. } =
                self.call(Call::Activity { before: None, limit: 500, query: Query::default() }).await
            else {
                return Err("another answer".to_owned());
            };
            rows.reverse();
            let seen = rows.iter().map(|row| format!("{}: {:?}", row.title, row.outcome)).collect::<Vec<_>>();
            if rows.len() == count { Ok(rows) } else { Err(format!("{seen:#?}")) }
        })
        .await
    }

    /// The text of the activity log as it is on disk.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("activity.jsonl")).unwrap()
    }
}
