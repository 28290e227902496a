//! Saved approvals on their way out: a removal can be undone for a while, and is done whatever becomes of the window.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use gavel_core::{Moment, ServerId, say};
use tokio::task::JoinSet;

use super::{failed, not_online};
use crate::api::Answer;
use crate::calls::Reply;
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::message::Message;

/// The longest time for which a removal can be undone, in milliseconds.
const LONGEST: u64 = 60_000;

/// A removal, by its server and its approval.
pub(crate) type Removal = (ServerId, String);

/// The removals that can be undone, and those under way.
#[derive(Default)]
pub(crate) struct Leaving {
    held: HashMap<Removal, Held>,
    /// Counts the removals, so that the timer of one that was undone means nothing to the next.
    count: u64,
    under_way: JoinSet<()>,
}

/// A removal that can be undone.
struct Held {
    number: u64,
    directory: String,
    /// Until when.
    until: Moment,
    /// Who wants to know what came of it.
    answers: Vec<Reply>,
}

impl Leaving {
    /// The approvals of a server that are about to be removed, and when that is done.
    pub(super) fn of(&self, server: &ServerId) -> BTreeMap<String, Moment> {
        let held = self.held.iter().filter(|((on, _), _)| on == server);
        held.map(|((_, id), held)| (id.clone(), held.until)).collect()
    }

    /// Waits for those that are under way.
    pub(crate) async fn finish(&mut self) {
        while self.under_way.join_next().await.is_some() {}
    }
}

impl Driver {
    /// Takes a saved approval back after `hold` milliseconds, unless it is kept by then. Zero: at once, also if it was
    /// to be done later.
    pub(crate) fn remove_saved(&mut self, removal: Removal, directory: String, hold: u64, answer: Reply) {
        if let Some(held) = self.leaving.held.get_mut(&removal) {
            held.answers.push(answer);
        } else {
            self.leaving.count += 1;
            let number = self.leaving.count;
            let hold = hold.min(LONGEST);
            let held = Held { number, directory, until: now().plus(hold), answers: vec![answer] };
            self.leaving.held.insert(removal.clone(), held);
            if hold > 0 {
                let (messages, removal) = (self.messages.clone(), removal.clone());
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(hold)).await;
                    let _ = messages.send(Message::RemovalDue(removal, number));
                });
            }
        }
        if hold == 0 {
            self.carry_out_removal(&removal);
        }
    }

    /// Keeps an approval that was about to be removed.
    pub(crate) fn keep_saved(&mut self, removal: &Removal) {
        if let Some(held) = self.leaving.held.remove(removal) {
            tell(held.answers, &Ok(Answer::Removed { removed: false }));
        }
    }

    /// The time to undo a removal is over.
    pub(crate) fn removal_due(&mut self, removal: &Removal, number: u64) {
        if self.leaving.held.get(removal).is_some_and(|held| held.number == number) {
            self.carry_out_removal(removal);
        }
    }

    /// Removes at once whatever is to be removed: Gavel is about to end.
    pub(crate) fn carry_out_removals(&mut self) {
        let all: Vec<Removal> = self.leaving.held.keys().cloned().collect();
        for removal in all {
            self.carry_out_removal(&removal);
        }
    }

    fn carry_out_removal(&mut self, removal: &Removal) {
        let Some(Held { directory, answers, .. }) = self.leaving.held.remove(removal) else { return };
        let (server, id) = removal.clone();
        let connection = self.online(&server);
        let messages = self.messages.clone();
        self.leaving.under_way.spawn(async move {
            let result = match connection {
                Some(connection) => match connection.remove_saved(&directory, &id).await {
                    Ok(true) => Ok(Answer::Removed { removed: true }),
                    Ok(false) => Err(failed(say!("Saved approvals can't be removed on this server."))),
                    Err(error) => {
                        Err(failed(say!("The approval was not removed, so it still holds: {}.", error.said())))
                    }
                },
                None => Err(Failed {
                    message: say!("The approval was not removed, so it still holds: the server can't be reached."),
                    ..not_online()
                }),
            };
            if let Err(failure) = &result {
                // Nobody may be waiting: the window is often closed by then. The server's card tells it later.
                tracing::warn!("{failure}");
                let _ = messages.send(Message::Fault(server, failure.message.clone()));
            }
            tell(answers, &result);
        });
        // Those that are done need not be remembered.
        while self.leaving.under_way.try_join_next().is_some() {}
    }
}

/// A host that no longer waits has closed its window.
fn tell(answers: Vec<Reply>, result: &Result<Answer, Failed>) {
    for answer in answers {
        let _ = answer.send(result.clone());
    }
}
