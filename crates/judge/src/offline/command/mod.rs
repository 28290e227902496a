//! What one command does.

mod code;
mod find;
mod git;
mod grep;
mod network;
mod options;
mod paths;
mod readers;
mod remove;
mod sed;
mod shells;
mod system;
mod wrap;
mod write;

use super::finding::{Class, Deed};
use super::phrase::{self, code as quoted, plain};
use super::shell::{Origin, Run, Word};
use gavel_core::say;
use gavel_core::text::Message;
pub(super) use paths::{appends, over, reading, special, writing};
pub(super) use readers::condition;

/// What a command is given to read.
#[derive(Debug, Clone)]
pub(super) enum Fed {
    /// Nothing that is known of.
    Nothing,
    /// This text.
    Text(String, Origin),
    /// Whatever this command writes.
    By(String),
}

/// A simple command.
pub(super) struct Simple<'a> {
    pub words: &'a [Word],
    /// Variables that are set for it alone.
    pub settings: &'a [(String, Word)],
    /// Where it stands in the original.
    pub span: (usize, usize),
    /// Where the text that it stands in comes from.
    pub origin: Origin,
    pub fed: &'a Fed,
}

/// How a command line came to be judged.
#[derive(Clone, Copy)]
struct Around<'a> {
    span: (usize, usize),
    origin: Origin,
    fed: &'a Fed,
    /// How many commands have started it in turn.
    depth: usize,
}

/// How many commands may start one another.
const DEEPEST: usize = 12;

/// Notes what `simple` does.
pub(super) fn judge(run: &mut Run<'_>, simple: &Simple<'_>) {
    let around = Around { span: simple.span, origin: simple.origin, fed: simple.fed, depth: 0 };
    let mut deed = argv(run, around, simple.words);
    for (name, value) in simple.settings {
        let set = setting(name, &value.text);
        let set = set.unwrap_or_else(|| Deed::ask(Class::Reads, say!("sets {} for one command", quoted(name))));
        deed = both(deed, set);
    }
    run.note(simple.span, deed);
}

/// Two things at once: the worse one decides, and both are said when the other isn't harmless.
fn both(one: Deed, other: Deed) -> Deed {
    let (worse, lesser) = if other.weight() > one.weight() { (other, one) } else { (one, other) };
    if lesser.class > Class::Reads && lesser.why != worse.why {
        return Deed { why: say!("{} and {}", worse.why, lesser.why), ..worse };
    }
    worse
}

/// What the command line `words` does.
fn argv(run: &mut Run<'_>, around: Around<'_>, words: &[Word]) -> Deed {
    let Some((name, args)) = words.split_first() else {
        return Deed::ask(Class::Reads, say!("runs no command of its own"));
    };
    if around.depth > DEEPEST {
        run.doubt(say!("starts commands through too many others"));
        return Deed::ask(Class::Unknown, say!("starts commands through too many others"));
    }
    let around = Around { depth: around.depth + 1, ..around };
    for word in words {
        if let Some(odd) = word.odd {
            run.deceives(say!("{}, to mean {}", odd, quoted(&word.text)));
        }
    }
    if (name.quoted || name.glob) && name.odd.is_none() {
        run.deceives(say!("writes the name of a command in an odd way, to mean {}", quoted(&name.text)));
    }
    if !name.exact || name.glob {
        // Best effort: what is known of the name may still tell the worst.
        let known = name.text.split_whitespace().next().filter(|first| !first.contains(['$', '`']) && !name.glob);
        let split: Vec<Word> = name
            .text
            .split_whitespace()
            .map(|text| Word { text: text.to_owned(), exact: true, ..name.clone() })
            .collect();
        if known.is_some() && (split.len() > 1 || name.odd.is_some()) {
            let split: Vec<Word> = split
                .into_iter()
                .map(|word| Word { odd: None, quoted: false, ..word })
                .chain(args.iter().cloned())
                .collect();
            let inner = argv(run, around, &split);
            return both(inner, Deed::ask(Class::RunsCode, say!("makes up the command {}", quoted(&name.text))));
        }
        return Deed::ask(Class::RunsCode, say!("runs whatever {} turns out to be", quoted(&name.text)));
    }
    let (folder, base) = name.text.rsplit_once('/').unwrap_or(("", &name.text));
    if base.is_empty() {
        return Deed::ask(Class::Unknown, say!("runs {}, which is no command", quoted(&name.text)));
    }
    let (base, renamed) = match base.strip_suffix(".exe") {
        Some(stem) => (stem, true),
        None => (base, false),
    };
    let deed = known(run, around, base, args);
    let deed = if renamed { deed.map(|deed| distrust(deed, say!("may be any program"))) } else { deed };
    let deed = deed.unwrap_or_else(|| unknown(&name.text, args));
    if folder.is_empty() && !name.text.starts_with('/') || matches!(folder, "/bin" | "/usr/bin") {
        return deed;
    }
    // It bears a known name, but nobody knows whether it is that program.
    match folder {
        "/sbin" | "/usr/sbin" | "/usr/local/bin" | "/opt/homebrew/bin" => {
            distrust(deed, say!("lies outside the usual folders"))
        }
        _ => both(
            distrust(deed, say!("may be any program")),
            Deed::ask(Class::RunsCode, say!("runs the program {}", quoted(&name.text))),
        ),
    }
}

