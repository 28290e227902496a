//! A private session: bus, screen, window manager, home.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command, time::Duration};

use tempfile::TempDir;

use super::Picture;
use crate::{
    process::{self, Process, output_of},
    wait::eventually,
};

/// The width of the screen in pixels.
pub const WIDTH: usize = 1280;
/// The height of the screen in pixels.
pub const HEIGHT: usize = 800;

const START: Duration = Duration::from_secs(60);

/// No service files: nothing that happens to be installed is started behind a test's back.
const BUS_CONFIG: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>unix:path=SOCKET</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"#;

/// The session. Everything in it ends when this is dropped, in the order of the fields.
#[derive(Debug)]
pub struct Session {
    manager: Process,
    screen: Process,
    _bus: Process,
    display: String,
    root: TempDir,
}

impl Session {
    /// Starts a session and waits until its window manager manages.
    ///
    /// # Panics
    /// When a part of it does not come up; the message has that part's output.
    pub async fn start() -> Self {
        let root = tempfile::Builder::new().prefix("desktop-").tempdir().expect("a temporary directory");
        for dir in ["home", "run", "logs"] {
            fs::create_dir_all(root.path().join(dir)).expect("a writable temporary directory");
        }
        fs::set_permissions(root.path().join("run"), fs::Permissions::from_mode(0o700)).expect("our own directory");
        let bus = start_bus(root.path()).await;
        let (screen, display) = start_screen(root.path()).await;
        let mut openbox = process::command("openbox");
        openbox.env_clear().envs(environment(root.path(), &display));
        let manager = Process::spawn("openbox", openbox, root.path().join("logs/openbox"));
        let session = Self { manager, screen, _bus: bus, display, root };
        eventually("the window manager", START, async || session.has_window_manager().await).await;
        session
    }

    /// The directory of this session; `home`, `run` and `logs` are in it.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The address of the bus.
    pub fn bus_address(&self) -> String {
        bus_address(self.root.path())
    }

    /// The display, such as `:99`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The whole environment of a program in this session. Nothing of the caller's shines through but `PATH`.
    pub fn env(&self) -> Vec<(&'static str, String)> {
        environment(self.root.path(), &self.display)
    }

    /// A command in this session, ended with the test.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = process::command(program);
        command.env_clear().envs(self.env()).current_dir(self.root().join("home"));
        command
    }

    /// Starts `command`, with its output in the session's logs.
    pub fn spawn(&self, name: &str, command: Command) -> Process {
        Process::spawn(name, command, self.root().join("logs").join(name))
    }

    /// Runs a program of this session to its end and returns what it printed.
    ///
    /// # Panics
    /// When it fails.
    pub async fn run(&self, program: &str, args: &[&str]) -> String {
        let mut command = self.command(program);
        command.args(args);
        output_of(program, command, Duration::from_secs(60)).await
    }

    /// Presses keys in the focused window, in the spelling of xdotool: `alt+F4`, `Return`.
    pub async fn press(&self, keys: &str) {
        self.run("xdotool", &["key", "--clearmodifiers", keys]).await;
    }

    /// The ids of the visible windows whose name matches the regular expression `name`.
    pub async fn windows(&self, name: &str) -> Vec<String> {
        let mut command = self.command("xdotool");
        command.args(["search", "--onlyvisible", "--name", name]);
        // It fails when it finds nothing.
        let out = tokio::process::Command::from(command).output().await.expect("xdotool is installed");
        String::from_utf8_lossy(&out.stdout).lines().map(str::to_owned).collect()
    }

    /// What is on the screen now.
    pub async fn picture(&self) -> Picture {
        Picture::take(self).await
    }

    /// Saves the screen as `<name>.png` among the artefacts of the build.
    pub async fn screenshot(&self, name: &str) {
        let path = artefact(&format!("{name}.png"));
        let path = path.to_str().expect("a path in UTF-8");
        self.run("import", &["-window", "root", path]).await;
    }

    async fn has_window_manager(&self) -> Result<(), String> {
        let seen = self.run("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).await;
        if seen.contains("window id") { Ok(()) } else { Err(format!("{seen}{}", self.manager.tail())) }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.manager.kill9();
        // A killed X server leaves its lock and its socket behind.
        self.screen.stop(Duration::from_secs(2));
    }
}

/// The path of a file that a test leaves for people to look at.
pub fn artefact(name: &str) -> std::path::PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace around us").join("target"),
        Into::into,
    );
    let dir = target.join("artefacts");
    fs::create_dir_all(&dir).expect("a writable target directory");
    dir.join(name)
}

fn bus_address(root: &Path) -> String {
    format!("unix:path={}", root.join("run/bus").display())
}

fn environment(root: &Path, display: &str) -> Vec<(&'static str, String)> {
    let at = |dir: &str| root.join(dir).to_string_lossy().into_owned();
    vec![
        ("PATH", std::env::var("PATH").unwrap_or_default()),
        ("LANG", "C.UTF-8".into()),
        ("HOME", at("home")),
        ("XDG_RUNTIME_DIR", at("run")),
        ("XDG_CONFIG_HOME", at("home/.config")),
        ("XDG_DATA_HOME", at("home/.local/share")),
        ("XDG_STATE_HOME", at("home/.local/state")),
        ("XDG_CACHE_HOME", at("home/.cache")),
        ("XDG_SESSION_TYPE", "x11".into()),
        ("DBUS_SESSION_BUS_ADDRESS", bus_address(root)),
        ("DISPLAY", display.into()),
        ("GDK_BACKEND", "x11".into()),
        ("NO_AT_BRIDGE", "1".into()),
        ("GTK_A11Y", "none".into()),
        ("LIBGL_ALWAYS_SOFTWARE", "1".into()),
    ]
}

async fn start_bus(root: &Path) -> Process {
    let socket = root.join("run/bus");
    let config = root.join("bus.conf");
    fs::write(&config, BUS_CONFIG.replace("SOCKET", &socket.to_string_lossy())).expect("a writable directory");
    let mut daemon = process::command("dbus-daemon");
    daemon.arg(format!("--config-file={}", config.display())).args(["--nofork", "--nopidfile", "--nosyslog"]);
    let daemon = Process::spawn("dbus-daemon", daemon, root.join("logs/dbus-daemon"));
    eventually("the bus", START, async || {
        tokio::net::UnixStream::connect(&socket).await.map_err(|e| format!("{e}\n{}", daemon.tail()))
    })
    .await;
    daemon
}

/// The server chooses a free display itself and prints its number.
async fn start_screen(root: &Path) -> (Process, String) {
    let mut xvfb = process::command("Xvfb");
    xvfb.args(["-displayfd", "1", "-screen", "0", &format!("{WIDTH}x{HEIGHT}x24"), "-nolisten", "tcp", "-noreset"]);
    let screen = Process::spawn("Xvfb", xvfb, root.join("logs/Xvfb"));
    let number = eventually("the number of the display", START, async || {
        let output = screen.output();
        let number = output.lines().find(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()));
        // Only a whole line: the digits may come one by one.
        let number = number.filter(|number| output.contains(&format!("{number}\n"))).map(str::to_owned);
        number.ok_or_else(|| screen.tail())
    })
    .await;
    (screen, format!(":{number}"))
}
