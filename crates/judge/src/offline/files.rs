//! Reading and changing files, and going outside the project.

use super::command::special;
use super::finding::{Class, Deed, Finding, whole};
use super::phrase::{self, code};
use super::place::{Place, Places, climbs_back, join};
use super::subject::Subject;
use super::{letters, secrets, shell};

/// Reading: allowed inside the project, away from secrets.
pub(super) fn read(subject: &Subject<'_>, places: &Places) -> Finding {
    let paths = paths(subject);
    if paths.is_empty() {
        return whole(Deed::ask(Class::Unknown, "reads a file that isn't named"));
    }
    let deeds = paths.iter().map(|path| one_read(path, places));
    worst(deeds)
}

fn one_read(path: &str, places: &Places) -> Deed {
    let Some(full) = join(&places.project, path).filter(|_| places.project.len() > 1) else {
        return Deed::ask(Class::Unknown, format!("reads {}", code(path)));
    };
    let name = code(&places.shown(&full));
    let place = places.of(&full);
    let secret = secrets::reason(if let Place::Inside(path) = &place { path } else { path });
    let holding = secret.map_or_else(String::new, |what| format!(", which usually holds {what}"));
    if let Some(odd) = letters::deceptive(path) {
        return Deed::ask(
            if place.is_inside() { Class::Reads } else { Class::Outside },
            format!("reads {name}, whose name {odd}"),
        );
    }
    match place {
        Place::Inside(_) | Place::Project if secret.is_none() && is_plain(path) => Deed::allow(format!("reads {name}")),
        Place::Inside(_) | Place::Project if secret.is_none() => {
            Deed::ask(Class::Reads, format!("reads {}, which may be more than one file", code(path)))
        }
        Place::Inside(_) | Place::Project => Deed::ask(Class::Reads, format!("reads {name}{holding}")),
        _ => Deed::ask(Class::Outside, format!("reads {name}{holding}, outside the project")),
    }
}

/// A name that means itself and nothing else.
fn is_plain(path: &str) -> bool {
    !climbs_back(path) && !path.starts_with('~') && !path.contains(['*', '?', '$', '`', '\n', '\\'])
}

/// Every path that a request names.
fn paths(subject: &Subject<'_>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let told = subject.detail.path.iter().chain(subject.resources);
    let changed = subject.detail.diff.iter().flat_map(|diff| diff.lines().filter_map(changed_file));
    for path in told.map(String::as_str).chain(changed).filter(|path| !path.trim().is_empty()) {
        if !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    paths
}

/// The file that a line of a diff names.
fn changed_file(line: &str) -> Option<&str> {
    let name = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- "))?;
    let name = name.split('\t').next().unwrap_or(name);
    let name = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name);
    (name != "/dev/null").then_some(name)
}

/// Changing files: never allowed; the sentence says what and how much.
pub(super) fn edit(subject: &Subject<'_>, places: &Places) -> Finding {
    let paths = paths(subject);
    let size = subject.detail.diff.as_deref().map_or_else(String::new, size);
    if paths.is_empty() {
        return whole(Deed::ask(Class::Unknown, format!("changes a file that isn't named{size}")));
    }
    // The same file may be named from the project and from the root.
    let mut named: Vec<String> = Vec::new();
    for path in &paths {
        let full = join(&places.project, path).unwrap_or_else(|| path.clone());
        let within = |known: &String| known == &full || known.ends_with(&format!("/{}", path.trim_start_matches('/')));
        if !named.iter().any(within) {
            named.push(full);
        }
    }
    let more = match named.len() {
        1 => String::new(),
        count => format!(", {} in all", phrase::count(count, "file")),
    };
    worst(named.iter().map(|path| {
        let mut deed = one_edit(path, places);
        deed.why.push_str(&size);
        deed.why.push_str(&more);
        deed
    }))
}

