//! What the machine says is carried out.

use std::time::Duration;

use gavel_core::flow::{Effect, Event, Outcome};
use gavel_core::{ServerId, say};

use super::{Driver, now, waits};
use crate::advice::Case;
use crate::handle::Wish;
use crate::judging::{doubted, is_here};
use crate::message::Message;
use crate::picture;
use crate::rules::Looked;

impl Driver {
    /// Carries out what the machine says. Whatever waits does so elsewhere and comes back as a [`Message`].
    pub(super) fn carry_out(&mut self, effect: Effect) {
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
                let (finding, took) = self.judging.timed(&ask);
                let connection = self.servers.connection(&ask.key.server);
                self.context.seek(ask.as_ref().into(), connection, |key| waits(&self.flow, key));
                // What follows from it comes after all that follows from what led to it.
                let stay = self.servers.stay(&ask.key.server);
                let judged = Event::Judged { key: ask.key, edition, finding, took };
                let _ = self.messages.send(Message::Event(Some(stay), judged));
            }
            Effect::LookUpRule { ask, line, edition, proven } if self.has_rules(&ask.key.server) => {
                let (messages, key) = (self.messages.clone(), ask.key.clone());
                let ((finding, took), stay) = (self.judging.timed(&ask), self.servers.stay(&ask.key.server));
                self.rules.look_up(&ask.directory, line, proven, move |looked| {
                    let event = match looked {
                        Looked::Passes(rule) => Event::RuleHolds { key, edition, rule },
                        Looked::Doubted(why) => Event::Judged { key, edition, finding: doubted(finding, why), took },
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
                    let chosen = !self.judge.is_by_default(&self.settings.judge);
                    self.notifier.show(picture::notice(entry, server, chosen, self.language()));
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
}
