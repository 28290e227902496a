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
    // Where the project's directory isn't known, no other is known to be it.
    let is_it = !directory.is_empty() && absolute.trim_end_matches('/') == directory.trim_end_matches('/');
    (!is_it).then_some(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_project_itself_is_no_other_place() {
        let cases = [
            ("/shop", "/shop", None),
            ("/shop/", "/shop", None),
            (".", "/shop", None),
            ("/", "/", None),
            ("sub", "/shop", Some("/shop/sub")),
            ("./sub", "/shop/", Some("/shop/sub")),
            ("..", "/shop", Some("/shop/..")),
            ("sub/..", "/shop", Some("/shop/sub/..")),
            ("/", "/shop", Some("/")),
            ("C:\\x", "/shop", Some("C:\\x")),
            // Nobody has said yet where the project is.
            ("/", "", Some("/")),
            ("///", "", Some("///")),
            (".", "", Some(".")),
        ];
        for (workdir, directory, expected) in cases {
            assert_eq!(elsewhere(workdir, directory).as_deref(), expected, "{workdir} in {directory}");
        }
    }
}
