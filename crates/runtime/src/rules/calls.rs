//! Carrying out the calls of hosts that are about rules files.

use std::collections::BTreeSet;
use std::path::Path;

use gavel_core::display::visible;
use gavel_core::rules_file::Change;
use gavel_core::text::{Language, Message, plain};
use gavel_core::{Origin, ServerId, say};
use gavel_disk::rules_file::{State, list};

use super::check::Bench;
use super::past::Past;
use super::{Files, exchange, project, trial};
use crate::api::{Answer, Call, Code, LearnProblem, PresetProblem, RulesChange, RulesProject, RulesState};
use crate::calls::Reply;
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::judging::{home, is_here};

/// So many projects are listed at most.
const MOST_PROJECTS: usize = 300;

type Answered = Result<Answer, Failed>;

impl Driver {
    /// Carries out a call about rules; any other is not for here.
    pub(crate) fn call_about_rules(&mut self, call: Call, answer: Reply) {
        let in_force = self.settings.preferences.rules;
        let messages = self.messages.clone();
        match call {
            Call::RulesProjects => {
                self.rules.watch_all(&messages);
                let (known, recorded) = self.directories();
                let folder = self.rules.folder.as_deref().map(|folder| visible(&folder.to_string_lossy()));
                let folder = folder.unwrap_or_default();
                let language = self.language();
                self.rules_do(answer, move |files| {
                    Ok(Answer::RulesProjects { projects: projects(files, known, recorded, language), folder, in_force })
                });
            }
            Call::ProjectRules { directory } => {
                self.rules.watch_project(&directory, &messages);
                let learn_after = self.settings.judge.options.clone().bounded().learn_after;
                self.about_project(directory, answer, move |files, place, past| {
                    let bench = place.bench(past);
                    let rules = files.peek(&place.directory, |file| project::rules(&bench, file, past, learn_after));
                    Ok(Answer::ProjectRules { rules: Box::new(rules) })
                });
            }
            Call::ChangeRules { directory, change } => self.about_project(directory, answer, |files, place, past| {
                let change = allowed(&place.bench(past), change)?;
                changed(files.change(&place.directory, &change))
            }),
            Call::UndoRules { undo } => self.rules_do(answer, move |files| changed(files.take_back(undo))),
            Call::CheckPreset { directory, line } => {
                self.about_project(directory, answer, move |files, place, past| {
                    let present = files.peek(&place.directory, |file| match file.state() {
                        State::Sound(content) => content.lines().preset.contains(&line),
                        State::Broken(_) | State::Unusable => false,
                    });
                    Ok(Answer::PresetCheck { check: place.bench(past).preset(&line, present) })
                })
            }
            Call::TryCommand { directory, command } => {
                self.about_project(directory, answer, move |files, place, past| {
                    let bench = place.bench(past);
                    let tried = files.peek(&place.directory, |file| trial::tried(&bench, file, &command, in_force));
                    Ok(Answer::CommandTrial { trial: Box::new(tried) })
                })
            }
            Call::ExportRules { directory, rules } => self.about_project(directory, answer, move |files, place, _| {
                files.peek(&place.directory, |file| match file.state() {
                    State::Sound(content) => {
                        Ok(Answer::RulesExport { export: exchange::export(content.lines(), rules) })
                    }
                    State::Broken(_) | State::Unusable => Err(unusable(file.trouble())),
                })
            }),
            Call::ImportRules { directory, text } => {
                self.about_project(directory, answer, move |files, place, past| {
                    let bench = place.bench(past);
                    files.peek(&place.directory, |file| match file.state() {
                        State::Sound(content) => {
                            Ok(Answer::RulesImport { import: exchange::import(&bench, content.lines(), text)? })
                        }
                        State::Broken(_) | State::Unusable => Err(unusable(file.trouble())),
                    })
                })
            }
            _ => {}
        }
    }

    /// Does something with the files and answers with what comes of it.
    fn rules_do(&self, answer: Reply, work: impl FnOnce(&mut Files) -> Answered + Send + 'static) {
        if self.rules.folder.is_none() {
            let _ = answer.send(Err(failed(say!("No rules are kept here."))));
            return;
        }
        self.rules.with_files(move |files| {
            // A host that no longer waits has closed its window; what it asked is done all the same.
            let _ = answer.send(work(files));
        });
    }

    /// The same with what is on record of the project `directory`.
    fn about_project(
        &self,
        directory: String,
        answer: Reply,
        work: impl FnOnce(&mut Files, &Place, &[Past]) -> Answered + Send + 'static,
    ) {
        let rows = self.log.newest_first().filter(|row| !row.played && self.is_real(&row.record.key.server));
        let past = Past::of(rows, &directory, self.language());
        let place = Place { directory, home: home(), language: self.language() };
        self.rules_do(answer, move |files| work(files, &place, &past));
    }

    /// Whether what `server` asks happens on this machine, and not in a play.
    fn is_real(&self, server: &ServerId) -> bool {
        let known = self.flow.servers().get(server);
        is_here(server) && known.is_none_or(|known| known.info.origin != Origin::Demo)
    }

