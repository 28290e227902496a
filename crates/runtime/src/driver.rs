//! The driver: one task that feeds the flow machine and carries its effects out.
//!
//! Everything that waits (answers, keychain, timers) runs in tasks of its own and comes back as a [`Message`], so
//! nothing holds the driver up.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gavel_core::flow::{Away, Effect, Event, Flow, Outcome, Told, WireEvent};
use gavel_core::grants::Grants;
use gavel_core::text::{Language, Message as Sentence};
use gavel_core::{Decision, Moment, RequestKey, ServerId, say};
use gavel_disk::ActivityLog;
use gavel_notify::{Button, Notifier, Report};
use gavel_opencode::Tuning;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::task::JoinSet;

use crate::advice::{Advice, Case};
use crate::api::{Activity, Shortcut, Snapshot};
use crate::asides::Marks;
use crate::context::Context;
use crate::drafts::{Drafts, KeepDrafts};
use crate::handle::{Handle, Wish};
use crate::judge_setup::JudgeSetup;
use crate::judge_state::JudgeState;
use crate::judging::{Judging, doubted, is_here};
use crate::message::Message;
use crate::modes::{self, Asking, Cue};
use crate::picture;
use crate::rules::{Looked, Rules};
use crate::saved::Leaving;
use crate::secrets::Secrets;
use crate::servers::{Servers, Stay};
use crate::settings::Settings;
use crate::toasts::{self, Says, Toasts};
use crate::waiting::{KeepAway, Waiting, untold};

/// How often at most a new picture is published.
const FRAME: Duration = Duration::from_millis(30);

/// How long the end of the program waits for answers that are under way.
const LAST_REPLIES: Duration = Duration::from_secs(1);

/// Where settings are kept; gives the reason if that fails.
pub type Keep = Box<dyn Fn(&Settings) -> Result<(), String> + Send + Sync>;

/// Where grants are kept; gives the reason if that fails.
pub type KeepGrants = Box<dyn Fn(&Grants) -> Result<(), String> + Send + Sync>;

/// Where it is kept what servers were told; gives the reason if that fails.
pub type KeepTold = Box<dyn Fn(&Told) -> Result<(), String> + Send + Sync>;

/// Makes the notifier, given where its reports go.
pub type MakeNotifier = Box<dyn FnOnce(mpsc::UnboundedSender<Report>) -> Arc<dyn Notifier> + Send>;

/// What the driver is set up with.
pub struct Setup {
    /// What the user chose earlier.
    pub settings: Settings,
    /// Where changed settings are kept.
    pub keep: Keep,
    /// The activity log.
    pub log: ActivityLog,
    /// Where passwords are kept.
    pub secrets: Secrets,
    /// Makes the notifier.
    pub notifier: MakeNotifier,
    /// Times of the connections.
    pub tuning: Tuning,
    /// The language of the system, for a user who has chosen none.
    pub language: Language,
    /// Base URL of the built-in demo server, if it runs.
    pub demo: Option<String>,
    /// The folder of the projects' rules files; without one, nothing passes by a rule and nothing is learned.
    pub rules: Option<PathBuf>,
    /// The folder that exports are written to.
    pub exports: PathBuf,
    /// The judge that nothing in the settings changes, if there is one: the environment names it, or a test.
    pub judge: Option<JudgeSetup>,
    /// How what Gavel leaves on servers for a moment is known again.
    pub marks: Arc<Marks>,
    /// Absolute path of a directory on this machine that is no project, if there is one.
    pub elsewhere: Option<String>,
    /// The grants that were kept when Gavel last ended.
    pub grants: Grants,
    /// Where grants are kept.
    pub keep_grants: KeepGrants,
    /// What servers had been told of the rules of sessions when Gavel last ended.
    pub told: Told,
    /// Where that is kept.
    pub keep_told: KeepTold,
    /// What waited when Gavel last ended.
    pub away: Away,
    /// Where that is kept.
    pub keep_away: KeepAway,
    /// What was half typed for questions when Gavel last ended.
    pub drafts: Drafts,
    /// Where that is kept.
    pub keep_drafts: KeepDrafts,
}

