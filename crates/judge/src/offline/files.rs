//! Reading and changing files, and going outside the project.

use super::command::special;
use super::finding::{Class, Deed, Finding, whole};
use super::phrase::code;
use super::place::{Place, Places, climbs_back, join};
use super::subject::Subject;
use super::{letters, secrets, shell};
use gavel_core::text::{Message, Piece, Template};
use gavel_core::{say, term};

/// Reading: allowed inside the project, away from secrets.
pub(super) fn read(subject: &Subject<'_>, places: &Places) -> Finding {
    let paths = paths(subject);
    if paths.is_empty() {
        return whole(Deed::ask(Class::Unknown, say!("reads a file that isn't named")));
    }
    let deeds = paths.iter().map(|path| one_read(path, places));
    worst(deeds)
}

fn one_read(path: &str, places: &Places) -> Deed {
    let Some(full) = join(&places.project, path).filter(|_| places.project.len() > 1) else {
        return Deed::ask(Class::Unknown, say!("reads {}", code(path)));
    };
    let name = named(places, &full);
    let place = places.of(&full);
    let secret = secrets::reason(if let Place::Inside(path) = &place { path } else { path });
    let holding = secret.map_or_else(Message::default, |what| say!(", which usually holds {}", what));
    if let Some(odd) = letters::deceptive(path) {
        return Deed::ask(
            if place.is_inside() { Class::Reads } else { Class::Outside },
            say!("reads {}, whose name {}", name, odd),
        );
    }
    match place {
        Place::Inside(_) | Place::Project if secret.is_none() && is_plain(path) => Deed::allow(say!("reads {}", name)),
        Place::Inside(_) | Place::Project if secret.is_none() => {
            Deed::ask(Class::Reads, say!("reads {}, which may be more than one file", code(path)))
        }
        Place::Inside(_) | Place::Project => Deed::ask(Class::Reads, say!("reads {}{}", name, holding)),
        _ => Deed::ask(Class::Outside, say!("reads {}{}, outside the project", name, holding)),
    }
}

/// The absolute path `path` for a sentence.
fn named(places: &Places, path: &str) -> Piece {
    match places.of(path) {
        Place::Project => term!("`the whole project`").into(),
        _ => code(&places.shown(path)),
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
    let size = subject.detail.diff.as_deref().map_or_else(Message::default, size);
    if paths.is_empty() {
        return whole(Deed::ask(Class::Unknown, say!("changes a file that isn't named{}", size)));
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
        1 => Message::default(),
        count => say!(", {} files in all", count),
    };
    worst(named.iter().map(|path| {
        let deed = one_edit(path, places);
        Deed { why: say!("{}{}{}", deed.why, size.clone(), more.clone()), ..deed }
    }))
}

fn one_edit(path: &str, places: &Places) -> Deed {
    let name = named(places, path);
    let place = places.of(path);
    let inner = if let Place::Inside(inner) = &place { inner.as_str() } else { path };
    let (class, wherein) = match &place {
        Place::Inside(_) | Place::Project => (Class::Writes, Template::default()),
        _ => (Class::Outside, term!(", outside the project")),
    };
    if let Some(odd) = letters::deceptive(path) {
        return Deed::ask(class, say!("changes {}, whose name {}{}", name, odd, wherein));
    }
    if let Some(special) = special(inner) {
        return Deed::ask(Class::RunsCode.max(class), say!("changes {}, {}{}", name, special, wherein));
    }
    if let Some(secret) = secrets::reason(inner) {
        return Deed::ask(class, say!("changes {}, which usually holds {}{}", name, secret, wherein));
    }
    let what = match file_name(inner) {
        "package-lock.json" | "yarn.lock" | "pnpm-lock.yaml" | "Cargo.lock" | "poetry.lock" | "uv.lock"
        | "Gemfile.lock" | "composer.lock" | "go.sum" | "bun.lock" | "bun.lockb" => {
            term!(", which decides what packages are downloaded")
        }
        "package.json" | "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" | "build.rs"
        | "setup.py" | "conftest.py" | "Rakefile" | "build.gradle" | "CMakeLists.txt" | "Dockerfile" => {
            term!(", which runs when the project is built")
        }
        name if name.starts_with('.') => term!(", a hidden file"),
        _ => Template::default(),
    };
    Deed::ask(class, say!("changes {}{}{}", name, what, wherein))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// How many lines a diff adds and removes, as the end of a sentence.
fn size(diff: &str) -> Message {
    let count = |sign: char, heading: &str| {
        diff.lines().filter(|line| line.starts_with(sign) && !line.starts_with(heading)).count()
    };
    let (added, removed) = (count('+', "+++ "), count('-', "--- "));
    if added + removed == 0 {
        return Message::default();
    }
    say!(" (+{} −{} lines)", added, removed)
}

/// Going outside: never allowed.
pub(super) fn beyond(subject: &Subject<'_>, places: &Places) -> Finding {
    let deeds = subject.resources.iter().map(|resource| {
        let stem = resource.trim_end_matches(['*', '/']);
        let path = join(&places.project, if stem.is_empty() { "/" } else { stem }).unwrap_or_default();
        let shown = named(places, &path);
        let what = match places.of(&path) {
            Place::Inside(_) | Place::Project => say!("which lies inside the project after all"),
            _ if secrets::reason(&path).is_some() => {
                say!("which holds {}", secrets::reason(&path).unwrap_or_default())
            }
            Place::Pillar(path) if places.home.as_ref() == Some(&path) => say!("your home directory"),
            Place::Pillar(path) if path == "/" => say!("the whole machine"),
            Place::Device(_) | Place::Nowhere => say!("a device"),
            _ if path.starts_with("/tmp") || path.starts_with("/var/tmp") || path.starts_with("/private/tmp") => {
                say!("where every user keeps passing things")
            }
            _ if places.home.as_ref().is_some_and(|home| path.starts_with(home.as_str())) => {
                say!("in your home directory")
            }
            _ => say!("which belongs to the machine"),
        };
        Deed::ask(Class::Outside, say!("goes outside the project, into {}, {}", shown, what))
    });
    let mut finding = worst(deeds);
    // What the command does there is known as well, and may be worse than where it goes.
    if let Some(command) = subject.detail.command.as_deref() {
        let inner = shell::finding(command, subject.detail.workdir.as_deref(), places);
        finding.segments = inner.segments;
        finding.class = finding.class.max(inner.class);
        if inner.class > Class::Outside {
            finding.said = say!("{}, and {}", finding.said, inner.said.clone());
            if inner.recommendation == gavel_core::Recommendation::Deny {
                finding.recommendation = inner.recommendation;
                finding.said = inner.said;
            }
            finding.reason = finding.said.to_string();
        }
    }
    finding
}

fn worst(deeds: impl Iterator<Item = Deed>) -> Finding {
    let worst = deeds.max_by_key(Deed::weight);
    whole(worst.unwrap_or_else(|| Deed::ask(Class::Unknown, say!("goes somewhere that isn't named"))))
}
