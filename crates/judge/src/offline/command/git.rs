//! `git`: what of it only reads.
//!
//! Git pages only to a terminal, which an agent's command doesn't have, so a configured pager doesn't count; one that is
//! configured in the command itself does.

mod changes;
mod table;

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::place::Place;
use super::super::secrets;
use super::super::shell::{Run, Word};
use super::Around;
use super::paths::{Part, readable};
use gavel_core::say;
use table::{Operands, SUBS};

/// Options before the subcommand that change nothing.
const GLOBAL: &[&str] =
    &["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects", "--icase-pathspecs"];

pub(super) fn judge(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    if name != "git" {
        return None;
    }
    let mut rest = args;
    let mut moved = false;
    let mut why = None;
    let before = run.cwds.clone();
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        if !text.starts_with('-') {
            break;
        }
        rest = after;
        match text {
            _ if GLOBAL.contains(&text) => {}
            "-C" => {
                let Some((folder, after)) = rest.split_first() else { break };
                rest = after;
                moved = true;
                run.follow(Some(folder));
                run.cwds = run.arrived.take().unwrap_or_else(|| vec![None]);
                if let Err(deed) = readable(run, folder, Part::Name) {
                    why = Some(deed);
                }
            }
            "-c" | "--config-env" => {
                let value = rest.first().map(|word| word.text.clone()).unwrap_or_default();
                rest = rest.get(1..).unwrap_or_default();
                why = Some(configured(&value));
            }
            "-p" | "--paginate" => why = Some(Deed::ask(Class::RunsCode, say!("sends what git says through a pager"))),
            "--version" => return Some(Deed::allow(say!("tells the version of `git`"))),
            "--help" | "-h" | "--html-path" | "--man-path" | "--info-path" => {
                return Some(Deed::ask(Class::Unknown, say!("shows git's help, perhaps in another program")));
            }
            _ if text.starts_with("-c") => why = Some(configured(text.get(2..).unwrap_or_default())),
            _ if text.starts_with("--git-dir=") || text.starts_with("--work-tree=") => {
                why = Some(Deed::ask(Class::Unknown, say!("points git at another repository")));
            }
            _ if text.starts_with("--exec-path") => {
                why = Some(Deed::ask(Class::RunsCode, say!("tells git to run other programs in place of its own")))
            }
            "--git-dir" | "--work-tree" | "--namespace" | "--super-prefix" => {
                rest = rest.get(1..).unwrap_or_default();
                why = Some(Deed::ask(Class::Unknown, say!("points git at another repository")));
            }
            _ => {
                why = Some(Deed::ask(
                    Class::Unknown,
                    say!("runs `git` with {}, which isn't known to only read", code(text)),
                ))
            }
        }
    }
    // A folder may bring a repository of its own, with settings that make git run programs.
    let elsewhere = run.cwds.iter().any(|cwd| cwd.as_deref() != Some(run.places.project.as_str()));
    let deed = match rest.split_first() {
        Some((sub, args)) => subcommand(run, around, &sub.text, args),
        None => Deed::ask(Class::Unknown, say!("runs `git` without saying what for")),
    };
    if moved {
        run.cwds = before;
    }
    let deed = if elsewhere {
        super::distrust(deed, say!("runs git in a folder that may bring settings of its own"))
    } else {
        deed
    };
    Some(match why {
        Some(why) => super::both(deed, why),
        None => deed,
    })
}

/// `-c name=value`: many a name makes git run a program.
fn configured(setting: &str) -> Deed {
    Deed::ask(Class::RunsCode, say!("sets {} for git, which may make it run other programs", code(setting)))
}

