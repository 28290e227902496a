//! Commands that run the command that follows them.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::shell::{Run, Word};
use super::{Around, Fed, argv, both, distrust, setting, shells};
use gavel_core::text::Template;
use gavel_core::{Recommendation, say, term};

/// A command that runs another.
struct Wrapper {
    names: &'static [&'static str],
    /// Short options that take a value.
    valued: &'static str,
    /// Long options that take the next word as their value.
    long: &'static [&'static str],
    /// How many operands stand before the command.
    operands: usize,
    /// What it adds; empty if it adds nothing worth saying.
    adds: Template,
    class: Class,
}

const fn wrapper(
    names: &'static [&'static str],
    valued: &'static str,
    long: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper { names, valued, long, operands, adds: NOTHING, class: Class::Reads }
}

const NOTHING: Template = term!("");

const ROOT: Template = term!("with the full rights of the administrator");

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        names: &["sudo", "doas", "pkexec"],
        valued: "ughpCDRTrtU",
        long: &["user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "other-user", "close-from"],
        operands: 0,
        adds: ROOT,
        class: Class::Outside,
    },
    wrapper(
        &[
            "nohup",
            "setsid",
            "chronic",
            "unbuffer",
            "caffeinate",
            "command",
            "builtin",
            "noglob",
            "coproc",
            "nocorrect",
            "fakeroot",
            "proxychains",
        ],
        "",
        &[],
        0,
    ),
    wrapper(&["exec"], "a", &[], 0),
    wrapper(&["nice"], "n", &["adjustment"], 0),
    wrapper(&["ionice"], "cnpPu", &["class", "classdata"], 0),
    wrapper(&["chrt"], "TPD", &[], 1),
    wrapper(&["taskset"], "", &[], 1),
    wrapper(&["timeout", "gtimeout"], "ks", &["kill-after", "signal"], 1),
    wrapper(&["stdbuf"], "ioe", &["input", "output", "error"], 0),
    wrapper(&["time", "gtime"], "fo", &["format", "output"], 0),
    wrapper(&["strace", "ltrace", "perf"], "eopsuPaEIOSXb", &[], 0),
    wrapper(&["unshare", "systemd-run", "numactl", "prlimit"], "pu", &[], 0),
    Wrapper {
        names: &["chroot"],
        valued: "",
        long: &[],
        operands: 1,
        adds: term!("within another root directory"),
        class: Class::Outside,
    },
    Wrapper { names: &["busybox", "toybox"], valued: "", long: &[], operands: 0, adds: NOTHING, class: Class::Reads },
    Wrapper {
        names: &["direnv"],
        valued: "",
        long: &[],
        operands: 2,
        adds: term!("with what `.envrc` sets"),
        class: Class::RunsCode,
    },
];

pub(super) fn judge(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    match name {
        "command" | "type" if asks_for_a_name(args) => return Some(Deed::allow(say!("tells what a name means"))),
        "sudo" | "doas" if shell_option(args) => {
            return Some(Deed::ask(Class::RunsCode, say!("opens a shell {}", ROOT)));
        }
        "sudo" if args.first().is_some_and(|word| word.text == "-e") => {
            return Some(Deed::ask(Class::Outside, say!("edits a file {}", ROOT)));
        }
        "env" => return Some(env(run, around, args)),
        "xargs" => return Some(xargs(run, around, args)),
        "parallel" => {
            return Some(both(
                xargs(run, around, args),
                Deed::ask(Class::RunsCode, say!("runs a command on each line it is given")),
            ));
        }
        "flock" => return Some(flock(run, around, args)),
        _ => {}
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&name))?;
    let rest = skip(args, wrapper.valued, wrapper.long);
    let mut rest = rest.get(wrapper.operands..).unwrap_or_default();
    let mut set = None;
    while let Some((word, after)) = rest.split_first()
        && matches!(name, "sudo" | "doas")
        && let Some((variable, value)) = assigned(&word.text)
    {
        set = set.or_else(|| setting(variable, value));
        rest = after;
    }
    if rest.is_empty() {
        return Some(Deed::ask(wrapper.class, say!("runs `{}` without a command", plain(name))));
    }
    let inner = distrust(argv(run, around, rest), say!("does so through `{}`", plain(name)));
    let inner = match set {
        Some(set) => both(inner, set),
        None => inner,
    };
    Some(match wrapper.adds {
        NOTHING => inner,
        adds => Deed { class: inner.class.max(wrapper.class), why: say!("{}, {}", inner.why, adds), ..inner },
    })
}

