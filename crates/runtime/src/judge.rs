//! `gavel judge`: what would the judge say about a command, and why?

mod benchmark;
mod model;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use gavel_core::{Detail, Recommendation, display};
use gavel_judge::offline::{self, Finding, Segment, Subject};
use model::Asked;
pub(crate) use model::{Model, key_of_environment, variable_of_key};
use serde::Serialize;

use crate::settings::JudgeSettings;
use crate::{Secrets, judging};

/// Says what is recommended about a command, what each part of it does, and why.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(arg_required_else_help = true)]
pub struct Judge {
    /// Ask the analysis on this machine, which needs no network.
    #[arg(long)]
    offline: bool,
    #[command(flatten)]
    model: model::Model,
    /// The directory the command runs in; this one by default.
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The project the command should keep to; the directory it runs in by default.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// A file of commands, one JSON string a line: each is judged, one JSON object a line.
    #[arg(long, value_name = "FILE", conflicts_with = "line")]
    lines: Option<PathBuf>,
    /// Put the bundled cases before the judge, and say how often it errs.
    #[arg(long, conflicts_with_all = ["lines", "line", "request"])]
    benchmark: bool,
    /// Say how the benchmark went as one JSON object.
    #[arg(long, requires = "benchmark")]
    json: bool,
    /// The command, as one argument.
    #[arg(value_name = "COMMAND", last = true, required_unless_present_any = ["lines", "benchmark"])]
    line: Option<String>,
}

/// What is said when there is nobody to ask.
const NO_JUDGE: &str = "no judge is chosen, and this is no session whose own model could be asked: choose a judge in the \
                        window, or name one with `--model`; `--offline` asks the analysis on this machine";

/// The status of a call that could not be answered in full.
const INCOMPLETE: u8 = 2;

impl Judge {
    /// Writes the verdict to `out`, and to `err` what could not be judged. The status is 2 if anything was left out.
    /// `chosen` tells what the user chose in the window and where keys are kept; it is asked only if that matters.
    ///
    /// # Errors
    /// A file that can't be read, in words for the user.
    pub fn run(
        &self,
        chosen: impl FnOnce() -> Result<(JudgeSettings, Secrets), String>,
        out: &mut impl Write,
        err: &mut impl Write,
    ) -> Result<ExitCode, String> {
        let model = if self.offline { None } else { self.model.asked(chosen)? };
        if model.is_none() && !self.offline {
            writeln!(err, "gavel: {NO_JUDGE}").map_err(in_words)?;
            return Ok(ExitCode::from(INCOMPLETE));
        }
        if self.benchmark {
            let asked = benchmark::run(model.as_ref(), self.json, out, err)?;
            return Ok(if asked { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) });
        }
        let place = Place::new(self.cwd.as_deref(), self.project.as_deref())?;
        let complete = match (&self.lines, &self.line) {
            (Some(path), _) => lines(path, &place, model.as_ref(), out, err)?,
            (None, Some(line)) => one(line, &place, model.as_ref(), out)?,
            (None, None) => return Err("either a command or `--lines` is needed".to_owned()),
        };
        Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INCOMPLETE) })
    }
}

/// Judges one command for a person; whether there is a verdict.
fn one(line: &str, place: &Place, model: Option<&Asked<'_>>, out: &mut impl Write) -> Result<bool, String> {
    let finding = place.judge(line);
    let mut complete = true;
    if let Some(model) = model {
        let judged = model.judge(&place.detail(line), &place.project, &finding);
        complete = judged.fault.is_none();
        write!(out, "{}\non this machine: ", model.for_people(&judged)).map_err(in_words)?;
    }
    write!(out, "{}", for_people(line, &finding)).map_err(in_words)?;
    Ok(complete)
}

fn in_words(error: std::io::Error) -> String {
    error.to_string()
}

/// Where commands are taken to run.
struct Place {
    cwd: String,
    project: String,
    home: Option<String>,
}

