//! `git`: what of it changes something, talks to another machine or runs other programs.

use super::super::super::finding::{Class, Deed};
use super::super::super::phrase::{code, plain};
use super::super::super::shell::{Run, Word};
use super::super::{Around, argv, both, has, names, operands, texts};
use gavel_core::text::{Message, Piece};
use gavel_core::{say, term};

/// Options that turn a reading subcommand into something else.
pub(super) fn turned(run: &Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    for (at, word) in args.iter().enumerate() {
        let text = word.text.as_str();
        if text == "--" {
            break;
        }
        if let Some(file) = text.strip_prefix("--output=") {
            let file = Word { text: file.to_owned(), ..word.clone() };
            return super::super::writing(run, &file, &super::super::over)
                .or_else(|| Some(Deed::ask(Class::Writes, say!("writes a file"))));
        }
        let runs = match text {
            "--output" | "--outp" | "--outpu" => {
                let file = args.get(at + 1)?;
                return super::super::writing(run, file, &super::super::over)
                    .or_else(|| Some(Deed::ask(Class::Writes, say!("writes a file"))));
            }
            "--ext-diff" | "--textconv" | "--filters" => true,
            // Another git, by the submodule's own settings.
            "--submodule=diff" => true,
            "--show-signature" | "--verify-signatures" => true,
            // Signatures are checked by another program.
            _ if text.contains("%G") || text.contains("%(signature") => {
                return Some(Deed::ask(
                    Class::RunsCode,
                    say!("runs `git {}`, which starts another program to check signatures", plain(name)),
                ));
            }
            "--no-index" => {
                return Some(Deed::ask(
                    Class::Outside,
                    say!("runs `git {}` on files outside of what git tracks", plain(name)),
                ));
            }
            "--untracked" | "--no-exclude-standard" => {
                return Some(Deed::ask(
                    Class::Reads,
                    say!("runs `git {}` on files that git doesn't track, perhaps with secrets", plain(name)),
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
                say!("runs another program through {}", code(&format!("git {name} {text}"))),
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
    let writes = |why: Message| Deed::ask(Class::Writes, why);
    let destroys = |why: Message| Deed::ask(Class::Destructive, why);
    match name {
        "add" | "stage" => writes(say!("marks {} for the next commit", listed(run, &named))),
        "commit" => Deed::ask(
            Class::RunsCode,
            say!(
                "{} in git, and runs the project's commit hooks",
                if has(args, "", &["amend"]) { term!("replaces the last commit") } else { term!("records a commit") }
            ),
        ),
        "mv" => writes(say!("moves {}", listed(run, &named))),
        "rm" if has(args, "", &["cached"]) => writes(say!("stops tracking {}", listed(run, &named))),
        "rm" => destroys(say!("deletes {} and stops tracking it", listed(run, &named))),
        "reset" if has(args, "", &["hard", "merge", "keep"]) => {
            destroys(say!("throws away all changes that aren't committed"))
        }
        "reset" => writes(say!("moves the branch or what is marked for the next commit")),
        "clean" if has(args, "n", &["dry-run"]) && !has(args, "f", &["force"]) => {
            Deed::ask(Class::Reads, say!("shows what would be deleted"))
        }
        "clean" => destroys(say!("deletes every file that git doesn't track")),
        "checkout" | "restore" if is_overwriting(name, args) => {
            destroys(say!("throws away changes to {} that aren't committed", listed(run, &named)))
        }
        "checkout" | "switch" if has(args, "f", &["force", "discard-changes"]) => {
            destroys(say!("switches branches and throws away what isn't committed"))
        }
        "checkout" | "switch" => Deed::ask(
            Class::RunsCode,
            say!("switches to {}, and runs the project's checkout hook", listed(run, &named)),
        ),
        "stash" if matches!(first, "drop" | "clear") => destroys(say!("throws away changes that were put aside")),
        "stash" => writes(say!("puts changes aside or takes them back")),
        "branch" if has(args, "dD", &["delete"]) => destroys(say!("deletes the branch {}", listed(run, &named))),
        "branch" if has(args, "fMC", &["force"]) => destroys(say!("moves the branch {} by force", listed(run, &named))),
        "branch" => writes(say!("creates or changes the branch {}", listed(run, &named))),
        "tag" if has(args, "d", &["delete"]) => destroys(say!("deletes the tag {}", listed(run, &named))),
        "tag" => writes(say!("creates the tag {}", listed(run, &named))),
        "push" => push(run, args),
        "fetch" | "pull" | "clone" | "ls-remote" | "remote-https" | "send-email" | "archive"
            if name != "archive" || has(args, "", &["remote"]) =>
        {
            fetch(name, args)
        }
        "archive" => writes(say!("packs the project's files")),
        "remote" if matches!(first, "show" | "update" | "prune") => {
            Deed::ask(Class::Network, say!("asks the other machine about its branches"))
        }
        "remote" => writes(say!("changes where the project is pushed to and fetched from")),
        "submodule" if first == "foreach" => {
            let inner = argv(run, around, args.get(1..).unwrap_or_default());
            both(inner, Deed::ask(Class::RunsCode, say!("runs a command in every submodule")))
        }
        "submodule" | "lfs" | "subtree" => {
            Deed::ask(Class::Network, say!("runs `git {}`, which may fetch other projects", plain(name)))
        }
        "config" => Deed::ask(
            Class::RunsCode,
            say!("changes git's setting {}, and some of them make git run programs", listed(run, &named)),
        ),
        "filter-branch" | "filter-repo" => destroys(say!("rewrites the whole history")),
        "update-ref" | "replace" => destroys(say!("moves or deletes branches behind git's back")),
        "gc" | "prune" | "repack" | "maintenance" | "pack-refs" => {
            destroys(say!("removes what git no longer needs, lost work too"))
        }
        "worktree" if first == "remove" => destroys(say!("deletes a work tree")),
        "worktree" | "init" => writes(say!("creates a work tree or repository")),
        "rebase" if has(args, "x", &["exec"]) => {
            Deed::ask(Class::RunsCode, say!("rewrites commits and runs a command after each"))
        }
        "rebase" | "merge" | "cherry-pick" | "revert" | "am" | "apply" => Deed::ask(
            Class::RunsCode,
            say!("runs `git {}`, which changes files and runs the project's hooks", plain(name)),
        ),
        "bisect" if first == "run" => Deed::ask(Class::RunsCode, say!("runs a command on one commit after another")),
        "bisect" | "notes" | "sparse-checkout" | "update-index" | "read-tree" | "write-tree" | "hash-object"
        | "symbolic-ref" | "bundle" | "format-patch" | "reflog" | "checkout-index" => {
            writes(say!("runs `git {}`, which changes the repository", plain(name)))
        }
        "difftool" | "mergetool" | "gui" | "instaweb" | "citool" | "help" | "web--browse" => {
            Deed::ask(Class::RunsCode, say!("runs another program through `git {}`", plain(name)))
        }
        "" => Deed::ask(Class::Unknown, say!("runs `git` without saying what for")),
        _ => {
            Deed::ask(Class::Unknown, say!("runs {}, which may be an alias for anything", code(&format!("git {name}"))))
        }
    }
}

fn listed(run: &Run<'_>, named: &[&Word]) -> Message {
    if named.is_empty() { say!("what is there") } else { names(run, named) }
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
    let remote = named.first().map_or_else(|| Piece::from(term!("the remote")), |remote| code(&remote.text));
    if has(args, "", &["receive-pack", "exec"]) {
        return Deed::ask(Class::RunsCode, say!("pushes to {} through another program", remote));
    }
    if has(args, "", &["mirror"]) || force && everything {
        return Deed::deny(say!("overwrites every branch of {}, where others' work would be lost", remote));
    }
    if force {
        return Deed::ask(
            Class::Destructive,
            say!("overwrites branches of {}, where others' work may be lost", remote),
        );
    }
    if has(args, "d", &["delete", "prune"]) || named.iter().skip(1).any(|word| word.text.starts_with(':')) {
        return Deed::ask(Class::Destructive, say!("deletes branches of {}", remote));
    }
    let what = if named.len() > 1 { names(run, named.get(1..).unwrap_or_default()) } else { say!("commits") };
    Deed::ask(Class::Network, say!("sends {} to {}", what, remote))
}

fn fetch(name: &str, args: &[Word]) -> Deed {
    let program = args
        .iter()
        .any(|word| word.text.starts_with("--upload-pack") || word.text.starts_with("ext::") || word.text == "-u");
    if program {
        return Deed::ask(Class::RunsCode, say!("runs another program through `git {}`", plain(name)));
    }
    let from = operands(args).first().map_or_else(|| Piece::from(term!("the remote")), |word| code(&word.text));
    match name {
        "pull" => Deed::ask(Class::Network, say!("fetches from {} and merges it into the project's files", from)),
        "clone" => Deed::ask(Class::Network, say!("copies the project {} onto this machine", from)),
        _ => Deed::ask(Class::Network, say!("fetches from {}", from)),
    }
}
