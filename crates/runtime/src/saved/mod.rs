//! Saved approvals: listed with what they would have matched, changed, and taken back.

mod history;
mod leaving;

use std::collections::{BTreeMap, BTreeSet};

use gavel_core::display::{is_deceptive_text, project_name, visible};
use gavel_core::reach::Lines;
use gavel_core::rules::Saved;
use gavel_core::text::{Language, Message as Sentence, plain};
use gavel_core::{Moment, ServerId, say};
use gavel_opencode::Connection;
use gavel_opencode::connection::{Project, SavedApprovals};
use gavel_opencode::dialect::v2::saved::{Change, SavedApproval};

use self::history::History;
pub(crate) use self::leaving::{Leaving, Removal};
use crate::api::{self, Answer, Code};
use crate::calls::Reply;
use crate::driver::Driver;
use crate::failure::Failed;

/// The project of all directories that lie in no repository.
const NOWHERE: &str = "global";

impl Driver {
    /// Answers with what the projects of a server have saved.
    pub(crate) fn saved_approvals(&self, server: &ServerId, answer: Reply) {
        let Some(connection) = self.online(server) else { return refuse(answer, not_online()) };
        let history = History::of(self.log.newest_first(), None, self.language());
        let (leaving, language) = (self.leaving.of(server), self.language());
        tokio::spawn(async move {
            let result = match connection.saved_approvals().await {
                Ok(found) => Ok(listed(found, &history, &leaving, language)),
                Err(error) => Err(failed(say!("The saved approvals can't be listed: {}.", error.said()))),
            };
            let _ = answer.send(result);
        });
    }

    /// Answers with what patterns would have matched of what was asked in `directories`.
    pub(crate) fn would_match(&self, directories: Vec<String>, patterns: &[Saved], lines: Lines) -> Answer {
        let directories: BTreeSet<String> = directories.into_iter().collect();
        let history = History::of(self.log.newest_first(), Some(&directories), self.language());
        Answer::WouldMatch { reach: history.reach(patterns, lines, &directories) }
    }

    /// Lets a saved approval match another resource from now on.
    pub(crate) fn change_saved(
        &self,
        server: &ServerId,
        directory: String,
        id: String,
        resource: String,
        answer: Reply,
    ) {
        if let Some(problem) = problem(&resource) {
            return refuse(answer, problem);
        }
        let Some(connection) = self.online(server) else { return refuse(answer, not_online()) };
        tokio::spawn(async move {
            let result = match connection.change_saved(&directory, &id, &resource).await {
                Ok(Change::Done) => Ok(Answer::Done),
                Ok(Change::Taken) => Err(Failed {
                    code: Code::BadPattern,
                    message: say!("The project has another approval with this pattern."),
                    hint: say!("Remove one of the two."),
                }),
                Ok(Change::Gone) => Err(Failed {
                    code: Code::ApprovalGone,
                    message: say!("This approval is no longer there: somebody else has removed it."),
                    hint: Sentence::default(),
                }),
                Ok(Change::Unsupported) => Err(Failed {
                    code: Code::NotChangeable,
                    message: say!("Saved approvals can't be changed on this server."),
                    hint: say!("Remove this one; the next request offers to save another."),
                }),
                Err(error) => Err(failed(say!("The approval was not changed: {}.", error.said()))),
            };
            let _ = answer.send(result);
        });
    }

    fn online(&self, server: &ServerId) -> Option<Connection> {
        let known = self.flow.servers().get(server)?;
        self.servers.connection(server).filter(|_| known.link.is_online())
    }
}

fn refuse(answer: Reply, failure: Failed) {
    let _ = answer.send(Err(failure));
}

fn failed(message: Sentence) -> Failed {
    Failed { code: Code::Failed, message, hint: Sentence::default() }
}

fn not_online() -> Failed {
    Failed {
        code: Code::Failed,
        message: say!("The server can't be reached now."),
        hint: say!("Try again when it is online."),
    }
}

/// Why `pattern` can't be meant.
fn problem(pattern: &str) -> Option<Failed> {
    let bad = |message: Sentence, hint: Sentence| Failed { code: Code::BadPattern, message, hint };
    if pattern.trim().is_empty() {
        return Some(bad(say!("An empty pattern matches nothing."), say!("To take the approval back, remove it.")));
    }
    let hidden = pattern.chars().find(|c| is_deceptive_text(c.encode_utf8(&mut [0; 4])));
    hidden.map(|c| {
        let shown = visible(c.encode_utf8(&mut [0; 4]));
        bad(say!("The pattern holds a character that can't be seen: {}.", plain(shown)), say!("Type the pattern anew."))
    })
}

fn listed(
    found: Option<SavedApprovals>,
    history: &History,
    leaving: &BTreeMap<String, Moment>,
    language: Language,
) -> Answer {
    let unlisted_for = |(directory, error): &(String, gavel_opencode::Error)| {
        format!("{}: {}", visible(directory), error.said().in_language(language))
    };
    let supported = found.is_some();
    let SavedApprovals { projects, can_change, unlisted } = found.unwrap_or_default();
    Answer::SavedApprovals {
        supported,
        can_change,
        projects: projects.into_iter().map(|found| project(found, history, leaving)).collect(),
        recorded: history.len(),
        unlisted: unlisted.iter().map(unlisted_for).collect(),
    }
}

fn project(found: Project, history: &History, leaving: &BTreeMap<String, Moment>) -> api::SavedProject {
    let Project { id, root, directories, approvals } = found;
    let mut within: BTreeSet<String> = directories.iter().cloned().collect();
    if id != NOWHERE {
        within.insert(root.clone());
    }
    let approval = |SavedApproval { id, action, resource, created, .. }: SavedApproval| api::SavedApproval {
        leaving: leaving.get(&id).map(|until| until.0),
        id,
        action: visible(&action),
        shown: visible(&resource),
        created: created.map(|at| at.0),
        reach: history.reach(&[Saved { action, resource: resource.clone() }], Lines::Unknown, &within),
        resource,
    };
    api::SavedProject {
        name: if id == NOWHERE { String::new() } else { project_name(&root) },
        place: visible(&root),
        approvals: approvals.into_iter().map(approval).collect(),
        // The first is the one the server is asked by: it is known to have it loaded.
        directories: directories
            .iter()
            .chain(within.iter().filter(|one| !directories.contains(one)))
            .cloned()
            .collect(),
        id,
    }
}
