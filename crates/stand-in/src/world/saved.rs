//! Approvals that a project has saved.

use super::World;
use crate::ids;

/// One of them: whatever matches is allowed in this project, unless a rule denies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// `psv_…`
    pub id: String,
    /// The project it belongs to.
    pub project: String,
    /// A pattern for the action.
    pub action: String,
    /// A pattern for the resource.
    pub resource: String,
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

/// Why an approval is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unchanged {
    NoSuch,
    /// There is another of the same project with that action and resource.
    Duplicate,
}

impl World {
    /// What projects have saved, oldest first.
    #[must_use]
    pub fn saved(&self) -> &[Approval] {
        &self.saved
    }

    /// Saves an approval. What is there already is not saved again.
    pub(crate) fn save(&mut self, project: &str, action: &str, resource: &str) {
        let is_there = |one: &Approval| one.project == project && one.action == action && one.resource == resource;
        if self.saved.iter().any(is_there) {
            return;
        }
        let now = ids::now();
        self.saved.push(Approval {
            id: self.mint.ascending("psv"),
            project: project.to_owned(),
            action: action.to_owned(),
            resource: resource.to_owned(),
            created: now,
            updated: now,
        });
    }

    /// Changes an approval.
    pub(crate) fn change_saved(
        &mut self,
        id: &str,
        action: Option<String>,
        resource: Option<String>,
    ) -> Result<Approval, Unchanged> {
        let known = self.saved.iter().find(|one| one.id == id).ok_or(Unchanged::NoSuch)?;
        let mut changed = known.clone();
        changed.action = action.unwrap_or(changed.action);
        changed.resource = resource.unwrap_or(changed.resource);
        changed.updated = ids::now();
        let same = |one: &Approval| {
            one.id != id
                && (&one.project, &one.action, &one.resource) == (&changed.project, &changed.action, &changed.resource)
        };
        if self.saved.iter().any(same) {
            return Err(Unchanged::Duplicate);
        }
        if let Some(known) = self.saved.iter_mut().find(|one| one.id == id) {
            known.clone_from(&changed);
        }
        Ok(changed)
    }

    /// Takes an approval back, if there is one of that name.
    pub(crate) fn forget_saved(&mut self, id: &str) {
        self.saved.retain(|one| one.id != id);
    }
}
