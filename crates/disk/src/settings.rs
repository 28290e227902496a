//! Reading the settings file without a shell. The shell writes it, through its store.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::Error;

/// The settings in `path`; the defaults if there is no such file.
///
/// # Errors
/// If the file can't be read or is not valid: the caller must then leave it alone, so that nothing is lost.
pub fn read_settings<T: DeserializeOwned + Default>(path: &Path) -> Result<T, Error> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|source| Error::Settings { path: path.to_owned(), source }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(Error::at(path)(error)),
    }
}
