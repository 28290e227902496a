//! Searching: `grep`, `rg`, `fd`.

use super::super::finding::{Class, Deed};
use super::super::phrase::{code, plain};
use super::super::place::Place;
use super::super::secrets;
use super::super::shell::{Run, Word};
use super::names;
use super::options::{Known, Parsed};
use super::paths::{Part, SOURCES, readable};
use gavel_core::text::{Message, Template};
use gavel_core::{say, term};

const GREP: Known = Known {
    letters: "acEFGHhiIlLnoPqRrsTUvVwxyzZb",
    valued: "eABCmD",
    long: "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp \
        line-regexp count color=? colour=? files-with-matches files-without-match max-count= only-matching quiet silent \
        no-messages byte-offset with-filename no-filename line-number initial-tab null after-context= before-context= \
        context= text binary-files= exclude= exclude-dir= include= recursive null-data regexp= line-buffered \
        dereference-recursive",
    number: true,
};

const RG: Known = Known {
    letters: "aciFHhIlnNopPqsSUuvVwx.0",
    valued: "ABCEegjMmtTr",
    long: "after-context= before-context= context= case-sensitive ignore-case smart-case color= colors= column no-column count \
        count-matches crlf encoding= regexp= files files-with-matches files-without-match fixed-strings glob= iglob= \
        heading no-heading hidden no-ignore no-ignore-vcs no-ignore-parent invert-match json line-number no-line-number \
        line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall \
        no-config no-filename no-messages null only-matching passthru pcre2 pretty quiet replace= sort= sortr= stats text \
        threads= trim type= type-not= type-list unrestricted vimgrep with-filename word-regexp no-pager engine= binary",
    number: false,
};

const FD: Known = Known {
    letters: "HIuasigFlLpq0",
    valued: "detESocjn",
    long: "hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path \
        list-details full-path print0 max-depth= min-depth= exact-depth= exclude= type= extension= size= changed-within= \
        changed-before= color= threads= max-results= quiet show-errors strip-cwd-prefix",
    number: false,
};

pub(super) fn judge(run: &mut Run<'_>, name: &str, args: &[Word]) -> Option<Deed> {
    Some(match name {
        "grep" | "egrep" | "fgrep" => grep(run, name, args),
        "rg" => rg(run, args),
        "fd" | "fdfind" => fd(run, args),
        _ => return None,
    })
}

const REPLACED: Template = term!("the shell may replace what it looks for with names of files");

fn not_proven(name: &str, why: impl Into<Message>) -> Deed {
    Deed::ask(Class::Unknown, say!("runs `{}`, but {}", plain(name), why.into()))
}

fn grep(run: &Run<'_>, name: &str, args: &[Word]) -> Deed {
    let parsed = match GREP.parse(args) {
        Ok(parsed) => parsed,
        Err(why) => return unparsed(run, name, args, why),
    };
    let given: Vec<&str> = parsed.values(&["e", "regexp"]).collect();
    if given.is_empty() && parsed.operands.first().is_some_and(|pattern| pattern.glob) {
        return not_proven(name, REPLACED);
    }
    let (patterns, files) = split(&parsed, given);
    let recursive = parsed.has(&["r", "R", "recursive", "dereference-recursive"]);
    if let Some(deed) = unreadable(run, &files) {
        return deed;
    }
    if parsed.has(&["R", "dereference-recursive"]) {
        let below = below(run, &files);
        return Deed::ask(Class::Reads, say!("searches every file {}, and wherever links there lead", below));
    }
    let includes: Vec<&str> = parsed.values(&["include"]).collect();
    if let Some(deed) = secret_glob(&includes) {
        return deed;
    }
    let narrowed = !includes.is_empty() && includes.iter().all(|glob| is_source_glob(glob));
    if recursive && !narrowed && !parsed.has(&["l", "files-with-matches", "L", "files-without-match", "c", "count"]) {
        let wide = parsed.has(&["v", "invert-match"]).then_some(term!("every line without it"));
        if let Some(why) =
            patterns.iter().find_map(|pattern| too_wide(pattern)).or(wide).or_else(|| far_around(&parsed))
        {
            return Deed::ask(
                Class::Reads,
                say!("searches every file {}, those with secrets too, for {}", below(run, &files), why),
            );
        }
    }
    found(run, &patterns, &files)
}

