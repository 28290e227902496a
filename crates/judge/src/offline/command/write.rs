//! Commands that make or change files.

use super::super::finding::{Class, Deed};
use super::super::secrets;
use super::super::shell::{Run, Word};
use super::paths::{Part, readable, writing};
use super::{both, has, names, operands};

pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    let named = operands(args);
    Some(match name {
        "touch" => changes(run, "creates", &named, ""),
        "mkdir" | "mkfifo" | "mktemp" => changes(run, "creates", &named, ""),
        "tee" | "sponge" => {
            changes(run, if has(args, "a", &["append"]) { "appends to" } else { "writes over" }, &named, "")
        }
        "cp" | "mv" | "ln" | "install" | "ditto" => copy(run, name, args, &named),
        "patch" => Deed::ask(Class::Writes, "changes files as a patch says"),
        "tar" | "bsdtar" => tar(run, args, &named),
        "unzip" | "7z" | "unrar" | "cpio" | "unar" => {
            Deed::ask(Class::Writes, format!("unpacks {} over what is there", listed(run, &named)))
        }
        "zip" | "gzip" | "gunzip" | "bzip2" | "xz" | "zstd" | "unxz" | "bunzip2" | "compress" => {
            changes(run, "packs or unpacks", &named, "")
        }
        "split" | "csplit" => Deed::ask(Class::Writes, "writes the pieces of a file"),
        "chsh" | "chfn" | "passwd" => Deed::ask(Class::Outside, "changes the user's account"),
        "rsync" if !named.iter().any(|word| word.text.contains(':')) => rsync(run, args, &named),
        "prettier" | "black" | "rustfmt" | "gofmt" | "ruff" | "isort" | "dos2unix" => {
            Deed::ask(Class::Writes, format!("rewrites {} in another style", listed(run, &named)))
        }
        "sort" if has(args, "o", &["output"]) => written_by_option(run, args, "-o", "--output="),
        "tree" if has(args, "o", &[]) => written_by_option(run, args, "-o", "--output="),
        "file" if has(args, "C", &["compile"]) => Deed::ask(Class::Writes, "writes a file of magic numbers"),
        "sort" if has(args, "", &["compress-program"]) => {
            Deed::ask(Class::RunsCode, "runs another program while it sorts")
        }
        _ => return None,
    })
}

fn listed(run: &Run<'_>, named: &[&Word]) -> String {
    if named.is_empty() { "what it is given".to_owned() } else { names(run, named) }
}

/// Does `verb` to each of `files`; the one that reaches farthest decides.
pub(super) fn changes(run: &Run<'_>, verb: &str, files: &[&Word], how: &str) -> Deed {
    let tail = if how.is_empty() { String::new() } else { format!(" {how}") };
    let worst = files.iter().filter_map(|file| writing(run, file, verb)).max_by_key(Deed::weight);
    match worst {
        Some(worst) if worst.class > Class::Writes => worst,
        Some(worst) if files.len() == 1 => Deed { why: format!("{}{tail}", worst.why), ..worst },
        _ => Deed::ask(Class::Writes, format!("{verb} {}{tail}", listed(run, files))),
    }
}

fn copy(run: &Run<'_>, name: &str, args: &[Word], named: &[&Word]) -> Deed {
    let verb = match name {
        "mv" => "moves",
        "ln" => "links",
        _ => "copies",
    };
    // `-t DIR` names the target first.
    let target = args.iter().position(|word| word.text == "-t").and_then(|at| args.get(at + 1));
    let (to, from) = match (target, named.split_last()) {
        (Some(target), _) => (target, named.iter().copied().filter(|word| *word != target).collect()),
        (None, Some((to, from))) if !from.is_empty() => (*to, from.to_vec()),
        _ => return Deed::ask(Class::Writes, format!("{verb} {}", listed(run, named))),
    };
    let secret = from.iter().find_map(|word| Some((word, secrets::reason(&word.text)?)));
    let secret = secret
        .map_or_else(String::new, |(word, what)| format!(", although {} usually holds {what}", run.name(&word.text)));
    let how = format!("{verb} {} to", names(run, &from));
    let mut deed = writing(run, to, &how).unwrap_or_else(|| Deed::ask(Class::Writes, format!("{how} nowhere")));
    deed.why.push_str(&secret);
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
        return Deed::ask(Class::RunsCode, "runs another program through `tar`");
    }
    let mode = args.first().map(|word| word.text.trim_start_matches('-').to_owned()).unwrap_or_default();
    if mode.contains('t') && !mode.contains(['x', 'c']) {
        return Deed::ask(Class::Reads, format!("lists what is packed in {}", listed(run, named)));
    }
    if mode.contains('c') {
        return Deed::ask(Class::Writes, format!("packs {}", listed(run, named)));
    }
    let folder = args.iter().position(|word| word.text == "-C").and_then(|at| args.get(at + 1));
    match folder.and_then(|folder| writing(run, folder, "unpacks an archive over")) {
        Some(deed) => deed,
        None => Deed::ask(Class::Writes, "unpacks an archive over what is there"),
    }
}

fn rsync(run: &Run<'_>, args: &[Word], named: &[&Word]) -> Deed {
    if has(args, "e", &["rsh", "rsync-path"]) {
        return Deed::ask(Class::RunsCode, "runs another program through `rsync`");
    }
    if args.iter().any(|word| word.text.starts_with("--delete") || word.text == "--remove-source-files") {
        return Deed::ask(Class::Destructive, format!("copies {} and deletes what else is there", listed(run, named)));
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
        Some(file) => {
            writing(run, &file, "writes over").unwrap_or_else(|| Deed::ask(Class::Reads, "writes to nowhere"))
        }
        None => Deed::ask(Class::Writes, "writes a file"),
    }
}
