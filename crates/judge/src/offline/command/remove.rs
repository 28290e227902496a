//! Commands that destroy.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::place::Place;
use super::super::shell::{Run, Word};
use super::paths::{Does, device, over, writing};
use super::{has, names, operands};
use gavel_core::say;
use gavel_core::text::Message;

pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    let named = operands(args);
    Some(match name {
        "rm" | "grm" | "trash" | "trash-put" | "rimraf" | "srm" => {
            let whole = name == "rimraf" || has(args, "rR", &["recursive", "no-preserve-root"]);
            delete(run, &named, whole)
        }
        "unlink" => delete(run, &named, false),
        "rmdir" => Deed::ask(Class::Writes, say!("deletes the empty directory {}", listed(run, &named))),
        "shred" => on_disks(run, &named, &|what| say!("overwrites {}", what)).unwrap_or_else(|| {
            Deed::ask(Class::Destructive, say!("overwrites {} so that it can't be recovered", listed(run, &named)))
        }),
        "truncate" => on_disks(run, &named, &|what| say!("cuts {}", what))
            .unwrap_or_else(|| Deed::ask(Class::Destructive, say!("cuts off what is in {}", listed(run, &named)))),
        "dd" => dd(run, args),
        "wipefs" | "blkdiscard" | "mkswap" | "fdformat" => wiping_disk(run, name, &named),
        _ if name == "mkfs" || name.starts_with("mkfs.") || name == "newfs" => new_file_system(run, &named),
        "cryptsetup" if named.iter().any(|word| matches!(word.text.as_str(), "luksFormat" | "erase" | "luksErase")) => {
            Deed::deny(say!("encrypts a disk anew: everything on it would be lost"))
        }
        "lvremove" | "vgremove" | "pvremove" => Deed::deny(say!("removes a volume: everything on it would be lost")),
        "zpool" | "zfs" if named.first().is_some_and(|word| word.text == "destroy") => {
            Deed::deny(say!("destroys a pool or a file system: everything on it would be lost"))
        }
        "sgdisk" | "sfdisk" | "parted" | "fdisk" | "cfdisk" | "gdisk" => partitions(name, args),
        "diskutil" if named.first().is_some_and(|word| word.text.to_ascii_lowercase().starts_with("erase")) => {
            Deed::deny(say!("erases a disk: everything on it would be lost"))
        }
        "chmod" | "chown" | "chgrp" | "setfacl" | "chattr" => rights(run, name, args),
        "mv" => moving(run, &named)?,
        _ => return None,
    })
}

fn listed(run: &Run<'_>, named: &[&Word]) -> Message {
    if named.is_empty() { say!("something") } else { names(run, named) }
}

/// Why wiping `word` with everything under it is a catastrophe; nothing if it isn't.
pub(super) fn wiped(run: &Run<'_>, word: &Word) -> Option<Deed> {
    let text = word.text.as_str();
    // What the shell makes of `/*` and `~/.*` is everything in there.
    let stem = text.trim_end_matches(['*', '.', '?']);
    let all = text.ends_with('*') && (stem.is_empty() || stem.ends_with('/'));
    let target = if all { stem } else { text };
    let target = if target.is_empty() { "." } else { target };
    if !word.exact && target.contains(['$', '`', '{', '~']) {
        return None;
    }
    let found = run.place(target);
    match found {
        Place::Pillar(path) if all || text != "." => {
            let name = run.places.shown(&path);
            let what = match name.as_str() {
                "/" => say!("deletes everything on this machine"),
                "~" => say!("deletes the home directory and everything in it"),
                name => say!("deletes {} and everything in it, far beyond the project", code(name)),
            };
            Some(Deed::deny(what))
        }
        Place::Pillar(path) => Some(Deed::deny(say!("deletes {} and everything in it", code(&path)))),
        Place::Inside(path)
            if path == ".git"
                || path.ends_with("/.git")
                || path.starts_with(".git/") && matches!(path.as_str(), ".git/objects" | ".git/refs") =>
        {
            Some(Deed::deny(say!("deletes {}, the whole history of the project", code(&path))))
        }
        Place::Device(path) => Some(device(&path, &|what| say!("deletes {}", what))),
        _ => None,
    }
}

/// The words that braces make of one, if they are simple.
fn spread(word: &Word) -> Vec<Word> {
    let parts = || {
        let (before, rest) = word.text.split_once('{')?;
        let (inside, after) = rest.split_once('}')?;
        let simple = !word.text.contains(['$', '`']) && inside.contains(',') && !after.contains('{');
        simple.then(|| inside.split(',').take(32).map(|part| format!("{before}{part}{after}")).collect::<Vec<_>>())
    };
    match parts() {
        Some(texts) => texts.into_iter().map(|text| Word { text, exact: true, ..word.clone() }).collect(),
        None => vec![word.clone()],
    }
}