fn rg(run: &Run<'_>, args: &[Word]) -> Deed {
    if let Some(runs) = args.iter().find(|word| word.text.starts_with("--pre") && !word.text.starts_with("--pretty")) {
        return Deed::ask(Class::RunsCode, say!("runs a program on every file it searches ({})", code(&runs.text)));
    }
    let parsed = match RG.parse(args) {
        Ok(parsed) => parsed,
        Err(why) => return unparsed(run, "rg", args, why),
    };
    let listing = parsed.has(&["files", "type-list"]);
    let given: Vec<&str> = parsed.values(&["e", "regexp"]).collect();
    if !listing && given.is_empty() && parsed.operands.first().is_some_and(|pattern| pattern.glob) {
        return not_proven("rg", REPLACED);
    }
    let (patterns, files) = if listing { (Vec::new(), parsed.operands.clone()) } else { split(&parsed, given) };
    if let Some(deed) = unreadable(run, &files) {
        return deed;
    }
    let everything = parsed.has(&["hidden", ".", "no-ignore", "no-ignore-vcs", "u", "unrestricted"]);
    let counted = parsed.has(&["l", "files-with-matches", "files-without-match", "c", "count", "count-matches"]);
    // A glob that is given outweighs what is ignored, and hidden files.
    let globs: Vec<&str> = parsed.values(&["g", "glob", "iglob"]).filter(|glob| !glob.starts_with('!')).collect();
    if let Some(deed) = secret_glob(&globs).filter(|_| !listing) {
        return deed;
    }
    let everything = everything || globs.iter().any(|glob| !is_source_glob(glob));
    if everything && !listing && !counted {
        let wide = parsed.has(&["v", "invert-match", "passthru"]).then_some(term!("every line without it"));
        if let Some(why) =
            patterns.iter().find_map(|pattern| too_wide(pattern)).or(wide).or_else(|| far_around(&parsed))
        {
            return Deed::ask(
                Class::Reads,
                say!("searches hidden or ignored files, those with secrets too, for {}", why),
            );
        }
    }
    if listing { Deed::allow(say!("lists the files {}", below(run, &files))) } else { found(run, &patterns, &files) }
}

