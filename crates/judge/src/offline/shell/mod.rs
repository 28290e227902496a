//! What a command line does.

mod flow;
mod plain;
mod redirect;
mod rough;
mod run;
mod tree;
mod word;

use gavel_core::text::Message;
use gavel_core::{Recommendation, say};

use super::finding::{Class, Deed, Finding, Segment, gravity, whole};
use super::letters;
use super::place::{Place, Places, join};
use super::{MOST_BYTES, phrase};

pub(super) use run::{Origin, Run};
pub(super) use tree::read;
pub(super) use word::Word;

/// What `command` does when it runs in `workdir`, or in the project itself.
pub(super) fn finding(command: &str, workdir: Option<&str>, places: &Places) -> Finding {
    if command.len() > MOST_BYTES {
        let why = say!("is longer than can be looked at ({} bytes)", command.len());
        return whole(Deed::ask(Class::Unknown, why));
    }
    let cwd = match workdir {
        None => Some(places.project.clone()),
        Some(workdir) => join(&places.project, workdir),
    };
    let place = cwd.as_deref().map(|cwd| places.of(cwd));
    let mut run = Run::new(places, cwd);
    if let Some(how) = letters::deceptive(command) {
        run.deceives(how);
    }
    match place {
        Some(Place::Project | Place::Inside(_)) if places.project.len() > 1 => {}
        Some(_) => run.doubt(say!("runs in {}, outside the project", phrase::code(workdir.unwrap_or("/")))),
        None => run.doubt(say!("runs in a directory that isn't understood")),
    }
    tree::read(&mut run, command, Origin::At(0));
    if is_broken_up(command) {
        run.deceives(say!("breaks a word over two lines"));
        tree::read(&mut run, &command.replace("\\\n", ""), Origin::Within(0, command.len()));
    }
    if run.commands.is_empty() {
        run.doubt(say!("holds no command"));
    }
    if plain::read(command).as_ref() != Some(&run.commands) {
        run.doubt(say!("is more than a plain command, so it isn't proven to only read"));
    }
    conclude(run, command)
}

/// Whether a line is continued in the middle of a word.
fn is_broken_up(command: &str) -> bool {
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    command.match_indices("\\\n").any(|(at, broken)| {
        let before = command.get(..at).unwrap_or_default().chars().next_back();
        let after = command.get(at + broken.len()..).unwrap_or_default().chars().next();
        !blank(before) && !blank(after) && before != Some('\\')
    })
}

fn conclude(run: Run<'_>, command: &str) -> Finding {
    let Run { mut segments, doubts, deceptions, .. } = run;
    segments.sort_by_key(|segment| (segment.start, segment.end));
    segments.dedup();
    let class = segments.iter().map(|segment| segment.class).max().unwrap_or(Class::Unknown);
    let gravest = |segment: &&Segment| (gravity(segment.recommendation), segment.class);
    let worst = segments.iter().rev().max_by_key(gravest);
    let proven = doubts.is_empty() && deceptions.is_empty();
    let recommendation = match worst.map_or(Recommendation::Ask, |worst| worst.recommendation) {
        Recommendation::Allow if !proven => Recommendation::Ask,
        other => other,
    };
    // What deceives is told first, then the worst, then what else is bad; doubts only where nothing else is to be told.
    let mut parts: Vec<&Message> = deceptions.iter().take(2).collect();
    if let Some(worst) = worst.filter(|worst| worst.recommendation != Recommendation::Allow || proven) {
        parts.push(&worst.said);
        let second =
            segments.iter().rev().filter(|other| other.class > Class::Reads && !worst.why.contains(&other.why));
        parts.extend(second.max_by_key(gravest).map(|other| &other.said));
    }
    if parts.is_empty() {
        parts.extend(doubts.iter().take(1));
    }
    let parts = parts.into_iter().cloned();
    let said = parts
        .reduce(|one, other| say!("{}, and {}", one, other))
        .unwrap_or_else(|| say!("does something that isn't understood: {}", phrase::code(command)));
    Finding { recommendation, reason: said.to_string(), said, class, segments }
}
