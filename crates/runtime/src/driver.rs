//! The driver: one task that feeds the flow machine and carries its effects out.
//!
//! Everything that waits (answers, keychain, timers) runs in tasks of its own and comes back as a [`Message`], so
//! nothing holds the driver up.

mod effects;
mod reports;
mod terminals;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gavel_core::flow::{Event, Flow, QuestionEntry, WireEvent};
use gavel_core::text::{Language, Message as Sentence};
use gavel_core::{Moment, RequestKey};
use gavel_disk::ActivityLog;
use gavel_notify::{Notifier, Report};
use tokio::sync::{broadcast, mpsc, watch};
use tokio::task::JoinSet;

use crate::advice::Advice;
use crate::api::{Activity, Shortcut, Snapshot};
use crate::asides::Marks;
use crate::context::{Asks, Context};
use crate::drafts::{Drafts, KeepDrafts};
use crate::forgotten::Forgotten;
use crate::handle::{Handle, Wish};
use crate::judge_setup::JudgeSetup;
use crate::judge_state::JudgeState;
use crate::judging::Judging;
use crate::message::Message;
use crate::modes::{self, Asking, Cue};
use crate::picture;
use crate::removed::Removed;
use crate::rules::Rules;
use crate::saved::Leaving;
use crate::servers::{Servers, Stay};
use crate::settings::Settings;
use crate::setup::{Keep, KeepGrants, KeepTold, Setup};
use crate::toasts::Toasts;
use crate::waiting::{Waiting, untold};

/// How often at most a new picture is published.
const FRAME: Duration = Duration::from_millis(30);

/// How long the end of the program waits for answers that are under way.
const LAST_REPLIES: Duration = Duration::from_secs(1);

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
        removed: Vec::new(),
        forgotten: Vec::new(),
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
    /// Servers that can be watched again.
    pub(crate) removed: Vec<Removed>,
    /// Passwords that can be had again.
    pub(crate) forgotten: Vec<Forgotten>,
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
        // A keychain may want to be unlocked, and nobody may be there to do it.
        let _ = tokio::time::timeout(LAST_REPLIES, self.forget_removed(None)).await;
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
            Message::ServerGone(until) => drop(tokio::spawn(self.forget_removed(Some(until)))),
            Message::PasswordForgotten(forgotten) => self.password_forgotten(*forgotten),
            Message::PasswordGone(until) => self.password_gone(until),
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
        self.seek_words();
        if let Some(cue) = cue {
            self.follow(cue);
            self.dirty = true;
        }
    }

    /// Has it found out what the user had asked for wherever a question comes from.
    fn seek_words(&mut self) {
        let questions = self.flow.servers().values().flat_map(|server| server.questions.values());
        for QuestionEntry { question, .. } in questions {
            let Some(session) = &question.session else { continue };
            let asks = Asks { key: &question.key, session, route: question.route };
            if !self.context.knows(asks) {
                let connection = self.servers.connection(&question.key.server);
                self.context.seek(asks, connection, |key| waits(&self.flow, key));
            }
        }
    }

    fn find(&self, key: &RequestKey) -> Option<(&gavel_core::flow::Entry, &gavel_core::flow::Server)> {
        let server = self.flow.servers().get(&key.server)?;
        Some((server.entries.get(&key.request)?, server))
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
                removed: self.removed.iter().map(Removed::row).collect(),
                language: self.language(),
                notifications: picture::notifications(&self.notifier.state(), self.language()),
                keychain: picture::keychain(&self.keychain, self.language()),
                tray: self.tray,
                shortcut: &self.shortcut,
                settings: &self.settings,
                password_back: &|server| self.password_back_until(server),
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

/// Whether a request or a question is not settled.
pub(crate) fn waits(flow: &Flow, key: &RequestKey) -> bool {
    flow.entry(key).is_some() || flow.question(key).is_some()
}

/// The moment it is.
pub(crate) fn now() -> Moment {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