fn fd(run: &Run<'_>, args: &[Word]) -> Deed {
    let runs = args.iter().position(|word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"));
    if let Some(at) = runs {
        let command = args.get(at + 1).map_or("a command", |word| word.text.as_str());
        let class = if matches!(command, "rm" | "unlink" | "shred") { Class::Destructive } else { Class::RunsCode };
        return Deed::ask(class, say!("runs {} on every file it finds", code(command)));
    }
    let parsed = match FD.parse(args) {
        Ok(parsed) => parsed,
        Err(why) => return unparsed(run, "fd", args, why),
    };
    if parsed.has(&["L"]) {
        return not_proven("fd", term!("it follows links, which may lead out of the project"));
    }
    if parsed.operands.first().is_some_and(|pattern| pattern.glob) {
        return not_proven("fd", REPLACED);
    }
    let files = parsed.operands.get(1..).unwrap_or_default().to_vec();
    for file in &files {
        if let Err(deed) = readable(run, file, Part::Name) {
            return deed;
        }
    }
    Deed::allow(say!("lists files {}", below(run, &files)))
}

/// What the command says it is given, if the options were not understood.
fn unparsed(run: &Run<'_>, name: &str, args: &[Word], why: Message) -> Deed {
    let beyond = super::operands(args).into_iter().skip(1).find_map(|word| readable(run, word, Part::Content).err());
    beyond.filter(|deed| deed.class == Class::Outside).unwrap_or_else(|| not_proven(name, why))
}

/// The patterns and the files among the operands.
fn split<'p, 'w>(parsed: &'p Parsed<'w>, given: Vec<&'p str>) -> (Vec<&'p str>, Vec<&'w Word>) {
    if !given.is_empty() {
        return (given, parsed.operands.clone());
    }
    match parsed.operands.split_first() {
        Some((pattern, files)) => (vec![pattern.text.as_str()], files.to_vec()),
        None => (Vec::new(), Vec::new()),
    }
}

fn unreadable(run: &Run<'_>, files: &[&Word]) -> Option<Deed> {
    let record = |file: &&&Word| matches!(run.place(&file.text), Place::Inside(path) if path.split('/').any(|part| part == ".git"));
    if let Some(file) = files.iter().find(record) {
        return Some(Deed::ask(
            Class::Reads,
            say!("searches {}, git's own record, which at times holds tokens", run.name(&file.text)),
        ));
    }
    files.iter().find_map(|file| readable(run, file, Part::Content).err())
}

fn found(run: &Run<'_>, patterns: &[&str], files: &[&Word]) -> Deed {
    let whole = if files.is_empty() { say!("the directory") } else { names(run, files) };
    Deed::allow(say!("searches {} for {}", whole, super::super::phrase::list(patterns)))
}

fn below(run: &Run<'_>, files: &[&Word]) -> Message {
    if files.is_empty() { say!("below the directory") } else { say!("below {}", names(run, files)) }
}

/// A search of files that are chosen for their secrets.
fn secret_glob(globs: &[&str]) -> Option<Deed> {
    let secret = globs.iter().find(|glob| {
        let last = glob.rsplit('/').next().unwrap_or(glob);
        secrets::reason(glob).is_some() || last.starts_with(".e") || last.starts_with(".*")
    });
    secret.map(|glob| {
        Deed::ask(Class::Reads, say!("searches the files that {} names, which usually hold secrets", code(glob)))
    })
}

/// Whether a glob names only files with the ending of a source text, or one file by its plain name.
fn is_source_glob(glob: &str) -> bool {
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let last = glob.rsplit('/').next().unwrap_or(glob);
    if secrets::reason(last).is_some() || last.starts_with('.') {
        return false;
    }
    let Some((stem, ending)) = last.rsplit_once('.') else { return false };
    if plain(last) {
        return true;
    }
    let listed = ending.strip_prefix('{').and_then(|list| list.strip_suffix('}'));
    let mut endings = listed.unwrap_or(ending).split(',');
    plain(stem.strip_prefix('*').unwrap_or(stem)) && endings.all(|ending| SOURCES.contains(&ending))
}

/// What a pattern finds that is too much, when it is looked for in files that may hold secrets.
fn too_wide(pattern: &str) -> Option<Template> {
    const SECRET: &[&str] = &[
        "secret",
        "passw",
        "api_key",
        "apikey",
        "api-key",
        "credential",
        "private key",
        "private_key",
        "begin ",
        "akia",
        "ghp_",
        "bearer",
        "access_token",
        "auth_token",
        "client_",
        "_key",
        "_token",
        "_pass",
        "sk-",
        "xox",
        "_url=",
    ];
    let lower = pattern.to_ascii_lowercase();
    if SECRET.iter().any(|word| lower.contains(word)) {
        return Some(term!("what looks like a secret"));
    }
    // A group that may be missing leaves nothing to hold on to.
    let loose = [")?", ")*", "){", "\\)?", "\\)*"].iter().any(|end| lower.contains(end));
    let alternatives = lower.split('|');
    if loose || alternatives.into_iter().any(|one| !has_word(one)) {
        return Some(term!("almost any line"));
    }
    None
}

/// What is too much about the lines around a find.
fn far_around(parsed: &Parsed<'_>) -> Option<Template> {
    let context = ["A", "B", "C", "after-context", "before-context", "context", "number"];
    let far = parsed.values(&context).any(|lines| lines.parse::<u32>().map_or(true, |lines| lines > 20));
    far.then_some(term!("more than the lines it is in"))
}

/// Whether a regular expression holds three letters in a row that must be there.
fn has_word(pattern: &str) -> bool {
    let mut run = 0_usize;
    let mut longest = 0_usize;
    let mut letters = pattern.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            // An escape stands for a class or a sign, and so for no letter.
            '\\' => {
                letters.next();
                run = 0;
            }
            '[' => {
                while letters.next().is_some_and(|c| c != ']') {}
                run = 0;
            }
            // What may be missing doesn't count.
            _ if matches!(letters.peek(), Some('?' | '*' | '{')) => run = 0,
            _ if c.is_alphanumeric() || matches!(c, '_' | ' ' | '-' | '/') => run += usize::from(c != ' '),
            _ => run = 0,
        }
        longest = longest.max(run);
    }
    longest >= 3
}

#[cfg(test)]
mod tests;
