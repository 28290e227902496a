//! The activity log: JSON Lines, append only, set aside when it grows large.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gavel_core::flow::{Happened, Record};
use serde::{Deserialize, Serialize};

use crate::Error;

/// A log larger than this many bytes is set aside when Gavel next opens or writes it.
const FULL: u64 = 8 * 1024 * 1024;

/// How many rows are kept at hand.
const AT_HAND: usize = 10_000;

/// A line longer than this many bytes is not one of ours.
const LONGEST_LINE: u64 = 1024 * 1024;

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Grows with every line, across restarts.
    pub number: u64,
    /// What happened.
    #[serde(flatten)]
    pub record: Record,
    /// Whether it was only played, by the built-in demo. Such rows are never written.
    #[serde(skip)]
    pub played: bool,
}

/// The log, open for appending, with its newest rows at hand.
#[derive(Debug)]
pub struct ActivityLog {
    path: PathBuf,
    file: File,
    size: u64,
    full: u64,
    rows: VecDeque<Arc<Row>>,
    next: u64,
    /// Whether the last line is known to be whole.
    whole: bool,
    /// Lines that could not be read when the log was opened.
    pub unreadable: usize,
}

impl ActivityLog {
    /// Opens the log at `path`, creating it and its folder if needed.
    ///
    /// # Errors
    /// If the file can't be created, read or written.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_with(path, FULL)
    }

    fn open_with(path: &Path, full: u64) -> Result<Self, Error> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::at(folder))?;
        }
        let (mut rows, mut next) = (VecDeque::new(), 1);
        let mut unreadable = 0;
        for part in parts(path) {
            unreadable += read_rows(&part, |row| {
                next = row.number.saturating_add(1);
                keep_at_hand(&mut rows, Arc::new(row));
                Ok(())
            })?;
        }
        let file = append_to(path)?;
        let size = file.metadata().map_err(Error::at(path))?.len();
        let mut log = Self { path: path.to_owned(), file, size, full, rows, next, whole: false, unreadable };
        log.end_last_line()?;
        Ok(log)
    }

    /// Writes a record as one line and returns it with its number. It is with the system when this returns.
    ///
    /// # Errors
    /// If it can't be written; it is at hand all the same.
    pub fn append(&mut self, record: Record) -> (Arc<Row>, Result<(), Error>) {
        let row = Arc::new(Row { number: self.next, record, played: false });
        self.next = self.next.saturating_add(1);
        let written = self.write(&row);
        keep_at_hand(&mut self.rows, Arc::clone(&row));
        (row, written)
    }

    /// Takes in a record that is not worth keeping: it is at hand, and never written.
    pub fn mention(&mut self, record: Record) -> Arc<Row> {
        let row = Arc::new(Row { number: self.next, record, played: true });
        self.next = self.next.saturating_add(1);
        keep_at_hand(&mut self.rows, Arc::clone(&row));
        row
    }

    /// The rows at hand, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().rev().map(Arc::as_ref)
    }

    /// The rows at hand, oldest first, to be gone through elsewhere.
    #[must_use]
    pub fn at_hand(&self) -> Vec<Arc<Row>> {
        self.rows.iter().cloned().collect()
    }

    fn write(&mut self, row: &Row) -> Result<(), Error> {
        let mut line = serde_json::to_vec(row).map_err(|error| Error::at(&self.path)(error.into()))?;
        line.push(b'\n');
        // Half a line may be left of a record that found no room; this one must not be glued to it.
        self.end_last_line()?;
        if self.size > 0 && self.size + line.len() as u64 > self.full {
            // A log that can't be set aside grows: better too long than with a gap.
            if fs::rename(&self.path, set_aside(&self.path)).is_ok() {
                self.file = append_to(&self.path)?;
                self.size = 0;
            }
        }
        self.whole = false;
        self.file.write_all(&line).map_err(Error::at(&self.path))?;
        self.whole = true;
        self.size += line.len() as u64;
        Ok(())
    }

    /// A crash can leave half a line; the next record must not be glued to it.
    fn end_last_line(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.whole, true) || self.size == 0 {
            return Ok(());
        }
        let mut last = [0];
        self.file.seek(SeekFrom::End(-1)).map_err(Error::at(&self.path))?;
        self.file.read_exact(&mut last).map_err(Error::at(&self.path))?;
        if last != *b"\n" {
            self.file.write_all(b"\n").map_err(Error::at(&self.path))?;
            self.size += 1;
        }
        Ok(())
    }
}

/// That an answer is about to be sent is for whoever reads the log after a crash; nobody looks for it in the window.
fn keep_at_hand(rows: &mut VecDeque<Arc<Row>>, row: Arc<Row>) {
    if matches!(row.record.what, Happened::Decided { .. } | Happened::Responded { .. }) {
        return;
    }
    rows.push_back(row);
    if rows.len() > AT_HAND {
        rows.pop_front();
    }
}

fn set_aside(path: &Path) -> PathBuf {
    path.with_extension("1.jsonl")
}

fn append_to(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true);
    // It says what somebody works on: nobody else's business.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(Error::at(path))
}

/// The files that the log at `path` is kept in, oldest first.
pub(crate) fn parts(path: &Path) -> [PathBuf; 2] {
    [set_aside(path), path.to_owned()]
}

