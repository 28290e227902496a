//! Questions: they arrive, are answered, and come to their end, with what holds for requests. What requests have beyond
//! that (verdicts, grants, refusals that sweep others along) they don't.

use std::collections::HashSet;

use super::answering::RESEND;
use super::effect::{Effect, Happened, Record};
use super::ending::{ENDED, HEARSAY};
use super::event::{Outcome, Scope, Timer};
use super::fate::{Fate, Heard, fate};
use super::machine::Step;
use super::question_entry::{Ending, QuestionEntry, QuestionPhase};
use super::server::Server;
use crate::question::{self, Question, Response};
use crate::{Opinions, RequestId, RequestKey, Route, Session, SessionId, Settled};

impl Step {
    /// A question arrives.
    pub(super) fn question_asked(&mut self, server: &mut Server, mut question: Question, by_stream: bool) {
        let id = question.key.request.clone();
        self.met_again(&question.key);
        if server.settled.contains(&id) {
            return;
        }
        let session = question.session.clone();
        if question.directory.is_empty() {
            // Without one, no listing would ever speak about it.
            let known = session.as_ref().and_then(|session| server.sessions.get(session));
            question.directory = known.map(|known| known.directory.clone()).unwrap_or_default();
        }
        // What was displayed under this id must not stand for something else under it.
        if server.questions.get(&id).is_some_and(|known| known.question.is_another(&question)) {
            self.settle_question(server, &id, &Settled::Unseen);
        }
        if let Some(known) = server.questions.get_mut(&id) {
            known.by_stream |= by_stream;
            known.gone = false;
            // Its session may have moved, or the place is spelled otherwise: later listings speak of it so.
            if !question.directory.is_empty() {
                known.question.directory = question.directory;
            }
            known.question.call = known.question.call.take().or(question.call);
            return;
        }
        let key = question.key.clone();
        let mut entry = QuestionEntry::new(question, self.now, self.tick);
        entry.by_stream = by_stream;
        entry.edition += server.past;
        server.questions.insert(id, entry);
        if let Some(session) = session {
            self.look_up(server, &session);
        }
        self.effects.push(Effect::Timer { at: self.now.plus(self.grace), timer: Timer::Grace(key) });
        self.publish();
    }

    /// A session becomes known, or has moved: so do its questions.
    pub(super) fn questions_follow(&mut self, server: &mut Server, session: &Session, moved: bool) {
        let of_it = |entry: &&mut QuestionEntry| entry.question.session.as_ref() == Some(&session.id);
        for entry in server.questions.values_mut().filter(of_it) {
            let follows = moved && entry.question.route == Route::V2;
            if !session.directory.is_empty() && (entry.question.directory.is_empty() || follows) {
                entry.question.directory.clone_from(&session.directory);
            }
        }
    }

    pub(super) fn question_grace_over(&mut self, server: &mut Server, id: &RequestId) {
        let paused = self.paused;
        let silent = |entry: &&mut QuestionEntry| !paused && entry.is_silent();
        if let Some(entry) = server.questions.get_mut(id).filter(silent) {
            entry.announced = true;
            self.effects.push(Effect::Notify(entry.question.key.clone()));
        }
    }

    /// The user answers what was displayed: an answer to an older edition is none.
    pub(super) fn respond(&mut self, server: &mut Server, id: &RequestId, response: Response, edition: Option<u32>) {
        let Some(entry) = server.questions.get_mut(id).filter(|entry| entry.is_open()) else { return };
        let stale = edition.is_some_and(|displayed| displayed != entry.edition);
        if stale && matches!(response, Response::Answer { .. }) {
            self.effects.push(Effect::Show(entry.question.key.clone()));
            return;
        }
        let question = entry.question.clone();
        // What the agent isn't told was not said.
        let response = match response {
            Response::Cancel { .. } if !question.passes_reason() => Response::Cancel { reason: None },
            other => other,
        };
        entry.refused = None;
        entry.phase = QuestionPhase::Replying { response: response.clone(), attempt: 1 };
        self.close_question_notification(server, id);
        self.record_question(server, id, Happened::Responded { response: response.clone() });
        self.effects.push(Effect::AnswerQuestion { question: Box::new(question), response });
        self.publish();
    }

    pub(super) fn retry_question(&mut self, server: &mut Server, id: &RequestId) {
        if let Some(QuestionEntry { phase: QuestionPhase::Undelivered { response, .. }, .. }) = server.questions.get(id)
        {
            let response = response.clone();
            self.respond(server, id, response, None);
        }
    }