fn asks_for_a_name(args: &[Word]) -> bool {
    matches!(args, [flag, names @ ..] if matches!(flag.text.as_str(), "-v" | "-V") && names.iter().all(|word| word.exact && !word.text.starts_with('-')))
}

fn shell_option(args: &[Word]) -> bool {
    let mut flags = args.iter().take_while(|word| word.text.starts_with('-'));
    let shell = flags.any(|word| matches!(word.text.as_str(), "-i" | "-s" | "--login" | "--shell"));
    shell && args.iter().all(|word| word.text.starts_with('-'))
}

/// The words behind the options.
fn skip<'w>(args: &'w [Word], valued: &str, long: &[&str]) -> &'w [Word] {
    let mut rest = args;
    while let Some((word, after)) = rest.split_first() {
        let text = word.text.as_str();
        if text == "--" {
            return after;
        }
        if !text.starts_with('-') || text == "-" {
            break;
        }
        rest = after;
        let takes = match text.strip_prefix("--") {
            Some(name) => long.contains(&name),
            // The value is the next word only if the letter that takes it is the last one.
            None => text.find(|c| valued.contains(c)).is_some_and(|at| at + 1 == text.len()),
        };
        if takes {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest
}

/// `NAME=value`, taken apart.
fn assigned(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    plain.then_some((name, value))
}

fn env(run: &mut Run<'_>, around: Around<'_>, args: &[Word]) -> Deed {
    // `env -S 'command line'` takes a text apart.
    if let Some(at) = args.iter().position(|word| word.text == "-S" || word.text == "--split-string")
        && let Some(text) = args.get(at + 1)
    {
        return shells::text(run, around, text, say!("runs a command that is given as a text"));
    }
    let mut rest = skip(args, "uC", &["unset", "chdir"]);
    let mut set = None;
    while let Some((word, after)) = rest.split_first()
        && let Some((variable, value)) = assigned(&word.text)
    {
        set = set.or_else(|| setting(variable, value));
        rest = after;
    }
    if rest.is_empty() {
        return Deed::ask(Class::Reads, say!("shows the environment, which often holds keys and passwords"));
    }
    let before = run.cwds.clone();
    if args.iter().any(|word| word.text.starts_with("-C") || word.text.starts_with("--chdir")) {
        run.cwds = vec![None];
    }
    let inner = distrust(argv(run, around, rest), say!("does so through `env`"));
    run.cwds = before;
    match set {
        Some(set) => both(inner, set),
        None => inner,
    }
}

fn xargs(run: &mut Run<'_>, around: Around<'_>, args: &[Word]) -> Deed {
    let rest = skip(
        args,
        "InPLdasEJR",
        &[
            "replace",
            "max-args",
            "max-procs",
            "max-lines",
            "delimiter",
            "arg-file",
            "max-chars",
            "eof",
            "jobs",
            "colsep",
            "arg-sep",
        ],
    );
    let from = match around.fed {
        Fed::By(command) => say!("what comes out of {}", code(command)),
        Fed::Nothing | Fed::Text(..) => say!("what it is given"),
    };
    if rest.is_empty() {
        return Deed::ask(Class::Reads, say!("prints {}", from));
    }
    let name = rest.first().map_or_else(|| plain(""), |word| code(&word.text));
    let inner = argv(run, around, rest);
    let own = Deed::ask(Class::Reads, say!("runs {} on {}", name, from.clone()));
    match rest.first().map(|word| word.text.as_str()) {
        _ if inner.recommendation == Recommendation::Deny => inner,
        Some("rm" | "unlink" | "shred") => Deed::ask(Class::Destructive, say!("deletes {}", from)),
        // What it does depends on arguments that aren't there yet.
        _ if inner.class > Class::Reads => {
            Deed { why: say!("{}, for each of {}", inner.why, from), recommendation: Recommendation::Ask, ..inner }
        }
        _ => own,
    }
}

fn flock(run: &mut Run<'_>, around: Around<'_>, args: &[Word]) -> Deed {
    let rest = skip(args, "wE", &["timeout", "conflict-exit-code"]);
    let rest = rest.get(1..).unwrap_or_default();
    match rest {
        [option, text, ..] if option.text == "-c" => {
            shells::text(run, around, text, say!("runs a command that is given as a text"))
        }
        [] => Deed::ask(Class::Writes, say!("locks a file")),
        rest => distrust(argv(run, around, rest), say!("does so {}", code("flock"))),
    }
}
