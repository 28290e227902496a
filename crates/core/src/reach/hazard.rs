//! Patterns that nobody should allow without a second thought.

use serde::{Deserialize, Serialize};

use super::shell;
use crate::modes::covers;
use crate::rules::{Case, Pattern, Saved};

/// What a server asks about when an agent wants to run a line of several commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lines {
    /// About each command of the line.
    Split,
    /// About the line as it is.
    Whole,
    /// Nobody has seen it ask about such a line yet.
    #[default]
    Unknown,
}

/// Why a pattern is not to be allowed without a second thought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "hazard", rename_all = "snake_case")]
pub enum Hazard {
    /// It matches everything that its action could ever ask for.
    Everything,
    /// It leaves open which command, folder or host it is for.
    Broad,
    /// It matches a command that deletes or throws work away.
    Deletes {
        /// Such a command.
        example: String,
    },
    /// It matches a program that runs whatever it is given.
    RunsAnything {
        /// The program.
        program: String,
    },
    /// It also matches a second command, chained to the one meant.
    Chained {
        /// Such a line.
        example: String,
    },
}

/// Commands that delete or throw work away although their program does much else.
const HARMFUL: [&str; 12] = [
    "git clean -fdx",
    "git reset --hard",
    "git branch -D main",
    "git push --force",
    "find . -delete",
    "docker system prune -af",
    "docker volume rm data",
    "kubectl delete all --all",
    "terraform destroy -auto-approve",
    "dd if=/dev/zero of=/dev/sda",
    "npm unpublish -f",
    "gh repo delete --yes",
];

/// Programs that run whatever is in their arguments, beside those that only start another one.
const RUNNERS: [&str; 25] = [
    "sh",
    "bash",
    "zsh",
    "dash",
    "fish",
    "ksh",
    "eval",
    "source",
    "pwsh",
    "powershell",
    "cmd",
    "python",
    "python3",
    "node",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "ssh",
    "osascript",
    "awk",
    "npx",
    "bunx",
    "uvx",
];

/// Folders that nobody minds although they lie just below the root.
const SCRATCH: [&str; 2] = ["tmp", "temp"];

/// What is the matter with `pattern`, if anything is, where lines of several commands are asked about like this.
#[must_use]
pub fn hazard(pattern: &Saved, lines: Lines) -> Option<Hazard> {
    let resource = pattern.resource.as_str();
    if covers(resource, "*") {
        return Some(Hazard::Everything);
    }
    if is_broad(&pattern.action, resource) {
        return Some(Hazard::Broad);
    }
    if !is_for("shell", &pattern.action) {
        return None;
    }
    if let Some(program) = runner(resource) {
        return Some(Hazard::RunsAnything { program });
    }
    if let Some(example) = harm(resource) {
        return Some(Hazard::Deletes { example });
    }
    (lines == Lines::Whole).then(|| chained(pattern)).flatten().map(|example| Hazard::Chained { example })
}

/// A line with a second command that the pattern matches, if it is one for commands and has room for such.
#[must_use]
pub fn chained(pattern: &Saved) -> Option<String> {
    let (before, after) = pattern.resource.rsplit_once('*')?;
    let example = format!("{}x; rm -rf y{}", filled(before), filled(after)).replace("  ", " ");
    let resource = Pattern::new(&pattern.resource, Case::Sensitive);
    (is_for("shell", &pattern.action) && resource.matches(&example)).then_some(example)
}

fn is_for(action: &str, pattern: &str) -> bool {
    Pattern::new(pattern, Case::Sensitive).matches(action)
}

/// A text that the pattern matches.
fn filled(pattern: &str) -> String {
    pattern.replace(['*', '?'], "x")
}

/// What stands before the first wildcard; `None` if there is none.
fn fixed(pattern: &str) -> Option<&str> {
    pattern.find(['*', '?']).and_then(|at| pattern.get(..at))
}

fn is_broad(action: &str, pattern: &str) -> bool {
    let Some(fixed) = fixed(pattern) else { return false };
    let slashed = fixed.replace('\\', "/");
    let is_folder = |part: &&str| !part.is_empty() && !part.ends_with(':');
    let mut parts = slashed.split('/').filter(is_folder);
    match action {
        "webfetch" => !slashed.split_once("://").is_some_and(|(_, host)| host.contains('/')),
        // The folders just below the root hold a whole system, or all that is somebody's.
        "external_directory" | "edit" | "read" if is_rooted(&slashed) => match (parts.next(), parts.next()) {
            (Some(first), None) => !SCRATCH.contains(&first),
            (first, _) => first.is_none(),
        },
        "external_directory" => parts.all(|part| part == ".."),
        // The name of the program goes on where the wildcard stands, or begins there.
        "shell" => !fixed.trim_start().contains(char::is_whitespace),
        _ => fixed.trim().is_empty(),
    }
}

fn is_rooted(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.get(1..3) == Some(":/")
}

/// Options behind which stands what is to be run.
const SCRIPTS: [&str; 6] = ["-c", "-lc", "-ic", "-e", "-p", "--eval"];

/// The program that the pattern lets run anything.
fn runner(pattern: &str) -> Option<String> {
    let head: Vec<&str> = fixed(pattern)?.split_whitespace().skip_while(|word| is_setting(word)).collect();
    let (first, rest) = head.split_first()?;
    let name = shell::program(first);
    let is_option = |word: &str| word.starts_with('-');
    let is_open = if shell::WRAPPERS.contains(&name.as_str()) {
        // What comes before the command: options, what belongs to them, settings, numbers.
        rest.iter().enumerate().all(|(place, word)| {
            let belongs =
                place.checked_sub(1).and_then(|before| rest.get(before)).is_some_and(|before| is_option(before));
            belongs || is_option(word) || is_setting(word) || word.starts_with(|c: char| c.is_ascii_digit())
        })
    } else {
        // With the script named, it is this script that runs.
        let is_script = rest.last().is_some_and(|last| SCRIPTS.contains(last));
        RUNNERS.contains(&name.as_str()) && (is_script || rest.iter().all(|word| is_option(word)))
    };
    is_open.then_some(name)
}

fn is_setting(word: &str) -> bool {
    word.contains('=') && !word.starts_with('-')
}

/// A harmful command that the pattern matches.
fn harm(pattern: &str) -> Option<String> {
    let plain = filled(pattern);
    if shell::deletes(&plain) {
        // A text without wildcards is its own example.
        return Some(if fixed(pattern).is_some() { plain.replace("  ", " ") } else { pattern.to_owned() });
    }
    let matcher = Pattern::new(pattern, Case::Sensitive);
    HARMFUL.into_iter().find(|harmful| matcher.matches(harmful)).map(str::to_owned)
}
