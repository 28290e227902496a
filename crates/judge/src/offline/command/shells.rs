//! Commands that take shell text, or a program in another language.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::shell::{self, Origin, Run, Word};
use super::{Around, Fed, has, operands};
use gavel_core::text::{Message, Piece};
use gavel_core::{say, term};

const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh", "tcsh", "csh"];

pub(super) fn judge(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    Some(match name {
        _ if SHELLS.contains(&name) => shell(run, around, name, args),
        "eval" => joined(run, around, args, say!("puts a command together from text and runs it")),
        "watch" => {
            let first = args.iter().position(|word| !word.text.starts_with('-') && word.text.parse::<f64>().is_err());
            let rest = args.get(first.unwrap_or(args.len())..).unwrap_or_default();
            joined(run, around, rest, say!("runs a command again and again"))
        }
        "source" | "." => {
            let file = args.first().map_or_else(|| Piece::from(term!("that isn't named")), |word| run.name(&word.text));
            Deed::ask(Class::RunsCode, say!("runs the script {}", file))
        }
        "trap" => match args.first() {
            Some(action) if !action.text.starts_with('-') && args.len() > 1 => {
                text(run, around, action, say!("sets a command to run later"))
            }
            _ => Deed::ask(Class::Reads, say!("shows or clears what is to run later")),
        },
        "alias" | "unalias" => aliases(run, around, args),
        "ssh" => ssh(run, around, args),
        "su" | "runuser" | "script" | "machinectl" => as_another(run, around, name, args),
        _ => return None,
    })
}

fn shell(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Deed {
    let at = args.iter().position(|word| {
        let cluster = word.text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        cluster.is_some_and(|cluster| cluster.contains('c')) || word.text == "--command"
    });
    if let Some(at) = at {
        // The text is the first word behind the options.
        let script = args.get(at + 1..).unwrap_or_default().iter().find(|word| !word.text.starts_with('-'));
        return match script {
            Some(script) => {
                text(run, around, script, say!("runs a script that is given to `{}` as a text", plain(name)))
            }
            None => Deed::ask(Class::RunsCode, say!("starts `{}` with a script that isn't there", plain(name))),
        };
    }
    let script = operands(args).into_iter().find(|word| !matches!(word.text.as_str(), "-" | "pipefail" | "errexit"));
    if let Some(script) = script.filter(|_| !has(args, "s", &[])) {
        return Deed::ask(Class::RunsCode, say!("runs the script {}", run.name(&script.text)));
    }
    match around.fed {
        Fed::Text(script, origin) => {
            note(run, script, *origin);
            Deed::ask(Class::RunsCode, say!("runs a script that is given to `{}` on its input", plain(name)))
        }
        Fed::By(command) => {
            Deed::ask(Class::RunsCode, say!("runs whatever comes out of {} as a script", code(command)))
        }
        Fed::Nothing => Deed::ask(Class::RunsCode, say!("starts a shell, `{}`", plain(name))),
    }
}

/// Reads a text that will be run, in the place where it was given.
fn note(run: &mut Run<'_>, script: &str, origin: Origin) {
    run.doubt(say!("runs a text as a script"));
    shell::read(run, script, origin);
}

/// A word whose value is run as a script.
pub(super) fn text(run: &mut Run<'_>, around: Around<'_>, word: &Word, does: Message) -> Deed {
    let origin = match word.verbatim {
        Some(at) => around.origin.inner(at, around.span),
        None => {
            let (start, end) =
                if word.end > word.start { around.origin.span(word.start, word.end) } else { around.span };
            Origin::Within(start, end)
        }
    };
    note(run, &word.text, origin);
    if word.exact {
        return Deed::ask(Class::RunsCode, does);
    }
    Deed::ask(Class::RunsCode, say!("{}, part of which isn't known before it runs", does))
}

/// Words that are joined and run as a script.
fn joined(run: &mut Run<'_>, around: Around<'_>, words: &[Word], does: Message) -> Deed {
    match words {
        [] => Deed::ask(Class::RunsCode, does),
        [only] => text(run, around, only, does),
        [first, .., last] => {
            let whole: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            let exact = words.iter().all(|word| word.exact);
            let word = Word { start: first.start, end: last.end, text: whole.join(" "), exact, ..Word::default() };
            text(run, around, &word, does)
        }
    }
}

fn aliases(run: &mut Run<'_>, around: Around<'_>, args: &[Word]) -> Deed {
    for word in args {
        if let Some((_, value)) = word.text.split_once('=') {
            let value = Word { text: value.to_owned(), verbatim: None, ..word.clone() };
            let _ = text(run, around, &value, Message::default());
        }
    }
    run.doubt(say!("gives names another meaning"));
    Deed::ask(Class::RunsCode, say!("gives names of commands another meaning"))
}

fn ssh(run: &mut Run<'_>, around: Around<'_>, args: &[Word]) -> Deed {
    let mut rest = args;
    let mut proxy = false;
    while let Some((word, after)) = rest.split_first().filter(|(word, _)| word.text.starts_with('-')) {
        rest = after;
        proxy |= word.text.contains("ProxyCommand") || word.text.contains("LocalCommand");
        if word.text.len() == 2 && word.text.chars().nth(1).is_some_and(|c| "bcDEeFIiJLlmOopQRSWwB".contains(c)) {
            proxy |= rest.first().is_some_and(|value| value.text.contains("Command"));
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    let Some((host, command)) = rest.split_first() else {
        return Deed::ask(Class::Network, say!("runs `ssh` without a host"));
    };
    let host = code(&host.text);
    let logs_in = say!("logs in to {}", host.clone());
    if proxy {
        return Deed::ask(Class::RunsCode, say!("{} by means of another program", logs_in));
    }
    if command.is_empty() {
        return Deed::ask(Class::Network, logs_in);
    }
    // Over there, no path is one of the project's.
    let before = std::mem::replace(&mut run.cwds, vec![None]);
    let there = joined(run, around, command, say!("runs a command on {}", host));
    run.cwds = before;
    there
}

fn as_another(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Deed {
    let at = args.iter().position(|word| matches!(word.text.as_str(), "-c" | "--command" | "-qc"));
    let does = match name {
        "script" => say!("runs a command and records it in a file"),
        _ => say!("runs a command as another user"),
    };
    match at.and_then(|at| args.get(at + 1)) {
        Some(script) => text(run, around, script, does),
        None => Deed::ask(Class::RunsCode, does),
    }
}
