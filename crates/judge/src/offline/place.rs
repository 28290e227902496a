//! Where a path leads, by its letters alone: nothing here looks at a disk.

/// The places that a request is measured by. All are absolute POSIX paths without `.` and `..`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub project: String,
    pub home: Option<String>,
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The project's own directory.
    Project,
    /// Inside the project; relative to it.
    Inside(String),
    /// `/dev/null`, `/dev/stdout` and their like, which keep nothing.
    Nowhere,
    /// A device, by its path.
    Device(String),
    /// `/`, a directory of the system, or one that holds the project or the home: nothing there may be wiped.
    Pillar(String),
    /// Anywhere else outside the project.
    Outside(String),
    /// It can't be told.
    Unknown,
}

impl Place {
    pub fn is_inside(&self) -> bool {
        matches!(self, Self::Project | Self::Inside(_))
    }
}

/// Directories that a system or its users can't live without.
const PILLARS: &[&str] = &[
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/media",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
    "/Applications",
    "/Library",
    "/System",
    "/Users",
    "/Volumes",
    "/private",
    "/private/etc",
    "/private/var",
];

impl Places {
    /// Where the absolute path `path`, as [`join`] makes it, leads.
    pub fn of(&self, path: &str) -> Place {
        if path == self.project {
            return Place::Project;
        }
        let within = |root: &str| path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
        if self.project != "/"
            && let Some(rest) = within(&self.project)
        {
            return Place::Inside(rest.to_owned());
        }
        if matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "/dev/tty")
            || path.strip_prefix("/dev/fd/").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return Place::Nowhere;
        }
        if path.starts_with("/dev/") {
            return Place::Device(path.to_owned());
        }
        let holds = |inner: &str| inner == path || inner.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        if PILLARS.contains(&path) || holds(&self.project) || self.home.as_deref().is_some_and(holds) {
            return Place::Pillar(path.to_owned());
        }
        Place::Outside(path.to_owned())
    }

    /// `path` as it is best shown: relative inside the project, with `~` inside the home.
    pub fn shown(&self, path: &str) -> String {
        match self.of(path) {
            Place::Project => "the whole project".to_owned(),
            Place::Inside(rest) => rest,
            _ => match &self.home {
                Some(home) if path == home => "~".to_owned(),
                Some(home) => match path.strip_prefix(home.as_str()).and_then(|rest| rest.strip_prefix('/')) {
                    Some(rest) => format!("~/{rest}"),
                    None => path.to_owned(),
                },
                None => path.to_owned(),
            },
        }
    }
}

/// `path` made absolute from `base`, without `.`, `..`, doubled and trailing slashes; `None` if `base` isn't absolute
/// where that matters.
///
/// A `..` behind a name is resolved by the letters too. Where that name is a link the truth is another, so a proof must
/// not rest on it: see [`climbs_back`].
pub(super) fn join(base: &str, path: &str) -> Option<String> {
    let start = if path.starts_with('/') { "" } else { base.strip_prefix('/')? };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    Some(format!("/{}", parts.join("/")))
}

/// Whether a `..` stands behind a name, as in `a/../b`.
pub(super) fn climbs_back(path: &str) -> bool {
    let mut named = path.starts_with('/');
    path.split('/').any(|part| match part {
        "" | "." => false,
        ".." => named,
        _ => {
            named = true;
            false
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_paths_lead() {
        let places = Places { project: "/home/ada/shop".to_owned(), home: Some("/home/ada".to_owned()) };
        let at = |path: &str| join("/home/ada/shop/src", path).map(|path| places.of(&path));
        let inside = |path: &str| Some(Place::Inside(path.to_owned()));
        assert_eq!(at("a.rs"), inside("src/a.rs"));
        assert_eq!(at("../b"), inside("b"));
        assert_eq!(at(".."), Some(Place::Project));
        assert_eq!(at("../.."), Some(Place::Pillar("/home/ada".to_owned())));
        assert_eq!(at("../../../.."), Some(Place::Pillar("/".to_owned())));
        assert_eq!(at("../../shop2"), Some(Place::Outside("/home/ada/shop2".to_owned())));
        assert_eq!(at("/home/ada/shop//x/./y/"), inside("x/y"));
        assert_eq!(at("/dev/null"), Some(Place::Nowhere));
        assert_eq!(at("/dev/sda"), Some(Place::Device("/dev/sda".to_owned())));
        assert_eq!(at("/etc/../etc"), Some(Place::Pillar("/etc".to_owned())));
        assert_eq!(join("C:\\x", "y"), None);
    }

    #[test]
    fn a_name_that_is_climbed_back_from() {
        for (path, expected) in
            [("a/../b", true), ("../a", false), ("../../a/b", false), ("/../a", true), ("./..", false)]
        {
            assert_eq!(climbs_back(path), expected, "{path}");
        }
    }
}
