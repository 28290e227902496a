//! Commands that make or change files.

use super::super::finding::{Class, Deed};
use super::super::secrets;
use super::super::shell::{Run, Word};
use super::paths::{Does, Part, appends, over, readable, writing};
use super::{both, has, names, operands};
use gavel_core::text::{Message, Piece, Template};
use gavel_core::{say, term};

pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    let named = operands(args);
    Some(match name {
        "touch" => changes(run, &creates, &named, NOTHING),
        "mkdir" | "mkfifo" | "mktemp" => changes(run, &creates, &named, NOTHING),
        "tee" | "sponge" => {
            if has(args, "a", &["append"]) {
                changes(run, &appends, &named, NOTHING)
            } else {
                changes(run, &over, &named, NOTHING)
            }
        }
        "cp" | "mv" | "ln" | "install" | "ditto" => copy(run, name, args, &named),
        "patch" => Deed::ask(Class::Writes, say!("changes files as a patch says")),
        "tar" | "bsdtar" => tar(run, args, &named),
        "unzip" | "7z" | "unrar" | "cpio" | "unar" => {
            Deed::ask(Class::Writes, say!("unpacks {} over what is there", listed(run, &named)))
        }
        "zip" | "gzip" | "gunzip" | "bzip2" | "xz" | "zstd" | "unxz" | "bunzip2" | "compress" => {
            changes(run, &|what| say!("packs or unpacks {}", what), &named, NOTHING)
        }
        "split" | "csplit" => Deed::ask(Class::Writes, say!("writes the pieces of a file")),
        "chsh" | "chfn" | "passwd" => Deed::ask(Class::Outside, say!("changes the user's account")),
        "rsync" if !named.iter().any(|word| word.text.contains(':')) => rsync(run, args, &named),
        "prettier" | "black" | "rustfmt" | "gofmt" | "ruff" | "isort" | "dos2unix" => {
            Deed::ask(Class::Writes, say!("rewrites {} in another style", listed(run, &named)))
        }
        "sort" if has(args, "o", &["output"]) => written_by_option(run, args, "-o", "--output="),
        "tree" if has(args, "o", &[]) => written_by_option(run, args, "-o", "--output="),
        "file" if has(args, "C", &["compile"]) => Deed::ask(Class::Writes, say!("writes a file of magic numbers")),
        "sort" if has(args, "", &["compress-program"]) => {
            Deed::ask(Class::RunsCode, say!("runs another program while it sorts"))
        }
        _ => return None,
    })
}

/// What stands behind what is done, when nothing does.
const NOTHING: Template = term!("");

fn creates(what: Piece) -> Message {
    say!("creates {}", what)
}

fn listed(run: &Run<'_>, named: &[&Word]) -> Message {
    if named.is_empty() { say!("what it is given") } else { names(run, named) }
}

/// Does `does` to each of `files`; the one that reaches farthest decides.
pub(super) fn changes(run: &Run<'_>, does: Does<'_>, files: &[&Word], how: Template) -> Deed {
    let worst = files.iter().filter_map(|file| writing(run, file, does)).max_by_key(Deed::weight);
    match worst {
        Some(worst) if worst.class > Class::Writes => worst,
        Some(worst) if files.len() == 1 => Deed { why: say!("{}{}", worst.why, how), ..worst },
        _ => Deed::ask(Class::Writes, say!("{}{}", does(listed(run, files).into()), how)),
    }
}

fn copy(run: &Run<'_>, name: &str, args: &[Word], named: &[&Word]) -> Deed {
    let does = |what: Message| match name {
        "mv" => say!("moves {}", what),
        "ln" => say!("links {}", what),
        _ => say!("copies {}", what),
    };
    // `-t DIR` names the target first.
    let target = args.iter().position(|word| word.text == "-t").and_then(|at| args.get(at + 1));
    let (to, from) = match (target, named.split_last()) {
        (Some(target), _) => (target, named.iter().copied().filter(|word| *word != target).collect()),
        (None, Some((to, from))) if !from.is_empty() => (*to, from.to_vec()),
        _ => return Deed::ask(Class::Writes, does(listed(run, named))),
    };
    let secret = from.iter().find_map(|word| Some((word, secrets::reason(&word.text)?)));
    let secret = secret.map_or_else(Message::default, |(word, what)| {
        say!(", although {} usually holds {}", run.name(&word.text), what)
    });
    let moved = |to: Piece| say!("{} to {}", does(names(run, &from)), to);
    let deed = writing(run, to, &moved)
        .unwrap_or_else(|| Deed::ask(Class::Writes, say!("{} to nowhere", does(names(run, &from)))));
    let deed = Deed { why: say!("{}{}", deed.why, secret), ..deed };
    let beyond =
        from.iter().find_map(|word| readable(run, word, Part::Name).err()).filter(|beyond| beyond.class > Class::Reads);
    match beyond {
        Some(beyond) => both(deed, beyond),
        None => deed,
    }
}

fn tar(run: &Run<'_>, args: &[Word], named: &[&Word]) -> Deed {
    let runs = [
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "--rsh-command",
        "--info-script",
        "--new-volume-script",
    ];
    if args
        .iter()
        .any(|word| runs.iter().any(|start| word.text.starts_with(start)) || word.text == "-I" || word.text == "-F")
    {
        return Deed::ask(Class::RunsCode, say!("runs another program through `tar`"));
    }
    let mode = args.first().map(|word| word.text.trim_start_matches('-').to_owned()).unwrap_or_default();
    if mode.contains('t') && !mode.contains(['x', 'c']) {
        return Deed::ask(Class::Reads, say!("lists what is packed in {}", listed(run, named)));
    }
    if mode.contains('c') {
        return Deed::ask(Class::Writes, say!("packs {}", listed(run, named)));
    }
    let folder = args.iter().position(|word| word.text == "-C").and_then(|at| args.get(at + 1));
    match folder.and_then(|folder| writing(run, folder, &|what| say!("unpacks an archive over {}", what))) {
        Some(deed) => deed,
        None => Deed::ask(Class::Writes, say!("unpacks an archive over what is there")),
    }
}

fn rsync(run: &Run<'_>, args: &[Word], named: &[&Word]) -> Deed {
    if has(args, "e", &["rsh", "rsync-path"]) {
        return Deed::ask(Class::RunsCode, say!("runs another program through `rsync`"));
    }
    if args.iter().any(|word| word.text.starts_with("--delete") || word.text == "--remove-source-files") {
        return Deed::ask(Class::Destructive, say!("copies {} and deletes what else is there", listed(run, named)));
    }
    copy(run, "cp", args, named)
}

fn written_by_option(run: &Run<'_>, args: &[Word], short: &str, long: &str) -> Deed {
    let next = args
        .iter()
        .position(|word| word.text == short || word.text == long.trim_end_matches('='))
        .and_then(|at| args.get(at + 1))
        .cloned();
    let attached = args.iter().find_map(|word| {
        let rest =
            word.text.strip_prefix(long).or_else(|| word.text.strip_prefix(short)).filter(|rest| !rest.is_empty())?;
        Some(Word { text: rest.to_owned(), ..word.clone() })
    });
    match next.or(attached) {
        Some(file) => writing(run, &file, &over).unwrap_or_else(|| Deed::ask(Class::Reads, say!("writes to nowhere"))),
        None => Deed::ask(Class::Writes, say!("writes a file")),
    }
}
