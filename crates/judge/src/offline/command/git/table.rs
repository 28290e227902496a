//! The subcommands of `git` that only read, and the options that keep them so.

use super::super::options::Known;
use gavel_core::term;
use gavel_core::text::Template;

/// What the operands of a subcommand may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    None,
    /// Revisions, and paths inside the project.
    Any,
    /// Only with an option that makes a list of it.
    Listed,
    /// A pattern, then revisions and paths.
    Pattern,
}

pub(super) struct Sub {
    pub names: &'static [&'static str],
    /// What it does, for the sentence.
    pub does: Template,
    pub known: Known,
    pub operands: Operands,
}

const LOG: &str = "oneline graph all decorate=? no-decorate stat=? shortstat numstat patch no-patch name-only name-status follow \
    reverse merges no-merges first-parent abbrev-commit no-abbrev-commit abbrev=? since= after= until= before= author= committer= \
    grep= invert-grep regexp-ignore-case extended-regexp fixed-strings format=? pretty=? date= relative-date max-count= skip= \
    branches=? tags=? remotes=? topo-order date-order author-date-order diff-filter= summary unified= color=? no-color \
    word-diff=? ignore-all-space ignore-space-change ignore-blank-lines pickaxe-all pickaxe-regex left-right cherry-pick cherry \
    boundary full-history simplify-by-decoration ancestry-path no-renames find-renames=? find-copies=? raw minimal histogram \
    patience full-index binary no-ext-diff no-textconv compact-summary dirstat=? cumulative source no-notes show-pulls quiet \
    cached staged merge-base exit-code check no-prefix relative=? text function-context inter-hunk-context= no-walk \
    indent-heuristic diff-algorithm= encoding= submodule=? count children parents objects-edge z cc min-parents= \
    max-parents= root summary left-only right-only";

const fn sub(
    names: &'static [&'static str],
    does: Template,
    (letters, valued, long): (&'static str, &'static str, &'static str),
    operands: Operands,
) -> Sub {
    Sub { names, does, known: Known { letters, valued, long, number: true }, operands }
}

pub(super) const SUBS: &[Sub] = &[
    sub(
        &["status"],
        term!("shows what has changed"),
        (
            "sbvuz",
            "",
            "short branch porcelain=? long verbose untracked-files=? ignored=? show-stash ahead-behind no-ahead-behind renames no-renames column=? no-column",
        ),
        Operands::Any,
    ),
    sub(
        &["log", "whatchanged", "show", "diff", "rev-list", "diff-tree", "diff-index", "diff-files"],
        term!("shows the history or what has changed"),
        ("pusrgimcRMCDBwbaztEFW", "nSGUL", LOG),
        Operands::Any,
    ),
    sub(
        &["shortlog"],
        term!("counts commits by author"),
        ("sncew", "", "numbered summary email committer group= since= after= until= before= all no-merges merges"),
        Operands::Any,
    ),
    sub(
        &["reflog"],
        term!("shows where branches have been"),
        ("pg", "n", "all oneline format= pretty= date= max-count= stat"),
        Operands::Any,
    ),
    sub(
        &["blame", "annotate"],
        term!("shows who wrote which line"),
        (
            "wsefnlMCtcb",
            "L",
            "date= show-email show-name show-number porcelain line-porcelain root incremental abbrev= since= color-lines",
        ),
        Operands::Any,
    ),
    sub(
        &["branch"],
        term!("lists branches"),
        (
            "arvq",
            "",
            "all remotes list verbose show-current merged=? no-merged=? contains= no-contains= points-at= sort= format= column=? no-column color=? no-color abbrev=? ignore-case",
        ),
        Operands::Listed,
    ),
    sub(
        &["tag"],
        term!("lists tags"),
        ("ln", "", "list sort= format= contains= no-contains= points-at= merged=? no-merged=? column=? ignore-case"),
        Operands::Listed,
    ),
    sub(&["remote"], term!("lists remotes"), ("v", "", "verbose"), Operands::None),
    sub(
        &["rev-parse"],
        term!("resolves a revision"),
        (
            "q",
            "",
            "short=? abbrev-ref=? show-toplevel show-prefix show-cdup git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository verify quiet symbolic symbolic-full-name all branches tags absolute-git-dir show-superproject-working-tree is-shallow-repository",
        ),
        Operands::Any,
    ),
    sub(
        &["describe"],
        term!("names a revision"),
        ("", "", "all tags long always dirty=? abbrev= match= exclude= contains exact-match first-parent candidates="),
        Operands::Any,
    ),
    sub(
        &["ls-files"],
        term!("lists files"),
        (
            "cdmoiskutvzf",
            "x",
            "cached deleted modified others ignored stage unmerged killed exclude-standard exclude= full-name error-unmatch abbrev=? eol deduplicate directory no-empty-directory",
        ),
        Operands::Any,
    ),
    sub(
        &["ls-tree"],
        term!("lists files"),
        ("drtlz", "", "long name-only name-status full-name full-tree abbrev=? object-only"),
        Operands::Any,
    ),
    sub(&["cat-file"], term!("shows an object"), ("tspe", "", ""), Operands::Any),
    sub(
        &["merge-base"],
        term!("finds where branches part"),
        ("a", "", "all is-ancestor octopus independent fork-point"),
        Operands::Any,
    ),
    sub(
        &["name-rev", "show-ref", "show-branch", "count-objects", "cherry", "check-ignore", "range-diff"],
        term!("shows what git knows"),
        ("vaHdsnq", "", "tags heads head verify hash=? dereference quiet verbose name-only all always no-undefined"),
        Operands::Any,
    ),
    sub(
        &["for-each-ref"],
        term!("lists branches and tags"),
        ("", "", "count= sort= format= points-at= merged=? no-merged=? contains= no-contains= ignore-case"),
        Operands::Any,
    ),
    sub(&["symbolic-ref"], term!("resolves a name"), ("q", "", "short quiet"), Operands::Any),
    sub(
        &["grep"],
        term!("searches the files that git tracks"),
        (
            "aiIwvhHEGPFnlLzcopWqr",
            "eABCm",
            "extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match count ignore-case word-regexp invert-match show-function function-context only-matching and or not all-match quiet max-depth= recursive no-color color=? break heading cached full-name text context= after-context= before-context= max-count=",
        ),
        Operands::Pattern,
    ),
];
