//! Commands that only read.

mod table;

use super::super::finding::{Class, Deed};
use super::super::phrase::plain;
use super::super::shell::{Run, Word};
use super::names;
use super::options::{Known, Parsed};
use super::paths::{Part, over, readable, readable_for, writing};
use gavel_core::text::{Message, Template};
use gavel_core::{say, term};
use table::{ANY, LISTS, Operands, READERS, Reader};

/// Judges the commands of the table, and the few that need more than it can say.
pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    match name {
        "echo" => return Some(say(args)),
        "printf" => return Some(printf(args)),
        "date" => return Some(date(args)),
        "test" => return Some(test(run, args)),
        "jq" => return Some(jq(run, args)),
        "[" => return Some(Deed::ask(Class::Reads, say!("tests a condition"))),
        "set" if !args.is_empty() => {
            return Some(Deed::ask(
                Class::Reads,
                say!("changes how the shell goes on, or what `$1` and its kin stand for"),
            ));
        }
        "env" | "printenv" | "set" | "export" | "declare" => {
            return Some(Deed::ask(Class::Reads, say!("shows the environment, which often holds keys and passwords")));
        }
        "pushd" | "popd" => {
            run.follow(args.first());
            return Some(Deed::ask(Class::Outside, say!("goes to another directory")));
        }
        "history" => {
            return Some(Deed::ask(Class::Outside, say!("shows what was typed in the shell, outside the project")));
        }
        "ps" | "top" | "lsof" | "pgrep" => {
            return Some(Deed::ask(Class::Outside, say!("looks at what else runs on this machine")));
        }
        "zcat" | "zless" | "bzcat" | "xzcat" | "zgrep" => {
            let files: Vec<&Word> = super::operands(args);
            return Some(Deed::ask(Class::Reads, say!("unpacks {} to read it", names(run, &files))));
        }
        "shift" | "return" | "exit" | "break" | "continue" | "wait" | "sleep" | "umask" | "shopt" | "local"
        | "read" | "let" => {
            if let Some(last) = args.last().filter(|_| name == "read") {
                run.set(last.text.clone(), None);
            }
            return Some(Deed::ask(Class::Reads, say!("runs `{}`, which only matters to the shell", plain(name))));
        }
        _ => {}
    }
    let reader = READERS.iter().find(|reader| reader.names.contains(&name))?;
    let deed = match reader.known.parse(args) {
        Ok(parsed) => table(run, reader, &parsed),
        Err(why) => {
            // What it reads may tell more than the option that isn't known.
            let named = args.iter().filter(|word| !word.text.starts_with('-'));
            let odd = named.filter_map(|word| readable(run, word, Part::Content).err().map(|odd| (odd, word)));
            let text = matches!(reader.operands, Operands::Text | Operands::None);
            match odd
                .filter(|(odd, word)| !text && (odd.class > Class::Reads || !word.exact))
                .map(|(odd, _)| odd)
                .next()
            {
                Some(odd) => odd,
                None => Deed::ask(Class::Unknown, say!("runs `{}`, but {}", plain(name), why)),
            }
        }
    };
    if name == "cd" {
        run.follow(args.iter().find(|word| !word.text.starts_with('-') || word.text == "-"));
    }
    Some(deed)
}

fn table(run: &Run<'_>, reader: &Reader, parsed: &Parsed<'_>) -> Deed {
    let (part, most) = match reader.operands {
        Operands::None if parsed.operands.is_empty() => return Deed::allow(reader.does),
        Operands::Text => return Deed::allow(reader.does),
        Operands::None => (Part::Content, 0),
        Operands::Files(most) => (Part::Content, most),
        Operands::Names => (Part::Name, ANY),
    };
    if let Some(last) = parsed.operands.last().filter(|_| parsed.operands.len() > most) {
        let more = || match reader.operands {
            Operands::None => say!("{} more than it can", reader.does),
            _ => reader.does.with(term!("more than it can")),
        };
        let harmless = || Deed::ask(Class::Unknown, more());
        let writes = matches!(reader.names, ["uniq"] | ["xxd"]);
        return writes.then(|| writing(run, last, &over)).flatten().unwrap_or_else(harmless);
    }
    for word in &parsed.operands {
        // A listing of names may begin with a glob: no option of these commands does harm.
        let listing = matches!(reader.names, ["ls"] | ["du"] | ["stat"]);
        let anchored = Word { text: format!("./{}", word.text), ..(*word).clone() };
        let word = if listing && word.glob && !word.text.starts_with('/') { &anchored } else { word };
        let beyond = match reader.names {
            ["cd"] => readable_for(run, word, part, &|what| say!("goes to {}", what)),
            _ => readable(run, word, part),
        };
        if let Err(deed) = beyond {
            return deed;
        }
    }
    // GNU's `strings` takes more options, and files, from what `@file` names.
    if reader.names == ["strings"] && parsed.operands.iter().any(|word| word.text.starts_with('@')) {
        return Deed::ask(Class::Reads, say!("reads whatever files another file names"));
    }
    // Of two directories, `diff` shows every file that is in both.
    let may_be_folder = |word: &&Word| -> bool {
        !word.text.trim_end_matches('/').rsplit('/').next().is_some_and(|name| name.trim_matches('.').contains('.'))
    };
    if reader.names == ["diff"] && parsed.operands.iter().all(may_be_folder) && !parsed.has(&["q", "brief"]) {
        return Deed::ask(Class::Reads, say!("compares what may be two directories, with every file in them"));
    }
    match (reader.names, parsed.operands.as_slice()) {
        (["cd"], [back]) if back.text == "-" => {
            return Deed::ask(Class::Outside, say!("goes back to where it was, which isn't known"));
        }
        (["cd"], [] | [_, _, ..]) => {
            return Deed::ask(Class::Outside, say!("goes to the home directory, outside the project"));
        }
        _ => {}
    }
    Deed::allow(of_files(run, reader.does, &parsed.operands))
}

