//! What the system says of files, in words that every language has.

use std::io::{Error, ErrorKind};

use gavel_core::say;
use gavel_core::text::Message;

/// Why the system refused, for any language; in its own words where it seldom does so.
pub fn system_said(error: &Error) -> Message {
    match error.kind() {
        ErrorKind::InvalidInput if error.get_ref().is_some() => say!("it is not a file"),
        ErrorKind::PermissionDenied if error.get_ref().is_some() => say!("it is write-protected"),
        ErrorKind::NotFound => say!("it is not there"),
        ErrorKind::PermissionDenied => say!("access to it is denied"),
        ErrorKind::IsADirectory => say!("it is a folder"),
        ErrorKind::NotADirectory => say!("a part of its path is no folder"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => say!("there is no space left"),
        ErrorKind::ReadOnlyFilesystem => say!("nothing can be written there"),
        _ => Message::verbatim(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_often_says_is_said_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let none = std::fs::read(folder.path().join("none")).unwrap_err();
        let is_folder = std::fs::read(folder.path()).unwrap_err();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let below = std::fs::read(file.join("below")).unwrap_err();
        for (error, said) in [
            (none, "it is not there"),
            (is_folder, "it is a folder"),
            (below, "a part of its path is no folder"),
            (Error::new(ErrorKind::InvalidInput, "ours"), "it is not a file"),
            (Error::new(ErrorKind::PermissionDenied, "ours"), "it is write-protected"),
            (Error::from(ErrorKind::PermissionDenied), "access to it is denied"),
            (Error::from(ErrorKind::StorageFull), "there is no space left"),
            (Error::other("of another kind"), "of another kind"),
        ] {
            assert_eq!(system_said(&error), said);
        }
    }
}