/// Starts the driver in a task of its own.
#[must_use]
pub fn start(setup: Setup) -> Handle {
    let (messages, inbox) = mpsc::unbounded_channel();
    let (reports, reported) = mpsc::unbounded_channel();
    let (activity, _) = broadcast::channel(256);
    let (wishes, _) = broadcast::channel(16);
    let notifier = (setup.notifier)(reports);
    let away = untold(setup.away, &setup.log);
    let mut driver = Driver {
        waiting: Waiting::new(setup.keep_away, &away),
        flow: Flow::default(),
        servers: Servers::new(messages.clone(), setup.secrets, setup.tuning),
        notifier,
        log: setup.log,
        settings: setup.settings,
        keep: setup.keep,
        keep_grants: setup.keep_grants,
        keep_told: setup.keep_told,
        drafts: setup.drafts,
        keep_drafts: setup.keep_drafts,
        messages: messages.clone(),
        activity: activity.clone(),
        wishes: wishes.clone(),
        language: setup.language,
        keychain: Err(Sentence::default()),
        tray: None,
        shortcut: Shortcut::Off,
        judging: Judging::new(),
        rules: Rules::new(setup.rules),
        exports: setup.exports,
        advice: Advice::new(
            setup.judge.clone().unwrap_or_else(JudgeSetup::nobody),
            messages.clone(),
            Arc::clone(&setup.marks),
            setup.elsewhere,
        ),
        marks: setup.marks,
        context: Context::new(messages.clone()),
        judge: JudgeState::new(setup.judge),
        toasts: Toasts::default(),
        replies: JoinSet::new(),
        leaving: Leaving::default(),
        asking: Asking::default(),
        paused: false,
        revision: 0,
        dirty: false,
    };
    driver.feed(Event::Away(away));
    driver.feed(Event::Told(setup.told));
    driver.feed(Event::Granted(setup.grants));
    driver.begin(setup.demo);
    let (pictures, snapshots) = watch::channel(Arc::new(driver.picture()));
    let handle = Handle { messages, snapshots, activity, wishes };
    tokio::spawn(driver.run(inbox, reported, pictures));
    handle
}

pub(crate) struct Driver {
    pub(crate) flow: Flow,
    pub(crate) servers: Servers,
    pub(crate) notifier: Arc<dyn Notifier>,
    pub(crate) log: ActivityLog,
    pub(crate) settings: Settings,
    pub(crate) keep: Keep,
    keep_grants: KeepGrants,
    keep_told: KeepTold,
    waiting: Waiting,
    pub(crate) drafts: Drafts,
    pub(crate) keep_drafts: KeepDrafts,
    pub(crate) messages: mpsc::UnboundedSender<Message>,
    pub(crate) activity: broadcast::Sender<Activity>,
    pub(crate) wishes: broadcast::Sender<Wish>,
    language: Language,
    keychain: Result<(), Sentence>,
    tray: Option<bool>,
    shortcut: Shortcut,
    judging: Judging,
    pub(crate) rules: Rules,
    pub(crate) exports: PathBuf,
    pub(crate) advice: Advice,
    context: Context,
    /// How the judge does.
    pub(crate) judge: JudgeState,
    toasts: Toasts,
    /// How what Gavel left on servers is known again.
    marks: Arc<Marks>,
    /// Answers under way.
    pub(crate) replies: JoinSet<(Stay, Event)>,
    /// Saved approvals that are about to be removed.
    pub(crate) leaving: Leaving,
    /// Where nobody is asked.
    pub(crate) asking: Asking,
    pub(crate) paused: bool,
    revision: u64,
    dirty: bool,
}

impl Driver {
    fn begin(&mut self, demo: Option<String>) {
        self.apply_preferences();
        self.feed(Event::Stances(self.settings.modes.clone()));
        self.set_up_judge();
        for event in self.servers.watch_configured(&self.settings, demo) {
            self.feed(event);
        }
        let (secrets, messages) = (self.servers.secrets().clone(), self.messages.clone());
        tokio::spawn(async move {
            let keychain = secrets.probe().await.map_err(|error| error.said());
            let _ = messages.send(Message::Keychain(keychain));
        });
    }