    pub(super) fn resend_answer(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.questions.get_mut(id) else { return };
        if let QuestionPhase::Replying { response, attempt: attempt @ 1 } = &mut entry.phase {
            *attempt = 2;
            let (question, response) = (Box::new(entry.question.clone()), response.clone());
            self.effects.push(Effect::AnswerQuestion { question, response });
        }
    }

    /// What became of our answer.
    pub(super) fn answer_outcome(&mut self, server: &mut Server, id: &RequestId, outcome: Outcome) {
        let Some(entry) = server.questions.get_mut(id) else { return };
        let QuestionPhase::Replying { response, attempt } = entry.phase.clone() else { return };
        let key = entry.question.key.clone();
        let heard = entry.observed.as_ref().map_or(Heard::Nothing, |ending| ending.heard(&response));
        let settled = match fate(outcome, attempt, heard, entry.run_ended) {
            Fate::Ours => ours(&entry.question, &response),
            Fate::Other => elsewhere(&entry.question, entry.observed.as_ref()),
            Fate::RunEnded => Settled::RunEnded,
            Fate::Again => {
                self.effects.push(Effect::Timer { at: self.now.plus(RESEND), timer: Timer::Resend(key) });
                return;
            }
            Fate::Refused(problem) => {
                // It waits as before, and says why.
                entry.refused = Some(problem);
                entry.phase = QuestionPhase::Waiting;
                entry.announced = true;
                self.effects.push(Effect::Notify(key));
                return self.publish();
            }
            Fate::Undelivered(why) => {
                entry.phase = QuestionPhase::Undelivered { response, why: why.clone() };
                entry.announced = true;
                self.record_question(server, id, Happened::Undelivered { why });
                self.effects.push(Effect::Notify(key));
                return self.publish();
            }
        };
        self.settle_question(server, id, &settled);
    }

    /// The server says that a question came to its end.
    pub(super) fn question_ended(&mut self, server: &mut Server, id: &RequestId, ending: Ending) {
        let Some(entry) = server.questions.get_mut(id) else {
            server.settled.insert(id.clone());
            let settled = match ending {
                Ending::Cancelled => Settled::CancelledElsewhere,
                Ending::Answered(_) => Settled::AnsweredElsewhere { answers: Vec::new() },
            };
            return self.ended_since(&server.info.id, id, &settled);
        };
        let settled = match &entry.phase {
            QuestionPhase::Replying { .. } => {
                // It may be our own answer: what became of that is about to arrive.
                entry.observed = Some(ending);
                return;
            }
            QuestionPhase::Undelivered { response, .. } if ending.heard(response) == Heard::Ours => {
                ours(&entry.question, response)
            }
            _ => elsewhere(&entry.question, Some(&ending)),
        };
        self.settle_question(server, id, &settled);
    }

    /// The run of these questions ended.
    pub(super) fn questions_ended(&mut self, server: &mut Server, test: impl Fn(&Question) -> bool) {
        for id in server.question_ids(|entry| test(&entry.question)) {
            match server.questions.get_mut(&id) {
                Some(entry) if !entry.is_open() => entry.run_ended = true,
                _ => self.settle_question(server, &id, &Settled::RunEnded),
            }
        }
    }

    pub(super) fn questions_of_deleted(&mut self, server: &mut Server, session: &SessionId) {
        for id in server.question_ids(|entry| entry.question.session.as_ref() == Some(session)) {
            let Some(entry) = server.questions.get_mut(&id) else { continue };
            if entry.is_open() {
                let question = entry.question.clone();
                self.settle_question(server, &id, &Settled::RunEnded);
                self.release_question(question);
            } else {
                entry.run_ended = true;
            }
        }
    }

    /// The run of a deleted session hangs on its question for ever: cancelled, it is free.
    fn release_question(&mut self, question: Question) {
        let response = Response::Cancel { reason: None };
        self.effects.push(Effect::AnswerQuestion { question: Box::new(question), response });
    }

