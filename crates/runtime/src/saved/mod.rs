//! Saved approvals: listed with what they would have matched, changed, and taken back.

mod history;
mod leaving;

use std::collections::{BTreeMap, BTreeSet};

use gavel_core::display::{is_deceptive_text, project_name, visible};
use gavel_core::reach::Lines;
use gavel_core::rules::Saved;
use gavel_core::{Moment, ServerId};
use gavel_opencode::Connection;
use gavel_opencode::connection::{Project, SavedApprovals};
use gavel_opencode::dialect::v2::saved::{Change, SavedApproval};

use self::history::History;
pub(crate) use self::leaving::{Leaving, Removal};
use crate::api::{self, Answer, Code, Failure};
use crate::calls::Reply;
use crate::driver::Driver;

/// The project of all directories that lie in no repository.
const NOWHERE: &str = "global";

impl Driver {
    /// Answers with what the projects of a server have saved.
    pub(crate) fn saved_approvals(&self, server: &ServerId, answer: Reply) {
        let Some(connection) = self.online(server) else { return refuse(answer, not_online()) };
        let history = History::of(self.log.newest_first(), None);
        let leaving = self.leaving.of(server);
        tokio::spawn(async move {
            let result = match connection.saved_approvals().await {
                Ok(found) => Ok(listed(found, &history, &leaving)),
                Err(error) => Err(failed(format!("The saved approvals can't be listed: {error}."))),
            };
            let _ = answer.send(result);
        });
    }

    /// Answers with what patterns would have matched of what was asked in `directories`.
    pub(crate) fn would_match(&self, directories: Vec<String>, patterns: &[Saved], lines: Lines) -> Answer {
        let directories: BTreeSet<String> = directories.into_iter().collect();
        let history = History::of(self.log.newest_first(), Some(&directories));
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
                Ok(Change::Taken) => Err(Failure {
                    code: Code::BadPattern,
                    message: "The project has another approval with this pattern.".to_owned(),
                    hint: "Remove one of the two.".to_owned(),
                }),
                Ok(Change::Gone) => Err(Failure {
                    code: Code::ApprovalGone,
                    message: "This approval is no longer there: somebody else has removed it.".to_owned(),
                    hint: String::new(),
                }),
                Ok(Change::Unsupported) => Err(Failure {
                    code: Code::NotChangeable,
                    message: "Saved approvals can't be changed on this server.".to_owned(),
                    hint: "Remove this one; the next request offers to save another.".to_owned(),
                }),
                Err(error) => Err(failed(format!("The approval was not changed: {error}."))),
            };
            let _ = answer.send(result);
        });
    }

    fn online(&self, server: &ServerId) -> Option<Connection> {
        let known = self.flow.servers().get(server)?;
        self.servers.connection(server).filter(|_| known.link.is_online())
    }
}

fn refuse(answer: Reply, failure: Failure) {
    let _ = answer.send(Err(failure));
}

fn failed(message: String) -> Failure {
    Failure { code: Code::Failed, message, hint: String::new() }
}

fn not_online() -> Failure {
    Failure {
        code: Code::Failed,
        message: "The server can't be reached now.".to_owned(),
        hint: "Try again when it is online.".to_owned(),
    }
}

/// Why `pattern` can't be meant.
fn problem(pattern: &str) -> Option<Failure> {
    let bad = |message: String, hint: &str| Failure { code: Code::BadPattern, message, hint: hint.to_owned() };
    if pattern.trim().is_empty() {
        return Some(bad("An empty pattern matches nothing.".to_owned(), "To take the approval back, remove it."));
    }
    let hidden = pattern.chars().find(|c| is_deceptive_text(c.encode_utf8(&mut [0; 4])));
    hidden.map(|c| {
        let shown = visible(c.encode_utf8(&mut [0; 4]));
        bad(format!("The pattern holds a character that can't be seen: {shown}."), "Type the pattern anew.")
    })
}

fn listed(found: Option<SavedApprovals>, history: &History, leaving: &BTreeMap<String, Moment>) -> Answer {
    let supported = found.is_some();
    let SavedApprovals { projects, can_change, unlisted } = found.unwrap_or_default();
    Answer::SavedApprovals {
        supported,
        can_change,
        projects: projects.into_iter().map(|found| project(found, history, leaving)).collect(),
        recorded: history.len(),
        unlisted: unlisted.iter().map(|(directory, error)| format!("{}: {error}", visible(directory))).collect(),
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
