//! Putting a new file in the place of the one that was read, and of no other.
//!
//! Between looking whether the file is still as it was read and renaming the new one over it, somebody else may rename
//! theirs. Where the system can exchange two files in one step, what was in the place is at hand afterwards and nothing of
//! theirs is lost; elsewhere the look is as late as can be.

use std::fs;
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

/// What became of it.
#[derive(Debug)]
pub(super) enum Replaced {
    /// The new file is in place.
    Done,
    /// There is another file than was read; it is left alone.
    Changed,
    /// The new file is in place, but at the last moment somebody had put another one there than was read.
    Displaced(Displaced),
}

/// A file that was displaced by ours.
#[derive(Debug)]
pub(super) struct Displaced {
    /// What is in it.
    pub bytes: Vec<u8>,
    path: TempPath,
}

impl Displaced {
    /// Puts the displaced file back to `path`.
    pub(super) fn put_back(self, path: &Path) -> Result<()> {
        exchange(&self.path, path)
    }
}

/// No more bytes than this are read: enough to see that it is too large for a rules file.
const MOST_BYTES: u64 = 9 * 1024 * 1024;

/// The bytes of the file at `path`; `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    let read = || {
        // A pipe or a device could be read for ever.
        if !fs::metadata(path)?.is_file() {
            return Err(Error::new(ErrorKind::InvalidInput, "it is not a file"));
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts a file with `bytes` to `path`, where there is one with the bytes `seen`, or none.
///
/// `insist`s where others write faster than this can look: if files can be exchanged, it doesn't look before.
///
/// Whoever reads sees one or the other, never a part; what could not be written whole is taken away again.
pub(super) fn replace(path: &Path, seen: Option<&[u8]>, bytes: &[u8], insist: bool) -> Result<Replaced> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    make_folder(folder)?;
    let about = match fs::metadata(path) {
        Ok(about) => Some(about),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if about.as_ref().is_some_and(|about| about.permissions().readonly()) {
        // A rename would go past the protection.
        return Err(Error::new(ErrorKind::PermissionDenied, "it is write-protected"));
    }
    let mut new = tempfile::Builder::new().prefix(".gavel-").suffix(".tmp").tempfile_in(folder)?;
    new.write_all(bytes)?;
    if let Some(about) = about {
        new.as_file().set_permissions(about.permissions())?;
    }
    new.as_file().sync_data()?;
    if !insist && read(path)?.as_deref() != seen {
        return Ok(Replaced::Changed);
    }
    match seen {
        None => create(new, path),
        Some(seen) => swap(new, path, seen),
    }
}

fn create(new: NamedTempFile, path: &Path) -> Result<Replaced> {
    match new.persist_noclobber(path) {
        Ok(_) => Ok(Replaced::Done),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(Replaced::Changed),
        Err(error) => Err(error.error),
    }
}

pub(super) fn swap(new: NamedTempFile, path: &Path, seen: &[u8]) -> Result<Replaced> {
    match exchange(new.path(), path) {
        Ok(()) => {
            let old = new.into_temp_path();
            let bytes = fs::read(&old)?;
            let displaced = bytes != seen;
            Ok(if displaced { Replaced::Displaced(Displaced { bytes, path: old }) } else { Replaced::Done })
        }
        // It was removed at the last moment.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Replaced::Changed),
        Err(_) if read(path)?.as_deref() != Some(seen) => Ok(Replaced::Changed),
        Err(_) => {
            new.persist(path).map_err(|error| error.error)?;
            Ok(Replaced::Done)
        }
    }
}

/// Exchanges two files in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// What is learned says what somebody works on: nobody else's business.
fn make_folder(folder: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