fn known(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    // `cargo --version` and the like do nothing but that.
    if let [only] = args
        && matches!(only.text.as_str(), "--version" | "-V" | "-v" | "version")
        && code::tells_its_version(name, &only.text)
    {
        return Some(Deed::allow(say!("tells the version of `{}`", plain(name))));
    }
    wrap::judge(run, around, name, args)
        .or_else(|| shells::judge(run, around, name, args))
        .or_else(|| remove::judge(run, name, args))
        .or_else(|| write::judge(run, name, args))
        .or_else(|| find::judge(run, around, name, args))
        .or_else(|| git::judge(run, around, name, args))
        .or_else(|| grep::judge(run, name, args))
        .or_else(|| sed::judge(run, name, args))
        .or_else(|| network::judge(run, name, args))
        .or_else(|| code::judge(name, args))
        .or_else(|| system::judge(name, args))
        .or_else(|| readers::judge(run, name, args))
}

fn unknown(name: &str, args: &[Word]) -> Deed {
    if name.contains('/') {
        return Deed::ask(Class::RunsCode, say!("runs the program {}", quoted(name)));
    }
    match args {
        [only] if matches!(only.text.as_str(), "--help" | "--version") => {
            Deed::ask(Class::Unknown, say!("runs {}, only to tell about itself", quoted(name)))
        }
        _ => Deed::ask(Class::Unknown, say!("runs {}, which isn't known here", quoted(name))),
    }
}

/// What was proven is no longer.
fn distrust(deed: Deed, why: Message) -> Deed {
    match deed.recommendation {
        gavel_core::Recommendation::Allow => Deed::ask(deed.class, say!("{}, but it {}", deed.why, why)),
        _ => deed,
    }
}

/// Why giving this variable a value makes commands do other things; nothing if it doesn't.
pub(super) fn setting(name: &str, value: &str) -> Option<Deed> {
    let base = name.split('[').next().unwrap_or(name);
    let loads = matches!(
        base,
        "LD_PRELOAD"
            | "LD_AUDIT"
            | "LD_LIBRARY_PATH"
            | "DYLD_INSERT_LIBRARIES"
            | "DYLD_LIBRARY_PATH"
            | "PYTHONSTARTUP"
            | "PYTHONPATH"
            | "PYTHONHOME"
            | "PERL5OPT"
            | "PERL5LIB"
            | "RUBYOPT"
            | "RUBYLIB"
            | "NODE_OPTIONS"
            | "NODE_PATH"
            | "BASH_ENV"
            | "ENV"
            | "JAVA_TOOL_OPTIONS"
            | "CLASSPATH"
            | "GCONV_PATH"
            | "RUSTC_WRAPPER"
            | "RUSTFLAGS"
            | "LUA_INIT"
            | "PROMPT_COMMAND"
            | "PS4"
            | "BASH_FUNC_ls%%"
            | "ZDOTDIR"
    );
    let runs = matches!(
        base,
        "PAGER"
            | "EDITOR"
            | "VISUAL"
            | "BROWSER"
            | "LESSOPEN"
            | "LESSCLOSE"
            | "MANPAGER"
            | "SHELL"
            | "RIPGREP_CONFIG_PATH"
            | "SSH_ASKPASS"
            | "SUDO_ASKPASS"
            | "CC"
            | "CXX"
            | "LD"
            | "MAKEFLAGS"
            | "FZF_DEFAULT_COMMAND"
    ) || base.starts_with("GIT_") && !matches!(base, "GIT_PAGER" if matches!(value, "cat" | ""));
    match base {
        "PATH" => Some(Deed::ask(Class::RunsCode, say!("sets `PATH`, which decides what programs the names mean"))),
        "IFS" => Some(Deed::ask(Class::RunsCode, say!("sets `IFS`, which decides where words end"))),
        "HOME" | "CDPATH" | "TMPDIR" => {
            Some(Deed::ask(Class::Outside, say!("sets `{}`, which moves paths elsewhere", plain(base))))
        }
        _ if loads => {
            Some(Deed::ask(Class::RunsCode, say!("sets `{}`, which loads other code into programs", plain(base))))
        }
        _ if runs => Some(Deed::ask(
            Class::RunsCode,
            say!("sets `{}`, which makes a command run {}", plain(base), quoted(value)),
        )),
        _ => None,
    }
}

/// The texts of `words`.
fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// The words that are no options; what follows `--` is none in any case.
fn operands(args: &[Word]) -> Vec<&Word> {
    let mut ended = false;
    args.iter()
        .filter(|word| {
            let mark = !ended && word.text == "--";
            ended |= mark;
            !mark && (ended || !word.text.starts_with('-') || word.text == "-")
        })
        .collect()
}

/// Whether one of the short options in `letters`, alone or in a cluster, or one of the `long` ones is given.
fn has(args: &[Word], letters: &str, long: &[&str]) -> bool {
    args.iter().take_while(|word| word.text != "--").any(|word| {
        let text = word.text.as_str();
        match text.strip_prefix("--") {
            Some(name) => long.contains(&name.split('=').next().unwrap_or(name)),
            None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(|c| letters.contains(c))),
        }
    })
}

/// Up to three names of things, as they are best shown.
fn names(run: &Run<'_>, words: &[&Word]) -> Message {
    phrase::join(words.iter().map(|word| run.name(&word.text)).collect())
}