/// Gives the rows of `path` to `each`, oldest first, and returns how many lines could not be read.
pub(crate) fn read_rows(path: &Path, mut each: impl FnMut(Row) -> Result<(), Error>) -> Result<usize, Error> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(Error::at(path)(error)),
    };
    if !file.metadata().map_err(Error::at(path))?.is_file() {
        // A device holds no rows. Whoever wants no log links it to `/dev/null`.
        return Ok(0);
    }
    let mut reader = BufReader::new(file);
    let mut unreadable = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(Error::at(path))?;
        if read == 0 {
            return Ok(unreadable);
        }
        match serde_json::from_slice::<Row>(&line) {
            Ok(row) => each(row)?,
            Err(_) if line.iter().all(u8::is_ascii_whitespace) => {}
            Err(_) => unreadable += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::flow::Happened;
    use gavel_core::{Moment, Opinions, RequestKey, Settled};

    use super::*;

    fn record(title: &str) -> Record {
        Record {
            at: Moment(1),
            key: RequestKey::new("http://127.0.0.1:4096", "per_1"),
            title: title.into(),
            action: "shell".into(),
            resources: vec![],
            text: "ls".into(),
            line: None,
            directory: "/p".into(),
            session: None,
            session_id: None,
            waited: 5,
            opinions: Opinions::default(),
            what: Happened::Settled { settled: Settled::RunEnded },
        }
    }

    fn titles(log: &ActivityLog) -> Vec<String> {
        log.newest_first().map(|row| row.record.title.clone()).collect()
    }

    #[test]
    fn rows_survive_a_restart_and_numbers_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/activity.jsonl");
        let mut log = ActivityLog::open(&path).unwrap();
        log.append(record("a")).1.unwrap();
        log.append(record("b")).1.unwrap();
        drop(log);
        let mut log = ActivityLog::open(&path).unwrap();
        assert_eq!(log.append(record("c")).0.number, 3);
        assert_eq!(titles(&log), ["c", "b", "a"]);
    }

    #[test]
    fn a_decision_is_on_record_but_not_at_hand_and_has_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        let decided = Happened::Decided { decision: gavel_core::Decision::AllowOnce };
        let mut log = ActivityLog::open(&path).unwrap();
        log.append(record("a")).1.unwrap();
        log.append(Record { what: decided, ..record("b") }).1.unwrap();
        assert_eq!(titles(&log), ["a"]);
        drop(log);
        let mut log = ActivityLog::open(&path).unwrap();
        assert_eq!((titles(&log), log.append(record("c")).0.number), (vec!["a".to_owned()], 3));
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    }

    #[test]
    fn rows_of_older_versions_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        let row =
            Row { played: false, number: 1, record: Record { resources: vec!["git push".into()], ..record("new") } };
        let mut old = serde_json::to_value(&row).unwrap();
        old.as_object_mut().unwrap().remove("resources").unwrap();
        fs::write(&path, format!("{old}\n{}\n", serde_json::to_value(&row).unwrap())).unwrap();
        let log = ActivityLog::open(&path).unwrap();
        let resources: Vec<_> = log.newest_first().map(|row| row.record.resources.clone()).collect();
        assert_eq!(resources, [vec!["git push".to_owned()], vec![]]);
    }

    #[test]
    fn what_is_only_mentioned_is_at_hand_and_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        let mut log = ActivityLog::open(&path).unwrap();
        log.append(record("real")).1.unwrap();
        log.mention(record("played"));
        assert_eq!(titles(&log), ["played", "real"]);
        drop(log);
        assert_eq!(titles(&ActivityLog::open(&path).unwrap()), ["real"]);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        ActivityLog::open(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_broken_line_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        ActivityLog::open(&path).unwrap().append(record("a")).1.unwrap();
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"number\":2,\"at\":");
        fs::write(&path, bytes).unwrap();
        let mut log = ActivityLog::open(&path).unwrap();
        assert_eq!(log.unreadable, 1);
        log.append(record("b")).1.unwrap();
        drop(log);
        let log = ActivityLog::open(&path).unwrap();
        assert_eq!((titles(&log), log.unreadable), (vec!["b".into(), "a".into()], 1));
    }

    #[test]
    fn half_a_record_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        let mut log = ActivityLog::open(&path).unwrap();
        log.append(record("a")).1.unwrap();
        // What a disk without room leaves behind.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"number\":2").unwrap();
        log.whole = false;
        log.append(record("c")).1.unwrap();
        drop(log);
        assert_eq!(titles(&ActivityLog::open(&path).unwrap()), ["c", "a"]);
    }

    #[test]
    fn a_log_that_cant_be_set_aside_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        fs::create_dir_all(set_aside(&path).join("in the way")).unwrap();
        let mut log =
            ActivityLog { full: 10, ..ActivityLog::open_with(&folder.path().join("other.jsonl"), 10).unwrap() };
        log.path = path;
        for title in ["a", "b"] {
            log.append(record(title)).1.unwrap();
        }
        assert_eq!(titles(&log), ["b", "a"]);
    }

    #[test]
    fn a_full_log_is_set_aside_and_still_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("activity.jsonl");
        let mut log = ActivityLog::open_with(&path, 600).unwrap();
        for title in ["a", "b", "c"] {
            log.append(record(title)).1.unwrap();
        }
        assert!(fs::metadata(&path).unwrap().len() <= 600);
        assert!(set_aside(&path).exists());
        drop(log);
        assert_eq!(titles(&ActivityLog::open(&path).unwrap()), ["c", "b", "a"]);
    }
}
