//! Unified diffs, as OpenCode puts them into the request for an edit.

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileDiff {
    /// The file's absolute path.
    pub(crate) file: String,
    /// The whole diff, with its header.
    pub(crate) patch: String,
    /// The lines it adds, joined: the new text of an edit.
    pub(crate) new: String,
    /// The lines it takes away, joined: the old text of an edit.
    pub(crate) old: String,
    pub(crate) additions: usize,
    pub(crate) deletions: usize,
    /// The file did not exist before.
    pub(crate) created: bool,
}

/// The diff that creates `file` with `content`.
pub(crate) fn creation(file: &str, content: &str) -> FileDiff {
    let lines: Vec<&str> = content.lines().collect();
    let body: String = lines.iter().map(|line| format!("+{line}\n")).collect();
    FileDiff {
        file: file.to_owned(),
        patch: format!("{}@@ -0,0 +1,{} @@\n{body}", header(file), lines.len()),
        new: content.to_owned(),
        old: String::new(),
        additions: lines.len(),
        deletions: 0,
        created: true,
    }
}

/// The diff of `file` whose hunks are `lines`. Without any `@@` they are one hunk at the top of the file; a hunk's
/// counts must be right, so that nobody is shown a diff no program would make.
pub(crate) fn edit(file: &str, lines: &[String]) -> Result<FileDiff, String> {
    if !lines.iter().any(|line| line.starts_with("@@")) {
        let (old, new) = (count(lines, '-'), count(lines, '+'));
        let mut with_header = vec![format!("@@ -1,{old} +1,{new} @@")];
        with_header.extend_from_slice(lines);
        return edit(file, &with_header);
    }
    let mut rest = lines;
    while let Some((top, after)) = rest.split_first() {
        let (old, new) = counts(top).ok_or_else(|| format!("`{top}` is no hunk header"))?;
        let length = after.iter().position(|line| line.starts_with("@@")).unwrap_or(after.len());
        let (hunk, next) = after.split_at(length);
        if (count(hunk, '-'), count(hunk, '+')) != (old, new) {
            return Err(format!(
                "the hunk has {} old and {} new lines, not what `{top}` says",
                count(hunk, '-'),
                count(hunk, '+')
            ));
        }
        if let Some(odd) = hunk.iter().find(|line| !line.starts_with(['-', '+', ' '])) {
            return Err(format!("a line of a hunk starts with `+`, `-` or a blank, unlike `{odd}`"));
        }
        rest = next;
    }
    let side = |mark: char| -> Vec<&str> { lines.iter().filter_map(|line| line.strip_prefix(mark)).collect() };
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Ok(FileDiff {
        file: file.to_owned(),
        patch: format!("{}{body}", header(file)),
        new: side('+').join("\n"),
        old: side('-').join("\n"),
        additions: side('+').len(),
        deletions: side('-').len(),
        created: false,
    })
}

fn header(file: &str) -> String {
    format!("Index: {file}\n{}\n--- {file}\n+++ {file}\n", "=".repeat(67))
}

/// Lines of a hunk on one side: its own and the common ones.
fn count(lines: &[String], mark: char) -> usize {
    lines.iter().filter(|line| line.starts_with([mark, ' '])).count()
}

/// The two line counts of `@@ -a,b +c,d @@`.
fn counts(line: &str) -> Option<(usize, usize)> {
    let (old, new) = line.strip_prefix("@@ -")?.split_once(" @@")?.0.split_once(" +")?;
    let length = |range: &str| range.split_once(',')?.1.parse().ok();
    Some((length(old)?, length(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_new_file_is_all_additions() {
        let diff = creation("/p/new.txt", "line one\nline two\n");
        assert!(diff.patch.ends_with("--- /p/new.txt\n+++ /p/new.txt\n@@ -0,0 +1,2 @@\n+line one\n+line two\n"));
        assert_eq!((diff.additions, diff.deletions, diff.created), (2, 0, true));
    }

    #[test]
    fn an_edit_may_leave_its_only_hunk_header_out() {
        let diff = edit("/p/hello.txt", &lines("-hi\n+hi there")).expect("a fine hunk");
        assert!(diff.patch.ends_with("@@ -1,1 +1,1 @@\n-hi\n+hi there\n"));
        assert_eq!((diff.old.as_str(), diff.new.as_str()), ("hi", "hi there"));
    }

    #[test]
    fn hunks_that_cannot_be_are_refused() {
        for wrong in
            ["@@ -1,2 +1,1 @@\n-a\n+b", "@@ nonsense\n-a", "-a\n+b\nc", "@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,1 @@\n-a"]
        {
            assert!(edit("/p/x", &lines(wrong)).is_err(), "{wrong}");
        }
    }
}
