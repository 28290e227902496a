//! Writing activity to a file of the user's.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use gavel_core::Moment;
use gavel_core::rules_file::iso;
use gavel_disk::{AuditLine, Row};
use serde_json::Value;

use crate::api::ExportFormat;

/// How many files of the same minute there may be.
const NAMES: u32 = 100;

/// Writes `rows`, oldest first, to a new file in `folder`, and says which and how many lines. Nobody else may read it: it
/// says what somebody works on.
///
/// # Errors
/// If it can't be written.
pub(super) fn export<'a>(
    rows: impl Iterator<Item = &'a Row>,
    format: ExportFormat,
    folder: &Path,
    now: Moment,
) -> std::io::Result<(PathBuf, usize)> {
    std::fs::create_dir_all(folder)?;
    let (path, file) = create(folder, now, format)?;
    let mut out = BufWriter::new(file);
    let lines = rows.filter_map(|row| AuditLine::of(&row.record));
    let written = match format {
        ExportFormat::Jsonl => jsonl(lines, &mut out),
        ExportFormat::Csv => csv(lines, &mut out),
    }?;
    out.flush()?;
    Ok((path, written))
}

fn create(folder: &Path, now: Moment, format: ExportFormat) -> std::io::Result<(PathBuf, File)> {
    let minute: String =
        iso(now).chars().take("2026-08-26T12:00".len()).map(|c| if c == ':' { '.' } else { c }).collect();
    let extension = match format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Csv => "csv",
    };
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for number in 1..NAMES {
        let more = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("gavel-activity-{minute}{more}.{extension}"));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

fn jsonl(lines: impl Iterator<Item = AuditLine>, out: &mut impl Write) -> std::io::Result<usize> {
    let mut written = 0;
    for line in lines {
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")?;
        written += 1;
    }
    Ok(written)
}

fn csv(lines: impl Iterator<Item = AuditLine>, out: &mut impl Write) -> std::io::Result<usize> {
    // A byte order mark: without it spreadsheets take the text for something else than UTF-8.
    write!(out, "\u{FEFF}{}\r\n", AuditLine::COLUMNS.join(","))?;
    let mut written = 0;
    for line in lines {
        let line = serde_json::to_value(&line)?;
        let cells: Vec<String> =
            AuditLine::COLUMNS.iter().map(|column| cell(line.get(column).unwrap_or(&Value::Null))).collect();
        write!(out, "{}\r\n", cells.join(","))?;
        written += 1;
    }
    Ok(written)
}

/// A cell. What agents write must not become a formula where the table is opened.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) => text.clone(),
        other => return other.to_string(),
    };
    let text = told_as_text(&text);
    if text.contains(['"', ',', '\n', '\r', '\'']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// `text` with a mark before all that would begin a formula. Where the list separator is `;`, a table may be split there
/// whatever it is quoted with, and tabs split what is pasted.
fn told_as_text(text: &str) -> String {
    let begins = |rest: &str| rest.trim_start().starts_with(['=', '+', '-', '@']);
    let mut told = String::with_capacity(text.len() + 1);
    if begins(text) || text.starts_with(['\t', '\r', '\n']) {
        told.push('\'');
    }
    for (at, c) in text.char_indices() {
        told.push(c);
        if matches!(c, ';' | '\t') && text.get(at + c.len_utf8()..).is_some_and(begins) {
            told.push('\'');
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use gavel_core::{Decision, Settled};

    use super::super::test::{record, row, settled, you};
    use super::*;

    const NOW: Moment = Moment(1_787_745_600_000);

    #[test]
    fn every_export_is_a_new_file_that_nobody_else_may_read() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        let rows =
            [row(1, 5, record("ls", you(Decision::AllowOnce))), row(2, 6, record("pwd", settled(Settled::Swept)))];
        let mut names = Vec::new();
        for _ in 0..2 {
            let (path, lines) = export(rows.iter(), ExportFormat::Jsonl, &folder, NOW).unwrap();
            assert_eq!(lines, 2);
            let commands: Vec<Value> = std::fs::read_to_string(&path)
                .unwrap()
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["command"].clone())
                .collect();
            assert_eq!(commands, ["ls", "pwd"]);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            }
            names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
        assert_eq!(names, ["gavel-activity-2026-08-26T12.00.jsonl", "gavel-activity-2026-08-26T12.00-2.jsonl"]);
    }

    #[test]
    fn a_folder_that_cant_be_written_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(export([].iter(), ExportFormat::Csv, file.path(), NOW).is_err());
    }

    #[test]
    fn a_table_has_a_row_for_each_request_whatever_stands_in_it() {
        let mut out = Vec::new();
        let command = "echo \"a,b\"\nrm x";
        let lines = [AuditLine::of(&record(command, you(Decision::AllowOnce))).unwrap()];
        assert_eq!(csv(lines.into_iter(), &mut out).unwrap(), 1);
        let text = String::from_utf8(out).unwrap();
        let (head, rest) = text.split_once("\r\n").unwrap();
        assert!(head.starts_with("\u{FEFF}time,server,project,"), "{head}");
        assert!(rest.contains(",\"echo \"\"a,b\"\"\nrm x\",you,once,5,none,") && rest.ends_with("\r\n"), "{rest}");
    }

    #[test]
    fn every_key_of_a_line_is_a_column() {
        let line = AuditLine::of(&record("ls", you(Decision::AllowOnce))).unwrap();
        let Value::Object(line) = serde_json::to_value(&line).unwrap() else { panic!("{line:?}") };
        let mut keys: Vec<&str> = line.keys().map(String::as_str).collect();
        let mut columns = AuditLine::COLUMNS.to_vec();
        keys.sort_unstable();
        columns.sort_unstable();
        assert_eq!(keys, columns);
    }

    #[test]
    fn no_text_becomes_a_formula() {
        for (text, told) in [
            ("=1+1", "\"'=1+1\""),
            ("  @sum(a)", "\"'  @sum(a)\""),
            ("-x", "\"'-x\""),
            ("+1", "\"'+1\""),
            ("\tx", "\"'\tx\""),
            ("a;=1+1", "\"a;'=1+1\""),
            ("a; \t@x;-2;b", "\"a;' \t'@x;'-2;b\""),
            ("a\t+1", "\"a\t'+1\""),
            ("ls -la", "ls -la"),
            ("ls; rm x", "ls; rm x"),
            ("it's", "\"it's\""),
        ] {
            assert_eq!(cell(&Value::from(text)), told);
        }
        assert_eq!((cell(&Value::Null), cell(&Value::from(-5))), (String::new(), "-5".to_owned()));
    }
}