fn one_edit(path: &str, places: &Places) -> Deed {
    let name = code(&places.shown(path));
    let place = places.of(path);
    let inner = if let Place::Inside(inner) = &place { inner.as_str() } else { path };
    let (class, wherein) = match &place {
        Place::Inside(_) | Place::Project => (Class::Writes, ""),
        _ => (Class::Outside, ", outside the project"),
    };
    if let Some(odd) = letters::deceptive(path) {
        return Deed::ask(class, format!("changes {name}, whose name {odd}{wherein}"));
    }
    if let Some(special) = special(inner) {
        return Deed::ask(Class::RunsCode.max(class), format!("changes {name}, {special}{wherein}"));
    }
    if let Some(secret) = secrets::reason(inner) {
        return Deed::ask(class, format!("changes {name}, which usually holds {secret}{wherein}"));
    }
    let what = match file_name(inner) {
        "package-lock.json" | "yarn.lock" | "pnpm-lock.yaml" | "Cargo.lock" | "poetry.lock" | "uv.lock"
        | "Gemfile.lock" | "composer.lock" | "go.sum" | "bun.lock" | "bun.lockb" => {
            ", which decides what packages are downloaded"
        }
        "package.json" | "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" | "build.rs"
        | "setup.py" | "conftest.py" | "Rakefile" | "build.gradle" | "CMakeLists.txt" | "Dockerfile" => {
            ", which runs when the project is built"
        }
        name if name.starts_with('.') => ", a hidden file",
        _ => "",
    };
    Deed::ask(class, format!("changes {name}{what}{wherein}"))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// How many lines a diff adds and removes, as the end of a sentence.
fn size(diff: &str) -> String {
    let count = |sign: char, heading: &str| {
        diff.lines().filter(|line| line.starts_with(sign) && !line.starts_with(heading)).count()
    };
    let (added, removed) = (count('+', "+++ "), count('-', "--- "));
    if added + removed == 0 {
        return String::new();
    }
    format!(" (+{added} −{removed} lines)")
}

/// Going outside: never allowed.
pub(super) fn beyond(subject: &Subject<'_>, places: &Places) -> Finding {
    let deeds = subject.resources.iter().map(|resource| {
        let stem = resource.trim_end_matches(['*', '/']);
        let path = join(&places.project, if stem.is_empty() { "/" } else { stem }).unwrap_or_default();
        let shown = code(&places.shown(&path));
        let what = match places.of(&path) {
            Place::Inside(_) | Place::Project => "which lies inside the project after all".to_owned(),
            _ if secrets::reason(&path).is_some() => {
                format!("which holds {}", secrets::reason(&path).unwrap_or_default())
            }
            Place::Pillar(path) if places.home.as_ref() == Some(&path) => "your home directory".to_owned(),
            Place::Pillar(path) if path == "/" => "the whole machine".to_owned(),
            Place::Device(_) | Place::Nowhere => "a device".to_owned(),
            _ if path.starts_with("/tmp") || path.starts_with("/var/tmp") || path.starts_with("/private/tmp") => {
                "where every user keeps passing things".to_owned()
            }
            _ if places.home.as_ref().is_some_and(|home| path.starts_with(home.as_str())) => {
                "in your home directory".to_owned()
            }
            _ => "which belongs to the machine".to_owned(),
        };
        Deed::ask(Class::Outside, format!("goes outside the project, into {shown}, {what}"))
    });
    let mut finding = worst(deeds);
    // What the command does there is known as well, and may be worse than where it goes.
    if let Some(command) = subject.detail.command.as_deref() {
        let inner = shell::finding(command, subject.detail.workdir.as_deref(), places);
        finding.segments = inner.segments;
        finding.class = finding.class.max(inner.class);
        if inner.class > Class::Outside {
            finding.reason = format!("{}, and {}", finding.reason, inner.reason);
            if inner.recommendation == gavel_core::Recommendation::Deny {
                finding.recommendation = inner.recommendation;
                finding.reason = inner.reason;
            }
        }
    }
    finding
}

fn worst(deeds: impl Iterator<Item = Deed>) -> Finding {
    let worst = deeds.max_by_key(Deed::weight);
    whole(worst.unwrap_or_else(|| Deed::ask(Class::Unknown, "goes somewhere that isn't named")))
}
