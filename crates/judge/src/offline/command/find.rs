//! `find`: a reader until one of its actions makes it something else.

use super::super::finding::{Class, Deed};
use super::super::phrase::code;
use super::super::place::Place;
use super::super::shell::{Run, Word};
use super::paths::{Part, over, readable, writing};
use super::{Around, argv, both, names};
use gavel_core::say;
use gavel_core::text::Message;

/// Tests that stand alone.
const BARE: &[&str] = &[
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-depth",
    "-empty",
    "-not",
    "!",
    "-o",
    "-or",
    "-a",
    "-and",
    "(",
    ")",
    ",",
    "-true",
    "-false",
    "-xdev",
    "-mount",
    "-readable",
    "-writable",
    "-executable",
    "-nouser",
    "-nogroup",
    "-daystart",
    "-noleaf",
    "-ignore_readdir_race",
    "-nowarn",
    "-warn",
];

/// Tests with a value that is mere text.
const VALUED: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-maxdepth",
    "-mindepth",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newermt",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-links",
    "-inum",
    "-printf",
    "-lname",
    "-ilname",
    "-fstype",
];

pub(super) fn judge(run: &mut Run<'_>, around: Around<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    if !matches!(name, "find" | "gfind") {
        return None;
    }
    let flags = args.iter().take_while(|word| matches!(word.text.as_str(), "-H" | "-L" | "-P")).count();
    let (flags, rest) = args.split_at(flags);
    let begins = |word: &Word| {
        word.text.starts_with('-') && word.text.len() > 1 || matches!(word.text.as_str(), "(" | "!" | ")")
    };
    let roots = rest.iter().position(begins).unwrap_or(rest.len());
    let (roots, tests) = rest.split_at(roots);
    let action = tests.iter().find_map(|word| action(&word.text));
    let roots: Vec<&Word> = roots.iter().collect();
    if let Some(action) = action {
        return Some(act(run, around, action, &roots, tests));
    }
    for root in &roots {
        if let Err(deed) = readable(run, root, Part::Name) {
            return Some(deed);
        }
    }
    if flags.iter().any(|flag| flag.text == "-L") || tests.iter().any(|test| test.text == "-follow") {
        return Some(Deed::ask(
            Class::Unknown,
            say!("runs `find`, but it follows links, which may lead out of the project"),
        ));
    }
    Some(match unknown_test(run, tests) {
        Some(why) => Deed::ask(Class::Unknown, say!("runs `find`, but {}", why)),
        None if roots.is_empty() => Deed::allow(say!("lists files below the directory")),
        None => Deed::allow(say!("lists files below {}", names(run, &roots))),
    })
}

fn unknown_test(run: &Run<'_>, tests: &[Word]) -> Option<Message> {
    let mut rest = tests.iter();
    while let Some(test) = rest.next() {
        let text = test.text.as_str();
        if !test.exact || test.glob && !test.quoted {
            return Some(say!("{} isn't known before it runs", code(text)));
        }
        if BARE.contains(&text) {
            continue;
        }
        let value = rest.next();
        match value {
            Some(value) if !value.exact || value.glob => {
                return Some(say!("the shell may replace {}", code(&value.text)));
            }
            Some(_) if VALUED.contains(&text) => {}
            Some(value)
                if matches!(text, "-newer" | "-anewer" | "-cnewer" | "-samefile")
                    && readable(run, value, Part::Name).is_ok() => {}
            _ => return Some(say!("its option {} isn't one of those known to only read", code(text))),
        }
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Delete,
    Execute,
    Write,
}

fn action(text: &str) -> Option<Action> {
    match text {
        "-delete" => Some(Action::Delete),
        "-exec" | "-execdir" | "-ok" | "-okdir" => Some(Action::Execute),
        "-fprint" | "-fprint0" | "-fprintf" | "-fls" => Some(Action::Write),
        _ => None,
    }
}

fn act(run: &mut Run<'_>, around: Around<'_>, action: Action, roots: &[&Word], tests: &[Word]) -> Deed {
    let here = if roots.is_empty() { say!("the directory") } else { names(run, roots) };
    // Without a test, everything is meant.
    let all = !tests.iter().any(|test| {
        VALUED.contains(&test.text.as_str())
            && test.text != "-maxdepth"
            && test.text != "-mindepth"
            && test.text != "-type"
            || test.text == "-empty"
    });
    let wipes = |run: &Run<'_>| all.then(|| roots.iter().find_map(|root| super::remove::wiped(run, root))).flatten();
    match action {
        Action::Delete => match wipes(run) {
            Some(deny) => deny,
            None if all => Deed::ask(Class::Destructive, say!("deletes everything below {}", here)),
            None => Deed::ask(Class::Destructive, say!("deletes the files it finds below {}", here)),
        },
        Action::Write => {
            let file = tests.iter().skip_while(|test| !test.text.starts_with("-f")).nth(1);
            file.and_then(|file| writing(run, file, &over))
                .unwrap_or_else(|| Deed::ask(Class::Writes, say!("writes a list of files")))
        }
        Action::Execute => {
            let at = tests
                .iter()
                .position(|test| test.text.starts_with("-exec") || test.text.starts_with("-ok"))
                .unwrap_or_default();
            let after = tests.get(at + 1..).unwrap_or_default();
            let end =
                after.iter().position(|word| matches!(word.text.as_str(), ";" | "+" | "\\;")).unwrap_or(after.len());
            let command = after.get(..end).unwrap_or_default();
            let name = command.first().map(|word| word.text.clone()).unwrap_or_default();
            let inner = argv(run, around, command);
            if matches!(name.as_str(), "rm" | "shred" | "unlink") {
                let deny = if command.iter().any(|word| word.text.starts_with("-r") || word.text.contains('r')) {
                    wipes(run)
                } else {
                    None
                };
                return deny.unwrap_or_else(|| {
                    Deed::ask(Class::Destructive, say!("deletes the files it finds below {}", here))
                });
            }
            let outside = roots.iter().any(|root| !matches!(run.place(&root.text), Place::Project | Place::Inside(_)));
            let own = Deed::ask(
                if outside { Class::Outside } else { Class::Reads },
                say!("runs {} on the files it finds below {}", code(&name), here),
            );
            if inner.class > Class::Reads { both(own, inner) } else { own }
        }
    }
}
