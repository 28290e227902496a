//! The saved approvals of a whole server, gathered from the directories in which something happens.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::Connection;
use crate::Error;
use crate::dialect::Dialect;
use crate::dialect::v2::saved::{self, Change, SavedApproval};

/// How many directories are asked at once.
const AT_ONCE: usize = 4;

/// What the projects of a server have saved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedApprovals {
    /// Project by project, in the order of their places. Those that have saved nothing are left out.
    pub projects: Vec<Project>,
    /// Whether they can be changed on this server.
    pub can_change: bool,
    /// The directories whose list could not be had, and why.
    pub unlisted: Vec<(String, Error)>,
}

/// A project that has saved approvals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its id. All directories that lie in no repository are one project, called `global`. One of its directories
    /// if the server doesn't say which project it is.
    pub id: String,
    /// The absolute path of where it lies.
    pub root: String,
    /// Its directories in which something happens: there is at least one.
    pub directories: Vec<String>,
    /// What it has saved, in the order of actions and resources: servers keep to no other that means anything.
    pub approvals: Vec<SavedApproval>,
}

impl Connection {
    /// What the projects of this server have saved. `None` if the server has no such list.
    ///
    /// # Errors
    /// Not one list could be had.
    pub async fn saved_approvals(&self) -> Result<Option<SavedApprovals>, Error> {
        let http = &self.shared.http;
        if self.shared.dialect() == Dialect::V1 && !saved::is_there(http).await? {
            return Ok(None);
        }
        let listed = self.lists().await;
        let mut found = SavedApprovals::default();
        let mut projects: BTreeMap<String, Project> = BTreeMap::new();
        let mut known = BTreeMap::new();
        let mut heard = false;
        for (directory, list) in listed {
            match list {
                Ok(None) => return Ok(None),
                Ok(Some(approvals)) => {
                    heard = true;
                    gather(&mut projects, &mut known, &directory, approvals);
                }
                Err(error) => found.unlisted.push((directory, error)),
            }
        }
        if let (false, Some((_, error))) = (heard, found.unlisted.first()) {
            return Err(error.clone());
        }
        found.projects = projects.into_values().collect();
        for Project { id, root, approvals, directories } in &mut found.projects {
            approvals.sort_by(|a, b| (&a.action, &a.resource).cmp(&(&b.action, &b.resource)));
            // That it isn't told is no reason to show nothing: a directory of the project names it as well.
            if let Ok(Some(place)) = saved::root(http, id, root).await {
                *root = place;
            }
            if let (true, Some(directory)) = (id.is_empty(), directories.first()) {
                id.clone_from(directory);
            }
        }
        found.projects.sort_by(|a, b| (&a.root, &a.id).cmp(&(&b.root, &b.id)));
        if let Some(directory) = found.projects.first().and_then(|project| project.directories.first()) {
            found.can_change = saved::can_change(http, directory).await.unwrap_or(false);
        }
        Ok(Some(found))
    }

    /// The list of every directory, in the order of the directories.
    async fn lists(&self) -> Vec<(String, Result<Option<Vec<SavedApproval>>, Error>)> {
        let mut waiting = self.directories().into_iter();
        let mut running = JoinSet::new();
        let mut listed = Vec::new();
        loop {
            // As many at once as won't hold up answers.
            while running.len() < AT_ONCE
                && let Some(directory) = waiting.next()
            {
                let shared = Arc::clone(&self.shared);
                running.spawn(async move {
                    let list = saved::list(&shared.http, &directory).await;
                    (directory, list)
                });
            }
            match running.join_next().await {
                Some(Ok(one)) => listed.push(one),
                // Such a task neither panics nor is cancelled; its directory would be missing from the list.
                Some(Err(error)) => tracing::error!(%error, "a list of saved approvals was lost"),
                None => break,
            }
        }
        listed.sort_by(|(a, _), (b, _)| a.cmp(b));
        listed
    }

    /// Lets a saved approval of the project of `directory` match `resource` from now on.
    ///
    /// # Errors
    /// The server did not do it.
    pub async fn change_saved(&self, directory: &str, id: &str, resource: &str) -> Result<Change, Error> {
        saved::change(&self.shared.clicks, directory, id, resource).await
    }

    /// Takes a saved approval of the project of `directory` back. `false` if this server can't.
    ///
    /// # Errors
    /// The server did not do it.
    pub async fn remove_saved(&self, directory: &str, id: &str) -> Result<bool, Error> {
        saved::remove(&self.shared.clicks, directory, id).await
    }
}

/// Adds what is listed for `directory`. The directories of a project all list the same. `known` says by which key the
/// project of an approval goes.
fn gather(
    projects: &mut BTreeMap<String, Project>,
    known: &mut BTreeMap<String, String>,
    directory: &str,
    approvals: Vec<SavedApproval>,
) {
    for approval in approvals {
        let named = approval.project.clone();
        let by_now = known.get(&approval.id).cloned();
        let is_new = by_now.is_none();
        // One that isn't named is that of the directory, unless another directory of it came before.
        let key = by_now.unwrap_or_else(|| if named.is_empty() { directory.to_owned() } else { named.clone() });
        let project = projects.entry(key.clone()).or_insert_with(|| Project {
            id: named,
            root: directory.to_owned(),
            directories: Vec::new(),
            approvals: Vec::new(),
        });
        if project.directories.last().is_none_or(|last| last != directory) {
            project.directories.push(directory.to_owned());
        }
        if is_new {
            known.insert(approval.id.clone(), key);
            project.approvals.push(approval);
        }
    }
}
