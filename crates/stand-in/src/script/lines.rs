//! First reading of a script: which lines belong to which step, without knowing what the steps mean.

use crate::StandInError;

/// One step with the lines that belong to it.
#[derive(Debug)]
pub(super) struct Step {
    /// The line it stands on, counted from one.
    pub(super) line: usize,
    /// It happens in the same message as the step before.
    pub(super) joined: bool,
    pub(super) verb: String,
    pub(super) rest: String,
    /// `: key value` lines.
    pub(super) notes: Vec<(String, String)>,
    /// `| text` lines.
    pub(super) body: Vec<String>,
    /// `> line` lines.
    pub(super) nested: Vec<String>,
}

impl Step {
    /// An error about this step.
    pub(super) fn wrong(&self, why: impl Into<String>) -> StandInError {
        StandInError::Script { line: self.line, why: why.into() }
    }
}

/// Groups the lines of a script into steps.
pub(super) fn read(lines: &[&str]) -> Result<Vec<Step>, StandInError> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, text) in (1..).zip(lines) {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let (mark, rest) = match text.split_at_checked(1) {
            Some((mark @ (":" | "|" | ">" | "+"), rest)) => (mark, rest.strip_prefix(' ').unwrap_or(rest)),
            _ => ("", *text),
        };
        if let ":" | "|" | ">" = mark {
            let Some(step) = steps.last_mut() else {
                return Err(StandInError::Script {
                    line,
                    why: format!("`{mark}` belongs to a step, and there is none above"),
                });
            };
            match mark {
                ":" => step.notes.push(word_and_rest(rest)),
                "|" => step.body.push(rest.to_owned()),
                _ => step.nested.push(rest.to_owned()),
            }
            continue;
        }
        let (verb, rest) = word_and_rest(rest);
        let joined = mark == "+";
        steps.push(Step { line, joined, verb, rest, notes: Vec::new(), body: Vec::new(), nested: Vec::new() });
    }
    Ok(steps)
}

fn word_and_rest(text: &str) -> (String, String) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    (word.to_owned(), rest.trim_start().to_owned())
}
