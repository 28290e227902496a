//! Child processes that never outlive their test.

use std::{
    fs::File,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::wait::{POLL, eventually, try_eventually};

/// How much of the output a failure message carries, in bytes.
const TAIL: usize = 4000;

/// A command that the kernel ends together with this test process, however that one ends.
///
/// `setpriv` (util-linux, part of every Debian) sets the parent-death signal and then becomes `program`, so the pid and
/// the process name are the program's own.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

/// A running child in a process group of its own. Dropping it kills the whole group.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    group: Pid,
    log: PathBuf,
}

impl Process {
    /// Starts `command` with no input and with both outputs going to the file `log` (appended).
    ///
    /// # Panics
    /// When it can't be started.
    #[track_caller]
    pub fn spawn(name: impl Into<String>, mut command: Command, log: impl Into<PathBuf>) -> Self {
        let (name, log) = (name.into(), log.into());
        let out = File::options().create(true).append(true).open(&log);
        let out = out.unwrap_or_else(|e| panic!("can't open `{}` for {name}: {e}", log.display()));
        let err = out.try_clone().expect("a file handle can be doubled");
        command.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0);
        let child = spawn_from_lasting_thread(command).unwrap_or_else(|e| panic!("can't start {name}: {e}"));
        let group = Pid::from_child(&child);
        Self { name, child, group, log }
    }

    /// The process id, which is also the id of its group.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Everything written to stdout and stderr so far.
    pub fn output(&self) -> String {
        std::fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    /// The end of the output, marked up for a failure message.
    pub fn tail(&self) -> String {
        tail_of(&self.name, &self.log)
    }

    /// The exit status, if it has ended.
    pub fn exited(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Sends SIGTERM to the process itself, as a session manager does.
    pub fn terminate(&self) {
        let _ = kill_process(self.group, Signal::TERM);
    }

    /// Sends SIGKILL to the whole group and waits until the process is gone, for two seconds at most.
    pub fn kill9(&mut self) {
        let _ = kill_process_group(self.group, Signal::KILL);
        let started = Instant::now();
        while self.exited().is_none() && started.elapsed() < Duration::from_secs(2) {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends SIGTERM and waits for at most `grace`; then kills what is left of the group. For programs that clean up.
    pub fn stop(&mut self, grace: Duration) {
        self.terminate();
        let started = Instant::now();
        while self.exited().is_none() && started.elapsed() < grace {
            thread::sleep(Duration::from_millis(5));
        }
        self.kill9();
    }

    /// Waits until the process has ended by itself.
    ///
    /// # Panics
    /// When it still runs at the deadline; the message has its output.
    pub async fn wait_exit(&mut self, deadline: Duration) -> ExitStatus {
        let what = format!("{} (pid {}) to end", self.name, self.pid());
        let ended = try_eventually(what, deadline, async || self.child.try_wait().ok().flatten()).await;
        ended.unwrap_or_else(|missed| panic!("{missed}\n{}", self.tail()))
    }

    /// Waits until the output contains `text`.
    ///
    /// # Panics
    /// When it does not by the deadline.
    pub async fn wait_for_output(&self, text: &str, deadline: Duration) {
        eventually(format!("{} to print `{text}`", self.name), deadline, async || {
            if self.output().contains(text) { Ok(()) } else { Err(self.tail()) }
        })
        .await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill9();
    }
}

/// Runs `command` to its end and returns its standard output.
///
/// # Panics
/// When it can't be started, fails, or takes longer than `deadline`.
pub async fn output_of(name: &str, command: Command, deadline: Duration) -> String {
    let mut command = tokio::process::Command::from(command);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let run = tokio::time::timeout(deadline, command.output()).await;
    let out = run.unwrap_or_else(|_| panic!("{name} did not end within {deadline:?}"));
    let out = out.unwrap_or_else(|e| panic!("can't start {name}: {e}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{name} ended with {}\n{stdout}{stderr}", out.status);
    stdout.into_owned()
}

/// The end of the file `log`, marked up for a failure message.
pub fn tail_of(name: &str, log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let from = text.len().saturating_sub(TAIL);
    let text = String::from_utf8_lossy(&text[from..]);
    format!("--- output of {name} ---\n{}\n--- end of {name} ---", text.trim_end())
}

/// The parent-death signal fires when the *thread* that started the child ends. Tests run on threads that come and go,
/// so all children are started by one thread that stays.
fn spawn_from_lasting_thread(command: Command) -> std::io::Result<Child> {
    type Job = (Command, mpsc::Sender<std::io::Result<Child>>);
    static JOBS: OnceLock<mpsc::Sender<Job>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (jobs, queue) = mpsc::channel::<Job>();
        thread::spawn(move || {
            for (mut command, done) in queue {
                let _ = done.send(command.spawn());
            }
        });
        jobs
    });
    let (done, result) = mpsc::channel();
    jobs.send((command, done)).map_err(|_| std::io::Error::other("the starting thread is gone"))?;
    result.recv().map_err(|_| std::io::Error::other("the starting thread is gone"))?
}

/// Waits until nobody accepts connections on `port` of 127.0.0.1.
///
/// # Errors
/// The failure message, when somebody still does at the deadline.
pub async fn port_is_free(port: u16, deadline: Duration) -> Result<(), String> {
    try_eventually(format!("port {port} to refuse connections"), deadline, async || {
        tokio::time::timeout(POLL * 10, tokio::net::TcpStream::connect(("127.0.0.1", port)))
            .await
            .is_ok_and(|connected| connected.is_err())
    })
    .await
}

/// A port of 127.0.0.1 that was free a moment ago, chosen by the operating system.
pub fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("127.0.0.1 has a free port");
    listener.local_addr().expect("a bound socket has an address").port()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, dir: &Path) -> Process {
        let mut command = command("sh");
        command.args(["-c", script]);
        Process::spawn("a shell", command, dir.join("log"))
    }

    fn alive(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    }

    #[tokio::test]
    async fn output_is_kept_and_the_status_known() {
        let dir = tempfile::tempdir().unwrap();
        let mut process = shell("echo out; echo err >&2; exit 3", dir.path());
        assert_eq!(process.wait_exit(Duration::from_secs(10)).await.code(), Some(3));
        assert_eq!(process.output(), "out\nerr\n");
    }

    #[tokio::test]
    async fn dropping_takes_the_grandchildren_along() {
        let dir = tempfile::tempdir().unwrap();
        let process = shell("sleep 1000 & echo started $!; wait", dir.path());
        process.wait_for_output("started", Duration::from_secs(10)).await;
        eventually("a whole line", Duration::from_secs(5), async || process.output().ends_with('\n')).await;
        let grandchild = process.output().split_whitespace().last().unwrap().to_owned();
        assert!(alive(&grandchild));
        drop(process);
        eventually("the grandchild to be gone", Duration::from_secs(5), async || !alive(&grandchild)).await;
    }

    #[tokio::test]
    async fn terminate_can_be_handled() {
        let dir = tempfile::tempdir().unwrap();
        let mut process = shell("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done", dir.path());
        process.wait_for_output("ready", Duration::from_secs(10)).await;
        process.terminate();
        assert!(process.wait_exit(Duration::from_secs(10)).await.success());
        assert!(process.output().ends_with("bye\n"));
    }
}
