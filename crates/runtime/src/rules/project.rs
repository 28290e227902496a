//! The rules of a project, as they are shown.

use std::path::Path;

use gavel_core::display::{project_name, visible};
use gavel_core::rules_file::{BUILT_IN, Broken, Fault, Learned, Lines, Pending};
use gavel_core::text::Language;
use gavel_core::{Class, Source, say, term};
use gavel_disk::RulesFile;
use gavel_disk::rules_file::{Listed, State};

use super::check::Bench;
use super::past::{Fate, Past, evidence, passed};
use crate::api::{
    EvidenceBy, LearnedLine, PendingLine, PresetLine, ProjectRules, RulesProject, RulesState, Suggestion,
};
use crate::picture;

/// So many commands are suggested at most.
const SUGGESTED: usize = 8;

/// How often a command must have been approved by hand to be suggested.
const OFTEN: usize = 2;

/// What `file` is like, and the lines of it that can be read.
fn state(file: &RulesFile, language: Language) -> (RulesState, Lines) {
    match file.state() {
        State::Sound(content) if file.exists() => (RulesState::Fine, content.lines().clone()),
        State::Sound(content) => (RulesState::None, content.lines().clone()),
        State::Broken(Broken { faults, readable }) => {
            let version = faults.iter().any(|fault| matches!(fault, Fault::Version(_)));
            let faults = faults.iter().map(|fault| fault.said().in_language(language)).collect();
            (RulesState::Broken { faults, version }, readable.clone())
        }
        State::Unusable => {
            let why = file.trouble().cloned().unwrap_or_else(|| say!("it can't be used")).in_language(language);
            (RulesState::Unusable { why }, Lines::default())
        }
    }
}

/// The entry of `directory` in the list of projects.
pub(super) fn entry(directory: &str, file: &RulesFile, language: Language) -> RulesProject {
    let (state, lines) = state(file, language);
    RulesProject {
        directory: directory.to_owned(),
        place: visible(directory),
        name: project_name(directory),
        state,
        preset: lines.preset.len(),
        learned: lines.learned.len(),
        pending: lines.pending.len(),
    }
}

/// The entry of a file of which it can't be told whose it is.
pub(super) fn nobodys(listed: &Listed, language: Language) -> RulesProject {
    let place = listed.path.to_string_lossy();
    RulesProject {
        directory: String::new(),
        place: visible(&place),
        name: listed.path.file_stem().map(|name| visible(&name.to_string_lossy())).unwrap_or_default(),
        state: RulesState::Unusable {
            why: term!("it can't be told which project it belongs to").in_language(language),
        },
        preset: 0,
        learned: 0,
        pending: 0,
    }
}

/// The rules of `directory`.
pub(super) fn rules(bench: &Bench<'_>, file: &RulesFile, past: &[Past], learn_after: u64) -> ProjectRules {
    let (state, lines) = state(file, bench.language);
    let sound = matches!(file.state(), State::Sound(_));
    let path = file.path().to_string_lossy().into_owned();
    ProjectRules {
        directory: bench.project.to_owned(),
        place: visible(&path),
        path,
        state,
        waiting: file.waiting(),
        trouble: file.trouble().map(|why| why.in_language(bench.language)).unwrap_or_default(),
        learn_after,
        preset: lines.preset.iter().map(|line| preset(bench, line, past)).collect(),
        learned: lines.learned.iter().map(|one| learned(bench, one, past)).collect(),
        pending: lines.pending.iter().map(|one| pending(bench, one, past)).collect(),
        suggestions: if sound { suggestions(bench, file, &lines, past) } else { Vec::new() },
        has_config: super::exchange::configuration_of(Path::new(bench.project)).is_some(),
    }
}

fn preset(bench: &Bench<'_>, line: &str, past: &[Past]) -> PresetLine {
    let built_in = BUILT_IN.contains(&line);
    let (passed, last) = passed(past, line, Source::Preset);
    let check = (!built_in).then(|| bench.preset(line, true));
    PresetLine {
        line: line.to_owned(),
        shown: visible(line),
        built_in,
        everything: check.as_ref().is_some_and(|check| check.everything),
        // What has let something pass counts, whatever no example shows.
        never: check.and_then(|check| check.never).filter(|_| passed == 0),
        passed,
        last,
    }
}

