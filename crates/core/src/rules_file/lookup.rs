//! Whether a command line passes by the rules of the file.

use serde::Serialize;

use super::{CommandLine, Content};
use crate::Source;
use crate::rules::{Case, Pattern};
use crate::say;
use crate::text::{Message, code, plain as plain_text};

/// A line of the file that lets a command pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The line, as it stands in the file.
    pub line: String,
    /// [`Source::Learned`] or [`Source::Preset`].
    pub source: Source,
}

/// What became of looking a command up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It passes.
    Matches(Match),
    /// A preset line covers it, and it doesn't pass all the same.
    Held {
        /// The first line that covers it.
        line: String,
        /// Why that doesn't count.
        why: Held,
    },
    /// No line covers it.
    Nothing,
}

/// Why a preset line that covers a command doesn't count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The command has a character that means something to the shell, or that can't be seen.
    Character(char),
    /// An argument is an absolute path.
    Absolute(String),
    /// An argument may lead out of the project.
    Upwards(String),
    /// An argument makes a reader destroy, write or run something.
    Flag(String),
    /// Nobody has proven that it only reads within the project.
    Unproven,
}

impl Held {
    /// Why, for any language.
    pub fn said(&self) -> Message {
        match self {
            Self::Character(c) => say!("it has the character `{}`", plain_text(c.escape_debug().to_string())),
            Self::Absolute(argument) => say!("{} is an absolute path", code(argument)),
            Self::Upwards(argument) => say!("{} may lead out of the project", code(argument)),
            Self::Flag(argument) => say!("{} does more than read", code(argument)),
            Self::Unproven => say!("it is not proven to only read within the project"),
        }
    }
}

/// Characters that no command has that a preset line lets pass.
pub(super) const SPECIAL: &str = ";&|<>$(){}[]*?~#'\"`\\\n";

/// Arguments by which `find` destroys, writes or runs.
pub(super) const FLAGS: [&str; 9] =
    ["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"];

impl Content {
    /// The line that lets `line` pass, if there is one.
    ///
    /// A learned line counts if it is the very command. A preset line counts if the text of the command passes strict
    /// checks **and** `proven` says that the analysis of the command proves it to only read within the project; it is
    /// asked at most once, and only if all else is well.
    pub fn matches(&self, line: &CommandLine, proven: impl FnOnce() -> bool) -> Option<Match> {
        match self.look_up(line, proven) {
            Looked::Matches(found) => Some(found),
            Looked::Held { .. } | Looked::Nothing => None,
        }
    }

    /// The same as [`Self::matches`], and why not.
    pub fn look_up(&self, line: &CommandLine, proven: impl FnOnce() -> bool) -> Looked {
        if let Some(learned) = self.lines.learned.iter().find(|learned| line.is(&learned.command)) {
            return Looked::Matches(Match { line: learned.command.clone(), source: Source::Learned });
        }
        let covers = |pattern: &&String| Pattern::new(pattern, Case::Sensitive).matches(line.as_str());
        let Some(preset) = self.lines.preset.iter().find(covers).cloned() else { return Looked::Nothing };
        let held = plain(line.as_str()).err().or_else(|| (!proven()).then_some(Held::Unproven));
        match held {
            Some(why) => Looked::Held { line: preset, why },
            None => Looked::Matches(Match { line: preset, source: Source::Preset }),
        }
    }
}

/// The checks that the text alone allows.
fn plain(line: &str) -> Result<(), Held> {
    let special = |c: &char| SPECIAL.contains(*c) || c.is_control() || (c.is_whitespace() && *c != ' ');
    if let Some(c) = line.chars().find(special) {
        return Err(Held::Character(c));
    }
    for argument in line.split(' ').skip(1) {
        let flag = argument.split('=').next().unwrap_or_default();
        if argument.starts_with('/') {
            return Err(Held::Absolute(argument.to_owned()));
        }
        if argument.contains("..") {
            return Err(Held::Upwards(argument.to_owned()));
        }
        if FLAGS.contains(&flag) {
            return Err(Held::Flag(argument.to_owned()));
        }
    }
    Ok(())
}
