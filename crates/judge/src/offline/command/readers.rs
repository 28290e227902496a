//! Commands that only read, with the options that keep them so.

use super::super::finding::{Class, Deed};
use super::super::shell::{Run, Word};
use super::names;
use super::options::{Known, Parsed};
use super::paths::{Part, readable, writing};

/// What the operands of a command are.
#[derive(Clone, Copy)]
enum Operands {
    /// There must be none.
    None,
    /// Any text.
    Text,
    /// Files whose content is read, at most so many: some commands write to the next.
    Files(usize),
    /// Files of which only names, sizes and dates are told.
    Names,
}

struct Reader {
    names: &'static [&'static str],
    does: &'static str,
    known: Known,
    operands: Operands,
}

const ANY: usize = usize::MAX;

const fn reader(
    names: &'static [&'static str],
    does: &'static str,
    (letters, valued, long): (&'static str, &'static str, &'static str),
    operands: Operands,
) -> Reader {
    Reader { names, does, known: Known { letters, valued, long, number: false }, operands }
}

const LS: &str = "all almost-all author escape block-size= ignore-backups color=? directory classify=? format= full-time \
    group-directories-first no-group human-readable si hide= indicator-style= inode ignore= kibibytes dereference \
    numeric-uid-gid literal hide-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= \
    width= zero";

