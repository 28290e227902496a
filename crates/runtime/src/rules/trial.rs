//! What becomes of a command by the rules of its project.

use gavel_core::display::visible;
use gavel_core::rules_file::{CommandLine, Held, Looked};
use gavel_core::{Class, Recommendation, Source};
use gavel_disk::rules_file::State;
use gavel_disk::{RulesFile, premises};

use super::check::Bench;
use crate::api::{CommandTrial, HeldCheck, TrialOutcome};
use crate::picture;

/// Tries `command` in the project of `file`.
pub(super) fn tried(bench: &Bench<'_>, file: &RulesFile, command: &str, in_force: bool) -> CommandTrial {
    let finding = bench.finding(command);
    let verdict = picture::verdict_of_command(&finding, command, bench.language);
    let State::Sound(content) = file.state() else {
        return CommandTrial { text: visible(command), verdict, outcome: TrialOutcome::NoRules, in_force };
    };
    let Some(line) = CommandLine::new("shell", command) else {
        return CommandTrial { text: visible(command), verdict, outcome: TrialOutcome::NoLine, in_force };
    };
    let mut doubt = None;
    let looked = content.look_up(&line, || {
        let proven = finding.recommendation == Recommendation::Allow;
        if proven {
            doubt = premises::hold(bench.project, line.as_str()).err();
        }
        proven && doubt.is_none()
    });
    let outcome = match looked {
        Looked::Matches(found) if finding.class == Class::Destructive => {
            TrialOutcome::Destructive { line: visible(&found.line) }
        }
        Looked::Matches(found) => {
            debug_assert!(matches!(found.source, Source::Learned | Source::Preset));
            TrialOutcome::Passes { line: visible(&found.line), source: found.source }
        }
        Looked::Held { line, why } => {
            let (check, what) = held(
                &why,
                doubt.map(|doubt| doubt.said().in_language(bench.language)),
                &finding.reason_in(bench.language),
            );
            TrialOutcome::Held { line: visible(&line), check, what: visible(&what) }
        }
        Looked::Nothing => TrialOutcome::Uncovered,
    };
    CommandTrial { text: visible(command), verdict, outcome, in_force }
}

fn held(why: &Held, doubt: Option<String>, reason: &str) -> (HeldCheck, String) {
    match (why, doubt) {
        (Held::Character(c), _) => (HeldCheck::Character, c.to_string()),
        (Held::Absolute(what), _) => (HeldCheck::Absolute, what.clone()),
        (Held::Upwards(what), _) => (HeldCheck::Upwards, what.clone()),
        (Held::Flag(what), _) => (HeldCheck::Flag, what.clone()),
        (Held::Unproven, Some(doubt)) => (HeldCheck::Disk, doubt),
        (Held::Unproven, None) => (HeldCheck::Proven, reason.to_owned()),
    }
}
