//! Saved approvals: listed with what they would have matched, changed, and taken back.

use std::collections::BTreeSet;

use gavel_core::display::{is_deceptive_text, project_name, visible};
use gavel_core::flow::Happened;
use gavel_core::reach::{Fate, Past, Warning, reach};
use gavel_core::rules::Saved;
use gavel_core::{Decision, Reply as Word, ServerId, Settled};
use gavel_disk::Row;
use gavel_opencode::Connection;
use gavel_opencode::connection::{Project, SavedApprovals};
use gavel_opencode::dialect::v2::saved::{Change, SavedApproval};

use crate::api::{self, Answer, Code, Failure};
use crate::calls::Reply;
use crate::driver::Driver;

/// The project of all directories that lie in no repository.
const NOWHERE: &str = "global";

/// How many requests are named as examples of what a pattern would have matched.
const EXAMPLES: usize = 10;

impl Driver {
    /// Answers with what the projects of a server have saved.
    pub(crate) fn saved_approvals(&self, server: &ServerId, answer: Reply) {
        let Some(connection) = self.online(server) else { return refuse(answer, not_online()) };
        let history = History::of(self.log.newest_first(), None);
        tokio::spawn(async move {
            let result = match connection.saved_approvals().await {
                Ok(found) => Ok(listed(found, &history)),
                Err(error) => Err(failed(format!("The saved approvals can't be listed: {error}."))),
            };
            let _ = answer.send(result);
        });
    }

    /// Answers with what a pattern would have matched of what was asked in `directories`.
    pub(crate) fn would_match(&self, directories: Vec<String>, action: String, resource: String) -> Answer {
        let directories: BTreeSet<String> = directories.into_iter().collect();
        let history = History::of(self.log.newest_first(), Some(&directories));
        Answer::WouldMatch { reach: history.reach(&Saved { action, resource }, &directories) }
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

    /// Takes a saved approval back.
    pub(crate) fn remove_saved(&self, server: &ServerId, directory: String, id: String, answer: Reply) {
        let Some(connection) = self.online(server) else { return refuse(answer, not_online()) };
        tokio::spawn(async move {
            let result = match connection.remove_saved(&directory, &id).await {
                Ok(true) => Ok(Answer::Done),
                Ok(false) => Err(failed("Saved approvals can't be removed on this server.".to_owned())),
                Err(error) => Err(failed(format!("The approval was not removed, so it still holds: {error}."))),
            };
            // Nobody may be waiting: the view it was removed in is often left by then.
            if let Err(failure) = &result {
                tracing::warn!("{failure}");
            }
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

fn listed(found: Option<SavedApprovals>, history: &History) -> Answer {
    let supported = found.is_some();
    let SavedApprovals { projects, can_change, unlisted } = found.unwrap_or_default();
    Answer::SavedApprovals {
        supported,
        can_change,
        projects: projects.into_iter().map(|found| project(found, history)).collect(),
        recorded: history.past.len(),
        unlisted: unlisted.iter().map(|(directory, error)| format!("{}: {error}", visible(directory))).collect(),
    }
}

fn project(found: Project, history: &History) -> api::SavedProject {
    let Project { id, root, directories, approvals } = found;
    let mut within: BTreeSet<String> = directories.iter().cloned().collect();
    if id != NOWHERE {
        within.insert(root.clone());
    }
    let approval = |SavedApproval { id, action, resource, created, .. }: SavedApproval| api::SavedApproval {
        id,
        action: visible(&action),
        shown: visible(&resource),
        created: created.map(|at| at.0),
        reach: history.reach(&Saved { action, resource: resource.clone() }, &within),
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

/// The requests on record, newest first.
struct History {
    past: Vec<Past>,
    /// What belongs to them, in the same order.
    rows: Vec<Told>,
}

struct Told {
    number: u64,
    at: u64,
    directory: String,
}

impl History {
    /// Every request comes to its end once: that is where it is counted. Those of older versions don't say what exactly
    /// was asked for.
    fn of<'a>(rows: impl Iterator<Item = &'a Row>, within: Option<&BTreeSet<String>>) -> Self {
        let mut history = Self { past: Vec::new(), rows: Vec::new() };
        for Row { number, record } in rows {
            let Happened::Settled { settled } = &record.what else { continue };
            if record.resources.is_empty() || within.is_some_and(|within| !within.contains(&record.directory)) {
                continue;
            }
            history.past.push(Past {
                action: record.action.clone(),
                resources: record.resources.clone(),
                headline: record.title.clone(),
                fate: fate(settled),
            });
            history.rows.push(Told { number: *number, at: record.at.0, directory: record.directory.clone() });
        }
        history
    }

    /// What `pattern` would have matched of what was asked in `directories`.
    fn reach(&self, pattern: &Saved, directories: &BTreeSet<String>) -> api::WouldMatch {
        let found = reach(std::slice::from_ref(pattern), &self.past);
        let inside = |place: usize| self.rows.get(place).is_some_and(|told| directories.contains(&told.directory));
        let matched: Vec<_> = found.matched.into_iter().filter(|one| inside(one.place)).collect();
        let count = |wanted: fn(&gavel_core::reach::Match) -> bool| matched.iter().filter(|one| wanted(one)).count();
        let chained = found.warnings.iter().find_map(|warning| match warning {
            Warning::Chained { example, .. } => Some(visible(example)),
            _ => None,
        });
        api::WouldMatch {
            count: matched.len(),
            partly: count(|one| !one.whole),
            deletes: count(|one| one.deletes),
            declined: count(|one| one.declined),
            latest: matched.iter().take(EXAMPLES).filter_map(|one| self.example(one)).collect(),
            everything: found.warnings.iter().any(|warning| matches!(warning, Warning::Everything { .. })),
            chained,
        }
    }

    fn example(&self, one: &gavel_core::reach::Match) -> Option<api::PastRequest> {
        let (past, told) = (self.past.get(one.place)?, self.rows.get(one.place)?);
        Some(api::PastRequest {
            number: told.number,
            at: told.at,
            title: past.headline.clone(),
            partly: !one.whole,
            deletes: one.deletes,
            declined: one.declined,
        })
    }
}

fn fate(settled: &Settled) -> Fate {
    match settled {
        Settled::You { decision: Decision::AllowOnce }
        | Settled::AnotherClient { reply: Some(Word::Once | Word::Always) } => Fate::Allowed,
        Settled::You { decision } if decision.refuses() => Fate::Declined,
        Settled::AnotherClient { reply: Some(Word::Reject) } => Fate::Declined,
        _ => Fate::Open,
    }
}