fn subcommand(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Deed {
    // What was put aside is shown as the history is.
    if name == "stash"
        && let Some((first, rest)) = args.split_first()
        && matches!(first.text.as_str(), "list" | "show")
    {
        return subcommand(run, around, "log", rest);
    }
    if let Some(deed) = nested(name, args) {
        return deed;
    }
    let Some(sub) = SUBS.iter().find(|sub| sub.names.contains(&name)) else {
        return changes::judge(run, around, name, args);
    };
    if let Some(deed) = changes::turned(run, name, args) {
        return deed;
    }
    // The letter that takes a value only when it is attached.
    let untracked = |word: &Word| matches!(word.text.as_str(), "-uno" | "-unormal" | "-uall");
    let args: Vec<Word> = args.iter().filter(|word| name != "status" || !untracked(word)).cloned().collect();
    let args = args.as_slice();
    let parsed = match sub.known.parse(args) {
        Ok(parsed) => parsed,
        Err(_) if changes::is_change(name, args) => return changes::judge(run, around, name, args),
        Err(why) => return Deed::ask(Class::Unknown, say!("runs `git {}`, but {}", plain(name), why)),
    };
    let operands = parsed.operands.as_slice();
    let listed = parsed.has(&["list", "merged", "no-merged", "contains"]) || name == "tag" && parsed.has(&["l"]);
    let fits = match sub.operands {
        Operands::None => operands.is_empty(),
        Operands::Any if name == "symbolic-ref" => operands.len() == 1,
        // Newer versions of git have more words here that change something.
        Operands::Any if name == "reflog" => {
            operands.first().is_none_or(|first| first.text == "show" || first.text.starts_with("HEAD"))
        }
        Operands::Any => true,
        Operands::Listed => operands.is_empty() || listed,
        Operands::Pattern => operands.first().is_none_or(|pattern| !pattern.glob),
    };
    if !fits {
        return changes::judge(run, around, name, args);
    }
    let paths =
        operands.get(usize::from(sub.operands == Operands::Pattern && !parsed.has(&["e"]))..).unwrap_or_default();
    if let Some(deed) = paths.iter().find_map(|word| operand(run, word)) {
        return deed;
    }
    Deed::allow(sub.does)
}

/// A revision, or a path, or `revision:path`: none may lead out of the project or to a secret.
fn operand(run: &Run<'_>, word: &Word) -> Option<Deed> {
    let text = word.text.as_str();
    let (rev, path) = match text.split_once(':') {
        Some((rev, path)) => (Some(rev), path),
        None => (None, text),
    };
    let magic = rev == Some("") && !path.starts_with('/');
    if let Some(what) = secrets::reason(path) {
        let name = code(text);
        return Some(Deed::ask(Class::Reads, say!("shows {}, which usually holds {}", name, what)));
    }
    if rev.is_some_and(|rev| !rev.is_empty()) {
        // Git resolves it within its own record, never on the disk.
        return None;
    }
    if magic {
        return None;
    }
    // `a..b` and `a...b` are ranges, `HEAD~2` and `@{1}` revisions: as paths, they stay inside anyway.
    let range = text.contains("..") && !text.starts_with(['/', '~']) && !text.split('/').any(|part| part == "..");
    if range {
        return None;
    }
    match run.place(path) {
        Place::Inside(_) | Place::Project => readable(run, word, Part::Name).err(),
        _ => readable(run, word, Part::Content).err(),
    }
}

/// Subcommands whose next word decides.
fn nested(name: &str, args: &[Word]) -> Option<Deed> {
    let words = super::texts(args);
    let exact = args.iter().all(|word| word.exact && !word.glob);
    let deed = match (name, words.as_slice()) {
        ("worktree", ["list"] | ["list", "--porcelain"]) => Deed::allow(say!("lists the work trees")),
        ("remote", ["get-url", name]) if !name.starts_with('-') => Deed::allow(say!("tells the address of a remote")),
        ("reflog", ["show", ..]) => return None,
        ("reflog", ["expire" | "delete", ..]) => Deed::ask(
            Class::Destructive,
            say!("forgets where branches have been, so that lost work can't be found again"),
        ),
        ("config", ["--get", key] | ["get", key] | [key]) if is_open_key(key) => {
            Deed::allow(say!("tells git's setting {}", code(key)))
        }
        ("config", ["--get" | "get" | "--get-all" | "--list" | "-l" | "list" | "--get-regexp", ..]) => {
            Deed::ask(Class::Reads, say!("shows git's settings, at times with tokens in them"))
        }
        ("version", []) => Deed::allow(say!("tells the version of `git`")),
        ("submodule", ["status"]) => Deed::ask(Class::Unknown, say!("runs `git submodule status`")),
        _ => return None,
    };
    exact.then_some(deed)
}

/// Settings that hold nothing secret.
fn is_open_key(key: &str) -> bool {
    matches!(
        key.to_ascii_lowercase().as_str(),
        "user.name"
            | "user.email"
            | "core.editor"
            | "core.autocrlf"
            | "core.hookspath"
            | "core.filemode"
            | "core.ignorecase"
            | "init.defaultbranch"
            | "pull.rebase"
            | "push.default"
            | "commit.gpgsign"
            | "core.bare"
            | "core.eol"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_letter_both_stands_alone_and_takes_a_value() {
        for sub in SUBS {
            let both = sub.known.letters.chars().find(|letter| sub.known.valued.contains(*letter));
            assert_eq!(both, None, "{:?}", sub.names);
        }
    }
}