fn delete(run: &Run<'_>, named: &[&Word], whole: bool) -> Deed {
    let spread = |word: &&Word| spread(word).into_iter().find_map(|word| wiped(run, &word));
    if whole && let Some(deny) = named.iter().find_map(spread) {
        return deny;
    }
    let outside = named.iter().any(|word| {
        matches!(run.place(&word.text), Place::Outside(_) | Place::Pillar(_) | Place::Device(_)) && word.exact
    });
    let loose = named.iter().find(|word| !word.exact);
    let mut why = if whole {
        say!("deletes {} and everything under it", listed(run, named))
    } else {
        say!("deletes {}", listed(run, named))
    };
    if outside {
        why = say!("{}, outside the project", why);
    }
    if let Some(loose) = loose {
        why = say!("deletes {}, whatever that turns out to be", code(&loose.text));
        let after = loose.text.find('$').and_then(|at| loose.text.get(at..)).and_then(|rest| rest.find('/'));
        if whole && loose.text.starts_with('$') && after.is_some() {
            why = say!("{}; were it empty, everything on this machine", why);
        }
    }
    Deed::ask(Class::Destructive, why)
}

fn on_disks(run: &Run<'_>, named: &[&Word], does: Does<'_>) -> Option<Deed> {
    named.iter().find_map(|word| match run.place(&word.text) {
        Place::Device(path) => Some(device(&path, does)),
        _ => None,
    })
}

/// On a file it is mere work; on a disk, or on what isn't known, it is the end of what was there.
fn new_file_system(run: &Run<'_>, named: &[&Word]) -> Deed {
    let why = say!("makes a new file system on {}: everything on it would be lost", listed(run, named));
    let disk = |word: &&&Word| !word.exact || matches!(run.place(&word.text), Place::Device(_));
    if named.iter().any(|word| disk(&word)) { Deed::deny(why) } else { Deed::ask(Class::Destructive, why) }
}

fn wiping_disk(run: &Run<'_>, name: &str, named: &[&Word]) -> Deed {
    let disk = named.iter().any(|word| matches!(run.place(&word.text), Place::Device(_)));
    if disk {
        return Deed::deny(say!("wipes {}: everything on it would be lost", listed(run, named)));
    }
    Deed::ask(Class::Destructive, say!("runs `{}`, which wipes disks", plain(name)))
}

fn dd(run: &Run<'_>, args: &[Word]) -> Deed {
    let value = |key: &str| {
        args.iter()
            .find_map(|word| word.text.strip_prefix(key).map(|rest| Word { text: rest.to_owned(), ..word.clone() }))
    };
    let to = value("of=");
    if let Some(to) = &to {
        return writing(run, to, &over).unwrap_or_else(|| Deed::ask(Class::Reads, say!("copies bytes to nowhere")));
    }
    match value("if=") {
        Some(from) => Deed::ask(super::reading(run, &from).class, say!("reads bytes of {}", run.name(&from.text))),
        None => Deed::ask(Class::Unknown, say!("copies bytes with `dd`")),
    }
}

fn partitions(name: &str, args: &[Word]) -> Deed {
    if has(args, "lpv", &["list", "print", "version"]) && args.len() <= 2 {
        return Deed::ask(Class::Outside, say!("shows how the disks are divided"));
    }
    if has(args, "Zoz", &["zap-all", "clear", "zap", "delete"])
        || args.iter().any(|word| matches!(word.text.as_str(), "mklabel" | "mktable" | "rm"))
    {
        return Deed::deny(say!("divides a disk anew: everything on it would be lost"));
    }
    Deed::ask(Class::Destructive, say!("runs `{}`, which divides disks", plain(name)))
}

fn rights(run: &Run<'_>, name: &str, args: &[Word]) -> Deed {
    let named = operands(args);
    let (mode, files) = match named.split_first() {
        Some((mode, files)) => (mode.text.clone(), files.to_vec()),
        None => (String::new(), Vec::new()),
    };
    let deep = has(args, "R", &["recursive"]);
    let pillar = files.iter().find(|file| {
        let stem = file.text.trim_end_matches('*');
        matches!(run.place(if stem.is_empty() { "." } else { stem }), Place::Pillar(_)) && (file.exact || file.glob)
    });
    if let Some(pillar) = pillar.filter(|_| deep) {
        return Deed::deny(say!("changes the owner or the rights of everything in {}", run.name(&pillar.text)));
    }
    let what = if name == "chmod" {
        say!("sets the rights of {} to {}", listed(run, &files), code(&mode))
    } else {
        say!("changes the owner or the rights of {}", listed(run, &files))
    };
    let outside = files.iter().any(|file| !run.place(&file.text).is_inside());
    Deed::ask(if outside { Class::Outside } else { Class::Writes }, what)
}

fn moving(run: &Run<'_>, named: &[&Word]) -> Option<Deed> {
    let (to, from) = named.split_last()?;
    if let Some(pillar) = from
        .iter()
        .find(|word| wiped(run, word).is_some_and(|_| !run.place(word.text.trim_end_matches('*')).is_inside()))
    {
        return Some(Deed::deny(say!(
            "moves {} away, with everything in it",
            run.name(pillar.text.trim_end_matches('*'))
        )));
    }
    if matches!(run.place(&to.text), Place::Nowhere) {
        return Some(Deed::ask(Class::Destructive, say!("throws {} away", names(run, from))));
    }
    None
}
