//! `gavel audit`: the activity log for other programs.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use gavel_disk::{Exported, Places, export};

/// Exports the activity log as JSON Lines, in the format of the audit log of `opencode-auto-permission`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(arg_required_else_help = true)]
pub struct Audit {
    /// The file to write, which must not exist yet; `-` for standard output.
    #[arg(long, value_name = "FILE")]
    export: PathBuf,
}

impl Audit {
    /// Exports the log of the user, to the file, or to `out`. What could not be read is told on `err`.
    ///
    /// # Errors
    /// What went wrong, in words for the user.
    pub fn run(&self, out: &mut impl Write, err: &mut impl Write) -> Result<ExitCode, String> {
        let places = Places::of_user().map_err(|error| error.to_string())?;
        self.export(&places.activity, out, err)
    }

    fn export(&self, log: &Path, out: &mut impl Write, err: &mut impl Write) -> Result<ExitCode, String> {
        let Exported { lines, unreadable } = if self.export == Path::new("-") {
            export(log, out).map_err(|error| error.to_string())?
        } else {
            let file = self.create().map_err(|error| format!("`{}` can't be made: {error}", self.export.display()))?;
            export(log, &mut BufWriter::new(file)).map_err(|error| error.to_string())?
        };
        let mut tell = |text: String| writeln!(err, "gavel: {text}").map_err(|error| error.to_string());
        if unreadable > 0 {
            tell(format!("lines of the log that can't be read: {unreadable}"))?;
        }
        if self.export != Path::new("-") {
            tell(format!("requests exported to `{}`: {lines}", self.export.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn create(&self) -> std::io::Result<File> {
        let mut options = File::options();
        options.write(true).create_new(true);
        // It says what somebody works on: nobody else's business.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.export)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"number": 1, "at": 0, "key": {"server": "s", "request": "per_1"}, "title": "Run ls",
        "action": "shell", "text": "ls", "directory": "/p", "session": null, "waited": 5,
        "what": {"what": "settled", "settled": {"by": "run_ended"}}}"#;

    #[test]
    fn the_log_goes_to_a_file_that_is_new_or_to_standard_output() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("activity.jsonl");
        std::fs::write(&log, format!("{}\nbroken\n", ROW.replace('\n', " "))).unwrap();
        let run = |to: &Path| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let result = Audit { export: to.to_owned() }.export(&log, &mut out, &mut err);
            (result.map(|_| ()), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
        };
        let (result, out, err) = run(Path::new("-"));
        assert_eq!((result, err.as_str()), (Ok(()), "gavel: lines of the log that can't be read: 1\n"));
        assert!(out.starts_with("{\"time\":\"1970-01-01T00:00:00.000Z\"") && out.lines().count() == 1, "{out}");
        let file = folder.path().join("audit.jsonl");
        let (result, nothing, err) = run(&file);
        assert_eq!((result, nothing.as_str()), (Ok(()), ""));
        assert!(err.ends_with("audit.jsonl`: 1\n"), "{err}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), out);
        assert!(run(&file).0.unwrap_err().contains("can't be made"), "nothing is written over");
    }
}