fn learned(bench: &Bench<'_>, one: &Learned, past: &[Past]) -> LearnedLine {
    LearnedLine {
        command: one.command.clone(),
        shown: visible(&one.command),
        approvals: one.approvals,
        by_human: one.by_human,
        last_seen: one.last_seen.as_deref().and_then(moment),
        destructive: bench.finding(&one.command).class == Class::Destructive,
        passed: passed(past, &one.command, Source::Learned).0,
        evidence: evidence(past, &one.command),
    }
}

fn pending(bench: &Bench<'_>, one: &Pending, past: &[Past]) -> PendingLine {
    PendingLine {
        command: one.command.clone(),
        shown: visible(&one.command),
        count: one.count,
        by_human: one.by_human,
        refused: bench.learnable(&one.command).err(),
        evidence: evidence(past, &one.command),
    }
}

/// What the user approved by hand again and again.
fn suggestions(bench: &Bench<'_>, file: &RulesFile, lines: &Lines, past: &[Past]) -> Vec<Suggestion> {
    let mut found: Vec<(&str, usize, u64, bool)> = Vec::new();
    for one in past.iter().filter(|one| one.is_plain()) {
        let Fate::Answered(EvidenceBy::Human, allowed) = one.fate else { continue };
        match found.iter_mut().find(|(line, ..)| *line == one.line) {
            // An older approval than a refusal no longer speaks for it.
            Some((_, times, _, open)) if allowed && *open => *times += 1,
            Some((.., open)) => *open = false,
            None => found.push((&one.line, usize::from(allowed), one.at, allowed)),
        }
    }
    found.retain(|(line, times, ..)| *times >= OFTEN && !lines.learned.iter().any(|one| one.command == *line));
    found.sort_by_key(|(_, times, last, _)| std::cmp::Reverse((*times, *last)));
    let suggestion = |(command, times, last, _): (&str, usize, u64, bool)| {
        let line = bench.learnable(command).ok()?;
        let finding = bench.finding(command);
        let proven = finding.recommendation == gavel_core::Recommendation::Allow;
        // What passes anyway needs no line.
        file.matches(&line, || proven).is_none().then(|| Suggestion {
            command: command.to_owned(),
            shown: visible(command),
            times,
            last,
            verdict: picture::verdict_of_command(&finding, command, bench.language),
        })
    };
    found.into_iter().filter_map(suggestion).take(SUGGESTED).collect()
}

/// The moment that the file has as ISO 8601 in UTC, in milliseconds since the Unix epoch.
fn moment(text: &str) -> Option<u64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hours, minutes, seconds) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let separators = [(4, '-'), (7, '-'), (10, 'T'), (13, ':'), (16, ':')];
    let is_at = |(at, c): &(usize, char)| text.get(*at..*at + 1) == Some(c.encode_utf8(&mut [0; 4]));
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !separators.iter().all(is_at) {
        return None;
    }
    let millis = text.get(19..).filter(|rest| rest.starts_with('.')).and_then(|_| number(20, 23)).unwrap_or(0);
    // Years are taken to begin in March, so that the day that may be missing is the last of one.
    let year = if month > 2 { year } else { year - 1 };
    let month = (month + 9) % 12;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day.checked_sub(1)?;
    let days = days.checked_sub(719_468)?;
    Some(((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1_000 + millis)
}

#[cfg(test)]
mod tests {
    use gavel_core::Moment;
    use gavel_core::rules_file::iso;

    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for at in [0, 951_782_400_000, 1_709_251_199_999, 1_709_251_200_000, 1_787_745_600_123, 4_107_542_399_999] {
            assert_eq!(moment(&iso(Moment(at))), Some(at));
        }
        assert_eq!(moment("2026-08-26T12:00:00Z"), Some(1_787_745_600_000));
        for text in [
            "",
            "yesterday",
            "2026-13-01T00:00:00Z",
            "2026-08-00T00:00:00Z",
            "20260826T120000Z.......",
            "é026-08-26T12:00:00Z",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