/// Each option was looked up in the manuals of GNU, BSD and busybox: none of those listed writes or runs anything.
const READERS: &[Reader] = &[
    reader(&["pwd"], "tells the directory", ("LP", "", "logical physical"), Operands::None),
    reader(&["ls"], "lists", ("aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1", "ITw", LS), Operands::Names),
    reader(
        &["cat", "tac"],
        "reads",
        ("AbeEnstTuv", "", "show-all number number-nonblank show-ends squeeze-blank show-tabs show-nonprinting"),
        Operands::Files(ANY),
    ),
    Reader {
        names: &["head", "tail"],
        does: "reads a part of",
        known: Known { letters: "qvz", valued: "nc", long: "lines= bytes= quiet silent verbose", number: true },
        operands: Operands::Files(ANY),
    },
    reader(
        &["wc"],
        "counts what is in",
        ("clLmw", "", "bytes chars lines words max-line-length total="),
        Operands::Files(ANY),
    ),
    reader(
        &["nl"],
        "numbers the lines of",
        ("p", "bdfhilnsvw", "body-numbering= number-width= starting-line-number="),
        Operands::Files(ANY),
    ),
    reader(
        &["sort"],
        "sorts",
        (
            "bdfgiMhnRrVcCmsuz",
            "kt",
            "reverse numeric-sort human-numeric-sort unique key= field-separator= ignore-case version-sort stable check=?",
        ),
        Operands::Files(ANY),
    ),
    reader(
        &["uniq"],
        "drops repeated lines of",
        ("cdDiuz", "fsw", "count repeated unique ignore-case skip-fields= skip-chars="),
        Operands::Files(1),
    ),
    reader(
        &["cut"],
        "cuts columns out of",
        ("nsz", "bcdf", "bytes= characters= delimiter= fields= only-delimited complement output-delimiter="),
        Operands::Files(ANY),
    ),
    reader(
        &["tr"],
        "replaces letters",
        ("cCdst", "", "complement delete squeeze-repeats truncate-set1"),
        Operands::Text,
    ),
    reader(
        &["comm"],
        "compares",
        ("123iz", "", "check-order nocheck-order output-delimiter= total"),
        Operands::Files(2),
    ),
    reader(
        &["cmp"],
        "compares",
        ("bls", "in", "print-bytes verbose silent quiet bytes= ignore-initial="),
        Operands::Files(2),
    ),
    reader(
        &["diff"],
        "compares",
        (
            "abBdEiqstuwyZ",
            "CUW",
            "brief unified=? context=? side-by-side ignore-all-space ignore-space-change ignore-blank-lines ignore-case report-identical-files suppress-common-lines width= color=? minimal strip-trailing-cr text",
        ),
        Operands::Files(2),
    ),
    reader(&["paste"], "joins the lines of", ("sz", "d", "delimiters= serial"), Operands::Files(ANY)),
    reader(&["join"], "joins", ("i", "12aejotv", "ignore-case check-order header"), Operands::Files(2)),
    reader(&["fold", "fmt"], "breaks the lines of", ("bscu", "w", "width= spaces bytes"), Operands::Files(ANY)),
    reader(
        &["expand", "unexpand"],
        "replaces tabs in",
        ("ai", "t", "tabs= all initial first-only"),
        Operands::Files(ANY),
    ),
    reader(&["rev"], "turns the lines around of", ("", "", ""), Operands::Files(ANY)),
    reader(
        &["column"],
        "sets in columns",
        ("txenJ", "csoNR", "table separator= output-separator= columns= table-columns= json"),
        Operands::Files(ANY),
    ),
    reader(
        &["strings"],
        "finds readable text in",
        ("afow", "nte", "all bytes= radix= encoding="),
        Operands::Files(ANY),
    ),
    reader(
        &["od"],
        "shows the bytes of",
        ("abcdfilosvx", "AjNStw", "address-radix= skip-bytes= read-bytes= format= output-duplicates"),
        Operands::Files(ANY),
    ),
    reader(
        &["hexdump", "hd"],
        "shows the bytes of",
        ("bcCdovx", "ens", "canonical length= skip= no-squeezing"),
        Operands::Files(ANY),
    ),
    reader(&["xxd"], "shows the bytes of", ("bceEidpu", "glos", ""), Operands::Files(1)),
    reader(
        &["base64", "base32"],
        "encodes or decodes",
        ("dDi", "w", "decode wrap= ignore-garbage"),
        Operands::Files(1),
    ),
    reader(
        &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "md5", "sum"],
        "computes the check sum of",
        ("btzrs", "al", "binary text tag zero algorithm= length="),
        Operands::Files(ANY),
    ),
    reader(&["shasum"], "computes the check sum of", ("bt", "a", "algorithm= binary text"), Operands::Files(ANY)),
    reader(&["stat"], "looks at", ("Lfltnrsx", "c", "dereference file-system format= printf= terse"), Operands::Names),
    reader(
        &["file"],
        "tells the kind of",
        ("bhiLkNnprs0", "F", "brief mime mime-type mime-encoding extension dereference no-dereference keep-going"),
        Operands::Names,
    ),
    reader(
        &["du"],
        "measures",
        (
            "aAbcDghHkmlLsSx0",
            "dBt",
            "all apparent-size bytes total max-depth= human-readable si summarize one-file-system exclude= threshold= block-size=",
        ),
        Operands::Names,
    ),
    reader(
        &["df"],
        "measures the disk of",
        ("ahHiklPT", "tBx", "all human-readable si inodes local portability print-type total type= output=?"),
        Operands::Names,
    ),
    reader(
        &["tree"],
        "lists",
        (
            "adfipsughDFrtUvcCnlNqSAJX",
            "LIP",
            "dirsfirst filesfirst du gitignore noreport prune filelimit= matchdirs ignore-case sort= metafirst inodes device timefmt= charset=",
        ),
        Operands::Names,
    ),
    reader(
        &["realpath", "readlink"],
        "resolves",
        (
            "eEfmnsqvzLP",
            "",
            "canonicalize canonicalize-existing canonicalize-missing no-symlinks relative-to= relative-base= strip quiet no-newline logical physical zero",
        ),
        Operands::Names,
    ),
    reader(&["basename", "dirname"], "takes a path apart", ("az", "s", "multiple suffix= zero"), Operands::Text),
    reader(&["which"], "tells where programs lie", ("as", "", "all skip-alias skip-functions"), Operands::Text),
    reader(&["type"], "tells what a name means", ("afptP", "", ""), Operands::Text),
    reader(&["true", "false", ":"], "does nothing", ("", "", ""), Operands::Text),
    reader(&["seq"], "counts", ("w", "fs", "equal-width format= separator="), Operands::Text),
    reader(
        &["whoami", "groups", "uptime", "nproc", "arch", "logname", "tty", "users"],
        "tells about this machine",
        ("", "", "all"),
        Operands::None,
    ),
    reader(
        &["uname"],
        "tells about this machine",
        ("amnoprsvi", "", "all kernel-name nodename kernel-release machine operating-system processor kernel-version"),
        Operands::None,
    ),
    reader(
        &["hostname"],
        "tells the name of this machine",
        ("fsiIdA", "", "fqdn short ip-address all-ip-addresses domain"),
        Operands::None,
    ),
    reader(&["id"], "tells who runs this", ("agGnruzZ", "", "group groups name real user zero"), Operands::Text),
    reader(&["free"], "tells about this machine", ("bkmghtwl", "", "human mega giga total wide si"), Operands::None),
    reader(&["cd"], "goes to", ("LPe", "", ""), Operands::Names),
    reader(&["cloc", "tokei", "scc"], "counts lines in", ("", "", ""), Operands::Names),
];

