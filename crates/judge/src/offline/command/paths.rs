//! Files that a command reads or writes.

use super::super::finding::{Class, Deed};
use super::super::phrase::code;
use super::super::place::{Place, climbs_back};
use super::super::secrets;
use super::super::shell::{Run, Word};
use gavel_core::text::{Message, Piece, Template};
use gavel_core::{say, term};

/// What of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// What is in it.
    Content,
    /// No more than its name, size or date.
    Name,
}

/// Endings of files that hold text for people and compilers, and no secrets.
pub(super) const SOURCES: &[&str] = &[
    "adoc", "astro", "bzl", "c", "cc", "cjs", "clj", "cmake", "cpp", "cs", "css", "cxx", "dart", "elm", "erl", "ex",
    "exs", "f90", "go", "gradle", "graphql", "h", "hpp", "hs", "htm", "html", "java", "jl", "js", "jsx", "kt", "kts",
    "less", "lua", "m", "md", "mdx", "mjs", "ml", "mli", "mm", "mts", "nim", "nix", "php", "pl", "pm", "proto", "py",
    "pyi", "r", "rb", "rs", "rst", "sass", "scala", "scss", "sh", "sol", "sql", "svelte", "swift", "tex", "ts", "tsx",
    "vue", "wat", "zig",
];

/// `< word`: reads what is in a file.
pub(in crate::offline) fn reading(run: &Run<'_>, word: &Word) -> Deed {
    match readable(run, word, Part::Content) {
        Ok(()) => Deed::allow(say!("reads {}", run.name(&word.text))),
        Err(deed) => deed,
    }
}

/// Whether reading `word` is proven to stay inside the project and off its secrets; if not, what it does.
pub(super) fn readable(run: &Run<'_>, word: &Word, part: Part) -> Result<(), Deed> {
    let content = part == Part::Content;
    let does = |what: Piece| if content { say!("reads {}", what) } else { say!("looks at {}", what) };
    readable_for(run, word, part, &does)
}

/// As [`readable`]; `does` is what is done to a file.
pub(super) fn readable_for(run: &Run<'_>, word: &Word, part: Part, does: Does<'_>) -> Result<(), Deed> {
    let done = || does(run.name(&word.text));
    if !word.exact {
        return Err(Deed::ask(Class::Reads, say!("{}, which may be any file", done())));
    }
    if word.text == "-" {
        return Ok(());
    }
    let place = run.place(&word.text);
    let secret = secrets::reason(match &place {
        Place::Inside(path) => path,
        Place::Project => "",
        _ => &word.text,
    });
    let holding = secret.map_or_else(Message::default, |what| say!(", which usually holds {}", what));
    match place {
        Place::Nowhere if matches!(word.text.as_str(), "/dev/null" | "/dev/stdin") => return Ok(()),
        Place::Inside(_) | Place::Project => {}
        Place::Unknown => {
            return Err(Deed::ask(Class::Outside, say!("{}{}, from a directory that isn't known", done(), holding)));
        }
        Place::Pillar(_) | Place::Outside(_) | Place::Device(_) | Place::Nowhere => {
            return Err(Deed::ask(Class::Outside, say!("{}{}, outside the project", done(), holding)));
        }
    }
    if secret.is_some() {
        return Err(Deed::ask(Class::Reads, say!("{}{}", done(), holding)));
    }
    if climbs_back(&word.text) {
        return Err(Deed::ask(
            Class::Reads,
            say!("{}, which climbs back out of a folder that may be a link", does(code(&word.text))),
        ));
    }
    if word.glob && !harmless_glob(&word.text, part) {
        return Err(Deed::ask(Class::Reads, does(say!("whatever files {} matches", code(&word.text)).into())));
    }
    Ok(())
}

/// Whether every name that a glob may become is neither an option nor that of a secret.
fn harmless_glob(pattern: &str, part: Part) -> bool {
    let glob = |text: &str| text.contains(['*', '?', '[']);
    let hidden = pattern.split('/').any(|part| part.starts_with('.') && glob(part));
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    let ending = last.rsplit_once('.').map(|(_, ending)| ending);
    let source = !glob(last) || ending.is_some_and(|ending| SOURCES.contains(&ending));
    !hidden && !pattern.starts_with(['*', '?', '[']) && (part == Part::Name || source)
}

/// What is done to a file, which is still to be named.
pub(in crate::offline) type Does<'d> = &'d dyn Fn(Piece) -> Message;

/// "writes over …".
pub(in crate::offline) fn over(what: Piece) -> Message {
    say!("writes over {}", what)
}