    /// The projects in which sessions of this machine are known to work, and those of which something is on record.
    fn directories(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let real = self.flow.servers().values().filter(|server| self.is_real(&server.info.id));
        let sessions = real.flat_map(|server| server.sessions.all().map(|session| session.directory.clone()));
        let rows = self.log.newest_first().filter(|row| !row.played && self.is_real(&row.record.key.server));
        let rows = rows.map(|row| row.record.directory.clone());
        let is_absolute = |directory: &String| Path::new(directory).is_absolute();
        (sessions.filter(is_absolute).collect(), rows.filter(is_absolute).collect())
    }
}

/// A project.
struct Place {
    directory: String,
    home: Option<String>,
    language: Language,
}

impl Place {
    fn bench<'a>(&'a self, past: &'a [Past]) -> Bench<'a> {
        let mut commands: Vec<&str> = Vec::new();
        for one in past {
            if !commands.contains(&one.line.as_str()) && commands.len() < MOST_COMMANDS {
                commands.push(&one.line);
            }
        }
        Bench { project: &self.directory, home: self.home.as_deref(), language: self.language, commands }
    }
}

/// So many commands on record are tried as examples.
const MOST_COMMANDS: usize = 40;

fn projects(
    files: &mut Files,
    known: BTreeSet<String>,
    recorded: BTreeSet<String>,
    language: Language,
) -> Vec<RulesProject> {
    let folder = files.folder.clone();
    let mut directories = known;
    // What is only on record may be gone by now.
    directories.extend(recorded.into_iter().filter(|directory| Path::new(directory).is_dir()));
    let mut found = Vec::new();
    for listed in list(&folder) {
        match &listed.project {
            Some(project) => drop(directories.insert(project.clone())),
            None => found.push(listed),
        }
    }
    let mut projects: Vec<RulesProject> = directories
        .into_iter()
        .take(MOST_PROJECTS)
        .map(|directory| files.peek(&directory, |file| project::entry(&directory, file, language)))
        .collect();
    // A project that is known may use a file whose name alone doesn't tell.
    let used: BTreeSet<_> =
        projects.iter().map(|project| files.peek(&project.directory, |file| file.path().to_owned())).collect();
    projects.extend(
        found.iter().filter(|listed| !used.contains(&listed.path)).map(|listed| project::nobodys(listed, language)),
    );
    let rank = |project: &RulesProject| match project.state {
        RulesState::Broken { .. } => 0,
        RulesState::Unusable { .. } if !project.directory.is_empty() => 0,
        RulesState::Fine | RulesState::None => 1,
        RulesState::Unusable { .. } => 2,
    };
    projects.sort_by_cached_key(|project| (rank(project), project.name.to_lowercase(), project.place.clone()));
    projects
}

/// The change, if it may be made.
fn allowed(bench: &Bench<'_>, change: RulesChange) -> Result<Change, Failed> {
    let counts = |line: &str| match bench.never(line) {
        Some(problem) => Err(bad(&problem)),
        None => Ok(()),
    };
    Ok(match change {
        RulesChange::AddPreset { line } => {
            counts(&line)?;
            Change::AddPreset(line)
        }
        RulesChange::EditPreset { from, to } => {
            counts(&to)?;
            Change::EditPreset { from, to }
        }
        RulesChange::RemovePreset { line } => Change::RemovePreset(line),
        RulesChange::Learn { command } => match bench.learnable(&command) {
            Ok(line) => Change::AddLearned { line, at: now() },
            Err(LearnProblem::NoLine) => {
                return Err(bad_line(say!("Only one whole command line can be learned.")));
            }
            Err(LearnProblem::Destructive { why }) => {
                return Err(bad_line(say!("This is never learned, because it {}.", plain(why))));
            }
        },
        RulesChange::RemoveLearned { command } => Change::RemoveLearned(command),
        RulesChange::ForgetPending { command } => Change::ResetPending(command),
    })
}

fn bad(problem: &PresetProblem) -> Failed {
    bad_line(match problem {
        PresetProblem::Empty => say!("An empty line covers nothing."),
        PresetProblem::Character { what } => {
            say!("Such a line never counts: commands with `{}` are always asked about.", plain(what))
        }
        PresetProblem::Absolute { what } => say!("Such a line never counts: `{}` is an absolute path.", plain(what)),
        PresetProblem::Upwards { what } => {
            say!("Such a line never counts: `{}` may lead out of the project.", plain(what))
        }
        PresetProblem::Flag { what } => say!("Such a line never counts: `{}` does more than read.", plain(what)),
        PresetProblem::Unproven { example, why } => {
            say!(
                "Such a line never counts, because nothing like it is proven to only read: `{}` {}.",
                plain(example),
                plain(why)
            )
        }
    })
}

fn bad_line(message: Message) -> Failed {
    Failed { code: Code::BadPattern, message, hint: Message::default() }
}

fn changed(result: Result<Option<u64>, gavel_disk::Error>) -> Answered {
    match result {
        Ok(undo) => Ok(Answer::RulesChanged { undo }),
        Err(error) => Err(failed(say!("Nothing was changed: {}.", error.said()))),
    }
}

fn unusable(trouble: Option<&Message>) -> Failed {
    failed(trouble.map_or_else(|| say!("The file can't be used."), |why| say!("{}.", why.clone())))
}

fn failed(message: Message) -> Failed {
    Failed { code: Code::Failed, message, hint: Message::default() }
}