/// Judges the commands of the table, and the few that need more than it can say.
pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    match name {
        "echo" => return Some(say(args)),
        "printf" => return Some(printf(args)),
        "date" => return Some(date(args)),
        "test" => return Some(test(run, args)),
        "jq" => return Some(jq(run, args)),
        "[" => return Some(Deed::ask(Class::Reads, "tests a condition")),
        "env" | "printenv" | "set" | "export" | "declare" => {
            return Some(Deed::ask(Class::Reads, "shows the environment, which often holds keys and passwords"));
        }
        "history" => return Some(Deed::ask(Class::Outside, "shows what was typed in the shell, outside the project")),
        "ps" | "top" | "lsof" | "pgrep" => {
            return Some(Deed::ask(Class::Outside, "looks at what else runs on this machine"));
        }
        "zcat" | "zless" | "bzcat" | "xzcat" | "zgrep" => {
            let files: Vec<&Word> = super::operands(args);
            return Some(Deed::ask(Class::Reads, format!("unpacks {} to read it", names(run, &files))));
        }
        "shift" | "return" | "exit" | "break" | "continue" | "wait" | "sleep" | "umask" | "shopt" | "local"
        | "read" | "let" => {
            if let Some(last) = args.last().filter(|_| name == "read") {
                run.set(last.text.clone(), None);
            }
            return Some(Deed::ask(Class::Reads, format!("runs `{name}`, which only matters to the shell")));
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
                None => Deed::ask(Class::Unknown, format!("runs `{name}`, but {why}")),
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
        let harmless = || Deed::ask(Class::Unknown, format!("{} more than it can", reader.does));
        let writes = matches!(reader.names, ["uniq"] | ["xxd"]);
        return writes.then(|| writing(run, last, "writes over")).flatten().unwrap_or_else(harmless);
    }
    for word in &parsed.operands {
        // A listing of names may begin with a glob: no option of these commands does harm.
        let listing = matches!(reader.names, ["ls"] | ["du"] | ["stat"]);
        let anchored = Word { text: format!("./{}", word.text), ..(*word).clone() };
        let word = if listing && word.glob && !word.text.starts_with('/') { &anchored } else { word };
        if let Err(deed) = readable(run, word, part) {
            return deed;
        }
    }
    match (reader.names, parsed.operands.as_slice()) {
        (["cd"], [back]) if back.text == "-" => {
            return Deed::ask(Class::Outside, "goes back to where it was, which isn't known");
        }
        (["cd"], [] | [_, _, ..]) => {
            return Deed::ask(Class::Outside, "goes to the home directory, outside the project");
        }
        _ => {}
    }
    Deed::allow(of_files(run, reader.does, &parsed.operands))
}

/// What is done, and to which files.
fn of_files(run: &Run<'_>, does: &str, files: &[&Word]) -> String {
    match files {
        [] if does == "lists" => "lists the directory".to_owned(),
        [] => format!("{does} what it is given"),
        files => format!("{does} {}", names(run, files)),
    }
}

fn say(args: &[Word]) -> Deed {
    if args.iter().all(|word| word.exact) {
        return Deed::allow("prints a text");
    }
    Deed::ask(Class::Reads, "prints a text that isn't known before it runs, perhaps a secret")
}

fn printf(args: &[Word]) -> Deed {
    // `printf -v` sets a variable, and its name may hold a command.
    match args.first() {
        Some(first) if first.text.starts_with('-') => Deed::ask(Class::Unknown, "sets a variable with `printf`"),
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
        Ok(parsed) if parsed.operands.iter().all(|word| word.text.starts_with('+')) => Deed::allow("tells the date"),
        Ok(_) => Deed::ask(Class::Outside, "sets the clock of the machine"),
        Err(_) if super::has(&args, "s", &["set"]) => Deed::ask(Class::Outside, "sets the clock of the machine"),
        Err(why) => Deed::ask(Class::Unknown, format!("runs `date`, but {why}")),
    }
}

/// What the words of `[ … ]` do, brackets included.
pub(in crate::offline) fn condition(run: &Run<'_>, words: &[Word]) -> Deed {
    match words {
        [open, operator, file, close] if open.text == "[" && close.text == "]" => {
            test(run, &[operator.clone(), file.clone()])
        }
        _ => Deed::ask(Class::Reads, "tests a condition"),
    }
}

/// `test -f file`: comparisons of numbers are left out, because some shells run code that stands in them.
fn test(run: &Run<'_>, args: &[Word]) -> Deed {
    match args {
        [operator, file]
            if matches!(operator.text.as_str(), "-f" | "-d" | "-e" | "-s" | "-r" | "-w" | "-x" | "-L" | "-h") =>
        {
            match readable(run, file, Part::Name) {
                Ok(()) => Deed::allow(format!("looks whether there is {}", run.name(&file.text))),
                Err(deed) => deed,
            }
        }
        _ => Deed::ask(Class::Reads, "tests a condition"),
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
        Err(why) => return Deed::ask(Class::Unknown, format!("runs `jq`, but {why}")),
    };
    let Some((filter, files)) = parsed.operands.split_first() else { return Deed::allow("runs an empty `jq`") };
    if filter.glob {
        return Deed::ask(Class::Unknown, "runs `jq`, but the shell may replace its filter");
    }
    if ["env", "ENV", "import", "include", "input_filename"].iter().any(|word| filter.text.contains(word)) {
        return Deed::ask(Class::Reads, "runs a `jq` filter that may show the environment or read other files");
    }
    for file in files {
        if let Err(deed) = readable(run, file, Part::Content) {
            return deed;
        }
    }
    Deed::allow(of_files(run, "picks values out of", files))
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
