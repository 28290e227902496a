//! The file by which the background service is found.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::switches::Switches;

/// A registration that is looked after. Dropped, it is taken back.
pub(crate) struct Registration {
    file: PathBuf,
    id: String,
    /// It is kept when the server is gone.
    stays: bool,
    _looking_after: DropGuard,
}

impl Registration {
    /// Registers a server; `None` if it is no background service.
    pub(crate) fn write(
        switches: &Switches,
        url: &str,
        version: &str,
        password: Option<&str>,
    ) -> io::Result<Option<Registration>> {
        let Some(state) = &switches.state_home else { return Ok(None) };
        let folder = state.join("opencode");
        fs::create_dir_all(&folder)?;
        let name = match switches.channel.as_deref() {
            None | Some("latest" | "next") => "service.json".to_owned(),
            Some(channel) => format!("service-{channel}.json"),
        };
        let file = folder.join(name);
        let id = uuid();
        let mut content = json!({ "id": id, "version": version, "url": url, "pid": std::process::id() });
        if let (Some(password), Some(fields)) = (password, content.as_object_mut()) {
            fields.insert("password".to_owned(), json!(password));
        }
        put(&file, &content)?;
        let life = CancellationToken::new();
        let (over, every, place) = (life.clone(), switches.reassert, file.clone());
        tokio::spawn(async move {
            while tokio::time::timeout(every, over.cancelled()).await.is_err() {
                // As with the real one, what can't be written now may be written the next time.
                if read(&place).as_ref() != Some(&content)
                    && let Err(error) = put(&place, &content)
                {
                    tracing::debug!(%error, "could not register again");
                }
            }
        });
        Ok(Some(Registration { file, id, stays: false, _looking_after: life.drop_guard() }))
    }

    /// Leaves the file where it is, as a killed server does.
    pub(crate) fn leave_behind(mut self) {
        self.stays = true;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let is_own = read(&self.file).is_some_and(|found| found.get("id") == Some(&json!(self.id)));
        if !self.stays && is_own {
            // Whoever removed it meanwhile did what was to be done.
            let _ = fs::remove_file(&self.file);
        }
    }
}

fn read(file: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// Writes to a name beside it first, so that nobody reads half a file, and for nobody else to read.
fn put(file: &Path, content: &Value) -> io::Result<()> {
    let beside = file.with_extension(format!("json.{:08x}.tmp", rand::random::<u32>()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(&beside)?.write_all(content.to_string().as_bytes())?;
    fs::rename(&beside, file)
}

fn uuid() -> String {
    let [a, b] = rand::random::<[u64; 2]>();
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 48 & 0xfff,
        b & 0xffff_ffff_ffff
    )
}
