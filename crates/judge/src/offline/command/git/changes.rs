//! `git`: what of it changes something, talks to another machine or runs other programs.

use super::super::super::finding::{Class, Deed};
use super::super::super::phrase::{self, code};
use super::super::super::shell::{Run, Word};
use super::super::{Around, argv, both, has, names, operands, texts};

/// Options that turn a reading subcommand into something else.
pub(super) fn turned(run: &Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    for (at, word) in args.iter().enumerate() {
        let text = word.text.as_str();
        if text == "--" {
            break;
        }
        if let Some(file) = text.strip_prefix("--output=") {
            let file = Word { text: file.to_owned(), ..word.clone() };
            return super::super::writing(run, &file, "writes over")
                .or_else(|| Some(Deed::ask(Class::Writes, "writes a file")));
        }
        let runs = match text {
            "--output" | "--outp" | "--outpu" => {
                let file = args.get(at + 1)?;
                return super::super::writing(run, file, "writes over")
                    .or_else(|| Some(Deed::ask(Class::Writes, "writes a file")));
            }
            "--ext-diff" | "--textconv" | "--filters" => true,
            // Another git, by the submodule's own settings.
            "--submodule=diff" => true,
            "--show-signature" | "--verify-signatures" => true,
            // Signatures are checked by another program.
            _ if text.contains("%G") || text.contains("%(signature") => {
                return Some(Deed::ask(
                    Class::RunsCode,
                    format!("runs `git {name}`, which starts another program to check signatures"),
                ));
            }
            "--no-index" => {
                return Some(Deed::ask(
                    Class::Outside,
                    format!("runs `git {name}` on files outside of what git tracks"),
                ));
            }
            "--untracked" | "--no-exclude-standard" => {
                return Some(Deed::ask(
                    Class::Reads,
                    format!("runs `git {name}` on files that git doesn't track, perhaps with secrets"),
                ));
            }
            _ => {
                text.starts_with("--open-files-in-pager")
                    || name == "grep" && text.starts_with("-O")
                    || text.starts_with("--upload-pack")
                    || text.starts_with("--exec")
            }
        };
        if runs {
            return Some(Deed::ask(
                Class::RunsCode,
                format!("runs another program through `git {name} {}`", phrase::code(text).trim_matches('`')),
            ));
        }
    }
    None
}

/// Whether a listing subcommand is given an option that makes it change what it lists.
pub(super) fn is_change(name: &str, args: &[Word]) -> bool {
    const LONG: &[&str] = &[
        "delete",
        "force",
        "move",
        "copy",
        "edit-description",
        "set-upstream-to",
        "unset-upstream",
        "annotate",
        "sign",
    ];
    matches!(name, "branch" | "tag") && has(args, "dDfmMcCuas", LONG)
}