impl Place {
    fn new(cwd: Option<&Path>, project: Option<&Path>) -> Result<Self, String> {
        let absolute = |path: &Path| {
            let path =
                std::path::absolute(path).map_err(|error| format!("`{}` is no directory: {error}", path.display()))?;
            path.into_os_string()
                .into_string()
                .map_err(|path| format!("`{}` has a name that isn't text", path.display()))
        };
        let cwd = absolute(cwd.unwrap_or(Path::new(".")))?;
        let project = project.map_or_else(|| Ok(cwd.clone()), absolute)?;
        Ok(Self { cwd, project, home: judging::home() })
    }

    fn detail(&self, line: &str) -> Detail {
        let (command, workdir) = (Some(line.to_owned()), Some(self.cwd.clone()));
        Detail { command, workdir, placed: true, ..Detail::default() }
    }

    fn judge(&self, line: &str) -> Finding {
        let detail = self.detail(line);
        let home = self.home.as_deref();
        offline::verdict(&Subject { action: "shell", resources: &[], detail: &detail, project: &self.project, home })
    }
}

/// The verdict on one line of a file.
#[derive(Serialize)]
struct Line<'a> {
    line: usize,
    #[serde(flatten)]
    finding: &'a Finding,
}

/// Judges every line; whether all of them could be.
fn lines(
    path: &Path,
    place: &Place,
    model: Option<&Asked<'_>>,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<bool, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("`{}` can't be read: {error}", path.display()))?;
    let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let mut complete = true;
    for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n')).filter(|_| !bytes.is_empty()) {
        match serde_json::from_slice::<String>(line) {
            Ok(command) => {
                let finding = place.judge(&command);
                let line = match model {
                    Some(model) => {
                        let judged = model.judge(&place.detail(&command), &place.project, &finding);
                        complete &= judged.fault.is_none();
                        serde_json::to_string(&model.line(number, &judged, &finding))
                    }
                    None => serde_json::to_string(&Line { line: number, finding: &finding }),
                };
                let line = line.map_err(|error| error.to_string())?;
                writeln!(out, "{line}").map_err(in_words)?;
            }
            Err(error) => {
                complete = false;
                let path = path.display();
                // Where in this one line it is would only be taken for the line itself.
                let error = error.to_string();
                let error = error.split(" at line ").next().unwrap_or(&error);
                writeln!(err, "gavel: `{path}`, line {number}: no JSON string: {error}").map_err(in_words)?;
            }
        }
    }
    Ok(complete)
}

fn word(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::Allow => "allow",
        Recommendation::Ask => "ask",
        Recommendation::Deny => "deny",
    }
}

fn for_people(command: &str, finding: &Finding) -> String {
    let word = word(finding.recommendation);
    let mut text = format!("{word} ({}): {}\n\n", finding.class.word(), finding.reason);
    let mut start = 0;
    for line in command.split('\n') {
        let end = start + line.len();
        text.push_str(&format!("  {}\n", shown(line)));
        let inside = |segment: &&Segment| segment.start < end.max(start + 1) && segment.end > start;
        for segment in finding.segments.iter().filter(inside) {
            text.push_str(&marked(line, start, segment));
        }
        start = end + 1;
    }
    text
}

/// `segment` underlined below `line`, which begins at byte `start`; why, where it begins.
fn marked(line: &str, start: usize, segment: &Segment) -> String {
    let from = segment.start.saturating_sub(start);
    let to = (segment.end - start).min(line.len());
    let before = line.get(..from).map_or(0, width);
    let long = line.get(from..to).map_or(1, width).max(1);
    let mark = if segment.recommendation == Recommendation::Allow { "~" } else { "^" };
    let why =
        if segment.start >= start { format!(" {}: {}", segment.class.word(), segment.why) } else { String::new() };
    format!("  {}{}{why}\n", " ".repeat(before), mark.repeat(long))
}

/// A line as it is printed: every character visible, and each of a known width.
fn shown(line: &str) -> String {
    display::visible(line).replace('\t', " ")
}

/// How many columns of a terminal `text` takes.
fn width(text: &str) -> usize {
    let wide = |c: char| {
        matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
            | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}' | '\u{1F300}'..='\u{1FAFF}'
            | '\u{20000}'..='\u{3FFFD}')
    };
    shown(text).chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}
