//! What is displayed of a change, and whether that is all of it. Pure.

use gavel_core::Detail;
use serde_json::Value;

/// Whether `lines` begin with the head of a file: two names, then the first hunk. Lines of a change may look like names.
fn is_head(lines: &[&str]) -> bool {
    matches!(lines, [old, new, hunk, ..]
        if old.starts_with("--- ") && new.starts_with("+++ ") && hunk.starts_with("@@"))
}

/// The lines of `diff` without the head of its first file, if that head says nothing but what `text` says.
pub(super) fn body<'a>(diff: &'a str, text: &str) -> Vec<&'a str> {
    let lines: Vec<&str> = diff.lines().collect();
    let is_rule =
        |line: &&&str| line.starts_with("===") || line.strip_prefix("Index: ").is_some_and(|it| text.contains(it));
    let names = lines.iter().take_while(is_rule).count();
    let rest = lines.get(names..).unwrap_or_default();
    let is_said = |line: &&str| {
        let name = line.get(4..).unwrap_or_default().split('\t').next().unwrap_or_default();
        let name = name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name);
        name == "/dev/null" || text.contains(name)
    };
    match rest {
        [old, new, body @ ..] if is_head(rest) && is_said(old) && is_said(new) => body.to_vec(),
        _ => lines,
    }
}

/// How many lines `diff` adds, and how many it removes. Only the heads of files are left out.
pub(super) fn count(diff: &str) -> (usize, usize) {
    let lines: Vec<&str> = diff.lines().collect();
    let (mut added, mut removed, mut at) = (0, 0, 0);
    while let Some(rest @ [line, ..]) = lines.get(at..) {
        if is_head(rest) {
            at += 2;
            continue;
        }
        added += usize::from(line.starts_with('+'));
        removed += usize::from(line.starts_with('-'));
        at += 1;
    }
    (added, removed)
}

/// Whether the diff shows every file that the server says is changed.
pub(crate) fn is_whole(detail: &Detail) -> bool {
    let diff = detail.diff.as_deref().unwrap_or_default();
    let is_shown = |file: &Value| {
        let text = |key: &str| file.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        let is_named = text("file").is_none_or(|name| diff.contains(name));
        is_named && text("patch").is_some_and(|patch| diff.contains(patch.trim_end()))
    };
    match detail.metadata.get("files") {
        None | Some(Value::Null) => true,
        Some(Value::Array(files)) => files.iter().all(is_shown),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_line_of_a_change_is_taken_for_a_head() {
        let cases = [
            ("--- a.sql\n+++ a.sql\n@@ -1 +1 @@\n-x\n+y", "@@ -1 +1 @@\n-x\n+y", (1, 1)),
            ("Index: a.sql\n====\n--- a.sql\t1\n+++ a.sql\n@@ -1 +1 @@\n-x", "@@ -1 +1 @@\n-x", (0, 1)),
            ("--- /dev/null\n+++ b/a.sql\n@@ -0,0 +1 @@\n+++ evil", "@@ -0,0 +1 @@\n+++ evil", (1, 0)),
            ("--- a.sql\n+++ a.sql\n@@ @@\n--- drop\n+++ evil", "@@ @@\n--- drop\n+++ evil", (1, 1)),
            // Not a head without a hunk, and not to be left out if it names another file.
            ("--- a.sql\n+++ a.sql\n--- drop\n+++ evil", "--- a.sql\n+++ a.sql\n--- drop\n+++ evil", (2, 2)),
            ("--- a.sql\n+++ keys\n@@ @@\n+x", "--- a.sql\n+++ keys\n@@ @@\n+x", (1, 0)),
        ];
        for (diff, shown, counted) in cases {
            assert_eq!((body(diff, "/p/a.sql").join("\n").as_str(), count(diff)), (shown, counted), "{diff}");
        }
    }

    #[test]
    fn a_change_is_whole_if_every_file_of_it_is_shown() {
        let a = json!({ "file": "a.rs", "patch": "@@ @@\n+one\n" });
        let b = json!({ "file": "b.rs", "patch": "@@ @@\n+evil" });
        let cases = [
            (json!({}), true),
            (json!({ "files": null }), true),
            (json!({ "files": [a] }), true),
            (json!({ "files": [a, b] }), false),
            (json!({ "files": [{ "file": "b.rs", "patch": "@@ @@\n+one" }] }), false),
            (json!({ "files": [{ "file": "a.rs" }] }), false),
            (json!({ "files": "b.rs" }), false),
        ];
        for (metadata, whole) in cases {
            let diff = Some("--- a.rs\n+++ a.rs\n@@ @@\n+one".to_owned());
            assert_eq!(
                is_whole(&Detail { metadata: metadata.clone(), diff, ..Detail::default() }),
                whole,
                "{metadata}"
            );
        }
    }
}
