//! What a request does is looked at, and looked at again when more of it becomes known. A command may pass by a rule of
//! its project, and what becomes of it may teach one.

use super::deputy::Deputy;
use super::effect::Effect;
use super::entry::{Entry, Phase};
use super::machine::Step;
use super::server::Server;
use crate::rules_file::{By, Change, CommandLine, Match};
use crate::{Class, Finding, Origin, Recommendation, RequestId, Settled, Source, display};

impl Step {
    /// Has the request looked at, as far as it is known now.
    pub(super) fn judge(&mut self, server: &Server, id: &RequestId) {
        let Some(entry) = server.entries.get(id) else { return };
        self.effects.push(Effect::Judge { ask: Box::new(entry.ask.clone()), edition: entry.edition });
    }

    /// What the request does is known: it stands with it from now on, wherever it is shown.
    pub(super) fn judged(&mut self, server: &mut Server, id: &RequestId, edition: u32, finding: Finding, took: u64) {
        let Some(entry) = server.entries.get_mut(id).filter(|entry| entry.edition == edition) else { return };
        let proven = finding.recommendation == Recommendation::Allow;
        entry.took = took;
        if entry.finding.as_ref() != Some(&finding) {
            entry.finding = Some(finding);
            if entry.announced {
                self.effects.push(Effect::Notify(entry.ask.key.clone()));
            }
            self.publish();
        }
        let line = command_line(entry).filter(|_| entry.phase == Phase::Waiting && server.info.origin != Origin::Demo);
        match line {
            Some(line) => {
                self.effects.push(Effect::LookUpRule { ask: Box::new(entry.ask.clone()), line, edition, proven });
            }
            None => self.open_to_judges(server, id),
        }
        // An opinion may have waited for just this.
        self.take_advice(server, id);
    }

    /// A rule lets the request pass, if it is still what was looked up.
    pub(super) fn rule_holds(&mut self, server: &mut Server, id: &RequestId, edition: u32, rule: Match) {
        // Others write the file as well: what destroys is for the user, whatever stands there.
        let destroys = |entry: &Entry| entry.finding.as_ref().is_none_or(|found| found.class == Class::Destructive);
        // What the user refuses takes it along.
        let stands = |entry: &Entry| entry.swept_by.is_none() && command_line(entry).is_some() && !destroys(entry);
        let is_it = |entry: &&Entry| entry.edition == edition && stands(entry);
        if server.entries.get(id).filter(is_it).is_some() {
            self.let_pass(server, id, Deputy::Rule(rule));
        }
    }

    /// What a request's end says of its command is remembered in its project.
    pub(super) fn learn(&mut self, server: &Server, id: &RequestId, settled: &Settled) {
        let Some(entry) = server.entries.get(id).filter(|_| server.info.origin != Origin::Demo) else { return };
        // What became known since was not decided about.
        let Some(line) = command_line(entry).filter(|_| entry.grown.is_none()) else { return };
        let at = self.now;
        let change = match settled {
            Settled::You { decision } if decision.refuses() => Change::Refuse { line, by: By::Human },
            Settled::YouStopped { .. } => Change::Refuse { line, by: By::Human },
            Settled::You { .. } | Settled::Judge { allowed: true, .. } => {
                // Nobody has looked at what it does: then it may do anything.
                let destructive = entry.finding.as_ref().is_none_or(|finding| finding.class == Class::Destructive);
                let by = if matches!(settled, Settled::You { .. }) { By::Human } else { By::Judge };
                Change::Approve { line, by, learn_after: self.learn_after, destructive, at }
            }
            Settled::Judge { allowed: false, .. } => Change::Refuse { line, by: By::Judge },
            Settled::Rule { source: Source::Learned, .. } => Change::Seen { line, at },
            _ => return,
        };
        let (server, directory) = (server.info.id.clone(), entry.ask.directory.clone());
        self.effects.push(Effect::Learn { server, directory, change });
    }
}

/// The command whose line in a rules file counts what becomes of the request, if there is one.
pub(super) fn counted_line(entry: &Entry) -> Option<String> {
    let line = command_line(entry).filter(|_| entry.grown.is_none())?;
    Some(line.as_str().to_owned())
}

/// The command as a rule knows it: all that would run, in the project's own directory. `None` if it is anything else, or
/// isn't known for certain.
fn command_line(entry: &Entry) -> Option<CommandLine> {
    let detail = &entry.ask.detail;
    let here = detail.placed && detail.workdir.is_none() && !entry.ask.directory.is_empty();
    let command = detail.command.as_deref().filter(|command| here && display::says_all(&entry.ask, command))?;
    CommandLine::new(&entry.ask.action, command)
}
