//! Files that a command reads or writes.

use super::super::finding::{Class, Deed};
use super::super::phrase::code;
use super::super::place::{Place, climbs_back};
use super::super::secrets;
use super::super::shell::{Run, Word};

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
        Ok(()) => Deed::allow(format!("reads {}", run.name(&word.text))),
        Err(deed) => deed,
    }
}

/// Whether reading `word` is proven to stay inside the project and off its secrets; if not, what it does.
pub(super) fn readable(run: &Run<'_>, word: &Word, part: Part) -> Result<(), Deed> {
    let verb = if part == Part::Content { "reads" } else { "looks at" };
    let name = run.name(&word.text);
    if !word.exact {
        return Err(Deed::ask(Class::Reads, format!("{verb} {name}, which may be any file")));
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
    let holding = secret.map_or_else(String::new, |what| format!(", which usually holds {what}"));
    match place {
        Place::Nowhere if matches!(word.text.as_str(), "/dev/null" | "/dev/stdin") => return Ok(()),
        Place::Inside(_) | Place::Project => {}
        Place::Unknown => {
            return Err(Deed::ask(
                Class::Outside,
                format!("{verb} {name}{holding}, from a directory that isn't known"),
            ));
        }
        Place::Pillar(_) | Place::Outside(_) | Place::Device(_) | Place::Nowhere => {
            return Err(Deed::ask(Class::Outside, format!("{verb} {name}{holding}, outside the project")));
        }
    }
    if secret.is_some() {
        return Err(Deed::ask(Class::Reads, format!("{verb} {name}{holding}")));
    }
    if climbs_back(&word.text) {
        return Err(Deed::ask(
            Class::Reads,
            format!("{verb} {}, which climbs back out of a folder that may be a link", code(&word.text)),
        ));
    }
    if word.glob && !harmless_glob(&word.text, part) {
        return Err(Deed::ask(Class::Reads, format!("{verb} whatever files {} matches", code(&word.text))));
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

/// `> word`: writes a file; nothing if it goes nowhere. `how` is a verb, such as "writes over".
pub(in crate::offline) fn writing(run: &Run<'_>, word: &Word, how: &str) -> Option<Deed> {
    let name = run.name(&word.text);
    if !word.exact || word.glob {
        return Some(Deed::ask(Class::Outside, format!("{how} {name}, which may be any file")));
    }
    Some(match run.place(&word.text) {
        Place::Nowhere => return None,
        Place::Device(path) => device(&path, how),
        Place::Inside(path) => match (special(&path), secrets::reason(&path)) {
            (Some(special), _) => Deed::ask(Class::RunsCode, format!("{how} {name}, {special}")),
            (None, Some(secret)) => Deed::ask(Class::Writes, format!("{how} {name}, which usually holds {secret}")),
            (None, None) => Deed::ask(Class::Writes, format!("{how} {name}")),
        },
        Place::Project => Deed::ask(Class::Writes, format!("{how} {name}")),
        Place::Outside(path) | Place::Pillar(path) if path.starts_with("/proc/sysrq") => {
            Deed::deny("gives orders to the kernel through `/proc/sysrq-trigger`, which can halt the machine")
        }
        Place::Outside(path) | Place::Pillar(path) => {
            let more = special(&path).map_or_else(String::new, |special| format!(", {special}"));
            Deed::ask(Class::Outside, format!("{how} {name}, outside the project{more}"))
        }
        Place::Unknown => Deed::ask(Class::Outside, format!("{how} {name}, in a directory that isn't known")),
    })
}

/// Writing to a device.
pub(super) fn device(path: &str, how: &str) -> Deed {
    if is_disk(path) {
        return Deed::deny(format!("{how} the disk {}: everything on it would be lost", code(path)));
    }
    Deed::ask(Class::Outside, format!("{how} the device {}", code(path)))
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
pub(in crate::offline) fn special(path: &str) -> Option<&'static str> {
    let lower = path.to_ascii_lowercase();
    let inside = |folder: &str| lower.starts_with(&format!("{folder}/")) || lower.contains(&format!("/{folder}/"));
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let hook = inside(".git/hooks") || inside(".husky") || matches!(name, ".pre-commit-config.yaml" | "lefthook.yml");
    Some(match name {
        _ if hook => "a hook that git runs by itself",
        "config" if inside(".git") => "git's own configuration, which can name programs to run",
        _ if inside(".git") => "git's own record of the project",
        _ if inside(".github/workflows") || inside(".circleci") || inside(".gitea/workflows") => {
            "which the build server runs"
        }
        ".gitlab-ci.yml" | "jenkinsfile" | "azure-pipelines.yml" | ".travis.yml" | "bitbucket-pipelines.yml" => {
            "which the build server runs"
        }
        _ if inside(".opencode") || inside(".claude") || inside(".cursor") => "which tells agents what they may do",
        "opencode.json" | "opencode.jsonc" | "agents.md" | "claude.md" | ".cursorrules" | ".mcp.json" => {
            "which tells agents what to do"
        }
        ".bashrc" | ".bash_profile" | ".profile" | ".zshrc" | ".zprofile" | ".zshenv" | ".bash_logout"
        | "config.fish" => "which every new shell runs",
        "authorized_keys" => "which decides who may log in",
        "crontab" | "sudoers" => "which decides what runs by itself or with full rights",
        _ if inside("cron.d") || inside("cron.daily") || inside("systemd/system") || inside("systemd/user") => {
            "which runs by itself"
        }
        _ if inside("autostart") || inside("launchagents") || inside("launchdaemons") => {
            "which runs by itself at the next log-in"
        }
        ".envrc" => "which runs whenever the folder is entered",
        ".vscode" | "tasks.json" if inside(".vscode") => "which the editor runs",
        _ => return None,
    })
}