    pub(super) fn questions_listed(
        &mut self,
        server: &mut Server,
        number: u64,
        scope: &Scope,
        questions: Vec<Question>,
        orphans: Vec<Question>,
    ) {
        let Some(began) = server.listings.remove(&number) else { return };
        let pending: HashSet<&RequestKey> = questions.iter().chain(&orphans).map(|question| &question.key).collect();
        let missing = server.question_ids(|entry| {
            let question = &entry.question;
            scope.covers(question.route, &question.directory)
                && !pending.contains(&question.key)
                && entry.arrived < began
                && entry.is_open()
        });
        for id in missing {
            // A listing may be quicker than the event that says what became of it, so that is waited for a moment.
            if let Some(entry) = server.questions.get_mut(&id).filter(|entry| !entry.gone) {
                entry.gone = true;
                let timer = Timer::Gone(entry.question.key.clone());
                self.effects.push(Effect::Timer { at: self.now.plus(HEARSAY), timer });
            }
        }
        self.listed_since(&server.info.id, true, scope, &pending);
        for question in questions {
            // A listing that was begun before the end was heard says nothing about what is pending now.
            if server.ended.get(&question.key.request).is_none_or(|ended| *ended < began) {
                self.question_asked(server, question, false);
            }
        }
        for question in orphans {
            let id = question.key.request.clone();
            self.ended_since(&server.info.id, &id, &Settled::RunEnded);
            let open = server.questions.get(&id).map(QuestionEntry::is_open);
            if open == Some(false) || server.settled.contains(&id) {
                continue;
            }
            if open == Some(true) {
                self.settle_question(server, &id, &Settled::RunEnded);
            }
            server.settled.insert(id);
            self.release_question(question);
        }
        self.publish();
    }

    /// Nothing was heard of a question that is no longer listed.
    pub(super) fn question_unheard(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.questions.get_mut(id) else { return };
        if std::mem::take(&mut entry.gone) && entry.is_open() {
            self.settle_question(server, id, &Settled::Unseen);
        }
    }

    pub(super) fn settle_question(&mut self, server: &mut Server, id: &RequestId, settled: &Settled) {
        self.record_question(server, id, Happened::Settled { settled: settled.clone() });
        self.close_question_notification(server, id);
        let Some(entry) = server.questions.remove(id) else { return };
        // As with requests: what merely went out of sight may come back, and a 2.x server forgets what ends with a run.
        let for_good = match settled {
            Settled::Unseen | Settled::ServerGone => false,
            Settled::RunEnded => entry.by_stream && entry.question.route == Route::V1,
            _ => true,
        };
        if for_good {
            server.settled.insert(id.clone());
        } else {
            server.past = server.past.max(entry.edition);
            if *settled == Settled::RunEnded {
                if server.ended.len() >= ENDED {
                    server.ended.clear();
                }
                server.ended.insert(id.clone(), self.tick);
            }
        }
        if *settled != Settled::Unseen {
            self.effects.push(Effect::DropDraft(entry.question.key));
        }
        self.publish();
    }

    fn close_question_notification(&mut self, server: &mut Server, id: &RequestId) {
        let Some(entry) = server.questions.get_mut(id) else { return };
        if std::mem::take(&mut entry.announced) {
            self.effects.push(Effect::CloseNotification(entry.question.key.clone()));
        }
    }

    pub(super) fn record_question(&mut self, server: &Server, id: &RequestId, what: Happened) {
        let Some(entry) = server.questions.get(id) else { return };
        let question = &entry.question;
        let root = question.session.as_ref().map(|session| server.sessions.root(session));
        self.effects.push(Effect::Record(Box::new(Record {
            at: self.now,
            key: question.key.clone(),
            title: question::headline(question),
            action: Record::QUESTION.to_owned(),
            resources: Vec::new(),
            text: question::full_text(question),
            line: None,
            directory: question.directory.clone(),
            session: root.and_then(|root| server.sessions.get(root)).map(|session| session.title.clone()),
            session_id: question.session.clone(),
            waited: self.now.since(entry.since),
            opinions: Opinions::default(),
            what,
        })));
    }
}

/// How a question ended that `response` settled.
fn ours(question: &Question, response: &Response) -> Settled {
    match response {
        Response::Answer { answer } => Settled::YouAnswered { answers: question::said(&question.fields, answer) },
        Response::Cancel { reason } => Settled::YouCancelled { reason: reason.clone() },
    }
}

/// How a question ended that somebody else settled, as far as the server says.
fn elsewhere(question: &Question, ending: Option<&Ending>) -> Settled {
    match ending {
        Some(Ending::Cancelled) => Settled::CancelledElsewhere,
        Some(Ending::Answered(Some(answer))) => {
            Settled::AnsweredElsewhere { answers: question::said(&question.fields, answer) }
        }
        Some(Ending::Answered(None)) | None => Settled::AnsweredElsewhere { answers: Vec::new() },
    }
}
