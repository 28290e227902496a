//! What Gavel remembers from one run to the next: small files that are its own, written whole.

use std::io::Write as _;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use crate::Error;

/// What was kept in `path`. Nothing, if there is no such file or it can't be understood: what is remembered only spares
/// a question, and without it the question is asked.
#[must_use]
pub fn read_kept<T: DeserializeOwned + Default>(path: &Path) -> T {
    let read = std::fs::read(path).ok();
    read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

/// Keeps `value` in `path`, for nobody else to read. Whoever reads sees the old one or the new one, never a part.
///
/// # Errors
/// The file or its folder can't be written.
pub fn write_kept<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let write = || {
        std::fs::create_dir_all(folder)?;
        // Into memory first: a file takes each piece of it with a call of its own.
        let bytes = serde_json::to_vec(value)?;
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(&bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(Error::at(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again_and_what_is_broken_is_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new").join("kept.json");
        assert_eq!(read_kept::<Vec<u8>>(&path), [0_u8; 0]);
        write_kept(&path, &vec![1, 2]).expect("written");
        write_kept(&path, &vec![3]).expect("written over");
        assert_eq!(read_kept::<Vec<u8>>(&path), [3]);
        assert_eq!(std::fs::read_dir(folder.path().join("new")).expect("it").count(), 1, "nothing is left behind");
        for broken in ["", "[", "{}", "\u{0}"] {
            std::fs::write(&path, broken).expect("written");
            assert_eq!(read_kept::<Vec<u8>>(&path), [0_u8; 0], "{broken:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("kept.json");
        write_kept(&path, &1).expect("written");
        assert_eq!(std::fs::metadata(&path).expect("it").permissions().mode() & 0o777, 0o600);
    }
}
