//! The one Gavel of a user: two would write over each other's files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Error, read_kept, write_kept};

/// Held as long as Gavel runs; the system lets go of it, however that ends.
#[derive(Debug)]
pub struct Seat(#[expect(dead_code, reason = "it holds the lock until it is dropped")] Option<File>);

/// Who has the seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process, 0 if that isn't known.
    pub pid: u32,
    /// Whether it has no window.
    pub headless: bool,
}

impl Seat {
    /// Takes the seat at `path`, or says who has it. Where the system knows no locks, everybody gets one.
    ///
    /// # Errors
    /// If the file of the lock, or its folder, can't be made.
    pub fn take(path: &Path, holder: &Holder) -> Result<Result<Self, Holder>, Error> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::at(folder))?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(Error::at(path))?;
        // What is locked can't be read everywhere: who it is stands beside it.
        let beside = path.with_extension("json");
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Err(read_kept(&beside))),
            Err(TryLockError::Error(_)) => return Ok(Ok(Self(None))),
        }
        // It is only told to people.
        let _ = write_kept(&beside, holder);
        Ok(Ok(Self(Some(file))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_it_and_whoever_comes_next_is_told_who() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("running.lock");
        let [first, second] = [7, 8].map(|pid| Holder { pid, headless: pid == 7 });
        let seat = Seat::take(&path, &first).unwrap().unwrap();
        assert_eq!(Seat::take(&path, &second).unwrap().unwrap_err(), first);
        fs::write(path.with_extension("json"), "half").unwrap();
        assert_eq!(Seat::take(&path, &second).unwrap().unwrap_err(), Holder::default());
        drop(seat);
        let _seat = Seat::take(&path, &second).unwrap().unwrap();
        assert_eq!(Seat::take(&path, &first).unwrap().unwrap_err(), second);
    }
}