/// "appends to …".
pub(in crate::offline) fn appends(what: Piece) -> Message {
    say!("appends to {}", what)
}

/// `> word`: writes a file; nothing if it goes nowhere. `does` is how, such as [`over`].
pub(in crate::offline) fn writing(run: &Run<'_>, word: &Word, does: Does<'_>) -> Option<Deed> {
    let done = || does(run.name(&word.text));
    if !word.exact || word.glob {
        return Some(Deed::ask(Class::Outside, say!("{}, which may be any file", done())));
    }
    Some(match run.place(&word.text) {
        Place::Nowhere => return None,
        Place::Device(path) => device(&path, does),
        Place::Inside(path) => match (special(&path), secrets::reason(&path)) {
            (Some(special), _) => Deed::ask(Class::RunsCode, say!("{}, {}", done(), special)),
            (None, Some(secret)) => Deed::ask(Class::Writes, say!("{}, which usually holds {}", done(), secret)),
            (None, None) => Deed::ask(Class::Writes, done()),
        },
        Place::Project => Deed::ask(Class::Writes, done()),
        Place::Outside(path) | Place::Pillar(path) if path.starts_with("/proc/sysrq") => {
            Deed::deny(say!("gives orders to the kernel through `/proc/sysrq-trigger`, which can halt the machine"))
        }
        Place::Outside(path) | Place::Pillar(path) => {
            let more = special(&path).map_or_else(Message::default, |special| say!(", {}", special));
            Deed::ask(Class::Outside, say!("{}, outside the project{}", done(), more))
        }
        Place::Unknown => Deed::ask(Class::Outside, say!("{}, in a directory that isn't known", done())),
    })
}

/// Writing to a device.
pub(super) fn device(path: &str, does: Does<'_>) -> Deed {
    if is_disk(path) {
        return Deed::deny(say!("{}: everything on it would be lost", does(say!("the disk {}", code(path)).into())));
    }
    Deed::ask(Class::Outside, does(say!("the device {}", code(path)).into()))
}

/// Whether a device is a disk or what a disk is made of.
fn is_disk(path: &str) -> bool {
    let name = path.strip_prefix("/dev/").unwrap_or(path);
    let starts = [
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "loop", "md", "dm-", "mapper/", "sr", "block/",
        "nbd", "zd", "zvol/", "mem", "kmem", "port", "mtd", "pmem", "root",
    ];
    starts.iter().any(|start| name.starts_with(start))
}

/// Why writing here makes something else run later.
pub(in crate::offline) fn special(path: &str) -> Option<Template> {
    let lower = path.to_ascii_lowercase();
    let inside = |folder: &str| lower.starts_with(&format!("{folder}/")) || lower.contains(&format!("/{folder}/"));
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let hook = inside(".git/hooks") || inside(".husky") || matches!(name, ".pre-commit-config.yaml" | "lefthook.yml");
    Some(match name {
        _ if hook => term!("a hook that git runs by itself"),
        "config" if inside(".git") => term!("git's own configuration, which can name programs to run"),
        _ if inside(".git") => term!("git's own record of the project"),
        _ if inside(".github/workflows") || inside(".circleci") || inside(".gitea/workflows") => {
            term!("which the build server runs")
        }
        ".gitlab-ci.yml" | "jenkinsfile" | "azure-pipelines.yml" | ".travis.yml" | "bitbucket-pipelines.yml" => {
            term!("which the build server runs")
        }
        _ if inside(".opencode") || inside(".claude") || inside(".cursor") => {
            term!("which tells agents what they may do")
        }
        "opencode.json" | "opencode.jsonc" | "agents.md" | "claude.md" | ".cursorrules" | ".mcp.json" => {
            term!("which tells agents what to do")
        }
        ".bashrc" | ".bash_profile" | ".profile" | ".zshrc" | ".zprofile" | ".zshenv" | ".bash_logout"
        | "config.fish" => term!("which every new shell runs"),
        "authorized_keys" => term!("which decides who may log in"),
        "crontab" | "sudoers" => term!("which decides what runs by itself or with full rights"),
        _ if inside("cron.d") || inside("cron.daily") || inside("systemd/system") || inside("systemd/user") => {
            term!("which runs by itself")
        }
        _ if inside("autostart") || inside("launchagents") || inside("launchdaemons") => {
            term!("which runs by itself at the next log-in")
        }
        ".envrc" => term!("which runs whenever the folder is entered"),
        ".vscode" | "tasks.json" if inside(".vscode") => term!("which the editor runs"),
        _ => return None,
    })
}