/// Judges the subcommands that don't only read.
pub(super) fn judge(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Deed {
    let named = operands(args);
    let words = texts(args);
    let first = words.first().copied().unwrap_or_default();
    let writes = |why: &str| Deed::ask(Class::Writes, why);
    let destroys = |why: &str| Deed::ask(Class::Destructive, why);
    match name {
        "add" | "stage" => writes(&format!("marks {} for the next commit", listed(run, &named))),
        "commit" => Deed::ask(
            Class::RunsCode,
            format!(
                "{} in git, and runs the project's commit hooks",
                if has(args, "", &["amend"]) { "replaces the last commit" } else { "records a commit" }
            ),
        ),
        "mv" => writes(&format!("moves {}", listed(run, &named))),
        "rm" if has(args, "", &["cached"]) => writes(&format!("stops tracking {}", listed(run, &named))),
        "rm" => destroys(&format!("deletes {} and stops tracking it", listed(run, &named))),
        "reset" if has(args, "", &["hard", "merge", "keep"]) => {
            destroys("throws away all changes that aren't committed")
        }
        "reset" => writes("moves the branch or what is marked for the next commit"),
        "clean" if has(args, "n", &["dry-run"]) && !has(args, "f", &["force"]) => {
            Deed::ask(Class::Reads, "shows what would be deleted")
        }
        "clean" => destroys("deletes every file that git doesn't track"),
        "checkout" | "restore" if is_overwriting(name, args) => {
            destroys(&format!("throws away changes to {} that aren't committed", listed(run, &named)))
        }
        "checkout" | "switch" if has(args, "f", &["force", "discard-changes"]) => {
            destroys("switches branches and throws away what isn't committed")
        }
        "checkout" | "switch" => Deed::ask(
            Class::RunsCode,
            format!("switches to {}, and runs the project's checkout hook", listed(run, &named)),
        ),
        "stash" if matches!(first, "drop" | "clear") => destroys("throws away changes that were put aside"),
        "stash" => writes("puts changes aside or takes them back"),
        "branch" if has(args, "dD", &["delete"]) => destroys(&format!("deletes the branch {}", listed(run, &named))),
        "branch" if has(args, "fMC", &["force"]) => {
            destroys(&format!("moves the branch {} by force", listed(run, &named)))
        }
        "branch" => writes(&format!("creates or changes the branch {}", listed(run, &named))),
        "tag" if has(args, "d", &["delete"]) => destroys(&format!("deletes the tag {}", listed(run, &named))),
        "tag" => writes(&format!("creates the tag {}", listed(run, &named))),
        "push" => push(run, args),
        "fetch" | "pull" | "clone" | "ls-remote" | "remote-https" | "send-email" | "archive"
            if name != "archive" || has(args, "", &["remote"]) =>
        {
            fetch(name, args)
        }
        "archive" => writes("packs the project's files"),
        "remote" if matches!(first, "show" | "update" | "prune") => {
            Deed::ask(Class::Network, "asks the other machine about its branches")
        }
        "remote" => writes("changes where the project is pushed to and fetched from"),
        "submodule" if first == "foreach" => {
            let inner = argv(run, around, args.get(1..).unwrap_or_default());
            both(inner, Deed::ask(Class::RunsCode, "runs a command in every submodule"))
        }
        "submodule" | "lfs" | "subtree" => {
            Deed::ask(Class::Network, format!("runs `git {name}`, which may fetch other projects"))
        }
        "config" => Deed::ask(
            Class::RunsCode,
            format!("changes git's setting {}, and some of them make git run programs", listed(run, &named)),
        ),
        "filter-branch" | "filter-repo" => destroys("rewrites the whole history"),
        "update-ref" | "replace" => destroys("moves or deletes branches behind git's back"),
        "gc" | "prune" | "repack" | "maintenance" | "pack-refs" => {
            destroys("removes what git no longer needs, lost work too")
        }
        "worktree" if first == "remove" => destroys("deletes a work tree"),
        "worktree" | "init" => writes("creates a work tree or repository"),
        "rebase" if has(args, "x", &["exec"]) => {
            Deed::ask(Class::RunsCode, "rewrites commits and runs a command after each")
        }
        "rebase" | "merge" | "cherry-pick" | "revert" | "am" | "apply" => {
            Deed::ask(Class::RunsCode, format!("runs `git {name}`, which changes files and runs the project's hooks"))
        }
        "bisect" if first == "run" => Deed::ask(Class::RunsCode, "runs a command on one commit after another"),
        "bisect" | "notes" | "sparse-checkout" | "update-index" | "read-tree" | "write-tree" | "hash-object"
        | "symbolic-ref" | "bundle" | "format-patch" | "reflog" | "checkout-index" => {
            writes(&format!("runs `git {name}`, which changes the repository"))
        }
        "difftool" | "mergetool" | "gui" | "instaweb" | "citool" | "help" | "web--browse" => {
            Deed::ask(Class::RunsCode, format!("runs another program through `git {name}`"))
        }
        "" => Deed::ask(Class::Unknown, "runs `git` without saying what for"),
        _ => Deed::ask(
            Class::Unknown,
            format!("runs `git {}`, which may be an alias for anything", code(name).trim_matches('`')),
        ),
    }
}

fn listed(run: &Run<'_>, named: &[&Word]) -> String {
    if named.is_empty() { "what is there".to_owned() } else { names(run, named) }
}

/// `git checkout -- file`, `git checkout .`, `git restore file`.
fn is_overwriting(name: &str, args: &[Word]) -> bool {
    if name == "restore" {
        return !has(args, "S", &["staged"]) || has(args, "W", &["worktree"]);
    }
    args.iter().any(|word| word.text == "--")
        || operands(args).iter().any(|word| matches!(word.text.as_str(), "." | "./" | ":/" | "*"))
}

fn push(run: &Run<'_>, args: &[Word]) -> Deed {
    let named = operands(args);
    let force = has(args, "f", &["force", "force-with-lease", "force-if-includes"])
        || named.iter().skip(1).any(|word| word.text.starts_with('+'));
    let everything = has(args, "", &["all", "branches"]) || named.iter().any(|word| word.text.contains('*'));
    let remote = named.first().map_or_else(|| "the remote".to_owned(), |remote| code(&remote.text));
    if has(args, "", &["receive-pack", "exec"]) {
        return Deed::ask(Class::RunsCode, format!("pushes to {remote} through another program"));
    }
    if has(args, "", &["mirror"]) || force && everything {
        return Deed::deny(format!("overwrites every branch of {remote}, where others' work would be lost"));
    }
    if force {
        return Deed::ask(
            Class::Destructive,
            format!("overwrites branches of {remote}, where others' work may be lost"),
        );
    }
    if has(args, "d", &["delete", "prune"]) || named.iter().skip(1).any(|word| word.text.starts_with(':')) {
        return Deed::ask(Class::Destructive, format!("deletes branches of {remote}"));
    }
    let what = if named.len() > 1 { names(run, named.get(1..).unwrap_or_default()) } else { "commits".to_owned() };
    Deed::ask(Class::Network, format!("sends {what} to {remote}"))
}

fn fetch(name: &str, args: &[Word]) -> Deed {
    let program = args
        .iter()
        .any(|word| word.text.starts_with("--upload-pack") || word.text.starts_with("ext::") || word.text == "-u");
    if program {
        return Deed::ask(Class::RunsCode, format!("runs another program through `git {name}`"));
    }
    let from = operands(args).first().map_or_else(|| "the remote".to_owned(), |word| code(&word.text));
    match name {
        "pull" => Deed::ask(Class::Network, format!("fetches from {from} and merges it into the project's files")),
        "clone" => Deed::ask(Class::Network, format!("copies the project {from} onto this machine")),
        _ => Deed::ask(Class::Network, format!("fetches from {from}")),
    }
}