    async fn run(
        mut self,
        mut inbox: mpsc::UnboundedReceiver<Message>,
        mut reports: mpsc::UnboundedReceiver<Report>,
        pictures: watch::Sender<Arc<Snapshot>>,
    ) {
        let mut frames = tokio::time::interval(FRAME);
        frames.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // What people do comes before what servers say: a decision must not queue behind a flood.
                biased;
                Some(message) = inbox.recv() => {
                    if let Message::ShutDown(done) = message {
                        self.shut_down().await;
                        let _ = done.send(());
                        return;
                    }
                    self.take(message);
                }
                Some(Ok((stay, replied))) = self.replies.join_next() => self.feed_if(&stay, replied),
                Some(report) = reports.recv() => self.report(report),
                // A picture is due only when something has changed: nothing wakes up while nothing happens.
                _ = frames.tick(), if self.dirty => {
                    self.dirty = false;
                    self.revision += 1;
                    pictures.send_replace(Arc::new(self.picture()));
                    self.toast();
                    self.waiting.look(&self.flow, &self.messages);
                }
                event = self.servers.next() => self.feed(event),
            }
        }
    }

    async fn shut_down(&mut self) {
        // What the user has just decided is still to arrive; a server that hangs must not keep the program from ending.
        let patience = tokio::time::Instant::now() + LAST_REPLIES;
        self.carry_out_removals();
        while let Ok(Some(Ok((stay, replied)))) = tokio::time::timeout_at(patience, self.replies.join_next()).await {
            self.feed_if(&stay, replied);
        }
        let _ = tokio::time::timeout_at(patience, self.leaving.finish()).await;
        self.waiting.finish(&self.flow, now(), LAST_REPLIES).await;
        self.rules.finish(LAST_REPLIES).await;
        self.notifier.close_all();
        // What it began on servers is ended while their connections last.
        self.advice.finish().await;
        self.servers.close().await;
        let notifier = Arc::clone(&self.notifier);
        // A desktop that hangs must not keep the program from ending.
        let _ = tokio::task::spawn_blocking(move || notifier.flush(Duration::from_secs(1))).await;
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Call(call, answer) => self.call(call, answer),
            Message::Event(None, event) => self.feed(event),
            Message::Event(Some(stay), event) => self.feed_if(&stay, event),
            Message::Advice(turn, stay, event) if self.advice.is_of(turn) => self.feed_if(&stay, event),
            Message::Advice(..) => {}
            Message::Sighting(sighting) => {
                if let Some(event) = self.servers.sighted(sighting, &self.settings) {
                    self.feed(event);
                }
            }
            // By then the user may have given another password, which is in use already.
            Message::Fetched(Stay { server, .. }, _) if self.servers.connection(&server).is_some() => {}
            Message::Fetched(stay, credentials) if self.servers.lasts(&stay) => {
                self.servers.connect(&stay.server, credentials);
            }
            Message::Fetched(..) => {}
            Message::Kept(server, setting, credentials) => self.password_kept(&server, setting, credentials),
            Message::RemovalDue(removal, number) => self.removal_due(&removal, number),
            Message::Fault(server, why) => self.servers.fault(&server, &why),
            Message::Rules(found) => self.found(found),
            Message::RulesStirred => self.rules.stir(),
            Message::RulesWatch(watch) => self.rules.watch(watch, &self.messages),
            Message::Keychain(keychain) => self.keychain = keychain,
            Message::Words => {}
            Message::Judge(said) => self.judge_said(said),
            // Nothing that is shown here has changed.
            Message::ToastDue => return self.toast(),
            Message::WaitingDue => return self.waiting.due(&self.flow, now()),
            Message::Tray(shown) => self.tray = Some(shown),
            Message::Shortcut(shortcut) => self.shortcut = shortcut,
            Message::ShutDown(_) => {}
        }
        self.dirty = true;
    }

    /// Says in the terminals of servers what is to be said there now.
    fn toast(&mut self) {
        let wants = self.settings.preferences.toasts && !self.paused;
        let mut wanted = BTreeMap::new();
        if wants {
            let servers = self.flow.servers().values().filter(|server| !server.entries.is_empty());
            for server in servers.filter(|server| server.link.dialect() == Some(gavel_core::Dialect::V1)) {
                wanted.extend(toasts::line(&self.flow, server).map(|line| (server.info.id.clone(), line)));
            }
        }
        let (times, now) = (self.settings.toasts, now());
        let due = self.toasts.step(wanted, times, now);
        for (server, line) in due.send {
            let Some(connection) = self.servers.connection(&server) else { continue };
            tokio::spawn(async move {
                let warns = line.says == Says::UpToYou;
                let said = connection.toast(&line.directory, &line.message(), warns, times.notify_duration_ms).await;
                // It is a courtesy: the inbox has it all.
                if let Err(error) = said {
                    tracing::debug!(%server, %error, "nothing is said in the terminal");
                }
            });
        }
        if let Some(at) = due.wake {
            let messages = self.messages.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(at.since(now))).await;
                let _ = messages.send(Message::ToastDue);
            });
        }
    }

    /// Ends what this program may have left behind on a server, in this run or an earlier one.
    fn sweep(&self, server: &ServerId) {
        let (Some(connection), marks) = (self.servers.connection(server), Arc::clone(&self.marks)) else { return };
        tokio::spawn(async move {
            match connection.sweep(marks.earlier()).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "sessions of ours that were left behind are ended"),
                Err(error) => tracing::debug!(%error, "what may have been left behind is not looked for"),
            }
        });
    }

    /// Feeds the machine what follows from something that was begun in `stay`, if that lasts.
    fn feed_if(&mut self, stay: &Stay, event: Event) {
        if self.servers.lasts(stay) {
            self.feed(event);
        }
    }

    /// Feeds the machine and carries out what it says.
    pub(crate) fn feed(&mut self, event: Event) {
        match &event {
            Event::Link(server, link) => {
                self.servers.note(server, link);
                if link.is_online() {
                    self.sweep(server);
                }
            }
            Event::Wire(server, WireEvent::SessionDeleted(session)) => self.advice.forget(server, session),
            Event::Wire(server, WireEvent::Unlisted(why)) => self.servers.fault(server, why),
            Event::JudgeAsked { .. } => self.judge.asked += 1,
            Event::Advised { opinion, .. } => self.judge.advised(&opinion.verdict, now()),
            _ => {}
        }
        let cue = Cue::of(&event);
        for effect in self.flow.step(event, now()) {
            self.carry_out(effect);
        }
        if let Some(cue) = cue {
            self.follow(cue);
            self.dirty = true;
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Record(record) => self.record(*record),
            Effect::Reply { ask, decision } => {
                let connection = self.servers.connection(&ask.key.server);
                let stay = self.servers.stay(&ask.key.server);
                self.replies.spawn(async move {
                    let outcome = match connection {
                        Some(connection) => connection.reply(&ask, &decision).await,
                        None => Outcome::Failed { why: say!("there is no connection to the server") },
                    };
                    (stay, Event::Replied(ask.key, outcome))
                });
            }
            Effect::AnswerQuestion { question, response } => self.send_answer(question, response),
            Effect::DropDraft(key) => self.drop_draft(&key),
            Effect::Judge { ask, edition } => {
                let finding = self.judging.finding(&ask);
                let connection = self.servers.connection(&ask.key.server);
                self.context.seek(&ask, connection, |key| self.flow.entry(key).is_some());
                // What follows from it comes after all that follows from what led to it.
                let stay = self.servers.stay(&ask.key.server);
                let judged = Event::Judged { key: ask.key, edition, finding };
                let _ = self.messages.send(Message::Event(Some(stay), judged));
            }
            Effect::LookUpRule { ask, line, edition, proven } if self.has_rules(&ask.key.server) => {
                let (messages, key) = (self.messages.clone(), ask.key.clone());
                let (finding, stay) = (self.judging.finding(&ask), self.servers.stay(&ask.key.server));
                self.rules.look_up(&ask.directory, line, proven, move |looked| {
                    let event = match looked {
                        Looked::Passes(rule) => Event::RuleHolds { key, edition, rule },
                        Looked::Doubted(why) => Event::Judged { key, edition, finding: doubted(finding, why) },
                        Looked::Nothing => Event::NoRule { key, edition },
                    };
                    let _ = messages.send(Message::Event(Some(stay), event));
                });
            }
            Effect::LookUpRule { ask, edition, .. } => {
                let stay = self.servers.stay(&ask.key.server);
                let _ = self.messages.send(Message::Event(Some(stay), Event::NoRule { key: ask.key, edition }));
            }
            Effect::AskJudge { ask, edition, finding } => {
                let words = self.context.words(&ask.key);
                let connection = self.servers.connection(&ask.key.server);
                let stay = self.servers.stay(&ask.key.server);
                self.advice.seek(Case { ask: *ask, stay, edition, finding, words }, connection);
            }
            Effect::DropJudge(key) => self.advice.drop_call(&key),
            Effect::Learn { server, directory, change } if self.has_rules(&server) => {
                self.rules.learn(directory, change)
            }
            Effect::Learn { .. } => {}
            Effect::Notify(key) => {
                if let Some((entry, server)) = self.find(&key) {
                    self.notifier.show(picture::notice(entry, server, self.language()));
                } else if let Some((entry, server)) = self.find_question(&key) {
                    self.notifier.show(picture::question_notice(entry, server, self.language()));
                }
            }
            Effect::Show(key) => {
                let _ = self.wishes.send(Wish::Show(key));
            }
            Effect::CloseNotification(key) => self.notifier.close(&key),
            Effect::Timer { at, timer } => {
                let wait = Duration::from_millis(at.since(now()));
                let stay = timer.server().map(|server| self.servers.stay(server));
                let messages = self.messages.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    let _ = messages.send(Message::Event(stay, Event::TimerFired(timer)));
                });
            }
            Effect::LookUp { server, session } => {
                if let Some(connection) = self.servers.connection(&server) {
                    tokio::spawn(async move { connection.look_up(&session).await });
                }
            }
            Effect::Relist(server) => {
                if let Some(connection) = self.servers.connection(&server) {
                    connection.relist();
                }
            }
            Effect::Rule { server, session, stance, grants, previous, cause } => {
                self.rule(server, session, stance, grants, previous, cause);
            }
            Effect::KeepTold => {
                if let Err(why) = (self.keep_told)(self.flow.told()) {
                    tracing::error!("it is not being kept what servers were told: {why}");
                }
            }
            Effect::KeepGrants => {
                if let Err(why) = (self.keep_grants)(self.flow.grants()) {
                    tracing::error!("the grants are not being kept: {why}");
                }
            }
            Effect::Publish => self.dirty = true,
        }
    }

    /// Whether commands on `server` pass by rules: the files of projects on other machines are not on this one.
    fn has_rules(&self, server: &ServerId) -> bool {
        self.settings.preferences.rules && is_here(server)
    }

    fn find(&self, key: &RequestKey) -> Option<(&gavel_core::flow::Entry, &gavel_core::flow::Server)> {
        let server = self.flow.servers().get(&key.server)?;
        Some((server.entries.get(&key.request)?, server))
    }

    fn report(&mut self, report: Report) {
        match report {
            Report::Clicked { key, button: Button::Approve } => self.decide(key, Decision::AllowOnce),
            Report::Clicked { key, button: Button::AllowSession } => {
                match self.find(&key).and_then(|(entry, server)| picture::granted_for_session(entry, server)) {
                    Some(decision) => self.decide(key, decision),
                    None => self.report(Report::Opened { key }),
                }
            }
            Report::Clicked { key, button: Button::Decline } => {
                self.decide(key, Decision::decline(""));
            }
            Report::Clicked { key, button: Button::First } => self.choose(key, 0),
            Report::Clicked { key, button: Button::Second } => self.choose(key, 1),
            Report::Clicked { key, button: Button::Third } => self.choose(key, 2),
            Report::Clicked { key, button: Button::Review | Button::Answer } | Report::Opened { key } => {
                let _ = self.wishes.send(Wish::Show(key));
            }
            // Putting a notification away is no answer: the request waits in the tray and the window.
            Report::Dismissed { .. } => {}
            // The next picture asks the notifier for its state.
            Report::State(_) => self.dirty = true,
        }
    }

    /// What a notification says is known to the notifier: it gives no clicks on a text that has changed since.
    fn decide(&mut self, key: RequestKey, decision: Decision) {
        self.feed(Event::Decide { key, decision, edition: None });
    }

    /// The language to speak to the user in.
    pub(crate) const fn language(&self) -> Language {
        self.settings.preferences.language.or_system(self.language)
    }

    pub(crate) fn picture(&self) -> Snapshot {
        let mut snapshot = picture::snapshot(
            &self.flow,
            picture::Frame {
                revision: self.revision,
                now: now(),
                paused: self.paused,
                language: self.language(),
                notifications: picture::notifications(&self.notifier.state(), self.language()),
                keychain: picture::keychain(&self.keychain, self.language()),
                tray: self.tray,
                shortcut: &self.shortcut,
                settings: &self.settings,
                said: &|key| self.context.said(key),
                judge: self.judge.row(
                    &self.settings.judge,
                    self.advice.setup(),
                    picture::paused_threads(&self.flow, self.language()),
                    self.language(),
                ),
                last_error: &|server| self.servers.last_error(server),
                drafts: &self.drafts,
            },
        );
        snapshot.modes.unasked = modes::unasked(&self.flow, &self.asking, &self.settings.put_aside);
        snapshot.rules = self.rules.stirred();
        snapshot
    }
}

/// The moment it is.
pub(crate) fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
