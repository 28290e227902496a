//! Paths as servers name them: of any system, for the server may run on another one.

/// Whether `path` is absolute on any system.
pub(super) fn is_absolute(path: &str) -> bool {
    let mut chars = path.chars();
    let has_drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':');
    path.starts_with(['/', '\\']) || has_drive
}

/// `workdir` as an absolute path, unless it is the project's own directory.
pub(super) fn elsewhere(workdir: &str, directory: &str) -> Option<String> {
    let absolute = if is_absolute(workdir) || directory.is_empty() {
        workdir.to_owned()
    } else if matches!(workdir, "." | "./") {
        directory.to_owned()
    } else {
        format!("{}/{}", directory.trim_end_matches('/'), workdir.strip_prefix("./").unwrap_or(workdir))
    };
    (absolute.trim_end_matches('/') != directory.trim_end_matches('/')).then_some(absolute)
}