/// What is done, and to which files.
fn of_files(run: &Run<'_>, does: Template, files: &[&Word]) -> Message {
    match files {
        [] if does == LISTS => say!("lists the directory"),
        [] => does.with(term!("what it is given")),
        files => does.with(names(run, files)),
    }
}

fn say(args: &[Word]) -> Deed {
    if args.iter().all(|word| word.exact) {
        return Deed::allow(say!("prints a text"));
    }
    Deed::ask(Class::Reads, say!("prints a text that isn't known before it runs, perhaps a secret"))
}

fn printf(args: &[Word]) -> Deed {
    // `printf -v` sets a variable, and its name may hold a command.
    match args.first() {
        Some(first) if first.text.starts_with('-') => Deed::ask(Class::Unknown, say!("sets a variable with `printf`")),
        _ => say(args),
    }
}

fn date(args: &[Word]) -> Deed {
    let known = Known {
        letters: "uRj",
        valued: "d",
        long: "utc universal date= iso-8601=? rfc-3339= rfc-email",
        number: false,
    };
    let args: Vec<Word> =
        args.iter().filter(|word| !word.text.starts_with("-I") || word.text.len() > 9).cloned().collect();
    match known.parse(&args) {
        Ok(parsed) if parsed.operands.iter().all(|word| word.text.starts_with('+')) => {
            Deed::allow(say!("tells the date"))
        }
        Ok(_) => Deed::ask(Class::Outside, say!("sets the clock of the machine")),
        Err(_) if super::has(&args, "s", &["set"]) => Deed::ask(Class::Outside, say!("sets the clock of the machine")),
        Err(why) => Deed::ask(Class::Unknown, say!("runs `date`, but {}", why)),
    }
}

/// What the words of `[ … ]` do, brackets included.
pub(in crate::offline) fn condition(run: &Run<'_>, words: &[Word]) -> Deed {
    match words {
        [open, operator, file, close] if open.text == "[" && close.text == "]" => {
            test(run, &[operator.clone(), file.clone()])
        }
        _ => Deed::ask(Class::Reads, say!("tests a condition")),
    }
}

/// `test -f file`: comparisons of numbers are left out, because some shells run code that stands in them.
fn test(run: &Run<'_>, args: &[Word]) -> Deed {
    match args {
        [operator, file]
            if matches!(operator.text.as_str(), "-f" | "-d" | "-e" | "-s" | "-r" | "-w" | "-x" | "-L" | "-h") =>
        {
            match readable(run, file, Part::Name) {
                Ok(()) => Deed::allow(say!("looks whether there is {}", run.name(&file.text))),
                Err(deed) => deed,
            }
        }
        _ => Deed::ask(Class::Reads, say!("tests a condition")),
    }
}

fn jq(run: &Run<'_>, args: &[Word]) -> Deed {
    let known = Known {
        letters: "rcSensjMCa",
        valued: "",
        long: "raw-output compact-output sort-keys exit-status null-input slurp join-output monochrome-output color-output tab",
        number: false,
    };
    let parsed = match known.parse(args) {
        Ok(parsed) => parsed,
        Err(why) => return Deed::ask(Class::Unknown, say!("runs `jq`, but {}", why)),
    };
    let Some((filter, files)) = parsed.operands.split_first() else { return Deed::allow(say!("runs an empty `jq`")) };
    if filter.glob {
        return Deed::ask(Class::Unknown, say!("runs `jq`, but the shell may replace its filter"));
    }
    if ["env", "ENV", "import", "include", "input_filename"].iter().any(|word| filter.text.contains(word)) {
        return Deed::ask(Class::Reads, say!("runs a `jq` filter that may show the environment or read other files"));
    }
    for file in files {
        if let Err(deed) = readable(run, file, Part::Content) {
            return deed;
        }
    }
    Deed::allow(of_files(run, term!("picks values out of {}"), files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_letter_both_stands_alone_and_takes_a_value() {
        for reader in READERS {
            let both = reader.known.letters.chars().find(|letter| reader.known.valued.contains(*letter));
            assert_eq!(both, None, "{:?}", reader.names);
        }
    }
}
